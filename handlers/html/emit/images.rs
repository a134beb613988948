//! Images: the address that they are loaded from in the end, and their words.

use super::{Addresses, escape};
use crate::html::dom::{Dom, Id, Name};

/// Attributes that lazily loading pages put the address of an image in.
const LAZY: [&str; 6] = ["data-src", "data-original", "data-lazy-src", "data-lazy", "data-url", "data-hi-res-src"];

/// The same, with a list of addresses by size.
const LAZY_SETS: [&str; 4] = ["data-srcset", "data-lazy-srcset", "srcset", "data-original-set"];

/// What stands for the address of an image whose bytes are in the page.
const INLINED: &str = "<Base64-Image-Removed>";

/// The address of an image that a reader sees. None for inlined ones and those that only count visitors.
pub(super) fn address(dom: &Dom, image: Id, addresses: &Addresses) -> Option<String> {
    let source = real_source(dom, image).or_else(|| picture_source(dom, image));
    let address = addresses.resolve_source(source.or_else(|| dom.attr(image, "src"))?)?;
    (!is_tiny(dom, image)).then_some(address)
}

/// The image as Markdown. None when there is nothing to see.
pub(super) fn markdown(dom: &Dom, image: Id, addresses: &Addresses) -> Option<String> {
    let alt = dom.attr(image, "alt").unwrap_or_default();
    let mut out = String::from("![");
    let label = escape::one_line(alt, &['[', ']']);
    out.push_str(&label);
    out.push_str("](");
    match address(dom, image, addresses) {
        Some(address) => escape::destination(&address, &mut out),
        // An inlined image is too long, but its words are worth a note.
        None if is_inlined(dom, image) && !label.is_empty() && !is_tiny(dom, image) => out.push_str(INLINED),
        None => return None,
    }
    if let Some(title) = title(dom, image) {
        out.push_str(" \"");
        out.push_str(&escape::one_line(title, &['"']));
        out.push('"');
    }
    out.push(')');
    Some(out)
}

/// A title that says something else than the alternative text.
pub(super) fn title(dom: &Dom, image: Id) -> Option<&str> {
    let alt = dom.attr(image, "alt").unwrap_or_default();
    dom.attr(image, "title").filter(|title| !title.trim().is_empty() && title.trim() != alt.trim())
}

/// An image of a line's width counts visitors or keeps others apart.
fn is_tiny(dom: &Dom, image: Id) -> bool {
    let side = |name| dom.attr(image, name).is_some_and(|side| matches!(side.trim(), "0" | "1" | "0px" | "1px"));
    side("width") || side("height")
}

fn is_inlined(dom: &Dom, image: Id) -> bool {
    dom.attr(image, "src").is_some_and(|source| source.trim_start().starts_with("data:"))
}

/// The address that an image names itself, unless it is inlined.
fn real_source(dom: &Dom, image: Id) -> Option<&str> {
    let real = |address: &&str| !address.trim().is_empty() && !address.trim_start().starts_with("data:");
    let lazy = LAZY.iter().filter_map(|name| dom.attr(image, name)).find(real);
    lazy.or_else(|| dom.attr(image, "src").filter(real)).or_else(|| last_of_set(dom, image))
}

/// A `picture` whose image has no address of its own: that of its first source.
fn picture_source(dom: &Dom, image: Id) -> Option<&str> {
    let picture = dom.ancestors(image).take(2).find(|up| dom.name(*up) == Name::Picture)?;
    (picture..image).filter(|id| dom.name(*id) == Name::Source).find_map(|source| last_of_set(dom, source))
}

/// The last address of the first list of addresses: lists ascend.
fn last_of_set(dom: &Dom, id: Id) -> Option<&str> {
    let set = LAZY_SETS.iter().filter_map(|name| dom.attr(id, name)).find(|set| !set.trim().is_empty())?;
    let candidates = set.split(", ").filter_map(|candidate| candidate.split_whitespace().next());
    candidates.map(|address| address.trim_end_matches(',')).filter(|address| !address.starts_with("data:")).last()
}
