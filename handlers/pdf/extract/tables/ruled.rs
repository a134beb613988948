//! The ruling lines of a page, as tables ask for them.

use super::super::glyph::Rule;

/// Level and upright lines.
pub(super) struct Rules {
    level: Vec<Rule>,
    upright: Vec<Rule>,
}

/// A page with more lines is a drawing: they say nothing of tables then.
const MAX_RULES: usize = 4000;
/// Shorter lines are strokes of letters and ticks, in points.
const MIN_LENGTH: f32 = 5.0;

// === impl Rules ===

impl Rules {
    pub(super) fn new(rules: &[Rule]) -> Self {
        let used = if rules.len() > MAX_RULES { &[] } else { rules };
        let level = used.iter().filter(|rule| rule.to[0] - rule.from[0] >= MIN_LENGTH).copied().collect();
        let upright = used.iter().filter(|rule| rule.to[1] - rule.from[1] >= MIN_LENGTH).copied().collect();
        Self { level, upright }
    }

    /// Whether an upright line stands between `left` and `right` at the height `v`.
    pub(super) fn parts(&self, left: f32, right: f32, v: f32) -> bool {
        self.upright
            .iter()
            .any(|rule| rule.from[0] > left - 0.5 && rule.from[0] < right + 0.5 && rule.from[1] <= v && rule.to[1] >= v)
    }

    /// The abscissas of the upright lines at the height `v`.
    pub(super) fn uprights(&self, v: f32) -> Vec<f32> {
        let at_height = |rule: &&Rule| rule.from[1] <= v && rule.to[1] >= v;
        self.upright.iter().filter(at_height).map(|rule| rule.from[0]).collect()
    }

    /// Whether level lines between the heights `above` and `below` cover the share `least` of `left` to `right`.
    pub(super) fn divides(&self, left: f32, right: f32, above: f32, below: f32, least: f32) -> bool {
        let between = |rule: &&Rule| rule.from[1] > above && rule.from[1] < below;
        let covers = |rule: &Rule| (rule.to[0].min(right) - rule.from[0].max(left)).max(0.0);
        self.level.iter().filter(between).map(covers).sum::<f32>() >= least * (right - left)
    }
}
