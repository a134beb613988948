//! From a text to pieces of words: the longest known beginning, then the longest known continuation, and so on.

use super::categories::{is_mark, is_other, is_punctuation};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;
use unicode_normalization::UnicodeNormalization as _;

/// A token a line, by number.
static VOCABULARY: &str = include_str!("../static-en/vocab.txt");

/// A longer word is no word, in characters.
const MAX_WORD: usize = 100;

/// The known tokens: whole words and beginnings, and continuations without their `##`.
struct Vocabulary {
    beginnings: FxHashMap<&'static str, u16>,
    continuations: FxHashMap<&'static str, u16>,
}

/// The tokens of a text. Words that are not known are left out.
pub(super) fn tokens(text: &str) -> Vec<u16> {
    let mut tokens = Vec::with_capacity(text.len() / 4);
    let mut word = String::new();
    for sign in
        text.chars().filter(|sign| sign.is_whitespace() || !(matches!(sign, '\0' | '\u{fffd}') || is_other(*sign)))
    {
        if sign.is_ascii() {
            take(sign.to_ascii_lowercase(), &mut word, &mut tokens);
        } else {
            let lower = std::iter::once(sign).nfd().filter(|part| !is_mark(*part)).flat_map(char::to_lowercase);
            lower.for_each(|part| take(part, &mut word, &mut tokens));
        }
    }
    pieces(&word, &mut tokens);
    tokens
}

/// Adds a character to the word, or ends the word with it.
fn take(sign: char, word: &mut String, tokens: &mut Vec<u16>) {
    let stands_alone =
        is_ideograph(sign) || (if sign.is_ascii() { sign.is_ascii_punctuation() } else { is_punctuation(sign) });
    if !stands_alone && !sign.is_whitespace() {
        word.push(sign);
        return;
    }
    pieces(word, tokens);
    word.clear();
    if stands_alone {
        pieces(sign.encode_utf8(&mut [0; 4]), tokens);
    }
}

fn pieces(word: &str, tokens: &mut Vec<u16>) {
    if word.is_empty() || word.chars().count() > MAX_WORD {
        return;
    }
    let Vocabulary { beginnings, continuations } = vocabulary();
    let before = tokens.len();
    let mut at = 0;
    while at < word.len() {
        let known = if at == 0 { beginnings } else { continuations };
        let ends = word[at..].char_indices().rev().map(|(end, sign)| at + end + sign.len_utf8());
        let found = ends.into_iter().find_map(|end| Some((end, *known.get(&word[at..end])?)));
        let Some((end, token)) = found else {
            // One piece that isn't known makes the word unknown.
            tokens.truncate(before);
            return;
        };
        tokens.push(token);
        at = end;
    }
}

fn vocabulary() -> &'static Vocabulary {
    static KNOWN: OnceLock<Vocabulary> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let mut known = Vocabulary { beginnings: FxHashMap::default(), continuations: FxHashMap::default() };
        for (number, token) in (0_u16..).zip(VOCABULARY.lines()) {
            match token.strip_prefix("##") {
                Some(rest) if !rest.is_empty() => known.continuations.insert(rest, number),
                _ => known.beginnings.insert(token, number),
            };
        }
        known
    })
}

fn is_ideograph(sign: char) -> bool {
    matches!(
        sign,
        '\u{4e00}'..='\u{9fff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{20000}'..='\u{2a6df}'
            | '\u{2a700}'..='\u{2b73f}'
            | '\u{2b740}'..='\u{2b81f}'
            | '\u{2b820}'..='\u{2ceaf}'
            | '\u{f900}'..='\u{faff}'
            | '\u{2f800}'..='\u{2fa1f}'
    )
}
