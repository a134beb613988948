//! The text of a page: lines keep their breaks, paragraphs are parted by one blank line, words that a line end had
//! broken are whole again.

use super::{
    columns, dropcaps, frames,
    glyph::{Face, Glyph, Rule},
    headings::Mark,
    hyphens::{self, HYPHENS},
    lists, rows, script, spacing,
    structure::PageOrder,
    tables,
    vocabulary::Vocabulary,
};

/// A line of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Line {
    /// Its text, not empty.
    pub(super) text: String,
    /// The size of most of it, in points.
    pub(super) size: f32,
    /// Whether a paragraph ends before it.
    pub(super) starts: bool,
    /// Whether nearly all of it is bold.
    pub(super) bold: bool,
    /// Whether it is text in the main direction of the page that can be seen, and no table.
    pub(super) is_plain: bool,
    /// What it is to the headings of its page.
    pub(super) mark: Mark,
}

/// How the lines of a region are read.
#[derive(Clone, Copy)]
struct Manner<'f> {
    /// Whether there may be text that reads from the right.
    rtl: bool,
    /// Whether it is text in the main direction of the page that can be seen.
    is_plain: bool,
    /// The fonts of the glyphs.
    faces: &'f [Face],
}

/// Lays a page out. `order` is what its author says of it, `rules` are its ruling lines.
pub(super) fn lines(glyphs: Vec<Glyph>, faces: &[Face], order: Option<&PageOrder>, rules: &[Rule]) -> Vec<Line> {
    let mut lines = Vec::new();
    let frames = frames::frames(glyphs);
    for (n, frame) in frames.seen.into_iter().enumerate() {
        let (from_right, rtl) = (frame.right > frame.left, frame.right > 0);
        let rules = if frame.is_level { rules } else { &[] };
        let manner = Manner { rtl, is_plain: n == 0, faces };
        let mut rows = rows::rows(frame);
        if !from_right {
            rows = lists::join_bullets(dropcaps::join(rows));
        }
        let mut regions = columns::regions(tables::replace(rows, rules), from_right);
        if let Some(order) = order {
            regions = order.reorder(regions);
        }
        for region in regions {
            region_lines(&region, manner, &mut lines);
        }
    }
    // What stands outside the page or under a clip overlaps at will: it keeps the order in which it was drawn.
    for frame in frames.unseen {
        let manner = Manner { rtl: frame.right > 0, is_plain: false, faces };
        region_lines(&rows::drawn(frame), manner, &mut lines);
    }
    lines
}

/// Adds the lines of a region.
fn region_lines(rows: &[rows::Row], manner: Manner<'_>, lines: &mut Vec<Line>) {
    let rtl = manner.rtl;
    let from_right = rtl && reads_from_right(rows);
    let pitch = columns::pitch(rows);
    let left = rows.iter().filter_map(|row| row.segments.first()).map(|first| first.u0).fold(f32::MAX, f32::min);
    let right = rows.iter().filter_map(|row| row.segments.last()).map(|last| last.u1).fold(f32::MIN, f32::max);
    for (n, row) in rows.iter().enumerate() {
        let text = match &row.text {
            Some(table) => table.clone(),
            None => lists::item(trimmed(spacing::line(row, from_right, rtl))),
        };
        if text.is_empty() {
            continue;
        }
        let starts = n == 0 || {
            let above = &rows[n - 1];
            let step = row.v - above.v;
            let (larger, smaller) = (row.size.max(above.size), row.size.min(above.size));
            let usual = pitch.min(larger * 1.7);
            // Text much larger than that of its region has a pitch of its own.
            let usual = if usual < larger * 0.9 { larger * 1.05 } else { usual };
            // Indented, after a line that ends early.
            let indent = row.segments[0].u0 - above.segments[0].u0;
            let short = above.segments.last().is_some_and(|last| last.u1 < right - row.size * 3.0);
            let indented = indent > row.size * 0.9
                && indent < row.size * 4.0
                && short
                && above.segments[0].u0 < left + row.size
                && row.segments.len() == 1;
            row.text.is_some() || above.text.is_some() || step > usual * 1.3 || larger > smaller * 1.25 || indented
        };
        let is_plain = manner.is_plain && row.text.is_none();
        let bold = is_plain && is_bold(row, manner.faces);
        lines.push(Line { text, size: row.size, starts, bold, is_plain, mark: Mark::None });
    }
}

fn is_bold(row: &rows::Row, faces: &[Face]) -> bool {
    let visible = row.segments.iter().flat_map(|segment| &segment.placed).filter(|one| !one.blank);
    let (mut all, mut bold) = (0usize, 0usize);
    for one in visible {
        all += 1;
        bold += usize::from(faces.get(usize::from(one.face)).is_some_and(|face| face.bold));
    }
    bold * 10 >= all * 9
}

fn reads_from_right(rows: &[rows::Row]) -> bool {
    let glyphs = rows.iter().flat_map(|row| &row.segments).flat_map(|segment| &segment.placed);
    let (mut right, mut left) = (0usize, 0usize);
    for c in glyphs.flat_map(|one| one.text.chars()) {
        right += usize::from(script::is_rtl(c));
        left += usize::from(script::is_letter(c));
    }
    right * 2 > left
}

fn trimmed(mut text: String) -> String {
    text.truncate(text.trim_end().len());
    let lead = text.len() - text.trim_start().len();
    if lead > 0 {
        text.drain(..lead);
    }
    text
}

/// Joins lines to the text of a page.
pub(super) fn text(lines: &[Line], vocabulary: &mut Vocabulary) -> String {
    let mut hyphen = false;
    for line in lines {
        // The halves of a broken word are no words that the document has.
        let own =
            if hyphen { line.text.split_once(char::is_whitespace).map_or("", |(_, rest)| rest) } else { &line.text };
        hyphen = line.text.ends_with(HYPHENS);
        let whole = if hyphen { own.rsplit_once(char::is_whitespace).map_or("", |(start, _)| start) } else { own };
        vocabulary.add(whole);
    }
    let mut text = String::with_capacity(lines.iter().map(|line| line.text.len() + 1).sum());
    let mut rest: Option<&str> = None;
    for (n, line) in lines.iter().enumerate() {
        let own = rest.take().unwrap_or(&line.text);
        if own.is_empty() {
            continue;
        }
        if line.mark == Mark::Continues {
            // A heading is one line; signs that are set without spaces stay so.
            let squares = [text.chars().next_back(), own.chars().next()];
            if !squares.into_iter().flatten().all(script::is_square) {
                text.push(' ');
            }
        } else if !text.is_empty() {
            text.push_str(if line.starts { "\n\n" } else { "\n" });
        }
        if let Mark::Begins(level) = line.mark {
            text.extend(std::iter::repeat_n('#', usize::from(level)));
            text.push(' ');
        }
        let next = lines.get(n + 1);
        match next.and_then(|next| hyphens::broken(own, &next.text, next.starts, vocabulary)) {
            Some((head, tail, after)) => {
                text.push_str(head);
                text.push_str(tail);
                rest = Some(after);
            }
            None => text.push_str(own.trim_end_matches('\u{AD}')),
        }
    }
    text
}
