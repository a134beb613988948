//! The title of a page, without the name of its site.

use super::{
    super::dom::{Dom, Id, Name},
    Found, Places, json_ld, line, line_of,
};
use rustc_hash::FxHashMap;

/// What stands between the title of a page and the name of its site.
const SEPARATORS: [&str; 9] = [" | ", " - ", " – ", " — ", " :: ", " · ", " » ", " • ", " ⋅ "];

/// Titles that say nothing.
const GENERIC: [&str; 6] = ["home", "homepage", "index", "welcome", "untitled", "menu"];

/// A heading of more words is a text.
const MAX_WORDS: usize = 40;

/// The first part of a title stands for the whole when it has so many words.
const ENOUGH_WORDS: usize = 3;

/// A heading that has nothing in common with the title is believed when it has so many words: then the title is that of
/// an application.
const MANY_WORDS: usize = 6;
const NOTHING: f32 = 0.1;

/// How much a heading must have in common with the title to be taken for it: articles have their title for heading,
/// other pages have slogans there.
const LIKE_IN_ARTICLES: f32 = 0.3;
const LIKE: f32 = 0.6;

/// A title that names the site first.
struct Title<'a> {
    text: &'a str,
    parts: Vec<&'a str>,
}

/// The title of the document without its site, or a heading that says the same.
pub(super) fn find(places: &Places<'_>) -> Option<Found> {
    let declared = document_title(places.dom).unwrap_or_default();
    let og = places.tags.og("title").unwrap_or_default();
    let title = Title::of(&declared, places);
    let all = headings(places.dom);
    // A heading that the title ends with is the name of the site.
    let names_site = |heading: &&String| {
        title.parts.len() > 1
            && title.parts.last().is_some_and(|last| last.eq_ignore_ascii_case(heading))
            && !title.parts[0].eq_ignore_ascii_case(heading)
    };
    let headings: Vec<&String> = all.iter().filter(|heading| !names_site(heading)).collect();
    if headings.is_empty() && !all.is_empty() {
        return Found::new(Some(title.span(0, title.parts.len() - 1).to_owned()), "title");
    }
    let own: Vec<&String> = headings.iter().copied().filter(|heading| !places.names_site(heading)).collect();
    let alike = |heading: &str| likeness(heading, title.text).max(likeness(heading, &og));
    if let Some(best) = best(&own, alike)
        && alike(best) <= NOTHING
        && words(best).count() >= MANY_WORDS
    {
        return Found::new(Some(best.to_owned()), "h1");
    }
    let cleaned = title.without_site(places, &headings);
    let own: Vec<&String> = own.into_iter().filter(|heading| !is_generic(heading)).collect();
    let is_site = cleaned.is_empty() || places.names_site(cleaned);
    let score =
        |heading: &str| likeness(heading, cleaned).max(0.8 * coverage(heading, title.text)).max(likeness(heading, &og));
    if let Some(best) = best(&own, score) {
        if !is_site && words(cleaned).count() >= 2 && coverage(cleaned, best) > 0.99 {
            let (text, source) = if is_article(places) { (best, "h1") } else { (cleaned, "title") };
            return Found::new(Some(text.to_owned()), source);
        }
        if score(best) > if is_article(places) { LIKE_IN_ARTICLES } else { LIKE } {
            return Found::new(Some(best.to_owned()), "h1");
        }
    }
    let heading = own.first().filter(|_| is_site).map(|heading| (*heading).clone());
    Found::new(heading, "h1")
        .or_else(|| Found::new(Some(cleaned.to_owned()), "title"))
        .or_else(|| Found::new(Some(og), "og"))
        .or_else(|| Found::new(json_ld::first(places.json_ld, &["headline"]), "json-ld"))
}

// === impl Title ===

impl<'a> Title<'a> {
    fn of(declared: &'a str, places: &Places<'_>) -> Self {
        let mut text = declared;
        while let Some((_, rest)) = text.split_once(": ").filter(|(first, _)| places.names_site(first)) {
            text = rest;
        }
        let mut parts = vec![text];
        for separator in SEPARATORS {
            parts = parts.into_iter().flat_map(|part| part.split(separator)).collect();
        }
        let trimmed = parts.into_iter().map(|part| part.trim_matches([' ', '|']));
        Self { text, parts: trimmed.filter(|part| !part.is_empty()).collect() }
    }

