//! The graphics state, as far as text depends on it.

use super::super::fonts::FontId;
use super::color::Paint;
use hayro_font::kurbo::{Affine, Rect};

/// The most states that are saved; deeper ones are counted only.
const MAX_STATES: usize = 1024;

/// What `q` saves.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// From user space to the page as it is shown.
    pub(super) transform: Affine,
    /// What clips, as a box on the page.
    pub(super) clip: Option<Rect>,
    pub(super) fill: Paint,
    pub(super) stroke: Paint,
    /// Whether what is drawn mixes with what lies under it, or is masked.
    pub(super) blends: bool,
    pub(super) text: TextState,
}

/// What the text operators set.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextState {
    pub(super) font: Option<FontId>,
    /// Whether the font stands in for one that isn't there.
    pub(super) fallback: bool,
    pub(super) size: f64,
    pub(super) char_space: f64,
    pub(super) word_space: f64,
    /// 1 is 100 percent.
    pub(super) scale: f64,
    pub(super) leading: f64,
    pub(super) rise: f64,
    /// As `Tr` numbers it.
    pub(super) mode: u8,
    pub(super) matrix: Affine,
    pub(super) line: Affine,
}

/// The current state and the saved ones.
#[derive(Debug)]
pub(super) struct States {
    pub(super) now: State,
    saved: Vec<State>,
    /// How many were saved past the limit.
    deeper: usize,
}

// === impl State ===

impl State {
    fn new(transform: Affine) -> Self {
        Self {
            transform,
            clip: None,
            fill: Paint::BLACK,
            stroke: Paint::BLACK,
            blends: false,
            text: TextState::default(),
        }
    }

    /// Clips to `rect`, which is on the page.
    pub(super) fn clip_to(&mut self, rect: Rect) {
        self.clip = Some(self.clip.map_or(rect, |outer| outer.intersect(rect)));
    }
}

// === impl TextState ===

impl TextState {
    /// Moves to the start of a line that is `x`, `y` from the start of this one.
    pub(super) fn next_line(&mut self, x: f64, y: f64) {
        self.line *= Affine::translate((x, y));
        self.matrix = self.line;
    }

    /// Moves the pen along a line of text, in text space.
    pub(super) fn advance(&mut self, x: f64, y: f64) {
        self.matrix *= Affine::translate((x, y));
    }
}

impl Default for TextState {
    fn default() -> Self {
        Self {
            font: None,
            fallback: false,
            size: 1.0,
            char_space: 0.0,
            word_space: 0.0,
            scale: 1.0,
            leading: 0.0,
            rise: 0.0,
            mode: 0,
            matrix: Affine::IDENTITY,
            line: Affine::IDENTITY,
        }
    }
}

// === impl States ===

impl States {
    /// Begins with the state of a page.
    pub(super) fn new(transform: Affine) -> Self {
        Self { now: State::new(transform), saved: Vec::new(), deeper: 0 }
    }

    /// `q`.
    pub(super) fn save(&mut self) {
        if self.saved.len() < MAX_STATES {
            self.saved.push(self.now);
        } else {
            self.deeper += 1;
        }
    }

    /// `Q`, which leaves the states alone that were saved before there were `floor` of them.
    pub(super) fn restore(&mut self, floor: usize) {
        if self.depth() <= floor {
            return;
        }
        if self.deeper > 0 {
            self.deeper -= 1;
        } else if let Some(state) = self.saved.pop() {
            self.now = state;
        }
    }

    /// How many states are saved.
    pub(super) fn depth(&self) -> usize {
        self.saved.len() + self.deeper
    }
}
