//! The tree builder: tokens in, a tree out, by the insertion modes of the HTML standard.

use super::{
    Dom, MAX_ATTRS, MAX_DEPTH,
    entities::Place,
    flat::Flat,
    formatting::Formatting,
    names::Name,
    order,
    rules::Rules,
    scopes::Stack,
    tokens::{Span, Tag, Token, Tokens, decode},
    tree::{At, NONE, Namespace, Spot, Tree, index},
};

/// Which rules of the standard hold for the next token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    InTable,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
}

/// What a mode did with a token.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Done,
    /// The mode has changed, and the new one is asked.
    Again,
}

/// Builds the tree of a page.
pub(super) struct Builder<'a> {
    pub(super) tokens: Tokens<'a>,
    pub(super) tree: Tree,
    pub(super) open: Stack,
    pub(super) formatting: Formatting,
    pub(super) flat: Flat,
    pub(super) mode: Mode,
    /// The modes of open templates.
    pub(super) templates: Vec<Mode>,
    pub(super) head: At,
    pub(super) body: At,
    /// The form that is open, wherever its end tag comes.
    pub(super) form: At,
    /// What doesn't belong into a table is put before it.
    pub(super) foster: bool,
    /// A line's end right behind `<pre>` is no content.
    skip_newline: bool,
    pub(super) xml: bool,
}

/// White space, as far as tree building is concerned.
const SPACES: [char; 5] = [' ', '\n', '\t', '\r', '\x0C'];

// === impl Builder ===

impl<'a> Builder<'a> {
    pub(super) fn new(source: &'a str, xml: bool) -> Self {
        Self {
            tokens: Tokens::new(source, MAX_ATTRS),
            tree: Tree::new(source.len()),
            open: Stack::new(),
            formatting: Formatting::default(),
            flat: Flat::default(),
            mode: Mode::BeforeHtml,
            templates: Vec::new(),
            head: NONE,
            body: NONE,
            form: NONE,
            foster: false,
            skip_newline: false,
            xml,
        }
    }

    pub(super) fn run(mut self) -> Dom {
        while !self.tree.is_full() {
            let cdata = self.xml || (self.open.len() > 0 && self.open.top().namespace != Namespace::Html);
            let Some(token) = self.tokens.next(cdata) else { break };
            let skip_newline = std::mem::take(&mut self.skip_newline);
            match token {
                Token::Text(span) => self.text(span, Some(Place::Text), skip_newline),
                Token::Verbatim(span) => self.text(span, None, skip_newline),
                Token::Start(tag) => self.start(&tag),
                Token::End(tag) => self.end(&tag),
            }
        }
        self.complete();
        if self.tree.is_full() {
            self.append_rest();
        }
        order::dom(self.tree, 0, self.body)
    }

    /// Opens what every page has.
    fn complete(&mut self) {
        if self.body == NONE {
            self.open_html();
            self.open_head();
            self.open.truncate(1);
            self.open_body();
        }
    }

    // Tokens

    fn text(&mut self, span: Span, place: Option<Place>, skip_newline: bool) {
        let start = self.tree.text.len();
        let is_foreign = self.open.len() > 0 && self.is_foreign_text();
        let nul = if is_foreign { "\u{FFFD}" } else { "" };
        decode(span.of(self.tokens.source), place, nul, &mut self.tree.text);
        let mut span = Span { start, end: self.tree.text.len() };
        if skip_newline && self.tree.text[start..].starts_with('\n') {
            span.start += 1;
        }
        if is_foreign {
            if !matches!(self.open.top().name, Name::Style | Name::Script) {
                self.put_text(span);
            }
            return;
        }
        while self.mode != Mode::InBody && span.start < span.end {
            let text = span.of(&self.tree.text);
            let spaces = text.len() - text.trim_start_matches(SPACES).len();
            let leading = Span { start: span.start, end: span.start + spaces };
            match self.mode {
                Mode::BeforeHtml | Mode::BeforeHead => {}
                Mode::InHead | Mode::InHeadNoscript | Mode::AfterHead | Mode::InColumnGroup => self.put_text(leading),
                Mode::InTable | Mode::InTableBody | Mode::InRow => return self.table_text(span, spaces),
                Mode::InBody | Mode::InCaption | Mode::InCell | Mode::InTemplate => break,
            }
            span.start = leading.end;
            if span.start < span.end {
                self.leave_for_content();
            }
        }
        if span.start < span.end {
            self.body_text(span);
        }
    }

    /// Text by the rules of the body.
    pub(super) fn body_text(&mut self, span: Span) {
        self.reopen_formatting();
        self.put_text(span);
    }

