//! Code.

use super::md;

#[test]
fn the_language_is_found_where_highlighters_put_it() {
    for html in [
        "<pre><code class=language-rust>x</code></pre>",
        "<pre><code class='hljs rust'>x</code></pre>",
        "<pre class='prettyprint lang-rust'>x</pre>",
        "<pre class='brush: rust; toolbar: false'>x</pre>",
        "<pre class='rust'>x</pre>",
        "<div class='highlight-rust notranslate'><div class=highlight><pre><span></span>x\n</pre></div></div>",
        "<div class='highlight highlight-source-rust'><pre>x</pre></div>",
        "<div data-lang=Rust><pre>x</pre></div>",
    ] {
        assert_eq!(md(html), "```rust\nx\n```", "{html}");
    }
    assert_eq!(md("<div class='highlight-default notranslate'><pre>x</pre></div>"), "```\nx\n```");
}

#[test]
fn every_byte_of_the_code_stays() {
    assert_eq!(md("<pre>\n  a_b *c* &lt;T&gt;\n\n\td  e&nbsp;</pre>"), "```\n  a_b *c* <T>\n\n\td  e\n```");
}

#[test]
fn lines_of_code_are_lines() {
    for html in [
        "<pre>a<br>b</pre>",
        "<pre><code><div>a</div><div>b</div></code></pre>",
        "<pre><code><span class=line>a</span><span class=line>b</span></code></pre>",
        "<pre><code><span class=line>a</span>\n<span class=line>b</span></code></pre>",
        "<pre><code>a</code><code>b</code></pre>",
        "<p><code>a<br>b</code></p>",
    ] {
        assert_eq!(md(html), "```\na\nb\n```", "{html}");
    }
}

#[test]
fn a_fence_is_longer_than_the_runs_in_the_code() {
    assert_eq!(md("<pre>```sh\nx\n```</pre>"), "````\n```sh\nx\n```\n````");
    assert_eq!(md("<code>a`b</code> <code>`a</code>"), "``a`b`` `` `a ``");
}

#[test]
fn line_numbers_go() {
    for html in [
        "<table><tr><td class=linenos><pre>1\n2</pre></td><td class=code><pre>x\ny</pre></td></tr></table>",
        "<table><tr><td><pre>1\n2</pre></td><td><pre>x\ny</pre></td></tr></table>",
        "<table><tr><td class=gutter><div>1</div><div>2</div></td><td class=code><div>x</div><div>y</div></td></tr></table>",
        "<table><tr><td class=blob-num></td><td>x</td></tr><tr><td class=blob-num></td><td>y</td></tr></table>",
        "<pre><span class=lineno>1 </span>x\n<span class=lineno>2 </span>y</pre>",
        "<pre><code><table><tr><td class=hljs-ln-numbers>1</td><td>x</td></tr><tr><td class=hljs-ln-numbers>2</td><td>y</td></tr></table></code></pre>",
    ] {
        assert_eq!(md(html), "```\nx\ny\n```", "{html}");
    }
}

#[test]
fn code_in_items_and_quotes_is_indented() {
    assert_eq!(md("<ol><li>a<pre>b\n\n c</pre></li></ol>"), "1. a\n\n   ```\n   b\n\n    c\n   ```");
    assert_eq!(md("<blockquote><pre>b\n\nc</pre></blockquote>"), "> ```\n> b\n>\n> c\n> ```");
}

#[test]
fn inline_code_keeps_its_signs() {
    assert_eq!(md("Call <code>f_b(*a)</code>, <kbd>Ctrl</kbd>+<kbd>C</kbd>"), "Call `f_b(*a)`, `Ctrl`+`C`");
    assert_eq!(md("<code>a</code><code>b</code> <code> </code>"), "`ab`");
    assert_eq!(md("<code><a href=/x>f</a></code> <code>g <a href=/x>f</a></code>"), "[`f`](https://e.test/x) `g f`");
}
