//! What the layout has to know of scripts.

/// Whether a character is written without spaces between words, on a square: Han, kana, their punctuation.
pub(super) fn is_square(c: char) -> bool {
    c >= '\u{2E80}'
        && matches!(c, '\u{2E80}'..='\u{30FF}' | '\u{3190}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FE30}'..='\u{FE4F}' | '\u{FF00}'..='\u{FF60}' | '\u{FFE0}'..='\u{FFE6}' | '\u{20000}'..='\u{3FFFF}')
}

/// Whether a character belongs to a script that is written from right to left.
pub(super) fn is_rtl(c: char) -> bool {
    c >= '\u{590}'
        && matches!(c, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}' | '\u{10800}'..='\u{10FFF}'
        | '\u{1E800}'..='\u{1EFFF}')
}

/// Whether a character is a letter. The scripts of most documents are told without a search in tables.
pub(super) fn is_letter(c: char) -> bool {
    match c {
        '\0'..='\u{7F}' => c.is_ascii_alphabetic(),
        '\u{C0}'..='\u{D6}'
        | '\u{D8}'..='\u{F6}'
        | '\u{F8}'..='\u{2C1}'
        | '\u{3A3}'..='\u{3F5}'
        | '\u{400}'..='\u{481}'
        | '\u{48A}'..='\u{52F}'
        | '\u{5D0}'..='\u{5EA}'
        | '\u{620}'..='\u{657}'
        | '\u{3041}'..='\u{3096}'
        | '\u{30A1}'..='\u{30FA}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7A3}' => true,
        _ => c.is_alphabetic(),
    }
}

/// Whether a joiner next to this character means something.
pub(super) fn takes_joiners(c: char) -> bool {
    is_rtl(c)
        || matches!(c, '\u{900}'..='\u{DFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{1F000}'..='\u{1FAFF}')
}

/// How much room a character takes, in letters.
pub(super) fn weight(c: char) -> usize {
    1 + usize::from(is_square(c) || matches!(c, '\u{AC00}'..='\u{D7A3}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_those_of_unicode() {
        assert!(('\0'..=char::MAX).all(|c| is_letter(c) == c.is_alphabetic()));
    }
}
