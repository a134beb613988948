//! What stands around each element: topics, kinds of containers, elements that look alike.

use super::{
    super::dom::{Dom, Id, Name},
    measure::Measures,
    names::{CONTENT, Lookup, TOPICS, Topics},
};
use std::hash::{Hash as _, Hasher as _};

/// A topic that is named no nearer than so many levels up, or nowhere.
pub(super) const FAR: u8 = 15;

/// An element with this share of the page's text, in tenths, isn't taken for what its name says: a body of class
/// `has-sidebar` is no side bar.
const WHOLE_PAGE: u32 = 6;

/// The containers that a block may stand in, a bit each.
pub(super) const CONTAINERS: [Name; 4] = [Name::Article, Name::Main, Name::Nav, Name::Footer];

/// How many siblings of an element look like it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Repeat {
    pub(super) count: u32,
    pub(super) parent: Id,
}

/// The surroundings of every element of the body.
pub(super) struct Surroundings {
    /// The topics that the element's own names speak of.
    pub(super) topics: Vec<Topics>,
    /// How many levels up each topic is named.
    pub(super) near: Vec<[u8; TOPICS]>,
    /// Which of [`CONTAINERS`] are around, as bits.
    pub(super) within: Vec<u8>,
    pub(super) repeats: Vec<Repeat>,
}

// === impl Surroundings ===

impl Surroundings {
    pub(super) fn new(dom: &Dom, measures: &Measures) -> Self {
        let mut around = Self {
            topics: vec![0; dom.len()],
            near: vec![[FAR; TOPICS]; dom.len()],
            within: vec![0; dom.len()],
            repeats: vec![Repeat::default(); dom.len()],
        };
        let mut lookup = Lookup::default();
        let all = measures.all().mass;
        let mut alike = Vec::new();
        for id in dom.body()..dom.end(dom.body()) {
            let at = id as usize;
            let name = dom.name(id);
            if name == Name::Text {
                continue;
            }
            if let Some(parent) = dom.parent(id).filter(|parent| *parent >= dom.body()) {
                around.near[at] = around.near[parent as usize].map(|levels| (levels + 1).min(FAR));
                around.within[at] = around.within[parent as usize];
            }
            let topics = lookup.element(dom, id);
            around.topics[at] = topics;
            let whole_page = measures.of(dom, id).mass * 10 >= all * WHOLE_PAGE;
            let believed = if whole_page { topics & (1 << CONTENT) } else { topics };
            for (topic, levels) in around.near[at].iter_mut().enumerate() {
                if believed & (1 << topic) != 0 {
                    *levels = 0;
                }
            }
            if let Some(bit) = CONTAINERS.iter().position(|container| *container == name) {
                around.within[at] |= 1 << bit;
            }
            around.count_alike(dom, id, &mut alike);
        }
        around
    }

    /// Counts the children of an element that have the same name and class.
    fn count_alike(&mut self, dom: &Dom, parent: Id, alike: &mut Vec<(u64, Id)>) {
        alike.clear();
        alike.extend(dom.children(parent).filter(|id| dom.name(*id) != Name::Text).map(|id| (looks(dom, id), id)));
        alike.sort_unstable();
        for group in alike.chunk_by(|one, other| one.0 == other.0) {
            let count = u32::try_from(group.len()).unwrap_or(u32::MAX);
            for (_, id) in group {
                self.repeats[*id as usize] = Repeat { count, parent };
            }
        }
    }
}

/// The same for elements with the same name and class.
fn looks(dom: &Dom, id: Id) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    dom.name(id).hash(&mut hasher);
    dom.class(id).hash(&mut hasher);
    hasher.finish()
}
