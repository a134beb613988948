//! What surrounds the content on every page of a site: navigation, banners, share bars, lists of links.

use super::page::{Measure, attr, is_any, name_of, walk};
use dom_query::{NodeId, NodeRef};
use std::collections::{HashMap, HashSet};

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

/// A link of a menu has fewer characters than this, on average.
const SHORT_LINK: usize = 25;

/// A list is navigation from this share of link text on, in percent.
const LINK_SHARE: usize = 80;

/// The outermost elements of the body that aren't content.
pub(super) fn find(body: &NodeRef<'_>, measures: &HashMap<NodeId, Measure>) -> HashSet<NodeId> {
    let of = |node: &NodeRef<'_>| measures.get(&node.id).copied().unwrap_or_default();
    let all = of(body).mass.max(1);
    let mut found = HashSet::new();
    walk(body, |node| {
        if !node.is_element() || node.id == body.id {
            return true;
        }
        let measure = of(node);
        let surrounds = measure.mass * 100 <= all * CONTENT_SHARE && surrounds(node, &measure);
        if surrounds {
            found.insert(node.id);
        }
        !surrounds
    });
    found
}

fn surrounds(node: &NodeRef<'_>, measure: &Measure) -> bool {
    let within = |names: &[&str]| node.ancestors_it(None).any(|up| is_any(&up, names));
    match name_of(node).as_str() {
        "nav" => return true,
        // Those of an article have its title and its notes.
        "header" => return !within(&["article", "main"]) && (!measure.has_title || measure.has_nav),
        "footer" | "aside" => return !within(&["article", "main"]),
        "article" | "main" | "h1" | "h2" | "table" | "tbody" | "tr" | "td" | "th" | "pre" | "p" | "li" | "code" => {
            return false;
        }
        // A list of three or more short links and hardly anything else.
        "ul" | "ol" => {
            return measure.links >= 3
                && measure.linked * 100 >= measure.mass * LINK_SHARE
                && measure.linked / measure.links < SHORT_LINK
                && !within(&["article", "main", "li", "td"]);
        }
        _ => {}
    }
    if ROLES.contains(&attr(node, "role").as_str()) {
        return true;
    }
    let names = format!("{} {}", attr(node, "class"), attr(node, "id")).to_ascii_lowercase();
    names.split(|character: char| !character.is_ascii_alphanumeric()).any(|word| WORDS.contains(&word))
        && !measure.has_title
        && !measure.has_container
}
