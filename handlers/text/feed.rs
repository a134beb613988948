//! RSS and Atom as a Markdown list of their entries.

use crate::Link;
use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};
use std::collections::HashSet;
use url::Url;

/// The most entries of a list.
const MAX_ENTRIES: usize = 2_000;

/// The longest summary, in characters.
const MAX_SUMMARY: usize = 1_000;

/// A feed, written out.
pub(super) struct Feed {
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    pub(super) language: Option<String>,
    /// The date of the last change, as the feed writes it.
    pub(super) updated: Option<String>,
    pub(super) links: Vec<Link>,
    pub(super) markdown: String,
}

/// The fields that the feed and its entries have in common.
#[derive(Default)]
struct Fields {
    title: String,
    link: String,
    date: String,
    author: String,
    summary: String,
    language: String,
}

/// Reads a feed. None when the text is another XML, or none.
pub(super) fn read(text: &str, base: Option<&Url>) -> Option<Feed> {
    let (feed, entries) = parse(text)?;
    let line = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let mut written = Feed {
        title: line(&feed.title),
        description: line(&feed.summary),
        language: line(&feed.language),
        updated: line(&feed.date),
        links: Vec::new(),
        markdown: String::new(),
    };
    if let Some(title) = &written.title {
        written.markdown = format!("# {title}\n\n");
    }
    if let Some(description) = &written.description {
        written.markdown.push_str(description);
        written.markdown.push_str("\n\n");
    }
    let mut seen = HashSet::new();
    for entry in entries
        .into_iter()
        .filter(|entry| !(entry.title.is_empty() && entry.link.is_empty() && entry.summary.is_empty()))
    {
        let url = absolute(&entry.link, base);
        if let Some(url) = &url
            && seen.insert(url.clone())
        {
            written.links.push(Link { url: url.clone(), text: entry.title.clone() });
        }
        written.markdown.push_str(&item(&entry, url));
    }
    Some(written)
}

fn item(entry: &Fields, url: Option<String>) -> String {
    let title = if entry.title.is_empty() { "(untitled)" } else { &entry.title };
    let title = title.replace('[', "\\[").replace(']', "\\]");
    let mut item = match url {
        Some(url) => format!("- [{title}]({})", url.replace('(', "%28").replace(')', "%29")),
        None => format!("- {title}"),
    };
    let facts: Vec<&str> = [entry.date.as_str(), &entry.author].into_iter().filter(|fact| !fact.is_empty()).collect();
    if !facts.is_empty() {
        item.extend([" (", &facts.join(", "), ")"]);
    }
    if !entry.summary.is_empty() && entry.summary != entry.title {
        item.push_str("\n  ");
        item.push_str(&entry.summary);
    }
    item + "\n"
}

fn absolute(link: &str, base: Option<&Url>) -> Option<String> {
    let url = base.map_or_else(|| Url::parse(link), |base| base.join(link)).ok();
    url.filter(|url| !link.is_empty() && matches!(url.scheme(), "http" | "https")).map(String::from)
}

