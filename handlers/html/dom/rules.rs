//! What the tree builder knows of each element of HTML.

use super::names::{Name, Name as N};
use std::ops::BitOr;

/// A set of rules that hold for an element.
#[derive(Clone, Copy)]
pub(super) struct Rules(u16);

impl Rules {
    /// Ends the search for an open element of inline content.
    pub(super) const SPECIAL: Self = Self(1);
    /// Has no content.
    pub(super) const VOID: Self = Self(1 << 1);
    /// Opened again in the next block when a block closes it too early.
    pub(super) const FORMATTING: Self = Self(1 << 2);
    /// A limit of the scope that most end tags look for their element in.
    pub(super) const SCOPE: Self = Self(1 << 3);
    /// Its end tag may be left out.
    pub(super) const IMPLIED_END: Self = Self(1 << 4);
    /// Like [`Self::IMPLIED_END`], only at the end of a template.
    pub(super) const TEMPLATE_END: Self = Self(1 << 5);
    /// Its start closes an open `p`, its end tag looks for it in the scope.
    pub(super) const BLOCK: Self = Self(1 << 6);
    /// Its content is text without character references.
    pub(super) const RAW: Self = Self(1 << 7);
    /// Its content is text with character references.
    pub(super) const ESCAPABLE: Self = Self(1 << 8);
    /// Its start tag ends foreign content.
    pub(super) const BREAKS_OUT: Self = Self(1 << 9);
    /// A part of a table that holds no text itself.
    pub(super) const TABLE_FRAME: Self = Self(1 << 10);

    /// Whether any of these rules holds for the element.
    pub(super) const fn any_of(self, name: Name) -> bool {
        OF[name as usize].0 & self.0 != 0
    }
}

impl BitOr for Rules {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The rules of each name.
static OF: [Rules; Name::COUNT] = {
    let mut rules = [Rules(0); Name::COUNT];
    let mut set = 0;
    while set < SETS.len() {
        let (rule, names) = SETS[set];
        let mut at = 0;
        while at < names.len() {
            rules[names[at] as usize].0 |= rule.0;
            at += 1;
        }
        set += 1;
    }
    rules
};

/// The names that each rule holds for.
const SETS: [(Rules, &[N]); 11] = [
    (
        Rules::SPECIAL,
        &[
            N::Address,
            N::Applet,
            N::Area,
            N::Article,
            N::Aside,
            N::Base,
            N::Basefont,
            N::Bgsound,
            N::Blockquote,
            N::Body,
            N::Br,
            N::Button,
            N::Caption,
            N::Center,
            N::Col,
            N::Colgroup,
            N::Dd,
            N::Details,
            N::Dir,
            N::Div,
            N::Dl,
            N::Dt,
            N::Embed,
            N::Fieldset,
            N::Figcaption,
            N::Figure,
            N::Footer,
            N::Form,
            N::Frame,
            N::Frameset,
            N::H1,
            N::H2,
            N::H3,
            N::H4,
            N::H5,
            N::H6,
            N::Head,
            N::Header,
            N::Hgroup,
            N::Hr,
            N::Html,
            N::Iframe,
            N::Img,
            N::Input,
            N::Keygen,
            N::Li,
            N::Link,
            N::Listing,
            N::Main,
            N::Marquee,
            N::Menu,
            N::Meta,
            N::Nav,
            N::Noembed,
            N::Noframes,
            N::Noscript,
            N::Object,
            N::Ol,
            N::P,
            N::Param,
            N::Plaintext,
            N::Pre,
            N::Script,
            N::Search,
            N::Section,
            N::Select,
            N::Source,
            N::Style,
            N::Summary,
            N::Table,
            N::Tbody,
            N::Td,
            N::Template,
            N::Textarea,
            N::Tfoot,
            N::Th,
            N::Thead,
            N::Title,
            N::Tr,
            N::Track,
            N::Ul,
            N::Wbr,
            N::Xmp,
        ],
    ),
    (
        Rules::VOID,
        &[
            N::Area,
            N::Base,
            N::Basefont,
            N::Bgsound,
            N::Br,
            N::Col,
            N::Embed,
            N::Frame,
            N::Hr,
            N::Image,
            N::Img,
            N::Input,
            N::Keygen,
            N::Link,
            N::Meta,
            N::Param,
            N::Source,
            N::Track,
            N::Wbr,
        ],
    ),
    (
        Rules::FORMATTING,
        &[
            N::A,
            N::B,
            N::Big,
            N::Code,
            N::Em,
            N::Font,
            N::I,
            N::Nobr,
            N::S,
            N::Small,
            N::Strike,
            N::Strong,
            N::Tt,
            N::U,
        ],
    ),
    (
        Rules::SCOPE,
        &[N::Applet, N::Caption, N::Html, N::Table, N::Td, N::Th, N::Marquee, N::Object, N::Select, N::Template],
    ),
    (Rules::IMPLIED_END, &[N::Dd, N::Dt, N::Li, N::Option, N::Optgroup, N::P, N::Rb, N::Rp, N::Rt, N::Rtc]),
    (Rules::TEMPLATE_END, &[N::Caption, N::Colgroup, N::Tbody, N::Td, N::Tfoot, N::Th, N::Thead, N::Tr]),
    (
        Rules::BLOCK,
        &[
            N::Address,
            N::Article,
            N::Aside,
            N::Blockquote,
            N::Center,
            N::Details,
            N::Dialog,
            N::Dir,
            N::Div,
            N::Dl,
            N::Fieldset,
            N::Figcaption,
            N::Figure,
            N::Footer,
            N::Header,
            N::Hgroup,
            N::Main,
            N::Menu,
            N::Nav,
            N::Ol,
            N::Search,
            N::Section,
            N::Summary,
            N::Ul,
        ],
    ),
    (Rules::RAW, &[N::Iframe, N::Noembed, N::Noframes, N::Script, N::Style, N::Xmp]),
    (Rules::ESCAPABLE, &[N::Textarea, N::Title]),
    (
        Rules::BREAKS_OUT,
        &[
            N::B,
            N::Big,
            N::Blockquote,
            N::Body,
            N::Br,
            N::Center,
            N::Code,
            N::Dd,
            N::Div,
            N::Dl,
            N::Dt,
            N::Em,
            N::Embed,
            N::H1,
            N::H2,
            N::H3,
            N::H4,
            N::H5,
            N::H6,
            N::Head,
            N::Hr,
            N::I,
            N::Img,
            N::Li,
            N::Listing,
            N::Menu,
            N::Meta,
            N::Nobr,
            N::Ol,
            N::P,
            N::Pre,
            N::Ruby,
            N::S,
            N::Small,
            N::Span,
            N::Strong,
            N::Strike,
            N::Sub,
            N::Sup,
            N::Table,
            N::Tt,
            N::U,
            N::Ul,
            N::Var,
        ],
    ),
    (Rules::TABLE_FRAME, &[N::Table, N::Tbody, N::Tfoot, N::Thead, N::Tr]),
];
