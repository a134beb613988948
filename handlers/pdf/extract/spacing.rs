//! One line of text from the glyphs of a row: spaces from geometry, characters in the order of reading.

use super::{bidi, frames::Placed, glyph::Text, rows::Row, script};
use unicode_normalization::UnicodeNormalization;

/// A gap of this many ems between letters is a space, unless the line is spaced out.
const SPACE: f32 = 0.12;
/// The same between letters that join each other, in a line set so tight that this parts its words.
const TIGHT_SPACE: f32 = 0.07;
/// The same between ideographs and between them and letters.
const SQUARE_SPACE: f32 = 0.45;
/// Letters that are this many ems apart are not spaced out.
const CLOSE: f32 = 0.03;
/// A gap of this many ems parts two cells.
const CELL: f32 = 1.5;

/// The number of a footnote has no more characters than this.
const LABEL: usize = 3;

/// The gap between two visible glyphs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    None,
    Space,
    Cell,
}

/// How a line is set, in ems.
#[derive(Clone, Copy)]
struct Setting {
    /// The usual gap between its letters.
    usual: f32,
    /// The least gap between two words of joined letters.
    joined: f32,
}

/// Writes the line of `row`. `from_right` says how its region reads; `rtl` whether it may hold text that does.
pub(super) fn line(row: &Row, from_right: bool, rtl: bool) -> String {
    let usual = usual_gap(row);
    let has_rtl = rtl && glyphs(row).any(|one| one.text.chars().any(script::is_rtl));
    let joined = if has_rtl && is_tight(row) { TIGHT_SPACE } else { SPACE };
    let setting = Setting { usual, joined };
    if has_rtl { turned(row, setting, from_right) } else { straight(row, setting) }
}

/// Whether the words of a line of joined letters stand closer than words do.
fn is_tight(row: &Row) -> bool {
    let (mut small, mut wide) = (0usize, 0usize);
    let mut last: Option<&Placed> = None;
    for one in glyphs(row).filter(|one| !one.blank) {
        if let Some(before) = last.replace(one).filter(|before| are_joined(before, one)) {
            let gap = (one.u0 - before.u1) / size(before, one);
            small += usize::from(gap > TIGHT_SPACE && gap <= SPACE);
            wide += usize::from(gap > SPACE);
        }
    }
    small >= 3 && wide * 2 <= small
}

fn are_joined(a: &Placed, b: &Placed) -> bool {
    let is_rtl = |one: &Placed| one.text.first().is_some_and(script::is_rtl);
    is_rtl(a) && is_rtl(b)
}

fn glyphs(row: &Row) -> impl Iterator<Item = &Placed> {
    row.segments.iter().flat_map(|segment| &segment.placed)
}

fn straight(row: &Row, setting: Setting) -> String {
    let room = row.segments.iter().map(|segment| segment.placed.len() + 8).sum();
    let mut text = String::with_capacity(room);
    walk(row, setting, |gap, one| {
        text.push_str(match gap {
            Gap::None => "",
            Gap::Space => " ",
            Gap::Cell => "  ",
        });
        match one.text {
            Text::Char(c) => text.push(c),
            _ => text.extend(one.text.chars()),
        }
    });
    clean(text)
}

/// A line with right-to-left text: each cell is turned by itself, then the cells.
fn turned(row: &Row, setting: Setting, from_right: bool) -> String {
    let mut cells: Vec<Vec<String>> = vec![Vec::new()];
    walk(row, setting, |gap, one| {
        let cluster: String = one.text.chars().collect();
        match (gap, cells.last_mut()) {
            (Gap::Cell, _) | (_, None) => cells.push(vec![cluster]),
            (Gap::Space, Some(cell)) => cell.extend([" ".to_owned(), cluster]),
            (Gap::None, Some(cell)) => cell.push(cluster),
        }
    });
    let line_from_right = bidi::reads_from_right(cells.iter().flatten().map(String::as_str), from_right);
    let mut texts: Vec<String> = cells
        .into_iter()
        .map(|cell| {
            let cell_from_right = bidi::reads_from_right(cell.iter().map(String::as_str), from_right);
            bidi::logical(cell, cell_from_right).concat()
        })
        .collect();
    if line_from_right {
        texts.reverse();
    }
    clean(texts.join("  "))
}

/// Whether `a`, which begins a line, is the raised number or sign of the note that `b` begins.
fn is_label(a: &Placed, b: &Placed) -> bool {
    a.size < 0.87 * b.size
        && a.v < b.v - 0.1 * b.size
        && a.text.first().is_some_and(|c| c.is_ascii_digit() || matches!(c, '*' | '†' | '‡' | '§'))
        && b.text.first().is_some_and(script::is_letter)
}

/// Calls `visit` with each visible glyph and the gap before it.
fn walk<'p>(row: &'p Row, setting: Setting, mut visit: impl FnMut(Gap, &'p Placed)) {
    let mut last: Option<&Placed> = None;
    let mut after_blank = false;
    let mut seen = 0;
    for one in glyphs(row) {
        if one.blank {
            after_blank = true;
            continue;
        }
        let gap = match last {
            Some(last) if seen <= LABEL && is_label(last, one) => Gap::Space,
            Some(last) => gap(last, one, after_blank, setting),
            None => Gap::None,
        };
        visit(gap, one);
        seen += 1;
        last = Some(one);
        after_blank = false;
    }
}

