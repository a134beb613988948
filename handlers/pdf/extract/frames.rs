//! Glyphs that read in one direction, in a frame where that direction is level: `u` along the line, `v` down the page.
//! Pages and runs at any angle, and vertical writing, are laid out alike in it.

use super::{
    accents, doubles,
    glyph::{Glyph, Text},
    script,
};

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
    /// The marked content that it belongs to, as the structure tree names it; -1 for none.
    pub(super) content: i32,
    /// Whether it is white space.
    pub(super) blank: bool,
}

/// The glyphs of one direction.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// In drawing order.
    pub(super) placed: Vec<Placed>,
    /// How many glyphs begin with a letter that is written from the right.
    pub(super) right: usize,
    /// How many begin with another letter.
    pub(super) left: usize,
    /// Whether `u` and `v` are the page's own axes.
    pub(super) is_level: bool,
    /// Whether some glyph may be an accent that belongs to a letter.
    pub(super) accents: bool,
}

/// The frames of a page, the one with the most glyphs first.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// What can be seen.
    pub(super) seen: Vec<Frame>,
    /// What stands outside the page, under a clip, or has no size.
    pub(super) unseen: Vec<Frame>,
}

/// A frame that is being filled, and its direction.
struct Filling {
    angle: i32,
    mirrored: bool,
    unseen: bool,
    frame: Frame,
}

/// How many signs stand below each other in vertical writing, at least.
const MIN_STACKED: usize = 12;
/// The most directions that are kept apart.
const MAX_FRAMES: usize = 64;

/// Divides the glyphs of a page by direction. Doubles (for bold) are dropped.
pub(super) fn frames(mut glyphs: Vec<Glyph>) -> Frames {
    turn_stacked(&mut glyphs);
    let mut filling: Vec<Filling> = Vec::new();
    let mut last = 0;
    let all = glyphs.len();
    for glyph in glyphs {
        let angle = angle(&glyph);
        let fits = |one: &Filling| one.angle == angle && one.mirrored == glyph.mirrored && one.unseen == glyph.unseen;
        // There are few directions, and the last one found is mostly the next one wanted.
        if !filling.get(last).is_some_and(fits) {
            last = filling.iter().position(fits).unwrap_or_else(|| {
                let alike = filling.iter().position(|one| one.unseen == glyph.unseen);
                if let Some(alike) = alike.filter(|_| filling.len() >= MAX_FRAMES) {
                    return alike;
                }
                let placed = Vec::with_capacity(if filling.is_empty() { all } else { 0 });
                let frame = Frame { placed, is_level: angle == 0 && !glyph.mirrored, ..Frame::default() };
                filling.push(Filling { angle, mirrored: glyph.mirrored, unseen: glyph.unseen, frame });
                filling.len() - 1
            });
        }
        let frame = &mut filling[last].frame;
        if let Some(c) = glyph.text.first() {
            if script::is_rtl(c) {
                frame.right += 1;
            } else {
                frame.left += usize::from(script::is_letter(c));
            }
            frame.accents |= accents::is_accent(c);
        }
        frame.placed.push(place(glyph, angle));
    }
    filling.sort_by_key(|one| std::cmp::Reverse(one.frame.placed.len()));
    let mut frames = Frames::default();
    for mut one in filling {
        doubles::drop_doubles(&mut one.frame.placed);
        if one.unseen { &mut frames.unseen } else { &mut frames.seen }.push(one.frame);
    }
    frames
}

/// Vertical writing that is set sign by sign in a font for level writing: turns it to what it is.
fn turn_stacked(glyphs: &mut [Glyph]) {
    let is_square =
        |glyph: &Glyph| glyph.dir[0] > 0.99 && !glyph.mirrored && glyph.text.first().is_some_and(script::is_square);
    if glyphs.iter().filter(|glyph| is_square(glyph)).nth(MIN_STACKED).is_none() {
        return;
    }
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
    if stacked < MIN_STACKED || stacked < level {
        return;
    }
    // What stands apart on the height of what was drawn before and after it is part of a level line, such as a header.
    let levels: Vec<bool> = glyphs
        .windows(2)
        .map(|pair| {
            let size = pair[0].size.min(pair[1].size);
            (pair[1].y - pair[0].y).abs() < size * 0.15 && (pair[1].x - pair[0].x).abs() > size * 0.3
        })
        .collect();
    for (n, glyph) in glyphs.iter_mut().enumerate() {
        let before = n.checked_sub(1);
        let around = before.and_then(|n| steps.get(n)).unwrap_or(&0) + steps.get(n).unwrap_or(&0);
        let is_level = || *before.and_then(|n| levels.get(n)).unwrap_or(&true) && *levels.get(n).unwrap_or(&true);
        if is_square(glyph) && (around > 0 || (around == 0 && !is_level())) {
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
        content: glyph.content,
    }
}

// === impl Placed ===

impl Placed {
    /// Moves it out.
    pub(super) fn take(&mut self) -> Self {
        let text = std::mem::replace(&mut self.text, Text::Empty);
        Self { text, ..*self }
    }
}
