//! Rebuilds a file whose catalog, page tree, objects or cross-reference table are lost.
//!
//! Every `N G obj` that is left is listed anew, objects in object streams are written out, damaged dictionaries are
//! written again as far as they can be read, contents that no page names become pages, and a new catalog and page tree
//! stand at the end. All of that is appended to the file, which is not copied.

mod contents;
mod mend;
mod scan;
mod survey;
#[cfg(test)]
mod tests;
mod unpack;
mod write;

use super::streams::{self, Budget};
use contents::Shown;
use hayro_syntax::{
    Pdf, PdfData,
    object::{Dict, MaybeRef, Object, ObjectIdentifier},
    page::Page,
};
use scan::Offsets;
use std::{fmt::Write as _, sync::Arc};
use survey::Survey;

/// The most pages whose fonts are looked for.
const MAX_PAGES: usize = 2_000;
/// The most bytes that mended objects may add.
const MAX_MENDED: usize = 64 << 20;
/// The paper of a page that has lost its own.
const SHEET: &str = "[0 0 612 792]";
/// What shows a text whose font is lost: the codes that most fonts share, and the ligatures of TeX.
const FONT: &str = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Type/Encoding\
    /BaseEncoding/WinAnsiEncoding/Differences[11/ff/fi/fl/ffi/ffl]>>>>";

/// Opens the bytes of a file.
pub(super) type Opener<'a> = &'a dyn Fn(PdfData) -> Option<Pdf>;

/// A file that grows behind its own bytes.
struct Rebuild<'a> {
    open: Opener<'a>,
    file: Vec<u8>,
    objects: Offsets,
    /// Entries of the old trailer and the old catalog.
    trailer: Vec<u8>,
    catalog: String,
}

/// Rebuilds `file` and opens it; none when there is no page in it. `with_orphans`: contents that no page names become
/// pages.
pub(super) fn rebuild(file: Vec<u8>, with_orphans: bool, open: Opener<'_>) -> (Option<Pdf>, Arc<Vec<u8>>) {
    let mut rebuild = Rebuild { open, objects: scan::scan(&file), trailer: Vec::new(), catalog: String::new(), file };
    let kids = rebuild.work(with_orphans).unwrap_or_default();
    if kids.is_empty() {
        return (None, Arc::new(rebuild.file));
    }
    rebuild.tail(&kids);
    let shared = Arc::new(rebuild.file);
    (open(PdfData::from(shared.clone())), shared)
}

/// For whoever throws bytes at it.
#[cfg(any(test, feature = "fuzzing"))]
pub(super) fn mend(bytes: &[u8]) {
    let _ = mend::object(bytes);
}

fn id(number: u32, generation: u16) -> ObjectIdentifier {
    ObjectIdentifier::new(number, i32::from(generation))
}

// === impl Rebuild ===

