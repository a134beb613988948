//! From a cleaned tree to Markdown.

use super::{
    marks::Snippets,
    page::{Page, attr, is_any, name_of, walk},
    serialize::{self, Form},
};
use dom_query::{NodeId, NodeRef};
use html_to_markdown_rs::{
    CodeBlockStyle, ConversionOptions, HeadingStyle, HiddenContent, NewlineStyle, PreprocessingOptions, UrlEscapeStyle,
};

/// Lists and quotes that are nested deeper lose their form: every line carries the indentation of its depth.
const MAX_INDENTS: usize = 8;

/// Containers that mean nothing in Markdown. The converter copies the text of each.
const SECTIONS: [&str; 8] = ["article", "section", "main", "header", "footer", "aside", "nav", "hgroup"];

/// Converts the page. None when the converter fails, which its input gives no reason to.
pub(super) fn of_page(page: &Page, snippets: &Snippets) -> Option<String> {
    let body = page.body()?;
    flatten(&body);
    let html = serialize::inner(&body, Form::Bare);
    if html.trim().is_empty() {
        return Some(String::new());
    }
    let markdown = html_to_markdown_rs::convert(&html, options()).ok()?.content.unwrap_or_default();
    Some(tidied(&snippets.restored(&markdown)))
}

/// Renames what the converter should take for a plain container.
fn flatten(body: &NodeRef<'_>) {
    let mut depths: std::collections::HashMap<NodeId, usize> = std::collections::HashMap::new();
    let mut deep = Vec::new();
    walk(body, |node| {
        let name = name_of(node);
        let above = node.parent().and_then(|parent| depths.get(&parent.id).copied()).unwrap_or_default();
        let indents = matches!(name.as_str(), "ul" | "ol" | "menu" | "blockquote" | "dl");
        if !node.is_text() {
            depths.insert(node.id, above + usize::from(indents));
        }
        let too_deep =
            above + usize::from(indents) > MAX_INDENTS && (indents || matches!(name.as_str(), "li" | "dd" | "dt"));
        if too_deep || SECTIONS.contains(&name.as_str()) {
            deep.push(*node);
        }
        true
    });
    for node in deep {
        node.rename("div");
    }
    bound_spans(body);
}

/// A cell that spans is written out once for every place. Tables that would grow by it lose their spans.
fn bound_spans(body: &NodeRef<'_>) {
    let cells: Vec<_> = body.descendants_it().filter(|node| is_any(node, &["td", "th"])).collect();
    let places = cells.iter().map(|cell| {
        let span = |name| attr(cell, name).trim().parse::<usize>().map_or(1, |span| span.clamp(1, 1_000));
        span("colspan") * span("rowspan")
    });
    if places.sum::<usize>() > 10 * cells.len() + 1_000 {
        for cell in &cells {
            cell.remove_attrs(&["colspan", "rowspan"]);
        }
    }
}

/// Escapes are ours (the marks), and so are hidden elements, addresses and metadata.
fn options() -> ConversionOptions {
    ConversionOptions::builder()
        .heading_style(HeadingStyle::Atx)
        .code_block_style(CodeBlockStyle::Backticks)
        .newline_style(NewlineStyle::Backslash)
        .url_escape_style(UrlEscapeStyle::Angle)
        .hidden_content(HiddenContent::All)
        .bullets("-")
        .list_indent_width(2)
        .sub_symbol("~")
        .sup_symbol("^")
        .escape_asterisks(false)
        .escape_underscores(false)
        .escape_misc(false)
        .escape_ascii(false)
        .autolinks(false)
        .expand_abbreviations(false)
        .include_blockquote_citations(false)
        .compact_tables(true)
        .br_in_tables(true)
        .extract_metadata(false)
        .preprocessing(PreprocessingOptions { enabled: false, ..PreprocessingOptions::default() })
        .build()
}

/// At most one empty line in a row outside of code, and no white space at line ends.
fn tidied(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut fence: Option<String> = None;
    let mut blanks = 0;
    for line in markdown.lines() {
        let body = line.trim_start_matches(|character: char| " >-.".contains(character) || character.is_ascii_digit());
        let run = body.len() - body.trim_start_matches('`').len();
        if let Some(open) = &fence {
            if line.trim_matches([' ', '>']) == open {
                fence = None;
            }
        } else {
            if line.trim().is_empty() {
                blanks += 1;
                continue;
            }
            if run >= 3 {
                fence = Some("`".repeat(run));
            }
        }
        if blanks > 0 && !out.is_empty() {
            out.push('\n');
        }
        blanks = 0;
        out.push_str(if fence.is_some() { line } else { line.trim_end() });
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out
}
