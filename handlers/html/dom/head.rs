//! What stands before the body.

use super::{
    build::{Builder, Mode, Step},
    names::Name,
    tokens::Tag,
    tree::{NONE, Namespace},
};

/// Elements that are read by the rules of the head wherever they stand.
pub(super) fn is_of_head(name: Name) -> bool {
    matches!(
        name,
        Name::Base
            | Name::Basefont
            | Name::Bgsound
            | Name::Link
            | Name::Meta
            | Name::Noframes
            | Name::Script
            | Name::Style
            | Name::Template
            | Name::Title
    )
}

// === impl Builder ===

impl Builder<'_> {
    // What every page has

    pub(super) fn open_html(&mut self) {
        if self.open.len() == 0 {
            self.insert_implied(Name::Html);
            self.mode = Mode::BeforeHead;
        }
    }

    pub(super) fn open_head(&mut self) {
        if self.head == NONE {
            self.head = self.insert_implied(Name::Head);
            self.mode = Mode::InHead;
        }
    }

    pub(super) fn open_body(&mut self) {
        self.body = self.insert_implied(Name::Body);
        self.mode = Mode::InBody;
    }

    /// Leaves a mode that has no place for text, or for the element that follows.
    pub(super) fn leave_for_content(&mut self) {
        match self.mode {
            Mode::BeforeHtml => self.open_html(),
            Mode::BeforeHead => self.open_head(),
            Mode::InHead => {
                self.open.pop();
                self.mode = Mode::AfterHead;
            }
            Mode::InHeadNoscript => {
                self.open.pop();
                self.mode = Mode::InHead;
            }
            Mode::AfterHead => self.open_body(),
            Mode::InColumnGroup if self.open.top().is(Name::Colgroup) => {
                self.open.pop();
                self.mode = Mode::InTable;
            }
            Mode::InColumnGroup => self.mode = Mode::InTemplate,
            _ => {}
        }
    }

    fn leave(&mut self) -> Step {
        self.leave_for_content();
        Step::Again
    }

    // Start tags

    pub(super) fn before_html_start(&mut self, tag: &Tag) -> Step {
        if tag.name != Name::Html {
            return self.leave();
        }
        self.insert(tag);
        self.mode = Mode::BeforeHead;
        Step::Done
    }

    pub(super) fn before_head_start(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Html => return self.body_start(tag),
            Name::Head => {
                self.head = self.insert(tag);
                self.mode = Mode::InHead;
            }
            _ => return self.leave(),
        }
        Step::Done
    }

    pub(super) fn head_start(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Html => return self.body_start(tag),
            Name::Base | Name::Basefont | Name::Bgsound | Name::Link | Name::Meta => {
                self.insert_closed(tag);
            }
            Name::Title | Name::Noframes | Name::Style | Name::Script => self.insert_raw(tag),
            Name::Noscript => {
                self.insert(tag);
                self.mode = Mode::InHeadNoscript;
            }
            Name::Template => self.open_template(tag),
            Name::Head => {}
            _ => return self.leave(),
        }
        Step::Done
    }

    pub(super) fn noscript_start(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Html => self.body_start(tag),
            Name::Basefont | Name::Bgsound | Name::Link | Name::Meta | Name::Noframes | Name::Style => {
                self.head_start(tag)
            }
            Name::Head | Name::Noscript => Step::Done,
            _ => self.leave(),
        }
    }

    pub(super) fn after_head_start(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Html => return self.body_start(tag),
            Name::Body => {
                self.body = self.insert(tag);
                self.mode = Mode::InBody;
            }
            name if is_of_head(name) => {
                self.open.push(self.head, Name::Head, Name::Head as u64, Namespace::Html);
                self.head_start(tag);
                self.open.remove(self.head, Name::Head);
            }
            Name::Head | Name::Frameset | Name::Frame => {}
            _ => return self.leave(),
        }
        Step::Done
    }

    // End tags

    /// Before `head`, and between it and `body`.
    pub(super) fn early_end(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Template if self.mode == Mode::AfterHead => self.close_template(),
            Name::Body | Name::Html | Name::Br => return self.leave(),
            Name::Head if self.mode != Mode::AfterHead => return self.leave(),
            _ => {}
        }
        Step::Done
    }

    pub(super) fn head_end(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Template => self.close_template(),
            Name::Head => self.leave_for_content(),
            Name::Body | Name::Html | Name::Br => return self.leave(),
            _ => {}
        }
        Step::Done
    }

    pub(super) fn noscript_end(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Noscript => self.leave_for_content(),
            Name::Br => return self.leave(),
            _ => {}
        }
        Step::Done
    }
}
