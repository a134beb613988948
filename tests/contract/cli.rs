//! Promise: the command line does what the server does, and says how it ended.

use crate::support::{Origin, Reply, pdfs, world::run};

fn environment(origin: &Origin, folder: &std::path::Path) -> Vec<(&'static str, String)> {
    vec![
        ("SIFT_CACHE_DIR", folder.join("cache").display().to_string()),
        ("SIFT_EGRESS_ALLOW_PRIVATE", "127.0.0.1/32".to_owned()),
        ("SIFT_EGRESS_ALLOW_PORTS", origin.address.port().to_string()),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_fetch_makes_no_request() {
    let (origin, folder) = (Origin::start().await, tempfile::tempdir().unwrap());
    let url = origin.put("/r.pdf", Reply::pdf(pdfs::report(3)));
    let environment = environment(&origin, folder.path());
    let environment: Vec<_> = environment.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let (status, out, err) = run(&["fetch", &url], &environment);
    assert_eq!(status, 0, "{err}");
    assert!(out.starts_with("--- page 1 ---") && out.contains("M3X"));
    let (status, out, _) = run(&["fetch", &url, "--pages", "2"], &environment);
    assert_eq!((status, origin.hits("/r.pdf")), (0, 1));
    assert!(out.contains("M2X") && !out.contains("M1X"));
    let (_, stats, _) = run(&["cache", "stats"], &environment);
    assert!(stats.contains("fleet: 1 entries") && stats.contains("restricted: 0 entries"), "{stats}");
    assert_eq!(run(&["cache", "clear"], &environment).0, 0);
    assert_eq!(run(&["fetch", &url], &environment).0, 0);
    assert_eq!(origin.hits("/r.pdf"), 2);
}

#[test]
fn every_ending_has_an_exit_status() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let (report, scan) = (file("report.pdf", &pdfs::report(2)), file("scan.pdf", &pdfs::scan()));
    let none: [(&str, &str); 1] = [("SIFT_CACHE_DIR", "")];
    assert_eq!(run(&["extract", &report], &none).0, 0);
    assert_eq!(run(&["extract", &scan], &none).0, 3);
    assert_eq!(run(&["extract", &report, "--pages", "9"], &none).0, 2);
    assert_eq!(run(&["extract"], &none).0, 2);
    assert_eq!(run(&["nonsense"], &none).0, 2);
    let (status, _, err) = run(&["fetch", "http://127.0.0.1:9/"], &none);
    assert_eq!(status, 4);
    assert!(err.contains("address not allowed (hint: "), "{err}");
}

#[test]
fn extract_prints_one_object_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let (page, data) = (folder.path().join("page.html"), folder.path().join("data.json"));
    std::fs::write(&page, "<html><head><title>T</title></head><body><p>See <a href=\"x\">this</a>.</p></body></html>")
        .unwrap();
    std::fs::write(&data, "{\"a\": 1}").unwrap();
    let (page, data) = (page.display().to_string(), data.display().to_string());
    let args = ["extract", "--json", "--max-chars", "all", "--base-url", "https://example.test/dir/", &page, &data];
    let (status, out, err) = run(&args, &[("SIFT_CACHE_DIR", "")]);
    assert_eq!(status, 0, "{err}");
    let lines: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["kind"], &lines[0]["title"]), (&"html".into(), &"T".into()));
    assert!(lines[0]["content"].as_str().unwrap().contains("[this](https://example.test/dir/x)"), "{out}");
    assert_eq!((&lines[1]["kind"], lines[1]["file"].as_str()), (&"json".into(), Some(data.as_str())));
}

#[test]
fn a_local_file_may_be_larger_than_what_is_fetched_up_to_its_own_limit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("big.txt");
    for (length, expected) in [((20 << 20) - 1, 0), (20 << 20, 0), ((20 << 20) + 1, 3)] {
        std::fs::write(&path, vec![b'a'; length]).unwrap();
        let (status, out, _) = run(&["extract", "--json", &path.display().to_string()], &[("SIFT_CACHE_DIR", "")]);
        assert_eq!(status, expected, "{length}: {}", &out[..out.len().min(300)]);
    }
}

#[test]
fn help_and_completions_are_there_and_the_child_is_hidden() {
    let (status, out, _) = run(&["--help"], &[]);
    assert_eq!(status, 0);
    for command in ["serve", "fetch", "extract", "mcp", "cache", "doctor", "completions"] {
        assert!(out.contains(command), "{command}");
        assert_eq!(run(&[command, "--help"], &[]).0, 0, "{command}");
    }
    assert!(!out.contains("pdftext"));
    assert!(run(&["completions", "bash"], &[]).1.contains("_sift"));
}
