//! The walk through the elements.

mod containers;
mod leaves;
mod links;

use super::{
    Page, escape,
    inline::{Inline, Mark, Mode},
    is_silent,
    lists::List,
    math, media, notes,
    writer::Writer,
};
use crate::html::dom::{Id, Name};

/// What happens at the end of an element.
#[derive(Clone, Copy)]
enum Close {
    /// The paragraph ends.
    Block,
    /// So does a mark in it.
    MarkedBlock,
    Heading(u8),
    Mark,
    List,
    /// Of which the frame may be missing.
    Item {
        framed: bool,
    },
    Frame,
    Text(&'static str),
    Note,
}

struct Open {
    end: Id,
    close: Close,
}

/// The walk.
struct Blocks<'a> {
    page: &'a Page<'a>,
    inline: Inline,
    writer: Writer,
    open: Vec<Open>,
    lists: Vec<List>,
    /// How many notes are open.
    notes: usize,
    /// The text that was written last.
    last_text: Id,
}

/// What is kept below `root`.
pub(super) fn markdown(page: &Page<'_>, root: Id) -> String {
    let mut blocks = Blocks::new(page, Mode::Block);
    blocks.walk(root + 1, page.dom.end(root));
    blocks.flush();
    blocks.writer.finish()
}

/// The content of a cell of a table, in one line.
pub(super) fn cell(page: &Page<'_>, cell: Id) -> String {
    if !page.kept.any(page.dom, cell) {
        return String::new();
    }
    let mut blocks = Blocks::new(page, Mode::Cell);
    blocks.walk(cell + 1, page.dom.end(cell));
    let mut text = blocks.inline.take();
    text.truncate(text.trim_end().len());
    text
}

// === impl Blocks ===

impl<'a> Blocks<'a> {
    fn new(page: &'a Page<'a>, mode: Mode) -> Self {
        Self {
            page,
            inline: Inline::new(mode),
            writer: Writer::new(),
            open: Vec::new(),
            lists: Vec::new(),
            notes: 0,
            last_text: 0,
        }
    }

    fn walk(&mut self, from: Id, end: Id) {
        let mut id = from;
        while id < end {
            while let Some(open) = self.open.pop_if(|open| open.end <= id) {
                self.close(open.close);
            }
            id = self.visit(id);
        }
        while let Some(open) = self.open.pop() {
            self.close(open.close);
        }
    }

    /// Writes a node, or what begins with it. Answers with the node to go on with.
    fn visit(&mut self, id: Id) -> Id {
        let dom = self.page.dom;
        let name = dom.name(id);
        if name == Name::Text {
            if self.page.kept.has(id) {
                self.text(id);
            }
            return id + 1;
        }
        if name == Name::Li && !self.page.kept.any(dom, id) {
            self.next_marker(id);
        }
        if !self.page.kept.any(dom, id) {
            return dom.end(id);
        }
        if let Some(formula) = math::formula(self.page, id) {
            self.formula(formula);
            return dom.end(id);
        }
        if is_silent(name) || (self.notes > 0 && notes::leads_back(dom, id)) {
            return dom.end(id);
        }
        if let Some(level) = heading_level(self.page, id, name)
            && self.inline.mode == Mode::Block
        {
            self.heading(id, level);
            return id + 1;
        }
        match name {
            Name::Br => self.line_break(),
            Name::Hr => self.rule(),
            Name::Wbr => {}
            Name::Img | Name::Image => self.image(id),
            Name::Input => self.input(id),
            Name::Pre | Name::Xmp | Name::Plaintext => return self.code_block(id),
            Name::Code | Name::Kbd | Name::Samp | Name::Tt => return self.code(id),
            Name::A => return self.link(id),
            Name::Svg => return self.drawing(id),
            Name::Table => return self.table(id),
            Name::Tr | Name::Td | Name::Th => self.layout(id, name),
            Name::Ul | Name::Ol | Name::Menu | Name::Dir => self.list(id),
            Name::Li => self.item(id),
            Name::Dd => self.definition(id),
            Name::Blockquote => self.quote(id),
            Name::B | Name::Strong => self.mark(id, Mark::Strong),
            Name::I | Name::Em | Name::Var | Name::Dfn => self.mark(id, Mark::Emphasis),
            // What is more than a title has its own marks.
            Name::Cite if dom.end(id) == id + 2 => self.mark(id, Mark::Emphasis),
            Name::Del | Name::S | Name::Strike => self.mark(id, Mark::Strike),
            Name::Mark => self.mark(id, Mark::Highlight),
            Name::Sup if !self.holds_reference(id) => self.mark(id, Mark::Superscript),
            Name::Sub => self.mark(id, Mark::Subscript),
            Name::Q => self.around(id, "\"", "\""),
            Name::Rt => self.around(id, "(", ")"),
            Name::Rp => return dom.end(id),
            Name::Button => self.around(id, " ", " "),
            Name::Summary => self.marked_block(id, Mark::Strong),
            Name::Figcaption | Name::Caption => self.marked_block(id, Mark::Emphasis),
            _ if media::is_media(name) => return self.media(id),
            Name::Other if dom.local(id) == "listing" => return self.code_block(id),
            _ if name.is_block() => self.block(id),
            _ => {}
        }
        id + 1
    }

