//! Code blocks: their language, their bytes, and no line numbers.

use super::{
    marks::Snippets,
    page::{Page, attr, name_of, walk},
};
use dom_query::NodeRef;

/// Beginnings of class names that name a language.
const PREFIXES: [&str; 6] = ["language-", "lang-", "highlight-source-", "highlight-", "brush:", "sourceCode-"];

/// Classes of highlighters that are followed by the language.
const MARKERS: [&str; 5] = ["hljs", "sourceCode", "prettyprint", "chroma", "rouge"];

/// Classes of line numbers.
const NUMBERS: [&str; 12] = [
    "linenos",
    "lineno",
    "linenumber",
    "line-number",
    "line-numbers",
    "line-numbers-rows",
    "gutter",
    "rouge-gutter",
    "ln",
    "blob-num",
    "hljs-ln-numbers",
    "lnt",
];

/// Replaces every `pre` with a mark for its fenced block.
pub(super) fn keep(page: &Page, snippets: &mut Snippets) {
    unwrap_number_tables(page);
    for pre in page.tree.select("pre, listing").nodes() {
        if pre.ancestors_it(None).any(|up| up.has_name("pre")) {
            continue;
        }
        let text = text_of(pre);
        let code = text.trim_end().trim_start_matches('\n');
        if code.trim().is_empty() {
            pre.remove_from_parent();
            continue;
        }
        let in_cell = pre.ancestors_it(Some(8)).any(|up| matches!(name_of(&up).as_str(), "td" | "th"));
        let markdown = if in_cell { inline_lines(code) } else { fenced(code, &language(pre)) };
        let holder = page.tree.tree.new_element(if in_cell { "span" } else { "p" });
        holder.append_child(&page.tree.tree.new_text(snippets.keep(markdown)).id);
        pre.replace_with(&holder.id);
    }
}

