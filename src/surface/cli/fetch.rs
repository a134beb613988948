//! `sift fetch URL`.

use super::{End, ViewArgs, load, print, remote, runtime, say};
use crate::{
    assemble::{self, Sift},
    surface::{ask::Ask, v1},
};
use clap::Args;
use serde_json::Value;
use sift_layers::{Caller, Class};
use std::path::Path;

/// Arguments of `sift fetch`.
#[derive(Clone, Debug, Args)]
pub(super) struct FetchArgs {
    /// The address: http or https.
    url: String,
    #[command(flatten)]
    view: ViewArgs,
    /// The most characters of content.
    #[arg(long, value_name = "N")]
    max_chars: Option<u32>,
    /// Ask the origin, whatever the cache has.
    #[arg(long)]
    fresh: bool,
    /// The passages that answer a question, with their pages.
    #[arg(long, value_name = "QUESTION")]
    question: Option<String>,
}

pub(super) fn run(config: Option<&Path>, args: &FetchArgs) -> Result<u8, End> {
    let ask = ask(args);
    if let Some(server) = remote::Server::from_environment() {
        let answer = runtime()?.block_on(server.fetch(&ask))?;
        return show(&answer, args.view.json);
    }
    let config = load(config)?.config;
    let shown = runtime()?.block_on(async {
        let (sift, remarks) = Sift::assemble(&config, assemble::Purpose::Command)?;
        for remark in remarks {
            say(&remark);
        }
        let caller = Caller::new("local", Class::Fleet);
        let shown = v1::show(&sift.surface, &ask, caller).await.map_err(End::from);
        sift.close().await;
        shown
    })?;
    let answer = serde_json::to_value(shown.answer(&ask)).map_err(|error| End::Start(1, error.into()))?;
    show(&answer, args.view.json)
}

fn ask(args: &FetchArgs) -> Ask {
    let ViewArgs { pages, grep, search, top_k, offset, password, whole, .. } = args.view.clone();
    Ask {
        url: args.url.clone(),
        question: args.question.clone(),
        search,
        top_k,
        pages,
        grep,
        offset,
        max_chars: args.max_chars,
        max_age: args.fresh.then_some(0),
        pdf_password: password,
        main_only: whole.then_some(false),
        ..Ask::default()
    }
}

fn show(answer: &Value, json: bool) -> Result<u8, End> {
    if json {
        print(&answer.to_string())?;
    } else {
        print(answer["content"].as_str().unwrap_or_default())?;
        if let Some(note) = answer["note"].as_str().filter(|note| !note.is_empty()) {
            say(note);
        }
    }
    Ok(0)
}