impl Rebuild<'_> {
    /// What the page tree has to list.
    fn work(&mut self, with_orphans: bool) -> Option<Vec<(u32, u16)>> {
        if self.objects.is_empty() {
            return None;
        }
        let mut trailers = write::trailers(&self.file);
        self.trailer = trailers.pop()?;
        // The right one is the one that opens.
        while !trailers.is_empty() && self.look(&[], |_, _| ()).is_none() {
            self.trailer = trailers.pop()?;
        }
        let length = self.file.len();
        // What is cut off in the middle of a stream ends there.
        self.file.extend_from_slice(b"\nendstream\nendobj\n");
        self.mend()?;
        let packed = self.look(&[], |pdf, objects| unpack::read(pdf, objects, length))?;
        unpack::write(packed, &mut self.file, &mut self.objects);
        let survey = self.look(&[], |pdf, objects| survey::survey(pdf, objects, length, with_orphans))?;
        self.catalog.clone_from(&survey.catalog);
        for (number, generation, text) in &survey.trees {
            write::object(&mut self.file, &mut self.objects, *number, *generation, text.as_bytes());
        }
        let kids = self.pages(&survey);
        // A second time for the fonts that the nearest resources don't have.
        for _ in 0..if kids.is_empty() { 0 } else { 2 } {
            self.fonts(&survey, &kids)?;
        }
        Some(kids)
    }

    fn tail(&mut self, kids: &[(u32, u16)]) {
        write::tail(&mut self.file, &self.objects, kids, &self.catalog, &self.trailer);
    }

    /// Opens the file as it stands, with a page tree of `kids`.
    fn look<T>(&mut self, kids: &[(u32, u16)], work: impl FnOnce(&Pdf, &Offsets) -> T) -> Option<T> {
        let length = self.file.len();
        self.tail(kids);
        let shared = Arc::new(std::mem::take(&mut self.file));
        let done = (self.open)(PdfData::from(shared.clone())).map(|pdf| work(&pdf, &self.objects));
        self.file = Arc::try_unwrap(shared).ok()?;
        self.file.truncate(length);
        done
    }

    /// Writes the objects anew that can't be read.
    fn mend(&mut self) -> Option<()> {
        let broken = self.look(&[], |pdf, objects| {
            let is_broken = |number, generation| match pdf.xref().get::<Object<'_>>(id(number, generation)) {
                None => true,
                // A stream whose word `stream` is damaged looks like this.
                Some(Object::Dict(dict)) => dict.contains_key(b"Length") && !dict.contains_key(b"V"),
                Some(_) => false,
            };
            let broken = objects.iter().filter(|(number, (_, generation))| is_broken(**number, *generation));
            broken.map(|(&number, &(at, generation))| (number, at, generation)).collect::<Vec<_>>()
        })?;
        let mut starts: Vec<usize> = self.objects.values().map(|(at, _)| *at).collect();
        starts.sort_unstable();
        let limit = self.file.len() + MAX_MENDED;
        let end = self.file.len();
        for (number, at, generation) in broken {
            let next = starts.partition_point(|start| *start <= at);
            let region = &self.file[at..starts.get(next).copied().unwrap_or(end)];
            let head = memchr::memmem::find(&region[..region.len().min(32)], b"obj").map_or(0, |at| at + 3);
            if let Some(object) = mend::object(&region[head..])
                && self.file.len() + object.len() < limit
            {
                write::object(&mut self.file, &mut self.objects, number, generation, &object);
            }
        }
        Some(())
    }

    /// The pages in their order; contents without a page get one.
    fn pages(&mut self, survey: &Survey) -> Vec<(u32, u16)> {
        let mut pages: Vec<(bool, usize, u32, u16)> =
            survey.roots().into_iter().map(|(at, number, generation)| (false, at, number, generation)).collect();
        // Where a tree gives the order of the rest, what it doesn't hold comes last.
        let last = survey.has_tree();
        for &(at, number, generation) in &survey.orphans {
            let page = write::free(&self.objects);
            let body = format!("<</Type/Page/MediaBox{SHEET}/Contents {number} {generation} R>>");
            write::object(&mut self.file, &mut self.objects, page, 0, body.as_bytes());
            pages.push((last, at, page, 0));
        }
        pages.sort_unstable();
        pages.into_iter().map(|(_, _, number, generation)| (number, generation)).collect()
    }

    /// Gives pages the fonts that they have lost.
    fn fonts(&mut self, survey: &Survey, kids: &[(u32, u16)]) -> Option<()> {
        let fallback = write::free(&self.objects);
        let length = self.file.len();
        let pages = self.look(kids, |pdf, objects| {
            let budget = Budget::new(length);
            let pages = pdf.pages().iter().take(MAX_PAGES);
            pages.filter_map(|page| renewed(page, survey, objects, &budget, fallback)).collect::<Vec<_>>()
        })?;
        if pages.is_empty() {
            return Some(());
        }
        write::object(&mut self.file, &mut self.objects, fallback, 0, FONT.as_bytes());
        for (number, generation, body) in pages {
            write::object(&mut self.file, &mut self.objects, number, generation, body.as_bytes());
        }
        Some(())
    }
}

/// The page with resources that have all fonts it shows text with; none when it has them.
fn renewed(
    page: &Page<'_>,
    survey: &Survey,
    objects: &Offsets,
    budget: &Budget,
    fallback: u32,
) -> Option<(u32, u16, String)> {
    let number = page.raw().obj_id()?;
    let &(at, generation) = objects.get(&number.obj_number)?;
    let content = streams::content(page, &budget.page())?;
    let used = contents::fonts(&content);
    let held = &page.resources().fonts;
    let is_lost = |name: &[u8]| held.get::<Dict<'_>>(name).is_none();
    if used.keys().all(|name| !is_lost(name)) {
        return None;
    }
    let near = page
        .raw()
        .get_ref(b"Contents")
        .and_then(|content| objects.get(&content.obj_number))
        .map_or(at, |known| known.0);
    let best = survey.resources_for(&used, near).filter(|_| used.keys().all(|name| is_lost(name)));
    let resources = best.map_or_else(
        || with_fonts(page, used.iter().filter(|(name, _)| is_lost(name)), survey, fallback),
        |best| String::from_utf8_lossy(best.text()).into_owned(),
    );
    let mut body = String::from("<<");
    for (key, entry) in page.raw().entries().filter(|(key, _)| key.as_ref() != b"Resources") {
        let _ = write!(body, "{key} {} ", value(entry));
    }
    let _ = write!(body, "/Resources {resources}>>");
    Some((number.obj_number, generation, body))
}

/// The resources of the page, with the `lost` fonts where another page knows them or others can stand in.
fn with_fonts<'a>(
    page: &Page<'_>,
    lost: impl Iterator<Item = (&'a Vec<u8>, &'a Shown)>,
    survey: &Survey,
    fallback: u32,
) -> String {
    let mut text = String::from("<</Font<<");
    for (name, font) in page.resources().fonts.entries() {
        let _ = write!(text, "{name} {} ", value(font));
    }
    for (name, shown) in lost {
        let (number, generation) = match survey.fonts.get(name).copied().flatten() {
            Some(known) => known,
            None if shown.is_common() => (fallback, 0),
            None => continue,
        };
        let _ = write!(text, "/{} {number} {generation} R ", String::from_utf8_lossy(name));
    }
    text.push_str(">>");
    if let Some(own) = page.raw().get::<Dict<'_>>(b"Resources") {
        for (key, entry) in own.entries().filter(|(key, _)| key.as_ref() != b"Font") {
            let _ = write!(text, "{key} {} ", value(entry));
        }
    }
    text.push_str(">>");
    text
}

fn value(value: MaybeRef<Object<'_>>) -> String {
    match value {
        MaybeRef::Ref(reference) => reference.to_string(),
        MaybeRef::NotRef(object) => object.to_string(),
    }
}
