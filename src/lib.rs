//! sift reads documents for AI agents.

pub mod stack;
pub mod store;
pub mod surface;
pub mod view;
