//! Headings, paragraphs, lists, quotes and the like.

use super::md;

#[test]
fn headings_are_one_line() {
    assert_eq!(md("<h1>One</h1><h6>Six <i>i</i></h6>"), "# One\n\n###### Six *i*");
    assert_eq!(md("<h2>a<br><div>b</div><b>c</b></h2>"), "## a b c");
    assert_eq!(md("<div role=heading aria-level=4>x</div>"), "#### x");
    assert_eq!(md("<h2>C #</h2><h2>C#</h2>"), "## C \\#\n\n## C#");
    assert_eq!(md("<h2> </h2>x"), "x");
}

#[test]
fn permalinks_of_headings_go_and_linked_headings_stay() {
    for link in ["<a href='#a'>¶</a>", "<a class=anchor href='#a'>Link to this heading</a>", "<a id=a href='#a'></a>"]
    {
        assert_eq!(md(&format!("<h2>A{link}</h2>")), "## A", "{link}");
    }
    assert_eq!(md("<h2><a class=anchor href='#a'>A</a></h2>"), "## A");
    assert_eq!(md("<h2><a href='/a'>A</a></h2>"), "## [A](https://e.test/a)");
}

#[test]
fn paragraphs_stand_apart() {
    assert_eq!(md("<p>one\n  two</p>three<div>four</div><section>five</section>"), "one two\n\nthree\n\nfour\n\nfive");
    assert_eq!(md("<p>a</p><hr><p>b</p>"), "a\n\n---\n\nb");
}

#[test]
fn a_line_break_is_kept_and_two_part_paragraphs() {
    assert_eq!(md("<p>a<br>b<br> <br>c<br></p>"), "a\\\nb\n\nc");
    assert_eq!(md("<p><b>a<br><br>b</b></p>"), "**a**\n\n**b**");
}

#[test]
fn lists_nest() {
    assert_eq!(md("<ul><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li><li>d</li></ul>"), "- a\n  - b\n    1. c\n- d");
    assert_eq!(md("<ul><li>a</li><ul><li>b</li></ul></ul>"), "- a\n  - b");
    assert_eq!(md("<p>x</p><ul><li>a</li></ul><p>y</p>"), "x\n\n- a\n\ny");
}

#[test]
fn numbers_of_items_are_those_of_the_page() {
    assert_eq!(md("<ol start=3><li>a</li><li value=9>b</li><li>c</li></ol>"), "3. a\n9. b\n10. c");
    assert_eq!(md("<ol reversed><li>a</li><li>b</li></ol>"), "2. a\n1. b");
    assert_eq!(md("<ol start=-5><li>a</li></ol>"), "0. a");
}

#[test]
fn items_of_several_paragraphs_make_a_loose_list() {
    assert_eq!(md("<ul><li><p>a</p></li><li><p>b</p></li></ul>"), "- a\n- b");
    assert_eq!(md("<ul><li><p>a</p><p>b</p></li><li>c</li></ul>"), "- a\n\n  b\n\n- c");
}

#[test]
fn boxes_begin_items_of_tasks() {
    let html = "<ul><li><input type=checkbox checked> a</li><li><label><input type=checkbox>b</label></li></ul>";
    assert_eq!(md(html), "- [x] a\n- [ ] b");
    assert_eq!(md("<p><input type=checkbox> a</p>"), "a");
}

#[test]
fn definitions_follow_their_terms() {
    assert_eq!(
        md("<dl><dt>A</dt><dd>x</dd><dd>y</dd><dt>B</dt><dd><p>z</p><p>w</p></dd></dl>"),
        "A\n: x\n: y\n\nB\n: z\n\n  w"
    );
}

#[test]
fn quotes_mark_every_line() {
    assert_eq!(
        md("<blockquote><p>a</p><blockquote>b</blockquote><ul><li>c</li></ul></blockquote>d"),
        "> a\n>\n> > b\n>\n> - c\n\nd"
    );
}

#[test]
fn captions_and_summaries_are_paragraphs_of_their_own() {
    assert_eq!(
        md("<figure><img src=/f.png alt=f><figcaption>Cap</figcaption></figure>"),
        "![f](https://e.test/f.png)\n\n*Cap*"
    );
    assert_eq!(md("<details><summary>More</summary>text</details>"), "**More**\n\ntext");
}

#[test]
fn footnotes_are_referred_to() {
    let html = "<p>a<sup id=fnref1><a href='#fn1'>[1]</a></sup>.</p><section class=footnotes><ol>\
                <li id=fn1><p>Note <a href='#fnref1'>↩</a></p><p>more</p></li></ol></section>";
    assert_eq!(md(html), "a[^1].\n\n[^1]: Note\n\n    more");
    assert_eq!(md("<ol class=references><li id=n>not referred to</li></ol>"), "1. not referred to");
}

#[test]
fn what_only_a_browser_needs_is_left_out() {
    assert_eq!(md("a<script>b</script><style>c</style><template>d</template><select><option>e</select><!--f-->"), "a");
}