    fn close(&mut self, close: Close) {
        match close {
            Close::Block => self.boundary(),
            Close::MarkedBlock => {
                self.boundary();
                self.inline.close();
            }
            Close::Heading(level) => self.end_heading(level),
            Close::Mark => self.inline.close(),
            Close::List => {
                self.boundary();
                self.lists.pop();
                self.writer.loosen();
            }
            Close::Item { framed } => self.end_item(framed),
            Close::Frame => {
                self.boundary();
                self.writer.leave();
                self.writer.loosen();
            }
            Close::Text(" ") => self.inline.space(),
            Close::Text(text) => self.inline.raw(text),
            Close::Note => {
                self.end_item(true);
                self.notes -= 1;
            }
        }
    }

    fn opened(&mut self, id: Id, close: Close) {
        self.open.push(Open { end: self.page.dom.end(id), close });
    }

    /// Ends the paragraph.
    fn flush(&mut self) {
        let text = self.inline.take();
        let trimmed = text.trim_end();
        if trimmed.is_empty() {
            return;
        }
        let text = escape::line_starts(trimmed.to_owned());
        self.writer.block(text.split('\n'));
    }

    /// The edge of a block.
    fn boundary(&mut self) {
        match self.inline.mode {
            Mode::Block => self.flush(),
            Mode::Heading => self.inline.space(),
            Mode::Cell => self.inline.break_line(),
        }
    }

    fn is_block_mode(&self) -> bool {
        self.inline.mode == Mode::Block
    }

    fn block(&mut self, id: Id) {
        self.boundary();
        self.opened(id, Close::Block);
    }

    fn marked_block(&mut self, id: Id, mark: Mark) {
        self.boundary();
        self.inline.open(mark);
        self.opened(id, Close::MarkedBlock);
    }

    fn mark(&mut self, id: Id, mark: Mark) {
        self.inline.open(mark);
        self.opened(id, Close::Mark);
    }

    fn around(&mut self, id: Id, before: &str, after: &'static str) {
        if before == " " {
            self.inline.space();
        } else {
            self.inline.raw(before);
        }
        self.opened(id, Close::Text(after));
    }
}

/// The level of a heading, also of an element that plays one.
fn heading_level(page: &Page<'_>, id: Id, name: Name) -> Option<u8> {
    name.heading().or_else(|| {
        let plays = matches!(name, Name::Div | Name::P | Name::Span) && page.dom.attr(id, "role") == Some("heading");
        plays.then(|| page.dom.attr(id, "aria-level").and_then(|level| level.trim().parse().ok()).unwrap_or(2))
    })
}
