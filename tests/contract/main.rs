//! The contract: one file per promise. Each drives the real binary over real sockets on loopback, but for what only a
//! test's own handler can show.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    clippy::unused_async,
    clippy::option_option,
    clippy::cast_possible_truncation,
    clippy::large_stack_arrays,
    clippy::match_wild_err_arm,
    clippy::format_collect,
    unreachable_pub,
    reason = "a test says what is wrong by failing, and a skip says so"
)]

#[path = "../support/mod.rs"]
mod support;

mod cache;
mod cli;
mod conformance;
mod deadline;
mod dependencies;
mod errors;
mod flights;
mod grep;
mod guard;
mod hostile;
mod kinds;
mod limits;
mod load;
mod mcp;
mod metrics;
mod pages;
mod parts;
mod pool;
mod privacy;
mod search;
mod text;
mod v1;
mod v2;
