//! The insertion mode of the body: most of a page.

use super::{
    build::{Builder, Mode, Step},
    head::is_of_head,
    names::Name,
    rules::Rules,
    scopes::Scope,
    tokens::Tag,
    tree::{At, NONE, Namespace},
};

const HEADINGS: [Name; 6] = [Name::H1, Name::H2, Name::H3, Name::H4, Name::H5, Name::H6];

// === impl Builder ===

impl Builder<'_> {
    pub(super) fn body_start(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::P => self.open_block(tag),
            name if Rules::BLOCK.any_of(name) => self.open_block(tag),
            name if Rules::FORMATTING.any_of(name) => self.formatting_start(tag),
            Name::Li => {
                let item = self.open.limit(Scope::Item);
                self.open_item(tag, self.open.get(item).is_some_and(|open| open.is(Name::Li)).then_some(item));
            }
            Name::Dd | Name::Dt => {
                let item = self.open.limit(Scope::Item);
                let is_item = self.open.get(item).is_some_and(|open| open.is(Name::Dd) || open.is(Name::Dt));
                self.open_item(tag, is_item.then_some(item));
            }
            name if name.heading().is_some() => {
                self.close_paragraph();
                if HEADINGS.iter().any(|heading| self.open.top().is(*heading)) {
                    self.open.pop();
                }
                self.insert(tag);
            }
            Name::Area | Name::Br | Name::Embed | Name::Img | Name::Keygen | Name::Wbr => self.insert_inline(tag),
            Name::Input => {
                if self.open.in_scope(Name::Select, Scope::Default) {
                    self.open.pop_until(Name::Select);
                }
                self.insert_inline(tag);
            }
            Name::Image => self.insert_inline(&Tag { name: Name::Img, key: Name::Img as u64, ..*tag }),
            Name::Param | Name::Source | Name::Track => {
                self.insert_closed(tag);
            }
            Name::Hr => {
                self.close_paragraph();
                if self.open.in_scope(Name::Select, Scope::Default) {
                    self.close_implied(None);
                }
                self.insert_closed(tag);
            }
            Name::Pre | Name::Listing => {
                self.open_block(tag);
                self.skip_newline();
            }
            Name::Table => {
                self.open_block(tag);
                self.mode = Mode::InTable;
            }
            Name::Form => self.open_form(tag),
            Name::Button => {
                if self.open.in_scope(Name::Button, Scope::Default) {
                    self.close_implied(None);
                    self.open.pop_until(Name::Button);
                }
                self.open_inline(tag);
            }
            Name::Applet | Name::Marquee | Name::Object => {
                self.open_inline(tag);
                self.formatting.mark();
            }
            Name::Select | Name::Option | Name::Optgroup => self.select_start(tag),
            Name::Rb | Name::Rtc | Name::Rp | Name::Rt => {
                if self.open.in_scope(Name::Ruby, Scope::Default) {
                    self.close_implied(matches!(tag.name, Name::Rp | Name::Rt).then_some(Name::Rtc));
                }
                self.insert(tag);
            }
            Name::Math | Name::Svg => self.open_foreign(tag),
            Name::Textarea | Name::Iframe | Name::Noembed => self.insert_raw(tag),
            Name::Xmp => {
                self.close_paragraph();
                self.reopen_formatting();
                self.insert_raw(tag);
            }
            Name::Plaintext => {
                self.open_block(tag);
                self.plain_rest();
            }
            name if is_of_head(name) => return self.head_start(tag),
            Name::Html => self.merge_into(0),
            Name::Body => {
                if self.body != NONE {
                    self.merge_into(self.body);
                }
            }
            Name::Caption
            | Name::Col
            | Name::Colgroup
            | Name::Frame
            | Name::Frameset
            | Name::Head
            | Name::Tbody
            | Name::Td
            | Name::Tfoot
            | Name::Th
            | Name::Thead
            | Name::Tr => {}
            _ => self.open_inline(tag),
        }
        Step::Done
    }

    pub(super) fn body_end(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::P => {
                if !self.open.in_scope(Name::P, Scope::Button) {
                    self.insert_implied(Name::P);
                }
                self.close_paragraph();
            }
            name if Rules::FORMATTING.any_of(name) => self.close_formatting(tag),
            name if Rules::BLOCK.any_of(name) => self.close_block(name),
            Name::Button | Name::Listing | Name::Pre | Name::Select => self.close_block(tag.name),
            Name::Li => {
                if self.open.in_scope(Name::Li, Scope::List) {
                    self.close_implied(Some(Name::Li));
                    self.open.pop_until(Name::Li);
                }
            }
            Name::Dd | Name::Dt => {
                if self.open.in_scope(tag.name, Scope::Default) {
                    self.close_implied(Some(tag.name));
                    self.open.pop_until(tag.name);
                }
            }
            name if name.heading().is_some() => {
                if self.open.any_in_scope(&HEADINGS, Scope::Default) {
                    let topmost = HEADINGS.iter().filter_map(|heading| self.open.last(*heading)).max();
                    self.open.truncate(topmost.unwrap_or(usize::MAX));
                }
            }
            Name::Applet | Name::Marquee | Name::Object => {
                if self.open.in_scope(tag.name, Scope::Default) {
                    self.close_block(tag.name);
                    self.formatting.clear_to_mark();
                }
            }
            Name::Form => self.close_form(),
            Name::Template => self.close_template(),
            Name::Br => self.insert_inline(&Tag::implied(Name::Br)),
            // What follows the end of the body belongs to it all the same.
            Name::Body | Name::Html => {}
            _ => self.close_inline(tag),
        }
        Step::Done
    }

    /// Closes elements whose end tag may be left out, up to one of another name.
    pub(super) fn close_implied(&mut self, except: Option<Name>) {
        while self.open.top().has(Rules::IMPLIED_END) && Some(self.open.top().name) != except {
            self.open.pop();
        }
    }

    fn close_paragraph(&mut self) {
        if self.open.in_scope(Name::P, Scope::Button) {
            self.open.pop_until(Name::P);
        }
    }

    fn open_block(&mut self, tag: &Tag) {
        self.close_paragraph();
        self.insert(tag);
    }

    fn close_block(&mut self, name: Name) {
        if self.open.in_scope(name, Scope::Default) {
            self.open.pop_until(name);
        }
    }

    /// Opens an item of a list. `before`: the place of the item that it ends.
    fn open_item(&mut self, tag: &Tag, before: Option<usize>) {
        if let Some(place) = before {
            self.open.truncate(place);
        }
        self.open_block(tag);
    }

    fn open_inline(&mut self, tag: &Tag) {
        self.reopen_formatting();
        self.insert(tag);
    }

    /// Any end tag without rules of its own.
    fn close_inline(&mut self, tag: &Tag) {
        if let Some(place) = self.open.last_key(tag.key, Namespace::Html)
            && place >= self.open.limit(Scope::Special)
        {
            self.open.truncate(place);
        }
    }

    fn insert_inline(&mut self, tag: &Tag) {
        self.reopen_formatting();
        self.insert_closed(tag);
    }

    fn close_formatting(&mut self, tag: &Tag) {
        if !self.adopt(tag.name) {
            self.close_inline(tag);
        }
    }

    fn formatting_start(&mut self, tag: &Tag) {
        match tag.name {
            Name::A => self.close_link(),
            Name::Nobr => {
                self.reopen_formatting();
                if self.open.in_scope(Name::Nobr, Scope::Default) {
                    self.close_formatting(tag);
                }
            }
            _ => {}
        }
        self.open_formatting(tag);
    }

    fn select_start(&mut self, tag: &Tag) {
        if self.open.in_scope(Name::Select, Scope::Default) {
            match tag.name {
                Name::Select => return self.open.pop_until(Name::Select),
                Name::Option => self.close_implied(Some(Name::Optgroup)),
                _ => self.close_implied(None),
            }
        } else if tag.name != Name::Select && self.open.top().is(Name::Option) {
            self.open.pop();
        }
        self.open_inline(tag);
    }

    fn open_form(&mut self, tag: &Tag) {
        let in_template = self.open.last(Name::Template).is_some();
        if self.form != NONE && !in_template {
            return;
        }
        self.close_paragraph();
        let form = self.insert(tag);
        if !in_template {
            self.form = form;
        }
    }

    fn close_form(&mut self) {
        if self.open.last(Name::Template).is_some() {
            return self.close_block(Name::Form);
        }
        let form = std::mem::replace(&mut self.form, NONE);
        if let Some(place) = self.open.place_of(form, Name::Form)
            && place >= self.open.limit(Scope::Default)
        {
            self.close_implied(None);
            self.open.remove(form, Name::Form);
        }
    }

    /// Gives an element attributes that only a second tag has.
    fn merge_into(&mut self, node: At) {
        if self.open.last(Name::Template).is_none() {
            self.tree.merge_attrs(node, self.tokens.source, self.tokens.attrs());
        }
    }
}
