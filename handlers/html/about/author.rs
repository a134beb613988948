//! Who wrote a page.

use super::{
    super::dom::{Dom, Id, Name},
    Found, Places, line, line_of, text,
};
use serde_json::Value;

/// A name has no more characters than this, and no more words.
const MAX_CHARS: usize = 80;
const MAX_WORDS: usize = 8;

/// No more names are listed than this.
const MAX_NAMES: usize = 10;

/// How far from the heading a line with the author's name is looked for, in nodes.
const NEAR: Id = 160;

/// Tags that name the author.
const TAGS: [&str; 9] = [
    "author",
    "citation_author",
    "dc.creator",
    "dcterms.creator",
    "parsely-author",
    "sailthru.author",
    "byl",
    "creator",
    "twitter:creator:name",
];

/// Words of classes and other attributes of elements that hold the author's name, the surest first.
const NAMES: [&str; 12] = [
    "author-name",
    "authorname",
    "author_name",
    "byline-name",
    "byline__name",
    "post-author",
    "entry-author",
    "username",
    "author",
    "byline",
    "writer",
    "creator",
];

/// What stands before a name.
const LEADS: [&str; 16] = [
    "written by",
    "posted by",
    "published by",
    "reviewed by",
    "created by",
    "story by",
    "text by",
    "words by",
    "by:",
    "by",
    "author:",
    "author",
    "von",
    "por",
    "par",
    "от",
];

/// JSON-LD comes first, then tags, then what a reader sees.
pub(super) fn find(places: &Places<'_>) -> Option<Found> {
    let ld = names_of(places.json_ld);
    Found::new(joined(&ld, places), "json-ld")
        .or_else(|| {
            let named = TAGS.iter().filter_map(|name| places.tags.named(&[name]));
            let named = named.chain(places.tags.og("article:author"));
            Found::new(named.into_iter().find_map(|name| joined(&[name], places)), "meta")
        })
        .or_else(|| Found::new(visible(places), "text"))
}

/// The names of the authors in JSON-LD; an author may be named in another object.
fn names_of(json_ld: &[Value]) -> Vec<String> {
    let Some(author) = json_ld.iter().find_map(|object| object.get("author").or_else(|| object.get("creator"))) else {
        return Vec::new();
    };
    let people = author.as_array().map_or_else(|| vec![author], |people| people.iter().collect());
    let named_elsewhere = |person: &Value| {
        let id = person.get("@id")?;
        json_ld.iter().filter(|object| object.get("@id") == Some(id)).find_map(|object| text(object.get("name")))
    };
    let names = people.into_iter().filter_map(|person| {
        text(Some(person)).or_else(|| text(person.get("name"))).or_else(|| named_elsewhere(person))
    });
    names.take(MAX_NAMES).collect()
}

fn joined(names: &[String], places: &Places<'_>) -> Option<String> {
    let mut cleaned: Vec<String> = Vec::new();
    for name in names.iter().filter_map(|name| name_in(name, places)) {
        if !cleaned.contains(&name) {
            cleaned.push(name);
        }
    }
    (!cleaned.is_empty()).then(|| cleaned.join(", "))
}

/// The name in a text such as `By Jane Doe | 3 May`, if it is one.
fn name_in(found: &str, places: &Places<'_>) -> Option<String> {
    let mut name = line(found);
    let lower = name.to_lowercase();
    for lead in LEADS {
        if let Some(rest) = lower.strip_prefix(lead)
            && rest.starts_with(|next: char| next.is_whitespace() || next == ':' || lead.ends_with(':'))
            && lower.len() == name.len()
        {
            name = name[lead.len()..].trim_start_matches([':', ' ']).to_owned();
            break;
        }
    }
    for end in [" | ", " • ", " · ", " – ", " - ", " on ", " — ", " updated", " published", " posted"] {
        if let Some(at) = name.to_lowercase().find(end)
            && name.is_char_boundary(at)
        {
            name.truncate(at);
        }
    }
    let name = name.trim_matches([' ', ',', '.', ':', ';', '-', '|', '@']);
    let is_name = name.chars().count() >= 2
        && name.chars().count() <= MAX_CHARS
        && name.split_whitespace().count() <= MAX_WORDS
        && name.chars().any(char::is_alphabetic)
        && !name.contains("://")
        && !name.starts_with("www.")
        && !matches!(
            name.to_lowercase().as_str(),
            "admin"
                | "author"
                | "administrator"
                | "unknown"
                | "anonymous"
                | "guest"
                | "editor"
                | "staff"
                | "undefined"
                | "null"
        );
    let is_site = places.site_name.is_some_and(|site| site.eq_ignore_ascii_case(name));
    (is_name && !is_site).then(|| name.to_owned())
}

