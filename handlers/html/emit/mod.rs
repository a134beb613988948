//! From the nodes of a page to Markdown.
//!
//! One walk in document order. [`blocks`] goes through the elements, [`inline`] gathers the text of a paragraph,
//! [`writer`] puts lines within quotes and items; [`survey`] knows beforehand what an element holds.

mod addresses;
mod blocks;
mod code;
mod escape;
mod html;
mod images;
mod inline;
mod kept;
mod links;
mod lists;
mod math;
mod media;
mod notes;
mod survey;
mod tables;
mod writer;

pub(crate) use addresses::Addresses;
pub(crate) use kept::Kept;

use super::dom::{Dom, Id, Name};
use crate::Link;
use survey::Survey;

/// What is kept of the page below `root`, as Markdown.
pub(crate) fn markdown(dom: &Dom, root: Id, kept: &Kept, addresses: &Addresses) -> String {
    let survey = Survey::of(dom, root, kept);
    blocks::markdown(&Page { dom, kept, addresses, survey }, root)
}

/// The same as HTML, with absolute addresses and without what only a browser needs.
pub(crate) fn html(dom: &Dom, root: Id, kept: &Kept, addresses: &Addresses) -> String {
    html::inner(dom, root, kept, addresses)
}

/// The links in it, absolute and once each.
pub(crate) fn links(dom: &Dom, root: Id, kept: &Kept, addresses: &Addresses) -> Vec<Link> {
    links::links(dom, root, kept, addresses)
}

/// The addresses of the images in it, absolute and once each.
pub(crate) fn images(dom: &Dom, root: Id, kept: &Kept, addresses: &Addresses) -> Vec<String> {
    links::images(dom, root, kept, addresses)
}

/// A page while it is written.
struct Page<'a> {
    dom: &'a Dom,
    kept: &'a Kept,
    addresses: &'a Addresses,
    survey: Survey<'a>,
}

/// Elements without words or signs for a reader, whatever is kept of them.
fn is_silent(name: Name) -> bool {
    matches!(
        name,
        Name::Head
            | Name::Script
            | Name::Style
            | Name::Link
            | Name::Meta
            | Name::Base
            | Name::Title
            | Name::Template
            | Name::Select
            | Name::Textarea
            | Name::Datalist
            | Name::Canvas
            | Name::Area
            | Name::Param
            | Name::Source
            | Name::Track
            | Name::Col
            | Name::Colgroup
    )
}

/// Elements without content of their own.
fn is_void(name: Name) -> bool {
    matches!(
        name,
        Name::Area
            | Name::Base
            | Name::Br
            | Name::Col
            | Name::Embed
            | Name::Hr
            | Name::Img
            | Name::Image
            | Name::Input
            | Name::Link
            | Name::Meta
            | Name::Param
            | Name::Source
            | Name::Track
            | Name::Wbr
    )
}

/// Whether an element has one of the classes.
fn has_class(dom: &Dom, id: Id, wanted: &[&str]) -> bool {
    let class = dom.class(id);
    !class.is_empty() && class.split_ascii_whitespace().any(|class| wanted.contains(&class))
}

/// The kept text nodes of a subtree.
fn texts<'a>(dom: &'a Dom, id: Id, kept: &'a Kept) -> impl Iterator<Item = &'a str> {
    (id..dom.end(id)).filter(|id| dom.name(*id) == Name::Text && kept.has(*id)).map(|id| dom.text(id))
}

/// Its words, one blank between two.
fn words(dom: &Dom, id: Id, kept: &Kept) -> String {
    let mut out = String::new();
    let mut blank = false;
    for text in texts(dom, id, kept) {
        blank |= text.starts_with(char::is_whitespace);
        for word in text.split_whitespace() {
            if blank && !out.is_empty() {
                out.push(' ');
            }
            out.push_str(word);
            blank = true;
        }
        blank = text.ends_with(char::is_whitespace) || (blank && text.trim().is_empty());
    }
    out
}

/// Whether a subtree has words that are kept.
fn has_words(dom: &Dom, id: Id, kept: &Kept) -> bool {
    texts(dom, id, kept).any(|text| text.contains(|character: char| !is_nothing(character)))
}

/// White space, and characters without width.
fn is_nothing(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{200b}' | '\u{ad}' | '\u{feff}')
}

#[cfg(test)]
mod tests;
