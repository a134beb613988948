//! What is known of a block when it is decided whether it is content.

use super::{
    super::dom::{Dom, Id, Name},
    blocks::Block,
    candidates::Candidates,
    measure::{Measures, Sum},
    names::{CARD, COMMENT, CONSENT, FAQ, FOOTER, NAV, PRODUCT, RELATED, REPLY},
    surroundings::{CONTAINERS, FAR, Surroundings},
    texts::Says,
};

/// The features of a block, in the order of its row.
pub(super) const NAMES: [&str; 60] = [
    "words",
    "mass",
    "stops",
    "ends_stop",
    "title",
    "div",
    "in_article",
    "in_main",
    "in_nav",
    "in_footer",
    "topic_nav",
    "topic_footer",
    "topic_comment",
    "topic_consent",
    "up1_average",
    "up1_prose",
    "up1_share",
    "up2_average",
    "up2_prose",
    "up3_average",
    "up3_prose",
    "up3_share",
    "up5_average",
    "up5_links",
    "scoring_in",
    "scoring_share",
    "scoring_at",
    "rules_in",
    "rules_share",
    "rules_at",
    "mass_in",
    "mass_share",
    "mass_at",
    "prose_in",
    "prose_at",
    "prose_climb",
    "repeat_count",
    "item_mass",
    "group_share",
    "group_average",
    "position",
    "before",
    "mass_before",
    "h1",
    "previous_prose",
    "next_prose",
    "heading_back",
    "near_words",
    "far_prose",
    "page_mass",
    "page_links",
    "page_prose",
    "page_average",
    "page_largest",
    "page_related",
    "page_reply",
    "page_product",
    "page_card",
    "page_faq",
    "is_product",
];

/// The topics of which it matters how far up they are named, in the order of the row.
const TOPICS_NEAR: [usize; 4] = [NAV, FOOTER, COMMENT, CONSENT];

/// The topics of which it matters how much of the page they cover.
const TOPICS_PAGE: [usize; 5] = [RELATED, REPLY, PRODUCT, CARD, FAQ];

/// No element further up than this is looked at.
const MAX_LEVELS: usize = 31;

/// The largest distance between blocks that is told apart.
const MAX_DISTANCE: usize = 60;

/// A page in all its measures.
pub(super) struct Features<'a> {
    dom: &'a Dom,
    blocks: &'a [Block],
    measures: &'a Measures,
    around: &'a Surroundings,
    texts: &'a [Says],
    /// The containers of the candidates, and each one's blocks.
    scoring: Container,
    rules: Container,
    mass: Container,
    prose: Container,
    /// For each block, how far the blocks before and after it are that read like running text.
    previous_prose: Vec<usize>,
    next_prose: Vec<usize>,
    /// How far back the last heading is.
    heading_back: Vec<usize>,
    /// The first block within a heading of the first level.
    h1: Option<usize>,
    /// The features that all blocks of the page share.
    page: Vec<f32>,
}

/// A candidate's container.
struct Container {
    id: Id,
    end: Id,
    share: f32,
    from: usize,
    to: usize,
}

// === impl Features ===

impl<'a> Features<'a> {
    pub(super) fn new(
        dom: &'a Dom,
        blocks: &'a [Block],
        measures: &'a Measures,
        around: &'a Surroundings,
        texts: &'a [Says],
        candidates: &Candidates,
        is_product: bool,
    ) -> Self {
        let is_prose: Vec<bool> = blocks.iter().map(Block::is_prose).collect();
        let is_heading: Vec<bool> = blocks.iter().map(|block| dom.name(block.element).heading().is_some()).collect();
        let mut next_prose = distances(is_prose.iter().rev().copied());
        next_prose.reverse();
        let container = |id| Container::new(dom, measures, id);
        let mut heading_back = distances(is_heading.iter().copied());
        // What counts is the heading before a block, not the block itself.
        heading_back.rotate_right(1.min(blocks.len()));
        for distance in &mut heading_back {
            *distance = (*distance + 1).min(MAX_DISTANCE);
        }
        if let Some(first) = heading_back.first_mut() {
            *first = MAX_DISTANCE;
        }
        Self {
            previous_prose: distances(is_prose.iter().copied()),
            next_prose,
            heading_back,
            h1: blocks.iter().position(|block| {
                dom.name(block.element) == Name::H1
                    || dom.ancestors(block.element).take(3).any(|up| dom.name(up) == Name::H1)
            }),
            page: page(dom, blocks, measures, around, is_product),
            scoring: container(candidates.scoring),
            rules: container(candidates.rules),
            mass: container(candidates.mass),
            prose: container(candidates.prose),
            dom,
            blocks,
            measures,
            around,
            texts,
        }
    }

    /// Writes the features of the block `at`, in the order of [`NAMES`].
    pub(super) fn row(&self, at: usize, row: &mut Vec<f32>) {
        let block = &self.blocks[at];
        let ups: Vec<Id> = std::iter::once(block.element)
            .chain(self.dom.ancestors(block.element))
            .take_while(|up| *up >= self.dom.body())
            .take(MAX_LEVELS)
            .collect();
        row.clear();
        self.text(at, row);
        self.names(block, row);
        self.ups(&ups, row);
        self.candidates(at, &ups, row);
        self.repeats(&ups, row);
        self.place(at, row);
        row.extend_from_slice(&self.page);
    }

