//! Which part of a page is its content: three candidates and a vote.
//!
//! Readability finds articles and loses listings, forums and documentation; the containers that authors name
//! (`article`, `main`) are right where they exist; the cleaned body loses nothing and keeps too much. The candidate
//! that agrees best with the others wins, with a bias by the type of the page.

use super::{
    boilerplate,
    page::{Measure, Page, attr, is_any, mass, measure, texts, walk},
};
use dom_query::{Document, NodeId, NodeRef};
use dom_smoothie::{Config, Readability};
use std::collections::{HashMap, HashSet};

/// Readability isn't asked past this many nodes: it looks at subtrees again and again.
const MAX_NODES: usize = 50_000;

/// The same for text mass times depth, which bounds what it reads in doing so.
const MAX_WORK: usize = 40_000_000;

/// The agreement with another candidate that makes a candidate trustworthy.
const SUPPORT: f32 = 0.4;

/// Containers that authors name, in the order of how much the name promises.
const CONTAINERS: [&str; 6] = [
    "article",
    "main, [role=main]",
    "#content, #main, #main-content, #article, #bodyContent",
    "[itemprop=articleBody], [itemprop=mainEntity]",
    ".post-content, .entry-content, .article-content, .article-body, .post-body, .markdown-body",
    ".content, .main-content, .page-content",
];

/// How the content was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Readability,
    Container,
    Body,
}

/// What the address and the page's own description make of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageType {
    /// One text: an article, a page of documentation.
    Article,
    /// Many short texts: a forum, a listing, a shop.
    Collection,
    Unknown,
}

struct Candidate {
    method: Method,
    /// Which text nodes it has.
    texts: HashSet<NodeId>,
    words: HashMap<u64, u32>,
    count: u32,
}

/// Leaves only the content in the tree. Answers with how it was chosen, and which share of the body's text it has.
pub(super) fn choose(page: &Page, page_type: PageType) -> (Method, f32) {
    let Some(body) = page.body() else { return (Method::Body, 1.0) };
    let measures = measure(&body);
    let all = measures.get(&body.id).map_or(0, |measure| measure.mass);
    let left_out = boilerplate::find(&body, &measures);
    let whole = Candidate::new(Method::Body, &texts(&body, &left_out));
    let mut candidates = vec![whole];
    if let Some(container) = container(page, all, &measures) {
        candidates.push(Candidate::new(Method::Container, &texts(&container, &left_out)));
    }
    if let Some(article) = readability(page, &body) {
        candidates.push(Candidate::new(Method::Readability, &article));
    }
    let winner = vote(&candidates, page_type);
    let kept: usize = {
        let of_all = texts(&body, &HashSet::new());
        of_all.iter().filter(|node| winner.texts.contains(&node.id)).map(|node| mass(&node.text())).sum()
    };
    prune(&body, &winner.texts, &left_out, &measures);
    #[expect(clippy::cast_precision_loss, reason = "a share to two digits")]
    (winner.method, if all == 0 { 1.0 } else { kept as f32 / all as f32 })
}

/// The container that holds the text of the page, if one does.
fn container<'a>(page: &'a Page, all: usize, measures: &HashMap<NodeId, Measure>) -> Option<NodeRef<'a>> {
    for selector in CONTAINERS {
        let found = page.tree.select(selector);
        let masses: Vec<usize> =
            found.nodes().iter().map(|node| measures.get(&node.id).map_or(0, |measure| measure.mass)).collect();
        let Some((best, most)) = masses.iter().enumerate().max_by_key(|(at, most)| (**most, usize::MAX - at)) else {
            continue;
        };
        let sum: usize = masses.iter().sum();
        // Teasers of many articles are a listing.
        if *most >= 250 && most * 2 >= sum.min(all) && most * 10 >= all {
            return found.nodes().get(best).copied();
        }
    }
    None
}

/// The text nodes that Readability keeps.
fn readability<'a>(page: &'a Page, body: &NodeRef<'a>) -> Option<Vec<NodeRef<'a>>> {
    if work(body).is_none_or(|work| work > MAX_WORK) {
        return None;
    }
    let copy: Document = page.tree.clone();
    let config = Config { keep_classes: true, disable_json_ld: true, ..Config::default() };
    let mut readability = Readability::with_document(copy, None, Some(config)).ok()?;
    readability.parse().ok()?;
    // Nodes keep their ids through the copies, so what is left of the copy names the nodes of the original.
    let root = readability.doc.select_single("#readability-page-1").nodes().first().copied()?;
    let kept: HashSet<NodeId> = texts(&root, &HashSet::new()).iter().map(|node| node.id).collect();
    let original = texts(body, &HashSet::new());
    let article: Vec<_> = original.into_iter().filter(|node| kept.contains(&node.id)).collect();
    (!article.is_empty()).then_some(article)
}

/// The sum of text mass times depth. None for too many nodes.
fn work(body: &NodeRef<'_>) -> Option<usize> {
    let (mut nodes, mut work) = (0, 0);
    let mut depths: HashMap<NodeId, usize> = HashMap::new();
    walk(body, |node| {
        nodes += 1;
        let depth = node.parent().and_then(|parent| depths.get(&parent.id).copied()).unwrap_or_default() + 1;
        if node.is_text() {
            let text = node.text();
            // Readability writes its article out, and dom_query's serializer moves the rest of a text for every escape.
            let escapes = text.matches(['&', '<', '>', '\u{a0}']).count();
            work += depth * (text.len() + 16) + escapes * text.len() / 64;
        } else if nodes <= MAX_NODES {
            depths.insert(node.id, depth);
        }
        nodes <= MAX_NODES
    });
    (nodes <= MAX_NODES).then_some(work)
}

