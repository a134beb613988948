//! `sift extract FILE…`: the same handlers and views, on what is already here.

use super::{End, ViewArgs, complain, load, print, runtime, say};
use crate::{
    assemble,
    config::Config,
    search::{self, Index},
    surface::respond::{Failure, meaning},
    view::{self, Rendered},
};
use bytes::Bytes;
use clap::Args;
use serde_json::{Value, json};
use sift_handlers::{
    Claim, Content, ContentHandler, Document, ExtractError, Head, Keep, Password, Reading, Registry, Source, Unit,
};
use sift_layers::{Error, Media};
use std::{
    fs::File,
    io::{Read, Seek},
    path::Path,
    sync::Arc,
};

/// Arguments of `sift extract`.
#[derive(Clone, Debug, Args)]
pub(super) struct ExtractArgs {
    /// The files; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    #[command(flatten)]
    view: ViewArgs,
    /// The most characters of content, or `all`.
    #[arg(long, value_name = "N|all", value_parser = cap)]
    max_chars: Option<Cap>,
    /// Read as this kind, whatever the name and the bytes say.
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// The address that relative links are resolved by.
    #[arg(long, value_name = "URL")]
    base_url: Option<url::Url>,
}

#[derive(Clone, Copy, Debug)]
enum Cap {
    All,
    Chars(usize),
}

/// As much as a handler sees before it claims a file, in bytes.
const PREFIX: usize = 1024;

/// Media types by the end of a file's name; the bytes have the last word.
const MEDIA: [(&str, &str); 18] = [
    ("pdf", "application/pdf"),
    ("html", "text/html"),
    ("htm", "text/html"),
    ("xhtml", "application/xhtml+xml"),
    ("json", "application/json"),
    ("ndjson", "application/x-ndjson"),
    ("jsonl", "application/x-ndjson"),
    ("md", "text/markdown"),
    ("markdown", "text/markdown"),
    ("csv", "text/csv"),
    ("tsv", "text/tab-separated-values"),
    ("xml", "application/xml"),
    ("rss", "application/rss+xml"),
    ("atom", "application/atom+xml"),
    ("txt", "text/plain"),
    ("rs", "text/plain"),
    ("py", "text/plain"),
    ("js", "text/javascript"),
];

pub(super) fn run(config: Option<&Path>, args: &ExtractArgs) -> Result<u8, End> {
    let config = load(config)?.config;
    let handlers = assemble::handlers(&config, None);
    if let Some(kind) = args.kind.as_deref().filter(|kind| handlers.named(kind).is_none()) {
        let known: Vec<_> = handlers.kinds().iter().map(|kind| kind.as_str()).collect();
        let message = format!("unknown kind \"{kind}\"");
        return Err(Failure::said(Error::BadRequest, message, format!("one of {}", known.join(", "))).into());
    }
    runtime()?.block_on(async {
        let mut status = 0;
        for file in &args.files {
            let read = one(&handlers, &config, args, file).await;
            match read {
                Ok((document, shown)) if args.view.json => print(&object(file, &document, &shown).to_string())?,
                Ok((_, shown)) => {
                    print(&shown.content)?;
                    if !shown.note.is_empty() {
                        say(&shown.note);
                    }
                }
                Err(failure) => {
                    status = status.max(meaning(failure.error).exit);
                    if args.view.json {
                        print(
                            &json!({ "file": file, "error": failure.message(), "hint": failure.hint() }).to_string(),
                        )?;
                    } else {
                        complain(&failure);
                    }
                }
            }
        }
        Ok(status)
    })
}

/// A file that is on the host already may be so many times as large as what a stranger sends.
const LOCAL_FACTOR: u64 = 4;

