//! `sift mcp`: a server of the Model Context Protocol on standard input and output.

use super::{End, load, runtime, say};
use crate::{
    assemble::{self, Sift},
    surface::mcp::Mcp,
};
use anyhow::Context;
use rmcp::ServiceExt as _;
use sift_layers::{Caller, Class};
use std::path::Path;

pub(super) fn run(config: Option<&Path>) -> Result<u8, End> {
    let config = load(config)?.config;
    runtime()?.block_on(async {
        let (sift, remarks) = Sift::assemble(&config, assemble::Purpose::Command)?;
        for remark in remarks {
            say(&remark);
        }
        let server = Mcp::new(sift.surface.clone(), Caller::new("local", Class::Fleet));
        let running = server.serve(rmcp::transport::stdio()).await.context("the client did not say hello")?;
        // It ends when the client closes standard input.
        let _ = running.waiting().await;
        sift.close().await;
        Ok(0)
    })
}
