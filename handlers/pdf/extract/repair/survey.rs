//! Looks through the objects of a damaged file for its pages.

use super::{
    super::streams::{self, Budget},
    contents, id,
    scan::Offsets,
    value,
};
use hayro_syntax::{
    Pdf,
    object::{Array, Dict, MaybeRef, Name, Object, Stream},
};
use std::{
    collections::{BTreeMap, HashSet},
    fmt::Write as _,
};

/// The most contents without a page that become pages.
const MAX_ORPHANS: usize = 2_000;
/// The most resources that are compared, and the fonts they are compared by.
const MAX_COMPARED: usize = 2_000;
const MAX_COMPARED_FONTS: usize = 16;
/// The longest resources that are copied.
const MAX_RESOURCES: usize = 1 << 16;

/// Resources that a content may have had.
pub(super) struct Resources {
    at: usize,
    fonts: HashSet<Vec<u8>>,
    /// As a value of a dictionary.
    text: Vec<u8>,
}

/// What is left of a document's pages.
#[derive(Default)]
pub(super) struct Survey {
    /// The tops of page trees, and pages without one: where, number, generation.
    roots: Vec<(bool, usize, u32, u16)>,
    /// Nodes of page trees whose kids are not the right ones, written anew: number, generation, text.
    pub(super) trees: Vec<(u32, u16, String)>,
    /// Contents that no page names.
    pub(super) orphans: Vec<(usize, u32, u16)>,
    /// The entries of the catalog, but its pages.
    pub(super) catalog: String,
    pub(super) resources: Vec<Resources>,
    /// The fonts by their names, where all resources agree.
    pub(super) fonts: BTreeMap<Vec<u8>, Option<(u32, i32)>>,
}

/// A node of a page tree.
struct Tree {
    at: usize,
    generation: u16,
    parent: Option<u32>,
    kids: Vec<(u32, i32)>,
    /// Its other entries.
    entries: String,
}

/// A page: where, generation, parent.
type PageAt = (usize, u16, Option<u32>);

/// What was found on the way.
#[derive(Default)]
struct Found {
    trees: BTreeMap<u32, Tree>,
    pages: BTreeMap<u32, PageAt>,
    named: HashSet<u32>,
    candidates: Vec<(usize, u32, u16)>,
}

/// Surveys `objects`; contents without a page only where `with_orphans`.
pub(super) fn survey(pdf: &Pdf, objects: &Offsets, length: usize, with_orphans: bool) -> Survey {
    let mut found = Found::default();
    let mut survey = Survey::default();
    for (&number, &(at, generation)) in objects {
        match pdf.xref().get::<Object<'_>>(id(number, generation)) {
            Some(Object::Dict(dict)) => survey.dictionary(&mut found, &dict, (at, number, generation)),
            Some(Object::Stream(stream)) if may_be_content(stream.dict()) => {
                found.candidates.push((at, number, generation));
            }
            _ => {}
        }
    }
    let Found { trees, pages, named, candidates } = found;
    survey.plant(&trees, &pages);
    if with_orphans {
        let budget = Budget::new(length);
        let orphans = candidates.into_iter().filter(|(_, number, generation)| {
            !named.contains(number)
                && pdf
                    .xref()
                    .get::<Stream<'_>>(id(*number, *generation))
                    .and_then(|stream| streams::decoded(&stream, &budget.page()))
                    .is_some_and(|content| contents::is_content(&content))
        });
        survey.orphans = orphans.take(MAX_ORPHANS).collect();
    }
    survey
}

/// Whether a stream has nothing that contents don't have.
fn may_be_content(dict: &Dict<'_>) -> bool {
    [
        &b"Type"[..],
        b"Subtype",
        b"N",
        b"First",
        b"W",
        b"Length1",
        b"Length2",
        b"Length3",
        b"Width",
        b"BBox",
        b"FunctionType",
    ]
    .iter()
    .all(|key| !dict.contains_key(key))
}

