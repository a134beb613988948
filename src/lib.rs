//! sift reads documents for AI agents.

pub mod stack;
pub mod surface;
pub mod view;