    fn start(&mut self, tag: &Tag) {
        if self.open.len() >= MAX_DEPTH && !Rules::VOID.any_of(tag.name) {
            self.flat_start(tag);
        } else if self.open.len() == 0 || !self.is_foreign_start(tag) {
            let first_new = index(self.tree.nodes.len());
            while self.html_start(tag) == Step::Again {}
            let top = self.open.top();
            if self.xml && tag.self_closing && top.node >= first_new && top.name == tag.name {
                self.end(tag);
            }
        } else {
            self.foreign_start(tag);
        }
    }

    /// Opens an element by the rules of HTML, whatever is open.
    pub(super) fn html_start(&mut self, tag: &Tag) -> Step {
        match self.mode {
            Mode::InBody => self.body_start(tag),
            Mode::BeforeHtml => self.before_html_start(tag),
            Mode::BeforeHead => self.before_head_start(tag),
            Mode::InHead => self.head_start(tag),
            Mode::InHeadNoscript => self.noscript_start(tag),
            Mode::AfterHead => self.after_head_start(tag),
            Mode::InTable => self.table_start(tag),
            Mode::InCaption => self.caption_start(tag),
            Mode::InColumnGroup => self.columns_start(tag),
            Mode::InTableBody => self.rows_start(tag),
            Mode::InRow => self.row_start(tag),
            Mode::InCell => self.cell_start(tag),
            Mode::InTemplate => self.template_start(tag),
        }
    }

    fn end(&mut self, tag: &Tag) {
        if self.flat.ends(tag, self.open.len()) {
            return;
        }
        if self.open.len() == 0 || self.open.top().namespace == Namespace::Html || !self.foreign_end(tag) {
            while self.html_end(tag) == Step::Again {}
        }
    }

    /// Closes an element by the rules of HTML, whatever is open.
    fn html_end(&mut self, tag: &Tag) -> Step {
        match self.mode {
            Mode::InBody => self.body_end(tag),
            Mode::BeforeHtml | Mode::BeforeHead | Mode::AfterHead => self.early_end(tag),
            Mode::InHead => self.head_end(tag),
            Mode::InHeadNoscript => self.noscript_end(tag),
            Mode::InTable => self.table_end(tag),
            Mode::InCaption => self.caption_end(tag),
            Mode::InColumnGroup => self.columns_end(tag),
            Mode::InTableBody => self.rows_end(tag),
            Mode::InRow => self.row_end(tag),
            Mode::InCell => self.cell_end(tag),
            Mode::InTemplate => self.template_end(tag),
        }
    }

    // Elements

    /// Adds the element of a tag and leaves it open.
    pub(super) fn insert(&mut self, tag: &Tag) -> At {
        let node = self.insert_closed(tag);
        self.open.push(node, tag.name, tag.key, Namespace::Html);
        node
    }

    /// Adds the element of a tag that has no content, or none yet.
    pub(super) fn insert_closed(&mut self, tag: &Tag) -> At {
        let spot = if self.open.len() == 0 { None } else { Some(self.spot(self.open.top().node)) };
        let attrs = if tag.local == Span::default() { &[] } else { self.tokens.attrs() };
        let node = self.tree.element(tag, Namespace::Html, self.tokens.source, attrs);
        if let Some(spot) = spot {
            self.tree.put(node, spot);
        }
        node
    }

    /// Adds an element that no tag stands for.
    pub(super) fn insert_implied(&mut self, name: Name) -> At {
        self.insert(&Tag::implied(name))
    }

    pub(super) fn put_text(&mut self, span: Span) {
        let spot = self.spot(self.open.top().node);
        self.tree.put_text(span, spot);
    }

    /// Where a new child of `target` is put: before the table, if a table has no place for it.
    pub(super) fn spot(&self, target: At) -> Spot {
        let node = self.tree.node(target);
        if !self.foster || node.namespace != Namespace::Html || !Rules::TABLE_FRAME.any_of(node.name) {
            return Spot::In(target);
        }
        let (table, template) = (self.open.last(Name::Table), self.open.last(Name::Template));
        let entry = |place: usize| self.open.get(place).map_or(0, |entry| entry.node);
        match (table, template) {
            (Some(table), template) if template.is_none_or(|template| template < table) => {
                if self.tree.node(entry(table)).parent == NONE {
                    Spot::In(entry(table.saturating_sub(1)))
                } else {
                    Spot::Before(entry(table))
                }
            }
            (_, Some(template)) => Spot::In(entry(template)),
            _ => Spot::In(0),
        }
    }

    /// The next text starts with a line's end that is no content.
    pub(super) fn skip_newline(&mut self) {
        self.skip_newline = true;
    }
}
