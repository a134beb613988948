//! Cheap signs that a file which opens has lost something.

use hayro_syntax::{
    Pdf,
    object::{Array, Dict, MaybeRef, Name, Object, Stream},
    xref::XRef,
};
use std::collections::HashSet;

/// The most pages that are looked at.
const MAX_PAGES: usize = 10_000;
/// The most fonts or parts of a page that are looked at.
const MAX_PARTS: usize = 1_000;

/// What a file has lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Damage {
    /// The pages that the page tree counts and does not have.
    pub(super) pages: usize,
    /// What the page tree lists and is no page.
    pub(super) strangers: usize,
    /// The contents of pages that are not there.
    pub(super) contents: usize,
    /// The fonts that are not there.
    pub(super) fonts: usize,
}

impl Damage {
    pub(super) fn of(pdf: &Pdf) -> Self {
        let mut damage = Self { pages: lost_pages(pdf), ..Self::default() };
        let mut seen = HashSet::new();
        for page in pdf.pages().iter().take(MAX_PAGES) {
            let dict = page.raw();
            let is_lost = match dict.get::<Array<'_>>(b"Contents") {
                Some(parts) => parts.raw_iter().take(MAX_PARTS).any(|part| match part {
                    MaybeRef::Ref(part) => pdf.xref().get::<Stream<'_>>(part.into()).is_none(),
                    MaybeRef::NotRef(_) => false,
                }),
                None => dict.contains_key(b"Contents") && dict.get::<Stream<'_>>(b"Contents").is_none(),
            };
            damage.contents += usize::from(is_lost);
            damage.strangers += usize::from(!is_page(dict));
            let fonts = &page.resources().fonts;
            for (_, font) in fonts.entries().take(MAX_PARTS) {
                if let MaybeRef::Ref(font) = font
                    && seen.insert(font)
                    && !is_there(pdf.xref(), font.into())
                {
                    damage.fonts += 1;
                }
            }
            let resources = dict.get_ref(b"Resources").filter(|resources| seen.insert(*resources));
            damage.fonts += usize::from(resources.is_some_and(|resources| !is_there(pdf.xref(), resources.into())));
        }
        damage
    }

    pub(super) fn is_any(self) -> bool {
        self != Self::default()
    }

    /// The links that lead nowhere.
    pub(super) fn links(self) -> usize {
        self.strangers + self.contents + self.fonts
    }
}

/// Whether a kid of the page tree is a page: a wrong number leads to anything.
fn is_page(dict: &Dict<'_>) -> bool {
    dict.get::<Name<'_>>(b"Type").as_deref() == Some(b"Page")
        || dict.contains_key(b"Contents")
        || dict.contains_key(b"MediaBox")
}

fn is_there(xref: &XRef, id: hayro_syntax::object::ObjectIdentifier) -> bool {
    matches!(xref.get::<Object<'_>>(id), Some(Object::Dict(_)))
}

/// How many pages the page tree says to have that could not be found.
fn lost_pages(pdf: &Pdf) -> usize {
    let count = pdf
        .xref()
        .get::<Dict<'_>>(pdf.xref().root_id())
        .and_then(|catalog| catalog.get::<Dict<'_>>(b"Pages"))
        .and_then(|pages| pages.get::<i32>(b"Count"));
    let count = count.and_then(|count| usize::try_from(count).ok()).unwrap_or_default();
    count.saturating_sub(pdf.pages().len())
}
