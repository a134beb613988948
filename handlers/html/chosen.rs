//! Which nodes of a page are shown: by the caller's selectors, or by the choice of its content.

use super::{
    content,
    dom::{Dom, Id, Name, Selector},
    emit::Kept,
    visible::{Visible, mass_of},
};
use crate::Reading;

/// What of a page is shown.
pub(super) struct Chosen {
    pub(super) kept: Kept,
    /// How the content was chosen.
    pub(super) method: &'static str,
    /// How good the choice is expected to be, 0 to 1. None when nothing was to be chosen.
    pub(super) confidence: Option<f32>,
    /// The share of the text that is shown, 0 to 1.
    pub(super) share: f32,
    /// The number of hidden elements.
    pub(super) hidden: usize,
    /// The mass of the text that is shown.
    pub(super) mass: usize,
}

// === impl Chosen ===

impl Chosen {
    /// `is_product` says whether the page's data speak of a product.
    pub(super) fn of(dom: &Dom, reading: &Reading, is_product: bool) -> Self {
        let Visible { mut seen, hidden } = Visible::of(dom);
        deselect(dom, &reading.exclude, &mut seen);
        let (kept, method, confidence, share) = if !reading.include.is_empty() {
            select(dom, &reading.include, &mut seen);
            (seen, "body", None, 1.0)
        } else if reading.main_only {
            let content = content::choose(dom, &seen, is_product);
            (content.kept, content.method, Some(content.confidence), content.share)
        } else {
            buttons(dom, &mut seen);
            (seen, "body", None, 1.0)
        };
        let texts = (0..).zip(&kept).filter(|(_, kept)| **kept).map(|(id, _)| mass_of(dom.text(id)));
        Self { mass: texts.sum(), kept: Kept::of(dom, kept), method, confidence, share, hidden }
    }
}

/// Leaves out what the selectors name. A selector that can't be read names nothing.
fn deselect(dom: &Dom, selectors: &[String], seen: &mut [bool]) {
    for selector in parsed(selectors) {
        let mut id = 0;
        while id < length(dom) {
            let is_named = dom.name(id) != Name::Text && selector.matches(dom, id);
            let after = if is_named { dom.end(id) } else { id + 1 };
            if is_named {
                seen[id as usize..after as usize].fill(false);
            }
            id = after;
        }
    }
}

/// Keeps only what the selectors name.
fn select(dom: &Dom, selectors: &[String], seen: &mut [bool]) {
    let selectors = parsed(selectors);
    let mut id = 0;
    while id < length(dom) {
        let is_named = dom.name(id) != Name::Text && selectors.iter().any(|selector| selector.matches(dom, id));
        if is_named {
            id = dom.end(id);
        } else {
            seen[id as usize] = false;
            id += 1;
        }
    }
}

/// Leaves out buttons, but for those that are headings of what they open.
fn buttons(dom: &Dom, seen: &mut [bool]) {
    let opens = |id: Id| {
        dom.attrs(id).any(|(name, _)| matches!(name, "aria-expanded" | "aria-controls"))
            || dom.ancestors(id).take(2).any(|up| dom.name(up).heading().is_some())
    };
    for id in (0..length(dom)).filter(|id| dom.name(*id) == Name::Button) {
        let after = dom.end(id);
        let holds_blocks =
            (id + 1..after).any(|id| matches!(dom.name(id), Name::P | Name::Table | Name::H1 | Name::Ul));
        if !holds_blocks && !opens(id) {
            seen[id as usize..after as usize].fill(false);
        }
    }
}

fn parsed(selectors: &[String]) -> Vec<Selector> {
    selectors.iter().filter_map(|selector| Selector::parse(selector)).collect()
}

fn length(dom: &Dom) -> Id {
    Id::try_from(dom.len()).unwrap_or(Id::MAX)
}
