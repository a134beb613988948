//! Lines of Markdown within quotes and list items.

/// Quotes and items that are nested deeper lose their form: every line carries the indentation of its depth.
const MAX_FRAMES: usize = 8;

/// A quote or an item around blocks.
struct Frame {
    /// What its first line begins with.
    marker: String,
    /// What each further line begins with.
    rest: String,
    /// Whether it has a line.
    written: bool,
}

/// What stands between two blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    None,
    Line,
    Blank,
}

/// Markdown as it grows.
pub(super) struct Writer {
    out: String,
    frames: Vec<Frame>,
    gap: Gap,
}

// === impl Writer ===

impl Writer {
    pub(super) fn new() -> Self {
        Self { out: String::new(), frames: Vec::new(), gap: Gap::None }
    }

    pub(super) fn finish(mut self) -> String {
        self.out.truncate(self.out.trim_end().len());
        self.out
    }

    /// Begins a quote or an item. False when it would be nested too deep.
    pub(super) fn enter(&mut self, marker: String, rest: String) -> bool {
        let fits = self.frames.len() < MAX_FRAMES;
        if fits {
            self.frames.push(Frame { marker, rest, written: false });
        }
        fits
    }

    /// Ends it. True when there is something in it.
    pub(super) fn leave(&mut self) -> bool {
        self.frames.pop().is_some_and(|frame| frame.written)
    }

    /// Whether a quote or an item is open and has something in it.
    pub(super) fn in_written(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.written)
    }

    /// Whether that is an item.
    pub(super) fn in_written_item(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.written && !frame.rest.starts_with('>'))
    }

    /// The next block follows on the next line.
    pub(super) fn tighten(&mut self) {
        if self.gap == Gap::Blank {
            self.gap = Gap::Line;
        }
    }

    /// The next block follows after an empty line.
    pub(super) fn loosen(&mut self) {
        if self.gap == Gap::Line {
            self.gap = Gap::Blank;
        }
    }

    /// A block of lines.
    pub(super) fn block<'a>(&mut self, lines: impl IntoIterator<Item = &'a str>) {
        if self.gap == Gap::Blank {
            self.out.push('\n');
            self.prefix_of_blank();
        }
        for line in lines {
            if self.gap != Gap::None {
                self.out.push('\n');
            }
            self.gap = Gap::Line;
            if line.is_empty() && self.frames.last().is_none_or(|frame| frame.written) {
                self.prefix_of_blank();
                continue;
            }
            for frame in &mut self.frames {
                self.out.push_str(if frame.written { &frame.rest } else { &frame.marker });
                frame.written = true;
            }
            self.out.push_str(line);
        }
        self.gap = Gap::Blank;
    }

    /// The quotes around an empty line.
    fn prefix_of_blank(&mut self) {
        let start = self.out.len();
        for frame in self.frames.iter().take_while(|frame| frame.written) {
            self.out.push_str(&frame.rest);
        }
        let end = self.out.trim_end_matches(' ').len().max(start);
        self.out.truncate(end);
    }
}
