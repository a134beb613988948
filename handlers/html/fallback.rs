//! Text for pages whose body has none: JSON-LD and the data that an application starts with.

use super::{
    dom::{Dom, Id, Name},
    visible::{THIN, mass_of},
};
use rustc_hash::FxHashSet;
use serde_json::Value;

/// The longest block of application data that is read, in bytes.
const MAX_DATA: usize = 2 << 20;

/// The most blocks of application data that are read.
const MAX_BLOCKS: usize = 20;

/// A string of application data that is shorter isn't taken for text of the page, in characters.
const MIN_STRING: usize = 80;

/// Scripts whose assigned object is an application's data.
const STATES: [&str; 5] = ["__NUXT__", "__APOLLO_STATE__", "__INITIAL_STATE__", "__PRELOADED_STATE__", "__NEXT_DATA__"];

/// The best text besides the body that is longer than `have`, as HTML, and where it is from.
pub(super) fn best(dom: &Dom, json_ld: &[Value], have: usize) -> Option<(String, &'static str)> {
    let enough = |text: &str| mass_of(text) >= THIN.max(2 * have);
    let articles = json_ld
        .iter()
        .filter_map(|object| ["articleBody", "text", "description"].iter().find_map(|key| object.get(key)?.as_str()));
    if let Some(article) = articles.max_by_key(|article| article.len()).filter(|article| enough(article)) {
        return Some((as_html(article), "jsonld"));
    }
    let data: Vec<Value> = data_of(dom);
    let strings = data.iter().flat_map(texts_of).collect::<Vec<_>>();
    let html = strings.iter().map(|text| as_html(text)).collect::<String>();
    enough(&html).then_some((html, "data"))
}

/// The data that scripts hold.
fn data_of(dom: &Dom) -> Vec<Value> {
    let scripts = (0..).take(dom.len()).filter(|id| dom.name(*id) == Name::Script);
    scripts.filter_map(|id| data(dom, id)).take(MAX_BLOCKS).collect()
}

fn data(dom: &Dom, script: Id) -> Option<Value> {
    let kind = dom.attr(script, "type").unwrap_or_default();
    if kind.contains("ld+json") {
        return None;
    }
    let text: String = (script..dom.end(script)).map(|id| dom.text(id)).collect();
    if text.len() > MAX_DATA {
        return None;
    }
    if let Ok(value) = serde_json::from_str(&text) {
        return Some(value);
    }
    let state = STATES.iter().find_map(|state| text.find(state))?;
    let object = text[state..].find('{').map(|at| &text[state + at..])?;
    // What follows the object is more of the script.
    serde_json::Deserializer::from_str(object).into_iter().next()?.ok()
}

/// The strings of application data that read like text, in their order, once each.
fn texts_of(data: &Value) -> Vec<&str> {
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    let mut waiting = vec![data];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(items) => waiting.extend(items.iter().rev()),
            Value::Object(object) => waiting.extend(object.values().rev()),
            Value::String(text) if reads_like_text(text) && seen.insert(text.as_str()) => found.push(text.as_str()),
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

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "A sentence of a page that an application shows only when its script has run, so that no reader \
                        without a browser sees it. A second sentence follows, for the first one is too short to count: a page is thin until it \
                        has two hundred letters, without counting the blanks.";

    fn best_of(html: &str) -> Option<(String, &'static str)> {
        best(&Dom::parse(html, false), &[], 0)
    }

    #[test]
    fn strings_of_application_data_that_read_like_text_are_taken_once() {
        let html = format!(
            "<body><script id=__NEXT_DATA__ type=application/json>{{\"a\":[{{\"id\":\"x\",\"t\":\"{TEXT}\"}},\"{TEXT}\"]}}</script>"
        );
        assert_eq!(best_of(&html), Some((format!("<p>{TEXT}</p>"), "data")));
    }

    #[test]
    fn an_object_that_a_script_assigns_is_data() {
        let html = format!("<body><script>window.__INITIAL_STATE__ = {{\"t\":\"{TEXT}\"}}; go()</script>");
        assert_eq!(best_of(&html), Some((format!("<p>{TEXT}</p>"), "data")));
    }

    #[test]
    fn short_strings_and_code_are_no_text() {
        let code = format!("function(a) {{ {TEXT} }}");
        assert_eq!(best_of(&format!("<script type=application/json>[\"short\",\"{code}\"]</script>")), None);
    }

    #[test]
    fn the_body_of_an_article_comes_before_data() {
        let json_ld = [serde_json::json!({"articleBody": TEXT})];
        assert_eq!(best(&Dom::parse("", false), &json_ld, 0), Some((format!("<p>{TEXT}</p>"), "jsonld")));
        assert_eq!(best(&Dom::parse("", false), &json_ld, 1_000), None);
    }
}
