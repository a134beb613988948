//! views.md §2.

use super::*;

const INSTRUCTION: &str = "This document is longer than one answer: ask for pages=\"a-b\" or grep=\"pattern\".";

#[test]
fn a_map_has_the_title_the_size_the_outline_the_way_on_and_the_first_pages() {
    let mut document = long_pdf(10, 100);
    document.title = Some("On Maps".into());
    document.outline = outline(&[("1 Start", 1, 1), ("1.1 Deeper", 2, 3), ("1.1.1 Deepest", 3, 4), ("2 End", 1, 9)]);
    let page = "x".repeat(100);
    let rendered = view(&document, &small());
    assert_eq!(
        rendered.content,
        format!(
            "# On Maps\n\n10 pages · ~294 tokens\n\n## Outline\n- 1 Start (p. 1)\n  - 1.1 Deeper (p. 3)\n    \
             - 1.1.1 Deepest (p. 4)\n- 2 End (p. 9)\n\n{INSTRUCTION}\n\n\
             --- page 1 ---\n\n{page}\n\n--- page 2 ---\n\n{page}"
        )
    );
    assert_eq!((rendered.map, rendered.first, rendered.last), (true, 1, 2));
    assert_eq!((rendered.truncated, &*rendered.note), (true, "cut at page 2; ask for pages=\"3-10\""));
}

#[test]
fn a_map_without_outline_has_no_outline_section() {
    let content = view(&long_pdf(10, 100), &small()).content;
    assert!(content.starts_with(&format!("# Untitled PDF\n\n10 pages · ~294 tokens\n\n{INSTRUCTION}\n\n--- page 1")));
}

#[test]
fn the_size_says_how_many_pages_were_extracted_only_when_it_is_not_all() {
    let mut document = long_pdf(10, 200);
    assert!(!view(&document, &small()).content.contains("extracted"));
    document.total_pages = 12;
    assert!(view(&document, &small()).content.contains("\n12 pages · ~544 tokens · pages 1-10 extracted\n\n"));
    let limited = Options { pages_limit: Some(7), ..small() };
    let rendered = view(&document, &limited);
    assert!(rendered.content.contains("\n12 pages · ~381 tokens · pages 1-7 extracted\n\n"));
    assert_eq!(rendered.note, "cut at page 1; ask for pages=\"2-7\"");
}

#[test]
fn parts_are_called_parts() {
    let mut document = document(Unit::Part, &[&*"x".repeat(200); 10]);
    document.total_pages = 11;
    document.pages[0] = Page::failed(1, "no");
    let rendered = view(&document, &small());
    let start = "# Untitled page\n\n11 parts · ~502 tokens · parts 1-10 extracted\n\n";
    assert!(rendered.content.starts_with(start), "{}", rendered.content);
    assert!(rendered.content.contains("[part 1 could not be read: no]"));
    assert_eq!(rendered.note, "cut at part 1; ask for pages=\"2-10\"");
}

#[test]
fn a_blank_title_is_none_and_a_title_stands_on_one_line() {
    let mut document = long_pdf(10, 200);
    document.title = Some(" \n ".into());
    assert!(view(&document, &small()).content.starts_with("# Untitled PDF\n\n"));
    document.title = Some(" two\nlines\r".into());
    assert!(view(&document, &small()).content.starts_with("# two lines\n\n"));
}

#[test]
fn a_title_is_cut_past_a_quarter_of_the_cap() {
    let mut document = long_pdf(10, 200);
    document.title = Some("é".repeat(250));
    assert!(view(&document, &small()).content.starts_with(&format!("# {}\n\n", "é".repeat(250))));
    document.title = Some("é".repeat(251));
    let rendered = view(&document, &small());
    assert!(rendered.content.starts_with(&format!("# {}…\n\n", "é".repeat(250))));
    assert!(rendered.content.contains(INSTRUCTION));
}

#[test]
fn leading_pages_are_whole_pages_up_to_a_quarter_of_the_cap() {
    // Page 1 has 116 characters with its marker, the blank line 2, so that page 2 fits with 132 and not with 133.
    for (second, last) in [(131, 2), (132, 2), (133, 1)] {
        let texts = ["x".repeat(100), "x".repeat(second - 16), "x".repeat(900)];
        let rendered = view(&pdf(&texts.each_ref().map(|text| &**text)), &small());
        assert_eq!(rendered.last, last, "{second}");
        assert_eq!(rendered.note, format!("cut at page {last}; ask for pages=\"{}\"", ["2-3", "3"][last as usize - 1]));
    }
}