async fn one(
    handlers: &Registry,
    config: &Config,
    args: &ExtractArgs,
    name: &str,
) -> Result<(Document, Rendered), Failure> {
    let unreadable =
        |error: std::io::Error| Failure::said(Error::BadRequest, format!("can't read {name}"), error.to_string());
    let mut file = open(name).map_err(unreadable)?;
    let len = file.metadata().map_err(unreadable)?.len();
    let mut prefix = Vec::with_capacity(PREFIX);
    Read::by_ref(&mut file).take(PREFIX as u64).read_to_end(&mut prefix).map_err(unreadable)?;
    file.rewind().map_err(unreadable)?;
    let media =
        MEDIA.iter().find(|(end, _)| Path::new(name).extension().is_some_and(|found| found.eq_ignore_ascii_case(end)));
    let head = Head::new(media.map(|(_, media)| *media), Bytes::from(prefix));
    let handler = pick(handlers, args.kind.as_deref(), &head)?;
    let limits = handlers.limits(handler.as_ref());
    let limit = if limits.keep == Keep::Memory { LOCAL_FACTOR * limits.body } else { limits.body };
    if len > limit {
        return Err(Error::TooLarge { limit }.into());
    }
    let content = match limits.keep {
        Keep::File => Content::File(file, len),
        Keep::Memory => Content::Bytes(Content::File(file, len).into_bytes().map_err(unreadable)?),
    };
    let media = Media::new(head.media.as_deref());
    let reading = Reading {
        main_only: !args.view.whole,
        password: args.view.password.as_deref().map(Password::new),
        ..Reading::default()
    };
    let source = Source { head, base: args.base_url.clone(), content, reading: Arc::new(reading) };
    let document = tokio::time::timeout(limits.extract, handler.extract(source)).await;
    let document =
        document.unwrap_or(Err(ExtractError::TimedOut)).map_err(|verdict| Error::of_extract(verdict, media))?;
    let shown = show(&document, config, args)?;
    Ok((document, shown))
}

fn show(document: &Document, config: &Config, args: &ExtractArgs) -> Result<Rendered, Failure> {
    let ViewArgs { pages, grep, search, top_k, offset, .. } = args.view.clone();
    let whole = matches!(args.max_chars, Some(Cap::All));
    if whole && document.unit == Unit::Part && pages.is_none() && grep.is_none() && offset.is_none() {
        // A file whole is the file's text: parts are for finding one's way in a piece of it.
        let content = view::unmarked_text(document);
        let note = document.note.clone().unwrap_or_default();
        return Ok(Rendered { chars: content.chars().count(), content, note, ..Rendered::default() });
    }
    let out_cap = match args.max_chars {
        Some(Cap::All) => usize::MAX,
        Some(Cap::Chars(chars)) => chars,
        None => config.view.out_cap,
    };
    if let Some(query) = search {
        let most = top_k.map_or(search::DEFAULT_TOP_K, |most| most as usize);
        let found = Index::new(document).and_then(|index| index.search(&query, most));
        let found = found.map_err(|error| Failure::said(Error::BadRequest, "invalid search", error.to_string()))?;
        return Ok(search::render(document, &query, &found, out_cap));
    }
    Ok(view::render(document, &view::Options { pages, grep, offset, out_cap, pages_limit: None })?)
}

fn pick(handlers: &Registry, kind: Option<&str>, head: &Head) -> Result<Arc<dyn ContentHandler>, Failure> {
    if let Some(kind) = kind {
        return handlers.named(kind).ok_or_else(|| Error::BadRequest.into());
    }
    let unnamed = Head { media: None, ..head.clone() };
    let named = handlers.pick(head).filter(|handler| handler.claim(head) > Claim::None);
    named
        .or_else(|| handlers.pick(&unnamed))
        .ok_or_else(|| Error::Unsupported(Media::new(head.media.as_deref())).into())
}

/// Standard input goes to a file without a name, so that every kind can seek in it.
fn open(name: &str) -> std::io::Result<File> {
    if name != "-" {
        return File::open(name);
    }
    let mut file = tempfile::tempfile()?;
    std::io::copy(&mut std::io::stdin().lock(), &mut file)?;
    file.rewind()?;
    Ok(file)
}

fn object(file: &str, document: &Document, shown: &Rendered) -> Value {
    let mut metadata = document.metadata.clone();
    let own = [
        ("byline", &document.byline),
        ("language", &document.language),
        ("published", &document.published),
        ("site_name", &document.site_name),
        ("canonical_url", &document.canonical_url),
        ("description", &document.description),
    ];
    for (name, value) in own {
        if let Some(value) = value {
            metadata.entry(name).or_insert_with(|| value.clone().into());
        }
    }
    let mut object = json!({
        "file": file,
        "kind": document.kind.as_str(),
        "title": document.title,
        "content": shown.content,
        "note": shown.note,
        "pages": document.total_pages,
        "metadata": metadata,
    });
    let ranked = |hit: &view::Match| {
        let ranked = hit.ranked.as_ref()?;
        Some(json!({
            "page": hit.page, "text": hit.text, "score": ranked.score, "source": ranked.source, "section": ranked.section,
            "low_confidence": ranked.low_confidence,
        }))
    };
    let hits: Vec<Value> = shown.matches.iter().filter_map(ranked).collect();
    if !hits.is_empty() {
        object["matches"] = hits.into();
    }
    object
}

fn cap(text: &str) -> Result<Cap, String> {
    if text == "all" {
        return Ok(Cap::All);
    }
    text.parse().map(Cap::Chars).map_err(|_| "a number of characters, or all".to_owned())
}
