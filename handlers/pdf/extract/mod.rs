//! From the bytes of a PDF to its lines. Runs inside the child: no I/O but the lines.

use super::wire::Line;
use std::io;

/// What to read of a document.
#[derive(Clone, Debug)]
pub struct Options {
    /// Pages past this one are counted and not read.
    pub max_pages: u32,
    /// Opens an encrypted document.
    pub password: Option<String>,
}

/// Why there are no lines: the exit status of the child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It takes a password, or another one: status 3.
    Encrypted,
    /// Not a PDF, or no page tree: status 4.
    Unreadable,
    /// Nobody listens any more.
    Closed,
}

/// Reads `pdf` and gives each line to `emit` as soon as it is known: meta, pages in order, end.
pub fn run(_pdf: Vec<u8>, _options: &Options, _emit: &mut dyn FnMut(Line) -> io::Result<()>) -> Result<(), Refused> {
    Err(Refused::Unreadable)
}
