//! What is known of a page before it is written.

use super::{Kept, code, notes::Notes};
use crate::html::dom::{Dom, Id, Name};
use std::collections::HashMap;

/// A cell with more text than this, in bytes, isn't data.
const MAX_CELL: usize = 1_000;

/// Neither are cells with more paragraphs, boxes and line breaks on average.
const MAX_BREAKS: usize = 3;

/// How a table is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Data,
    /// Its cells are blocks one after the other.
    Layout,
    /// Its lines are code, in this element.
    Code(Id),
}

/// What is known of a page.
pub(super) struct Survey<'a> {
    /// Whether the element has blocks below it.
    blocky: Vec<bool>,
    tables: HashMap<Id, Form>,
    pub(super) notes: Notes<'a>,
    /// Whether there is `MathML`.
    pub(super) has_math: bool,
    /// Whether there are scripts with formulas.
    pub(super) has_math_scripts: bool,
}

/// What is counted of a table; what is in a table within it isn't.
struct Table {
    id: Id,
    end: Id,
    rows: usize,
    cells: usize,
    widest: usize,
    /// The filled cells of the row.
    filled: usize,
    is_filled: bool,
    /// How many rows have one filled cell.
    lonely: usize,
    heads: usize,
    /// Paragraphs, boxes and line breaks.
    breaks: usize,
    mass: usize,
    /// The mass of the cell.
    cell: usize,
    heaviest: usize,
    /// Whether there are blocks that no cell of a Markdown table can hold.
    heavy: bool,
    gutter: Option<Id>,
    code: [Option<Id>; 3],
}

// === impl Survey ===

impl<'a> Survey<'a> {
    pub(super) fn of(dom: &'a Dom, root: Id, kept: &Kept) -> Self {
        let mut survey = Self {
            blocky: vec![false; dom.len()],
            tables: HashMap::new(),
            notes: Notes::of(dom, root, kept),
            has_math: false,
            has_math_scripts: false,
        };
        let end = dom.end(root);
        for id in (root + 1..end).rev() {
            let name = dom.name(id);
            if (survey.blocky[id as usize] || name.is_block())
                && let Some(parent) = dom.parent(id)
            {
                survey.blocky[parent as usize] = true;
            }
            survey.has_math |= name == Name::Math;
            survey.has_math_scripts |=
                name == Name::Script && dom.attr(id, "type").is_some_and(|kind| kind.starts_with("math/"));
        }
        survey.tables(dom, root, kept);
        survey
    }

    pub(super) fn is_blocky(&self, id: Id) -> bool {
        self.blocky[id as usize]
    }

    pub(super) fn table(&self, id: Id) -> Form {
        self.tables.get(&id).copied().unwrap_or(Form::Layout)
    }

    fn tables(&mut self, dom: &Dom, root: Id, kept: &Kept) {
        let mut open: Vec<Table> = Vec::new();
        for id in root..dom.end(root) {
            while let Some(table) = open.pop_if(|table| table.end <= id) {
                self.tables.insert(table.id, table.form(dom, kept));
            }
            let name = dom.name(id);
            if name == Name::Table {
                if let Some(outer) = open.last_mut() {
                    outer.heavy = true;
                }
                open.push(Table::new(id, dom.end(id)));
            } else if let Some(table) = open.last_mut() {
                table.count(dom, kept, id, name);
            }
        }
        for table in open {
            self.tables.insert(table.id, table.form(dom, kept));
        }
    }
}

// === impl Table ===

impl Table {
    fn new(id: Id, end: Id) -> Self {
        Self {
            id,
            end,
            rows: 0,
            cells: 0,
            widest: 0,
            filled: 0,
            is_filled: false,
            lonely: 0,
            heads: 0,
            breaks: 0,
            mass: 0,
            cell: 0,
            heaviest: 0,
            heavy: false,
            gutter: None,
            code: [None; 3],
        }
    }

    fn count(&mut self, dom: &Dom, kept: &Kept, id: Id, name: Name) {
        match name {
            Name::Tr => self.filled = 0,
            Name::Td | Name::Th => {
                self.cells += 1;
                (self.is_filled, self.cell) = (false, 0);
                self.heads += usize::from(name == Name::Th);
                if self.gutter.is_none() && self.cells <= 2 && code::is_gutter(dom, id) {
                    self.gutter = Some(id);
                }
            }
            Name::Text | Name::Img if kept.has(id) => {
                let mass = if name == Name::Img { 1 } else { dom.text(id).trim_ascii().len() };
                self.mass += mass;
                self.cell += mass;
                self.heaviest = self.heaviest.max(self.cell);
                if mass > 0 && !self.is_filled && self.cells > 0 {
                    self.is_filled = true;
                    self.filled += 1;
                    match self.filled {
                        1 => (self.rows, self.lonely) = (self.rows + 1, self.lonely + 1),
                        2 => self.lonely -= 1,
                        _ => {}
                    }
                    self.widest = self.widest.max(self.filled);
                }
            }
            Name::Pre => {
                self.heavy = true;
                if let Some(free) = self.code.iter_mut().find(|place| place.is_none()) {
                    *free = Some(id);
                }
            }
            Name::Br | Name::P | Name::Div | Name::Li => self.breaks += 1,
            Name::Blockquote | Name::Hr | Name::Figure => self.heavy = true,
            name => self.heavy |= name.heading().is_some(),
        }
    }

    fn form(&self, dom: &Dom, kept: &Kept) -> Form {
        if let [Some(numbers), Some(code), None] = self.code
            && code::is_numbers(dom, numbers)
            && self.has_only(dom, kept, [numbers, code])
        {
            return Form::Code(code);
        }
        if self.gutter.is_some_and(|gutter| code::is_numbers(dom, gutter)) && kept.any(dom, self.id) {
            return Form::Code(self.id);
        }
        let role = dom.attr(self.id, "role").is_some_and(|role| matches!(role.trim(), "presentation" | "none"));
        if role || self.widest <= 1 || (self.heads == 0 && !self.is_regular()) { Form::Layout } else { Form::Data }
    }

    /// Whether all words of the table are in one of two blocks, and both have some.
    fn has_only(&self, dom: &Dom, kept: &Kept, blocks: [Id; 2]) -> bool {
        let is_in = |block: Id, id: Id| (block..dom.end(block)).contains(&id);
        let mut texts = (self.id..self.end).filter(|id| kept.has(*id) && !dom.text(*id).trim_ascii().is_empty());
        blocks.iter().all(|block| super::has_words(dom, *block, kept))
            && texts.all(|id| blocks.iter().any(|block| is_in(*block, id)))
    }

    /// Whether a table without a head looks like data.
    fn is_regular(&self) -> bool {
        self.rows > 1
            && !self.heavy
            && self.heaviest <= MAX_CELL
            && self.breaks <= MAX_BREAKS * self.cells
            && self.lonely * 5 < self.rows * 2
    }
}
