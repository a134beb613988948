//! sift reads documents for AI agents.

pub mod admin;
pub mod config;
pub mod serve;
pub mod stack;
pub mod store;
pub mod surface;
pub mod telemetry;
pub mod view;
