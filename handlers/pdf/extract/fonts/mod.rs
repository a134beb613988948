//! The fonts of a document, as far as their text goes: characters, widths, and how they look.
//!
//! A font is read from its dictionary. Its program is loaded only when the dictionary leaves a code open.

mod characters;
mod collections;
mod composite;
mod disguised;
mod face;
mod oracle;
mod program;
mod simple;
mod slots;
mod tex;
mod to_unicode;
mod widths;

pub(super) use characters::{UNKNOWN, is_private};
pub(super) use slots::Slot;

use super::{glyph::Face, streams::Budget};
use collections::Collections;
use composite::Composite;
use hayro_syntax::object::{Array, Dict, FromBytes as _, MaybeRef, Name, ObjectIdentifier};
use simple::Simple;
use slots::Slots;
use std::{collections::HashMap, rc::Rc};

/// The most fonts of one document; past them the ones read so far are read anew when needed.
const MAX_FONTS: usize = 4096;
/// Stands in where a page names a font that isn't there.
const FALLBACK: &[u8] = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>";

/// The number of a font, for as long as [`Fonts::trim`] isn't called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FontId(u32);

/// The fonts that were read.
#[derive(Debug)]
pub(super) struct Fonts<'a> {
    list: Vec<Font<'a>>,
    numbers: HashMap<Key, Option<FontId>>,
    collections: Collections,
    fallback: Option<FontId>,
    budget: Rc<Budget>,
}

/// One font.
#[derive(Debug)]
pub(super) struct Font<'a> {
    kind: Kind<'a>,
    slots: Slots,
    face: Face,
}

#[derive(Debug)]
enum Kind<'a> {
    Simple(Box<Simple<'a>>),
    Composite(Box<Composite<'a>>),
}

/// What a font dictionary is known by: its object, or where it stands in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Object(ObjectIdentifier),
    Place(usize),
}

// === impl Fonts ===

impl<'a> Fonts<'a> {
    /// None yet; what their maps decode comes off `budget`.
    pub(super) fn new(budget: Rc<Budget>) -> Self {
        Self { list: Vec::new(), numbers: HashMap::new(), collections: Collections::default(), fallback: None, budget }
    }

    /// Forgets the fonts when there are too many of them. Their numbers mean nothing afterwards.
    pub(super) fn trim(&mut self) {
        if self.list.len() > MAX_FONTS {
            *self = Self::new(Rc::clone(&self.budget));
        }
    }

    /// The font that `fonts`, the resources of a page, call `name`. None when it can't be read.
    pub(super) fn named(&mut self, fonts: &Dict<'a>, name: &[u8]) -> Option<FontId> {
        match fonts.get_raw::<Dict<'a>>(name)? {
            MaybeRef::Ref(object) => {
                let key = Key::Object(object.into());
                if let Some(&known) = self.numbers.get(&key) {
                    return known;
                }
                let dict = fonts.get::<Dict<'a>>(name);
                self.read(key, dict.as_ref())
            }
            MaybeRef::NotRef(dict) => self.given(&dict),
        }
    }

    /// The font of a dictionary.
    pub(super) fn given(&mut self, dict: &Dict<'a>) -> Option<FontId> {
        // A dictionary within an object has that object's number, so that it tells nothing.
        let key = Key::Place(dict.data().as_ptr() as usize);
        match self.numbers.get(&key) {
            Some(&known) => known,
            None => self.read(key, Some(dict)),
        }
    }

    /// The font that stands in for one that isn't there.
    pub(super) fn fallback(&mut self) -> Option<FontId> {
        if self.fallback.is_none() {
            self.fallback = Dict::from_bytes(FALLBACK).and_then(|dict| self.add(&dict));
        }
        self.fallback
    }

    /// Whether a font's lines go down the page.
    pub(super) fn is_vertical(&self, font: FontId) -> bool {
        matches!(&self.get(font).kind, Kind::Composite(composite) if composite.is_vertical())
    }

    /// Whether a font's glyphs are drawn by operators.
    pub(super) fn is_type3(&self, font: FontId) -> bool {
        matches!(&self.get(font).kind, Kind::Simple(simple) if simple.is_type3())
    }

    /// How a font looks.
    pub(super) fn face(&self, font: FontId) -> Face {
        self.get(font).face
    }

    /// The code at the start of `bytes`, which is not empty, and its length.
    pub(super) fn code(&self, font: FontId, bytes: &[u8]) -> (u32, usize) {
        match &self.get(font).kind {
            Kind::Simple(_) => (u32::from(bytes[0]), 1),
            Kind::Composite(composite) => composite.code(bytes),
        }
    }

    /// What is known of a code.
    pub(super) fn slot(&mut self, font: FontId, code: u32, len: usize) -> &Slot {
        let font = &mut self.list[font.0 as usize];
        let number = if let Some(number) = font.slots.find(code, len) {
            number
        } else {
            let slot = match &mut font.kind {
                Kind::Simple(simple) => simple.slot((code & 0xFF) as u8),
                Kind::Composite(composite) => composite.slot(code, len, &mut self.collections),
            };
            font.slots.add(code, len, slot)
        };
        font.slots.get(number)
    }

    fn get(&self, font: FontId) -> &Font<'a> {
        &self.list[font.0 as usize]
    }

    fn read(&mut self, key: Key, dict: Option<&Dict<'a>>) -> Option<FontId> {
        let font = dict.and_then(|dict| self.add(dict));
        self.numbers.insert(key, font);
        font
    }

    fn add(&mut self, dict: &Dict<'a>) -> Option<FontId> {
        let mut descriptor = dict.get::<Dict<'a>>(b"FontDescriptor").unwrap_or_default();
        let budget = self.budget.page();
        if let Some(dict) = disguised::meant(dict, &descriptor).and_then(Dict::from_bytes) {
            return self.add(&dict);
        }
        let kind = if &*dict.get::<Name<'_>>(b"Subtype")? == b"Type0" {
            let descendant = dict.get::<Array<'a>>(b"DescendantFonts").and_then(|list| list.iter::<Dict<'a>>().next());
            descriptor = descendant.and_then(|font| font.get::<Dict<'a>>(b"FontDescriptor")).unwrap_or_default();
            Kind::Composite(Box::new(Composite::read(dict, &budget)?))
        } else {
            Kind::Simple(Box::new(Simple::read(dict, &descriptor, &budget)?))
        };
        self.list.push(Font { kind, slots: Slots::default(), face: face::face(dict, &descriptor) });
        Some(FontId(self.list.len() as u32 - 1))
    }
}