/// The candidate that has most in common with the others.
fn vote(candidates: &[Candidate], page_type: PageType) -> &Candidate {
    let score = |candidate: &Candidate| {
        let others = candidates.iter().filter(|other| other.method != candidate.method);
        let (sum, count) =
            others.fold((0.0, 0.0_f32), |(sum, count), other| (sum + candidate.agreement(other), count + 1.0));
        let bias = match (candidate.method, page_type) {
            (Method::Body, PageType::Collection) => 0.25,
            (Method::Body, PageType::Article) => -0.05,
            _ => 0.0,
        };
        sum / count.max(1.0) + bias
    };
    let mut best = &candidates[0];
    let mut most = score(best);
    for candidate in &candidates[1..] {
        let score = score(candidate);
        // Of two that agree only with each other, the more selective one.
        if score >= most - 0.001 {
            (best, most) = (candidate, score);
        }
    }
    // Where nobody agrees, losing nothing is better than guessing.
    let supported = candidates.iter().any(|other| other.method != best.method && best.agreement(other) >= SUPPORT);
    if supported { best } else { &candidates[0] }
}

/// Removes the texts that aren't `kept`, and what is empty without them. Images and rules stay beside kept text.
fn prune(body: &NodeRef<'_>, kept: &HashSet<NodeId>, left_out: &HashSet<NodeId>, measures: &HashMap<NodeId, Measure>) {
    let mut alive: HashSet<NodeId> = HashSet::new();
    let mut doomed = Vec::new();
    let mut order = Vec::new();
    walk(body, |node| {
        order.push(*node);
        !left_out.contains(&node.id)
    });
    for node in order.iter().rev() {
        let keeps =
            (node.is_text() && (kept.contains(&node.id) || node.text().trim().is_empty())) || alive.contains(&node.id);
        if keeps && let Some(parent) = node.parent().filter(|_| !node.is_text() || kept.contains(&node.id)) {
            alive.insert(parent.id);
        }
    }
    for node in &order {
        let beside = || node.ancestors_it(Some(3)).any(|up| up.id != body.id && alive.contains(&up.id));
        let keeps = if node.is_text() {
            kept.contains(&node.id) || node.text().trim().is_empty()
        } else {
            alive.contains(&node.id) || (is_any(node, &["img", "br", "hr", "input", "td", "th"]) && beside())
        };
        // A figure without a caption.
        let only_image = || measures.get(&node.id).is_some_and(|measure| measure.has_image && measure.mass == 0);
        let holds_image = || !left_out.contains(&node.id) && only_image() && beside();
        if !keeps && node.id != body.id && !holds_image() {
            doomed.push(*node);
        }
    }
    for node in doomed {
        node.remove_from_parent();
    }
}

// === impl Candidate ===

impl Candidate {
    fn new(method: Method, nodes: &[NodeRef<'_>]) -> Self {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut words: HashMap<u64, u32> = HashMap::new();
        let mut count = 0;
        for node in nodes {
            for word in
                node.text().split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty())
            {
                let mut hasher = DefaultHasher::new();
                word.hash(&mut hasher);
                *words.entry(hasher.finish()).or_default() += 1;
                count += 1;
            }
        }
        Self { method, texts: nodes.iter().map(|node| node.id).collect(), words, count }
    }

    /// The harmonic mean of the shares of words that two candidates have in common.
    fn agreement(&self, other: &Self) -> f32 {
        let common: u32 =
            self.words.iter().map(|(word, count)| other.words.get(word).map_or(0, |have| *have.min(count))).sum();
        #[expect(clippy::cast_precision_loss, reason = "a share to a few digits")]
        let share = 2.0 * common as f32 / (self.count + other.count).max(1) as f32;
        share
    }
}

// === impl PageType ===

impl PageType {
    /// Reads the type off the address, `og:type`, the types of JSON-LD and the generator.
    pub(super) fn of(page: &Page, og_type: &str, json_ld: &[serde_json::Value]) -> Self {
        let path = page.address.as_ref().map(|address| address.path().to_ascii_lowercase()).unwrap_or_default();
        let words: Vec<&str> = path.split(|character: char| !character.is_ascii_alphanumeric()).collect();
        let has = |names: &[&str]| words.iter().any(|word| names.contains(word));
        let types = json_ld.iter().filter_map(|data| data.get("@type").and_then(serde_json::Value::as_str));
        for kind in types.chain([og_type]) {
            match kind {
                "Product"
                | "ProductGroup"
                | "ItemList"
                | "CollectionPage"
                | "SearchResultsPage"
                | "DiscussionForumPosting"
                | "QAPage"
                | "product"
                | "product.group" => return Self::Collection,
                "Article" | "NewsArticle" | "BlogPosting" | "TechArticle" | "ScholarlyArticle" | "article" => {
                    return Self::Article;
                }
                _ => {}
            }
        }
        let generator =
            page.tree.select("meta[name=generator]").attr("content").unwrap_or_default().to_ascii_lowercase();
        if has(&[
            "forum",
            "forums",
            "thread",
            "threads",
            "viewtopic",
            "showthread",
            "product",
            "products",
            "shop",
            "category",
            "collections",
            "tag",
            "tags",
            "search",
        ]) || ["discourse", "phpbb", "xenforo", "vbulletin", "flarum"].iter().any(|name| generator.contains(name))
            || attr(&page.tree.html_root(), "class").contains("phpbb")
        {
            Self::Collection
        } else {
            Self::Unknown
        }
    }
}

// === impl Method ===

impl Method {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Readability => "readability",
            Self::Container => "container",
            Self::Body => "body",
        }
    }
}
