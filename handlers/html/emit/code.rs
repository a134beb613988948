//! Code: its language, its bytes, and no line numbers.

use super::{Kept, Page, has_class};
use crate::html::dom::{Dom, Id, Name};

/// Beginnings of class names that name a language.
const PREFIXES: [&str; 6] = ["language-", "lang-", "highlight-source-", "highlight-text-", "highlight-", "sourceCode-"];

/// Classes of highlighters that are followed by the language.
const MARKERS: [&str; 6] = ["hljs", "sourceCode", "prettyprint", "chroma", "rouge", "brush:"];

/// Names of languages that stand alone as the class of a block.
const LANGUAGES: [&str; 30] = [
    "bash",
    "c",
    "cpp",
    "csharp",
    "css",
    "diff",
    "go",
    "haskell",
    "html",
    "ini",
    "java",
    "javascript",
    "json",
    "kotlin",
    "lua",
    "perl",
    "php",
    "powershell",
    "python",
    "ruby",
    "rust",
    "scala",
    "shell",
    "sql",
    "swift",
    "toml",
    "typescript",
    "xml",
    "yaml",
    "zig",
];

/// Classes of line numbers.
const NUMBERS: [&str; 14] = [
    "linenos",
    "lineno",
    "linenumber",
    "linenodiv",
    "line-number",
    "line-numbers",
    "line-numbers-rows",
    "gutter",
    "rouge-gutter",
    "ln",
    "blob-num",
    "hljs-ln-numbers",
    "lnt",
    "number",
];

/// Classes of elements that are a line each.
const LINES: [&str; 6] = ["line", "token-line", "code-line", "hljs-line", "view-line", "CodeMirror-line"];

/// How far a digit is looked for in what may be a column of numbers, in nodes.
const MAX_NUMBERS: usize = 50_000;

/// A block of code.
pub(super) struct Block {
    pub(super) language: String,
    pub(super) code: String,
}

/// The block that an element is. None when it has no code.
pub(super) fn block(page: &Page<'_>, id: Id) -> Option<Block> {
    let text = text_of(page.dom, id, page.kept);
    let code = text.trim_end().trim_start_matches('\n');
    (!code.trim().is_empty()).then(|| Block { language: language(page.dom, id), code: code.to_owned() })
}

// === impl Block ===

impl Block {
    /// A fence longer than any run of backticks in the code.
    pub(super) fn fence(&self) -> String {
        "`".repeat(longest_run(&self.code).max(2) + 1)
    }

    /// A cell of a table has one line: every line of the code is a span of its own.
    pub(super) fn in_cell(&self) -> String {
        self.code.lines().filter(|line| !line.trim().is_empty()).map(span).collect::<Vec<_>>().join("<br>")
    }
}

/// Inline code, in more backticks than the code has in a row.
pub(super) fn span(code: &str) -> String {
    let fence = "`".repeat(longest_run(code) + 1);
    let pad = if code.starts_with('`') || code.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{code}{pad}{fence}")
}

fn longest_run(code: &str) -> usize {
    if !code.contains('`') {
        return 0;
    }
    code.split(|character| character != '`').map(str::len).max().unwrap_or_default()
}

/// The text of a block, with the line ends that `br` and blocks make, without line numbers.
fn text_of(dom: &Dom, root: Id, kept: &Kept) -> String {
    let mut out = String::new();
    let mut after_line = false;
    let spans_are_lines = are_lines(dom, root, kept);
    let mut id = root;
    while id < dom.end(root) {
        let name = dom.name(id);
        match name {
            Name::Text if kept.has(id) => {
                let text = dom.text(id);
                if std::mem::take(&mut after_line) && !text.starts_with('\n') && !out.ends_with('\n') && !out.is_empty()
                {
                    out.push('\n');
                }
                out.push_str(text);
            }
            Name::Br if kept.has(id) => out.push('\n'),
            Name::Div | Name::Li | Name::P | Name::Tr => after_line = true,
            Name::Code if spans_are_lines => after_line = true,
            Name::Button | Name::Script | Name::Style => {
                id = dom.end(id);
                continue;
            }
            _ if spans_are_lines && has_class(dom, id, &LINES) => after_line = true,
            _ => {}
        }
        let numbers = id != root && name != Name::Text && has_class(dom, id, &NUMBERS) && is_numbers(dom, id);
        id = if numbers { dom.end(id) } else { id + 1 };
    }
    out
}

/// Whether the lines of a block without line ends are elements.
fn are_lines(dom: &Dom, root: Id, kept: &Kept) -> bool {
    if super::texts(dom, root, kept).any(|text| text.trim_end().contains('\n')) {
        return false;
    }
    let line_ends = super::texts(dom, root, kept).any(|text| text.contains('\n'));
    let below = || root + 1..dom.end(root);
    let lines = || below().filter(|id| dom.name(*id) == Name::Code || has_class(dom, *id, &LINES));
    !line_ends && lines().nth(1).is_some()
}

/// Whether an element is the column of line numbers.
pub(super) fn is_gutter(dom: &Dom, cell: Id) -> bool {
    has_class(dom, cell, &NUMBERS)
}

/// Whether all text of an element is digits.
pub(super) fn is_numbers(dom: &Dom, id: Id) -> bool {
    let is_number =
        |id: Id| dom.text(id).chars().all(|character| character.is_ascii_digit() || character.is_whitespace());
    (dom.end(id) - id) as usize <= MAX_NUMBERS && (id..dom.end(id)).all(is_number)
}

/// The language that the code in the block, the block or up to two wrappers around it name; or nothing.
fn language(dom: &Dom, id: Id) -> String {
    let code = (id + 1..dom.end(id)).find(|id| matches!(dom.name(*id), Name::Code | Name::Pre));
    let known = code.into_iter().chain([id]);
    let named = known.clone().chain(dom.ancestors(id).take(2)).find_map(|place| named_language(dom, place));
    named.or_else(|| known.into_iter().find_map(|place| lone_language(dom, place))).unwrap_or_default()
}

fn named_language(dom: &Dom, id: Id) -> Option<String> {
    let data = ["data-lang", "data-language"].into_iter().filter_map(|name| dom.attr(id, name));
    if let Some(language) = data.into_iter().find(|language| is_language(language)) {
        return Some(language.to_ascii_lowercase());
    }
    let mut classes = dom.class(id).split_ascii_whitespace().peekable();
    while let Some(class) = classes.next() {
        let named = PREFIXES.iter().find_map(|prefix| class.strip_prefix(prefix)).or_else(|| {
            MARKERS.contains(&class).then(|| classes.peek().copied()).flatten().filter(|next| !next.contains('-'))
        });
        let named =
            named.map(|name| name.trim_end_matches(';')).map(|name| name.strip_suffix("-basic").unwrap_or(name));
        if let Some(language) = named.filter(|name| is_language(name)) {
            return Some(language.to_ascii_lowercase());
        }
    }
    None
}

fn lone_language(dom: &Dom, id: Id) -> Option<String> {
    let mut classes = dom.class(id).split_ascii_whitespace().map(str::to_ascii_lowercase);
    classes.find(|class| LANGUAGES.contains(&class.as_str()))
}

fn is_language(name: &str) -> bool {
    (1..=20).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'#' | b'.' | b'_'))
        && !matches!(
            name,
            "default"
                | "none"
                | "plain"
                | "plaintext"
                | "text"
                | "notranslate"
                | "nohighlight"
                | "undefined"
                | "auto"
                | "highlight"
                | "no-highlight"
                | "linenums"
                | "copyable"
                | "wrap"
        )
}