/// A fence longer than any run of backticks in the code.
fn fenced(code: &str, language: &str) -> String {
    let longest = code.split(|character| character != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{code}\n{fence}")
}

/// A cell of a table has one line: every line of the code is a span of its own.
fn inline_lines(code: &str) -> String {
    code.lines().filter(|line| !line.trim().is_empty()).map(span).collect::<Vec<_>>().join("<br>").replace('|', "\\|")
}

/// Inline code, in more backticks than the code has in a row.
pub(super) fn span(code: &str) -> String {
    let longest = code.split(|character| character != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let pad = if code.starts_with('`') || code.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{code}{pad}{fence}")
}

/// The text of a block, with the line ends that `br` and `div` make, without line numbers.
fn text_of(pre: &NodeRef<'_>) -> String {
    let mut out = String::new();
    let mut after_line = false;
    walk(pre, |node| {
        if node.is_text() {
            let text = node.text();
            if std::mem::take(&mut after_line) && !text.starts_with('\n') && !out.ends_with('\n') && !out.is_empty() {
                out.push('\n');
            }
            out.push_str(&text);
            return true;
        }
        match name_of(node).as_str() {
            "br" => out.push('\n'),
            "div" | "li" | "p" | "tr" => after_line = true,
            _ => {}
        }
        !is_number(node)
    });
    out
}

fn is_number(node: &NodeRef<'_>) -> bool {
    node.class().is_some_and(|class| class.split_ascii_whitespace().any(|class| NUMBERS.contains(&class)))
        && node.text().chars().all(|character| character.is_ascii_digit() || character.is_whitespace())
}

/// Code in a table whose first column has the line numbers: the table gives way to its code.
fn unwrap_number_tables(page: &Page) {
    for table in page.tree.select("table:has(pre)").nodes() {
        let blocks: Vec<_> = table.descendants_it().filter(|node| node.has_name("pre")).collect();
        let is_numbers = |pre: &&NodeRef<'_>| {
            let text = pre.text();
            !text.trim().is_empty()
                && text.chars().all(|character| character.is_ascii_digit() || character.is_whitespace())
        };
        if let [_, code] = blocks.as_slice()
            && blocks.iter().take(1).any(|pre| is_numbers(&pre))
        {
            table.replace_with(&code.id);
        }
    }
}

/// The language that the block, the code in it or up to two wrappers around it name; or nothing.
fn language(pre: &NodeRef<'_>) -> String {
    let code = pre.descendants_it().find(|node| node.has_name("code"));
    let mut places = code.into_iter().chain([*pre]).chain(pre.ancestors_it(Some(2)));
    places.find_map(|place| named_language(&place)).unwrap_or_default()
}

fn named_language(node: &NodeRef<'_>) -> Option<String> {
    let data = ["data-lang", "data-language"].map(|name| attr(node, name));
    if let Some(language) = data.into_iter().find(|language| is_language(language)) {
        return Some(language.to_ascii_lowercase());
    }
    let class = node.class()?;
    let mut classes = class.split_ascii_whitespace().peekable();
    while let Some(class) = classes.next() {
        let named = PREFIXES.iter().find_map(|prefix| class.strip_prefix(prefix)).or_else(|| {
            MARKERS.contains(&class).then(|| classes.peek().copied()).flatten().filter(|next| !next.contains('-'))
        });
        if let Some(language) = named
            && is_language(language)
        {
            return Some(language.trim_end_matches(';').to_ascii_lowercase());
        }
    }
    None
}

fn is_language(name: &str) -> bool {
    let name = name.trim_end_matches(';');
    (1..=20).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'#' | b'.' | b'_'))
        && !matches!(
            name,
            "default" | "none" | "plain" | "plaintext" | "text" | "notranslate" | "nohighlight" | "undefined" | "auto"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(html: &str) -> String {
        let page = Page::new(super::super::guard::guarded(html, false), None);
        let mut snippets = Snippets::default();
        keep(&page, &mut snippets);
        snippets.restored(page.tree.root().text().trim())
    }

    #[test]
    fn the_language_is_found_where_highlighters_put_it() {
        for html in [
            "<pre><code class=language-rust>x</code></pre>",
            "<pre><code class='hljs rust'>x</code></pre>",
            "<pre class='prettyprint lang-rust'>x</pre>",
            "<div class='highlight-rust notranslate'><div class=highlight><pre><span></span>x\n</pre></div></div>",
            "<div class='highlight highlight-source-rust'><pre>x</pre></div>",
            "<div data-lang=Rust><pre>x</pre></div>",
        ] {
            assert_eq!(kept(html), "```rust\nx\n```", "{html}");
        }
        assert_eq!(kept("<div class='highlight-default notranslate'><pre>x</pre></div>"), "```\nx\n```");
    }

    #[test]
    fn every_byte_of_the_code_stays() {
        assert_eq!(kept("<pre>\n  a_b *c* &lt;T&gt;\n\n\td  e</pre>"), "```\n  a_b *c* <T>\n\n\td  e\n```");
        assert_eq!(kept("<pre>a<br>b</pre>"), "```\na\nb\n```");
        assert_eq!(kept("<pre><code><div>a</div><div>b</div></code></pre>"), "```\na\nb\n```");
    }

    #[test]
    fn a_fence_is_longer_than_the_runs_in_the_code() {
        assert_eq!(kept("<pre>```sh\nx\n```</pre>"), "````\n```sh\nx\n```\n````");
        assert_eq!((span("a`b"), span("`a")), ("``a`b``".to_owned(), "`` `a ``".to_owned()));
    }

    #[test]
    fn line_numbers_go() {
        let table = "<table><tr><td class=linenos><pre>1\n2</pre></td><td class=code><pre>x\ny</pre></td></tr></table>";
        assert_eq!(kept(table), "```\nx\ny\n```");
        assert_eq!(kept("<pre><span class=lineno>1 </span>x\n<span class=lineno>2 </span>y</pre>"), "```\nx\ny\n```");
    }
}
