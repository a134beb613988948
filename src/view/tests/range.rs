//! The forms of `pages` (views.md §3).

use super::super::range::Selection;
use super::*;
use proptest::prelude::*;

fn parsed(asked: &str, last: u32) -> Result<String, ViewError> {
    Selection::parse(asked, last, &[]).map(|selection| selection.to_string())
}

#[test]
fn the_three_forms_and_lists_of_them_name_pages() {
    for (asked, pages) in [
        ("7", "7"),
        ("41-60", "41-60"),
        ("41–60", "41-60"),
        ("90-", "90-100"),
        ("90–", "90-100"),
        ("5-5", "5"),
        ("007", "7"),
        ("100", "100"),
        ("90-101", "90-100"),
        ("1-99999999999999999999999999", "1-100"),
        ("1-3,7,98-", "1-3,7,98-100"),
        ("1-3, 7 ,98-", "1-3,7,98-100"),
        ("7,1-3", "1-3,7"),
        ("1-5,3-8,8", "1-8"),
        ("1-3,4-6,7", "1-7"),
        ("50-,1-", "1-100"),
    ] {
        assert_eq!(parsed(asked, 100).as_deref(), Ok(pages), "{asked}");
    }
}

#[test]
fn anything_else_is_invalid() {
    let others = [
        "", "-", "–", "-5", "a", "1-2-3", "1 - 3", "1.5", "+1", "1-+2", "1,,2", "1,", ",1", "1;2", "١", "0x1", "1—2",
        "iv", "1\n2",
    ];
    for asked in others {
        assert_eq!(parsed(asked, 100), Err(ViewError::InvalidPages), "{asked:?}");
    }
}

#[test]
fn pages_that_do_not_exist_are_out_of_range() {
    let huge = "9".repeat(1_000);
    for asked in ["0", "0-5", "5-3", "101", "101-", "101-200", "1,101", "3,5-3", "4294967296", "4294967297-", &huge] {
        assert_eq!(parsed(asked, 100), Err(ViewError::PagesOutOfRange { last: 100 }), "{asked}");
    }
    assert_eq!(parsed("1-", 0), Err(ViewError::PagesOutOfRange { last: 0 }));
}

#[test]
fn a_list_has_at_most_100_stretches_once_neighbours_are_joined() {
    let list = |pages: u32, step| (1..=pages).step_by(step).map(|page| page.to_string()).collect::<Vec<_>>().join(",");
    assert!(parsed(&list(200, 2), 1_000).is_ok());
    assert_eq!(parsed(&list(201, 2), 1_000), Err(ViewError::InvalidPages));
    assert_eq!(parsed(&list(900, 1), 1_000).as_deref(), Ok("1-900"));
}

#[test]
fn a_request_is_trimmed_before_it_is_read() {
    assert_eq!(view(&pdf(&["a", "b"]), &with_pages(" \t2 \n", 1_000)).first, 2);
}

#[test]
fn refusals_say_what_to_ask_instead() {
    assert_eq!(ViewError::InvalidPages.to_string(), "invalid pages");
    let hint = ViewError::InvalidPages.hint();
    assert!(["\"41-60\"", "\"41\"", "\"41-\"", "\"1-3,7,12-\""].iter().all(|form| hint.contains(form)), "{hint}");
    let error = ViewError::PagesOutOfRange { last: 212 };
    assert_eq!(error.to_string(), "pages out of range (1-212)");
    assert!(error.hint().contains("1 to 212"));
}

/// Front matter, a body that begins again at 1, and an appendix.
fn labels() -> Vec<String> {
    ["i", "ii", "iii", "1", "2", "3", "A-1", "A-2", "", "ii"].map(str::to_owned).to_vec()
}

