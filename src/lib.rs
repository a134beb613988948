//! sift reads documents for AI agents: it fetches what an agent names, makes one [`Document`](sift_handlers::Document)
//! of it, and answers with a view that fits a context window.
//!
//! [`stack`] is the picture; [`assemble`] puts the parts together; [`surface`] has the ways in.

pub mod admin;
pub mod assemble;
pub mod config;
pub mod search;
pub mod serve;
pub mod stack;
pub mod store;
pub mod surface;
pub mod telemetry;
pub mod upstream;
pub mod view;
