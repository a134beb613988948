//! Foreign content: SVG and formulas.

use super::{
    build::{Builder, Step},
    names::Name,
    rules::Rules,
    scopes::Scope,
    tokens::Tag,
    tree::Namespace,
};

// === impl Builder ===

impl Builder<'_> {
    /// Opens `svg` or `math` within HTML.
    pub(super) fn open_foreign(&mut self, tag: &Tag) {
        self.reopen_formatting();
        self.insert_foreign(tag, if tag.name == Name::Svg { Namespace::Svg } else { Namespace::MathMl });
    }

    /// Whether a start tag is read by the rules of foreign content.
    pub(super) fn is_foreign_start(&self, tag: &Tag) -> bool {
        let top = self.open.top();
        let is_math_only =
            tag.name == Name::Other && matches!(tag.local.of(self.tokens.source), "mglyph" | "malignmark");
        top.namespace != Namespace::Html
            && (is_math_only || !top.is_math_text())
            && !(top.namespace == Namespace::MathMl && top.name == Name::AnnotationXml && tag.name == Name::Svg)
            && !self.is_html_point()
    }

    /// Whether text is read by the rules of foreign content.
    pub(super) fn is_foreign_text(&self) -> bool {
        self.open.top().namespace != Namespace::Html && !self.open.top().is_math_text() && !self.is_html_point()
    }

    /// A start tag within foreign content.
    pub(super) fn foreign_start(&mut self, tag: &Tag) {
        let is_styled_font =
            tag.name == Name::Font && ["color", "face", "size"].iter().any(|name| self.tokens.attr(name).is_some());
        if Rules::BREAKS_OUT.any_of(tag.name) || is_styled_font {
            self.break_out();
            while self.html_start(tag) == Step::Again {}
            return;
        }
        self.insert_foreign(tag, self.open.top().namespace);
    }

    /// An end tag within foreign content. `false`: the rules of HTML hold for it.
    pub(super) fn foreign_end(&mut self, tag: &Tag) -> bool {
        if matches!(tag.name, Name::Br | Name::P) {
            self.break_out();
            return false;
        }
        // The keys of SVG and formulas are the same.
        match self.open.last_key(tag.key, Namespace::Svg).filter(|place| *place > self.open.limit(Scope::Html)) {
            Some(place) => {
                self.open.truncate(place);
                true
            }
            None => false,
        }
    }

    fn insert_foreign(&mut self, tag: &Tag, namespace: Namespace) {
        let spot = self.spot(self.open.top().node);
        let node = self.tree.element(tag, namespace, self.tokens.source, self.tokens.attrs());
        self.tree.put(node, spot);
        if !tag.self_closing {
            self.open.push(node, tag.name, tag.key, namespace);
        }
    }

    /// Closes foreign content up to a place for HTML.
    fn break_out(&mut self) {
        while self.is_foreign_text() {
            self.open.pop();
        }
    }

    /// Whether the content of the open element is HTML, although it is foreign itself.
    fn is_html_point(&self) -> bool {
        let top = self.open.top();
        top.is_svg_text()
            || (top.namespace == Namespace::MathMl
                && top.name == Name::AnnotationXml
                && self.tree.attr(top.node, "encoding").is_some_and(|encoding| {
                    encoding.eq_ignore_ascii_case("text/html") || encoding.eq_ignore_ascii_case("application/xhtml+xml")
                }))
    }
}
