//! Words that a line end had broken: they are joined where the joined word is right, and a compound keeps its hyphen.

use super::vocabulary::{Vocabulary, WORD};

/// The two halves of a broken word, without the marks around them and in lower case.
struct Halves<'l> {
    /// The last token of the upper line, without its hyphen.
    upper: &'l str,
    /// The first token of the lower line.
    lower: &'l str,
    first: String,
    second: String,
}

/// What a word ends with that goes on in the next line.
pub(super) const HYPHENS: [char; 3] = ['-', '\u{2010}', '\u{AD}'];
/// First parts of compounds that keep their hyphen.
const KEEP: [&str; 16] = [
    "all", "cross", "full", "half", "high", "large", "long", "low", "non", "open", "quasi", "self", "short", "small",
    "two", "well",
];
/// Last parts of compounds that keep their hyphen behind a word.
const KEEP_BEFORE: [&str; 14] = [
    "aware",
    "based",
    "compatible",
    "defined",
    "dependent",
    "driven",
    "independent",
    "level",
    "li",
    "oriented",
    "specific",
    "либо",
    "нибудь",
    "то",
];
/// What is no second part of a compound, but the end of a word.
const ENDINGS: [&str; 21] = [
    "able", "ed", "en", "ened", "ening", "er", "ers", "est", "ing", "ings", "ish", "ity", "ly", "ment", "ments",
    "ness", "sion", "th", "tion", "tions", "ward",
];
/// What joins two compounds of which the first leaves its last part out: "two- and threefold".
const BETWEEN: [&str; 6] = ["and", "bis", "oder", "or", "to", "und"];
/// First parts of words that English writes without a hyphen, though both parts are words.
const CLOSED: [&str; 23] = [
    "after", "back", "book", "copy", "down", "every", "fore", "hand", "hard", "head", "home", "inter", "land", "life",
    "over", "some", "under", "what", "when", "where", "with", "wood", "work",
];

/// For a word that goes on in the next line: the line up to it, the other half, the rest of the next line. When that
/// begins a paragraph (`starts`: a column ends here) or with a capital, only a word that was seen is one.
pub(super) fn broken<'l>(
    line: &'l str,
    next: &'l str,
    starts: bool,
    vocabulary: &Vocabulary,
) -> Option<(&'l str, &'l str, &'l str)> {
    let hyphen = line.chars().next_back().filter(|c| HYPHENS.contains(c))?;
    let head = &line[..line.len() - hyphen.len_utf8()];
    let begins = next.chars().next()?;
    if !head.chars().next_back()?.is_alphabetic() || !begins.is_alphabetic() {
        return None;
    }
    let (tail, after) = next.split_at(next.find(char::is_whitespace).unwrap_or(next.len()));
    let halves = Halves::new(head, tail);
    let whole = vocabulary.contains(&[&halves.first, &halves.second]);
    let is_sure = whole && !vocabulary.contains(&[&halves.first, "-", &halves.second]);
    if !is_sure && (starts || !begins.is_lowercase() || BETWEEN.contains(&tail)) {
        return None;
    }
    let keeps = hyphen != '\u{AD}' && !whole && halves.are_compound(vocabulary);
    Some((if keeps { line } else { head }, tail, after.trim_start()))
}

// === impl Halves ===

impl<'l> Halves<'l> {
    fn new(head: &'l str, lower: &'l str) -> Self {
        let upper = head.rsplit(char::is_whitespace).next().unwrap_or_default();
        let half = |text: &str| text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        Self { upper, lower, first: half(upper), second: half(lower) }
    }

    /// Whether the hyphen between them is one of the word's own.
    fn are_compound(&self, vocabulary: &Vocabulary) -> bool {
        let Self { first, second, .. } = self;
        vocabulary.contains(&[first, "-", second])
            || first.contains('-')
            || self.is_address()
            || self.is_option()
            || self.is_mixed()
            || (KEEP.contains(&first.as_str()) && !ENDINGS.contains(&second.as_str()))
            || self.are_words(vocabulary)
    }

