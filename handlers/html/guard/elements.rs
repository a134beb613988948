//! What the tree builder of HTML knows of an element, as far as nesting depends on it.

/// An element's name, or the hash of an unknown one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Name(u32);

/// How an element takes part in tree building.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// No element of HTML, or an inline one without rules of its own.
    Plain,
    /// A block: its start closes an open `p`.
    Block,
    /// Like a block, but closes no `p`: the parts of tables and lists have rules of their own.
    Special,
    /// On the list of active formatting elements.
    Formatting,
    /// Has no content.
    Void,
    /// Its content is text up to its end tag.
    Raw,
    /// Not passed on: `html`, `head`, `body`, frames.
    Frame,
}

/// The names of HTML that may not be taken for XML, in alphabetical order.
const KNOWN: [(&str, Kind); 103] = [
    ("a", Kind::Formatting),
    ("abbr", Kind::Plain),
    ("address", Kind::Block),
    ("area", Kind::Void),
    ("article", Kind::Block),
    ("aside", Kind::Block),
    ("b", Kind::Formatting),
    ("base", Kind::Void),
    ("basefont", Kind::Void),
    ("bgsound", Kind::Void),
    ("big", Kind::Formatting),
    ("blockquote", Kind::Block),
    ("body", Kind::Frame),
    ("br", Kind::Void),
    ("button", Kind::Special),
    ("caption", Kind::Special),
    ("center", Kind::Block),
    ("cite", Kind::Plain),
    ("code", Kind::Formatting),
    ("col", Kind::Void),
    ("colgroup", Kind::Special),
    ("dd", Kind::Block),
    ("del", Kind::Plain),
    ("details", Kind::Block),
    ("dialog", Kind::Block),
    ("dir", Kind::Block),
    ("div", Kind::Block),
    ("dl", Kind::Block),
    ("dt", Kind::Block),
    ("em", Kind::Formatting),
    ("embed", Kind::Void),
    ("fieldset", Kind::Block),
    ("figcaption", Kind::Block),
    ("figure", Kind::Block),
    ("font", Kind::Formatting),
    ("footer", Kind::Block),
    ("frame", Kind::Frame),
    ("frameset", Kind::Frame),
    ("h1", Kind::Block),
    ("h2", Kind::Block),
    ("h3", Kind::Block),
    ("h4", Kind::Block),
    ("h5", Kind::Block),
    ("h6", Kind::Block),
    ("head", Kind::Frame),
    ("header", Kind::Block),
    ("hgroup", Kind::Block),
    ("hr", Kind::Void),
    ("html", Kind::Frame),
    ("i", Kind::Formatting),
    ("iframe", Kind::Raw),
    ("image", Kind::Void),
    ("img", Kind::Void),
    ("input", Kind::Void),
    ("ins", Kind::Plain),
    ("kbd", Kind::Plain),
    ("keygen", Kind::Void),
    ("label", Kind::Plain),
    ("li", Kind::Block),
    ("link", Kind::Void),
    ("listing", Kind::Block),
    ("main", Kind::Block),
    ("mark", Kind::Plain),
    ("menu", Kind::Block),
    ("meta", Kind::Void),
    ("nav", Kind::Block),
    ("nobr", Kind::Formatting),
    ("noembed", Kind::Raw),
    ("noframes", Kind::Frame),
    ("noscript", Kind::Plain),
    ("ol", Kind::Block),
    ("p", Kind::Block),
    ("param", Kind::Void),
    ("plaintext", Kind::Frame),
    ("pre", Kind::Block),
    ("s", Kind::Formatting),
    ("script", Kind::Raw),
    ("search", Kind::Block),
    ("section", Kind::Block),
    ("small", Kind::Formatting),
    ("source", Kind::Void),
    ("span", Kind::Plain),
    ("strike", Kind::Formatting),
    ("strong", Kind::Formatting),
    ("style", Kind::Raw),
    ("sub", Kind::Plain),
    ("summary", Kind::Block),
    ("sup", Kind::Plain),
    ("table", Kind::Block),
    ("tbody", Kind::Special),
    ("td", Kind::Special),
    ("textarea", Kind::Raw),
    ("tfoot", Kind::Special),
    ("th", Kind::Special),
    ("thead", Kind::Special),
    ("title", Kind::Raw),
    ("tr", Kind::Special),
    ("track", Kind::Void),
    ("tt", Kind::Formatting),
    ("u", Kind::Formatting),
    ("ul", Kind::Block),
    ("wbr", Kind::Void),
    ("xmp", Kind::Raw),
];

