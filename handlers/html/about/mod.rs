//! What a page says of itself: `<title>`, `<meta>`, OpenGraph, Twitter, JSON-LD, `<time>`, the address.
//!
//! Every field is taken from the most trustworthy place that has it; `metadata.sources` names that place.

mod author;
mod dates;
mod json_ld;
mod relations;
mod tags;
mod title;

use super::{
    dom::{Dom, Id, Name},
    emit::Addresses,
};
use crate::Document;
use relations::Relations;
use serde_json::{Map, Value};
use tags::Tags;
use url::Url;

/// Everything that a page says of itself.
pub(super) struct About {
    title: Option<Found>,
    byline: Option<Found>,
    published: Option<Found>,
    modified: Option<Found>,
    language: Option<Found>,
    description: Option<Found>,
    site_name: Option<Found>,
    image: Option<Found>,
    canonical: Option<Found>,
    direction: Option<String>,
    tags: Tags,
    relations: Relations,
    /// The objects of JSON-LD, those of a `@graph` one by one.
    pub(super) json_ld: Vec<Value>,
}

/// A value and the place it was found in.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    value: String,
    source: &'static str,
}

/// What the fields are looked for in.
struct Places<'a> {
    dom: &'a Dom,
    tags: &'a Tags,
    json_ld: &'a [Value],
    address: Option<&'a Url>,
    site_name: Option<&'a str>,
    /// The first heading of the first level that has text.
    heading: Option<(Id, String)>,
}

// === impl About ===

impl About {
    pub(super) fn read(dom: &Dom, address: Option<&Url>) -> Self {
        let addresses = Addresses::of(dom, address.cloned());
        let tags = Tags::read(dom);
        let json_ld = json_ld::read(dom);
        let relations = Relations::read(dom, &addresses);
        let absolute = |found: Found| Some(Found { value: addresses.resolve(&found.value)?, ..found });
        let canonical = Found::new(relations.canonical.clone(), "link")
            .or_else(|| Found::new(tags.og("url"), "og").and_then(absolute));
        let publisher = json_ld.iter().find_map(|object| text(object.get("publisher")?.get("name")));
        let site_name = Found::new(tags.og("site_name"), "og")
            .or_else(|| Found::new(publisher, "json-ld"))
            .or_else(|| Found::new(tags.named(&["application-name"]), "meta"));
        let own_address = canonical.as_ref().and_then(|canonical| Url::parse(&canonical.value).ok());
        let places = Places {
            dom,
            tags: &tags,
            json_ld: &json_ld,
            address: address.or(own_address.as_ref()),
            site_name: site_name.as_ref().map(|site| site.value.as_str()),
            heading: heading(dom),
        };
        let (title, byline) = (title::find(&places), author::find(&places));
        let (published, modified) = (dates::published(&places), dates::modified(&places));
        let language = Found::new(own_language(dom), "html")
            .or_else(|| Found::new(tags.og("locale"), "og"))
            .or_else(|| Found::new(json_ld::first(&json_ld, &["inLanguage"]), "json-ld"));
        let description = Found::new(tags.named(&["description"]), "meta")
            .or_else(|| Found::new(tags.og("description"), "og"))
            .or_else(|| Found::new(json_ld::first(&json_ld, &["description"]), "json-ld"));
        let image = Found::new(tags.og("image").or_else(|| tags.og("image:url")), "og")
            .or_else(|| Found::new(text(tags.twitter.get("image")), "twitter"))
            .or_else(|| Found::new(json_ld::image(&json_ld), "json-ld"))
            .and_then(absolute);
        let direction = [dom.root(), dom.body()].into_iter().find_map(|id| dom.attr(id, "dir")).map(str::to_lowercase);
        Self {
            title,
            byline,
            published,
            modified,
            language,
            description,
            site_name,
            image,
            canonical,
            direction: direction.filter(|direction| matches!(direction.as_str(), "ltr" | "rtl")),
            tags,
            relations,
            json_ld,
        }
    }