    /// Whether it is an address or a path, which nobody breaks at a syllable.
    fn is_address(&self) -> bool {
        let has = |sign: &str| self.upper.contains(sign) || self.lower.contains(sign);
        let inside = |text: &str| text.matches('/').count();
        let slashes = inside(self.upper.trim_start_matches(|c: char| !c.is_alphanumeric()))
            + inside(self.lower.trim_end_matches(|c: char| !c.is_alphanumeric()));
        has("@") || has("://") || self.upper.contains("www.") || slashes > 1
    }

    /// Whether it is an option of a command: `--track-origins`.
    fn is_option(&self) -> bool {
        self.upper.starts_with(['-', '–'])
    }

    /// Whether the halves are unlike: a number, an initial, an abbreviation or another script goes before a word.
    fn is_mixed(&self) -> bool {
        let letters = || self.first.chars().filter(|c| c.is_alphabetic());
        let capitals = self.upper.chars().rev().take_while(|c| c.is_uppercase()).count();
        let is_latin = |text: &str| text.chars().any(|c| c.is_ascii_alphabetic());
        self.first.chars().any(|c| c.is_ascii_digit())
            || letters().nth(1).is_none()
            || (capitals > 1 && self.second.len() >= WORD)
            || (is_latin(&self.first) != is_latin(&self.second) && self.first.is_ascii() != self.second.is_ascii())
    }

    /// Whether the halves are words of their own.
    fn are_words(&self, vocabulary: &Vocabulary) -> bool {
        let Self { first, second, .. } = self;
        if first.len() < WORD || !vocabulary.contains(&[first]) {
            return false;
        }
        if KEEP_BEFORE.contains(&second.as_str()) {
            return true;
        }
        // What is joined to more words by hyphens is joined by one here: "state-of-the-art".
        if second.split('-').count() > 1 {
            return true;
        }
        let is_word = second.len() >= WORD && vocabulary.contains(&[second]);
        // An adverb and what it modifies ("strongly-coupled"), and not a word of two syllables ("fly-ing").
        let modifies = first.len() > WORD && first.ends_with("ly");
        let closed = CLOSED.contains(&first.as_str()) || ENDINGS.contains(&second.as_str());
        is_word && (modifies || (vocabulary.is_english() && !closed))
    }
}

#[cfg(test)]
mod tests {
    use super::super::paragraphs::{Line, text};
    use super::*;

    fn page(lines: &[&str]) -> String {
        text_of(lines, &mut Vocabulary::default())
    }

    fn text_of(lines: &[&str], vocabulary: &mut Vocabulary) -> String {
        let lines: Vec<Line> = lines
            .iter()
            .enumerate()
            .map(|(n, text)| Line { text: (*text).to_owned(), size: 10.0, starts: n == 0, ..Line::default() })
            .collect();
        text(&lines, vocabulary)
    }

    #[test]
    fn a_word_broken_by_a_hyphen_is_joined_on_the_upper_line() {
        assert_eq!(page(&["we describe the tra-", "cing of loops"]), "we describe the tracing\nof loops");
        assert_eq!(page(&["Mit\u{AD}", "arbeiter"]), "Mitarbeiter");
    }

    #[test]
    fn a_compound_keeps_its_hyphen() {
        assert_eq!(page(&["a self-", "made man"]), "a self-made\nman");
        assert_eq!(
            page(&["the half-tide and the fore-", "shore, the fore-shore"]),
            "the half-tide and the fore-shore,\nthe fore-shore"
        );
    }

    #[test]
    fn an_adverb_keeps_the_hyphen_before_what_it_modifies() {
        assert_eq!(
            page(&["a strongly-", "coupled one, coupled strongly"]),
            "a strongly-coupled\none, coupled strongly"
        );
        assert_eq!(page(&["it is multiply-", "ing"]), "it is multiplying");
        // The halves themselves don't make their words known.
        assert_eq!(page(&["an analy-", "tical proof"]), "an analytical\nproof");
    }