/// The name beside the heading, or the first that the page marks as one.
fn visible(places: &Places<'_>) -> Option<String> {
    let dom = places.dom;
    let is_marked = |id: &Id| {
        let is = |attribute: &str, value: &str| {
            dom.attr(*id, attribute).is_some_and(|found| found.eq_ignore_ascii_case(value))
        };
        is("rel", "author") || is("itemprop", "author")
    };
    let elements = || (dom.body()..dom.end(dom.body())).filter(|id| dom.name(*id) != Name::Text);
    // A forum names the author of each post so.
    let poster = elements().find_map(|id| dom.attr(id, "data-author"));
    if let Some(name) = poster.and_then(|name| name_in(name, places)) {
        return Some(name);
    }
    if let Some(name) = elements().filter(is_marked).find_map(|id| name_under(dom, id, places)) {
        return Some(name);
    }
    if let Some(name) = beside_heading(places) {
        return Some(name);
    }
    NAMES.iter().find_map(|word| {
        let named = elements().filter(|id| {
            let class = dom.class(*id);
            !class.is_empty() && class.split_ascii_whitespace().any(|class| is_word_of(class, word))
        });
        named.take(3).find_map(|id| name_under(dom, id, places))
    })
}

/// The name in a line such as `By Jane Doe` near the heading.
fn beside_heading(places: &Places<'_>) -> Option<String> {
    let dom = places.dom;
    let (heading, _) = places.heading.as_ref()?;
    let from = heading.saturating_sub(NEAR / 4).max(dom.body());
    let to = dom.end(*heading).saturating_add(NEAR).min(dom.end(dom.body()));
    (from..to)
        .filter(|id| dom.text(*id).trim_start().get(..2).is_some_and(|lead| lead.eq_ignore_ascii_case("by")))
        .find_map(|id| {
            let text = dom.text(id);
            let line = if line(text).chars().count() > 3 { line(text) } else { line_of(dom, dom.parent(id)?) };
            let name = line.get(2..)?.strip_prefix([' ', ':'])?;
            // A name begins with a capital, a sentence goes on.
            let is_name =
                name.trim_start().starts_with(char::is_uppercase) && name.split_whitespace().count() <= MAX_WORDS;
            is_name.then(|| name_in(name, places)).flatten()
        })
}

/// The name in an element: marked as such within it, or its whole text.
fn name_under(dom: &Dom, id: Id, places: &Places<'_>) -> Option<String> {
    let inner = (id..dom.end(id)).find(|id| dom.attr(*id, "itemprop") == Some("name"));
    let id = inner.unwrap_or(id);
    if dom.end(id) - id > 60 {
        return None;
    }
    name_in(&dom.attr(id, "content").map_or_else(|| line_of(dom, id), line), places)
}

/// Whether a class is the word, or has it between signs.
fn is_word_of(class: &str, word: &str) -> bool {
    let class = class.to_ascii_lowercase();
    class == word
        || class.split("__").any(|part| part == word)
        || class.strip_suffix(word).is_some_and(|start| start.ends_with(['-', '_']))
        || class.strip_prefix(word).is_some_and(|end| end.starts_with('_') || end == "-link")
}
