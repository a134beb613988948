//! The structure tree of a tagged PDF: which content of a page is read after which, and replacement texts.
//!
//! Programs write wrong trees as easily as right ones. So the tree only says which of the regions that the layout found
//! is read first, and only when it agrees with what can be seen of them.

use super::{
    glyph::{Glyph, Text},
    rows::Row,
    strings, tree,
};
use hayro_syntax::{
    object::{Array, Dict, MaybeRef, Name, Object, ObjectIdentifier, String as PdfString},
    page::Page,
    xref::XRef,
};
use std::collections::{HashMap, HashSet};

/// The most elements and content numbers of a tree that are read.
const MAX_NODES: usize = 400_000;
/// The most regions of a page that are brought into another order.
const MAX_REGIONS: usize = 64;
/// The share of glyphs, in percent, that the tree has to know.
const COVERED: usize = 90;

/// The structure trees of the pages.
#[derive(Debug, Default)]
pub(super) struct Structure {
    pages: HashMap<ObjectIdentifier, PageOrder>,
    /// Replacement texts.
    texts: Vec<Text>,
}

/// What the tree says of one page.
#[derive(Debug, Default)]
pub(super) struct PageOrder {
    /// The place in the order of reading, by the number of the content.
    ranks: HashMap<i32, u32>,
    /// Content with a replacement text: which one.
    replaced: HashMap<i32, u32>,
}

/// What waits to be read: a child, the page and the replacement text that it inherits.
struct Waiting<'a> {
    kid: Kid<'a>,
    page: Option<ObjectIdentifier>,
    text: Option<u32>,
}

enum Kid<'a> {
    Content(i32),
    Element(Dict<'a>),
}

/// What the tree says of the place of a region.
struct Place {
    first: u32,
    last: u32,
    /// From the left, and to the right.
    across: [f32; 2],
    top: f32,
}

// === impl Structure ===

impl Structure {
    /// Reads the tree of a document that says it is tagged, and not that it is in doubt.
    pub(super) fn read(xref: &XRef) -> Self {
        let mut structure = Self::default();
        let catalog = xref.get::<Dict<'_>>(xref.root_id()).unwrap_or_default();
        let marks = catalog.get::<Dict<'_>>(b"MarkInfo").unwrap_or_default();
        let is_trusted = marks.get::<bool>(b"Marked") == Some(true) && marks.get::<bool>(b"Suspects") != Some(true);
        if is_trusted && let Some(root) = tree::child(xref, &catalog, b"StructTreeRoot") {
            structure.walk(xref, root);
        }
        structure
    }

    /// What the tree says of `page`.
    pub(super) fn page(&self, page: &Page<'_>) -> Option<&PageOrder> {
        self.pages.get(&page.raw().obj_id()?)
    }

    /// Puts the replacement texts of a page in the place of its glyphs.
    pub(super) fn replace(&self, order: &PageOrder, glyphs: &mut Vec<Glyph>) {
        order.replace(&self.texts, glyphs);
    }

    fn walk<'a>(&mut self, xref: &'a XRef, root: Dict<'a>) {
        let mut waiting = vec![Waiting { kid: Kid::Element(root), page: None, text: None }];
        let mut seen = HashSet::new();
        let mut budget = MAX_NODES;
        let mut rank = 0;
        while let Some(Waiting { kid, page, text }) = waiting.pop() {
            if budget == 0 {
                // Half a tree is no order.
                self.pages.clear();
                return;
            }
            budget -= 1;
            match kid {
                Kid::Content(number) => {
                    rank += 1;
                    let Some(page) = page else { continue };
                    let order = self.pages.entry(page).or_default();
                    order.ranks.entry(number).or_insert(rank);
                    if let Some(text) = text {
                        order.replaced.insert(number, text);
                    }
                }
                Kid::Element(element) => {
                    // Where it stands in memory names an element: a loop comes back to the same place.
                    if !seen.insert(element.data().as_ptr()) {
                        continue;
                    }
                    let page = element.get_ref(b"Pg").map(Into::into).or(page);
                    if let Some(number) = element.get::<i32>(b"MCID") {
                        // The content of a form has numbers of its own.
                        if number >= 0 && !element.contains_key(b"Stm") {
                            waiting.push(Waiting { kid: Kid::Content(number), page, text });
                        }
                        continue;
                    }
                    if element.get::<Name<'_>>(b"Type").is_some_and(|kind| &*kind == b"OBJR") {
                        continue;
                    }
                    let actual = element.get::<PdfString<'_>>(b"ActualText").filter(|_| text.is_none());
                    let text = match actual.and_then(|actual| strings::line(actual.as_bytes())) {
                        Some(actual) => {
                            self.texts.push(Text::new(&actual));
                            u32::try_from(self.texts.len() - 1).ok()
                        }
                        None => text,
                    };
                    let kids = kids(xref, &element, budget.saturating_sub(waiting.len()));
                    waiting.extend(kids.into_iter().rev().map(|kid| Waiting { kid, page, text }));
                }
            }
        }
    }
}

