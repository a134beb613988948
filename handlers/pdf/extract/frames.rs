//! Glyphs that read in one direction, in a frame where that direction is level: `u` along the line, `v` down the page.
//! Pages and runs at any angle, and vertical writing, are laid out alike in it.

use super::glyph::{Glyph, Text};
use std::collections::HashMap;

/// A glyph in its frame.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    /// Its characters.
    pub(super) text: Text,
    /// Where it begins, along the line.
    pub(super) u0: f32,
    /// Where it ends: at least `u0`.
    pub(super) u1: f32,
    /// Its baseline.
    pub(super) v: f32,
    /// The size of the em.
    pub(super) size: f32,
    /// Its font.
    pub(super) face: u16,
    /// Whether it is white space.
    pub(super) blank: bool,
}

/// Divides the glyphs of a page by direction, the direction of the most glyphs first. Doubles (for bold) are dropped.
pub(super) fn frames(mut glyphs: Vec<Glyph>) -> Vec<Vec<Placed>> {
    turn_stacked(&mut glyphs);
    let mut frames: Vec<((i32, bool), Vec<Placed>)> = Vec::new();
    for glyph in glyphs {
        let angle = angle(&glyph);
        let key = (angle, glyph.mirrored);
        let placed = place(glyph, angle);
        // There are few directions, and the last one found is mostly the next one wanted.
        match frames.iter().rposition(|(known, _)| *known == key) {
            Some(at) => frames[at].1.push(placed),
            None if frames.len() < 64 => frames.push((key, vec![placed])),
            None => frames[0].1.push(placed),
        }
    }
    frames.sort_by_key(|(_, placed)| std::cmp::Reverse(placed.len()));
    frames.into_iter().map(|(_, placed)| without_doubles(placed)).collect()
}

/// Vertical writing that is set sign by sign in a font for level writing: turns it to what it is.
fn turn_stacked(glyphs: &mut [Glyph]) {
    let is_square = |glyph: &Glyph| {
        glyph.dir[0] > 0.99 && !glyph.mirrored && glyph.text.first().is_some_and(super::script::is_square)
    };
    // 1: the next one stands below, -1: beside.
    let step = |a: &Glyph, b: &Glyph| {
        let (across, down) = ((b.x - a.x) / a.size.max(0.1), (b.y - a.y) / a.size.max(0.1));
        if across.abs() < 0.15 && (0.6..2.2).contains(&down) {
            1
        } else {
            -i32::from(down.abs() < 0.15 && (0.3..2.2).contains(&across))
        }
    };
    let steps: Vec<i32> = glyphs
        .windows(2)
        .map(|pair| if is_square(&pair[0]) && is_square(&pair[1]) { step(&pair[0], &pair[1]) } else { 0 })
        .collect();
    let stacked = steps.iter().filter(|&&step| step > 0).count();
    let level = steps.iter().filter(|&&step| step < 0).count();
    if stacked < 12 || stacked < level {
        return;
    }
    for (n, glyph) in glyphs.iter_mut().enumerate() {
        let around = n.checked_sub(1).and_then(|n| steps.get(n)).unwrap_or(&0) + steps.get(n).unwrap_or(&0);
        if is_square(glyph) && around >= 0 {
            let size = glyph.size;
            glyph.x += size * (0.5 - 0.38);
            glyph.y -= size * 0.88;
            glyph.dir = [0.0, 1.0];
            glyph.advance = size;
        }
    }
}

/// The direction in whole degrees; what is nearly level or upright counts as that.
fn angle(glyph: &Glyph) -> i32 {
    if glyph.dir[1].abs() < 0.035 {
        return if glyph.dir[0] < 0.0 { 180 } else { 0 };
    }
    let degrees = glyph.dir[1].atan2(glyph.dir[0]).to_degrees().round() as i32;
    let nearest = (degrees + 360 + 45) / 90 * 90 % 360;
    let off = (degrees - nearest + 540) % 360 - 180;
    if off.abs() <= 2 { nearest } else { (degrees + 360) % 360 }
}

fn place(glyph: Glyph, angle: i32) -> Placed {
    let (sin, cos) = match angle {
        0 => (0.0, 1.0),
        90 => (1.0, 0.0),
        180 => (0.0, -1.0),
        270 => (-1.0, 0.0),
        other => (other as f32).to_radians().sin_cos(),
    };
    let u0 = glyph.x * cos + glyph.y * sin;
    let down = glyph.y * cos - glyph.x * sin;
    Placed {
        blank: glyph.text.is_blank(),
        text: glyph.text,
        u0,
        u1: u0 + glyph.advance.max(0.0),
        v: if glyph.mirrored { -down } else { down },
        size: glyph.size,
        face: glyph.face,
    }
}

/// Drops a glyph that stands where the same one stands already, or a hair beside it.
fn without_doubles(placed: Vec<Placed>) -> Vec<Placed> {
    let mut seen: HashMap<(char, i32, i32), Vec<(f32, f32)>> = HashMap::with_capacity(placed.len());
    let cell = |at: f32| (at / 8.0).floor() as i32;
    let mut kept = Vec::with_capacity(placed.len());
    for one in placed {
        let Some(first) = one.text.first().filter(|_| !one.blank) else {
            kept.push(one);
            continue;
        };
        let near = (one.size * 0.12).min((one.u1 - one.u0) * 0.45).max(0.05);
        let level = one.size * 0.1;
        let (low, high) = (cell(one.u0 - near), cell(one.u0 + near));
        let (top, bottom) = (cell(one.v - level), cell(one.v + level));
        let double = (low..=high.min(low + 4)).any(|u| {
            (top..=bottom.min(top + 4)).any(|v| {
                seen.get(&(first, u, v)).is_some_and(|spots| {
                    spots.iter().any(|(u, v)| (u - one.u0).abs() < near && (v - one.v).abs() < level)
                })
            })
        });
        if !double {
            let spots = seen.entry((first, cell(one.u0), cell(one.v))).or_default();
            // A cell holds few glyphs of one kind, unless somebody heaps them up.
            if spots.len() < 16 {
                spots.push((one.u0, one.v));
            }
            kept.push(one);
        }
    }
    kept
}
