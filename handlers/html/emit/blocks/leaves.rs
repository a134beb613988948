//! What has no blocks in it: texts, code, images, formulas.

use super::Blocks;
use crate::html::{
    dom::{Id, Name},
    emit::{
        code, escape, images,
        inline::{Mode, Target},
        math::Formula,
        media, texts, words,
    },
};

impl Blocks<'_> {
    pub(super) fn text(&mut self, id: Id) {
        if !self.inline.is_empty() && self.are_boxes(self.last_text, id) {
            self.inline.space();
        }
        self.inline.text(self.page.dom.text(id));
        self.last_text = id;
    }

    /// Whether two texts are in boxes side by side, which a style sheet sets apart: there is no other reason to put
    /// words that begin like a sentence, a number or a line of text right behind others.
    pub(super) fn are_boxes(&self, before: Id, after: Id) -> bool {
        let dom = self.page.dom;
        let (left, right) = (dom.text(before), dom.text(after));
        if !left.ends_with(char::is_alphanumeric) || !right.starts_with(char::is_alphanumeric) {
            return false;
        }
        let one_box_is_enough = right.starts_with(char::is_uppercase);
        let number = right.starts_with(|first: char| first.is_ascii_digit());
        // A word may be parted for its looks, a large first letter above all; a line of text is none.
        let is_line = |text: &str| text.contains(' ');
        let lines = if one_box_is_enough || number {
            is_line(left) || is_line(right)
        } else {
            left.len() > 2 && is_line(right)
        };
        if !lines {
            return false;
        }
        let is_box = |id: Id| matches!(dom.name(id), Name::Span | Name::Time | Name::Label | Name::Small | Name::Other);
        let mut closed = dom.ancestors(before).take_while(|up| dom.end(*up) <= after).peekable();
        let mut opened = dom.ancestors(after).take_while(|up| *up > before).peekable();
        let (left, right) = (closed.peek().is_some(), opened.peek().is_some());
        let enough = if one_box_is_enough { left || right } else { left && right };
        enough && closed.all(is_box) && opened.all(is_box)
    }

    /// Two line breaks in a row are what a paragraph is elsewhere.
    pub(super) fn line_break(&mut self) {
        if self.inline.breaks() && self.is_block_mode() {
            self.flush();
        } else {
            self.inline.break_line();
        }
    }

    pub(super) fn rule(&mut self) {
        self.boundary();
        if self.is_block_mode() {
            self.writer.block(["---"]);
        }
    }

    pub(super) fn formula(&mut self, formula: Formula) {
        let Formula::Shows { tex, displayed } = formula else { return };
        if displayed && self.is_block_mode() {
            self.flush();
            self.inline.raw(&format!("$${tex}$$"));
            self.flush();
        } else {
            let sign = if displayed { "$$" } else { "$" };
            self.inline.raw(&format!("{sign}{tex}{sign}"));
        }
    }

    pub(super) fn image(&mut self, id: Id) {
        if let Some(markdown) = images::markdown(self.page.dom, id, self.page.addresses) {
            // Beside words it is one more.
            self.inline.space();
            self.inline.raw(&markdown);
            self.inline.space();
        }
    }

    /// A box at the beginning of an item.
    pub(super) fn input(&mut self, id: Id) {
        let dom = self.page.dom;
        let is_box = dom.attr(id, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox"));
        let begins_item = self.inline.is_empty() && !self.lists.is_empty() && !self.writer.in_written();
        if is_box && begins_item && self.inline.mode == Mode::Block {
            self.inline.raw(if dom.attr(id, "checked").is_some() { "[x]" } else { "[ ]" });
            self.inline.space();
        }
    }

    pub(super) fn code_block(&mut self, id: Id) -> Id {
        let end = self.page.dom.end(id);
        let Some(block) = code::block(self.page, id) else { return end };
        self.boundary();
        match self.inline.mode {
            Mode::Block => {
                let fence = block.fence();
                let first = format!("{fence}{}", block.language);
                let lines = std::iter::once(first.as_str()).chain(block.code.split('\n')).chain([fence.as_str()]);
                self.writer.block(lines);
            }
            Mode::Heading => self.inline.code(&escape::one_line(&block.code, &[])),
            Mode::Cell => {
                self.inline.raw(&block.in_cell());
                self.inline.break_line();
            }
        }
        end
    }

    pub(super) fn code(&mut self, id: Id) -> Id {
        let (dom, kept) = (self.page.dom, self.page.kept);
        let end = dom.end(id);
        let has_breaks = (id..end).any(|id| dom.name(id) == Name::Br && kept.has(id)) || self.page.survey.is_blocky(id);
        if has_breaks && self.is_block_mode() && !self.inline.in_link() {
            return self.code_block(id);
        }
        let text = words(dom, id, kept);
        if text.is_empty() {
            return id + 1;
        }
        let leading = texts(dom, id, kept).next().is_some_and(|text| text.starts_with(' '));
        if leading {
            self.inline.space();
        }
        let link = (id..end).find(|id| dom.name(*id) == Name::A && kept.any(dom, *id));
        let link = link.filter(|link| !self.inline.in_link() && words(dom, *link, kept) == text);
        let target = link.and_then(|link| self.target(link));
        let linked = target.is_some();
        if let Some(target) = target {
            self.inline.open_link(target, false);
        }
        self.inline.code(&text);
        if linked {
            self.inline.close();
        }
        end
    }

    /// A drawing has a name, which is worth writing when it is all that a link has.
    pub(super) fn drawing(&mut self, id: Id) -> Id {
        let (dom, kept) = (self.page.dom, self.page.kept);
        let end = dom.end(id);
        let link =
            self.inline.in_link().then(|| dom.ancestors(id).take(6).find(|up| dom.name(*up) == Name::A)).flatten();
        let alone = link.is_some_and(|link| {
            !(link..id).chain(end..dom.end(link)).any(|id| kept.has(id) && !dom.text(id).trim().is_empty())
        });
        if alone {
            let title = (id..end).find(|id| dom.name(*id) == Name::Title || dom.local(*id) == "title");
            let title = title.map(|title| words(dom, title, kept)).filter(|title| !title.is_empty());
            let label = title.or_else(|| dom.attr(id, "aria-label").map(str::to_owned));
            self.inline.text(&label.unwrap_or_default());
        }
        end
    }

    pub(super) fn media(&mut self, id: Id) -> Id {
        let dom = self.page.dom;
        if let Some(media) = media::media(dom, id, self.page.addresses) {
            self.boundary();
            self.inline.open_link(Target { address: media.address, title: None }, false);
            self.inline.text(&media.label);
            self.inline.close();
            self.boundary();
            return dom.end(id);
        }
        // What an object shows instead of itself may be text.
        if dom.name(id) == Name::Object { id + 1 } else { dom.end(id) }
    }
}