    /// The parts from one to before another, with what stands between them.
    fn span(&self, from: usize, to: usize) -> &'a str {
        let (Some(first), Some(last)) = (self.parts.get(from), self.parts.get(to.wrapping_sub(1))) else { return "" };
        let offset = |part: &str| part.as_ptr() as usize - self.text.as_ptr() as usize;
        &self.text[offset(first)..offset(last) + last.len()]
    }

    fn without_site(&self, places: &Places<'_>, headings: &[&String]) -> &'a str {
        let is_heading = |part: &&&str| headings.iter().any(|heading| heading.eq_ignore_ascii_case(part));
        if let Some(part) = self.parts.iter().find(is_heading) {
            return part;
        }
        let (mut from, mut to) = (0, self.parts.len());
        while to > 1 && places.names_site(self.parts[to - 1]) {
            to -= 1;
        }
        if to > 1 && (places.names_site(self.parts[0]) || is_generic(self.parts[0])) {
            from = 1;
        }
        let is_enough = self.parts.get(from).is_some_and(|first| words(first).count() >= ENOUGH_WORDS);
        self.span(from, if is_enough { from + 1 } else { to })
    }
}

fn document_title(dom: &Dom) -> Option<String> {
    let titles = (0..).take(dom.len()).filter(|id| dom.name(*id) == Name::Title);
    let not_drawn = titles.filter(|id| dom.ancestors(*id).take(8).all(|up| dom.name(up) != Name::Svg));
    not_drawn.map(|id| line_of(dom, id)).find(|title| !title.is_empty())
}

/// The headings of the first level that aren't the way home.
fn headings(dom: &Dom) -> Vec<String> {
    let found = (dom.body()..dom.end(dom.body())).filter(|id| dom.name(*id) == Name::H1).filter(|id| {
        let inside = (*id..dom.end(*id)).chain(dom.ancestors(*id).take(4));
        !inside.into_iter().any(|id| dom.name(id) == Name::A && dom.attr(id, "href").is_some_and(is_home))
    });
    let texts = found.map(|id| heading_text(dom, id));
    texts.filter(|text| !text.is_empty() && words(text).count() <= MAX_WORDS).take(20).collect()
}

/// The text of a heading without buttons, drawings and hidden parts.
fn heading_text(dom: &Dom, heading: Id) -> String {
    let mut out = String::new();
    let mut id = heading;
    while id < dom.end(heading) {
        match dom.name(id) {
            // A link without a word is the sign for the heading's own place.
            Name::A if !(id..dom.end(id)).any(|id| dom.text(id).contains(char::is_alphanumeric)) => {
                id = dom.end(id);
                continue;
            }
            Name::Svg | Name::Button => {
                id = dom.end(id);
                continue;
            }
            _ if dom.attr(id, "hidden").is_some() => {
                id = dom.end(id);
                continue;
            }
            Name::Text => out.push_str(dom.text(id)),
            Name::Br | Name::Div | Name::P => out.push(' '),
            _ => {}
        }
        id += 1;
    }
    line(&out)
}

fn is_home(href: &str) -> bool {
    let path = href.split_once("://").map_or(href, |(_, rest)| rest.find('/').map_or("/", |at| &rest[at..]));
    path == "/" || path.trim_start_matches('/').starts_with("index.") && !path.contains('?')
}

fn is_generic(text: &str) -> bool {
    GENERIC.iter().any(|generic| text.eq_ignore_ascii_case(generic))
}

fn is_article(places: &Places<'_>) -> bool {
    places.tags.og("type").is_some_and(|kind| kind == "article")
        || json_ld::kinds(places.json_ld).any(|kind| kind.ends_with("Article") || kind.ends_with("Posting"))
}

/// The heading with the highest score, the first of several.
fn best<'a>(headings: &[&'a String], score: impl Fn(&str) -> f32) -> Option<&'a str> {
    let mut best: Option<(&str, f32)> = None;
    for heading in headings {
        let score = score(heading);
        if best.is_none_or(|(_, highest)| score > highest) {
            best = Some((heading, score));
        }
    }
    best.map(|(heading, _)| heading)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty())
}

#[expect(clippy::cast_precision_loss, reason = "a title has few words")]
/// How many words the texts share, of how many, and of how many the other has.
fn shared(one: &str, other: &str) -> (f32, f32, f32) {
    let mut counts: FxHashMap<String, usize> = FxHashMap::default();
    words(other).for_each(|word| *counts.entry(word.to_lowercase()).or_default() += 1);
    let others = words(other).count();
    let (mut all, mut known) = (0_usize, 0_usize);
    for word in words(one) {
        all += 1;
        if let Some(count) = counts.get_mut(&word.to_lowercase()).filter(|count| **count > 0) {
            *count -= 1;
            known += 1;
        }
    }
    (known as f32, all as f32, others as f32)
}

/// The harmonic mean of precision and recall over words.
fn likeness(one: &str, other: &str) -> f32 {
    let (known, all, others) = shared(one, other);
    if known == 0.0 { 0.0 } else { 2.0 * known / (all + others) }
}

/// The share of the words of one text that the other has.
fn coverage(one: &str, other: &str) -> f32 {
    let (known, all, _) = shared(one, other);
    if all == 0.0 { 0.0 } else { known / all }
}
