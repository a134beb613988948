//! Words as the index knows them: scripts without blanks fall into pairs of characters.

/// Words that say nothing: left out where any of the words may match.
const STOP: [&str; 97] = [
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "because", "been",
    "before", "being", "between", "both", "but", "by", "can", "could", "did", "do", "does", "doing", "for", "from",
    "get", "had", "has", "have", "having", "he", "her", "here", "him", "his", "how", "i", "if", "in", "into", "is",
    "it", "its", "just", "me", "more", "most", "my", "no", "not", "of", "off", "on", "or", "other", "our", "out",
    "over", "own", "same", "she", "should", "so", "some", "such", "than", "that", "the", "their", "them", "then",
    "there", "these", "they", "this", "those", "through", "to", "under", "up", "us", "was", "we", "were", "what",
    "when", "where", "which", "who", "why", "will", "with", "you",
];

/// The words of a query, in their order, once each.
pub(super) fn words(query: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in spaced(query).split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let word = word.to_lowercase();
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

pub(super) fn is_stop(word: &str) -> bool {
    STOP.contains(&word)
}

/// The text with pairs of characters in the place of runs without blanks: `漢字仮名` becomes `漢字 字仮 仮名`.
pub(super) fn spaced(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.chars().any(is_dense) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() * 2);
    let mut run: Vec<char> = Vec::new();
    for sign in text.chars().chain(['\n']) {
        if is_dense(sign) {
            run.push(sign);
            continue;
        }
        if !run.is_empty() {
            let pairs: Vec<String> = run.windows(2).map(|pair| pair.iter().collect()).collect();
            let single = || run.iter().collect();
            out.push(' ');
            out.push_str(&if pairs.is_empty() { single() } else { pairs.join(" ") });
            out.push(' ');
            run.clear();
        }
        out.push(sign);
    }
    out.pop();
    out.into()
}

/// Whether the script is written without blanks between words.
fn is_dense(sign: char) -> bool {
    matches!(sign, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}
