//! What a page says of itself: `<title>`, `<meta>`, OpenGraph, Twitter, JSON-LD, `<time>`, the address.

use super::page::{Page, attr, name_of};
use crate::Document;
use serde_json::{Map, Value};

/// The longest JSON-LD block that is read, in bytes.
const MAX_JSON_LD: usize = 256 << 10;

/// The most JSON-LD objects that are kept.
const MAX_OBJECTS: usize = 50;

/// The most entries of a map of meta tags, and the longest value, in characters.
const MAX_TAGS: usize = 200;
const MAX_VALUE: usize = 4_000;

/// Everything that a page says of itself.
#[derive(Default)]
pub(super) struct Meta {
    title: Option<String>,
    language: Option<String>,
    canonical: Option<String>,
    favicon: Option<String>,
    time: Option<String>,
    author_link: Option<String>,
    heading: Option<String>,
    /// `og:` and `article:` tags, by their full name.
    pub(super) opengraph: Map<String, Value>,
    twitter: Map<String, Value>,
    other: Map<String, Value>,
    /// The objects of JSON-LD, those of a `@graph` one by one.
    pub(super) json_ld: Vec<Value>,
    feeds: Vec<Value>,
}

// === impl Meta ===

impl Meta {
    /// Reads it off a tree from which nothing has been removed yet.
    pub(super) fn read(page: &Page) -> Self {
        let mut meta = Self { language: own_language(page), ..Self::default() };
        let titles = page.tree.select("title");
        meta.title = titles.nodes().iter().map(|node| line(&node.text())).find(|title| !title.is_empty());
        meta.heading =
            page.tree.select("h1").nodes().iter().map(|node| line(&node.text())).find(|text| !text.is_empty());
        for tag in page.tree.select("meta[content]").nodes() {
            meta.tag(tag);
        }
        for link in page.tree.select("link[href]").nodes() {
            meta.link(page, link);
        }
        for script in page.tree.select("script[type*='ld+json']").nodes() {
            let text = script.text();
            if text.len() <= MAX_JSON_LD
                && let Ok(data) = serde_json::from_str(text.trim().trim_end_matches(';'))
            {
                meta.take_objects(data);
            }
        }
        meta.time = page
            .tree
            .select("article time[datetime], main time[datetime], time[pubdate], time[datetime]")
            .attr("datetime")
            .map(|time| time.trim().to_owned());
        meta.author_link = page
            .tree
            .select("[rel=author], [itemprop=author], .byline, .author-name")
            .nodes()
            .iter()
            .map(|node| line(&node.text()))
            .find(|name| (2..100).contains(&name.chars().count()));
        meta
    }

    fn tag(&mut self, tag: &dom_query::NodeRef<'_>) {
        let content: String = attr(tag, "content").trim().chars().take(MAX_VALUE).collect();
        let name = ["property", "name", "itemprop", "http-equiv"]
            .into_iter()
            .map(|name| attr(tag, name))
            .find(|name| !name.trim().is_empty());
        let Some(name) = name.filter(|_| !content.is_empty()) else { return };
        let name = name.trim().to_owned();
        let lower = name.to_ascii_lowercase();
        let (map, key) = if let Some(key) = lower.strip_prefix("twitter:") {
            (&mut self.twitter, key.to_owned())
        } else if let Some(key) = lower.strip_prefix("og:") {
            (&mut self.opengraph, key.to_owned())
        } else if ["article:", "book:", "profile:", "product:"].iter().any(|prefix| lower.starts_with(prefix)) {
            (&mut self.opengraph, lower)
        } else {
            (&mut self.other, name)
        };
        if map.len() < MAX_TAGS && !map.contains_key(&key) {
            map.insert(key, content.into());
        }
    }

    fn link(&mut self, page: &Page, link: &dom_query::NodeRef<'_>) {
        let rel = attr(link, "rel").to_ascii_lowercase();
        let Some(address) = page.absolute(&attr(link, "href")) else { return };
        for rel in rel.split_ascii_whitespace() {
            match rel {
                "canonical" => self.canonical = self.canonical.take().or_else(|| Some(address.clone())),
                "icon" | "apple-touch-icon" => self.favicon = self.favicon.take().or_else(|| Some(address.clone())),
                "alternate" if is_feed(&attr(link, "type")) && self.feeds.len() < MAX_OBJECTS => {
                    self.feeds.push(address.clone().into());
                }
                _ => {}
            }
        }
    }

    fn take_objects(&mut self, data: Value) {
        let mut waiting = vec![data];
        while let Some(data) = waiting.pop() {
            match data {
                Value::Array(items) => waiting.extend(items.into_iter().rev()),
                Value::Object(mut object) => match object.remove("@graph") {
                    Some(graph) => waiting.push(graph),
                    None if self.json_ld.len() < MAX_OBJECTS => self.json_ld.push(Value::Object(object)),
                    None => return,
                },
                _ => {}
            }
        }
    }