/// The usual gap between the letters of a line that is spaced out, in ems; else nought.
fn usual_gap(row: &Row) -> f32 {
    let gaps = || {
        let mut last: Option<&Placed> = None;
        glyphs(row).filter_map(move |one| {
            // Leader dots and rules are spaced out in lines that are not.
            let is_letter = |one: &Placed| {
                one.text
                    .first()
                    .is_some_and(|c| script::is_letter(c) || c.is_ascii_digit() || (!c.is_ascii() && c.is_numeric()))
            };
            let before = last.replace(one).filter(|before| is_letter(before) && is_letter(one))?;
            let size = size(before, one);
            let gap = one.u0 - before.u1;
            (gap > -0.5 * size && gap < 1.2 * size).then_some((gap, size))
        })
    };
    let (mut all, mut tight, mut close) = (0usize, 0usize, 0usize);
    for (gap, size) in gaps() {
        all += 1;
        tight += usize::from(gap < -CLOSE * size);
        close += usize::from(gap <= CLOSE * size);
    }
    // Mostly the one in the middle is close to nought, and no sorting is needed to know it.
    if all < 4 || (tight <= all / 2 && close > all / 2) {
        return 0.0;
    }
    let mut gaps: Vec<f32> = gaps().map(|(gap, size)| gap / size).collect();
    *gaps.select_nth_unstable_by(all / 2, f32::total_cmp).1
}

fn size(a: &Placed, b: &Placed) -> f32 {
    a.size.max(b.size).max(0.01)
}

fn gap(a: &Placed, b: &Placed, after_blank: bool, setting: Setting) -> Gap {
    let size = size(a, b);
    let gap = b.u0 - a.u1;
    let Setting { usual, joined } = setting;
    let space = if joined < SPACE && are_joined(a, b) { joined } else { SPACE };
    if !after_blank && gap <= space * size && gap >= -0.3 * size && (a.v - b.v).abs() < 0.1 * size && usual >= 0.0 {
        return Gap::None;
    }
    let gap = gap / size;
    if gap > CELL.max(usual * 2.5) {
        return Gap::Cell;
    }
    // A space that is drawn counts only if it takes room: some files draw spaces and step back over them.
    if after_blank && gap - usual.max(0.0) >= 0.07 {
        return Gap::Space;
    }
    // Two texts of one size, a little apart in height, only happen to touch. In a logo one is set into the other.
    let step = (a.v - b.v).abs() / size;
    if (0.1..0.3).contains(&step) && a.size.min(b.size) > size * 0.95 && gap > -0.06 {
        return Gap::Space;
    }
    let square = |c: Option<char>| c.is_some_and(script::is_square);
    let least = if square(a.text.chars().last()) || square(b.text.first()) { SQUARE_SPACE } else { space };
    if gap - usual > least { Gap::Space } else { Gap::None }
}

/// Expands ligatures and presentation forms, drops what has no place in text, and composes (NFC).
pub(super) fn clean(text: String) -> String {
    if text.bytes().all(|byte| (0x20..0x7F).contains(&byte)) {
        return text;
    }
    let mut expanded = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut last = None;
    while let Some(c) = chars.next() {
        match c {
            '\u{FB00}'..='\u{FB06}'
            | '\u{FB13}'..='\u{FB17}'
            | '\u{FB1D}'..='\u{FDFF}'
            | '\u{FE70}'..='\u{FEFC}'
            | '\u{2F00}'..='\u{2FDF}' => {
                expanded.extend(std::iter::once(c).nfkc());
            }
            // Kept for the end of a line, where it says that the word goes on.
            '\u{AD}' if chars.peek().is_none() => expanded.push(c),
            '\u{200C}' | '\u{200D}' => {
                let means = |c: Option<char>| c.is_some_and(script::takes_joiners);
                if means(last) && means(chars.peek().copied()) {
                    expanded.push(c);
                }
            }
            // TeX sets the foot of an arrow and the arrow itself on one place.
            '→' if matches!(last, Some('↦' | '↪')) => {}
            '−' if last == Some('↦') && chars.peek() == Some(&'→') => {
                chars.next();
                expanded.pop();
                expanded.push('⟼');
            }
            '←' if chars.peek() == Some(&'↩') => {}
            c if super::strings::is_junk(c) => {}
            c if c.is_whitespace() => expanded.push(' '),
            c => expanded.push(c),
        }
        last = Some(c);
    }
    expanded.nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean_str(text: &str) -> String {
        clean(text.to_owned())
    }

    #[test]
    fn ligatures_expand_and_accents_compose() {
        assert_eq!(clean_str("ﬁle ﬀ ﬆ e\u{301}"), "file ff st é");
        assert_eq!(clean_str("\u{FEFB}"), "لا");
    }

    #[test]
    fn characters_without_width_go_and_joiners_stay_where_they_mean_something() {
        assert_eq!(clean_str("a\u{0}b\u{200B}c\u{FEFF}\u{FFFE}d\u{200D}e"), "abcde");
        assert_eq!(clean_str("می\u{200C}خواهم"), "می\u{200C}خواهم");
    }

    #[test]
    fn an_arrow_and_its_foot_are_one() {
        assert_eq!(clean_str("x↦→y, x↦−→y, A↪→B←↩C, a→b"), "x↦y, x⟼y, A↪B↩C, a→b");
    }

    #[test]
    fn a_soft_hyphen_stays_only_at_the_end_of_a_line() {
        assert_eq!(clean_str("Mit\u{AD}arbeiter\u{AD}"), "Mitarbeiter\u{AD}");
    }
}
