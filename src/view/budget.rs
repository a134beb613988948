//! Counting characters: the cap of one answer, and the window through which a stretch of a text is copied.

/// The most characters of content in one answer, when the operator sets nothing else.
pub const DEFAULT_OUT_CAP: usize = 40_000;

/// The least cap there is: below it the header of a map would not fit.
pub const MIN_OUT_CAP: usize = 1_000;

/// The cap of one answer: the operator's `ceiling`, which a request may lower with `max_chars`.
///
/// Neither brings it below [`MIN_OUT_CAP`].
pub fn out_cap(max_chars: Option<u32>, ceiling: usize) -> usize {
    let ceiling = ceiling.max(MIN_OUT_CAP);
    let asked = max_chars.map_or(ceiling, |max| usize::try_from(max).unwrap_or(usize::MAX));
    asked.clamp(MIN_OUT_CAP, ceiling)
}

/// The first `chars` characters of `text`, or all of it.
pub(super) fn prefix(text: &str, chars: usize) -> &str {
    if chars >= text.len() {
        return text; // no text has more characters than bytes
    }
    text.char_indices().nth(chars).map_or(text, |(end, _)| &text[..end])
}

/// `text` on one line, without spaces around.
pub(super) fn one_line(text: &str) -> String {
    text.trim().replace(['\n', '\r'], " ")
}

/// Takes the stretch of a text that begins after `skip` characters and is at most `left` characters long.
///
/// The text is pushed piece by piece, so that a long one never has to be built.
pub(super) struct Window {
    text: String,
    chars: usize,
    skip: usize,
    left: usize,
}

// === impl Window ===

impl Window {
    pub(super) fn new(skip: usize, limit: usize) -> Self {
        Self { text: String::new(), chars: 0, skip, left: limit }
    }

    /// The next piece of the text; `chars` is its length, which most callers know.
    pub(super) fn push(&mut self, piece: &str, chars: usize) {
        if self.pass(chars) {
            return;
        }
        let from = prefix(piece, self.skip).len();
        let rest = chars - self.skip;
        self.skip = 0;
        let taken = rest.min(self.left);
        let stretch = &piece[from..];
        self.text.push_str(if taken == rest { stretch } else { prefix(stretch, taken) });
        self.chars += taken;
        self.left -= taken;
    }

    /// Passes over a piece of `chars` characters that lies wholly before the stretch; false when it does not.
    pub(super) fn pass(&mut self, chars: usize) -> bool {
        let before = chars <= self.skip;
        if before {
            self.skip -= chars;
        }
        before
    }

    /// How many characters are still free.
    pub(super) fn left(&self) -> usize {
        self.left
    }

    /// How many characters were taken.
    pub(super) fn chars(&self) -> usize {
        self.chars
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }
}