    /// Fills in the fields of a document, and its metadata.
    pub(super) fn fill(&self, document: &mut Document) {
        let value = |found: &Option<Found>| found.as_ref().map(|found| found.value.clone());
        document.title = value(&self.title);
        document.byline = value(&self.byline);
        document.published = value(&self.published);
        document.language = value(&self.language);
        document.description = value(&self.description);
        document.site_name = value(&self.site_name);
        document.canonical_url = value(&self.canonical);
        let sources: Map<String, Value> = [
            ("title", &self.title),
            ("byline", &self.byline),
            ("published", &self.published),
            ("modified", &self.modified),
            ("language", &self.language),
            ("description", &self.description),
            ("site_name", &self.site_name),
            ("image", &self.image),
            ("canonical_url", &self.canonical),
        ]
        .into_iter()
        .filter_map(|(name, found)| Some((name.to_owned(), found.as_ref()?.source.into())))
        .collect();
        let robots = self.tags.named(&["robots"]);
        let noindex = robots.as_deref().is_some_and(|robots| robots.to_ascii_lowercase().contains("noindex"));
        let page_type = self.tags.og("type").or_else(|| json_ld::kinds(&self.json_ld).next().map(str::to_owned));
        let metadata = &mut document.metadata;
        let mut put = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                metadata.insert(key.to_owned(), value);
            }
        };
        let some_list = |list: &[String]| (!list.is_empty()).then(|| list.to_vec().into());
        let some_map = |map: &Map<String, Value>| (!map.is_empty()).then(|| map.clone().into());
        put("modified", value(&self.modified).map(Value::from));
        put("direction", self.direction.clone().map(Value::from));
        put("page_type", page_type.map(Value::from));
        put("keywords", self.tags.named(&["keywords", "news_keywords"]).map(Value::from));
        put("noindex", noindex.then_some(true.into()));
        put("robots", robots.map(Value::from));
        put("image", value(&self.image).map(Value::from));
        put("favicon", self.relations.favicon.clone().map(Value::from));
        put("feeds", some_list(&self.relations.feeds));
        put("alternates", some_map(&self.relations.alternates));
        put("sources", some_map(&sources));
        put("opengraph", some_map(&self.tags.opengraph));
        put("twitter", some_map(&self.tags.twitter));
        put("jsonld", (!self.json_ld.is_empty()).then(|| self.json_ld.clone().into()));
        put("meta", some_map(&self.tags.other));
    }
}

// === impl Places ===

impl Places<'_> {
    /// Whether a text is the name of the site: what the site calls itself, or a part of its address.
    fn names_site(&self, text: &str) -> bool {
        let text = letters(text);
        let host = self.address.and_then(|address| address.host_str()).unwrap_or_default();
        !text.is_empty()
            && (self.site_name.is_some_and(|site| letters(site) == text)
                || (text.len() >= 4 && letters(host).contains(&text)))
    }
}

// === impl Found ===

impl Found {
    fn new(value: Option<String>, source: &'static str) -> Option<Self> {
        value.filter(|value| !value.is_empty()).map(|value| Self { value, source })
    }
}

fn heading(dom: &Dom) -> Option<(Id, String)> {
    let headings = (dom.body()..dom.end(dom.body())).filter(|id| dom.name(*id) == Name::H1);
    headings.map(|id| (id, line_of(dom, id))).find(|(_, text)| !text.is_empty())
}

/// The language of the `html` element, or that of `body`.
fn own_language(dom: &Dom) -> Option<String> {
    let declared = [dom.root(), dom.body()].into_iter().find_map(|id| {
        ["lang", "xml:lang"].into_iter().filter_map(|name| dom.attr(id, name)).find(|value| !value.trim().is_empty())
    });
    declared.map(|language| language.trim().to_owned())
}

/// A JSON value that is a text with something in it, on one line.
fn text(value: Option<&Value>) -> Option<String> {
    value?.as_str().map(line).filter(|text| !text.is_empty())
}

/// The text of an element on one line.
fn line_of(dom: &Dom, id: Id) -> String {
    let mut out = String::new();
    for id in id..dom.end(id) {
        match dom.name(id) {
            Name::Text => out.push_str(dom.text(id)),
            name if name.is_block() || name == Name::Br => out.push(' '),
            _ => {}
        }
    }
    line(&out)
}

/// The letters and digits of a text, in lower case.
fn letters(text: &str) -> String {
    text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
