//! Prints what a handler makes of files: JSON Lines.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]
use sift_handlers::{Content, ContentHandler, Head, Reading, Source, html::Html, json::Json, text::Text};
use std::sync::Arc;

#[tokio::main]
async fn main() {
    let mut kind = "html".to_owned();
    let mut base = "https://example.test/dir/page.html".to_owned();
    let mut reading = Reading::default();
    let mut files = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--kind" => kind = args.next().unwrap(),
            "--base-url" => base = args.next().unwrap(),
            "--max-chars" => {
                args.next();
            }
            "--whole" => reading.main_only = false,
            "--sources" => reading.keep_sources = true,
            "extract" | "--json" => {}
            _ => files.push(arg),
        }
    }
    for file in files {
        let bytes = bytes::Bytes::from(std::fs::read(&file).unwrap());
        let start = tokio::time::Instant::now();
        let handler: Arc<dyn ContentHandler> = match kind.as_str() {
            "json" => Arc::new(Json),
            "text" => Arc::new(Text),
            _ => Arc::new(Html),
        };
        let head = Head { media: None, charset: None, prefix: bytes.slice(..bytes.len().min(1024)) };
        let source = Source {
            head,
            base: url::Url::parse(&base).ok(),
            content: Content::Bytes(bytes),
            reading: Arc::new(reading.clone()),
        };
        let answer = match handler.extract(source).await {
            Ok(document) => {
                let content: Vec<&str> = document.pages.iter().map(|page| page.text()).collect();
                serde_json::json!({"file": file, "kind": document.kind.as_str(), "title": document.title, "content": content.join("\n\n"), "metadata": document.metadata,
                    "byline": document.byline, "published": document.published, "note": document.note, "links": document.links.len(), "outline": document.outline.len(),
                    "html": document.sources.and_then(|s| s.html), "ms": start.elapsed().as_millis() as u64})
            }
            Err(error) => serde_json::json!({"file": file, "error": error.to_string()}),
        };
        println!("{answer}");
    }
}
