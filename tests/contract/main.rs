//! The contract: one file per promise. Each drives the real binary over real sockets on loopback, but for what only a
//! test's own handler can show.

#[path = "../support/mod.rs"]
mod support;

mod cache;
mod cli;
mod deadline;
mod dependencies;
mod errors;
mod flights;
mod grep;
mod guard;
mod kinds;
mod limits;
mod pages;
mod pool;
mod privacy;
mod text;
mod v2;
