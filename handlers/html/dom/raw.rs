//! Elements whose content is text, and comments.

use super::{
    MAX_SCRIPT,
    build::Builder,
    entities::Place,
    names::Name,
    rules::Rules,
    tokens::{Span, Tag, decode},
    tree::Spot,
};
use memchr::{memchr, memmem};

/// Marks of scripts that hold the state of a page.
const STATES: [&str; 2] = ["__NUXT__", "_STATE__"];

/// The states that are kept of those with `_STATE__`.
const STATE_NAMES: [&str; 3] = ["__APOLLO_STATE__", "__INITIAL_STATE__", "__PRELOADED_STATE__"];

// === impl Builder ===

impl Builder<'_> {
    /// Adds an element whose content is text, up to its end tag.
    pub(super) fn insert_raw(&mut self, tag: &Tag) {
        let keep_script = tag.name == Name::Script && self.is_data();
        let node = self.insert_closed(tag);
        if self.xml && tag.self_closing {
            return;
        }
        let content = self.tokens.raw(tag.name);
        let text = content.of(self.tokens.source);
        let is_kept = match tag.name {
            Name::Style => false,
            Name::Script => text.len() <= MAX_SCRIPT && (keep_script || holds_state(text)),
            _ => true,
        };
        if is_kept {
            let start = self.tree.text.len();
            let place = Rules::ESCAPABLE.any_of(tag.name).then_some(Place::Text);
            decode(text, place, "\u{FFFD}", &mut self.tree.text);
            let skipped = tag.name == Name::Textarea && self.tree.text[start..].starts_with('\n');
            let span = Span { start: start + usize::from(skipped), end: self.tree.text.len() };
            self.tree.put_text(span, Spot::In(node));
        }
    }

    /// Takes all that follows as the text of the open element.
    pub(super) fn plain_rest(&mut self) {
        let start = self.tree.text.len();
        decode(self.tokens.rest().of(self.tokens.source), None, "\u{FFFD}", &mut self.tree.text);
        self.put_text(Span { start, end: self.tree.text.len() });
    }

    /// Whether the script of the last tag is data and not a program.
    fn is_data(&self) -> bool {
        let kind = self.tokens.attr("type").unwrap_or_default().trim().to_ascii_lowercase();
        kind.contains("json")
            || kind.starts_with("math/")
            || self.tokens.attr("id").is_some_and(|id| id == "__NEXT_DATA__")
    }
}

/// The place behind the comment whose content starts here.
pub(super) fn comment_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(length) = memchr(b'>', &bytes[at..]) {
        at += length;
        let content = &bytes[start..at];
        // `<!-->` and `<!--->` are whole comments, too.
        if content.is_empty() || content == b"-" || content.ends_with(b"--") || content.ends_with(b"--!") {
            return at + 1;
        }
        at += 1;
    }
    bytes.len()
}

/// Where the end tag of the raw element stands whose content starts here. `plain_scripts`: the first end tag of a script
/// counts, whatever stands before it; it is set when the end of a script wasn't found otherwise.
pub(super) fn end(bytes: &[u8], start: usize, name: Name, plain_scripts: &mut bool) -> Option<usize> {
    if name == Name::Script && !*plain_scripts {
        let end = script_end(bytes, start);
        if end.is_some() {
            return end;
        }
        *plain_scripts = true;
    }
    let mut at = start;
    while let Some(length) = memchr(b'<', &bytes[at..]) {
        at += length;
        if is_tag(bytes, at, "</", name) {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// Where a script ends: within `<!-- <script>` the next `</script>` doesn't end it.
fn script_end(bytes: &[u8], start: usize) -> Option<usize> {
    let (mut in_comment, mut in_script) = (false, false);
    let mut at = start;
    while let Some(length) = memchr(b'<', &bytes[at..]) {
        if in_comment && memmem::find(&bytes[at.saturating_sub(2).max(start)..at + length], b"-->").is_some() {
            (in_comment, in_script) = (false, false);
        }
        at += length;
        if is_tag(bytes, at, "</", Name::Script) {
            if !in_script {
                return Some(at);
            }
            in_script = false;
        } else if in_comment {
            in_script |= is_tag(bytes, at, "<", Name::Script);
        } else if bytes[at..].starts_with(b"<!--") {
            in_comment = true;
            // The dashes may belong to the end of the comment: `<!-->`.
            at += 1;
        }
        at += 1;
    }
    None
}

/// Whether this tag stands here.
fn is_tag(bytes: &[u8], at: usize, opening: &str, name: Name) -> bool {
    let rest = &bytes[at..];
    let (length, name) = (opening.len(), name.as_str());
    rest.starts_with(opening.as_bytes())
        && rest.get(length..length + name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
        && matches!(rest.get(length + name.len()), Some(b' ' | b'\n' | b'\t' | b'\r' | b'\x0C' | b'/' | b'>'))
}

/// Whether a script holds the state that a page is drawn from.
fn holds_state(script: &str) -> bool {
    let has = |mark: &str| memmem::find(script.as_bytes(), mark.as_bytes()).is_some();
    has(STATES[0]) || (has(STATES[1]) && STATE_NAMES.iter().any(|name| has(name)))
}
