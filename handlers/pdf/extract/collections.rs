//! Embedded CID fonts of a character collection (Adobe-Japan1 and its sisters) that come without a `ToUnicode` map.
//!
//! The interpreter reads the collection's map only for fonts that are not embedded, and tells a device no more than the
//! font's name. So the font dictionaries that a page can reach are looked through for that name, once per page at most.

use hayro_interpret::{
    font::OutlineFontData,
    hayro_cmap::{self, BfString, CMap, CMapName, CidFamily},
};
use hayro_syntax::{
    object::{Array, Dict, Name, Object, Stream, String as PdfString},
    page::Resources,
};
use std::collections::{HashMap, HashSet};

/// The most resource dictionaries that are looked through for one page.
const MAX_RESOURCES: usize = 200;

/// The fonts of known collections, by name.
#[derive(Default)]
pub(super) struct Collections<'a> {
    fonts: HashMap<String, Option<Cid>>,
    /// Of the resources that were looked through: the data of their fonts.
    seen: HashSet<&'a [u8]>,
    maps: HashMap<&'static [u8], Option<std::rc::Rc<CMap>>>,
}

struct Cid {
    encoding: CMap,
    characters: std::rc::Rc<CMap>,
}

// === impl Collections ===

impl<'a> Collections<'a> {
    /// The characters of `code` in `font`, which a page with `resources` draws.
    pub(super) fn lookup(&mut self, font: &OutlineFontData, code: u32, resources: &Resources<'a>) -> Option<BfString> {
        let name = font.postscript_name.as_deref()?;
        if !self.fonts.contains_key(name) {
            self.look_through(resources);
        }
        let font = self.fonts.entry(name.to_owned()).or_default().as_ref()?;
        let cid = (1..=4).find_map(|len| font.encoding.lookup_cid_code(code, len))?;
        font.characters.lookup_bf_string(cid)
    }

    fn look_through(&mut self, resources: &Resources<'a>) {
        let mut waiting = vec![resources.clone()];
        let mut budget = MAX_RESOURCES;
        while let Some(resources) = waiting.pop() {
            if budget == 0 {
                return;
            }
            budget -= 1;
            if self.seen.insert(resources.fonts.data()) {
                for name in resources.fonts.keys() {
                    if let Some(font) = resources.fonts.get::<Dict<'_>>(&*name) {
                        self.add(&font);
                    }
                }
            }
            for name in resources.x_objects.keys() {
                let form = resources.x_objects.get::<Stream<'a>>(&*name);
                let inner = form.and_then(|form| form.dict().get::<Dict<'a>>(b"Resources"));
                let fonts = inner.as_ref().and_then(|inner| inner.get::<Dict<'a>>(b"Font")).unwrap_or_default();
                if let Some(inner) = inner.filter(|_| !self.seen.contains(fonts.data())) {
                    waiting.push(Resources::new(inner));
                }
            }
        }
    }

    fn add(&mut self, font: &Dict<'_>) {
        let Some(name) = font.get::<Name<'_>>(b"BaseFont") else { return };
        let name = match name.as_str().split_once('+') {
            Some((prefix, rest)) if prefix.len() == 6 => rest.to_owned(),
            _ => name.as_str().to_owned(),
        };
        if font.contains_key(b"ToUnicode") || self.fonts.get(&name).is_some_and(Option::is_some) {
            return;
        }
        let found = self.read(font);
        self.fonts.insert(name, found);
    }

    fn read(&mut self, font: &Dict<'_>) -> Option<Cid> {
        let encoding = match font.get::<Object<'_>>(b"Encoding")? {
            Object::Name(name) => match &*name {
                b"Identity-H" => CMap::identity_h(),
                b"Identity-V" => CMap::identity_v(),
                name => CMap::parse(hayro_cmap::load_embedded(CMapName::from_bytes(name))?, hayro_cmap::load_embedded)?,
            },
            Object::Stream(stream) => CMap::parse(&stream.decoded_data().ok()?, hayro_cmap::load_embedded)?,
            _ => return None,
        };
        let descendant = font.get::<Array<'_>>(b"DescendantFonts")?.iter::<Dict<'_>>().next()?;
        let family = encoding
            .metadata()
            .character_collection
            .as_ref()
            .map(|collection| collection.family.clone())
            .filter(|family| *family != CidFamily::AdobeIdentity)
            .or_else(|| {
                let info = descendant.get::<Dict<'_>>(b"CIDSystemInfo")?;
                let registry = info.get::<PdfString<'_>>(b"Registry")?;
                let ordering = info.get::<PdfString<'_>>(b"Ordering")?;
                Some(CidFamily::from_registry_ordering(registry.as_bytes(), ordering.as_bytes()))
            })?;
        let name = family.ucs2_cmap()?;
        let characters = self
            .maps
            .entry(map_key(&family))
            .or_insert_with(|| {
                CMap::parse(hayro_cmap::load_embedded(name)?, hayro_cmap::load_embedded).map(std::rc::Rc::new)
            })
            .clone()?;
        Some(Cid { encoding, characters })
    }
}

fn map_key(family: &CidFamily) -> &'static [u8] {
    match family {
        CidFamily::AdobeJapan1 => b"japan",
        CidFamily::AdobeGB1 => b"gb",
        CidFamily::AdobeCNS1 => b"cns",
        CidFamily::AdobeKorea1 => b"korea",
        CidFamily::AdobeIdentity | CidFamily::Custom { .. } => b"",
    }
}