#[test]
fn a_first_page_larger_than_a_quarter_of_the_cap_is_cut_and_the_note_says_so() {
    for (chars, cut) in [(250, false), (251, true)] {
        let texts = ["é".repeat(chars - 16), "x".repeat(900)];
        let rendered = view(&pdf(&texts.each_ref().map(|text| &**text)), &small());
        assert_eq!((rendered.first, rendered.last), (1, 1));
        let note = if cut {
            "page 1 cut at 250 of 251 characters; ask for pages=\"1\" offset=250, then pages=\"2\""
        } else {
            "cut at page 1; ask for pages=\"2\""
        };
        assert_eq!(rendered.note, note);
        assert!(rendered.content.ends_with(&format!("--- page 1 ---\n\n{}", "é".repeat(234))));
    }
    let single = view(&document(Unit::Part, &[&"x".repeat(1_200)]), &small());
    assert_eq!(single.note, "part 1 cut at 250 of 1200 characters; ask for pages=\"1\" offset=250");
}

/// The lines of the outline section.
fn shown(document: &Document, out_cap: usize) -> Vec<String> {
    let content = view(document, &Options { out_cap, ..Options::default() }).content;
    let section = content.split("## Outline\n").nth(1).unwrap().split("\n\n").next().unwrap();
    section.lines().map(str::to_owned).collect()
}

#[test]
fn an_outline_that_is_too_long_loses_its_deepest_level_first() {
    let mut document = long_pdf(10, 200);
    let items: Vec<_> = (1..=25).flat_map(|_| [("chapter", 1, 1), ("section", 2, 1), ("detail", 3, 1)]).collect();
    document.outline = outline(&items);
    let lines = shown(&document, 1_000);
    assert_eq!(lines.iter().filter(|line| line.starts_with("- chapter")).count(), 25);
    let sections = lines.iter().filter(|line| line.starts_with("  - section")).count();
    assert!((1..25).contains(&sections), "{sections}");
    assert!(!lines.iter().any(|line| line.contains("detail")));
    assert_eq!(lines.last().unwrap(), &format!("- … ({} more)", 50 - sections));
    // Within the level it is the later ones that are gone.
    assert!(lines[..2 * sections].chunks(2).all(|pair| pair[1].contains("section")), "{lines:?}");
}

#[test]
fn an_outline_of_one_level_is_cut_from_the_end() {
    let mut document = long_pdf(10, 200);
    let titles: Vec<_> = (1..=100).map(|number| format!("item {number}")).collect();
    document.outline = outline(&titles.iter().map(|title| (&**title, 1, 1)).collect::<Vec<_>>());
    // One long title among short ones ends the list: nothing behind it takes its place.
    document.outline[5].title = "y".repeat(900);
    let lines = shown(&document, 1_000);
    assert_eq!(lines.len(), 6);
    assert_eq!(lines[4..], ["- item 5 (p. 1)", "- … (95 more)"]);
}

#[test]
fn an_outline_fits_to_the_last_character() {
    let mut document = pdf(&["x", &"x".repeat(2_000)]);
    document.outline = outline(&[("", 1, 1), ("b", 1, 2)]);
    let spare = 1_000 - view(&document, &small()).chars;
    for (longer, cut) in [(spare - 1, false), (spare, false), (spare + 1, true)] {
        document.outline[0].title = "a".repeat(longer);
        let rendered = view(&document, &small());
        assert!(rendered.chars <= 1_000);
        assert_eq!(rendered.content.contains("more)\n"), cut, "{longer}");
    }
}

#[test]
fn an_outline_of_which_nothing_fits_still_says_how_much_there_is() {
    let mut document = long_pdf(10, 200);
    document.outline = outline(&[(&"y".repeat(5_000), 1, 1), ("short", 1, 2)]);
    assert_eq!(shown(&document, 1_000), ["- … (2 more)"]);
}

#[test]
fn an_outline_title_stands_on_one_line_and_level_zero_counts_as_one() {
    let mut document = long_pdf(10, 200);
    document.outline = outline(&[(" two\nlines ", 0, 3)]);
    assert_eq!(shown(&document, 1_000), ["- two lines (p. 3)"]);
}
