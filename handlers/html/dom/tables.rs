//! The insertion modes of tables, captions and columns.

use super::{
    build::{Builder, Mode, Step},
    names::Name,
    rules::Rules,
    scopes::Scope,
    tokens::{Span, Tag},
    tree::NONE,
};

/// Where to stop closing elements for a part of a table: a template stands for the table it is a part of.
const TABLE_CONTEXT: [Name; 3] = [Name::Table, Name::Template, Name::Html];

// === impl Builder ===

impl Builder<'_> {
    /// Text right in a table is put before it, unless it is white space.
    pub(super) fn table_text(&mut self, span: Span, spaces: usize) {
        if spaces == span.end - span.start && self.open.top().has(Rules::TABLE_FRAME) {
            return self.put_text(span);
        }
        self.foster = true;
        self.body_text(span);
        self.foster = false;
    }

    // Start tags

    pub(super) fn table_start(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Caption => {
                self.clear_to(&TABLE_CONTEXT);
                self.formatting.mark();
                self.insert(tag);
                self.mode = Mode::InCaption;
            }
            Name::Colgroup => {
                self.clear_to(&TABLE_CONTEXT);
                self.insert(tag);
                self.mode = Mode::InColumnGroup;
            }
            Name::Col => {
                self.clear_to(&TABLE_CONTEXT);
                self.insert_implied(Name::Colgroup);
                self.mode = Mode::InColumnGroup;
                return Step::Again;
            }
            Name::Tbody | Name::Tfoot | Name::Thead => {
                self.clear_to(&TABLE_CONTEXT);
                self.insert(tag);
                self.mode = Mode::InTableBody;
            }
            Name::Td | Name::Th | Name::Tr => {
                self.clear_to(&TABLE_CONTEXT);
                self.insert_implied(Name::Tbody);
                self.mode = Mode::InTableBody;
                return Step::Again;
            }
            Name::Table if self.open.in_scope(Name::Table, Scope::Table) => {
                self.open.pop_until(Name::Table);
                self.reset_mode();
                return Step::Again;
            }
            Name::Table => {}
            Name::Style | Name::Script | Name::Template => return self.head_start(tag),
            Name::Input if self.tokens.attr("type").is_some_and(|kind| kind.eq_ignore_ascii_case("hidden")) => {
                self.insert_closed(tag);
            }
            Name::Form => {
                if self.form == NONE && self.open.last(Name::Template).is_none() {
                    self.form = self.insert_closed(tag);
                }
            }
            _ => {
                self.foster = true;
                self.body_start(tag);
                self.foster = false;
            }
        }
        Step::Done
    }

    pub(super) fn caption_start(&mut self, tag: &Tag) -> Step {
        if !is_part(tag.name) {
            return self.body_start(tag);
        }
        self.close_caption()
    }

    pub(super) fn columns_start(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Html => self.body_start(tag),
            Name::Col => {
                self.insert_closed(tag);
                Step::Done
            }
            Name::Template => self.head_start(tag),
            _ => self.leave_columns(),
        }
    }

    // End tags

    pub(super) fn table_end(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Table => {
                if self.open.in_scope(Name::Table, Scope::Table) {
                    self.open.pop_until(Name::Table);
                    self.reset_mode();
                }
            }
            Name::Template => self.close_template(),
            name if is_part(name) || is_frame(name) => {}
            _ => {
                self.foster = true;
                self.body_end(tag);
                self.foster = false;
            }
        }
        Step::Done
    }

    pub(super) fn caption_end(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Caption => {
                self.close_caption();
                Step::Done
            }
            Name::Table => self.close_caption(),
            name if is_part(name) || is_frame(name) => Step::Done,
            _ => self.body_end(tag),
        }
    }

    pub(super) fn columns_end(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Colgroup => {
                self.leave_columns();
            }
            Name::Col => {}
            Name::Template => self.close_template(),
            _ => return self.leave_columns(),
        }
        Step::Done
    }

    // Closing a part

    /// Closes elements up to one of these.
    pub(super) fn clear_to(&mut self, context: &[Name]) {
        let place = context.iter().filter_map(|name| self.open.last(*name)).max().unwrap_or(0);
        self.open.truncate(place + 1);
    }

    fn close_caption(&mut self) -> Step {
        if !self.open.in_scope(Name::Caption, Scope::Table) {
            return Step::Done;
        }
        self.close_implied(None);
        self.open.pop_until(Name::Caption);
        self.formatting.clear_to_mark();
        self.mode = Mode::InTable;
        Step::Again
    }

    fn leave_columns(&mut self) -> Step {
        if !self.open.top().is(Name::Colgroup) {
            return Step::Done;
        }
        self.open.pop();
        self.mode = Mode::InTable;
        Step::Again
    }
}

/// Whether the element is a part of a table.
pub(super) fn is_part(name: Name) -> bool {
    matches!(
        name,
        Name::Caption
            | Name::Col
            | Name::Colgroup
            | Name::Tbody
            | Name::Td
            | Name::Tfoot
            | Name::Th
            | Name::Thead
            | Name::Tr
    )
}

pub(super) fn is_frame(name: Name) -> bool {
    matches!(name, Name::Body | Name::Html)
}
