//! What holds for any document and any request (views.md §6).

use super::super::{full_text, page_lines, read, slice};
use super::*;
use proptest::prelude::*;
use regex::Regex;

/// What a document is made of; unlike a document, it prints its texts.
#[derive(Clone, Debug)]
struct Model {
    paged: bool,
    title: Option<String>,
    /// A text, or why there is none.
    pages: Vec<Result<String, String>>,
    missing: u32,
    outline: Vec<(String, u8, u32)>,
}

impl Model {
    fn document(&self) -> Document {
        let unit = if self.paged { Unit::Page } else { Unit::Part };
        let texts: Vec<_> = self.pages.iter().map(|page| page.as_deref().unwrap_or_default()).collect();
        let mut document = document(unit, &texts);
        for (number, page) in (1..).zip(&mut document.pages) {
            if let Err(reason) = &self.pages[number as usize - 1] {
                *page = Page::failed(number, reason.clone());
            }
        }
        document.total_pages += self.missing;
        document.title.clone_from(&self.title);
        document.outline =
            outline(&self.outline.iter().map(|(title, level, page)| (&**title, *level, *page)).collect::<Vec<_>>());
        document
    }
}

/// Words, line breaks of every kind, combining marks, astral characters and spaces that trimming takes away.
fn text() -> impl Strategy<Value = String> {
    let atom = prop::sample::select(vec![
        "needle",
        "a",
        " ",
        "\n",
        "\r\n",
        "\r",
        "\n\n",
        "e\u{301}",
        "𝔘",
        "👩‍👩‍👧",
        "日本",
        "\u{2028}",
        "\u{85}",
        "\t",
        "x-",
        "--- page 2 ---",
    ]);
    let short = prop::collection::vec(atom, 0..40).prop_map(|atoms| atoms.concat());
    (short, prop::sample::select(vec![0, 1, 1, 1, 2, 30, 200])).prop_map(|(text, times)| text.repeat(times))
}

fn model() -> impl Strategy<Value = Model> {
    let page = prop_oneof![9 => text().prop_map(Ok), 1 => "[a-zé ]{0,300}".prop_map(Err)];
    let pages =
        prop_oneof![prop::collection::vec(page, 0..8), prop::collection::vec("[ab]{0,3}".prop_map(Ok), 90..230)];
    let titles =
        (prop::sample::select(vec!["Kapitel", "日本\nの", "", "e\u{301}"]), prop::sample::select(vec![1, 5, 300]));
    let item = (titles.prop_map(|(title, times)| title.repeat(times)), 0_u8..5, 1_u32..10);
    let outline = prop_oneof![prop::collection::vec(item.clone(), 0..4), prop::collection::vec(item, 10..120)];
    (any::<bool>(), prop::option::of(text()), pages, 0_u32..3, outline)
        .prop_map(|(paged, title, pages, missing, outline)| Model { paged, title, pages, missing, outline })
}

fn options() -> impl Strategy<Value = Options> {
    let pages = prop_oneof![Just(String::from("1-")), "[1-9]", "[1-4]-[5-9]{1,3}", "[1-3],[4-6]-,2"];
    let pattern = prop::sample::select(vec!["needle", "^$", ".", "a", r"\s", "É|日", "x{1,3}-", "nothing like it"]);
    (
        prop::option::of(pages),
        prop::option::of(pattern.prop_map(str::to_owned)),
        prop::option::weighted(0.3, 0_u64..3_000),
        prop_oneof![Just(1_000_usize), 1_000_usize..1_100, 1_000_usize..6_000],
        prop::option::weighted(0.2, 0_u32..6),
    )
        .prop_map(|(pages, grep, offset, out_cap, pages_limit)| Options {
            pages,
            grep,
            offset,
            out_cap,
            pages_limit,
        })
}

