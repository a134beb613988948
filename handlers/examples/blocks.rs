//! Prints the blocks of HTML files with their features as JSON, a line for each file, for `bench/html/train.py`.

use std::io::Write as _;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path)?;
        let rows = sift_handlers::html::training::rows(&String::from_utf8_lossy(&bytes));
        writeln!(out, "{}", serde_json::json!({"names": rows.names, "rows": rows.rows, "texts": rows.texts}))?;
    }
    Ok(())
}
