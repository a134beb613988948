//! Lists: what their items begin with.

use crate::html::dom::{Dom, Id, Name};

/// The greatest number that Markdown takes for that of an item.
const MAX_NUMBER: i64 = 999_999_999;

/// A list that is open.
pub(super) struct List {
    /// The number of the next item, and what the one after it has more.
    numbers: Option<(i64, i64)>,
    /// Whether an empty line stands between its items.
    pub(super) loose: bool,
}

// === impl List ===

impl List {
    pub(super) fn of(dom: &Dom, id: Id) -> Self {
        let items = || dom.children(id).filter(|child| dom.name(*child) == Name::Li);
        let numbers = (dom.name(id) == Name::Ol).then(|| {
            let start = dom.attr(id, "start").and_then(|start| start.trim().parse().ok());
            if dom.attr(id, "reversed").is_some() {
                (start.unwrap_or_else(|| i64::try_from(items().count()).unwrap_or(MAX_NUMBER)), -1)
            } else {
                (start.unwrap_or(1), 1)
            }
        });
        let paragraphs = |item: Id| dom.children(item).filter(|child| dom.name(*child) == Name::P);
        Self { numbers, loose: items().any(|item| paragraphs(item).nth(1).is_some()) }
    }

    /// What the next item begins with.
    pub(super) fn marker(&mut self, value: Option<i64>) -> String {
        let Some((next, step)) = &mut self.numbers else { return "- ".to_owned() };
        let number = value.unwrap_or(*next).clamp(-MAX_NUMBER, MAX_NUMBER);
        *next = number + *step;
        format!("{}. ", number.max(0))
    }
}