/// The requests that a note names, as an agent would make them.
fn named(note: &str, before: &Options) -> Vec<Options> {
    let cursor = Regex::new(r#"pages="([^"]+)"(?: offset=(\d+))?|ask for offset=(\d+)"#).unwrap();
    let found = cursor.captures_iter(note).map(|found| Options {
        pages: found.get(1).map(|pages| pages.as_str().into()),
        offset: found.get(2).or(found.get(3)).map(|offset| offset.as_str().parse().unwrap()),
        ..before.clone()
    });
    found.collect()
}

/// The text of an answer and of all that its note leads to, each note's requests in their order.
fn follow(document: &Document, options: &Options) -> String {
    let rendered = view(document, options);
    assert_eq!(rendered.truncated, !rendered.note.is_empty());
    let leading = rendered.content.split_once("\"pattern\".\n\n").map(|(_, pages)| pages.to_owned());
    let mut text = if rendered.map { leading.unwrap() } else { rendered.content };
    let next = named(&rendered.note, options);
    assert_eq!(next.is_empty(), !rendered.truncated);
    for options in next {
        if options.offset.is_none() {
            text.push_str("\n\n");
        }
        text.push_str(&follow(document, &options));
    }
    text
}

/// The stretch of the full text that a range names: from its first marker to the one behind it.
fn stretch(document: &Document, first: u32, last: u32) -> String {
    let parts: Vec<_> = (first..=last)
        .map(|number| {
            let page = &document.pages[number as usize - 1];
            let unit = document.unit.as_str();
            let reason = page.error.as_ref().map(|reason| format!("[{unit} {number} could not be read: {reason}]"));
            let body = reason.unwrap_or_else(|| page.text().to_owned());
            let single = unit == "part" && document.total_pages == 1;
            if single { body } else { format!("--- {unit} {number} ---\n\n{body}") }
        })
        .collect();
    parts.join("\n\n")
}

proptest! {
    #[test]
    fn no_view_is_longer_than_the_cap_and_rendering_repeats_itself(model in model(), options in options()) {
        let document = model.document();
        let result = render(&document, &options);
        prop_assert_eq!(&result, &render(&document, &options));
        if let Ok(rendered) = result {
            prop_assert_eq!(rendered.chars, rendered.content.chars().count());
            prop_assert!(rendered.chars <= options.out_cap, "{} of {}", rendered.chars, options.out_cap);
            prop_assert_eq!(rendered.truncated, !rendered.note.is_empty());
            let last = u32::try_from(document.pages.len()).unwrap();
            prop_assert!(rendered.first <= rendered.last && rendered.last <= last);
            let shown: usize = rendered.matches.iter().map(|found| found.text.chars().count()).sum();
            prop_assert!(shown <= options.out_cap);
        }
    }

    #[test]
    fn the_full_text_is_its_pages(model in model()) {
        let document = model.document();
        let last = u32::try_from(document.pages.len()).unwrap();
        prop_assert_eq!(full_text(&document), stretch(&document, 1, last));
    }

    #[test]
    fn following_the_notes_gives_every_character_once(model in model(), options in options()) {
        let document = model.document();
        let options = Options { pages: None, grep: None, offset: None, pages_limit: None, ..options };
        prop_assert_eq!(follow(&document, &options), full_text(&document));
    }

    #[test]
    fn following_the_notes_of_an_offset_gives_the_rest(model in model(), offset in 1_u64..2_000, out_cap in 1_000_usize..3_000) {
        let document = model.document();
        let full = full_text(&document);
        prop_assume!((full.chars().count() as u64) > offset);
        let rest: String = full.chars().skip(usize::try_from(offset).unwrap()).collect();
        let options = Options { offset: Some(offset), out_cap, ..Options::default() };
        prop_assert_eq!(follow(&document, &options), rest);
    }

    #[test]
    fn a_range_of_pages_is_the_stretch_of_the_full_text(
        model in model(), first in 1_u32..230, more in 0_u32..230, out_cap in 1_000_usize..9_000,
    ) {
        let document = model.document();
        let last = u32::try_from(document.pages.len()).unwrap();
        prop_assume!(first <= last);
        let end = last.min(first + more);
        let stretch = stretch(&document, first, end);
        prop_assert!(full_text(&document).contains(&stretch));
        let options = with_pages(&format!("{first}-{end}"), out_cap);
        let rendered = view(&document, &options);
        prop_assert!(stretch.starts_with(&rendered.content));
        prop_assert_eq!(rendered.first, first);
        if !rendered.truncated {
            prop_assert_eq!(&rendered.content, &stretch);
            prop_assert_eq!(rendered.last, end);
        }
        prop_assert_eq!(follow(&document, &options), stretch);
    }

    #[test]
    fn grep_counts_what_a_plain_count_counts_and_shows_lines_of_their_pages(model in model(), options in options()) {
        let document = model.document();
        let options = Options { pages: None, offset: None, pages_limit: None, grep: options.grep.or(Some("a".into())), ..options };
        let regex = Regex::new(&format!("(?i){}", options.grep.as_ref().unwrap())).unwrap();
        let regex = if options.grep.as_ref().unwrap().contains('É') { Regex::new("É|日").unwrap() } else { regex };
        let mut naive = 0;
        for page in &document.pages {
            naive += page.text().lines().filter(|line| regex.is_match(line)).count() as u64;
        }
        let rendered = view(&document, &options);
        prop_assert_eq!(rendered.grep_hits, naive);
        prop_assert_eq!((rendered.first, rendered.last), (0, 0));
        prop_assert_eq!(rendered.matches.is_empty(), naive == 0);
        prop_assert_eq!(rendered.matches.len() as u64 == naive, !rendered.note.contains("not shown"));
        for found in &rendered.matches {
            let line = slice(&document, Some(found.line), Some(1)).text;
            prop_assert!(line.contains(&found.text));
            prop_assert!(document.pages[found.page as usize - 1].text().contains(&found.text));
            let (first, last) = page_lines(&document, found.page).unwrap();
            prop_assert!((first..=last).contains(&found.line));
            let shown = format!("\np. {}: {}\n", found.page, found.text);
            prop_assert!(rendered.content.contains(&shown));
        }
    }

    #[test]
    fn a_map_keeps_its_header_and_instruction_and_counts_what_it_leaves_out(model in model(), out_cap in 1_000_usize..4_000) {
        let document = model.document();
        let rendered = view(&document, &Options { out_cap, ..Options::default() });
        prop_assume!(rendered.map);
        let (head, _) = rendered.content.split_once("This document is longer than one answer: ").unwrap();
        let (pages, tokens) = (document.total_pages, full_text(&document).chars().count() / 4);
        let size = format!("\n\n{pages} {}s · ~{tokens} tokens", document.unit.as_str());
        prop_assert!(head.starts_with("# ") && head.contains(&size));
        if let Some((_, section)) = head.split_once("## Outline\n") {
            let lines: Vec<_> = section.trim_end_matches('\n').lines().collect();
            let gone = lines.last().unwrap().strip_prefix("- … (").and_then(|line| line.strip_suffix(" more)"));
            let gone = gone.map_or(0, |count| count.parse::<usize>().unwrap() - 1);
            prop_assert_eq!(lines.len() + gone, document.outline.len());
        }
    }

    #[test]
    fn slices_are_the_lines_of_the_full_text(model in model(), first in 1_u64..300, limit in 0_u64..50) {
        let document = model.document();
        let full = full_text(&document);
        let lines: Vec<_> = full.split_inclusive('\n').collect();
        let taken = slice(&document, Some(first), Some(limit));
        prop_assert_eq!(taken.total_lines, lines.len() as u64);
        let skip = usize::try_from(first).unwrap() - 1;
        let expected: Vec<_> = lines.into_iter().skip(skip).take(usize::try_from(limit).unwrap()).collect();
        prop_assert_eq!(taken.past_end, expected.is_empty());
        let expected_last = if expected.is_empty() { 0 } else { first - 1 + expected.len() as u64 };
        prop_assert_eq!(taken.last_line, expected_last);
        let expected = expected.concat();
        let expected = expected.strip_suffix('\n').unwrap_or(&expected);
        prop_assert_eq!(taken.text, expected.strip_suffix('\r').unwrap_or(expected));
    }

    #[test]
    fn reading_on_gives_every_character_once(model in model(), limit in 1_usize..5_000) {
        let document = model.document();
        let (mut text, mut next) = (String::new(), Some(0));
        while let Some(offset) = next {
            let stretch = read(&document, offset, limit);
            prop_assert!(stretch.text.chars().count() <= limit);
            text.push_str(&stretch.text);
            next = stretch.next_offset;
        }
        prop_assert_eq!(text, full_text(&document));
    }
}
