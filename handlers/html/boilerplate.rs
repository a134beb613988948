//! What surrounds the content on every page of a site: navigation, banners, share bars, lists of links.

use super::page::{Page, attr, has_any, mass, mass_of, name_of, walk};
use dom_query::{NodeId, NodeRef};
use std::collections::HashSet;

/// Roles of what isn't content.
const ROLES: [&str; 9] =
    ["navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alertdialog", "menu", "menubar"];

/// Words of classes and ids that name what isn't content.
const WORDS: [&str; 44] = [
    "cookie",
    "cookies",
    "consent",
    "gdpr",
    "share",
    "sharing",
    "sharebar",
    "social",
    "newsletter",
    "subscribe",
    "signup",
    "breadcrumb",
    "breadcrumbs",
    "sidebar",
    "navbar",
    "nav",
    "menu",
    "navigation",
    "footer",
    "related",
    "recommended",
    "recommendations",
    "promo",
    "advert",
    "advertisement",
    "ad",
    "ads",
    "adsense",
    "sponsored",
    "popup",
    "modal",
    "skip",
    "skiplink",
    "pagination",
    "pager",
    "toolbar",
    "masthead",
    "banner",
    "widget",
    "trending",
    "login",
    "paywall",
    "toc",
    "copyright",
];

/// An element with more of the page's text than this, in percent, is content under any name.
const CONTENT_SHARE: usize = 40;

/// A list is navigation from this share of link text on, in percent.
const LINK_SHARE: usize = 80;

/// The outermost elements of the body that aren't content.
pub(super) fn find(page: &Page, body: &NodeRef<'_>) -> HashSet<NodeId> {
    let all = mass_of(body, &HashSet::new()).max(1);
    let mut found = HashSet::new();
    walk(body, |node| {
        if !node.is_element() || node.id == body.id {
            return true;
        }
        let surrounds = surrounds(page, node) && mass_of(node, &HashSet::new()) * 100 <= all * CONTENT_SHARE;
        if surrounds {
            found.insert(node.id);
        }
        !surrounds
    });
    found
}

fn surrounds(page: &Page, node: &NodeRef<'_>) -> bool {
    let name = name_of(node);
    match name.as_str() {
        "nav" => return true,
        // Those of an article have its title and its notes.
        "header" | "footer" | "aside" => {
            return !node.ancestors_it(None).any(|up| matches!(name_of(&up).as_str(), "article" | "main"))
                && (name != "header" || !has_any(node, &["h1"]) || has_any(node, &["nav"]));
        }
        "article" | "main" | "h1" | "h2" | "table" | "tbody" | "tr" | "td" | "th" | "pre" | "p" | "li" | "code" => {
            return false;
        }
        "ul" | "ol" => return is_menu(node),
        _ => {}
    }
    let role = attr(node, "role");
    if ROLES.contains(&role.as_str()) {
        return true;
    }
    let names = format!("{} {}", attr(node, "class"), attr(node, "id")).to_ascii_lowercase();
    names.split(|character: char| !character.is_ascii_alphanumeric()).any(|word| WORDS.contains(&word))
        && !has_any(node, &["h1", "article", "main"])
        && page.tree.tree.len() > 1
}

/// A list of three or more short links and hardly anything else.
fn is_menu(list: &NodeRef<'_>) -> bool {
    let links: Vec<_> = list.descendants_it().filter(|node| node.has_name("a")).collect();
    if links.len() < 3 {
        return false;
    }
    let linked: usize = links.iter().map(|link| mass(&link.text())).sum();
    let all = mass(&list.text()).max(1);
    linked * 100 >= all * LINK_SHARE
        && linked / links.len() < 25
        && !list
            .ancestors_it(None)
            .any(|up| matches!(name_of(&up).as_str(), "article" | "main" | "li" | "td") || attr(&up, "role") == "main")
}
