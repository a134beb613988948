//! Items of lists: the bullet stands before the text of its item, one space away.

use super::rows::{Row, Segment};

/// How far a bullet is from the baseline of its text, in ems.
const BESIDE: f32 = 0.6;
/// How far a bullet is from its text, in ems.
const MAX_GAP: f32 = 5.0;

/// Whether a character is always a bullet at the start of a line.
fn is_bullet(c: char) -> bool {
    matches!(
        c,
        '•' | '‣'
            | '◦'
            | '▪'
            | '▫'
            | '■'
            | '□'
            | '●'
            | '○'
            | '◆'
            | '◇'
            | '➢'
            | '➤'
            | '►'
            | '▸'
            | '⁃'
            | '✓'
            | '✔'
            | '❖'
    )
}

/// Whether a character may be a bullet there.
fn is_dash(c: char) -> bool {
    matches!(c, '–' | '—' | '-' | '·' | '*')
}

/// Puts bullets that stand alone before the text beside them. `rows` run down the page.
pub(super) fn join_bullets(mut rows: Vec<Row>) -> Vec<Row> {
    for n in 0..rows.len() {
        join_within(&mut rows[n]);
        let [bullet] = &rows[n].segments[..] else { continue };
        if !is_lone(bullet) {
            continue;
        }
        let (v, size) = (rows[n].v, rows[n].size);
        let mut hosts: Vec<(f32, usize)> = [n.checked_sub(1), Some(n + 1)]
            .into_iter()
            .flatten()
            .filter_map(|host| Some(((rows.get(host)?.v - v).abs(), host)))
            .filter(|&(distance, host)| distance <= BESIDE * rows[host].size.max(size))
            .collect();
        hosts.sort_by(|a, b| a.0.total_cmp(&b.0));
        let host = hosts.into_iter().find_map(|(_, host)| Some((host, place(&rows[host], bullet)?)));
        if let Some((host, at)) = host
            && let Some(bullet) = rows[n].segments.pop()
        {
            let row = &mut rows[host];
            row.segments[at].put_before(bullet, row.v);
        }
    }
    rows.retain(|row| !row.segments.is_empty());
    rows
}

/// The same for bullets on the baseline of their text.
fn join_within(row: &mut Row) {
    if row.segments.len() < 2 || !row.segments.iter().any(is_lone) {
        return;
    }
    let mut joined: Vec<Segment> = Vec::with_capacity(row.segments.len());
    for mut segment in std::mem::take(&mut row.segments) {
        let is_beside = |bullet: &mut Segment| is_lone(bullet) && segment.u0 - bullet.u1 < MAX_GAP * row.size;
        if !is_lone(&segment)
            && let Some(bullet) = joined.pop_if(is_beside)
        {
            segment.put_before(bullet, row.v);
        }
        joined.push(segment);
    }
    row.segments = joined;
}

fn is_lone(segment: &Segment) -> bool {
    segment.weight == 1 && has_bullet(segment)
}

fn has_bullet(segment: &Segment) -> bool {
    segment.placed.iter().find(|one| !one.blank).and_then(|one| one.text.first()).is_some_and(is_bullet)
}

/// The segment of a row that begins right of a bullet, close to it, and has none yet.
fn place(row: &Row, bullet: &Segment) -> Option<usize> {
    let at = row.segments.iter().position(|segment| segment.u1 > bullet.u0)?;
    let gap = row.segments[at].u0 - bullet.u1;
    (gap > -0.2 * row.size && gap < MAX_GAP * row.size && !has_bullet(&row.segments[at])).then_some(at)
}

/// One space after the bullet, or the number, of a line that is an item.
pub(super) fn item(text: String) -> String {
    let Some(first) = text.chars().next() else { return text };
    let mark = if is_bullet(first) || is_dash(first) {
        let next = text[first.len_utf8()..].chars().next();
        if next.is_none_or(|next| next == first || (is_dash(first) && next != ' ')) {
            return text;
        }
        first.len_utf8()
    } else {
        number(&text)
    };
    if mark == 0 {
        return text;
    }
    let rest = text[mark..].trim_start();
    // Cells in the rest: the row of a table, whose first cell is a mark.
    if rest.contains("  ") || text[mark..] == format!(" {rest}") {
        return text;
    }
    format!("{} {rest}", &text[..mark])
}

/// The length of the number that a line begins with, `1.` or `(a)`, when a wide gap follows; else nought.
fn number(text: &str) -> usize {
    let end = text.bytes().take(6).position(|byte| byte == b' ').unwrap_or_default();
    let is_item = text[..end].ends_with(['.', ')']) && text[end..].starts_with("  ");
    let body = text[..end].trim_start_matches('(').trim_end_matches(['.', ')']);
    if is_item && body.len() <= 3 && body.bytes().all(|byte| byte.is_ascii_alphanumeric()) { end } else { 0 }
}

#[cfg(test)]
mod tests {
    #[test]
    fn one_space_follows_a_bullet_or_a_number() {
        for (line, item) in [
            ("•Text", "• Text"),
            ("•   Text", "• Text"),
            ("–  Text", "– Text"),
            ("–5 degrees", "–5 degrees"),
            ("1.  Text", "1. Text"),
            ("(iv)  Text", "(iv) Text"),
            ("1.  a cell  another", "1.  a cell  another"),
            ("••••", "••••"),
            ("12  Text", "12  Text"),
            ("•", "•"),
        ] {
            assert_eq!(super::item(line.to_owned()), item);
        }
    }
}
