//! The JSON Lines between the child and its parent (pdf.md §2).

use crate::{Link, OutlineItem};
use serde::{Deserialize, Serialize};

/// One line. Exactly one of `meta`, `page` and `end` stands in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The first line: what is known of the whole document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
    /// The number of a page, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// Its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Or why there is none, in a few words of our own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Link targets on the page.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Link>,
    /// Files that annotations of the page carry.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// Whether the page holds text that no reader sees.
    #[serde(default, skip_serializing_if = "is_false")]
    pub hidden: bool,
    /// Why it is not seen, each reason once, in the order of their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signals: Vec<Signal>,
    /// Whether the page shows more than its text layer tells: a scan, or glyphs without known characters.
    #[serde(default, skip_serializing_if = "is_false")]
    pub needs_ocr: bool,
    /// The sentinel: the last line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
}

/// What is known of the whole document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Meta {
    /// How many pages the document has.
    pub pages: u32,
    /// Its title, by the rules of pdf.md §2.
    pub title: Option<String>,
    /// Its author.
    pub author: Option<String>,
    /// Its subject.
    pub subject: Option<String>,
    /// When it was made, RFC 3339 where the file's date can be read.
    pub created: Option<String>,
    /// When it was last changed.
    pub modified: Option<String>,
    /// BCP 47, from the catalog.
    pub language: Option<String>,
    /// One a page, or none when they are the plain numbers.
    pub labels: Vec<String>,
    /// Bookmarks that lead to a page.
    pub outline: Vec<OutlineItem>,
    /// Embedded files that the document names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// Whether it is encrypted (and was opened).
    pub encrypted: bool,
    /// Whether the file was damaged, and rebuilt from what was left.
    pub repaired: bool,
}

/// A file within the document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attachment {
    /// What it is called.
    pub name: String,
    /// Its size in bytes, as the document says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Its media type, as the document says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
}

/// Why text is not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Signal {
    /// Outside the area that its place is cut to.
    Clipped,
    /// Under something that was drawn later.
    Covered,
    /// Not painted, and not the text layer of a picture.
    Invisible,
    /// Outside the page.
    OffPage,
    /// Too small for anybody.
    Tiny,
    /// White, on nothing darker.
    White,
}

/// The sentinel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// How many page lines there were.
    pub pages: u32,
}

// === impl Signal ===

impl Signal {
    /// Each of them, in the order of their names.
    pub const ALL: [Self; 6] = [Self::Clipped, Self::Covered, Self::Invisible, Self::OffPage, Self::Tiny, Self::White];

    /// As it stands in lines and answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Clipped => "clipped",
            Self::Covered => "covered",
            Self::Invisible => "invisible",
            Self::OffPage => "off_page",
            Self::Tiny => "tiny",
            Self::White => "white",
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_false(flag: &bool) -> bool {
    !flag
}
