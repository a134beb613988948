//! sift reads documents for AI agents.

pub mod view;
