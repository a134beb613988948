//! Whether a selector matches an element.
//!
//! No choice is ever taken back. Of several ancestors, or siblings before, that match what stands left of a combinator,
//! the nearest one leaves the most room for the rest, so it is right if any is.

use super::{Combinator, Complex, MAX_SIBLINGS, Operator, Test};
use crate::html::dom::{Dom, Id, Name};

pub(super) fn matches(dom: &Dom, id: Id, complex: &Complex) -> bool {
    if !is(dom, id, &complex.subject) {
        return false;
    }
    // The parts of the selector between descendant combinators.
    let mut parts = complex.before.split(|(combinator, _)| *combinator == Combinator::Descendant);
    let mut heads = complex.before.iter().filter(|(combinator, _)| *combinator == Combinator::Descendant);
    let Some(mut at) = parts.next().and_then(|part| chain(dom, id, part)) else { return false };
    for part in parts {
        let Some((_, head)) = heads.next() else { return false };
        let found = dom.ancestors(at).filter(|above| is(dom, *above, head)).find_map(|above| chain(dom, above, part));
        let Some(topmost) = found else { return false };
        at = topmost;
    }
    true
}

/// Follows child and sibling combinators from an element to the last one of the chain.
fn chain(dom: &Dom, id: Id, part: &[(Combinator, Vec<Test>)]) -> Option<Id> {
    let mut at = id;
    // The rows of siblings: `a ~ b + c` is one.
    for row in part.chunk_by(|_, (combinator, _)| *combinator != Combinator::Child) {
        let row = match row.split_first() {
            Some(((Combinator::Child, test), row)) => {
                at = dom.parent(at).filter(|parent| is(dom, *parent, test))?;
                row
            }
            _ => row,
        };
        at = siblings(dom, at, row)?;
    }
    Some(at)
}

/// Follows sibling combinators from an element to the last one of the row.
fn siblings(dom: &Dom, id: Id, row: &[(Combinator, Vec<Test>)]) -> Option<Id> {
    let mut at = id;
    for run in row.chunk_by(|_, (combinator, _)| *combinator != Combinator::Later) {
        let run_from = |start: Id, run: &[(Combinator, Vec<Test>)]| {
            run.iter().try_fold(start, |at, (_, test)| before(dom, at).filter(|before| is(dom, *before, test)))
        };
        at = match run.split_first() {
            Some(((Combinator::Later, test), run)) => std::iter::successors(before(dom, at), |at| before(dom, *at))
                .take(MAX_SIBLINGS)
                .filter(|before| is(dom, *before, test))
                .find_map(|before| run_from(before, run))?,
            _ => run_from(at, run)?,
        };
    }
    Some(at)
}

/// The element right before another one with the same parent.
fn before(dom: &Dom, id: Id) -> Option<Id> {
    let parent = dom.parent(id)?;
    let mut at = id;
    loop {
        // The node right before in document order is the parent, or the last one within the sibling before.
        let mut last = at - 1;
        if last == parent {
            return None;
        }
        while let Some(above) = dom.parent(last).filter(|above| *above != parent) {
            last = above;
        }
        if dom.name(last) != Name::Text {
            return Some(last);
        }
        at = last;
    }
}

fn is(dom: &Dom, id: Id, tests: &[Test]) -> bool {
    dom.name(id) != Name::Text && tests.iter().all(|test| passes(dom, id, test))
}

fn passes(dom: &Dom, id: Id, test: &Test) -> bool {
    match test {
        Test::Any => true,
        Test::Tag(name) => dom.local(id) == name,
        Test::Id(ident) => dom.attr(id, "id") == Some(ident),
        Test::Class(class) => dom.class(id).split_ascii_whitespace().any(|found| found == class),
        Test::Attr { name, operator, value, ignore_case } => dom.attr(id, name).is_some_and(|found| {
            if *ignore_case {
                relates(&found.to_ascii_lowercase(), *operator, &value.to_ascii_lowercase())
            } else {
                relates(found, *operator, value)
            }
        }),
        Test::Not(none_of) => !none_of.iter().any(|tests| is(dom, id, tests)),
        Test::FirstChild => before(dom, id).is_none(),
        Test::LastChild => dom.parent(id).is_none_or(|parent| {
            let end = dom.end(parent);
            let next = dom.end(id);
            let next = if next < end && dom.name(next) == Name::Text { next + 1 } else { next };
            next >= end
        }),
        Test::NthChild(number) => {
            std::iter::successors(Some(id), |at| before(dom, *at)).take(number + 1).count() == *number
        }
    }
}

fn relates(found: &str, operator: Operator, value: &str) -> bool {
    match operator {
        Operator::Exists => true,
        Operator::Equals => found == value,
        Operator::Word => found.split_ascii_whitespace().any(|word| word == value),
        Operator::Dash => found.strip_prefix(value).is_some_and(|rest| rest.is_empty() || rest.starts_with('-')),
        _ if value.is_empty() => false,
        Operator::Prefix => found.starts_with(value),
        Operator::Suffix => found.ends_with(value),
        Operator::Contains => found.contains(value),
    }
}
