//! Links, and those that are left out.

use super::{Blocks, Close, heading_level};
use crate::html::{
    dom::{Id, Name},
    emit::{
        has_class, has_words,
        inline::{Mode, Target},
        words,
    },
};

/// Classes of links from a heading to itself.
const PERMALINKS: [&str; 12] = [
    "headerlink",
    "anchor",
    "anchor-link",
    "anchorjs-link",
    "heading-anchor",
    "header-anchor",
    "heading-link",
    "hash-link",
    "permalink",
    "direct-link",
    "autolink",
    "anchor-heading",
];

/// Whether a title repeats the words of its link or its address, but for signs and case.
fn says_again(title: &str, label: &str, address: &str) -> bool {
    let plain = |text: &str| -> String {
        let mut plain = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let is_code =
                first == '%' && rest.as_bytes().get(1..3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit));
            rest = &rest[if is_code { 3 } else { first.len_utf8() }..];
            if first.is_alphanumeric() {
                plain.extend(first.to_lowercase());
            }
        }
        plain
    };
    let title = plain(title);
    plain(label).contains(&title) || plain(address).contains(&title)
}

// === impl Blocks ===

impl Blocks<'_> {
    pub(super) fn target(&self, link: Id) -> Option<Target> {
        let dom = self.page.dom;
        let href = dom.attr(link, "href")?;
        if self.inline.mode == Mode::Heading && self.page.addresses.is_own_fragment(href) {
            return None;
        }
        let address = self.page.addresses.resolve(href)?;
        let title = dom.attr(link, "title").filter(|title| !title.trim().is_empty());
        Some(Target { address, title: title.map(str::to_owned) })
    }

    pub(super) fn link(&mut self, id: Id) -> Id {
        let page = self.page;
        let (dom, kept) = (page.dom, page.kept);
        let end = dom.end(id);
        if let Some(label) = page.survey.notes.reference(id) {
            self.inline.raw(&format!("[^{label}]"));
            return end;
        }
        if self.inline.in_link() {
            return id + 1;
        }
        if self.is_permalink(id) {
            return end;
        }
        let Some(mut target) = self.target(id) else { return id + 1 };
        let below = || (id + 1..end).filter(|id| kept.any(dom, *id));
        let says = has_words(dom, id, kept);
        if !says && !below().any(|id| matches!(dom.name(id), Name::Img | Name::Image | Name::Svg)) {
            return end;
        }
        target.title = target.title.filter(|title| !says_again(title, &words(dom, id, kept), &target.address));
        let blocky = page.survey.is_blocky(id);
        let is_heading = |id: &Id| dom.name(*id).heading().is_some() && has_words(dom, *id, kept);
        let waits = blocky && self.is_block_mode() && below().any(|id| is_heading(&id));
        self.inline.open_link(target, waits);
        self.opened(id, Close::Mark);
        id + 1
    }

    pub(super) fn is_permalink(&self, id: Id) -> bool {
        let (dom, kept) = (self.page.dom, self.page.kept);
        let in_heading = self.inline.mode == Mode::Heading;
        let classed = has_class(dom, id, &PERMALINKS);
        if !in_heading && !classed {
            return false;
        }
        if (id..dom.end(id)).any(|id| dom.name(id) == Name::Img && kept.has(id)) {
            return false;
        }
        let text = words(dom, id, kept);
        let href = dom.attr(id, "href").unwrap_or_default();
        let own = href.contains('#') || dom.attr(id, "id").is_some() || dom.attr(id, "name").is_some();
        let is_sign = text.chars().count() <= 2 && !text.chars().any(char::is_alphanumeric);
        if own && is_sign {
            return true;
        }
        // A link around the heading itself keeps its words.
        let marked = classed || dom.attr(id, "aria-hidden") == Some("true");
        in_heading && marked && self.page.addresses.is_own_fragment(href) && self.heading_says_more(id)
    }

    /// Whether the heading around a link has words beside it.
    pub(super) fn heading_says_more(&self, link: Id) -> bool {
        let (dom, kept) = (self.page.dom, self.page.kept);
        let up = dom.ancestors(link).take(4).find(|up| heading_level(self.page, *up, dom.name(*up)).is_some());
        let beside = up.map(|up| (up..link).chain(dom.end(link)..dom.end(up)));
        beside.is_some_and(|mut ids| ids.any(|id| kept.has(id) && !dom.text(id).trim().is_empty()))
    }

    /// Whether the first link below is a reference to a note, which needs no other mark.
    pub(super) fn holds_reference(&self, id: Id) -> bool {
        let notes = &self.page.survey.notes;
        !notes.is_empty() && (id..self.page.dom.end(id)).take(8).any(|id| notes.reference(id).is_some())
    }
}
