//! From the order on the page to the order of reading, for lines with right-to-left text (UAX #9, backwards).

use super::script::{is_letter, is_rtl};
use unicode_bidi::{BidiInfo, Level};

/// Whether a text reads from the right: by most of its letters, and where `region` does, by a third of them.
pub(super) fn reads_from_right<'c>(texts: impl Iterator<Item = &'c str>, region: bool) -> bool {
    let (mut right, mut left) = (0usize, 0usize);
    for c in texts.flat_map(str::chars) {
        if is_rtl(c) {
            right += 1;
        } else if is_letter(c) {
            left += 1;
        }
    }
    if region { right * 2 > left || left == 0 } else { right > left }
}

/// Puts `clusters`, which stand from left to right, in the order of reading.
pub(super) fn logical(mut clusters: Vec<String>, from_right: bool) -> Vec<String> {
    if from_right {
        clusters.reverse();
    }
    let base = if from_right { Level::rtl() } else { Level::ltr() };
    let mut levels = levels(&clusters, base);
    if from_right {
        // All is turned already: what reads from the left is turned back.
        join(&clusters, &mut levels);
        turn(&mut clusters, &levels);
    } else {
        let mut at = 0;
        while at < clusters.len() {
            let end = (at..clusters.len()).find(|&n| levels[n] == 0).unwrap_or(clusters.len());
            if end > at {
                let inner = logical_run(clusters[at..end].to_vec());
                clusters.splice(at..end, inner);
            }
            at = end + 1;
        }
    }
    mirror(&mut clusters);
    clusters
}

/// A run that reads from right to left inside a line that does not.
fn logical_run(mut run: Vec<String>) -> Vec<String> {
    run.reverse();
    let mut levels = levels(&run, Level::rtl());
    join(&run, &mut levels);
    turn(&mut run, &levels);
    run
}

fn levels(clusters: &[String], base: Level) -> Vec<u8> {
    let text: String = clusters.concat();
    let info = BidiInfo::new(&text, Some(base));
    let mut at = 0;
    clusters
        .iter()
        .map(|cluster| {
            let level = info.levels.get(at).map_or(base.number(), Level::number);
            at += cluster.len();
            level
        })
        .collect()
}

/// Latin words and the numbers beside them are one phrase: on the page both orders look alike. So are a word and the
/// number that a mark ties to its end.
fn join(clusters: &[String], levels: &mut [u8]) {
    let is_latin = |n: usize| clusters[n].chars().any(|c| is_letter(c) && !is_rtl(c));
    let is_digit = |n: usize| clusters[n].chars().all(|c| c.is_ascii_digit());
    let ties = |n: usize| matches!(clusters[n].as_str(), "-" | "\u{2010}" | "\u{2011}" | "." | "/" | "_" | ":" | "'");
    let mut at = 0;
    while let Some(start) = (at..levels.len()).find(|&n| levels[n] >= 2) {
        let end = (start..levels.len()).find(|&n| levels[n] < 2).unwrap_or(levels.len());
        let next = (end..levels.len()).find(|&n| levels[n] >= 2 || !clusters[n].trim().is_empty());
        if let Some(next) = next.filter(|&next| levels[next] >= 2) {
            let stop = (next..levels.len()).find(|&n| levels[n] < 2).unwrap_or(levels.len());
            if (start..end).any(is_latin) || (next..stop).any(is_latin) {
                levels[end..next].fill(2);
            }
        } else if end + 1 < levels.len() && ties(end) && levels[end + 1] >= 2 && is_latin(end + 1) && is_digit(end - 1)
        {
            levels[end] = 2;
        }
        at = end;
    }
}

/// Turns the runs of level 2 and more.
fn turn(clusters: &mut [String], levels: &[u8]) {
    let mut at = 0;
    while at < clusters.len() {
        let end = (at..clusters.len()).find(|&n| levels[n] < 2).unwrap_or(clusters.len());
        clusters[at..end].reverse();
        at = end + 1;
    }
}

/// Brackets in right-to-left text are drawn mirrored; some files name what is drawn, some what is meant. The first
/// bracket of a line tells which: nothing begins with a closing one.
fn mirror(clusters: &mut [String]) {
    const PAIRS: [(&str, &str); 4] = [("(", ")"), ("[", "]"), ("{", "}"), ("«", "»")];
    let opens = |text: &str| PAIRS.iter().any(|(open, _)| *open == text);
    let closes = |text: &str| PAIRS.iter().any(|(_, close)| *close == text);
    let mut depth = 0i32;
    let mut worst = 0i32;
    for cluster in clusters.iter() {
        depth += i32::from(opens(cluster)) - i32::from(closes(cluster));
        worst = worst.min(depth);
    }
    if worst >= 0 {
        return;
    }
    for cluster in clusters {
        for (open, close) in PAIRS {
            if cluster == open {
                close.clone_into(cluster);
                break;
            } else if cluster == close {
                open.clone_into(cluster);
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(seen: &str, from_right: bool) -> String {
        logical(seen.chars().map(String::from).collect(), from_right).concat()
    }

    #[test]
    fn hebrew_reads_from_the_right() {
        assert_eq!(read("םלוע םולש", true), "שלום עולם");
    }

    #[test]
    fn numbers_and_latin_keep_their_direction_in_right_to_left_text() {
        assert_eq!(read("ב abc 12.5 א", true), "א abc 12.5 ב".to_owned());
        assert_eq!(read("ב 1434 א", true), "א 1434 ב");
        assert_eq!(read("ב COVID-19 א", true), "א COVID-19 ב");
    }

    #[test]
    fn a_right_to_left_word_in_a_latin_line_is_turned_alone() {
        assert_eq!(read("word םולש here", false), "word שלום here");
    }

    #[test]
    fn brackets_that_are_named_as_drawn_are_mirrored() {
        assert_eq!(read("(ב) א", true), "א (ב)");
        assert_eq!(read(")ב( א", true), "א (ב)");
    }
}
