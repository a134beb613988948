//! Text for pages whose body has none: `<noscript>`, JSON-LD, the data of an application.

use super::{
    page::{Page, mass},
    serialize::{self, Form},
};
use serde_json::Value;

/// A page with less text than this, in characters without white space, is thin.
pub(super) const THIN: usize = 200;

/// The longest block of application data that is read, in bytes.
const MAX_DATA: usize = 2 << 20;

/// A string of application data that is shorter isn't taken for text of the page, in characters.
const MIN_STRING: usize = 80;

/// What a page holds besides its body.
pub(super) struct Spare {
    /// The content of `noscript`, as HTML.
    noscript: String,
    /// The data that an application starts with.
    data: Vec<Value>,
    articles: Vec<String>,
}

// === impl Spare ===

impl Spare {
    /// Takes it off a tree that hasn't been cleaned.
    pub(super) fn of(page: &Page, json_ld: &[Value]) -> Self {
        let noscript =
            page.tree.select("body noscript").nodes().iter().map(|node| serialize::inner(node, Form::Whole)).collect();
        let scripts = page.tree.select("script#__NEXT_DATA__, script#__NUXT_DATA__, script[type='application/json']");
        let read = |node: &dom_query::NodeRef<'_>| {
            let text = node.text();
            (text.len() <= MAX_DATA).then(|| serde_json::from_str(&text).ok()).flatten()
        };
        let articles = json_ld.iter().filter_map(|object| {
            ["articleBody", "text", "description"].iter().find_map(|key| object.get(key)?.as_str())
        });
        Self {
            noscript,
            data: scripts.nodes().iter().take(20).filter_map(read).collect(),
            articles: articles.map(str::to_owned).collect(),
        }
    }

    /// The best of it that has more text than `have`, as HTML, and where it is from.
    pub(super) fn best(&self, have: usize) -> Option<(String, &'static str)> {
        let enough = |text: &str| mass(text) >= THIN.max(2 * have);
        let noscript_text = dom_query::Document::from(self.noscript.as_str()).root().text();
        if enough(&noscript_text) {
            return Some((self.noscript.clone(), "noscript"));
        }
        let article = self.articles.iter().max_by_key(|article| article.len());
        if let Some(article) = article.filter(|article| enough(article)) {
            return Some((as_html(article), "jsonld"));
        }
        let strings = self.data.iter().flat_map(texts_of).collect::<Vec<_>>();
        let data = strings.iter().map(|text| as_html(text)).collect::<String>();
        enough(&data).then_some((data, "data"))
    }
}

/// The strings of application data that read like text, in their order, once each.
fn texts_of(data: &Value) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    let mut found = Vec::new();
    let mut waiting = vec![data];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(items) => waiting.extend(items.iter().rev()),
            Value::Object(object) => waiting.extend(object.values().rev()),
            Value::String(text) if reads_like_text(text) && seen.insert(text.as_str()) => found.push(text.clone()),
            _ => {}
        }
    }
    found
}

fn reads_like_text(text: &str) -> bool {
    let chars = text.chars().count();
    let blanks = text.chars().filter(|character| *character == ' ').count();
    chars >= MIN_STRING && blanks * 12 >= chars && !text.starts_with(['{', '[', '/']) && !text.contains("function(")
}

/// Plain text as paragraphs; HTML as it is.
fn as_html(text: &str) -> String {
    if text.contains("</") {
        return format!("<div>{text}</div>");
    }
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;");
    escaped.split('\n').filter(|line| !line.trim().is_empty()).flat_map(|line| ["<p>", line, "</p>"]).collect()
}
