//! How often a search finds the page that answers a question: `cargo bench --bench retrieval -- FOLDER`.
//!
//! FOLDER has the three manuals that `bench/retrieval/debian-manuals.json` asks about. For words, meaning and both: the share of
//! questions with a right page among the first 5 and 10, its standard error, and the time of an index and of a search.

#![expect(clippy::print_stdout, clippy::expect_used, reason = "a program that measures")]

use serde::Deserialize;
use sift::search::{Arms, Index};
use sift_handlers::{ContentHash, Document, Kind, Page, Unit};
use std::{collections::BTreeMap, path::Path, process::Command};
use tokio::time::Instant;

const QUESTIONS: &str = include_str!("retrieval/debian-manuals.json");

#[derive(Deserialize)]
struct Set {
    questions: Vec<Question>,
}

#[derive(Deserialize)]
struct Question {
    document: String,
    #[serde(rename = "question")]
    text: String,
    pages: Vec<u32>,
}

fn main() {
    let Some(folder) = std::env::args().skip(1).find(|argument| !argument.starts_with('-')) else {
        println!("skipped: name the folder of the manuals: cargo bench --bench retrieval -- FOLDER");
        return;
    };
    let set: Set = serde_json::from_str(QUESTIONS).expect("the questions");
    let mut indexes: BTreeMap<&str, Index> = BTreeMap::new();
    for question in &set.questions {
        indexes.entry(&question.document).or_insert_with(|| {
            let document = document(&Path::new(&folder).join(&question.document));
            let began = Instant::now();
            let index = Index::new(&document).expect("an index");
            println!("{}: {} pages indexed in {:.0?}", question.document, document.total_pages, began.elapsed());
            index
        });
    }
    for (name, arms) in [("words", Arms::Keyword), ("meaning", Arms::Semantic), ("both", Arms::Both)] {
        let began = Instant::now();
        let ranks: Vec<Option<usize>> = set.questions.iter().map(|question| rank(&indexes, question, arms)).collect();
        let each = began.elapsed() / u32::try_from(ranks.len()).unwrap_or(1);
        println!("{name}: R@5 {}, R@10 {}, {each:.1?} a search", recall(&ranks, 5), recall(&ranks, 10));
    }
}

/// Where the first right page is, from 0.
fn rank(indexes: &BTreeMap<&str, Index>, question: &Question, arms: Arms) -> Option<usize> {
    let found = indexes.get(question.document.as_str())?.search_by(&question.text, 10, arms).ok()?;
    found.hits.iter().position(|hit| question.pages.contains(&hit.page))
}

/// The share of the first `most`, with its standard error.
#[expect(clippy::cast_precision_loss, reason = "a share of a few questions")]
fn recall(ranks: &[Option<usize>], most: usize) -> String {
    let share = ranks.iter().filter(|rank| rank.is_some_and(|rank| rank < most)).count() as f64 / ranks.len() as f64;
    format!("{share:.3} ± {:.3}", (share * (1.0 - share) / ranks.len() as f64).sqrt())
}

/// The pages of a PDF, by the program itself.
fn document(path: &Path) -> Document {
    let file = std::fs::File::open(path).expect("a manual");
    let out =
        Command::new(env!("CARGO_BIN_EXE_sift")).arg("pdftext").stdin(file).output().expect("the text of the manual");
    let mut document = Document::new(Kind::new("pdf"), Unit::Page, ContentHash::of(b""), 0);
    for line in String::from_utf8_lossy(&out.stdout).lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        if let Some(number) = line["page"].as_u64().and_then(|page| u32::try_from(page).ok()) {
            document.pages.push(Page::new(number, line["text"].as_str().unwrap_or_default()));
        }
    }
    document.total_pages = u32::try_from(document.pages.len()).unwrap_or(u32::MAX);
    document
}
