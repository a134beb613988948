//! What a panic may say: where, and in which thread. Its message quotes what it fell over, and that is a document.

use super::{Sink, lines::now};
use serde_json::json;
use std::{panic::PanicHookInfo, thread};

/// A panic hook that writes one line into `sink`.
///
/// Not through `tracing`: the panic may have come from within it.
pub fn hook(sink: Sink, as_json: bool) -> Box<dyn Fn(&PanicHookInfo<'_>) + Send + Sync> {
    Box::new(move |panic| {
        let (file, line) = panic.location().map_or(("?", 0), |place| (place.file(), place.line()));
        let thread = thread::current();
        let name = thread.name().unwrap_or("?");
        let text = if as_json {
            let line = json!({
                "time": now(), "level": "ERROR", "message": "panic", "file": file, "line": line, "thread": name
            });
            format!("{line}\n")
        } else {
            format!("{} ERROR panic at {file}:{line} in thread {name}\n", now())
        };
        sink(text.as_bytes());
    })
}
