//! Links, images and embedded media, under their absolute addresses.

use super::page::{Page, attr, name_of};
use crate::Link;
use dom_query::{NodeId, NodeRef};
use std::collections::HashSet;

/// Attributes that lazily loading pages put the address of an image in.
const LAZY: [&str; 6] = ["data-src", "data-original", "data-lazy-src", "data-lazy", "data-url", "data-hi-res-src"];

/// The same, with a list of addresses by size.
const LAZY_SETS: [&str; 4] = ["data-srcset", "data-lazy-srcset", "srcset", "data-original-set"];

/// Hosts whose frames are content: a video, a talk, a recording.
const PLAYERS: [&str; 8] = [
    "youtube.com",
    "youtube-nocookie.com",
    "youtu.be",
    "vimeo.com",
    "dailymotion.com",
    "soundcloud.com",
    "spotify.com",
    "ted.com",
];

/// Makes addresses absolute, chooses the real one of every image, turns embedded media into links, and drops what
/// leads nowhere: scripts as links, inlined images, permalinks of headings.
pub(super) fn resolve(page: &Page) {
    permalinks(page);
    for node in page.tree.select("iframe, embed, x-object, video, audio").nodes() {
        media(page, node);
    }
    for picture in page.tree.select("picture").nodes() {
        take_from_sources(picture);
    }
    for image in page.tree.select("img, image").nodes() {
        resolve_image(page, image);
    }
    for link in page.tree.select("a").nodes() {
        resolve_link(page, link);
    }
}

/// The links under `root`, absolute and once each.
pub(super) fn collect(root: &NodeRef<'_>) -> Vec<Link> {
    let mut seen = HashSet::new();
    let mut links = Vec::new();
    for node in root.descendants_it().filter(|node| node.has_name("a")) {
        let url = attr(&node, "href");
        if !url.is_empty() && seen.insert(url.clone()) {
            let text = node.text();
            links.push(Link {
                url,
                text: super::marks::without(&text.split_whitespace().collect::<Vec<_>>().join(" ")),
            });
        }
    }
    links
}

/// The addresses of the images under `root`, once each.
pub(super) fn images(root: &NodeRef<'_>) -> Vec<String> {
    let mut seen = HashSet::new();
    let sources = root.descendants_it().filter(|node| node.has_name("img")).map(|node| attr(&node, "src"));
    sources.filter(|source| !source.is_empty() && seen.insert(source.clone())).collect()
}

fn permalinks(page: &Page) {
    for link in page.tree.select("h1 a, h2 a, h3 a, h4 a, h5 a, h6 a, a.headerlink, a.anchor, a.anchorjs-link").nodes()
    {
        let text = link.text();
        let text = text.trim();
        let sign = text.chars().count() <= 2 && !text.chars().any(char::is_alphanumeric);
        let own = attr(link, "href").contains('#') || link.has_attr("id") || link.has_attr("name");
        if sign && own && !link.descendants_it().any(|node| node.has_name("img")) {
            link.remove_from_parent();
        }
    }
}

fn media(page: &Page, node: &NodeRef<'_>) {
    let source = node.descendants_it().find(|child| child.has_name("source") && child.has_attr("src"));
    let own = ["src", "data", "data-src"].into_iter().find_map(|name| node.attr(name));
    let address =
        own.or_else(|| source.and_then(|source| source.attr("src"))).and_then(|address| page.absolute(&address));
    let Some(address) = address.filter(|address| address.starts_with("http") && is_content(node, address)) else {
        // What an object shows instead of itself may be text.
        if !node.has_name("x-object") {
            node.remove_from_parent();
        }
        return;
    };
    let title = [attr(node, "title"), attr(node, "aria-label")].into_iter().find(|title| !title.trim().is_empty());
    let link = page.tree.tree.new_element("a");
    link.set_attr("href", &address);
    link.append_child(&page.tree.tree.new_text(title.unwrap_or(address)).id);
    let paragraph = page.tree.tree.new_element("p");
    paragraph.append_child(&link.id);
    node.replace_with(&paragraph.id);
}

fn is_content(node: &NodeRef<'_>, address: &str) -> bool {
    let Ok(url) = url::Url::parse(address) else { return false };
    let kind = attr(node, "type");
    matches!(name_of(node).as_str(), "video" | "audio")
        || kind == "application/pdf"
        || kind.starts_with("video/")
        || url.path().to_ascii_lowercase().ends_with(".pdf")
        || url
            .host_str()
            .is_some_and(|host| PLAYERS.iter().any(|player| host == *player || host.ends_with(&format!(".{player}"))))
}

/// A `picture` whose image has no address of its own takes that of its first source.
fn take_from_sources(picture: &NodeRef<'_>) {
    let Some(image) = picture.descendants_it().find(|node| node.has_name("img")) else { return };
    if address_of(&image).is_some() {
        return;
    }
    let address = picture.descendants_it().filter(|node| node.has_name("source")).find_map(|source| set_of(&source));
    if let Some(address) = address {
        image.set_attr("src", &address);
    }
}

