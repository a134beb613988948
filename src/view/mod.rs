//! Pure views: what an agent sees of a document (views.md).
//!
//! A view is a function of a [`Document`] and [`Options`]: no I/O, no clock, no knowledge of kinds. Every length is in
//! characters (Unicode scalar values).
//!
//! What a note promises: the requests it names, followed in their order and each to its own end, give exactly what the
//! answer left out. An answer to a request with `offset` goes on where the one before ended; any other begins a new
//! page, behind a blank line.

mod budget;
mod full;
mod grep;
mod map;
mod pages;
mod range;
mod slice;
#[cfg(test)]
mod tests;

pub use budget::{DEFAULT_OUT_CAP, MIN_OUT_CAP, out_cap};
pub use full::{full_text, unmarked_text};
pub use slice::{Read, Slice, page_lines, read, slice};

use budget::Window;
use full::FullText;
use range::Selection;
use sift_handlers::Document;
use std::fmt;

/// What a request asks to see of a document.
///
/// `Debug` prints no pattern.
#[derive(Clone, PartialEq, Eq)]
pub struct Options {
    /// `a-b`, `a`, `a-`, or a comma list of these; a page may be named by its label where that is no number.
    pub pages: Option<String>,
    /// A regular expression to look for, line by line, in `pages` or in all.
    pub grep: Option<String>,
    /// How many characters to skip: of the page when `pages` names one, else of the full text. 0 is as good as none.
    pub offset: Option<u64>,
    /// The most characters of content; see [`out_cap`]. Less than [`MIN_OUT_CAP`] counts as that.
    pub out_cap: usize,
    /// Only the first pages exist for this view, this many; 0 counts as 1.
    pub pages_limit: Option<u32>,
}

/// A view of a document.
///
/// `Debug` prints sizes, never a text.
#[derive(Clone, Default, PartialEq)]
pub struct Rendered {
    /// What the agent reads; at most [`Options::out_cap`] characters.
    pub content: String,
    /// The length of `content`, in characters.
    pub chars: usize,
    /// Whether this is the map of a document that is longer than one answer.
    pub map: bool,
    /// The first page of which `content` shows something; 0 for grep, and when there is no page.
    pub first: u32,
    /// The last such page; for a map, of the leading pages.
    pub last: u32,
    /// Whether something that was asked for was left out; `note` then says how to go on.
    pub truncated: bool,
    /// Where the answer was cut and what to ask for next; else empty.
    pub note: String,
    /// How many lines match `grep`; more than are shown, maybe.
    pub grep_hits: u64,
    /// The matching lines that are shown.
    pub matches: Vec<Match>,
    /// About how many tokens `content` is: a quarter of its characters.
    pub tokens_estimate: usize,
}

/// A line that matches `grep`.
///
/// `Debug` prints no text.
#[derive(Clone, PartialEq)]
pub struct Match {
    /// The page it stands on, from 1.
    pub page: u32,
    /// Its number in the full text, from 1: what [`slice()`] takes.
    pub line: u64,
    /// The line as shown: without spaces around, and cut if it alone is longer than an answer. For a search the lines that
    /// answer it.
    pub text: String,
    /// What a search says of it.
    pub ranked: Option<Ranked>,
}

/// What a search says of a hit.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// The greater, the better; comparable within one answer only.
    pub score: f64,
    /// `keyword`, `semantic` or `both`.
    pub source: &'static str,
    /// The headings it stands under, the outermost first.
    pub section: Vec<String>,
    /// Whether it has few of the words and isn't near in meaning, either.
    pub low_confidence: bool,
}

/// Why there is no view. The display text is stable; [`hint`](Self::hint) names the next thing to try.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ViewError {
    /// `pages` is in none of the three forms, or a list of more than 100 separate stretches.
    #[error("invalid pages")]
    InvalidPages,
    /// `pages` names a page by a label that no page bears.
    #[error("invalid pages")]
    UnknownLabel {
        /// The label of the first page.
        first: String,
        /// The label of the last page.
        last: String,
    },
    /// `offset` together with more than one page.
    #[error("invalid pages")]
    OffsetAcrossPages,
    /// A page below 1 or past the last extracted one, or a range that ends before it begins.
    #[error("pages out of range (1-{last})")]
    PagesOutOfRange {
        /// The last extracted page; 0 when there is none.
        last: u32,
    },
    /// `grep` is too long, does not compile, compiles to too much, or came with an `offset`.
    #[error("invalid grep")]
    InvalidGrep {
        /// Why, in short and without the pattern.
        reason: String,
    },
    /// `offset` leaves nothing.
    #[error("past the end ({chars} characters)")]
    PastTheEnd {
        /// The length of the page or of the full text, in characters.
        chars: usize,
    },
}

