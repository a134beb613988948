//! Optional content: which layers of a document are off.

use hayro_syntax::{
    object::{Array, Dict, Name, ObjectIdentifier},
    xref::XRef,
};
use std::collections::HashSet;

/// The most layers that are looked at.
const MAX_LAYERS: usize = 20_000;

/// The layers that are off when a document is opened.
#[derive(Debug, Default)]
pub(in super::super) struct Layers {
    off: HashSet<ObjectIdentifier>,
}

// === impl Layers ===

impl Layers {
    /// Reads the default configuration of a document.
    pub(in super::super) fn read(xref: &XRef) -> Self {
        let mut layers = Self::default();
        let catalog = xref.get::<Dict<'_>>(xref.root_id());
        let Some(properties) = catalog.and_then(|catalog| catalog.get::<Dict<'_>>(b"OCProperties")) else {
            return layers;
        };
        let Some(config) = properties.get::<Dict<'_>>(b"D") else { return layers };
        let is_off = config.get::<Name<'_>>(b"BaseState").is_some_and(|state| &*state == b"OFF");
        let list =
            |dict: &Dict<'_>, key: &[u8]| dict.get::<Array<'_>>(key).map(|array| members(&array)).unwrap_or_default();
        if is_off {
            layers.off.extend(list(&properties, b"OCGs"));
        }
        for layer in list(&config, b"ON") {
            layers.off.remove(&layer);
        }
        layers.off.extend(list(&config, b"OFF"));
        layers
    }

    /// Whether what belongs to `key` of `owner`, a layer or a membership dictionary, is shown.
    pub(super) fn shows(&self, owner: &Dict<'_>, key: &[u8]) -> bool {
        if self.off.is_empty() {
            return true;
        }
        let Some(dict) = owner.get::<Dict<'_>>(key) else { return true };
        if dict.get::<Name<'_>>(b"Type").is_some_and(|kind| &*kind == b"OCMD") {
            return self.shows_member(&dict);
        }
        owner.get_ref(key).is_none_or(|object| !self.off.contains(&object.into()))
    }

    fn shows_member(&self, membership: &Dict<'_>) -> bool {
        let layers = match membership.get::<Array<'_>>(b"OCGs") {
            Some(array) => members(&array),
            None => membership.get_ref(b"OCGs").map(ObjectIdentifier::from).into_iter().collect(),
        };
        let off = |layer: &ObjectIdentifier| self.off.contains(layer);
        if layers.is_empty() {
            return true;
        }
        match membership.get::<Name<'_>>(b"P").as_deref() {
            Some(b"AllOn") => !layers.iter().any(off),
            Some(b"AnyOff") => layers.iter().any(off),
            Some(b"AllOff") => layers.iter().all(off),
            _ => !layers.iter().all(off),
        }
    }
}

fn members(array: &Array<'_>) -> Vec<ObjectIdentifier> {
    let objects = array.raw_iter().take(MAX_LAYERS);
    objects.filter_map(|item| item.as_obj_ref()).map(ObjectIdentifier::from).collect()
}
