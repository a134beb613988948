//! `<link>` elements: where else the page is, and what belongs to it.

use super::super::{
    dom::{Dom, Id, Name},
    emit::Addresses,
};
use serde_json::{Map, Value};

/// The most feeds, and the most other languages.
const MAX_LINKS: usize = 50;

/// Where the links of a page's head lead.
#[derive(Default)]
pub(super) struct Relations {
    pub(super) canonical: Option<String>,
    pub(super) favicon: Option<String>,
    pub(super) feeds: Vec<String>,
    /// The page in other languages.
    pub(super) alternates: Map<String, Value>,
}

// === impl Relations ===

impl Relations {
    pub(super) fn read(dom: &Dom, addresses: &Addresses) -> Self {
        let mut relations = Self::default();
        for id in (0..).take(dom.len()).filter(|id| dom.name(*id) == Name::Link) {
            relations.take(dom, id, addresses);
        }
        relations.favicon = relations.favicon.or_else(|| addresses.resolve("/favicon.ico"));
        relations
    }

    fn take(&mut self, dom: &Dom, id: Id, addresses: &Addresses) {
        let Some(address) = dom.attr(id, "href").and_then(|href| addresses.resolve(href)) else { return };
        let rel = dom.attr(id, "rel").unwrap_or_default().to_ascii_lowercase();
        for rel in rel.split_ascii_whitespace() {
            match rel {
                "canonical" => self.canonical = self.canonical.take().or_else(|| Some(address.clone())),
                "icon" | "apple-touch-icon" => self.favicon = self.favicon.take().or_else(|| Some(address.clone())),
                "alternate" => self.take_alternate(dom, id, &address),
                _ => {}
            }
        }
    }

    /// A feed, or the page in another language.
    fn take_alternate(&mut self, dom: &Dom, id: Id, address: &str) {
        let is_known = self.feeds.iter().any(|feed| feed == address);
        if is_feed(dom.attr(id, "type").unwrap_or_default()) {
            if self.feeds.len() < MAX_LINKS && !is_known {
                self.feeds.push(address.to_owned());
            }
        } else if let Some(language) = dom.attr(id, "hreflang").filter(|_| self.alternates.len() < MAX_LINKS) {
            self.alternates.entry(language.to_owned()).or_insert_with(|| address.into());
        }
    }
}

fn is_feed(media: &str) -> bool {
    ["application/rss+xml", "application/atom+xml", "application/feed+json"].contains(&media.trim())
}
