//! Element names.

/// The longest element name that is kept, in bytes; what is longer is cut.
pub(super) const MAX_NAME: usize = 64;

macro_rules! names {
    ($($variant:ident $text:literal),* $(,)?) => {
        /// The name of a node: an element that HTML knows, any other element, or a text.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub(crate) enum Name {
            /// A text node.
            Text,
            /// An element that isn't listed here.
            Other,
            $(#[doc = $text] $variant,)*
        }

        /// All names, each at its own number.
        const ALL: [Name; Name::COUNT] = [Name::Text, Name::Other, $(Name::$variant,)*];

        /// The text of each name.
        const TEXTS: [&str; Name::COUNT] = ["#text", "", $($text,)*];

        impl Name {
            /// How many names there are.
            pub(super) const COUNT: usize = [$($text,)*].len() + 2;
        }
    };
}

names! {
    A "a", Abbr "abbr", Acronym "acronym", Address "address", AnnotationXml "annotation-xml", Applet "applet", Area
    "area", Article "article", Aside "aside", Audio "audio", B "b", Base "base", Basefont "basefont", Bdi "bdi", Bdo
    "bdo", Bgsound "bgsound", Big "big", Blockquote "blockquote", Body "body", Br "br", Button "button", Canvas
    "canvas", Caption "caption", Center "center", Cite "cite", Code "code", Col "col", Colgroup "colgroup", Data "data",
    Datalist "datalist", Dd "dd", Del "del", Desc "desc", Details "details", Dfn "dfn", Dialog "dialog", Dir "dir", Div
    "div", Dl "dl", Dt "dt", Em "em", Embed "embed", Fieldset "fieldset", Figcaption "figcaption", Figure "figure", Font
    "font", Footer "footer", ForeignObject "foreignobject", Form "form", Frame "frame", Frameset "frameset", H1 "h1", H2
    "h2", H3 "h3", H4 "h4", H5 "h5", H6 "h6", Head "head", Header "header", Hgroup "hgroup", Hr "hr", Html "html", I
    "i", Iframe "iframe", Image "image", Img "img", Input "input", Ins "ins", Kbd "kbd", Keygen "keygen", Label "label",
    Legend "legend", Li "li", Link "link", Listing "listing", Main "main", Map "map", Mark "mark", Marquee "marquee",
    Math "math", Menu "menu", Meta "meta", Meter "meter", Mi "mi", Mn "mn", Mo "mo", Ms "ms", Mtext "mtext", Nav "nav",
    Nobr "nobr", Noembed "noembed", Noframes "noframes", Noscript "noscript", Object "object", Ol "ol", Optgroup
    "optgroup", Option "option", Output "output", P "p", Param "param", Picture "picture", Plaintext "plaintext", Pre
    "pre", Progress "progress", Q "q", Rb "rb", Rp "rp", Rt "rt", Rtc "rtc", Ruby "ruby", S "s", Samp "samp", Script
    "script", Search "search", Section "section", Select "select", Slot "slot", Small "small", Source "source", Span
    "span", Strike "strike", Strong "strong", Style "style", Sub "sub", Summary "summary", Sup "sup", Svg "svg", Table
    "table", Tbody "tbody", Td "td", Template "template", Textarea "textarea", Tfoot "tfoot", Th "th", Thead "thead",
    Time "time", Title "title", Tr "tr", Track "track", Tt "tt", U "u", Ul "ul", Var "var", Video "video", Wbr "wbr",
    Xmp "xmp",
}

/// How many slots the table of names has: about four times as many as names, so that few names share one.
const SLOTS: usize = 1024;

/// The numbers of the names by their hash; a taken slot moves a name on to the next one. 0 is an empty slot.
static BY_HASH: [u8; SLOTS] = {
    let mut slots = [0; SLOTS];
    let mut number = 2;
    while number < Name::COUNT {
        let mut slot = hash(TEXTS[number].as_bytes());
        while slots[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        slots[slot] = ALL[number] as u8;
        number += 1;
    }
    slots
};

/// A slot for a name, which isn't empty.
#[expect(clippy::cast_possible_truncation, reason = "a name that is asked for has at most 64 bytes")]
const fn hash(name: &[u8]) -> usize {
    let (first, middle, last) = (name[0] as u32, name[name.len() / 2] as u32, name[name.len() - 1] as u32);
    let mixed = (first | middle << 8 | last << 16 | (name.len() as u32) << 24).wrapping_mul(0x9E37_79B1);
    (mixed >> 22) as usize % SLOTS
}

// === impl Name ===

impl Name {
    /// The name that stands for this text in lower case.
    pub(crate) fn of(name: &str) -> Self {
        if name.is_empty() || name.len() > MAX_NAME {
            return Self::Other;
        }
        let mut slot = hash(name.as_bytes());
        loop {
            match BY_HASH[slot] {
                0 => return Self::Other,
                number if TEXTS[usize::from(number)] == name => return ALL[usize::from(number)],
                _ => slot = (slot + 1) % SLOTS,
            }
        }
    }

    /// The text of the name; empty for [`Name::Other`].
    pub(crate) fn as_str(self) -> &'static str {
        TEXTS[self as usize]
    }

    /// The name with this number, [`Name::Other`] when there is none.
    #[cfg(test)]
    pub(super) const fn at(number: usize) -> Self {
        if number < Self::COUNT { ALL[number] } else { Self::Other }
    }

    /// The level of a heading, 1 to 6.
    pub(crate) fn heading(self) -> Option<u8> {
        Some(match self {
            Self::H1 => 1,
            Self::H2 => 2,
            Self::H3 => 3,
            Self::H4 => 4,
            Self::H5 => 5,
            Self::H6 => 6,
            _ => return None,
        })
    }

    /// Whether a browser lays the element out as a block of its own.
    pub(crate) fn is_block(self) -> bool {
        matches!(
            self,
            Self::Address
                | Self::Article
                | Self::Aside
                | Self::Blockquote
                | Self::Body
                | Self::Caption
                | Self::Center
                | Self::Dd
                | Self::Details
                | Self::Dialog
                | Self::Dir
                | Self::Div
                | Self::Dl
                | Self::Dt
                | Self::Fieldset
                | Self::Figcaption
                | Self::Figure
                | Self::Footer
                | Self::Form
                | Self::H1
                | Self::H2
                | Self::H3
                | Self::H4
                | Self::H5
                | Self::H6
                | Self::Header
                | Self::Hgroup
                | Self::Hr
                | Self::Html
                | Self::Legend
                | Self::Li
                | Self::Listing
                | Self::Main
                | Self::Menu
                | Self::Nav
                | Self::Noscript
                | Self::Ol
                | Self::Optgroup
                | Self::Option
                | Self::P
                | Self::Plaintext
                | Self::Pre
                | Self::Search
                | Self::Section
                | Self::Summary
                | Self::Table
                | Self::Tbody
                | Self::Td
                | Self::Template
                | Self::Tfoot
                | Self::Th
                | Self::Thead
                | Self::Tr
                | Self::Ul
                | Self::Xmp
        )
    }
}
