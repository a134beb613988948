//! Listings: text set on the raster of a typewriter, whose columns are spaces and no table.

use super::super::rows::Row;

/// Glyphs are equally wide within this share of their width.
const SAME: f32 = 0.02;
/// A gap is whole characters wide within this share of a character.
const WHOLE: f32 = 0.04;
/// Fewer gaps say nothing.
const MIN_GAPS: usize = 4;

/// Whether all glyphs of `rows` are equally wide and stand at whole multiples of that width.
pub(super) fn is_listing<'a>(rows: impl Iterator<Item = &'a Row> + Clone) -> bool {
    let segments = rows.clone().flat_map(|row| &row.segments);
    let mut widths: Vec<f32> =
        segments.flat_map(|segment| &segment.placed).filter(|one| !one.blank).map(|one| one.u1 - one.u0).collect();
    if widths.is_empty() {
        return false;
    }
    let middle = widths.len() / 2;
    let pitch = *widths.select_nth_unstable_by(middle, f32::total_cmp).1;
    let is_typed = |width: f32| (width - pitch).abs() <= SAME * pitch;
    if pitch <= 0.0 || widths.iter().filter(|width| is_typed(**width)).count() * 10 < widths.len() * 8 {
        return false;
    }
    let (mut gaps, mut whole) = (0, 0);
    for row in rows {
        let mut last: Option<f32> = None;
        for one in row.segments.iter().flat_map(|segment| &segment.placed).filter(|one| !one.blank) {
            let this = is_typed(one.u1 - one.u0).then_some(one.u0);
            if let (Some(before), Some(after)) = (last, this) {
                let step = (after - before) / pitch;
                if step > 1.5 {
                    gaps += 1;
                    whole += usize::from((step - step.round()).abs() <= WHOLE);
                }
            }
            last = this;
        }
    }
    gaps >= MIN_GAPS && whole * 10 >= gaps * 8
}
