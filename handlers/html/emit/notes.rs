//! Footnotes: the references to them, and the notes.

use super::{Kept, has_class, words};
use crate::html::dom::{Dom, Id, Name};
use std::collections::{HashMap, HashSet};

/// Classes of what holds the notes.
const HOLDERS: [&str; 8] =
    ["footnotes", "footnote", "references", "reflist", "footnote-list", "footnotes-list", "endnotes", "footnotes-sep"];

/// Classes of links from a note to where it is referred to, and of what holds such links.
const BACK: [&str; 6] = [
    "mw-cite-backlink",
    "footnote-backref",
    "footnote-back",
    "reversefootnote",
    "footnote-return",
    "data-footnote-backref",
];

/// The longest label, in characters.
const MAX_LABEL: usize = 8;

/// The footnotes of a page.
#[derive(Default)]
pub(super) struct Notes<'a> {
    /// The label of every link that refers to a note.
    references: HashMap<Id, String>,
    /// The label of every note that is referred to.
    labels: HashMap<Id, String>,
    targets: HashMap<&'a str, Id>,
}

// === impl Notes ===

impl<'a> Notes<'a> {
    pub(super) fn of(dom: &'a Dom, root: Id, kept: &Kept) -> Self {
        let mut notes = Self::default();
        notes.find_notes(dom, root);
        if !notes.targets.is_empty() {
            notes.find_references(dom, root, kept);
        }
        notes
    }

    pub(super) fn is_empty(&self) -> bool {
        self.references.is_empty()
    }

    /// The label of the note that a link refers to.
    pub(super) fn reference(&self, link: Id) -> Option<&str> {
        self.references.get(&link).map(String::as_str)
    }

    /// The label of a note.
    pub(super) fn note(&self, item: Id) -> Option<&str> {
        self.labels.get(&item).map(String::as_str)
    }

    fn find_notes(&mut self, dom: &'a Dom, root: Id) {
        let mut until = root;
        for id in root..dom.end(root) {
            match dom.name(id) {
                Name::Li if id < until => {
                    // The place to go to is the item or a name at its beginning.
                    for place in (id..dom.end(id)).take(3).filter(|place| !dom.ident(*place).is_empty()) {
                        self.targets.entry(dom.ident(place)).or_insert(id);
                    }
                }
                Name::Ol | Name::Ul | Name::Section | Name::Div | Name::Aside | Name::Footer
                    if id >= until && is_holder(dom, id) =>
                {
                    until = dom.end(id);
                }
                _ => {}
            }
        }
    }

    fn find_references(&mut self, dom: &Dom, root: Id, kept: &Kept) {
        let mut taken: HashSet<String> = HashSet::new();
        let mut signs: HashMap<Id, String> = HashMap::new();
        for id in (root..dom.end(root)).filter(|id| dom.name(*id) == Name::A && kept.any(dom, *id)) {
            let Some((_, fragment)) = dom.attr(id, "href").and_then(|href| href.split_once('#')) else { continue };
            let Some(note) = self.targets.get(fragment).copied() else { continue };
            // A link within the note itself leads nowhere.
            if (note..dom.end(note)).contains(&id) {
                continue;
            }
            let text = words(dom, id, kept);
            let sign = text.trim_matches(['[', ']', '(', ')', ' ', '^']);
            if sign.is_empty() || sign.chars().count() > MAX_LABEL || sign.contains(char::is_whitespace) {
                continue;
            }
            let label = self.labels.entry(note).or_insert_with(|| {
                signs.insert(note, sign.to_owned());
                let free = sign.chars().all(char::is_alphanumeric) && !taken.contains(sign);
                let label = if free { sign.to_owned() } else { format!("n{}", taken.len() + 1) };
                taken.insert(label.clone());
                label
            });
            // Other words say more than that there is a note.
            if signs.get(&note).is_some_and(|known| known == sign) {
                self.references.insert(id, label.clone());
            }
        }
    }
}

fn is_holder(dom: &Dom, id: Id) -> bool {
    has_class(dom, id, &HOLDERS)
        || dom.attr(id, "role").is_some_and(|role| matches!(role, "doc-endnotes" | "doc-footnotes" | "doc-footnote"))
}

/// Whether an element of a note leads back to where it is referred to.
pub(super) fn leads_back(dom: &Dom, id: Id) -> bool {
    let name = dom.name(id);
    if name != Name::A {
        return name == Name::Span && has_class(dom, id, &BACK);
    }
    let fragment = dom.attr(id, "href").and_then(|href| href.split_once('#')).map_or("", |(_, fragment)| fragment);
    has_class(dom, id, &BACK)
        || dom.attr(id, "role") == Some("doc-backlink")
        || ["fnref", "cite_ref", "ref-", "footnote-ref", "user-content-fnref"].iter().any(|of| fragment.starts_with(of))
}