/// The fields of the feed and of its entries. Nothing is kept of what is nested deeper than a field.
fn parse(text: &str) -> Option<(Fields, Vec<Fields>)> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    (config.check_end_names, config.allow_unmatched_ends, config.allow_dangling_amp) = (false, true, true);
    let (mut feed, mut entries): (Fields, Vec<Fields>) = Default::default();
    let (mut depth, mut is_feed, mut in_entry, mut in_image) = (0_usize, false, None, None);
    // The field at hand: its name, its depth and its text.
    let mut field: Option<(String, usize, String)> = None;
    // A broken feed keeps the entries before the break.
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Start(start) => {
                depth += 1;
                let name = String::from_utf8_lossy(start.local_name().as_ref().as_ref()).into_owned();
                match name.as_str() {
                    _ if depth == 1 => {
                        is_feed = matches!(name.as_str(), "rss" | "feed" | "RDF");
                        if !is_feed {
                            return None;
                        }
                        feed.language = attribute(&start, "xml:lang");
                    }
                    "item" | "entry" if in_entry.is_none() && entries.len() < MAX_ENTRIES => {
                        in_entry = Some(depth);
                        entries.push(Fields::default());
                    }
                    "image" | "textInput" | "source" if in_image.is_none() => in_image = Some(depth),
                    _ if in_image.is_none() && field.is_none() => {
                        link_of(&name, &start, target(&mut feed, &mut entries, in_entry));
                        field = Some((name, depth, String::new()));
                    }
                    // Elements in a text are the markup of its words.
                    _ => {
                        if let Some((_, _, text)) = &mut field {
                            text.push(' ');
                        }
                    }
                }
                if depth == 2 && name_is_channel(field.as_ref()) {
                    field = None;
                }
            }
            Event::Empty(start) => {
                let name = String::from_utf8_lossy(start.local_name().as_ref().as_ref()).into_owned();
                append(&mut field, " ");
                if in_image.is_none() {
                    link_of(&name, &start, target(&mut feed, &mut entries, in_entry));
                }
            }
            Event::End(_) => {
                if field.as_ref().is_some_and(|(_, at, _)| *at == depth)
                    && let Some((name, _, text)) = field.take()
                {
                    store(&name, &text, target(&mut feed, &mut entries, in_entry));
                }
                in_entry = in_entry.filter(|at| *at != depth);
                in_image = in_image.filter(|at| *at != depth);
                depth = depth.saturating_sub(1);
            }
            Event::Text(text) => append(&mut field, &text.xml10_content()),
            Event::CData(text) => append(&mut field, &text.xml10_content()),
            Event::GeneralRef(reference) => {
                let resolved = reference.resolve_char_ref().ok().flatten();
                let named = || match &*reference.xml10_content() {
                    "amp" => Some('&'),
                    "lt" => Some('<'),
                    "gt" => Some('>'),
                    "quot" => Some('"'),
                    "apos" => Some('\''),
                    _ => None,
                };
                if let Some(character) = resolved.or_else(named) {
                    append(&mut field, character.encode_utf8(&mut [0; 4]));
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    (is_feed && (!entries.is_empty() || !feed.title.is_empty())).then_some((feed, entries))
}

/// `channel` holds fields and is none.
fn name_is_channel(field: Option<&(String, usize, String)>) -> bool {
    field.is_some_and(|(name, ..)| name == "channel")
}

fn target<'a>(feed: &'a mut Fields, entries: &'a mut [Fields], in_entry: Option<usize>) -> &'a mut Fields {
    match (in_entry, entries.last_mut()) {
        (Some(_), Some(entry)) => entry,
        _ => feed,
    }
}

/// Atom's `<link rel="alternate" href="…"/>`.
fn link_of(name: &str, start: &BytesStart<'_>, fields: &mut Fields) {
    let rel = attribute(start, "rel");
    if name == "link" && fields.link.is_empty() && (rel.is_empty() || rel == "alternate") {
        fields.link = attribute(start, "href");
    }
}

fn attribute(start: &BytesStart<'_>, name: &str) -> String {
    let mut attributes = start.html_attributes().flatten();
    let value =
        attributes.find(|attribute| attribute.key.as_ref() == name).map(|attribute| attribute.value.to_string());
    plain(&value.unwrap_or_default())
}

fn append(field: &mut Option<(String, usize, String)>, text: &str) {
    if let Some((_, _, value)) = field {
        value.push_str(text);
    }
}

/// Puts a text into its field, unless a better one is there.
fn store(name: &str, text: &str, fields: &mut Fields) {
    let slot = match name {
        "title" => &mut fields.title,
        "link" | "guid" | "id" if text.trim().starts_with("http") || name == "link" => &mut fields.link,
        "pubDate" | "published" | "date" | "updated" | "lastBuildDate" => &mut fields.date,
        "creator" | "author" | "name" => &mut fields.author,
        "description" | "summary" | "subtitle" | "content" | "encoded" => &mut fields.summary,
        "language" => &mut fields.language,
        _ => return,
    };
    if slot.is_empty() {
        let text = plain(text);
        let end = text.char_indices().nth(MAX_SUMMARY).map_or(text.len(), |(end, _)| end);
        *slot = if end < text.len() { format!("{}…", &text[..end]) } else { text };
    }
}

/// The words of a text that may be HTML, on one line.
fn plain(text: &str) -> String {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.contains(['<', '&']) { words(&crate::html::text_of(text)) } else { words(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn markdown(xml: &str) -> String {
        read(xml, Url::parse("https://e.test/feed").ok().as_ref()).map(|feed| feed.markdown).unwrap_or_default()
    }

    #[test]
    fn rss_becomes_a_list() {
        let xml = r#"<?xml version="1.0"?><rss xmlns:dc="d"><channel><title>T &amp; U</title><link>https://e.test/</link>
            <description>About</description><language>en</language><image><title>Logo</title></image>
            <item><title><![CDATA[A <b>b</b> [c]]]></title><link>/a</link><pubDate>Mon, 06 Sep 2021</pubDate><dc:creator>Ann</dc:creator>
            <description>&lt;p&gt;One&lt;/p&gt;&lt;p&gt;two &amp;amp; three&lt;/p&gt;</description></item>
            <item><guid>https://e.test/b</guid></item></channel></rss>"#;
        assert_eq!(
            markdown(xml),
            "# T & U\n\nAbout\n\n- [A b \\[c\\]](https://e.test/a) (Mon, 06 Sep 2021, Ann)\n  One two & three\n\
             - [(untitled)](https://e.test/b)\n"
        );
        let feed = read(xml, None).unwrap();
        assert_eq!((feed.language.as_deref(), feed.title.as_deref()), (Some("en"), Some("T & U")));
    }

    #[test]
    fn atom_becomes_a_list() {
        let xml = r#"<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><title>T</title><updated>2024-01-02</updated>
            <entry><title type="html">A</title><link rel="self" href="/s"/><link href="/a?x=1&amp;y=2"/><author><name>Ann</name></author>
            <updated>2024-01-01</updated><summary type="xhtml"><div>One<br/>two</div></summary></entry></feed>"#;
        assert_eq!(markdown(xml), "# T\n\n- [A](https://e.test/a?x=1&y=2) (2024-01-01, Ann)\n  One two\n");
    }

    #[test]
    fn a_broken_feed_keeps_what_it_has() {
        assert_eq!(markdown("<rss><channel><title>T</title><item><title>A</title></item><item><tit"), "# T\n\n- A\n");
        assert_eq!(markdown(&"<rss>".repeat(100_000)), "");
    }

    #[test]
    fn other_xml_is_no_feed() {
        for xml in ["", "text", "<a><item><title>x</title></item></a>", "<rss/>", "{\"rss\": 1}"] {
            assert!(read(xml, None).is_none(), "{xml}");
        }
    }
}
