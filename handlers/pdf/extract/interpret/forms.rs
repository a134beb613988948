//! What is drawn as a whole: forms, images, and the appearances of annotations.

use super::{Content, Interpreter, streams};
use hayro_font::kurbo::{Affine, Rect};
use hayro_syntax::object::{Array, Dict, Name, Object, Rect as PdfRect, Stream};
use hayro_syntax::page::{Page, Resources};

/// How deep forms may stand within forms.
const MAX_DEPTH: usize = 28;
/// The most forms that one page draws.
const MAX_FORMS: usize = 20_000;
/// The most annotations of one page whose appearance is drawn.
const MAX_ANNOTATIONS: usize = 20_000;

const HIDDEN: u32 = 1 << 1;
const NO_VIEW: u32 = 1 << 5;

impl<'a> Interpreter<'_, 'a> {
    /// `Do`.
    pub(super) fn object(&mut self, name: &[u8], resources: &Resources<'a>) {
        if !self.marks.is_shown() {
            return;
        }
        let Some(stream) = resources.x_objects.get::<Stream<'a>>(name) else { return };
        let dict = stream.dict();
        let Some(kind) = dict.get::<Name<'_>>(b"Subtype") else { return };
        match &*kind {
            b"Image" if self.layers.shows(dict, b"OC") => self.image(),
            b"Form" => self.form(&stream, resources),
            _ => {}
        }
    }

    /// An image fills the unit square.
    pub(super) fn image(&mut self) {
        if !self.marks.is_shown() {
            return;
        }
        let rect = self.states.now.transform.transform_rect_bbox(Rect::new(0.0, 0.0, 1.0, 1.0));
        self.sheet.image(rect);
        // A picture of text: its replacement stands where the picture stands.
        if let Some(text) = self.marks.caption(self.sheet.len()) {
            self.sheet.caption(text, rect, self.marks.content());
        }
    }

    /// Draws the appearances of a page's annotations.
    pub(super) fn annotations(&mut self, page: &Page<'a>) {
        let Some(annotations) = page.raw().get::<Array<'a>>(b"Annots") else { return };
        for annotation in annotations.iter::<Dict<'a>>().take(MAX_ANNOTATIONS) {
            self.annotation(&annotation, page.resources());
        }
    }

    fn annotation(&mut self, annotation: &Dict<'a>, resources: &Resources<'a>) {
        if annotation.get::<u32>(b"F").unwrap_or(0) & (HIDDEN | NO_VIEW) != 0 {
            return;
        }
        let Some(appearance) = appearance(annotation) else { return };
        let Some(place) = annotation.get::<PdfRect>(b"Rect") else { return };
        let Some(bounds) = bounds(&appearance) else { return };
        let bounds = matrix(&appearance).transform_rect_bbox(bounds);
        // The appearance is stretched to the place of the annotation.
        let (x, y) = ((place.x1 - place.x0) / bounds.width(), (place.y1 - place.y0) / bounds.height());
        let fit = Affine::new([x, 0.0, 0.0, y, place.x0 - x * bounds.x0, place.y0 - y * bounds.y0]);
        let floor = self.states.depth();
        self.states.save();
        self.states.now.transform *= fit;
        self.form(&appearance, resources);
        self.states.restore(floor);
    }

    fn form(&mut self, form: &Stream<'a>, resources: &Resources<'a>) {
        let dict = form.dict();
        let Some(bounds) = bounds(form) else { return };
        if self.depth >= MAX_DEPTH || self.forms >= MAX_FORMS || !self.layers.shows(dict, b"OC") {
            return;
        }
        let Some(data) = streams::drawing(form, self.budget) else { return };
        self.forms += 1;
        self.depth += 1;
        self.path.clear();
        let floor = self.states.depth();
        self.states.save();
        let state = &mut self.states.now;
        state.transform *= matrix(form);
        state.clip_to(state.transform.transform_rect_bbox(bounds));
        let own = dict.get::<Dict<'a>>(b"Resources").map(Resources::new);
        self.run(&Content { data: &data, resources: own.as_ref().unwrap_or(resources), is_page: false });
        self.states.restore(floor);
        self.depth -= 1;
    }
}

fn appearance<'a>(annotation: &Dict<'a>) -> Option<Stream<'a>> {
    match annotation.get::<Dict<'a>>(b"AP")?.get::<Object<'a>>(b"N")? {
        Object::Stream(stream) => Some(stream),
        Object::Dict(states) => {
            let state = annotation.get::<Name<'a>>(b"AS");
            state.and_then(|state| states.get::<Stream<'a>>(state)).or_else(|| states.get::<Stream<'a>>(b"Off"))
        }
        _ => None,
    }
}

fn bounds(form: &Stream<'_>) -> Option<Rect> {
    let [x0, y0, x1, y1] = form.dict().get::<[f64; 4]>(b"BBox")?;
    Some(Rect::new(x0.min(x1), y0.min(y1), x0.max(x1), y0.max(y1)))
}

fn matrix(form: &Stream<'_>) -> Affine {
    form.dict().get::<[f64; 6]>(b"Matrix").map_or(Affine::IDENTITY, Affine::new)
}
