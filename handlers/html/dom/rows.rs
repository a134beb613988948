//! The insertion modes of row groups, rows and cells.

use super::{
    build::{Builder, Mode, Step},
    names::Name,
    scopes::Scope,
    tables::{is_frame, is_part},
    tokens::Tag,
};

/// Parts of a table that hold rows.
const ROW_GROUPS: [Name; 3] = [Name::Tbody, Name::Thead, Name::Tfoot];

/// Where to stop closing elements for a row, and for a cell.
const ROWS_CONTEXT: [Name; 5] = [Name::Tbody, Name::Thead, Name::Tfoot, Name::Template, Name::Html];
const ROW_CONTEXT: [Name; 3] = [Name::Tr, Name::Template, Name::Html];

// === impl Builder ===

impl Builder<'_> {
    // Start tags

    pub(super) fn rows_start(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Tr => {
                self.clear_to(&ROWS_CONTEXT);
                self.insert(tag);
                self.mode = Mode::InRow;
                Step::Done
            }
            Name::Td | Name::Th => {
                self.clear_to(&ROWS_CONTEXT);
                self.insert_implied(Name::Tr);
                self.mode = Mode::InRow;
                Step::Again
            }
            Name::Caption | Name::Col | Name::Colgroup | Name::Tbody | Name::Tfoot | Name::Thead => self.close_rows(),
            _ => self.table_start(tag),
        }
    }

    pub(super) fn row_start(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Td | Name::Th => {
                self.clear_to(&ROW_CONTEXT);
                self.insert(tag);
                self.mode = Mode::InCell;
                self.formatting.mark();
                Step::Done
            }
            name if is_part(name) => self.close_row(),
            _ => self.table_start(tag),
        }
    }

    pub(super) fn cell_start(&mut self, tag: &Tag) -> Step {
        if is_part(tag.name) { self.close_cell() } else { self.body_start(tag) }
    }

    // End tags

    pub(super) fn rows_end(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Tbody | Name::Tfoot | Name::Thead => {
                if self.open.in_scope(tag.name, Scope::Table) {
                    self.close_rows();
                }
                Step::Done
            }
            Name::Table => self.close_rows(),
            name if is_part(name) || is_frame(name) => Step::Done,
            _ => self.table_end(tag),
        }
    }

    pub(super) fn row_end(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Tr => {
                self.close_row();
                Step::Done
            }
            Name::Table => self.close_row(),
            Name::Tbody | Name::Tfoot | Name::Thead => {
                if self.open.in_scope(tag.name, Scope::Table) {
                    self.close_row()
                } else {
                    Step::Done
                }
            }
            name if is_part(name) || is_frame(name) => Step::Done,
            _ => self.table_end(tag),
        }
    }

    pub(super) fn cell_end(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Td | Name::Th => {
                if self.open.in_scope(tag.name, Scope::Table) {
                    self.close_implied(None);
                    self.open.pop_until(tag.name);
                    self.formatting.clear_to_mark();
                    self.mode = Mode::InRow;
                }
                Step::Done
            }
            Name::Caption | Name::Col | Name::Colgroup => Step::Done,
            name if is_frame(name) => Step::Done,
            Name::Table | Name::Tbody | Name::Tfoot | Name::Thead | Name::Tr => {
                if self.open.in_scope(tag.name, Scope::Table) { self.close_cell() } else { Step::Done }
            }
            _ => self.body_end(tag),
        }
    }

    // Closing a part

    fn close_rows(&mut self) -> Step {
        if !self.open.any_in_scope(&ROW_GROUPS, Scope::Table) {
            return Step::Done;
        }
        self.clear_to(&ROWS_CONTEXT);
        self.open.pop();
        self.mode = Mode::InTable;
        Step::Again
    }

    fn close_row(&mut self) -> Step {
        if !self.open.in_scope(Name::Tr, Scope::Table) {
            return Step::Done;
        }
        self.clear_to(&ROW_CONTEXT);
        self.open.pop();
        self.mode = Mode::InTableBody;
        Step::Again
    }

    fn close_cell(&mut self) -> Step {
        let Some(place) = self.open.last(Name::Td).max(self.open.last(Name::Th)) else {
            self.mode = Mode::InBody;
            return Step::Again;
        };
        self.open.truncate(place);
        self.formatting.clear_to_mark();
        self.mode = Mode::InRow;
        Step::Again
    }
}
