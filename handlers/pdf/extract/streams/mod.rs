//! Decodes the streams of a document: what is broken gives what comes before the break, and what would grow without
//! end is cut off.
//!
//! The library decodes a stream whole, whatever its size, and drops all of it when a part is bad in most filters. So
//! text is decoded here: each stream, each page and the document have a bound of their own ([`Budget`]).

mod ascii;
mod budget;
mod flate;
#[cfg(any(test, feature = "fuzzing"))]
pub(super) mod fuzz;
mod inflate;
mod instructions;
mod lzw;
mod predictor;
#[cfg(test)]
mod tests;
mod values;

pub(super) use budget::{Budget, PageBudget};
pub(super) use values::Values;

use hayro_syntax::{
    Filter,
    object::{Array, Dict, MaybeRef, Object, Stream},
    page::Page,
};
use predictor::Predictor;
use std::borrow::Cow;

/// The most filters that one stream may go through.
const MAX_FILTERS: usize = 8;
/// The most streams that make up a page.
const MAX_PARTS: usize = 10_000;

/// The data of a stream behind its filters; what was decoded before a break or the end of the budget when there is
/// one. None for an image, for an external file, and for more filters than anyone needs.
pub(super) fn decoded<'a>(stream: &Stream<'a>, budget: &PageBudget<'_>) -> Option<Cow<'a, [u8]>> {
    Some(read(stream, budget)?.0)
}

/// The same for a stream of instructions: of a damaged one only those that have what they need.
pub(super) fn drawing<'a>(stream: &Stream<'a>, budget: &PageBudget<'_>) -> Option<Cow<'a, [u8]>> {
    let (data, is_damaged) = read(stream, budget)?;
    Some(if is_damaged { Cow::Owned(instructions::clean(&data)) } else { data })
}

/// The content of a page: its streams, with a space after each.
pub(super) fn content<'a>(page: &Page<'a>, budget: &PageBudget<'_>) -> Option<Cow<'a, [u8]>> {
    let dict = page.raw();
    if let Some(stream) = dict.get::<Stream<'a>>(b"Contents") {
        return drawing(&stream, budget);
    }
    let parts = dict.get::<Array<'a>>(b"Contents")?;
    let mut content = Vec::new();
    for part in parts.raw_iter().take(MAX_PARTS) {
        // A part that is not there must not end the list.
        let stream = match part {
            MaybeRef::Ref(reference) => page.xref().get::<Stream<'a>>(reference.into()),
            MaybeRef::NotRef(object) => object.into_stream(),
        };
        if let Some(part) = stream.and_then(|stream| drawing(&stream, budget)) {
            content.extend_from_slice(&part);
            content.push(b' ');
        }
    }
    Some(Cow::Owned(content))
}

/// How many bytes `data` gives, counted up to `most`.
pub(super) fn measure(data: &[u8], is_flate: bool, most: usize) -> usize {
    if is_flate { flate::measure(data, most) } else { lzw::decode(data, true, most).len() }
}

/// The data behind the filters, and whether it is damaged.
fn read<'a>(stream: &Stream<'a>, budget: &PageBudget<'_>) -> Option<(Cow<'a, [u8]>, bool)> {
    let dict = stream.dict();
    if matches!(dict.get::<Object<'_>>(b"F"), Some(Object::String(_) | Object::Dict(_))) {
        return None;
    }
    let filters = stream.filters();
    if filters.len() > MAX_FILTERS {
        return None;
    }
    let mut data = stream.raw_data();
    let mut is_damaged = false;
    for (n, filter) in filters.iter().enumerate() {
        let room = budget.room();
        let next = match filter {
            Filter::Crypt if n == 0 => continue,
            Filter::FlateDecode => {
                let (inflated, broken) = budget.search(|tries| flate::decode(&data, room, tries));
                is_damaged |= broken;
                Predictor::of(&parameters(dict, n)).undo(inflated)
            }
            Filter::LzwDecode => {
                let parameters = parameters(dict, n);
                let early = parameters.get::<i32>(b"EarlyChange").is_none_or(|early| early != 0);
                Predictor::of(&parameters).undo(lzw::decode(&data, early, room))
            }
            Filter::Ascii85Decode => ascii::base_85(&data, room),
            Filter::AsciiHexDecode => ascii::hex(&data, room),
            Filter::RunLengthDecode => ascii::run_length(&data, room),
            _ => return None,
        };
        budget.spend(next.len());
        data = Cow::Owned(next);
    }
    if filters.is_empty()
        && let Some(inflated) = flate::sniff(&data, budget.room())
    {
        budget.spend(inflated.len());
        data = Cow::Owned(inflated);
    }
    Some((data, is_damaged))
}

/// The parameters of the filter at `n`.
fn parameters<'a>(dict: &Dict<'a>, n: usize) -> Dict<'a> {
    let of = |key: &[u8]| match dict.get::<Object<'a>>(key) {
        Some(Object::Dict(one)) if n == 0 => Some(one),
        Some(Object::Array(several)) => several.iter::<Object<'a>>().nth(n).and_then(Object::into_dict),
        _ => None,
    };
    of(b"DecodeParms").or_else(|| of(b"DP")).unwrap_or_default()
}