    /// Fills in the fields of a document, and its metadata.
    pub(super) fn fill(self, page: &Page, document: &mut Document) {
        let og = |key: &str| text(self.opengraph.get(key));
        let named = |names: &[&str]| names.iter().find_map(|name| self.named(name));
        document.title = self
            .title
            .clone()
            .or_else(|| og("title"))
            .or_else(|| self.ld(&["headline"]))
            .or_else(|| self.heading.clone());
        document.language = self.language.clone().or_else(|| og("locale")).or_else(|| self.ld(&["inLanguage"]));
        document.description =
            named(&["description"]).or_else(|| og("description")).or_else(|| self.ld(&["description"]));
        document.site_name = og("site_name").or_else(|| self.publisher()).or_else(|| named(&["application-name"]));
        document.canonical_url = self.canonical.clone().or_else(|| og("url").and_then(|url| page.absolute(&url)));
        document.byline = self
            .ld_author()
            .or_else(|| {
                named(&[
                    "author",
                    "article:author",
                    "dc.creator",
                    "dcterms.creator",
                    "parsely-author",
                    "sailthru.author",
                ])
            })
            .or_else(|| og("article:author"))
            .filter(|name| !name.starts_with("http"))
            .or_else(|| self.author_link.clone());
        document.published = self
            .ld(&["datePublished", "dateCreated", "uploadDate"])
            .or_else(|| og("article:published_time"))
            .or_else(|| {
                named(&[
                    "datePublished",
                    "date",
                    "pubdate",
                    "publishdate",
                    "dc.date",
                    "dc.date.issued",
                    "dcterms.created",
                    "citation_publication_date",
                    "parsely-pub-date",
                    "sailthru.date",
                ])
            })
            .or_else(|| self.time.clone())
            .or_else(|| page.address.as_ref().and_then(|address| date_in(address.path())));
        let modified = self
            .ld(&["dateModified"])
            .or_else(|| og("article:modified_time"))
            .or_else(|| og("updated_time"))
            .or_else(|| named(&["dateModified", "last-modified", "dcterms.modified"]));
        let image = og("image")
            .or_else(|| og("image:url"))
            .or_else(|| text(self.twitter.get("image")))
            .or_else(|| self.ld_image());
        let favicon = self.favicon.clone().or_else(|| page.absolute("/favicon.ico"));
        let metadata = &mut document.metadata;
        let mut put = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                metadata.insert(key.to_owned(), value);
            }
        };
        put("modified", modified.map(Value::from));
        put("keywords", named(&["keywords", "news_keywords"]).map(Value::from));
        let robots = named(&["robots"]);
        put(
            "noindex",
            robots
                .as_deref()
                .is_some_and(|robots| robots.to_ascii_lowercase().contains("noindex"))
                .then_some(true.into()),
        );
        put("robots", robots.map(Value::from));
        put("image", image.and_then(|image| page.absolute(&image)).map(Value::from));
        put("favicon", favicon.map(Value::from));
        put("feeds", Some(self.feeds).filter(|feeds| !feeds.is_empty()).map(Value::from));
        put("opengraph", Some(self.opengraph).filter(|map| !map.is_empty()).map(Value::from));
        put("twitter", Some(self.twitter).filter(|map| !map.is_empty()).map(Value::from));
        put("jsonld", Some(self.json_ld).filter(|list| !list.is_empty()).map(Value::from));
        put("meta", Some(self.other).filter(|map| !map.is_empty()).map(Value::from));
    }

    /// A plain meta tag, whatever the case of its name.
    fn named(&self, name: &str) -> Option<String> {
        text(self.other.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value))
    }

    fn ld(&self, keys: &[&str]) -> Option<String> {
        keys.iter().find_map(|key| self.json_ld.iter().find_map(|object| text(object.get(key))))
    }

    fn ld_author(&self) -> Option<String> {
        let author = self.json_ld.iter().find_map(|object| object.get("author"))?;
        let people = author.as_array().map_or_else(|| vec![author], |people| people.iter().collect());
        let names: Vec<_> =
            people.into_iter().filter_map(|person| text(Some(person)).or_else(|| text(person.get("name")))).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    fn publisher(&self) -> Option<String> {
        self.json_ld.iter().find_map(|object| text(object.get("publisher")?.get("name")))
    }

    fn ld_image(&self) -> Option<String> {
        let image = self.json_ld.iter().find_map(|object| object.get("image"))?;
        let first = image.get(0).unwrap_or(image);
        text(Some(first)).or_else(|| text(first.get("url")))
    }
}

