//! The widths of glyphs that a font dictionary gives. Lengths are thousandths of an em.

use hayro_syntax::object::{Array, Dict, Object};

/// The most entries of one table.
const MAX_ENTRIES: usize = 200_000;

/// The widths of one-byte codes.
#[derive(Debug)]
pub(super) struct Widths {
    first: usize,
    given: Vec<f32>,
    missing: f32,
}

/// The metrics of character identifiers, `N` numbers each.
#[derive(Debug, Default)]
pub(super) struct CidMetrics<const N: usize> {
    /// First and last identifier, and where in `values` the first one's metrics stand.
    entries: Vec<(u32, u32, u32, bool)>,
    values: Vec<[f32; N]>,
}

// === impl Widths ===

impl Widths {
    /// Reads `Widths`. None when the font has none.
    pub(super) fn read(font: &Dict<'_>, descriptor: &Dict<'_>) -> Option<Self> {
        let first = usize::try_from(font.get::<i64>(b"FirstChar").unwrap_or(0)).unwrap_or(0);
        let given: Vec<f32> = font.get::<Array<'_>>(b"Widths")?.iter::<f32>().take(256).collect();
        Some(Self { first, given, missing: descriptor.get::<f32>(b"MissingWidth").unwrap_or(0.0) })
    }

    /// The width of a code.
    pub(super) fn get(&self, code: u32) -> f32 {
        (code as usize).checked_sub(self.first).and_then(|n| self.given.get(n)).copied().unwrap_or(self.missing)
    }
}

// === impl CidMetrics ===

impl<const N: usize> CidMetrics<N> {
    /// Reads `W` (one number each) or `W2` (three).
    pub(super) fn read(array: &Array<'_>) -> Self {
        let mut metrics = Self::default();
        let mut items = array.iter::<Object<'_>>();
        while let (Some(first), Some(second)) = (items.next(), items.next()) {
            if metrics.values.len() >= MAX_ENTRIES {
                break;
            }
            let Some(first) = identifier(first) else { continue };
            let at = metrics.values.len() as u32;
            if let Object::Array(list) = second {
                let mut numbers = list.iter::<f32>().take(MAX_ENTRIES);
                while let Some(values) = take(&mut numbers) {
                    metrics.values.push(values);
                }
                let count = metrics.values.len() as u32 - at;
                if count > 0 {
                    metrics.entries.push((first, first.saturating_add(count - 1), at, false));
                }
            } else {
                let Some(last) = identifier(second) else { continue };
                let mut numbers = items.by_ref().filter_map(Object::into_f32);
                let Some(values) = take(&mut numbers) else { break };
                metrics.values.push(values);
                metrics.entries.push((first, last, at, true));
            }
        }
        metrics.entries.sort_by_key(|entry| entry.0);
        metrics
    }

    /// The metrics of an identifier.
    pub(super) fn get(&self, cid: u32) -> Option<[f32; N]> {
        let end = self.entries.partition_point(|entry| entry.0 <= cid);
        // Entries may overlap; the last one that begins before is right in all sound files.
        let &(first, last, at, same) = self.entries[..end].iter().rev().take(4).find(|entry| entry.1 >= cid)?;
        debug_assert!(first <= last || same);
        self.values.get(at as usize + if same { 0 } else { (cid - first) as usize }).copied()
    }
}

fn identifier(object: Object<'_>) -> Option<u32> {
    u32::try_from(object.into_number()?.as_i64()).ok()
}

fn take<const N: usize>(numbers: &mut impl Iterator<Item = f32>) -> Option<[f32; N]> {
    let mut values = [0.0; N];
    for value in &mut values {
        *value = numbers.next()?;
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayro_syntax::object::FromBytes as _;

    #[test]
    fn widths_of_identifiers_are_read_in_both_forms() {
        let array = Array::from_bytes(b"[10 [1 2 3] 20 29 500 5 [7]]").unwrap();
        let widths = CidMetrics::<1>::read(&array);
        let get = |cid| widths.get(cid).map(|[width]| width);
        assert_eq!((get(10), get(12), get(13)), (Some(1.0), Some(3.0), None));
        assert_eq!((get(20), get(29), get(30), get(5)), (Some(500.0), Some(500.0), None, Some(7.0)));
    }

    #[test]
    fn a_range_of_all_identifiers_takes_no_room() {
        let array = Array::from_bytes(b"[0 4294967295 500 1 [] 3]").unwrap();
        let widths = CidMetrics::<1>::read(&array);
        assert_eq!((widths.values.len(), widths.get(77)), (1, Some([500.0])));
    }
}
