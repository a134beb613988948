//! Page ranges, offsets and their notes (views.md §3).

use super::super::full_text;
use super::*;

fn at(offset: u64, options: Options) -> Options {
    Options { offset: Some(offset), ..options }
}

#[test]
fn a_range_is_whole_pages_with_their_markers() {
    let rendered = view(&pdf(&["a", "b", "c", "d"]), &with_pages("2-3", 1_000));
    assert_eq!(rendered.content, "--- page 2 ---\n\nb\n\n--- page 3 ---\n\nc");
    assert_eq!((rendered.first, rendered.last, rendered.map, rendered.truncated), (2, 3, false, false));
}

#[test]
fn a_list_is_shown_in_page_order_each_page_once() {
    let rendered = view(&pdf(&["a", "b", "c", "d"]), &with_pages("4,1-2,2", 1_000));
    assert_eq!(rendered.content, "--- page 1 ---\n\na\n\n--- page 2 ---\n\nb\n\n--- page 4 ---\n\nd");
    assert_eq!((rendered.first, rendered.last), (1, 4));
}

#[test]
fn the_only_part_of_a_document_is_page_1_without_a_marker() {
    assert_eq!(view(&document(Unit::Part, &["a"]), &with_pages("1-", 1_000)).content, "a");
}

#[test]
fn a_range_that_is_too_long_ends_at_a_whole_page_and_names_the_rest() {
    let rendered = view(&long_pdf(50, 58), &with_pages("2-40", 1_000)); // 74 characters a page, with a digit more from page 10 on
    assert_eq!((rendered.first, rendered.last, rendered.chars), (2, 14, 8 * 74 + 5 * 75 + 12 * 2));
    assert_eq!((rendered.truncated, &*rendered.note), (true, "cut at page 14; ask for pages=\"15-40\""));
    let open = view(&long_pdf(50, 58), &with_pages("2-", 1_000));
    assert_eq!(open.note, "cut at page 14; ask for pages=\"15-50\"");
}

#[test]
fn pages_fit_up_to_the_cap_and_not_one_character_further() {
    for (second, last) in [(499, 2), (500, 2), (501, 1)] {
        let texts = ["x".repeat(498 - 16), "é".repeat(second - 16)];
        let rendered = view(&pdf(&texts.each_ref().map(|text| &**text)), &with_pages("1-2", 1_000));
        assert_eq!(rendered.last, last, "{second}");
        assert_eq!(rendered.note.is_empty(), last == 2);
    }
}

#[test]
fn the_rest_of_a_list_is_named_as_a_list() {
    let rendered = view(&long_pdf(40, 400), &with_pages("1-3,7,12-", 1_000));
    assert_eq!(rendered.note, "cut at page 2; ask for pages=\"3,7,12-40\"");
}

#[test]
fn an_answer_has_at_most_100_pages() {
    for (pages, last, note) in
        [("5-103", 103, ""), ("5-104", 104, ""), ("5-105", 104, "cut at page 104; ask for pages=\"105\"")]
    {
        let rendered = view(&long_pdf(200, 1), &with_pages(pages, 40_000));
        assert_eq!((rendered.last, &*rendered.note), (last, note), "{pages}");
    }
}

#[test]
fn a_page_larger_than_the_cap_is_cut_and_the_note_says_where_it_goes_on() {
    let document = pdf(&["a", &"日".repeat(2_484), "c"]); // page 2: 2,500 characters
    let first = view(&document, &with_pages("2", 1_000));
    assert_eq!(first.note, "page 2 cut at 1000 of 2500 characters; ask for pages=\"2\" offset=1000");
    assert_eq!((first.chars, first.first, first.last, first.truncated), (1_000, 2, 2, true));
    let second = view(&document, &at(1_000, with_pages("2", 1_000)));
    assert_eq!(second.note, "page 2 cut at 2000 of 2500 characters; ask for pages=\"2\" offset=2000");
    let third = view(&document, &at(2_000, with_pages("2", 1_000)));
    assert_eq!((third.chars, third.truncated, &*third.note), (500, false, ""));
    let whole = first.content + &second.content + &third.content;
    assert_eq!(whole, format!("--- page 2 ---\n\n{}", "日".repeat(2_484)));
}

#[test]
fn the_pages_behind_a_cut_page_are_named_too() {
    let document = pdf(&[&"x".repeat(2_000), "b", "c"]);
    let rendered = view(&document, &with_pages("1-", 1_000));
    let note = "page 1 cut at 1000 of 2016 characters; ask for pages=\"1\" offset=1000, then pages=\"2-3\"";
    assert_eq!(rendered.note, note);
}

#[test]
fn an_offset_without_pages_goes_into_the_full_text() {
    let document = long_pdf(10, 200);
    let full = full_text(&document);
    let rendered = view(&document, &at(300, small()));
    assert_eq!(rendered.content, full[300..1_300]);
    assert_eq!((rendered.first, rendered.last, rendered.map), (2, 6, false));
    assert_eq!((rendered.truncated, &*rendered.note), (true, "cut at 1300 of 2179 characters; ask for offset=1300"));
    let end = view(&document, &at(1_300, small()));
    assert_eq!(end.content, full[1_300..]);
    assert_eq!((end.first, end.last, end.truncated, &*end.note), (6, 10, false, ""));
}

#[test]
fn an_offset_past_the_end_is_refused_with_the_length() {
    let document = pdf(&["abc", "d"]); // page 1 has 19 characters, the full text 38
    assert_eq!(view(&document, &at(18, with_pages("1", 1_000))).content, "c");
    assert_eq!(view(&document, &at(37, small())).content, "d");
    for offset in [19, 20, u64::MAX] {
        let error = refusal(&document, &at(offset, with_pages("1", 1_000)));
        assert_eq!(error, ViewError::PastTheEnd { chars: 19 });
        assert_eq!(error.to_string(), "past the end (19 characters)");
    }
    for offset in [38, 39, u64::MAX] {
        assert_eq!(refusal(&document, &at(offset, small())), ViewError::PastTheEnd { chars: 38 });
    }
    assert_eq!(refusal(&pdf(&[]), &at(1, small())).hint(), "this document has no text");
}

#[test]
fn an_offset_of_zero_is_none() {
    let document = long_pdf(10, 200);
    assert_eq!(view(&document, &at(0, small())), view(&document, &small()));
    assert_eq!(view(&document, &at(0, with_pages("2-5", 1_000))), view(&document, &with_pages("2-5", 1_000)));
    assert!(render(&pdf(&[]), &at(0, small())).is_ok());
}

#[test]
fn an_offset_takes_one_page_however_it_is_written() {
    let document = pdf(&["abc", "d"]);
    for one in ["1", "1-1", "1,1", "1-1,1"] {
        assert_eq!(view(&document, &at(16, with_pages(one, 1_000))).content, "abc", "{one}");
    }
    assert_eq!(view(&document, &at(16, with_pages("2-", 1_000))).content, "d");
    let error = refusal(&document, &at(16, with_pages("1-2", 1_000)));
    assert_eq!((&error, &*error.to_string()), (&ViewError::OffsetAcrossPages, "invalid pages"));
    assert!(error.hint().contains("pages=\"7\" offset=40000"));
}

#[test]
fn a_cut_never_splits_a_character() {
    let document = pdf(&[&"e\u{301}👩‍👩‍👧\r\n".repeat(1_000)]);
    let full = full_text(&document);
    for offset in 1..40 {
        let rendered = view(&document, &at(offset, small()));
        let expected: String = full.chars().skip(usize::try_from(offset).unwrap()).take(1_000).collect();
        assert_eq!(rendered.content, expected);
    }
}
