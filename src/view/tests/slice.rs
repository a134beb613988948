//! Lines and characters of the full text (views.md §5, locators.md §4).

use super::super::{full_text, page_lines, read, slice};
use super::*;

#[test]
fn a_slice_is_whole_lines_counted_from_one() {
    let document = document(Unit::Part, &["one\ntwo\nthree"]);
    let middle = slice(&document, Some(2), Some(1));
    assert_eq!((&*middle.text, middle.first_line, middle.last_line, middle.total_lines), ("two", 2, 2, 3));
    let all = slice(&document, None, None);
    assert_eq!((&*all.text, all.first_line, all.last_line, all.past_end), ("one\ntwo\nthree", 1, 3, false));
    assert_eq!(slice(&document, Some(0), Some(1)).text, "one");
}

#[test]
fn a_limit_past_the_end_is_clamped() {
    let document = document(Unit::Part, &["one\ntwo\nthree"]);
    for limit in [1, 2, 3, u64::MAX] {
        let end = slice(&document, Some(3), Some(limit));
        assert_eq!((&*end.text, end.last_line, end.past_end), ("three", 3, false));
    }
}

#[test]
fn nothing_asked_for_that_exists_is_past_the_end_with_the_true_number_of_lines() {
    let three = document(Unit::Part, &["one\ntwo\nthree"]);
    for (first, limit) in [(Some(4), None), (Some(u64::MAX), Some(u64::MAX)), (Some(1), Some(0)), (None, Some(0))] {
        let past = slice(&three, first, limit);
        assert_eq!((&*past.text, past.last_line, past.total_lines, past.past_end), ("", 0, 3, true));
    }
    for empty in [pdf(&[]), document(Unit::Part, &[""])] {
        assert_eq!((slice(&empty, None, None).past_end, slice(&empty, None, None).total_lines), (true, 0));
    }
}

#[test]
fn lines_count_markers_and_blank_lines() {
    let document = pdf(&["a\nb", "", "c"]);
    let full = full_text(&document);
    let count = full.lines().count() as u64;
    assert_eq!(slice(&document, None, None).total_lines, count);
    for (line, text) in (1..).zip(full.lines()) {
        assert_eq!(slice(&document, Some(line), Some(1)).text, text, "{line}");
    }
}

#[test]
fn line_breaks_of_both_kinds_stay_as_they_are_inside_a_slice() {
    let document = document(Unit::Part, &["a\r\nb\r\nc\rd"]);
    assert_eq!(slice(&document, Some(1), Some(2)).text, "a\r\nb");
    assert_eq!(slice(&document, Some(3), None).text, "c\rd");
}

#[test]
fn the_lines_of_a_page_are_those_of_its_text() {
    let document = pdf(&["a\nb", "", "c"]);
    let lines = |number| {
        let (first, last) = page_lines(&document, number).unwrap();
        slice(&document, Some(first), Some(last - first + 1)).text
    };
    assert_eq!([lines(1), lines(2), lines(3)], ["a\nb", "", "c"]);
    assert_eq!((page_lines(&document, 0), page_lines(&document, 4)), (None, None));
    assert_eq!(page_lines(&self::document(Unit::Part, &["a\nb"]), 1), Some((1, 2)));
}

#[test]
fn reading_gives_characters_and_where_to_read_on() {
    let document = pdf(&["日本", "é"]); // 18 + 2 + 17 characters
    let first = read(&document, 0, 17);
    assert_eq!((&*first.text, first.next_offset, first.total_chars), ("--- page 1 ---\n\n日", Some(17), 37));
    let rest = read(&document, 17, 20);
    assert_eq!((&*rest.text, rest.offset, rest.next_offset), ("本\n\n--- page 2 ---\n\né", 17, None));
    for offset in [37, 38, u64::MAX] {
        let past = read(&document, offset, 10);
        assert_eq!((&*past.text, past.next_offset, past.total_chars), ("", None, 37));
    }
    assert_eq!(read(&document, 3, 0).next_offset, Some(3));
}

#[test]
fn debug_output_of_stretches_carries_no_text() {
    let document = pdf(&["canary"]);
    let printed = format!("{:?} {:?}", slice(&document, None, None), read(&document, 0, 100));
    assert!(!printed.contains("canary"));
}
