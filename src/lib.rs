//! sift reads documents for AI agents.

pub mod stack;
pub mod surface;
pub mod upstream;
pub mod view;
