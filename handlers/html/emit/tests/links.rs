//! Links, images and media.

use super::*;

#[test]
fn links_become_absolute_by_the_base() {
    assert_eq!(
        md("<a href='../a?x=1&amp;y#z'>g</a> <a href='#s'>s</a>"),
        "[g](https://e.test/a?x=1&y#z) [s](https://e.test/dir/page.html#s)"
    );
    let based = "<base href='/v2/'><a href=g>g</a> <a href='#s'>s</a>";
    assert_eq!(md(based), "[g](https://e.test/v2/g) [s](https://e.test/dir/page.html#s)");
    assert_eq!(md("<base href='data:x'><a href=g>g</a>"), "[g](https://e.test/dir/g)");
}

#[test]
fn what_leads_nowhere_keeps_its_words() {
    assert_eq!(
        md("<a href='javascript:x()'>a</a><a name=n>b</a><a href=' \tjava\nscript:x'>c</a><a href='#'>d</a>"),
        "abcd"
    );
    assert_eq!(md("<a href='data:,x'>d</a> <a href=/x> </a>e"), "d e");
}

#[test]
fn signs_in_addresses_and_labels_are_escaped() {
    assert_eq!(md("<a href='/a_(b) c'>w</a>"), "[w](https://e.test/a_%28b%29%20c)");
    assert_eq!(md("<a href=/x>[1]</a> <a href=/x>[1</a>"), "[[1]](https://e.test/x) [\\[1](https://e.test/x)");
    assert_eq!(
        md("<a href=/x title='a \"b\"'>w</a> <a href=/x title=w>w</a>"),
        "[w](https://e.test/x \"a \\\"b\\\"\") [w](https://e.test/x)"
    );
}

#[test]
fn a_title_that_says_nothing_new_goes() {
    for title in ["Words", "A-page (x)"] {
        assert_eq!(
            md(&format!("<a href='/A_page_%28x%29' title='{title}'>words</a>")),
            "[words](https://e.test/A_page_%28x%29)"
        );
    }
}

#[test]
fn a_link_around_blocks_is_on_the_heading_or_the_first_words() {
    assert_eq!(
        md("<a href=/x><img src=/i><h3>T</h3><p>t</p></a>"),
        "![](https://e.test/i)\n\n### [T](https://e.test/x)\n\nt"
    );
    assert_eq!(md("<a href=/x><p>a</p><p>b</p></a>"), "[a](https://e.test/x)\n\nb");
}

#[test]
fn links_side_by_side_stay_two() {
    assert_eq!(md("<a href=/x>a</a><a href=/y>b</a>"), "[a](https://e.test/x)[b](https://e.test/y)");
}

#[test]
fn a_drawing_names_a_link_that_has_no_words() {
    let drawing = "<svg><title>Name</title><path/></svg>";
    assert_eq!(
        md(&format!("<a href=/x>{drawing}</a> <a href=/y>{drawing} words</a> {drawing}")),
        "[Name](https://e.test/x) [words](https://e.test/y)"
    );
}

#[test]
fn the_address_an_image_is_loaded_from_is_taken() {
    for html in [
        "<img src=i.png alt='x  y'>",
        "<img src='data:image/gif;base64,R0' data-src=i.png alt='x y'>",
        "<img srcset='s.png 1x, i.png 2x' alt='x y'>",
        "<picture><source srcset='i.png 1x'><img alt='x y'></picture>",
    ] {
        assert_eq!(md(html), "![x y](https://e.test/dir/i.png)", "{html}");
    }
    assert_eq!(md("a<img src=/i>b"), "a ![](https://e.test/i) b");
    assert_eq!(md("<a href=/x><img src=/i alt='a]'></a>"), "[![a\\]](https://e.test/i)](https://e.test/x)");
}

#[test]
fn inlined_images_leave_a_note_and_those_that_count_visitors_nothing() {
    assert_eq!(md("<img src='data:image/png;base64,QUJD' alt=x>"), "![x](<Base64-Image-Removed>)");
    assert_eq!(md("<img src='data:image/png;base64,QUJD'><img src=t.gif width=1 height=1>"), "");
}

#[test]
fn media_become_links_and_advertisements_go() {
    assert_eq!(md("<embed src=r.pdf type=application/pdf>"), "[https://e.test/dir/r.pdf](https://e.test/dir/r.pdf)");
    assert_eq!(
        md("a<video><source src=v.mp4>old browser</video>"),
        "a\n\n[https://e.test/dir/v.mp4](https://e.test/dir/v.mp4)"
    );
    assert_eq!(md("<iframe src='//www.youtube.com/embed/a' title=T></iframe>"), "[T](https://www.youtube.com/embed/a)");
    assert_eq!(md("<iframe src='https://ads.test/x'></iframe><iframe src='https://notyoutube.com/x'></iframe>"), "");
    assert_eq!(md("<object data=x.swf>instead</object>"), "instead");
}

#[test]
fn links_and_images_are_collected_once() {
    let (dom, addresses) = page(
        "<h1>T<a href='#t'>#</a></h1><a href=/a>x  <b>y</b></a><a href=/a>z</a><a href='javascript:x'>j</a>\
         <a href=/b>GONE</a><img src=/i><img data-src=/i>",
    );
    let kept = Kept::of(
        &dom,
        (dom.root()..dom.end(dom.root())).map(|id| dom.name(id) != Name::A && !dom.text(id).contains("GONE")).collect(),
    );
    let found = links(&dom, dom.body(), &kept, &addresses);
    assert_eq!(found, [Link { url: "https://e.test/a".into(), text: "x y".into() }]);
    assert_eq!(images(&dom, dom.body(), &kept, &addresses), ["https://e.test/i"]);
}