// === impl Survey ===

impl Survey {
    /// Sorts trees and pages into tops and what hangs below them. A page that its tree has lost goes where the order
    /// of the file puts it; what is no page leaves the tree.
    fn plant(&mut self, trees: &BTreeMap<u32, Tree>, pages: &BTreeMap<u32, PageAt>) {
        let listed: HashSet<u32> = trees.values().flat_map(|tree| &tree.kids).map(|kid| kid.0).collect();
        let mut lost: BTreeMap<u32, Vec<(usize, u32, u16)>> = BTreeMap::new();
        for (&number, &(at, generation, parent)) in pages.iter().filter(|(number, _)| !listed.contains(number)) {
            match parent.filter(|parent| trees.contains_key(parent)) {
                Some(parent) => lost.entry(parent).or_default().push((at, number, generation)),
                None => self.roots.push((false, at, number, generation)),
            }
        }
        for (&number, tree) in trees {
            let is_held = tree.parent.is_some_and(|parent| parent != number && trees.contains_key(&parent));
            if !listed.contains(&number) && !is_held {
                self.roots.push((true, tree.at, number, tree.generation));
            }
            let known = |kid: &(u32, i32)| pages.contains_key(&kid.0) || trees.contains_key(&kid.0);
            let kids: Vec<(u32, i32)> = tree.kids.iter().copied().filter(known).collect();
            let mut missing = lost.remove(&number).unwrap_or_default();
            missing.sort_unstable();
            if kids.len() == tree.kids.len() && missing.is_empty() {
                continue;
            }
            let place = |kid: u32| pages.get(&kid).map(|page| page.0).or_else(|| trees.get(&kid).map(|tree| tree.at));
            let mut missing =
                missing.into_iter().map(|(at, page, generation)| (at, (page, generation.into()))).peekable();
            let mut ordered = Vec::new();
            for kid in kids {
                while let Some((_, page)) = missing.next_if(|(at, _)| place(kid.0).is_some_and(|kid| *at < kid)) {
                    ordered.push(page);
                }
                ordered.push(kid);
            }
            ordered.extend(missing.map(|(_, page)| page));
            let mut text = format!("<<{}/Kids[", tree.entries);
            for (kid, generation) in ordered {
                let _ = write!(text, "{kid} {generation} R ");
            }
            text.push_str("]>>");
            self.trees.push((number, tree.generation, text));
        }
    }

    /// The tops and the loose pages, in the order of the file.
    pub(super) fn roots(&self) -> Vec<(usize, u32, u16)> {
        let mut roots: Vec<_> =
            self.roots.iter().map(|&(_, at, number, generation)| (at, number, generation)).collect();
        roots.sort_unstable();
        roots
    }

    /// Whether some of the order of pages is known.
    pub(super) fn has_tree(&self) -> bool {
        self.roots.iter().any(|(is_tree, ..)| *is_tree)
    }

    /// The resources with most of `fonts`; of several the nearest to `at`.
    pub(super) fn resources_for(&self, fonts: &BTreeMap<Vec<u8>, contents::Shown>, at: usize) -> Option<&Resources> {
        let shared = |resources: &Resources| {
            fonts.keys().take(MAX_COMPARED_FONTS).filter(|name| resources.fonts.contains(*name)).count()
        };
        let best =
            self.resources.iter().max_by_key(|resources| (shared(resources), usize::MAX - resources.at.abs_diff(at)));
        best.filter(|resources| shared(resources) > 0)
    }

