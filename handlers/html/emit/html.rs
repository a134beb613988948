//! What is kept of a page, as HTML.

use super::{Addresses, Kept, images, is_silent, is_void, media};
use crate::html::dom::{Dom, Id, Name};

/// Attributes of images that are written. The address and the title are written in their final form.
const OF_IMAGES: [&str; 3] = ["alt", "width", "height"];

/// The children of `root` as HTML, in time linear in its size.
pub(super) fn inner(dom: &Dom, root: Id, kept: &Kept, addresses: &Addresses) -> String {
    let mut out = String::new();
    let mut open: Vec<Id> = Vec::new();
    let mut id = root + 1;
    while id < dom.end(root) {
        while let Some(done) = open.pop_if(|open| dom.end(*open) <= id) {
            end(dom, done, &mut out);
        }
        let name = dom.name(id);
        if name == Name::Text {
            if kept.has(id) {
                escape(dom.text(id), false, &mut out);
            }
            id += 1;
            continue;
        }
        let is_picture = matches!(name, Name::Img | Name::Image);
        let image = if is_picture { images::address(dom, id, addresses) } else { None };
        let is_left_out = is_silent(name)
            || name == Name::Svg
            || (is_picture && image.is_none())
            || (media::is_media(name) && name != Name::Object && media::media(dom, id, addresses).is_none());
        if is_left_out || !kept.any(dom, id) {
            id = dom.end(id);
            continue;
        }
        if let Some(address) = image {
            start_image(dom, id, &address, &mut out);
            id = dom.end(id);
            continue;
        }
        start(dom, id, addresses, &mut out);
        if !is_void(name) {
            open.push(id);
        }
        id += 1;
    }
    while let Some(done) = open.pop() {
        end(dom, done, &mut out);
    }
    out
}

fn start(dom: &Dom, id: Id, addresses: &Addresses, out: &mut String) {
    out.push('<');
    out.push_str(dom.local(id));
    for (name, value) in dom.attrs(id).filter(|(name, _)| is_written(name)) {
        if matches!(name, "href" | "src" | "data" | "cite" | "poster" | "action") {
            if let Some(address) = addresses.resolve(value) {
                attribute(name, &address, out);
            }
        } else {
            attribute(name, value, out);
        }
    }
    out.push('>');
}

fn start_image(dom: &Dom, id: Id, address: &str, out: &mut String) {
    out.push_str("<img");
    attribute("src", address, out);
    for name in OF_IMAGES {
        if let Some(value) = dom.attr(id, name) {
            attribute(name, value, out);
        }
    }
    if let Some(title) = images::title(dom, id) {
        attribute("title", title, out);
    }
    out.push('>');
}

fn end(dom: &Dom, id: Id, out: &mut String) {
    out.push_str("</");
    out.push_str(dom.local(id));
    out.push('>');
}

/// Attributes run scripts, lay out the page or name it; the last are what a reader of the HTML may want.
fn is_written(name: &str) -> bool {
    !name.starts_with("on") && !matches!(name, "style" | "srcset" | "srcdoc" | "sizes" | "nonce" | "integrity")
}

fn attribute(name: &str, value: &str, out: &mut String) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    escape(value, true, out);
    out.push('"');
}

fn escape(text: &str, in_attribute: bool, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '>', '"', '\u{a0}']) {
        out.push_str(&rest[..at]);
        let length = rest[at..].chars().next().map_or(1, char::len_utf8);
        out.push_str(match &rest[at..at + length] {
            "&" => "&amp;",
            "<" => "&lt;",
            ">" => "&gt;",
            "\"" if in_attribute => "&quot;",
            "\u{a0}" => "&nbsp;",
            other => other,
        });
        rest = &rest[at + length..];
    }
    out.push_str(rest);
}
