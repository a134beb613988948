//! Steps through trees and chains of dictionaries.
//!
//! A dictionary that is reached through another one carries the way to it, and refuses to go in circles; a chain of
//! thousands of siblings then costs their number squared. References are looked up from the start here, so whoever
//! walks keeps track of where it was.

use hayro_syntax::{
    object::{Array, Dict, MaybeRef, Object},
    xref::XRef,
};

/// The dictionary under `key`.
pub(super) fn child<'a>(xref: &'a XRef, dict: &Dict<'a>, key: &[u8]) -> Option<Dict<'a>> {
    match dict.get_ref(key) {
        Some(reference) => xref.get(reference.into()),
        None => dict.get(key),
    }
}

/// The dictionaries in the array under `key`, at most `limit`.
pub(super) fn children<'a>(xref: &'a XRef, dict: &Dict<'a>, key: &[u8], limit: usize) -> Vec<Dict<'a>> {
    let Some(array) = dict.get::<Array<'a>>(key) else { return Vec::new() };
    let items = array.raw_iter().take(limit);
    items
        .filter_map(|item| match item {
            MaybeRef::Ref(reference) => xref.get(reference.into()),
            MaybeRef::NotRef(Object::Dict(dict)) => Some(dict),
            MaybeRef::NotRef(_) => None,
        })
        .collect()
}
