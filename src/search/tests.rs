use super::*;
use sift_handlers::{ContentHash, Kind, OutlineItem, Page, Unit};
use sift_layers::Class;

fn document(pages: &[&str]) -> Document {
    let mut document = Document::new(Kind::new("pdf"), Unit::Page, ContentHash::of(pages.concat().as_bytes()), 0);
    document.pages = (1..).zip(pages).map(|(number, text)| Page::new(number, text)).collect();
    document.total_pages = u32::try_from(pages.len()).unwrap();
    document
}

fn pages(document: &Document, query: &str, arms: Arms) -> Vec<u32> {
    let found = Index::new(document).unwrap().search_by(query, 10, arms).unwrap();
    found.hits.iter().map(|hit| hit.page).collect()
}

#[test]
fn the_phrase_comes_before_all_words_and_all_words_before_any() {
    let document = document(&[
        "A valve is here and pressure is not far.",
        "Only a valve.",
        "The pressure valve opens.",
        "Nothing of it.",
    ]);
    assert_eq!(pages(&document, "pressure valve", Arms::Keyword), [3, 1, 2]);
}

#[test]
fn words_match_in_their_forms_and_stop_words_alone_match_too() {
    let document = document(&["He was running fast.", "to be or not to be"]);
    assert_eq!(pages(&document, "runs", Arms::Keyword), [1]);
    assert_eq!(pages(&document, "to be or not", Arms::Keyword), [2]);
}

#[test]
fn scripts_without_blanks_are_found_by_pairs() {
    let document = document(&["東京都に住んでいます。", "京都に住んでいます。", "大阪"]);
    assert_eq!(pages(&document, "京都に", Arms::Keyword)[..1], [2]);
    assert_eq!(pages(&document, "大阪", Arms::Keyword), [3]);
}

#[test]
fn a_paraphrase_is_found_by_its_meaning() {
    let document = document(&[
        "Painting a house takes two coats in winter.",
        "To remove a document from the disk, drop it into the bin.",
        "The orchestra plays on Sundays.",
    ]);
    assert_eq!(pages(&document, "How do I delete a file?", Arms::Keyword), [0; 0]);
    assert_eq!(pages(&document, "How do I delete a file?", Arms::Both)[0], 2);
}

#[test]
fn another_language_is_searched_by_words_alone() {
    let mut german = document(&["Die Katze schläft.", "Der Hund bellt."]);
    german.language = Some("de".into());
    let found = Index::new(&german).unwrap().search("Hund", 10).unwrap();
    assert_eq!((found.is_semantic, found.hits.len(), found.hits[0].page), (false, 1, 2));
}

#[test]
fn signs_of_the_query_language_are_words_like_any() {
    let document = document(&["plain text", "a NEAR b"]);
    for query in ["text\" OR \"b", "a NEAR(b)", "-b", "text*", "col:b", "^a"] {
        assert!(Index::new(&document).unwrap().search(query, 10).is_ok(), "{query}");
    }
}

#[test]
fn a_query_has_a_word_and_at_most_a_thousand_bytes() {
    let index = Index::new(&document(&["x"])).unwrap();
    assert_eq!(index.search(" .,! ", 10), Err(SearchError::Empty));
    for (length, expected) in [(999, true), (1_000, true), (1_001, false)] {
        assert_eq!(index.search(&"x".repeat(length), 10).is_ok(), expected, "{length}");
    }
}

#[test]
fn hits_are_as_many_as_asked_for() {
    let texts: Vec<String> = (0..150).map(|n| format!("word number {n}")).collect();
    let document = document(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    let index = Index::new(&document).unwrap();
    for (most, hits) in [(1, 1), (10, 10), (100, 100), (200, 100)] {
        assert_eq!(index.search("word", most).unwrap().hits.len(), hits, "{most}");
    }
}

#[test]
fn windows_cover_the_page_and_repeat_what_is_between_them() {
    let text = "A sentence of some words ends here. ".repeat(200);
    let document = document(&[&text]);
    let windows: Vec<Chunk> = chunks::cut(&document).into_iter().filter(|chunk| !chunk.is_page).collect();
    assert!(windows.len() > 4);
    assert_eq!((windows[0].start, windows.last().unwrap().end), (0, text.trim_end().len()));
    for pair in windows.windows(2) {
        assert!(pair[0].start < pair[1].start && pair[1].start < pair[0].end && pair[0].end < pair[1].end);
        assert!(pair[0].text(&document).chars().count() <= 1_200);
    }
}

#[test]
fn an_answer_shows_the_place_and_the_headings_above() {
    let mut document = document(&["Intro.", "How to open the valve: turn it left.\nThen wait.", "End."]);
    document.outline = vec![
        OutlineItem { title: "Manual".into(), page: 1, level: 1 },
        OutlineItem { title: "Valves".into(), page: 2, level: 2 },
        OutlineItem { title: "End".into(), page: 3, level: 2 },
    ];
    let found = Index::new(&document).unwrap().search_by("open valve", 3, Arms::Keyword).unwrap();
    let shown = render(&document, "open valve", &found, 10_000);
    assert_eq!(
        shown.content,
        "search \"open valve\" by words: 1 hit\n\npage 2 · Manual › Valves\nHow to open the valve: turn it left.\nThen wait."
    );
    let ranked = shown.matches[0].ranked.as_ref().unwrap();
    assert_eq!((ranked.source, ranked.low_confidence, shown.matches[0].page), ("keyword", false, 2));
    assert_eq!(shown.note, "ask for pages=\"2\" to read a whole page");
    let none = Index::new(&document).unwrap().search_by("zebra", 3, Arms::Keyword).unwrap();
    assert!(render(&document, "zebra", &none, 10_000).content.ends_with("no hits"));
}

#[test]
fn an_answer_stays_within_its_cap() {
    let texts: Vec<String> = (0..50).map(|n| format!("word {n} {}", "and more of it. ".repeat(40))).collect();
    let document = document(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    let found = Index::new(&document).unwrap().search("word", 50).unwrap();
    let shown = render(&document, "word", &found, 2_000);
    assert!(shown.chars <= 2_000 && shown.truncated && shown.note.contains("not shown"), "{}", shown.note);
}

#[test]
fn each_class_has_indexes_of_its_own() {
    let document = document(&["x"]);
    let indexes = Indexes::default();
    let fleet = indexes.of(Class::Fleet, &document).unwrap();
    assert!(std::sync::Arc::ptr_eq(&fleet, &indexes.of(Class::Fleet, &document).unwrap()));
    assert!(!std::sync::Arc::ptr_eq(&fleet, &indexes.of(Class::Restricted, &document).unwrap()));
}

proptest::proptest! {
    #[test]
    fn any_text_and_any_query_are_searched(text in "\\PC{0,400}", query in "\\PC{1,60}") {
        let document = document(&[&text, "a second page"]);
        let index = Index::new(&document).unwrap();
        if let Ok(found) = index.search(&query, 5) {
            let shown = render(&document, &query, &found, 5_000);
            proptest::prop_assert!(shown.chars == shown.content.chars().count() && found.hits.len() <= 2);
        }
    }
}