    fn dictionary(&mut self, found: &mut Found, dict: &Dict<'_>, (at, number, generation): (usize, u32, u16)) {
        let kind = dict.get::<Name<'_>>(b"Type");
        let kind = kind.as_deref();
        let has = |key: &[u8]| dict.contains_key(key);
        let parent = dict.get_ref(b"Parent").map(|parent| parent.obj_number);
        if has(b"Kids") && (kind == Some(b"Pages") || (has(b"Count") && !has(b"First") && kind.is_none())) {
            let kids = dict.get::<Array<'_>>(b"Kids").into_iter().flat_map(|kids| kids.raw_iter());
            let kids = kids.filter_map(|kid| match kid {
                MaybeRef::Ref(kid) if kid.obj_number != number => Some((kid.obj_number, kid.gen_number)),
                _ => None,
            });
            let mut entries = String::new();
            for (key, entry) in dict.entries().filter(|(key, _)| key.as_ref() != b"Kids") {
                let _ = write!(entries, "{key} {} ", value(entry));
            }
            found.trees.insert(number, Tree { at, generation, parent, kids: kids.collect(), entries });
        } else if kind == Some(b"Page")
            || (has(b"Contents") && (has(b"MediaBox") || has(b"Resources")) && !has(b"Subtype"))
        {
            found.pages.insert(number, (at, generation, parent));
            found.named.extend(contents_of(dict));
        }
        if kind == Some(b"Catalog") {
            // The last one counts, as after an update.
            self.catalog.clear();
            for (key, entry) in dict.entries().filter(|(key, _)| !matches!(key.as_ref(), b"Pages" | b"Type")) {
                let _ = write!(self.catalog, "{key} {} ", value(entry));
            }
        }
        if let Some(resources) = dict.get::<Dict<'_>>(b"Resources") {
            let text = match dict.get_ref(b"Resources") {
                Some(reference) => reference.to_string().into_bytes(),
                None => resources.data().to_vec(),
            };
            self.add_resources(&resources, at, text);
        } else if has(b"Font") && kind.is_none() {
            self.add_resources(dict, at, format!("{number} {generation} R").into_bytes());
        } else if kind.is_none() && is_font_map(dict) {
            self.add_fonts(dict, at, format!("<</Font {number} {generation} R>>").into_bytes());
        }
    }

    fn add_resources(&mut self, resources: &Dict<'_>, at: usize, text: Vec<u8>) {
        if let Some(fonts) = resources.get::<Dict<'_>>(b"Font") {
            self.add_fonts(&fonts, at, text);
        }
    }

    fn add_fonts(&mut self, fonts: &Dict<'_>, at: usize, text: Vec<u8>) {
        if text.len() > MAX_RESOURCES || self.resources.len() >= MAX_COMPARED {
            return;
        }
        for name in fonts.keys().filter(|name| fonts.get::<Dict<'_>>(name.as_ref()).is_some()) {
            let reference = fonts.get_ref(name.as_ref()).map(|font| (font.obj_number, font.gen_number));
            self.fonts
                .entry(name.as_ref().to_vec())
                .and_modify(|known| *known = known.filter(|known| Some(*known) == reference))
                .or_insert(reference);
        }
        let fonts = fonts.keys().map(|name| name.as_ref().to_vec()).collect();
        self.resources.push(Resources { at, fonts, text });
    }
}

// === impl Resources ===

impl Resources {
    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }
}

/// The numbers of the streams of a page.
fn contents_of(page: &Dict<'_>) -> Vec<u32> {
    let mut numbers: Vec<u32> = page.get_ref(b"Contents").map(|one| one.obj_number).into_iter().collect();
    if let Some(parts) = page.get::<Array<'_>>(b"Contents") {
        numbers.extend(parts.raw_iter().filter_map(|part| match part {
            MaybeRef::Ref(part) => Some(part.obj_number),
            MaybeRef::NotRef(_) => None,
        }));
    }
    numbers
}

/// Whether every value is a font.
fn is_font_map(dict: &Dict<'_>) -> bool {
    !dict.is_empty()
        && dict.len() <= 256
        && dict.keys().all(|name| {
            dict.get::<Dict<'_>>(name.as_ref())
                .is_some_and(|font| font.get::<Name<'_>>(b"Type").as_deref() == Some(b"Font"))
        })
}
