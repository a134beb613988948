//! CSS selectors: tag, `*`, `#id`, `.class`, attributes, `:not()`, `:first-child`, `:last-child`, `:only-child`,
//! `:nth-child(3)`, the four combinators, and lists of all that.

mod matching;
mod parsing;

use super::{Dom, Id};

/// The longest selector, in bytes.
pub(crate) const MAX_SELECTOR: usize = 4 << 10;

/// The most selectors of a list.
const MAX_LIST: usize = 64;

/// The most compounds of a selector: `a b > c` has three.
const MAX_COMPOUNDS: usize = 32;

/// How far back `~` and `:nth-child()` look, in siblings.
const MAX_SIBLINGS: usize = 1000;

/// A list of selectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Selector(Vec<Complex>);

/// Compounds with combinators between them, read from right to left as they are matched.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Complex {
    subject: Compound,
    /// What stands before it, the nearest one first, each with the combinator behind it.
    before: Vec<(Combinator, Compound)>,
}

/// How two compounds relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Combinator {
    Descendant,
    Child,
    /// `+`
    Next,
    /// `~`
    Later,
}

/// What one element has to be, all of it.
type Compound = Vec<Test>;

/// What an element has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Test {
    Any,
    Tag(String),
    Id(String),
    Class(String),
    Attr {
        name: String,
        operator: Operator,
        value: String,
        ignore_case: bool,
    },
    /// None of these.
    Not(Vec<Compound>),
    FirstChild,
    LastChild,
    /// Counted from 1.
    NthChild(usize),
}

/// How the value of an attribute relates to the one asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Exists,
    Equals,
    /// `~=`: has the word.
    Word,
    /// `|=`: is it, or begins with it and a hyphen.
    Dash,
    Prefix,
    Suffix,
    Contains,
}

// === impl Selector ===

impl Selector {
    /// `None`: too long, not valid, or with something that isn't listed above.
    pub(crate) fn parse(selector: &str) -> Option<Self> {
        if selector.len() > MAX_SELECTOR {
            return None;
        }
        parsing::list(selector).map(Self)
    }

    /// Whether an element is selected. A text never is.
    pub(crate) fn matches(&self, dom: &Dom, id: Id) -> bool {
        self.0.iter().any(|complex| matching::matches(dom, id, complex))
    }
}
