//! Headings, lists, definitions, quotes and tables.

use super::{Blocks, Close, cell};
use crate::html::{
    dom::{Id, Name},
    emit::{escape, inline::Mode, lists::List, survey::Form, tables},
};

impl Blocks<'_> {
    pub(super) fn heading(&mut self, id: Id, level: u8) {
        self.flush();
        self.inline.mode = Mode::Heading;
        self.inline.wake_link();
        self.opened(id, Close::Heading(level));
    }

    pub(super) fn end_heading(&mut self, level: u8) {
        let mut text = self.inline.take();
        self.inline.mode = Mode::Block;
        text.truncate(text.trim_end().len());
        if !text.is_empty() {
            escape::heading_end(&mut text);
            let line = format!("{} {text}", &"######"[..usize::from(level.clamp(1, 6))]);
            self.writer.block([line.as_str()]);
        }
    }

    pub(super) fn table(&mut self, id: Id) -> Id {
        let dom = self.page.dom;
        let form = if self.is_block_mode() { self.page.survey.table(id) } else { Form::Layout };
        match form {
            Form::Layout => self.block(id),
            Form::Code(code) => {
                self.code_block(code);
                return dom.end(id);
            }
            Form::Data => {
                self.flush();
                for caption in tables::captions(dom, id) {
                    let text = cell(self.page, caption);
                    if !text.is_empty() {
                        self.writer.block([format!("*{text}*").as_str()]);
                    }
                }
                let lines = tables::lines(self.page, id);
                if !lines.is_empty() {
                    self.writer.block(lines.iter().map(String::as_str));
                }
                return dom.end(id);
            }
        }
        id + 1
    }

    /// The rows and cells of a table that isn't one of data: short cells stand in a line.
    pub(super) fn layout(&mut self, id: Id, name: Name) {
        if name == Name::Tr || (self.page.survey.is_blocky(id) && self.is_block_mode()) {
            self.block(id);
        } else {
            self.around(id, " ", " ");
        }
    }

    pub(super) fn list(&mut self, id: Id) {
        let dom = self.page.dom;
        self.boundary();
        if self.writer.in_written_item() {
            self.writer.tighten();
        }
        self.lists.push(List::of(dom, id));
        self.opened(id, Close::List);
        let in_list = dom.parent(id).is_some_and(|up| matches!(dom.name(up), Name::Ul | Name::Ol | Name::Menu));
        if in_list && self.is_block_mode() {
            // It belongs to the item before it.
            if dom.parent(id).is_some_and(|list| self.says_before(list, id)) {
                self.writer.tighten();
            }
            if self.writer.enter("  ".to_owned(), "  ".to_owned()) {
                self.opened(id, Close::Frame);
            }
        }
    }

    pub(super) fn next_marker(&mut self, id: Id) -> String {
        let value = self.page.dom.attr(id, "value").and_then(|value| value.trim().parse().ok());
        self.lists.last_mut().map_or_else(|| "- ".to_owned(), |list| list.marker(value))
    }

    pub(super) fn item(&mut self, id: Id) {
        self.boundary();
        let marker = self.next_marker(id);
        match self.inline.mode {
            Mode::Block => {
                if let Some(label) = self.page.survey.notes.note(id) {
                    if self.writer.enter(format!("[^{label}]: "), "    ".to_owned()) {
                        self.notes += 1;
                        return self.opened(id, Close::Note);
                    }
                    return self.opened(id, Close::Item { framed: false });
                }
                let rest = " ".repeat(marker.len());
                let framed = self.writer.enter(marker, rest);
                self.opened(id, Close::Item { framed });
            }
            Mode::Cell => {
                self.inline.lead(marker);
                self.opened(id, Close::Block);
            }
            Mode::Heading => self.opened(id, Close::Block),
        }
    }

    pub(super) fn end_item(&mut self, framed: bool) {
        self.boundary();
        if framed && self.writer.leave() {
            self.writer.loosen();
            if !self.lists.last().is_some_and(|list| list.loose) {
                self.writer.tighten();
            }
        }
    }

    pub(super) fn definition(&mut self, id: Id) {
        self.boundary();
        if !self.is_block_mode() {
            return self.opened(id, Close::Block);
        }
        let follows = self.page.dom.parent(id).is_some_and(|list| self.says_before(list, id));
        if follows {
            self.writer.tighten();
        }
        let close = if self.writer.enter(": ".to_owned(), "  ".to_owned()) { Close::Frame } else { Close::Block };
        self.opened(id, close);
    }

    /// Whether words of a list stand right before something in it.
    pub(super) fn says_before(&self, list: Id, id: Id) -> bool {
        let kept = self.page.kept;
        (list + 1..id).rev().take(64).any(|id| kept.has(id) && !self.page.dom.text(id).trim().is_empty())
    }

    pub(super) fn quote(&mut self, id: Id) {
        self.boundary();
        let framed = self.is_block_mode() && self.writer.enter("> ".to_owned(), "> ".to_owned());
        self.opened(id, if framed { Close::Frame } else { Close::Block });
    }
}
