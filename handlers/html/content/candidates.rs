//! Where the content may be: three containers that cheap rules find.

use super::{
    super::dom::{Dom, Id, Name},
    blocks::Block,
    measure::{Measures, is_container},
    names::{COMMENT, CONTENT, FOOTER, NAV, SIDE, Topics},
};

/// The topics of what surrounds content.
const AROUND: Topics = 1 << NAV | 1 << FOOTER | 1 << SIDE | 1 << COMMENT;

/// The container that each rule takes for the content.
pub(super) struct Candidates {
    pub(super) scoring: Id,
    pub(super) rules: Id,
    pub(super) mass: Id,
    pub(super) prose: Id,
}

impl Candidates {
    pub(super) fn find(dom: &Dom, blocks: &[Block], measures: &Measures, topics: &[Topics]) -> Self {
        Self {
            scoring: scoring(dom, blocks, measures, topics),
            rules: rules(dom, measures),
            mass: holder(dom, measures, 0.7, |sum| sum.mass.saturating_sub(sum.linked)),
            prose: holder(dom, measures, 0.75, |sum| sum.prose),
        }
    }
}

/// The container that gets most points from the paragraphs in it, as Readability gives them.
fn scoring(dom: &Dom, blocks: &[Block], measures: &Measures, topics: &[Topics]) -> Id {
    let mut points = vec![0.0_f32; dom.len()];
    for block in blocks {
        if block.text.mass < 25
            || !matches!(
                dom.name(block.element),
                Name::P | Name::Div | Name::Td | Name::Pre | Name::Li | Name::Blockquote | Name::Section | Name::Dd
            )
        {
            continue;
        }
        let score = 1.0 + block.text.commas as f32 + (block.text.mass as f32 / 100.0).min(3.0);
        let score = score * (1.0 - block.link_share());
        let own = if matches!(dom.name(block.element), Name::Div | Name::Section | Name::Td) {
            Some(block.element)
        } else {
            None
        };
        for (level, up) in own.into_iter().chain(dom.ancestors(block.element)).take(4).enumerate() {
            points[up as usize] += score / [1.0, 2.0, 4.0, 6.0][level];
        }
    }
    let mut best = (dom.body(), 0.0);
    for id in dom.body()..dom.end(dom.body()) {
        let mut score = points[id as usize];
        if score > 0.0 {
            let own = topics[id as usize];
            score += if own & (1 << CONTENT) != 0 { 10.0 } else { 0.0 };
            score -= if own & AROUND != 0 { 15.0 } else { 0.0 };
            score *= 1.0 - measures.of(dom, id).link_share();
            if score > best.1 {
                best = (id, score);
            }
        }
    }
    best.0
}

/// The container that the author names.
fn rules(dom: &Dom, measures: &Measures) -> Id {
    let all = measures.all().mass;
    let mut best = (dom.body(), 0);
    let names: [&dyn Fn(Id) -> bool; 4] = [
        &|id| dom.attr(id, "itemprop").is_some_and(|prop| prop.eq_ignore_ascii_case("articleBody")),
        &|id| dom.name(id) == Name::Article,
        &|id| dom.name(id) == Name::Main || dom.attr(id, "role").is_some_and(|role| role == "main"),
        &|id| {
            matches!(
                dom.ident(id),
                "content"
                    | "main"
                    | "main-content"
                    | "article"
                    | "bodyContent"
                    | "mw-content-text"
                    | "primary"
                    | "maincontent"
                    | "main_content"
            )
        },
    ];
    for named in names {
        for id in dom.body()..dom.end(dom.body()) {
            if dom.name(id) != Name::Text && named(id) {
                let mass = measures.of(dom, id).mass;
                if mass > best.1 {
                    best = (id, mass);
                }
            }
        }
        if best.1 >= 250 && best.1 * 8 >= all {
            return best.0;
        }
        best = (dom.body(), 0);
    }
    dom.body()
}

/// The deepest container with the `share` of what `value` counts.
fn holder(dom: &Dom, measures: &Measures, share: f32, value: impl Fn(&super::measure::Sum) -> u32) -> Id {
    let enough = value(&measures.all()) as f32 * share;
    let mut holder = dom.body();
    loop {
        let next = dom
            .children(holder)
            .filter(|id| dom.name(*id) != Name::Text)
            .max_by_key(|id| value(&measures.of(dom, *id)));
        match next {
            Some(next)
                if value(&measures.of(dom, next)) as f32 >= enough && enough > 0.0 && is_container(dom.name(next)) =>
            {
                holder = next;
            }
            _ => return holder,
        }
    }
}
