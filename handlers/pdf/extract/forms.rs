//! What form fields say where nothing draws it.

use super::{
    streams::{self, PageBudget},
    strings,
};
use hayro_syntax::object::{Array, Dict, Name, Object, String as PdfString};

/// How far up a field's parents are asked for what it inherits.
const MAX_PARENTS: usize = 16;
/// The most choices of a list that are looked through.
const MAX_CHOICES: usize = 2000;
/// A box that is ticked.
const TICKED: &str = "[x]";

const PASSWORD: u32 = 1 << 13;
const PUSH_BUTTON: u32 = 1 << 16;

/// A field with what it inherits.
#[derive(Default)]
struct Field<'a> {
    kind: Option<Vec<u8>>,
    flags: Option<u32>,
    value: Option<Object<'a>>,
    choices: Option<Array<'a>>,
}

/// What a viewer would write into a widget; none for what is empty, off or secret.
pub(super) fn value(widget: &Dict<'_>, budget: &PageBudget<'_>) -> Option<String> {
    let field = Field::of(widget);
    let flags = field.flags.unwrap_or(0);
    let text = match field.kind.as_deref()? {
        b"Tx" if flags & PASSWORD == 0 => text(field.value?, budget)?,
        b"Ch" => field.chosen()?,
        b"Btn" if flags & PUSH_BUTTON == 0 => {
            // One value counts for all buttons of a group: the state tells this one from the others.
            let state = widget.get::<Name<'_>>(b"AS").or_else(|| field.value?.into_name())?;
            (&*state != b"Off").then(|| TICKED.to_owned())?
        }
        _ => return None,
    };
    (!text.trim().is_empty()).then_some(text)
}

fn text(value: Object<'_>, budget: &PageBudget<'_>) -> Option<String> {
    match value {
        Object::String(text) => Some(strings::decode(text.as_bytes())),
        Object::Stream(stream) => Some(strings::decode(&streams::decoded(&stream, budget)?)),
        _ => None,
    }
}

// === impl Field ===

impl<'a> Field<'a> {
    fn of(widget: &Dict<'a>) -> Self {
        let mut field = Self::default();
        let mut node = widget.clone();
        for _ in 0..MAX_PARENTS {
            field.kind = field.kind.or_else(|| node.get::<Name<'_>>(b"FT").map(|kind| kind.to_vec()));
            field.flags = field.flags.or_else(|| node.get::<u32>(b"Ff"));
            field.value = field.value.or_else(|| node.get::<Object<'a>>(b"V"));
            field.choices = field.choices.or_else(|| node.get::<Array<'a>>(b"Opt"));
            match node.get::<Dict<'a>>(b"Parent") {
                Some(parent) => node = parent,
                None => break,
            }
        }
        field
    }

    /// The chosen items of a list as they are shown, one a line.
    fn chosen(self) -> Option<String> {
        let values = match self.value? {
            Object::Array(several) => {
                several.iter::<PdfString<'_>>().take(MAX_CHOICES).map(|text| text.as_bytes().to_vec()).collect()
            }
            Object::String(one) => vec![one.as_bytes().to_vec()],
            _ => return None,
        };
        // A choice may be a pair: the value, and what is shown for it.
        let pairs = self.choices.into_iter().flat_map(|choices| choices.iter::<Array<'a>>().take(MAX_CHOICES));
        let shown: std::collections::HashMap<Vec<u8>, Vec<u8>> = pairs
            .filter_map(|pair| {
                let mut pair = pair.iter::<PdfString<'_>>();
                Some((pair.next()?.as_bytes().to_vec(), pair.next()?.as_bytes().to_vec()))
            })
            .collect();
        let texts = values.iter().map(|value| strings::decode(shown.get(value).unwrap_or(value)));
        Some(texts.collect::<Vec<_>>().join("\n"))
    }
}
