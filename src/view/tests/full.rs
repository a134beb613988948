//! views.md §1 and the documents that fit.

use super::super::{DEFAULT_OUT_CAP, MIN_OUT_CAP, full_text, out_cap};
use super::*;

#[test]
fn every_page_has_its_marker_and_its_text_and_pages_are_joined_by_a_blank_line() {
    let rendered = view(&pdf(&["  first\n", "second"]), &Options::default());
    assert_eq!(rendered.content, "--- page 1 ---\n\nfirst\n\n--- page 2 ---\n\nsecond");
    assert_eq!((rendered.first, rendered.last, rendered.map), (1, 2, false));
    assert_eq!((rendered.truncated, &*rendered.note), (false, ""));
}

#[test]
fn a_page_without_text_keeps_its_marker() {
    assert_eq!(full_text(&pdf(&["", "b", ""])), "--- page 1 ---\n\n\n\n--- page 2 ---\n\nb\n\n--- page 3 ---\n\n");
}

#[test]
fn parts_have_markers_of_their_own_name() {
    assert_eq!(full_text(&document(Unit::Part, &["a", "b"])), "--- part 1 ---\n\na\n\n--- part 2 ---\n\nb");
}

#[test]
fn a_single_part_has_no_marker_and_a_single_page_has_one() {
    assert_eq!(full_text(&document(Unit::Part, &["a"])), "a");
    assert_eq!(full_text(&pdf(&["a"])), "--- page 1 ---\n\na");
}

#[test]
fn a_page_that_failed_says_why_below_its_marker() {
    let mut paged = pdf(&["a", "b"]);
    paged.pages[1] = Page::failed(2, "broken font");
    assert_eq!(full_text(&paged), "--- page 1 ---\n\na\n\n--- page 2 ---\n\n[page 2 could not be read: broken font]");
    let mut single = document(Unit::Part, &["a"]);
    single.pages[0] = Page::failed(1, "too deep");
    assert_eq!(full_text(&single), "[part 1 could not be read: too deep]");
}

#[test]
fn a_document_without_pages_is_an_empty_view() {
    let rendered = view(&pdf(&[]), &Options::default());
    assert_eq!((&*rendered.content, rendered.first, rendered.last, rendered.truncated), ("", 0, 0, false));
}

#[test]
fn the_full_text_is_shown_up_to_the_cap_and_not_one_character_further() {
    let marker = "--- page 1 ---\n\n".len();
    for (chars, map) in [(999, false), (1_000, false), (1_001, true)] {
        let rendered = view(&pdf(&[&"é".repeat(chars - marker)]), &small());
        assert_eq!(rendered.map, map, "{chars}");
        assert!(map || rendered.chars == chars, "{chars}");
    }
}

#[test]
fn a_quarter_of_the_characters_estimates_the_tokens() {
    let rendered = view(&document(Unit::Part, &["日本語です"]), &Options::default());
    assert_eq!((rendered.chars, rendered.tokens_estimate), (5, 1));
}

#[test]
fn a_limit_of_pages_hides_the_others_and_keeps_the_markers() {
    let document = document(Unit::Part, &["a", "b", "c"]);
    for (limit, content, last) in [(0, "--- part 1 ---\n\na", 1), (1, "--- part 1 ---\n\na", 1)] {
        let rendered = view(&document, &Options { pages_limit: Some(limit), ..Options::default() });
        assert_eq!((&*rendered.content, rendered.last), (content, last));
    }
    let all = view(&document, &Options { pages_limit: Some(9), ..Options::default() });
    assert_eq!(all.content, full_text(&document));
    let beyond = Options { pages_limit: Some(2), ..with_pages("3", 1_000) };
    assert_eq!(refusal(&document, &beyond), ViewError::PagesOutOfRange { last: 2 });
}

#[test]
fn a_request_lowers_the_cap_between_the_least_and_the_ceiling() {
    assert_eq!(out_cap(None, DEFAULT_OUT_CAP), 40_000);
    for (asked, cap) in [(0, 1_000), (999, 1_000), (1_000, 1_000), (1_001, 1_001), (40_000, 40_000), (40_001, 40_000)] {
        assert_eq!(out_cap(Some(asked), DEFAULT_OUT_CAP), cap, "{asked}");
    }
    assert_eq!(out_cap(Some(u32::MAX), 10), MIN_OUT_CAP);
}

#[test]
fn a_cap_below_the_least_counts_as_the_least() {
    let rendered = view(&long_pdf(10, 500), &Options { out_cap: 0, ..Options::default() });
    assert_eq!(rendered, view(&long_pdf(10, 500), &small()));
}

#[test]
fn debug_output_carries_no_text_and_no_pattern() {
    let document = pdf(&["canary"]);
    let options = with_grep("canary");
    let rendered = view(&document, &options);
    let printed = format!("{options:?} {rendered:?} {:?}", rendered.matches);
    assert!(!printed.contains("canary"), "{printed}");
}
