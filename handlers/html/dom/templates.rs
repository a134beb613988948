//! `template`, whose content is kept as its children, and the return to a mode.

use super::{
    build::{Builder, Mode, Step},
    head::is_of_head,
    names::Name,
    rules::Rules,
    tokens::Tag,
    tree::NONE,
};

// === impl Builder ===

impl Builder<'_> {
    pub(super) fn open_template(&mut self, tag: &Tag) {
        self.insert(tag);
        self.formatting.mark();
        self.mode = Mode::InTemplate;
        self.templates.push(Mode::InTemplate);
    }

    pub(super) fn close_template(&mut self) {
        if self.open.last(Name::Template).is_none() {
            return;
        }
        while self.open.top().has(Rules::IMPLIED_END | Rules::TEMPLATE_END) {
            self.open.pop();
        }
        self.open.pop_until(Name::Template);
        self.formatting.clear_to_mark();
        self.templates.pop();
        self.reset_mode();
    }

    pub(super) fn template_start(&mut self, tag: &Tag) -> Step {
        let mode = match tag.name {
            name if is_of_head(name) => return self.head_start(tag),
            Name::Caption | Name::Colgroup | Name::Tbody | Name::Tfoot | Name::Thead => Mode::InTable,
            Name::Col => Mode::InColumnGroup,
            Name::Tr => Mode::InTableBody,
            Name::Td | Name::Th => Mode::InRow,
            _ => return self.body_start(tag),
        };
        if let Some(template) = self.templates.last_mut() {
            *template = mode;
        }
        self.mode = mode;
        Step::Again
    }

    pub(super) fn template_end(&mut self, tag: &Tag) -> Step {
        if tag.name == Name::Template {
            self.close_template();
            return Step::Done;
        }
        // The standard ignores other end tags here, but elements of the body may be open.
        self.body_end(tag)
    }

    /// The mode that belongs to the elements that are open.
    pub(super) fn reset_mode(&mut self) {
        let modes = [
            (Name::Td, Mode::InCell),
            (Name::Th, Mode::InCell),
            (Name::Tr, Mode::InRow),
            (Name::Tbody, Mode::InTableBody),
            (Name::Thead, Mode::InTableBody),
            (Name::Tfoot, Mode::InTableBody),
            (Name::Caption, Mode::InCaption),
            (Name::Colgroup, Mode::InColumnGroup),
            (Name::Table, Mode::InTable),
            (Name::Template, self.templates.last().copied().unwrap_or(Mode::InBody)),
            (Name::Head, Mode::InHead),
            (Name::Body, Mode::InBody),
            (Name::Html, if self.head == NONE { Mode::BeforeHead } else { Mode::AfterHead }),
        ];
        let topmost = modes.into_iter().filter_map(|(name, mode)| Some((self.open.last(name)?, mode)));
        self.mode = topmost.max_by_key(|(place, _)| *place).map_or(Mode::InBody, |(_, mode)| mode);
    }
}