fn own_language(page: &Page) -> Option<String> {
    let root = page.tree.html_root();
    let declared =
        [attr(&root, "lang"), attr(&root, "xml:lang")].into_iter().find(|language| !language.trim().is_empty());
    let header =
        || page.tree.select("meta[http-equiv='content-language' i]").attr("content").map(|content| content.to_string());
    declared
        .or_else(header)
        .map(|language| language.trim().to_owned())
        .filter(|language| language.len() < 36 && name_of(&root) == "html")
}

fn is_feed(media: &str) -> bool {
    matches!(media.trim(), "application/rss+xml" | "application/atom+xml" | "application/feed+json")
}

/// A text on one line, or nothing.
fn text(value: Option<&Value>) -> Option<String> {
    value?.as_str().map(line).filter(|text| !text.is_empty())
}

fn line(text: &str) -> String {
    super::marks::without(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The date in a path like `/2024/05/17/title`.
fn date_in(path: &str) -> Option<String> {
    let parts: Vec<&str> = path.split(['/', '-']).collect();
    parts.windows(3).find_map(|window| {
        let [year, month, day] = window else { return None };
        let within = |part: &str, length, low, high| {
            part.len() == length && part.parse().is_ok_and(|number: u16| (low..=high).contains(&number))
        };
        (within(year, 4, 1990, 2100) && within(month, 2, 1, 12) && within(day, 2, 1, 31)).then(|| window.join("-"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ContentHash, Kind, Unit};

    fn filled(html: &str) -> Document {
        let address = url::Url::parse("https://e.test/2024/05/17/x").ok();
        let page = Page::new(super::super::guard::guarded(html, false), address);
        let mut document = Document::new(Kind::new("html"), Unit::Part, ContentHash::of(b""), 0);
        Meta::read(&page).fill(&page, &mut document);
        document
    }

    #[test]
    fn the_title_of_the_document_wins_over_that_of_its_preview() {
        let got = filled(
            "<html lang=en><title> A\n title </title><meta property=og:title content=O><meta name=description content=D><h1>H</h1>",
        );
        assert_eq!(
            (got.title.as_deref(), got.language.as_deref(), got.description.as_deref()),
            (Some("A title"), Some("en"), Some("D"))
        );
        assert_eq!(got.metadata["opengraph"]["title"], "O");
        assert_eq!(filled("<h1>H</h1>").title.as_deref(), Some("H"));
    }

    #[test]
    fn json_ld_is_read_through_its_graph() {
        let got = filled(
            r#"<script type="application/ld+json">{"@context":"x","@graph":[{"@type":"NewsArticle","datePublished":"2023-01-02",
            "author":[{"name":"A B"},{"name":"C"}],"publisher":{"name":"P"},"image":{"url":"/i.png"},"dateModified":"2023-02-03"}]}</script>"#,
        );
        assert_eq!(got.byline.as_deref(), Some("A B, C"));
        assert_eq!((got.published.as_deref(), got.site_name.as_deref()), (Some("2023-01-02"), Some("P")));
        assert_eq!(
            (&got.metadata["modified"], &got.metadata["image"]),
            (&"2023-02-03".into(), &"https://e.test/i.png".into())
        );
        assert_eq!(got.metadata["jsonld"][0]["@type"], "NewsArticle");
    }

    #[test]
    fn dates_come_from_the_page_before_the_address() {
        assert_eq!(filled("<p>").published.as_deref(), Some("2024-05-17"));
        assert_eq!(filled("<time datetime=2020-01-01>x</time>").published.as_deref(), Some("2020-01-01"));
        assert_eq!(date_in("/a/2024/13/01"), None);
        assert_eq!(date_in("/2024-05-17-title"), Some("2024-05-17".to_owned()));
    }

    #[test]
    fn robots_canonical_icon_and_the_rest_are_kept() {
        let got = filled(
            "<meta name=ROBOTS content='NoIndex, follow'><link rel=canonical href=/c><link rel='shortcut icon' href=i.ico>\
             <meta name=keywords content='a, b'><meta name=twitter:card content=summary><meta name=theme-color content=red>",
        );
        assert_eq!(got.canonical_url.as_deref(), Some("https://e.test/c"));
        assert_eq!(got.metadata["noindex"], true);
        assert_eq!(got.metadata["favicon"], "https://e.test/2024/05/17/i.ico");
        assert_eq!((&got.metadata["keywords"], &got.metadata["twitter"]["card"]), (&"a, b".into(), &"summary".into()));
        assert_eq!(got.metadata["meta"]["theme-color"], "red");
    }

    #[test]
    fn broken_or_giant_json_ld_is_passed_over() {
        let deep = "[".repeat(10_000);
        let giant = format!("{{\"a\":\"{}\"}}", "x".repeat(MAX_JSON_LD));
        for data in ["{", &deep, &giant] {
            assert!(
                !filled(&format!("<script type=application/ld+json>{data}</script>")).metadata.contains_key("jsonld")
            );
        }
    }
}
