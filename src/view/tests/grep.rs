//! What grep shows (views.md §4).

use super::super::{full_text, slice};
use super::*;

#[test]
fn a_match_stands_between_its_neighbours_on_the_same_page() {
    let document = pdf(&["one\n  two needle  \nthree", "needle"]);
    let rendered = view(&document, &with_grep("needle"));
    assert_eq!(
        rendered.content,
        "grep \"needle\": 2 matches\np. 1- one\np. 1: two needle\np. 1- three\n--\np. 2: needle\n--"
    );
    assert_eq!((rendered.grep_hits, rendered.first, rendered.last, rendered.map), (2, 0, 0, false));
    assert_eq!((rendered.truncated, &*rendered.note), (false, ""));
    assert_eq!(rendered.chars, rendered.content.chars().count());
}

#[test]
fn one_match_and_no_match_are_said_in_words() {
    let document = pdf(&["needle"]);
    assert!(view(&document, &with_grep("needle")).content.starts_with("grep \"needle\": 1 match\n"));
    let none = view(&document, &with_grep("thread"));
    assert_eq!((&*none.content, none.grep_hits, none.truncated), ("grep \"thread\": no matches", 0, false));
    assert_eq!(view(&pdf(&[]), &with_grep("x")).content, "grep \"x\": no matches");
}

#[test]
fn lines_are_counted_and_not_matches() {
    assert_eq!(view(&pdf(&["a a a\nb\na"]), &with_grep("a")).grep_hits, 2);
}

#[test]
fn a_neighbour_that_matches_too_has_a_block_of_its_own() {
    let content = view(&pdf(&["a1\na2"]), &with_grep("a")).content;
    assert_eq!(content, "grep \"a\": 2 matches\np. 1: a1\np. 1- a2\n--\np. 1- a1\np. 1: a2\n--");
}

#[test]
fn the_first_hundred_are_shown() {
    for (lines, header, blocks) in [
        (99, "grep \"x\": 99 matches", 99),
        (100, "grep \"x\": 100 matches", 100),
        (101, "grep \"x\": 101 matches, showing the first 100", 100),
    ] {
        let rendered = view(&pdf(&[&"x\n".repeat(lines)]), &with_grep("x"));
        assert_eq!(rendered.content.lines().next(), Some(header));
        assert_eq!(rendered.content.lines().filter(|line| *line == "--").count(), blocks);
        assert_eq!((rendered.matches.len(), rendered.grep_hits), (blocks, lines as u64));
        assert_eq!(rendered.truncated, lines > 100);
    }
}

#[test]
fn matches_past_the_hundredth_are_named_by_their_pages() {
    let document = pdf(&[&"x\n".repeat(60), "x", &"x\n".repeat(60), "x"]);
    let rendered = view(&document, &with_grep("x"));
    assert_eq!(rendered.note, "22 of 122 matches not shown; ask for pages=\"3-4\" or a narrower pattern");
    let only_one_page = view(&document, &Options { pages: Some("1".into()), ..with_grep("x|^$") });
    assert_eq!(only_one_page.note, "");
    let crowded = view(&pdf(&[&"x\n".repeat(101), "x"]), &with_grep("x"));
    assert_eq!(crowded.note, "2 of 102 matches not shown; ask for a narrower pattern");
}

#[test]
fn grep_looks_only_at_the_pages_asked_for() {
    let document = pdf(&["x1", "x2", "x3", "x4"]);
    let rendered = view(&document, &Options { pages: Some("2,4".into()), ..with_grep("x") });
    assert_eq!(rendered.content, "grep \"x\": 2 matches\np. 2: x2\n--\np. 4: x4\n--");
    let limited = view(&document, &Options { pages_limit: Some(1), ..with_grep("x") });
    assert_eq!(limited.grep_hits, 1);
    let beyond = refusal(&document, &Options { pages: Some("5".into()), ..with_grep("x") });
    assert_eq!(beyond, ViewError::PagesOutOfRange { last: 4 });
}

#[test]
fn markers_and_reasons_are_no_lines_of_a_page() {
    let mut document = pdf(&["a", "b"]);
    document.pages[1] = Page::failed(2, "b");
    assert_eq!(view(&document, &with_grep("page|could not|b")).grep_hits, 0);
}

#[test]
fn parts_are_addressed_like_pages() {
    let content = view(&document(Unit::Part, &["x", "y"]), &with_grep("y")).content;
    assert_eq!(content, "grep \"y\": 1 match\np. 2: y\n--");
}

#[test]
fn whole_blocks_are_dropped_at_the_end_and_the_note_counts_them() {
    // The header has 19 characters, a block 10 and the length of the line.
    let line = "x".repeat(480);
    for (longer, shown) in [(480, 2), (481, 2), (482, 1)] {
        let second = "x".repeat(longer);
        let document = pdf(&[&line, &second]);
        let rendered = view(&document, &Options { grep: Some("x".into()), ..small() });
        assert_eq!(rendered.content.lines().filter(|line| *line == "--").count(), shown);
        assert_eq!(rendered.matches.len(), shown);
        let note = "1 of 2 matches not shown; ask for pages=\"2\" or a narrower pattern";
        assert_eq!(rendered.note, if shown == 2 { "" } else { note });
    }
}

#[test]
fn a_block_longer_than_an_answer_is_cut_around_its_match() {
    let line = format!("{}needle{}", "é".repeat(5_000), "z".repeat(5_000));
    let document = pdf(&["thread", &format!("{}\n{line}\nafter", "b".repeat(3_000)), "needle"]);
    let rendered = view(&document, &Options { grep: Some("needle".into()), ..small() });
    assert_eq!(rendered.chars, 1_000);
    let block: Vec<_> = rendered.content.lines().skip(1).collect();
    let text = block[0].strip_prefix("p. 2: ").unwrap();
    assert!(text.contains("éneedlez") && line.contains(text), "{text}");
    assert_eq!(block[1..], ["--"]);
    assert_eq!(
        rendered.note,
        "match on page 2 cut to fit; ask for pages=\"2\"; 1 of 2 matches not shown; ask for pages=\"3\" or a narrower pattern"
    );
    assert_eq!((rendered.matches.len(), &*rendered.matches[0].text), (1, text));
}

#[test]
fn matches_carry_the_lines_of_the_full_text() {
    let document = pdf(&["a\n needle 1", "", "b\n\nc\nneedle 2 "]);
    for pages in ["1-3", "3", "1,3"] {
        for found in view(&document, &Options { pages: Some(pages.into()), ..with_grep("needle") }).matches {
            assert_eq!(found.text, format!("needle {}", if found.page == 1 { 1 } else { 2 }));
            let line = slice(&document, Some(found.line), Some(1));
            assert_eq!(line.text.trim(), found.text);
        }
    }
    let last = view(&document, &with_grep("needle 2")).matches[0].line;
    assert_eq!(full_text(&document).lines().nth(usize::try_from(last).unwrap() - 1), Some("needle 2"));
}