/// Elements that change the tree builder's mode for what is in them, under names that don't.
const RENAMED: [(&str, &str); 10] = [
    ("applet", "x-applet"),
    ("form", "x-form"),
    ("marquee", "x-marquee"),
    ("math", "x-math"),
    ("object", "x-object"),
    ("optgroup", "x-optgroup"),
    ("option", "x-option"),
    ("select", "x-select"),
    ("svg", "x-svg"),
    ("template", "x-template"),
];

/// Whether an element of this name is passed on under another one.
pub(in super::super) fn is_renamed(name: &str) -> bool {
    RENAMED.iter().any(|(from, _)| *from == name)
}

/// The name that an element is passed on under.
pub(super) fn renamed(name: &str) -> &str {
    RENAMED.iter().find(|(from, _)| *from == name).map_or(name, |(_, to)| to)
}

// === impl Name ===

impl Name {
    pub(super) const P: Self = Self::known("p");
    pub(super) const LI: Self = Self::known("li");
    pub(super) const DD: Self = Self::known("dd");
    pub(super) const DT: Self = Self::known("dt");
    pub(super) const A: Self = Self::known("a");
    pub(super) const NOBR: Self = Self::known("nobr");
    pub(super) const BUTTON: Self = Self::known("button");
    pub(super) const TABLE: Self = Self::known("table");
    pub(super) const CAPTION: Self = Self::known("caption");
    pub(super) const COLGROUP: Self = Self::known("colgroup");
    pub(super) const TBODY: Self = Self::known("tbody");
    pub(super) const THEAD: Self = Self::known("thead");
    pub(super) const TFOOT: Self = Self::known("tfoot");
    pub(super) const TR: Self = Self::known("tr");
    pub(super) const TD: Self = Self::known("td");
    pub(super) const TH: Self = Self::known("th");
    const UL: Self = Self::known("ul");
    const OL: Self = Self::known("ol");
    const ADDRESS: Self = Self::known("address");
    const DIV: Self = Self::known("div");
    const H1: Self = Self::known("h1");
    const H6: Self = Self::known("h6");

    /// The name that `lower`, in lower case, stands for.
    pub(super) fn of(lower: &str) -> Self {
        Self::position(lower).unwrap_or_else(|| {
            let hash =
                lower.bytes().fold(0x811C_9DC5, |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
            Self(hash | 1 << 31)
        })
    }

    pub(super) fn kind(self) -> Kind {
        KNOWN.get(self.0 as usize).map_or(Kind::Plain, |(_, kind)| *kind)
    }

    pub(super) fn is_known(self) -> bool {
        self.0 < 1 << 31
    }

    pub(super) fn is_heading(self) -> bool {
        (Self::H1.0..=Self::H6.0).contains(&self.0)
    }

    pub(super) fn is_cell(self) -> bool {
        matches!(self, Self::TD | Self::TH | Self::CAPTION)
    }

    pub(super) fn is_table_part(self) -> bool {
        self.is_cell() || matches!(self, Self::TR | Self::TBODY | Self::THEAD | Self::TFOOT | Self::COLGROUP)
    }

    pub(super) fn is_list(self) -> bool {
        matches!(self, Self::UL | Self::OL)
    }

    /// Whether a search for an open element stops here.
    pub(super) fn is_special(self) -> bool {
        matches!(self.kind(), Kind::Block | Kind::Special)
    }

    /// Whether an item of a list is looked for through this element.
    pub(super) fn lets_items_through(self) -> bool {
        matches!(self, Self::ADDRESS | Self::DIV | Self::P) || !self.is_special()
    }

    const fn known(name: &str) -> Self {
        let mut at = 0;
        while at < KNOWN.len() {
            if same(KNOWN[at].0.as_bytes(), name.as_bytes()) {
                #[expect(clippy::cast_possible_truncation, reason = "the table has about a hundred entries")]
                return Self(at as u32);
            }
            at += 1;
        }
        panic!("not in the table");
    }

    fn position(lower: &str) -> Option<Self> {
        KNOWN.binary_search_by(|(name, _)| (*name).cmp(lower)).ok().and_then(|at| u32::try_from(at).ok()).map(Self)
    }
}

const fn same(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let mut at = 0;
    while at < left.len() {
        if left[at] != right[at] {
            return false;
        }
        at += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_so_that_every_name_is_found() {
        assert!(KNOWN.is_sorted_by_key(|(name, _)| *name));
        assert!(KNOWN.iter().all(|(name, kind)| Name::of(name).is_known() && Name::of(name).kind() == *kind));
        assert!(!Name::of("x-form").is_known() && Name::of("x-form").kind() == Kind::Plain);
        assert!(Name::of("h3").is_heading() && !Name::of("hr").is_heading() && !Name::of("head").is_heading());
    }
}
