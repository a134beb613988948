//! GitHub-flavoured Markdown of a grid.

/// Writes `head` and `body`, rows of `width` cells. The rows of the head below the first are ordinary rows: there is
/// only one header row in such a table.
pub(super) fn table(head: &[Vec<String>], body: &[Vec<String>], width: usize) -> String {
    let empty = vec![String::new(); width];
    let (top, rest) = head.split_first().map_or((&empty, head), |(top, rest)| (top, rest));
    let mut text = String::new();
    line(&mut text, top);
    text.push('|');
    for _ in 0..width {
        text.push_str(" --- |");
    }
    text.push('\n');
    for row in rest.iter().chain(body) {
        line(&mut text, row);
    }
    text.truncate(text.trim_end().len());
    text
}

fn line(text: &mut String, cells: &[String]) {
    text.push('|');
    for cell in cells {
        text.push(' ');
        for c in cell.chars() {
            if c == '|' {
                text.push('\\');
            }
            text.push(c);
        }
        text.push_str(if cell.is_empty() { "|" } else { " |" });
    }
    text.push('\n');
}