/// The children of an element, at most `limit`.
fn kids<'a>(xref: &'a XRef, element: &Dict<'a>, limit: usize) -> Vec<Kid<'a>> {
    let kid = |object: MaybeRef<Object<'a>>| match object {
        MaybeRef::Ref(reference) => xref.get(reference.into()).map(Kid::Element),
        MaybeRef::NotRef(Object::Dict(dict)) => Some(Kid::Element(dict)),
        MaybeRef::NotRef(Object::Number(number)) => i32::try_from(number.as_i64()).ok().map(Kid::Content),
        MaybeRef::NotRef(_) => None,
    };
    match element.get::<Array<'a>>(b"K") {
        Some(several) => several.raw_iter().take(limit).filter_map(kid).collect(),
        None => element.get_raw::<Object<'a>>(b"K").into_iter().filter_map(kid).collect(),
    }
}

// === impl PageOrder ===

impl PageOrder {
    /// Puts replacement texts in the place of glyphs, where those stand on one line.
    fn replace(&self, texts: &[Text], glyphs: &mut Vec<Glyph>) {
        if self.replaced.is_empty() {
            return;
        }
        let group = |glyph: &Glyph| self.replaced.get(&glyph.content).copied();
        let mut carriers: HashMap<u32, usize> = HashMap::new();
        let mut spread = HashSet::new();
        for n in 0..glyphs.len() {
            let Some(group) = group(&glyphs[n]) else { continue };
            let first = &glyphs[*carriers.entry(group).or_insert(n)];
            let (dx, dy) = (glyphs[n].x - first.x, glyphs[n].y - first.y);
            if (dy * first.dir[0] - dx * first.dir[1]).abs() > first.size * 0.5 {
                spread.insert(group);
            }
        }
        carriers.retain(|group, _| !spread.contains(group));
        for n in 0..glyphs.len() {
            let Some(group) = group(&glyphs[n]) else { continue };
            let Some(&carrier) = carriers.get(&group) else { continue };
            if n == carrier {
                glyphs[n].text = texts[group as usize].clone();
                continue;
            }
            let (this, first) = (&glyphs[n], &glyphs[carrier]);
            let along = (this.x - first.x) * first.dir[0] + (this.y - first.y) * first.dir[1] + this.advance;
            glyphs[carrier].advance = glyphs[carrier].advance.max(along);
            glyphs[n].text = Text::Empty;
        }
        glyphs.retain(|glyph| glyph.text != Text::Empty);
    }

    /// Brings the regions of a frame into the order of the tree, or leaves them as they are where the tree is not to be
    /// trusted: when it knows too little of them, mixes them up, or jumps up within a column.
    pub(super) fn reorder(&self, regions: Vec<Vec<Row>>) -> Vec<Vec<Row>> {
        if !(2..=MAX_REGIONS).contains(&regions.len()) {
            return regions;
        }
        let (mut known, mut all) = (0, 0);
        let places: Vec<Option<Place>> = regions.iter().map(|rows| self.place(rows, &mut known, &mut all)).collect();
        if known * 100 < all * COVERED {
            return regions;
        }
        let mut ranked: Vec<&Place> = places.iter().flatten().collect();
        ranked.sort_by_key(|place| place.first);
        let is_wrong = ranked.windows(2).any(|pair| {
            let (one, next) = (pair[0], pair[1]);
            let shared = one.across[1].min(next.across[1]) - one.across[0].max(next.across[0]);
            let narrow = (one.across[1] - one.across[0]).min(next.across[1] - next.across[0]);
            next.first <= one.last || (shared > narrow * 0.5 && next.top < one.top)
        });
        if is_wrong {
            return regions;
        }
        // What the tree doesn't know stays at the top, at the bottom, or behind what it follows.
        let end = places.iter().rposition(Option::is_some).unwrap_or(0);
        let mut before = 0;
        let mut keyed: Vec<(u32, Vec<Row>)> = Vec::with_capacity(regions.len());
        for (n, (rows, place)) in regions.into_iter().zip(&places).enumerate() {
            before = match place {
                Some(place) => place.first,
                None if n > end => u32::MAX,
                None => before,
            };
            keyed.push((before, rows));
        }
        keyed.sort_by_key(|(key, _)| *key);
        keyed.into_iter().map(|(_, rows)| rows).collect()
    }

    fn place(&self, rows: &[Row], known: &mut usize, all: &mut usize) -> Option<Place> {
        let mut place: Option<Place> = None;
        for row in rows {
            for glyph in row.segments.iter().flat_map(|segment| &segment.placed).filter(|glyph| !glyph.blank) {
                *all += 1;
                let Some(&rank) = self.ranks.get(&glyph.content) else { continue };
                *known += 1;
                let [left, right] = [glyph.u0, glyph.u1];
                let place = place.get_or_insert(Place { first: rank, last: rank, across: [left, right], top: row.v });
                place.first = place.first.min(rank);
                place.last = place.last.max(rank);
                place.across = [place.across[0].min(left), place.across[1].max(right)];
            }
        }
        place
    }
}
