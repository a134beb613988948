//! Looks through the objects of a damaged file for its pages.

use super::{
    super::streams::{self, Budget},
    contents, id,
    scan::Offsets,
};
use hayro_syntax::{
    Pdf,
    object::{Array, Dict, MaybeRef, Name, Object, Stream},
};
use std::collections::{BTreeMap, HashSet};

/// The most contents without a page that become pages.
const MAX_ORPHANS: usize = 2_000;
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
    /// Contents that no page names.
    pub(super) orphans: Vec<(usize, u32, u16)>,
    pub(super) resources: Vec<Resources>,
    /// The fonts by their names, where all resources agree.
    pub(super) fonts: BTreeMap<Vec<u8>, Option<(u32, i32)>>,
}

/// What was found on the way.
#[derive(Default)]
struct Found {
    trees: HashSet<u32>,
    kids: HashSet<u32>,
    pages: Vec<(usize, u32, u16, Option<u32>)>,
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
    let Found { trees, kids, pages, named, candidates } = found;
    for (at, number, generation, parent) in pages {
        let is_tree = trees.contains(&number);
        let is_held = parent.is_some_and(|parent| parent != number && trees.contains(&parent));
        // A tree is held by its parent, a page by the list of its parent, which may have lost it.
        let is_listed = kids.contains(&number) || (is_tree && is_held);
        if !is_listed {
            survey.roots.push((is_tree, at, number, generation));
        }
    }
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
        let shared = |resources: &Resources| fonts.keys().filter(|name| resources.fonts.contains(*name)).count();
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
            found.trees.insert(number);
            let kids = dict.get::<Array<'_>>(b"Kids").into_iter().flat_map(|kids| kids.raw_iter());
            found.kids.extend(kids.filter_map(|kid| match kid {
                MaybeRef::Ref(kid) if kid.obj_number != number => Some(kid.obj_number),
                _ => None,
            }));
            found.pages.push((at, number, generation, parent));
        } else if kind == Some(b"Page")
            || (has(b"Contents") && (has(b"MediaBox") || has(b"Resources")) && !has(b"Subtype"))
        {
            found.pages.push((at, number, generation, parent));
            found.named.extend(contents_of(dict));
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
        if text.len() > MAX_RESOURCES {
            return;
        }
        for name in fonts.keys() {
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
