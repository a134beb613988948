//! Glyphs that are drawn twice, for bold or a shadow: only the first one is text.

use super::frames::Placed;

/// Drawn glyphs by the place where they stand: chains of indexes under a hash of character and cell.
struct Grid {
    heads: Vec<u32>,
    next: Vec<u32>,
}

/// The side of a cell, in points.
const CELL: f32 = 16.0;
/// How many glyphs of a chain are compared: a chain is short, unless somebody heaps glyphs up.
const MAX_COMPARED: usize = 24;
/// The most cells that are searched for one glyph along each side.
const MAX_CELLS: i32 = 4;
/// The end of a chain.
const NONE: u32 = u32::MAX;

/// Drops each glyph that stands where the same one stands already, or a hair beside it.
pub(super) fn drop_doubles(placed: &mut Vec<Placed>) {
    let mut grid = Grid::new(placed.len());
    let mut kept = 0;
    for at in 0..placed.len() {
        if !placed[at].blank {
            if grid.holds(&placed[..kept], &placed[at]) {
                continue;
            }
            grid.add(kept, &placed[at]);
        }
        placed.swap(kept, at);
        kept += 1;
    }
    placed.truncate(kept);
}

// === impl Grid ===

impl Grid {
    fn new(glyphs: usize) -> Self {
        Self { heads: vec![NONE; (glyphs * 2).next_power_of_two()], next: vec![NONE; glyphs] }
    }

    fn head(&self, c: char, u: i32, v: i32) -> usize {
        let key = u64::from(u32::from(c)) ^ (u64::from(u.cast_unsigned()) << 21) ^ (u64::from(v.cast_unsigned()) << 42);
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & (self.heads.len() - 1)
    }

    /// Whether one of `kept` is a double of `one`.
    fn holds(&self, kept: &[Placed], one: &Placed) -> bool {
        let Some(first) = one.text.first() else { return false };
        let near = (one.size * 0.12).min((one.u1 - one.u0) * 0.45).max(0.05);
        let level = one.size * 0.1;
        let (low, high) = (cell(one.u0 - near), cell(one.u0 + near));
        let (top, bottom) = (cell(one.v - level), cell(one.v + level));
        (low..=high.min(low.saturating_add(MAX_CELLS))).any(|u| {
            (top..=bottom.min(top.saturating_add(MAX_CELLS))).any(|v| {
                let mut at = self.heads[self.head(first, u, v)];
                for _ in 0..MAX_COMPARED {
                    let Some(other) = kept.get(at as usize) else { break };
                    if (other.u0 - one.u0).abs() < near
                        && (other.v - one.v).abs() < level
                        && other.text.first() == Some(first)
                    {
                        return true;
                    }
                    at = self.next[at as usize];
                }
                false
            })
        })
    }

    fn add(&mut self, at: usize, one: &Placed) {
        let Some(first) = one.text.first() else { return };
        let head = self.head(first, cell(one.u0), cell(one.v));
        self.next[at] = self.heads[head];
        self.heads[head] = at as u32;
    }
}

fn cell(at: f32) -> i32 {
    // Rounding down costs a call where the processor may be an old one; cutting off doesn't.
    (at * (1.0 / CELL) + 65_536.0) as i32
}
