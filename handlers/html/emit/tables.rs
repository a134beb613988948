//! Tables of data.

use super::{Page, blocks, escape::one_line};
use crate::html::dom::{Dom, Id, Name};
use std::collections::BTreeMap;

/// The widest span.
const MAX_SPAN: usize = 1_000;

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Alignment {
    #[default]
    None,
    Left,
    Center,
    Right,
}

#[derive(Clone, Default)]
struct Cell {
    markdown: String,
    alignment: Alignment,
}

struct Row {
    cells: Vec<Cell>,
    is_head: bool,
}

/// The lines of a table. Empty when nothing of it is kept.
pub(super) fn lines(page: &Page<'_>, table: Id) -> Vec<String> {
    let mut rows = rows(page, table);
    rows.retain(|row| row.cells.iter().any(|cell| !cell.markdown.is_empty()));
    let mut used: Vec<bool> = Vec::new();
    for row in &rows {
        used.resize(used.len().max(row.cells.len()), false);
        row.cells.iter().zip(&mut used).for_each(|(cell, used)| *used |= !cell.markdown.is_empty());
    }
    let columns: Vec<usize> = (0..used.len()).filter(|column| used[*column]).collect();
    let Some(first) = rows.first() else { return Vec::new() };
    let empty = Row { cells: Vec::new(), is_head: true };
    let (head, body) = if first.is_head { (first, &rows[1..]) } else { (&empty, &rows[..]) };
    let mut lines = vec![line(head, &columns), rule(&rows, &columns)];
    // A row may have fewer cells than the head, so that one wide row doesn't widen them all.
    lines.extend(body.iter().map(|row| {
        let own = columns.partition_point(|column| *column < row.cells.len());
        line(row, &columns[..own])
    }));
    lines
}

/// The captions of a table, of which a broken one may have several.
pub(super) fn captions(dom: &Dom, table: Id) -> impl Iterator<Item = Id> + '_ {
    dom.children(table).filter(|child| dom.name(*child) == Name::Caption)
}

fn line(row: &Row, columns: &[usize]) -> String {
    let mut line = String::from("|");
    for column in columns {
        line.push(' ');
        if let Some(cell) = row.cells.get(*column).filter(|cell| !cell.markdown.is_empty()) {
            line.push_str(&cell.markdown);
            line.push(' ');
        }
        line.push('|');
    }
    line
}

/// The alignment of a column is that of its first cell that has one.
fn rule(rows: &[Row], columns: &[usize]) -> String {
    let mut line = String::from("|");
    for column in columns {
        let mut cells = rows.iter().take(3).filter_map(|row| row.cells.get(*column));
        let alignment = cells.find(|cell| cell.alignment != Alignment::None).map(|cell| cell.alignment);
        line.push_str(match alignment.unwrap_or_default() {
            Alignment::None => " --- |",
            Alignment::Left => " :--- |",
            Alignment::Center => " :---: |",
            Alignment::Right => " ---: |",
        });
    }
    line
}

/// The rows with every cell in its column. A cell that spans stands in its first place; the others are empty.
fn rows(page: &Page<'_>, table: Id) -> Vec<Row> {
    let dom = page.dom;
    let sources = row_ids(dom, table);
    let spans_fit = spans_fit(dom, &sources);
    // For how many further rows a column is taken.
    let mut taken: BTreeMap<usize, usize> = BTreeMap::new();
    let mut rows = Vec::with_capacity(sources.len());
    for (id, in_head) in sources {
        let mut cells: Vec<Cell> = Vec::new();
        let mut still_taken: BTreeMap<usize, usize> = BTreeMap::new();
        let (mut count, mut heads) = (0, 0);
        for cell in dom.children(id).filter(|cell| is_cell(dom, *cell)) {
            while taken.contains_key(&cells.len()) {
                cells.push(Cell::default());
            }
            let (across, down) =
                if spans_fit { (span(dom, cell, "colspan"), span(dom, cell, "rowspan")) } else { (1, 1) };
            let at = cells.len();
            cells.push(Cell { markdown: blocks::cell(page, cell), alignment: alignment(dom, cell) });
            cells.resize(at + across, Cell::default());
            if down > 1 {
                still_taken.extend((at..at + across).map(|column| (column, down - 1)));
            }
            count += 1;
            heads += usize::from(dom.name(cell) == Name::Th);
        }
        for (column, rows) in taken {
            if rows > 1 {
                still_taken.entry(column).or_insert(rows - 1);
            }
        }
        taken = still_taken;
        rows.push(Row { cells, is_head: in_head || (count > 0 && heads == count) });
    }
    rows
}

/// The rows of a table, and whether they are in its head.
fn row_ids(dom: &Dom, table: Id) -> Vec<(Id, bool)> {
    let mut rows = Vec::new();
    for child in dom.children(table) {
        match dom.name(child) {
            Name::Tr => rows.push((child, false)),
            Name::Thead | Name::Tbody | Name::Tfoot => {
                let in_head = dom.name(child) == Name::Thead;
                rows.extend(dom.children(child).filter(|row| dom.name(*row) == Name::Tr).map(|row| (row, in_head)));
            }
            _ => {}
        }
    }
    rows
}

fn is_cell(dom: &Dom, id: Id) -> bool {
    matches!(dom.name(id), Name::Td | Name::Th)
}

/// Whether the spans of a table make it little larger. A hostile one loses them.
fn spans_fit(dom: &Dom, rows: &[(Id, bool)]) -> bool {
    let (mut cells, mut places) = (0, 0);
    for cell in rows.iter().flat_map(|row| dom.children(row.0)).filter(|cell| is_cell(dom, *cell)) {
        cells += 1;
        places += span(dom, cell, "colspan") * span(dom, cell, "rowspan");
    }
    places <= 10 * cells + 1_000
}

fn span(dom: &Dom, cell: Id, name: &str) -> usize {
    dom.attr(cell, name).and_then(|span| span.trim().parse().ok()).map_or(1, |span: usize| span.clamp(1, MAX_SPAN))
}

fn alignment(dom: &Dom, cell: Id) -> Alignment {
    let style = || {
        let style = one_line(dom.attr(cell, "style")?, &[]).to_ascii_lowercase();
        let (_, value) = style.split_once("text-align:")?;
        Some(value.split(';').next().unwrap_or_default().trim().to_owned())
    };
    let named = style().or_else(|| dom.attr(cell, "align").map(|value| value.trim().to_ascii_lowercase()));
    match named.as_deref() {
        Some("left") => Alignment::Left,
        Some("center") => Alignment::Center,
        Some("right") => Alignment::Right,
        _ => Alignment::None,
    }
}