    #[test]
    fn a_hyphen_before_a_capital_or_after_a_digit_stays() {
        assert_eq!(page(&["New York-", "London"]), "New York-\nLondon");
        assert_eq!(page(&["pages 3-", "and on"]), "pages 3-\nand on");
    }
    /// Reads `before` and then the page.
    fn page_after(before: &str, lines: &[&str]) -> String {
        let mut vocabulary = Vocabulary::default();
        vocabulary.add(before);
        text_of(lines, &mut vocabulary)
    }

    #[test]
    fn two_words_of_an_english_text_keep_their_hyphen() {
        let english = "the document and the single case of the register";
        assert_eq!(page_after(english, &["a single-", "document task"]), "a single-document\ntask");
        // A syllable is no word, nor is an ending, and some words are always closed.
        assert_eq!(page_after(english, &["a regis-", "ter task"]), "a register\ntask");
        assert_eq!(page_after("the over and the document", &["an over-", "document"]), "an overdocument");
        assert_eq!(page_after("the opera and a tion", &["one opera-", "tion"]), "one operation");
        // Other languages make one word of two.
        assert_eq!(page_after("karten und ihre wechsel", &["die Karten-", "wechsel"]), "die Kartenwechsel");
    }

    #[test]
    fn a_compound_of_three_keeps_both_hyphens() {
        assert_eq!(page_after("state", &["a state-", "of-the-art thing"]), "a state-of-the-art\nthing");
        assert_eq!(page(&["a gen-", "eral-purpose thing"]), "a general-purpose\nthing");
    }

    #[test]
    fn an_abbreviation_a_number_and_an_initial_keep_their_hyphen() {
        assert_eq!(page(&["a PEM-", "encoded file"]), "a PEM-encoded\nfile");
        assert_eq!(page(&["some 3d-", "rays"]), "some 3d-rays");
        assert_eq!(page(&["two φ-", "nodes"]), "two φ-nodes");
        assert_eq!(page(&["две USB-", "мыши"]), "две USB-мыши");
    }

    #[test]
    fn addresses_paths_and_options_keep_their_hyphens() {
        assert_eq!(page(&["to help@big-", "company.com now"]), "to help@big-company.com\nnow");
        assert_eq!(page(&["see main/installer-", "amd64/images for"]), "see main/installer-amd64/images\nfor");
        assert_eq!(page(&["with --track-", "origins"]), "with --track-origins");
        assert_eq!(page(&["import/ex-", "port of"]), "import/export\nof");
    }

    #[test]
    fn before_a_capital_or_in_another_column_a_word_that_was_seen_is_joined() {
        let seen = "TraceMonkey is a system";
        assert_eq!(page_after(seen, &["of Trace-", "Monkey and"]), "of TraceMonkey\nand");
        assert_eq!(page_after(seen, &["THE SYS-", "TEM AS"]), "THE SYSTEM\nAS");
        let columns = [
            Line { text: "of one sys-".to_owned(), starts: true, ..Line::default() },
            Line { text: "tem here".to_owned(), starts: true, ..Line::default() },
        ];
        let mut vocabulary = Vocabulary::default();
        vocabulary.add(seen);
        assert_eq!(text(&columns, &mut vocabulary), "of one system\n\nhere");
        assert_eq!(text(&columns, &mut Vocabulary::default()), "of one sys-\n\ntem here");
    }

    #[test]
    fn a_hyphen_for_a_part_that_is_left_out_stays_at_its_line_end() {
        assert_eq!(page(&["on the left-", "and right-hand side"]), "on the left-\nand right-hand side");
    }

    #[test]
    fn ex_is_mostly_a_syllable() {
        assert_eq!(page(&["as ex-", "pected"]), "as expected");
        assert_eq!(page(&["a long-", "er one"]), "a longer\none");
    }
}
