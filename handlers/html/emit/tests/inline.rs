//! Text within a line.

use super::md;

#[test]
fn blanks_are_folded_as_a_browser_shows_them() {
    assert_eq!(md("<p> a \n b<span> c</span><span>d</span> </p>"), "a b cd");
    assert_eq!(md("<p>a&nbsp;b &nbsp;</p><p>&nbsp;</p>c"), "a\u{a0}b\n\nc");
    assert_eq!(md("<p>ex&shy;am\u{feff}ple</p>"), "example");
}

#[test]
fn marks_leave_the_blanks_out() {
    assert_eq!(md("is<b> bold </b>text and <i>it</i>."), "is **bold** text and *it*.");
    assert_eq!(md("un<b>frigging</b>believable, a<em>b</em>c"), "un**frigging**believable, a*b*c");
    assert_eq!(md("a<b></b>b<i> </i>c<b>&nbsp;</b>d"), "ab c\u{a0}d");
    assert_eq!(md("これは<strong>重要</strong>です"), "これは**重要**です");
}

#[test]
fn the_same_mark_side_by_side_or_within_itself_is_one() {
    assert_eq!(md("<b>a</b><strong>b</strong> <b><strong>c</strong></b>"), "**ab** **c**");
    assert_eq!(md("<b><i>both</i></b> <b><i>a</i></b><b>c</b><i>d</i>"), "***both*** ***a*c**d");
}

#[test]
fn marks_end_with_their_paragraph() {
    assert_eq!(md("<b><p>a</p><p>b</p></b>"), "**a**\n\n**b**");
}

#[test]
fn further_marks() {
    assert_eq!(md("<del>a</del> <s>b</s> <mark>c</mark> x<sup>2</sup> H<sub>2</sub>O"), "~~a~~ ~~b~~ ==c== x^2^ H~2~O");
    assert_eq!(md("<q>a</q> <var>v</var> <cite>t</cite> <ins>i</ins> <abbr title=x>A</abbr>"), "\"a\" *v* *t* i A");
    assert_eq!(md("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>"), "漢(kan)");
}

#[test]
fn text_that_would_be_markup_is_escaped() {
    for (html, markdown) in [
        ("1. not list", "1\\. not list"),
        ("# not head", "\\# not head"),
        ("- dash", "\\- dash"),
        ("* star", "\\* star"),
        ("---", "\\---"),
        ("> quote", "\\> quote"),
        ("a<br># b", "a\\\n\\# b"),
        ("two ** stars", "two \\*\\* stars"),
        ("_u_ [x](y) `t`", "\\_u\\_ \\[x](y) \\`t\\`"),
        ("&lt;div> &amp;amp; ~~x~~ a\\*b*", "\\<div> \\&amp; \\~\\~x\\~\\~ a\\\\\\*b\\*"),
    ] {
        assert_eq!(md(&format!("<p>{html}</p>")), markdown, "{html}");
    }
}

#[test]
fn ordinary_text_stays_as_it_is() {
    for text in [
        "snake_case_name",
        "a * b",
        "2 < 3 & 4",
        "C# #1",
        "1.5 m",
        "-5 °C",
        "x [1] y",
        "~5",
        "Name*",
        "a _private name",
        "2026. was",
        "a | b",
        "$5 and $6",
        "=== x",
        "#hash",
    ] {
        let text = if text == "2026. was" { "in 2026. was" } else { text };
        assert_eq!(md(&format!("<p>{text}</p>")), text);
    }
}

#[test]
fn formulas_in_the_text_are_not_escaped() {
    assert_eq!(
        md("In \\(a_1 + b_1\\) and $$x_i * y_i$$, $$ is money"),
        "In $a_1 + b_1$ and $$x_i * y_i$$, $$ is money"
    );
}

#[test]
fn an_annotation_is_taken_and_the_drawing_beside_it_left_out() {
    let katex = "<span class=katex><span class=katex-mathml><math><semantics><mrow><mi>E</mi></mrow>\
                 <annotation encoding='application/x-tex'>E=mc^2</annotation></semantics></math></span>\
                 <span class=katex-html aria-hidden=true>E</span></span>";
    assert_eq!(md(&format!("a {katex} b")), "a $E=mc^2$ b");
    assert_eq!(md(&format!("a <span class=katex-display>{katex}</span> b")), "a\n\n$$E=mc^2$$\n\nb");
    let wiki = "<span class=mwe-math-element><span style='display:none'><math alttext='x^2'><mi>x</mi></math></span>\
                <img src=/m.svg alt='x^2'></span>";
    assert_eq!(md(wiki), "$x^2$");
}

#[test]
fn mathml_without_annotation_is_written_out() {
    assert_eq!(md("<math><mi>x</mi><mo>=</mo><msup><mi>y</mi><mn>2</mn></msup></math>"), "$x=y^{2}$");
    assert_eq!(
        md("<math display=block><mfrac><mn>1</mn><msqrt><mn>2</mn></msqrt></mfrac></math>"),
        "$$\\frac{1}{\\sqrt{2}}$$"
    );
    assert_eq!(md("<math><msubsup><mi>a</mi><mn>1</mn><mn>2</mn></msubsup></math>"), "$a_{1}^{2}$");
}

#[test]
fn scripts_of_mathjax_are_formulas() {
    assert_eq!(md("e <span class=MathJax>drawn</span><script type='math/tex'>a+b</script>"), "e $a+b$");
    assert_eq!(md("e<script type='math/tex; mode=display'>a</script>"), "e\n\n$$a$$");
}

#[test]
fn boxes_side_by_side_are_set_apart() {
    assert_eq!(
        md("<a href=/x><span>GitHub Copilot</span><span>Write code</span></a>"),
        "[GitHub Copilot Write code](https://e.test/x)"
    );
    assert_eq!(
        md("<span>59.6k</span><span>44 gold badges</span> Resource Use<span>New</span>"),
        "59.6k 44 gold badges Resource Use New"
    );
    assert_eq!(
        md("a_name<span><b>nullable string</b></span>, <span>name</span><span>nullable string</span>"),
        "a_name**nullable string**, name nullable string"
    );
    let words = "<span>You</span><span>Tube</span> <span>T</span><span>he first word</span> un<span>like that</span>";
    assert_eq!(md(words), "YouTube The first word unlike that");
}
