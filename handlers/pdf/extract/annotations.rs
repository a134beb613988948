//! Links of a page, and the text of annotations and form fields that have no appearance to draw.

use super::{
    attachments::{MAX_ATTACHMENTS, attachment},
    forms,
    glyph::{Glyph, Text},
    interpret, script,
    streams::PageBudget,
    strings,
};
use crate::{Link, pdf::wire::Attachment};
use hayro_font::kurbo::{self, Point};
use hayro_syntax::{
    object::{Array, Dict, Name, Rect, String as PdfString},
    page::Page,
};
use std::collections::HashSet;

/// The most annotations of one page that are read.
const MAX_ANNOTATIONS: usize = 20_000;
/// The most characters of one field or note.
const MAX_CHARS: usize = 20_000;
/// The most fields of a page whose value is compared with what is drawn.
const MAX_LOOKS: usize = 2000;
/// The longest link.
const MAX_LINK: usize = 4096;

/// What goes ahead of a note, which no reader would take for text of the page.
const NOTE: &str = "Note: ";

const HIDDEN: u32 = 1 << 1;
const NO_VIEW: u32 = 1 << 5;

/// What the annotations of a page hold besides text.
#[derive(Debug, Default)]
pub(super) struct Read {
    /// Targets of links, once each.
    pub(super) links: Vec<Link>,
    /// Files that annotations carry.
    pub(super) attachments: Vec<Attachment>,
}

/// Reads the annotations of a page: its links and files, and glyphs for texts that nothing draws.
pub(super) fn read(page: &Page<'_>, glyphs: &mut Vec<Glyph>, budget: &PageBudget<'_>) -> Read {
    let mut read = Read::default();
    let mut seen = HashSet::new();
    let drawn = glyphs.len();
    // Looking for what is drawn in a field goes through all of a page: a page of thousands of fields has to do without.
    let mut looks = MAX_LOOKS;
    let Some(annotations) = page.raw().get::<Array<'_>>(b"Annots") else { return read };
    for annotation in annotations.iter::<Dict<'_>>().take(MAX_ANNOTATIONS) {
        let Some(kind) = annotation.get::<Name<'_>>(b"Subtype") else { continue };
        if annotation.get::<u32>(b"F").unwrap_or(0) & (HIDDEN | NO_VIEW) != 0 {
            continue;
        }
        match &*kind {
            b"Link" => {
                if let Some(url) = target(&annotation)
                    && seen.insert(url.clone())
                {
                    read.links.push(Link { url, text: String::new() });
                }
            }
            // Its appearance may be missing, or drawn before the field was filled in.
            b"Widget" => {
                looks = looks.saturating_sub(1);
                if let Some(value) = forms::value(&annotation, budget)
                    && looks > 0
                    && is_empty(page, &annotation, &glyphs[..drawn])
                {
                    write(page, &annotation, &value, true, glyphs);
                }
            }
            // A note shows an icon; what it says is in its contents.
            b"Text" => {
                if let Some(text) = contents(&annotation) {
                    write(page, &annotation, &format!("{NOTE}{text}"), false, glyphs);
                }
            }
            b"FileAttachment" if read.attachments.len() < MAX_ATTACHMENTS => {
                let file = annotation.get::<Dict<'_>>(b"FS");
                read.attachments.extend(file.and_then(|file| attachment(&file, None)));
            }
            b"FreeText" if !annotation.contains_key(b"AP") => {
                if let Some(text) = contents(&annotation) {
                    write(page, &annotation, &text, false, glyphs);
                }
            }
            _ => {}
        }
    }
    read
}

fn target(annotation: &Dict<'_>) -> Option<String> {
    let action = annotation.get::<Dict<'_>>(b"A")?;
    if &*action.get::<Name<'_>>(b"S")? != b"URI" {
        return None;
    }
    let url = strings::line(action.get::<PdfString<'_>>(b"URI")?.as_bytes())?;
    (url.len() <= MAX_LINK && !url.contains(' ')).then_some(url)
}

fn contents(annotation: &Dict<'_>) -> Option<String> {
    let text = strings::decode(annotation.get::<PdfString<'_>>(b"Contents")?.as_bytes());
    (!text.trim().is_empty()).then_some(text)
}

/// Whether nothing is drawn in the rectangle of an annotation.
fn is_empty(page: &Page<'_>, annotation: &Dict<'_>, glyphs: &[Glyph]) -> bool {
    let Some(rect) = annotation.get::<Rect>(b"Rect") else { return false };
    let area = kurbo::Rect::new(rect.x0, rect.y0, rect.x1, rect.y1);
    let area = interpret::shown(page).transform_rect_bbox(area);
    !glyphs.iter().any(|glyph| {
        let middle = (f64::from(glyph.x) + f64::from(glyph.advance * glyph.dir[0]) / 2.0, f64::from(glyph.y) - 1.0);
        !glyph.text.is_blank() && area.contains(Point::from(middle))
    })
}

/// Sets `text` into the rectangle of an annotation, as a viewer would; when it `fits`, it stays within its width.
fn write(page: &Page<'_>, annotation: &Dict<'_>, text: &str, fits: bool, glyphs: &mut Vec<Glyph>) {
    let Some(rect) = annotation.get::<Rect>(b"Rect") else { return };
    let transform = interpret::shown(page);
    let lines: Vec<&str> = text.split(['\r', '\n']).map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let height = (rect.height() / lines.len().max(1) as f64).clamp(1.0, 14.0);
    let full = (height * 0.75).max(1.0);
    // One line stands in the middle, several begin at the top.
    let top = if lines.len() == 1 { f64::midpoint(rect.y0, rect.y1) + height / 2.0 } else { rect.y1 };
    let mut budget = MAX_CHARS;
    for (n, line) in lines.iter().enumerate() {
        let mut x = rect.x0 + 1.0;
        let y = top - height * (n as f64 + 0.8);
        let width: f64 = line.chars().take(budget).map(|c| full * 0.5 * script::weight(c) as f64).sum();
        let squeeze = if fits && width > rect.width() { (rect.width() / width).max(0.1) } else { 1.0 };
        // Letters that are much smaller than those beside the field would be no part of its line.
        let size = full * squeeze.max(0.6);
        for c in line.chars() {
            if budget == 0 {
                return;
            }
            budget -= 1;
            let advance = full * squeeze * 0.5 * script::weight(c) as f64;
            let (at, ahead) = (transform * Point::new(x, y), transform * Point::new(x + 1.0, y));
            let along = ahead - at;
            glyphs.push(Glyph {
                text: Text::Char(c),
                x: at.x as f32,
                y: at.y as f32,
                dir: [along.x as f32, along.y as f32],
                mirrored: false,
                advance: advance as f32,
                size: size as f32,
                face: 0,
                content: -1,
                unseen: false,
            });
            x += advance;
        }
    }
}