/// Renders the view that `options` asks for.
pub fn render(document: &Document, options: &Options) -> Result<Rendered, ViewError> {
    let full = FullText::new(document, options.pages_limit);
    let out_cap = options.out_cap.max(MIN_OUT_CAP);
    let offset = usize::try_from(options.offset.unwrap_or(0)).unwrap_or(usize::MAX);
    let asked = options
        .pages
        .as_deref()
        .map(|pages| Selection::parse(pages.trim(), full.last(), &document.labels))
        .transpose()?;

    if let Some(pattern) = &options.grep {
        if offset > 0 {
            return Err(ViewError::InvalidGrep { reason: "grep takes no offset; ask for fewer pages".into() });
        }
        return grep::render(&full, &asked.unwrap_or_else(|| Selection::all(full.last())), pattern, out_cap);
    }
    match asked {
        Some(asked) => pages::render(&full, &asked, offset, out_cap),
        None if offset > 0 => pages::render_from(&full, offset, out_cap),
        None if full.chars() <= out_cap => Ok(whole(&full)),
        None => Ok(map::render(document, &full, out_cap)),
    }
}

/// The full text, which fits.
fn whole(full: &FullText<'_>) -> Rendered {
    let mut window = Window::new(0, usize::MAX);
    let _ = full.copy(&mut window);
    let last = full.last();
    Rendered { first: last.min(1), last, ..Rendered::new(window, String::new()) }
}

// === impl Options ===

impl Default for Options {
    fn default() -> Self {
        Self { pages: None, grep: None, offset: None, out_cap: DEFAULT_OUT_CAP, pages_limit: None }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("pages", &self.pages.is_some())
            .field("grep", &self.grep.is_some())
            .field("offset", &self.offset)
            .field("out_cap", &self.out_cap)
            .field("pages_limit", &self.pages_limit)
            .finish()
    }
}

// === impl Rendered ===

impl Rendered {
    /// What the window took; cut when there is a note.
    fn new(window: Window, note: String) -> Self {
        let chars = window.chars();
        Self {
            content: window.into_text(),
            chars,
            truncated: !note.is_empty(),
            note,
            tokens_estimate: chars / 4,
            ..Self::default()
        }
    }
}

impl fmt::Debug for Rendered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rendered")
            .field("chars", &self.chars)
            .field("map", &self.map)
            .field("first", &self.first)
            .field("last", &self.last)
            .field("truncated", &self.truncated)
            .field("grep_hits", &self.grep_hits)
            .finish_non_exhaustive()
    }
}

// === impl Match ===

impl fmt::Debug for Match {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Match(p. {}, line {})", self.page, self.line)
    }
}

// === impl ViewError ===

impl ViewError {
    /// What to ask instead.
    pub fn hint(&self) -> String {
        match self {
            Self::InvalidPages => "pages=\"41-60\", pages=\"41\" or pages=\"41-\" (to the last); \
                                   a list joins up to 100 of these: pages=\"1-3,7,12-\""
                .into(),
            Self::UnknownLabel { first, last } => format!(
                "no page bears this label; labels run from \"{first}\" to \"{last}\" (pages=\"{first}\"), \
                 a number is the place of a page: pages=\"41-60\""
            ),
            Self::OffsetAcrossPages => {
                "offset goes with one page, pages=\"7\" offset=40000, or with no pages at all".into()
            }
            Self::PagesOutOfRange { last: 0 } => "no page of this document could be extracted".into(),
            Self::PagesOutOfRange { last } => {
                format!("the pages run from 1 to {last}, the first of a range comes first")
            }
            Self::InvalidGrep { reason } => reason.clone(),
            Self::PastTheEnd { chars: 0 } => "this document has no text".into(),
            Self::PastTheEnd { chars } => format!("ask for an offset below {chars}"),
        }
    }
}
