//! The links and images of what is kept.

use super::{Addresses, Kept, images as image, is_silent, media, words};
use crate::{
    Link,
    html::dom::{Dom, Id, Name},
};
use std::collections::HashSet;

/// The links below `root`, absolute and once each.
pub(super) fn links(dom: &Dom, root: Id, kept: &Kept, addresses: &Addresses) -> Vec<Link> {
    let mut seen = HashSet::new();
    let mut links = Vec::new();
    let mut end_of_last = root;
    for id in root..dom.end(root) {
        let name = dom.name(id);
        let link = if name == Name::A && id >= end_of_last && kept.any(dom, id) {
            // A link within a link is no place to go to, and reading its words again would take long.
            end_of_last = dom.end(id);
            link(dom, id, kept, addresses)
        } else if media::is_media(name) && kept.any(dom, id) {
            media::media(dom, id, addresses).map(|media| Link { url: media.address, text: media.label })
        } else {
            None
        };
        if let Some(link) = link.filter(|link| !seen.contains(&link.url)) {
            seen.insert(link.url.clone());
            links.push(link);
        }
    }
    links
}

fn link(dom: &Dom, id: Id, kept: &Kept, addresses: &Addresses) -> Option<Link> {
    let text = words(dom, id, kept);
    let shows = |id: Id| matches!(dom.name(id), Name::Img | Name::Image | Name::Svg) && kept.any(dom, id);
    let says = text.chars().any(char::is_alphanumeric) || (id..dom.end(id)).any(shows);
    let href = dom.attr(id, "href").filter(|_| says || !text.is_empty())?;
    // A sign that leads to a place in the page itself is a permalink.
    if !says && addresses.is_own_fragment(href) {
        return None;
    }
    Some(Link { url: addresses.resolve(href)?, text })
}

/// The addresses of the images below `root`, absolute and once each.
pub(super) fn images(dom: &Dom, root: Id, kept: &Kept, addresses: &Addresses) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut images = Vec::new();
    let mut id = root;
    while id < dom.end(root) {
        let name = dom.name(id);
        if is_silent(name) && name != Name::Source {
            id = dom.end(id);
            continue;
        }
        if matches!(name, Name::Img | Name::Image)
            && kept.has(id)
            && let Some(address) = image::address(dom, id, addresses)
            && seen.insert(address.clone())
        {
            images.push(address);
        }
        id += 1;
    }
    images
}