fn resolve_image(page: &Page, image: &NodeRef<'_>) {
    let address = address_of(image).or_else(|| Some(attr(image, "src"))).and_then(|address| page.absolute(&address));
    let tiny = ["width", "height"].iter().all(|side| matches!(attr(image, side).trim(), "0" | "1" | "1px"));
    let Some(address) = address.filter(|address| address.starts_with("http") && !tiny) else {
        image.remove_from_parent();
        return;
    };
    let (alt, title) = (attr(image, "alt"), attr(image, "title"));
    image.remove_all_attrs();
    image.rename("img");
    image.set_attr("src", &address);
    image.set_attr("alt", alt.split_whitespace().collect::<Vec<_>>().join(" ").as_str());
    if !title.trim().is_empty() && title != alt {
        image.set_attr("title", title.split_whitespace().collect::<Vec<_>>().join(" ").as_str());
    }
}

/// The address that an image is loaded from in the end, unless it is inlined.
fn address_of(image: &NodeRef<'_>) -> Option<String> {
    let real = |address: &String| !address.trim().is_empty() && !address.trim_start().starts_with("data:");
    let lazy = LAZY.iter().map(|name| attr(image, name)).find(real);
    let own = || Some(attr(image, "src")).filter(real);
    lazy.or_else(own).or_else(|| set_of(image))
}

/// The last address of the first list of addresses: lists ascend.
fn set_of(node: &NodeRef<'_>) -> Option<String> {
    let set = LAZY_SETS.iter().map(|name| attr(node, name)).find(|set| !set.trim().is_empty())?;
    let candidates = set.split(", ").filter_map(|candidate| candidate.split_whitespace().next());
    let last =
        candidates.map(|address| address.trim_end_matches(',')).filter(|address| !address.starts_with("data:")).last();
    last.map(str::to_owned)
}

fn resolve_link(page: &Page, link: &NodeRef<'_>) {
    let empty = link.text().trim().is_empty() && !link.descendants_it().any(|node| node.has_name("img"));
    let address = link.attr("href").filter(|_| !empty).and_then(|href| page.absolute(&href));
    match address {
        Some(address) => link.set_attr("href", &address),
        // A name for a place in the page, or a script.
        None => unwrap(link),
    }
}

/// Leaves the children in the place of an element.
pub(super) fn unwrap(node: &NodeRef<'_>) {
    let children: Vec<NodeId> = node.children_it(false).map(|child| child.id).collect();
    for child in children {
        node.insert_before(&child);
    }
    node.remove_from_parent();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(html: &str) -> String {
        let address = url::Url::parse("https://e.test/dir/page.html").ok();
        let page = Page::new(super::super::guard::guarded(html, false), address);
        resolve(&page);
        page.tree.body().unwrap().inner_html().to_string()
    }

    #[test]
    fn links_become_absolute_by_the_base() {
        assert_eq!(resolved("<a href='../a?x=1&amp;y#z'>g</a>"), "<a href=\"https://e.test/a?x=1&amp;y#z\">g</a>");
        assert_eq!(resolved("<a href='#s'>g</a>"), "<a href=\"https://e.test/dir/page.html#s\">g</a>");
        let based = "<base href='/v2/'><a href=g.html>g</a><a href='#s'>s</a>";
        assert!(resolved(based).contains("https://e.test/v2/g.html"));
        assert!(resolved(based).contains("https://e.test/dir/page.html#s"));
    }

    #[test]
    fn what_leads_nowhere_keeps_its_words() {
        assert_eq!(resolved("<a href='javascript:x()'>a</a><a name=n>b</a><a href=' \tjava\nscript:x'>c</a>"), "abc");
        assert_eq!(resolved("<a href=/x> </a>d"), " d");
    }

    #[test]
    fn permalinks_of_headings_go_and_linked_headings_stay() {
        assert_eq!(resolved("<h2>A<a href='#a'>¶</a></h2>"), "<h2>A</h2>");
        assert!(resolved("<h2><a href='/a'>A</a></h2>").contains("https://e.test/a"));
    }

    #[test]
    fn the_address_an_image_is_loaded_from_is_taken() {
        for html in [
            "<img src=i.png alt='x  y'>",
            "<img src='data:image/gif;base64,R0' data-src=i.png alt='x y'>",
            "<img srcset='s.png 1x, i.png 2x' alt='x y'>",
            "<picture><source srcset='i.png 1x'><img alt='x y'></picture>",
        ] {
            assert!(
                resolved(html).contains("<img src=\"https://e.test/dir/i.png\" alt=\"x y\">"),
                "{}",
                resolved(html)
            );
        }
        assert_eq!(resolved("<img src='data:image/png;base64,QUJD' alt=x><img src=t.gif width=1 height=1>"), "");
    }

    #[test]
    fn media_become_links_and_advertisements_go() {
        assert_eq!(
            resolved("<embed src=r.pdf type=application/pdf>"),
            "<p><a href=\"https://e.test/dir/r.pdf\">https://e.test/dir/r.pdf</a></p>"
        );
        assert!(resolved("<video><source src=v.mp4></video>").contains("https://e.test/dir/v.mp4"));
        assert!(resolved("<iframe src='//www.youtube.com/embed/a' title=T></iframe>").contains(">T</a>"));
        assert_eq!(resolved("<iframe src='https://ads.test/x'></iframe>"), "");
    }

    #[test]
    fn links_and_images_are_collected_once() {
        let page = Page::new(
            "<a href=https://a.test/>x  y</a><a href=https://a.test/>z</a><img src=https://i.test/>".into(),
            None,
        );
        let body = page.body().unwrap();
        assert_eq!(collect(&body), [Link { url: "https://a.test/".into(), text: "x y".into() }]);
        assert_eq!(images(&body), ["https://i.test/"]);
    }
}
