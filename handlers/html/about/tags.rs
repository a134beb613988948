//! `<meta>` tags: OpenGraph, Twitter, and the others.

use super::{
    super::dom::{Dom, Id, Name},
    text,
};
use serde_json::{Map, Value};

/// The most entries of a map, and the longest value, in characters.
const MAX_TAGS: usize = 200;
const MAX_VALUE: usize = 4_000;

/// The tags by name. Of several with the same name the first counts.
#[derive(Default)]
pub(super) struct Tags {
    /// `og:` tags without their prefix; `article:`, `book:`, `profile:` and `product:` tags with it.
    pub(super) opengraph: Map<String, Value>,
    pub(super) twitter: Map<String, Value>,
    pub(super) other: Map<String, Value>,
}

// === impl Tags ===

impl Tags {
    pub(super) fn read(dom: &Dom) -> Self {
        let mut tags = Self::default();
        (0..).take(dom.len()).filter(|id| dom.name(*id) == Name::Meta).for_each(|id| tags.take(dom, id));
        tags
    }

    fn take(&mut self, dom: &Dom, id: Id) {
        let content: String = dom.attr(id, "content").unwrap_or_default().trim().chars().take(MAX_VALUE).collect();
        let names = ["property", "name", "itemprop", "http-equiv"].into_iter().filter_map(|name| dom.attr(id, name));
        let Some(name) = names.map(str::trim).find(|name| !name.is_empty() && !content.is_empty()) else { return };
        let lower = name.to_ascii_lowercase();
        let (map, key) = if let Some(key) = lower.strip_prefix("twitter:") {
            (&mut self.twitter, key.to_owned())
        } else if let Some(key) = lower.strip_prefix("og:") {
            (&mut self.opengraph, key.to_owned())
        } else if ["article:", "book:", "profile:", "product:"].iter().any(|prefix| lower.starts_with(prefix)) {
            (&mut self.opengraph, lower)
        } else {
            (&mut self.other, name.to_owned())
        };
        if map.len() < MAX_TAGS && !map.contains_key(&key) {
            map.insert(key, content.into());
        }
    }

    pub(super) fn og(&self, key: &str) -> Option<String> {
        text(self.opengraph.get(key))
    }

    /// The first of the plain tags, whatever the case of its name.
    pub(super) fn named(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| {
            text(self.other.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value))
        })
    }
}
