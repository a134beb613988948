//! What a pattern may be and what it means (views.md §4).

use super::*;

fn hits(text: &str, pattern: &str) -> u64 {
    view(&pdf(&[text]), &with_grep(pattern)).grep_hits
}

/// The hint of a refused pattern.
fn reason(pattern: &str) -> String {
    let error = refusal(&pdf(&["a"]), &with_grep(pattern));
    assert_eq!(error.to_string(), "invalid grep");
    error.hint()
}

#[test]
fn a_pattern_has_at_most_200_bytes() {
    assert_eq!(hits("a", &"b".repeat(199)), 0);
    assert_eq!(hits("a", &"b".repeat(200)), 0);
    assert_eq!(hits("a", &"é".repeat(100)), 0);
    assert_eq!(reason(&"b".repeat(201)), "the pattern has 201 bytes, at most 200 are allowed");
    assert!(reason(&("é".repeat(100) + "b")).contains("201 bytes"));
}

#[test]
fn a_pattern_that_does_not_compile_is_refused_with_the_reason_and_without_the_pattern() {
    assert_eq!(reason("canary("), "unclosed group");
    assert_eq!(reason("canary["), "unclosed character class");
    assert_eq!(reason("*canary"), "repetition operator missing expression");
    assert_eq!(reason(r"(canary)\1"), "backreferences are not supported");
    assert_eq!(reason("canary(?=x)"), "look-around, including look-ahead and look-behind, is not supported");
    assert_eq!(reason(r"\p{canary}"), "Unicode property not found");
}

#[test]
fn a_pattern_that_compiles_to_too_much_is_refused_with_the_bound() {
    assert_eq!(reason(r"(\pL{50}){50}"), "the compiled pattern is larger than 2097152 bytes");
    assert_eq!(reason("(((a{90}){90}){90}){90}"), "the compiled pattern is larger than 2097152 bytes");
    // What people write stays far below.
    for usual in [r"\b\w{3,20}\s+\w+\b", r"[\w.+-]+@[\w-]+\.[\w.-]+", r"\d{4}-\d{2}-\d{2}", r"^\s*\p{Lu}\w*.*$"] {
        assert!(render(&pdf(&["a"]), &with_grep(usual)).is_ok(), "{usual}");
    }
}

#[test]
fn case_counts_when_the_pattern_has_a_capital_that_stands_for_itself() {
    for (pattern, counts) in [
        ("needle", 2),
        ("Needle", 1),
        ("n[E]edle", 0),
        ("[A-Z]eedle", 1),
        ("[[:alpha:]&&[N]]eedle", 1),
        ("(?P<Name>needle)", 2),
        ("(?<Name>needle)", 2),
        ("(?U)needle", 2),
        ("(?x) needle # A Comment", 2),
        ("É|needle", 1),
        (r"needle|\É", 2),
    ] {
        if pattern.contains(r"\É") {
            assert_eq!(reason(pattern), "unrecognized escape sequence");
        } else {
            assert_eq!(hits("Needle\nneedle", pattern), counts, "{pattern}");
        }
    }
}

#[test]
fn escapes_are_no_capitals() {
    for pattern in
        [r"\Seedle", r"\Weedle|needle", r"\Deedle", r"\p{L}eedle", r"\pLeedle", r"[\D]eedle", r"needle\B|needle"]
    {
        assert_eq!(hits("Needle\nNEEDLE", pattern), 2, "{pattern}");
    }
    assert_eq!(hits("Needle\nNEEDLE", r"\P{Lu}EEDLE|NEEDLE"), 1); // the capitals that follow do count
    for pattern in [r"\x4Eeedle", r"\x{4E}eedle", r"\u004Eeedle", r"\U0000004Eeedle"] {
        assert_eq!(hits("Needle\nneedle", pattern), 2, "{pattern}");
    }
}

#[test]
fn a_pattern_looks_at_one_line_at_a_time_without_its_line_break() {
    assert_eq!(hits("a\r\nb\r\nab", "^a$"), 1);
    assert_eq!(hits("a\nb", r"a\sb"), 0);
    assert_eq!(hits("a\n\nb", "^$"), 1);
    assert_eq!(hits("a\n  b", "^  b"), 1);
    assert_eq!(hits("a\nb", ""), 2);
}

#[test]
fn the_header_stays_one_line_whatever_the_pattern() {
    let content = view(&pdf(&["a"]), &with_grep("a\n\r")).content;
    assert_eq!(content, "grep \"a\\n\\r\": no matches");
}

#[test]
fn grep_takes_no_offset() {
    let options = Options { offset: Some(1), ..with_grep("a") };
    assert!(matches!(refusal(&pdf(&["a"]), &options), ViewError::InvalidGrep { reason } if reason.contains("offset")));
    assert!(render(&pdf(&["a"]), &Options { offset: Some(0), ..with_grep("a") }).is_ok());
}

#[test]
fn a_pattern_that_backtracks_elsewhere_takes_linear_time() {
    let document = pdf(&[&"a".repeat(1 << 20), &("a".repeat(1 << 20) + "b")]);
    let begun = tokio::time::Instant::now();
    let rendered = view(&document, &with_grep("^(a+)+$"));
    assert_eq!(rendered.grep_hits, 1);
    assert!(begun.elapsed() < std::time::Duration::from_secs(1), "{:?}", begun.elapsed());
}
