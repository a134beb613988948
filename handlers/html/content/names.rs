//! What authors call their elements, as topics: `siteFooter-main_2` speaks of a footer and of content.

use super::super::dom::{Dom, Id, Name};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// A set of topics: bit n stands for entry n of [`WORDS`].
pub(super) type Topics = u16;

/// How many topics there are.
pub(super) const TOPICS: usize = WORDS.len();

pub(super) const NAV: usize = 0;
pub(super) const FOOTER: usize = 1;
pub(super) const SIDE: usize = 2;
pub(super) const RELATED: usize = 3;
pub(super) const COMMENT: usize = 4;
pub(super) const REPLY: usize = 5;
pub(super) const CONSENT: usize = 6;
pub(super) const CONTENT: usize = 7;
pub(super) const PRODUCT: usize = 8;
pub(super) const CARD: usize = 9;
pub(super) const FAQ: usize = 10;

/// The words of each topic. A word that ends in `*` stands for all that begin with it.
const WORDS: [&str; 11] = [
    "nav navbar navigation menu* submenu menubar megamenu topbar sitenav subnav mainnav offcanvas drawer",
    "footer foot copyright colophon contentinfo sitefooter bottom legal",
    "sidebar* side aside rail complementary widget* sidenav rightcol leftcol secondary",
    "related* recommend* more trending popular similar suggest* also upsell* crosssell outbrain taboola readmore \
     latest recent* next prev*",
    "comment* disqus* respond discussion",
    "reply replies message* thread* topic* answer* question* forum* posts",
    "cookie* consent gdpr modal* popup* overlay lightbox dialog alertdialog toast onetrust notice",
    "content* article* entry* post text story body main page copy prose richtext wysiwyg markdown rte articlebody \
     blog",
    "product* price* sku spec* shop* cart variant* stock buy description* details detail desc feature*",
    "card* grid* item* tile* teaser* list* product collection* result* carousel slider slide* swiper row col",
    "faq* accordion* collaps* tab* panel* toggle*",
];

/// The longest word that is looked at, in letters.
const LONGEST: usize = 24;

/// The attributes that authors name elements with.
const ATTRIBUTES: [&str; 7] = ["class", "id", "role", "itemprop", "aria-label", "data-component", "data-testid"];

/// Looks topics up, and remembers whole attributes: pages repeat them.
#[derive(Default)]
pub(super) struct Lookup<'a> {
    seen: FxHashMap<&'a str, Topics>,
}

/// The topics of whole words and of beginnings.
struct Table {
    words: FxHashMap<&'static str, Topics>,
    beginnings: FxHashMap<&'static str, Topics>,
}

// === impl Lookup ===

impl<'a> Lookup<'a> {
    /// The topics of an element.
    pub(super) fn element(&mut self, dom: &'a Dom, id: Id) -> Topics {
        let mut found = match dom.name(id) {
            Name::Nav => 1 << NAV,
            Name::Footer => 1 << FOOTER,
            Name::Aside => 1 << SIDE,
            Name::Dialog => 1 << CONSENT,
            _ => 0,
        };
        for (name, value) in dom.attrs(id) {
            if ATTRIBUTES.contains(&name) {
                found |= *self.seen.entry(value).or_insert_with(|| of_text(value));
            }
        }
        found
    }
}

/// The topics that a text speaks of.
fn of_text(text: &str) -> Topics {
    let mut found = 0;
    words(text, |word| found |= table().topics(word));
    found
}

/// The words of a name, in lower case.
fn words(text: &str, mut each: impl FnMut(&str)) {
    let mut word = [0_u8; LONGEST];
    let mut length = 0;
    let mut after_lower = false;
    for byte in text.bytes().chain([b' ']) {
        let is_letter = byte.is_ascii_alphabetic();
        if length > 0 && (!is_letter || (byte.is_ascii_uppercase() && after_lower)) {
            if let Ok(word) = std::str::from_utf8(&word[..length]) {
                each(word);
            }
            length = 0;
        }
        after_lower = byte.is_ascii_lowercase();
        if is_letter && length < word.len() {
            word[length] = byte.to_ascii_lowercase();
            length += 1;
        }
    }
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table { words: FxHashMap::default(), beginnings: FxHashMap::default() };
        for (at, words) in WORDS.iter().enumerate() {
            for word in words.split_ascii_whitespace() {
                match word.strip_suffix('*') {
                    Some(beginning) => *table.beginnings.entry(beginning).or_default() |= 1 << at,
                    None => *table.words.entry(word).or_default() |= 1 << at,
                }
            }
        }
        table
    })
}

// === impl Table ===

impl Table {
    fn topics(&self, word: &str) -> Topics {
        let whole = self.words.get(word).copied().unwrap_or_default();
        (2..=word.len())
            .fold(whole, |found, end| found | self.beginnings.get(&word[..end]).copied().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topics(text: &str) -> Vec<usize> {
        let found = of_text(text);
        (0..TOPICS).filter(|at| found & (1 << at) != 0).collect()
    }

    #[test]
    fn names_fall_into_words_at_signs_and_at_capitals() {
        assert_eq!(topics("siteFooter-main_2"), [FOOTER, CONTENT]);
        assert_eq!(topics("navBar"), [NAV]);
        assert_eq!(topics("NAV"), [NAV]);
    }

    #[test]
    fn a_word_is_taken_whole_unless_it_stands_for_a_beginning() {
        assert_eq!(topics("adapter add headless"), [0; 0]);
        assert_eq!(topics("comments-list"), [COMMENT, CARD]);
    }

    #[test]
    fn a_giant_word_is_cut() {
        assert_eq!(topics(&"a".repeat(100_000)), [0; 0]);
    }
}