#[test]
fn labels_that_are_no_numbers_name_pages() {
    for (asked, pages) in [
        ("ii", "2"),
        ("i-iii", "1-3"),
        ("i–iii", "1-3"),
        ("iii-", "3-10"),
        ("A-1", "7"),
        ("A-1-A-2", "7-8"),
        ("A-2-", "8-10"),
        ("iii-4", "3-4"),
        ("1-A-1", "1-7"),
        ("i, A-1", "1,7"),
        ("1-3", "1-3"),
        ("3", "3"),
    ] {
        let selection = Selection::parse(asked, 10, &labels()).map(|selection| selection.to_string());
        assert_eq!(selection.as_deref(), Ok(pages), "{asked}");
    }
}

#[test]
fn a_label_that_no_page_bears_is_refused_with_those_there_are() {
    for asked in ["iv", "I", "i-iv", "-i", "i,,ii", "B-1", "", "--", "i--ii"] {
        let error = Selection::parse(asked, 10, &labels()[..8]).unwrap_err();
        assert_eq!(error, ViewError::UnknownLabel { first: "i".into(), last: "A-2".into() }, "{asked:?}");
        assert!(error.hint().contains("from \"i\" to \"A-2\""));
    }
    let long = vec!["x".repeat(500)];
    let error = Selection::parse("y", 1, &long).unwrap_err();
    assert_eq!(error, ViewError::UnknownLabel { first: "x".repeat(40), last: "x".repeat(40) });
}

#[test]
fn labels_of_pages_that_were_not_extracted_are_out_of_range() {
    assert_eq!(Selection::parse("A-1", 6, &labels()), Err(ViewError::PagesOutOfRange { last: 6 }));
    assert_eq!(Selection::parse("ii-i", 6, &labels()), Err(ViewError::PagesOutOfRange { last: 6 }));
    assert_eq!(Selection::parse("ii-A-2", 6, &labels()).unwrap().to_string(), "2-6");
}

#[test]
fn a_request_may_name_labels_of_the_document() {
    let document = Document { labels: vec!["i".into(), "ii".into()], ..pdf(&["a", "b"]) };
    let seen = view(&document, &with_pages("ii", 1_000));
    assert_eq!((seen.first, seen.last), (2, 2));
}

proptest! {
    #[test]
    fn any_text_is_pages_within_the_document_or_a_refusal(asked in any::<String>(), last in 0_u32..300) {
        check(&asked, last)?;
    }

    #[test]
    fn any_text_of_digits_and_dashes_is_pages_within_the_document_or_a_refusal(
        asked in "[0-9]{0,25}[-–, 0-9]{0,12}[0-9]{0,3}",
        last in prop_oneof![0_u32..300, Just(u32::MAX)],
    ) {
        check(&asked, last)?;
    }

    #[test]
    fn a_list_is_the_union_of_its_items_and_its_written_form_means_the_same(
        items in prop::collection::vec((1_u32..60, prop::option::of(0_u32..20)), 1..12),
    ) {
        let written: Vec<_> = items.iter().map(|(first, more)| match more {
            None => format!("{first}-"),
            Some(more) => format!("{first}-{}", first + more),
        }).collect();
        let selection = Selection::parse(&written.join(","), 60, &[]).unwrap();
        let union: Vec<_> = (1..=60_u32).filter(|page| {
            items.iter().any(|(first, more)| page >= first && more.is_none_or(|more| *page <= first + more))
        }).collect();
        prop_assert_eq!(selection.pages().collect::<Vec<_>>(), union);
        prop_assert_eq!(&Selection::parse(&selection.to_string(), 60, &[]).unwrap(), &selection);
    }
}

fn check(asked: &str, last: u32) -> Result<(), TestCaseError> {
    match Selection::parse(asked, last, &[]) {
        Ok(selection) => {
            let pages: Vec<_> = selection.pages().take(1_000).collect();
            prop_assert!(pages.is_sorted_by(|a, b| a < b));
            prop_assert!(!pages.is_empty() && pages.iter().all(|page| (1..=last).contains(page)));
        }
        Err(error) => {
            prop_assert!(matches!(error, ViewError::InvalidPages | ViewError::PagesOutOfRange { .. }), "{:?}", error);
        }
    }
    Ok(())
}
