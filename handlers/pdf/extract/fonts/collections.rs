//! The characters of the known collections of identifiers (Adobe-Japan1 and its sisters).

use hayro_cmap::{self, BfString, CMap, CidFamily};

/// Their maps, read when first asked for.
#[derive(Debug, Default)]
pub(super) struct Collections {
    maps: Vec<(CidFamily, Option<CMap>)>,
}

// === impl Collections ===

impl Collections {
    /// The characters of an identifier.
    pub(super) fn lookup(&mut self, family: &CidFamily, cid: u32) -> Option<BfString> {
        let name = family.ucs2_cmap()?;
        let at = self.maps.iter().position(|(known, _)| known == family).unwrap_or_else(|| {
            let data = hayro_cmap::load_embedded(name);
            let map = data.and_then(|data| CMap::parse(data, hayro_cmap::load_embedded));
            self.maps.push((family.clone(), map));
            self.maps.len() - 1
        });
        self.maps[at].1.as_ref()?.lookup_bf_string(cid)
    }
}