    fn text(&self, at: usize, row: &mut Vec<f32>) {
        let block = &self.blocks[at];
        let counts = &block.text;
        let name = self.dom.name(block.element);
        let words = counts.words.max(1) as f32;
        row.extend([
            log(counts.words),
            log(counts.mass),
            counts.stops as f32 / words,
            flag(self.texts[at].ends_sentence),
            self.texts[at].title_share,
            flag(matches!(name, Name::Div | Name::Section)),
        ]);
    }

    fn names(&self, block: &Block, row: &mut Vec<f32>) {
        let holder = self.dom.parent(block.first).unwrap_or(block.element) as usize;
        let element = block.element as usize;
        let within = self.around.within[element];
        row.extend((0..CONTAINERS.len()).map(|bit| flag(within & (1 << bit) != 0)));
        let near = |topic: usize| self.around.near[holder][topic].min(self.around.near[element][topic]);
        row.extend(TOPICS_NEAR.map(|topic| f32::from(near(topic))));
    }

    /// The elements around, 0 being the block's own.
    fn ups(&self, ups: &[Id], row: &mut Vec<f32>) {
        let [one, two, three, five] =
            [1, 2, 3, 5].map(|level| self.measures.of(self.dom, ups.get(level).copied().unwrap_or(self.dom.body())));
        row.extend([log(one.average()), one.prose_share(), self.share(&one)]);
        row.extend([log(two.average()), two.prose_share()]);
        row.extend([log(three.average()), three.prose_share(), self.share(&three)]);
        row.extend([log(five.average()), five.link_share()]);
    }

    fn candidates(&self, at: usize, ups: &[Id], row: &mut Vec<f32>) {
        let element = self.blocks[at].element;
        for container in [&self.scoring, &self.rules, &self.mass] {
            row.extend([flag(container.holds(element)), container.share, container.place(at)]);
        }
        row.extend([flag(self.prose.holds(element)), self.prose.place(at)]);
        let climb = ups.iter().position(|up| (*up..self.dom.end(*up)).contains(&self.prose.id));
        row.push(climb.unwrap_or(MAX_LEVELS) as f32);
    }

    /// The nearest element around that has siblings like it.
    fn repeats(&self, ups: &[Id], row: &mut Vec<f32>) {
        let item = ups.iter().take(8).find(|up| self.around.repeats[**up as usize].count >= 3);
        let count = item.map_or(0, |item| self.around.repeats[*item as usize].count);
        let group = item.map_or(self.dom.body(), |item| self.around.repeats[*item as usize].parent);
        let item = item.map(|item| self.measures.of(self.dom, *item)).unwrap_or_default();
        let group = self.measures.of(self.dom, group);
        row.extend([log(count), log(item.mass), self.share(&group), log(group.mass / count.max(1))]);
    }

    fn place(&self, at: usize, row: &mut Vec<f32>) {
        let window =
            |reach: usize| self.measures.between(at.saturating_sub(reach), (at + reach + 1).min(self.blocks.len()));
        let farthest = MAX_DISTANCE as f32;
        row.extend([
            at as f32 / self.blocks.len() as f32,
            (at as f32 + 1.0).ln(),
            self.share(&self.measures.between(0, at)),
            self.h1.map_or(0.0, |h1| (at as f32 - h1 as f32).clamp(-farthest, farthest)),
            self.previous_prose[at] as f32,
            self.next_prose[at] as f32,
            self.heading_back[at] as f32,
            log(window(3).words),
            window(8).prose_share(),
        ]);
    }

    fn share(&self, sum: &Sum) -> f32 {
        sum.mass as f32 / self.measures.all().mass.max(1) as f32
    }
}

// === impl Container ===

impl Container {
    fn new(dom: &Dom, measures: &Measures, id: Id) -> Self {
        let (from, to) = measures.range(dom, id);
        let share = measures.of(dom, id).mass as f32 / measures.all().mass.max(1) as f32;
        Self { id, end: dom.end(id), share, from, to }
    }

    fn holds(&self, element: Id) -> bool {
        (self.id..self.end).contains(&element)
    }

    /// Where a block is in the container: 0 at its begin, 1 at its end, beyond that outside.
    fn place(&self, at: usize) -> f32 {
        (at as f32 - self.from as f32) / (self.to - self.from).max(1) as f32
    }
}

/// The features that all blocks of a page share.
fn page(dom: &Dom, blocks: &[Block], measures: &Measures, around: &Surroundings, is_product: bool) -> Vec<f32> {
    let all = measures.all();
    let share = |mass: u32| mass as f32 / all.mass.max(1) as f32;
    let largest = (dom.body()..dom.end(dom.body()))
        .filter(|id| around.repeats[*id as usize].count >= 3)
        .map(|id| measures.of(dom, around.repeats[id as usize].parent).mass)
        .max();
    let mut row = vec![
        log(all.mass),
        all.link_share(),
        all.prose_share(),
        log(all.average()),
        share(largest.unwrap_or_default()),
    ];
    row.extend(TOPICS_PAGE.map(|topic| {
        let about = blocks.iter().filter(|block| around.near[block.element as usize][topic] < FAR);
        share(about.map(|block| block.text.mass).sum())
    }));
    row.push(flag(is_product));
    row
}

/// How far back the last `true` is, at most [`MAX_DISTANCE`].
fn distances(found: impl Iterator<Item = bool>) -> Vec<usize> {
    found
        .scan(MAX_DISTANCE, |distance, found| {
            *distance = if found { 0 } else { (*distance + 1).min(MAX_DISTANCE) };
            Some(*distance)
        })
        .collect()
}

fn log(value: u32) -> f32 {
    (value as f32 + 1.0).ln()
}

fn flag(value: bool) -> f32 {
    f32::from(u8::from(value))
}
