//! Accents that are drawn as glyphs of their own, over or under a letter.

use super::{frames::Placed, glyph::Text};
use unicode_normalization::char::{compose, is_combining_mark};

/// How many glyphs on either side may be the letter under an accent.
const REACH: usize = 2;

/// Whether a character is an accent that may belong to the letter beside it.
pub(super) fn is_accent(c: char) -> bool {
    combining(c).is_some() || (c >= '\u{300}' && is_combining_mark(c))
}

/// Joins each accent to the letter that it stands on.
pub(super) fn merge(placed: &mut Vec<Placed>) {
    if !placed.iter().any(|one| one.text.first().is_some_and(is_accent)) {
        return;
    }
    let mut gone = vec![false; placed.len()];
    for at in 0..placed.len() {
        let Some(mark) = placed[at].text.first() else { continue };
        let spacing = combining(mark);
        if spacing.is_none() && !is_combining_mark(mark) {
            continue;
        }
        let middle = f32::midpoint(placed[at].u0, placed[at].u1);
        let letter = (at.saturating_sub(REACH)..(at + REACH + 1).min(placed.len()))
            .filter(|&n| n != at && !gone[n] && !placed[n].blank)
            .filter(|&n| placed[n].text.first().is_some_and(char::is_alphabetic))
            .map(|n| (n, (f32::midpoint(placed[n].u0, placed[n].u1) - middle).abs()))
            .filter(|&(n, off)| {
                let limit = if spacing.is_some() { 0.25 } else { 0.6 };
                off < limit * placed[n].size
            })
            .min_by(|a, b| a.1.total_cmp(&b.1));
        let Some((letter, _)) = letter else { continue };
        let base: String = placed[letter].text.chars().collect();
        let joined = match spacing {
            None => base + &placed[at].text.chars().collect::<String>(),
            Some(mark) => {
                let Some(last) = base.chars().next_back() else { continue };
                let plain = match last {
                    'ı' => 'i',
                    'ȷ' => 'j',
                    other => other,
                };
                let Some(composed) = compose(plain, mark) else { continue };
                base[..base.len() - last.len_utf8()].to_owned() + composed.encode_utf8(&mut [0; 4])
            }
        };
        placed[letter].text = Text::new(&joined);
        placed[letter].u0 = placed[letter].u0.min(placed[at].u0);
        placed[letter].u1 = placed[letter].u1.max(placed[at].u1);
        gone[at] = true;
    }
    let mut n = 0;
    placed.retain(|_| {
        n += 1;
        !gone[n - 1]
    });
}

/// The combining form of an accent that takes room.
fn combining(c: char) -> Option<char> {
    Some(match c {
        '`' | '\u{2CB}' => '\u{300}',
        '\u{B4}' | '\u{2CA}' => '\u{301}',
        '^' | '\u{2C6}' => '\u{302}',
        '~' | '\u{2DC}' => '\u{303}',
        '\u{AF}' | '\u{2C9}' => '\u{304}',
        '\u{2D8}' => '\u{306}',
        '\u{2D9}' => '\u{307}',
        '\u{A8}' => '\u{308}',
        '\u{2DA}' => '\u{30A}',
        '\u{2DD}' => '\u{30B}',
        '\u{2C7}' => '\u{30C}',
        '\u{B8}' => '\u{327}',
        '\u{2DB}' => '\u{328}',
        _ => return None,
    })
}
