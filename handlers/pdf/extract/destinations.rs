//! Where in a document an outline item leads: direct, named and structure destinations, `GoTo` actions.

use super::tree;
use hayro_syntax::{
    Pdf,
    object::{Array, Dict, MaybeRef, Name, Object, ObjectIdentifier, String as PdfString},
    xref::XRef,
};
use std::collections::{HashMap, HashSet};

/// The most nodes of the tree of names that are read.
const MAX_NODES: usize = 20_000;
/// The most named destinations that are kept.
const MAX_NAMES: usize = 200_000;
/// How far below a structure element its page is looked for.
const MAX_DEPTH: usize = 32;

/// Knows the pages and the names of a document.
pub(super) struct Destinations<'a> {
    pages: HashMap<ObjectIdentifier, u32>,
    count: u32,
    catalog: Dict<'a>,
    xref: &'a XRef,
    names: Option<HashMap<Vec<u8>, u32>>,
}

// === impl Destinations ===

impl<'a> Destinations<'a> {
    /// Numbers the pages of `pdf`.
    pub(super) fn new(pdf: &'a Pdf, catalog: Dict<'a>) -> Self {
        let mut pages = HashMap::new();
        let mut count = 0;
        for page in pdf.pages().iter() {
            count += 1;
            if let Some(id) = page.raw().obj_id() {
                pages.entry(id).or_insert(count);
            }
        }
        Self { pages, count, catalog, xref: pdf.xref(), names: None }
    }

    /// The page, from 1, that an outline item leads to.
    pub(super) fn page_of_item(&mut self, item: &Dict<'a>) -> Option<u32> {
        if let Some(destination) = item.get::<Object<'a>>(b"Dest") {
            return self.page(destination).or_else(|| self.page_of_element(item));
        }
        let Some(action) = item.get::<Dict<'a>>(b"A") else { return self.page_of_element(item) };
        if &*action.get::<Name<'_>>(b"S")? != b"GoTo" {
            return None;
        }
        let page = action.get::<Object<'a>>(b"D").and_then(|destination| self.page(destination));
        page.or_else(|| {
            let destination = action.get::<Array<'a>>(b"SD")?;
            self.page_with_element(destination.iter::<Dict<'a>>().next()?)
        })
    }

    /// The page of the structure element that an outline item names.
    fn page_of_element(&self, item: &Dict<'a>) -> Option<u32> {
        self.page_with_element(tree::child(self.xref, item, b"SE")?)
    }

    /// The page on which a structure element begins: its own, or that of its first child.
    fn page_with_element(&self, mut element: Dict<'a>) -> Option<u32> {
        for _ in 0..MAX_DEPTH {
            if let Some(page) = element.get_ref(b"Pg") {
                return self.pages.get(&page.into()).copied();
            }
            element = match element.get::<Array<'a>>(b"K") {
                Some(_) => tree::children(self.xref, &element, b"K", 1).pop()?,
                None => tree::child(self.xref, &element, b"K")?,
            };
        }
        None
    }

    fn page(&mut self, destination: Object<'a>) -> Option<u32> {
        match destination {
            Object::Name(name) => self.named(&name),
            Object::String(name) => self.named(name.as_bytes()),
            other => self.explicit(&other),
        }
    }

    /// The page of an array, or of a dictionary that holds one.
    fn explicit(&self, destination: &Object<'a>) -> Option<u32> {
        let array = match destination {
            Object::Array(array) => array.clone(),
            Object::Dict(dict) => dict.get::<Array<'a>>(b"D")?,
            _ => return None,
        };
        match array.raw_iter().next()? {
            MaybeRef::Ref(reference) => self.pages.get(&reference.into()).copied(),
            // A number is meant for other files, and found in their own all the same.
            MaybeRef::NotRef(Object::Number(number)) => {
                let page = u32::try_from(number.as_i64()).ok()?.checked_add(1)?;
                (page <= self.count).then_some(page)
            }
            MaybeRef::NotRef(_) => None,
        }
    }

    fn named(&mut self, name: &[u8]) -> Option<u32> {
        if self.names.is_none() {
            self.names = Some(self.read_names());
        }
        self.names.as_ref()?.get(name).copied()
    }

    fn read_names(&self) -> HashMap<Vec<u8>, u32> {
        let mut names = HashMap::new();
        if let Some(dests) = self.catalog.get::<Dict<'a>>(b"Dests") {
            for name in dests.keys().take(MAX_NAMES) {
                if let Some(page) = dests.get::<Object<'a>>(&*name).and_then(|found| self.explicit(&found)) {
                    names.insert(name.to_vec(), page);
                }
            }
        }
        let root = self.catalog.get::<Dict<'a>>(b"Names").and_then(|names| names.get::<Dict<'a>>(b"Dests"));
        let mut waiting: Vec<Dict<'a>> = root.into_iter().collect();
        let mut seen = HashSet::new();
        let mut budget = MAX_NODES;
        while let Some(node) = waiting.pop() {
            if budget == 0 || names.len() >= MAX_NAMES {
                break;
            }
            budget -= 1;
            if !seen.insert(node.data().as_ptr()) {
                continue;
            }
            if let Some(pairs) = node.get::<Array<'a>>(b"Names") {
                let mut items = pairs.iter::<Object<'a>>();
                while let (Some(name), Some(value)) = (items.next(), items.next()) {
                    if let (Some(name), Some(page)) = (name.into_string(), self.explicit(&value)) {
                        names.entry(PdfString::as_bytes(&name).to_vec()).or_insert(page);
                    }
                }
            }
            let free = MAX_NODES.saturating_sub(waiting.len());
            waiting.extend(tree::children(self.xref, &node, b"Kids", free));
        }
        names
    }
}
