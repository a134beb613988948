//! A cached `pages` answer beside a bare axum handler that returns the same bytes: `cargo bench --bench cached`.
//!
//! Two ways, since they say different things: with the machine free to place everything, and with both servers pinned to
//! one core and `wrk` to another, in turns. Needs two cores, `wrk` and `taskset`, and says so otherwise.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a program that measures and prints")]

use axum::{
    Router,
    body::Bytes,
    http::header,
    routing::{get, post},
};
use serde_json::json;
use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    time::Duration,
};

/// Turns of both servers; the median ratio counts.
const ROUNDS: usize = 5;
/// Seconds that each is asked in one turn.
const SECONDS: u32 = 4;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.get(1).map(String::as_str) {
        Some("bare") => bare(&arguments[2]),
        Some("origin") => origin(&arguments[2]),
        _ if Command::new("wrk").arg("-v").output().is_err() => println!("skipped: wrk is not installed"),
        _ => {
            compare("free", "0-1", "0-1");
            compare("one core", "0", "1");
        }
    }
}

/// Measures with the servers on the cores `served`, and `wrk` on the cores `asked`.
fn compare(name: &str, served: &str, asked: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let pdf = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/testdata/pdf/udhr-russian.pdf");
    let (_origin, origin) = start(Command::new(std::env::current_exe().unwrap()).args(["origin", pdf]), "at ");
    let port = origin.rsplit(':').next().unwrap();
    let config = format!(
        "[server]\nlisten = \"127.0.0.1:0\"\n[admin]\nlisten = \"127.0.0.1:0\"\n[cache]\ndir = \"\"\n[telemetry]\nformat = \"json\"\n\
         [egress]\nallow_private = [\"127.0.0.1/32\"]\nallow_ports = [{port}]\n"
    );
    let config = file("config.toml", &config);
    let sift = ["-c", served, env!("CARGO_BIN_EXE_sift"), "--config", &config, "serve"];
    let (_sift, sift) = start(Command::new("taskset").args(sift), "\"listen\":\"");
    let body = json!({ "url": format!("http://{origin}/"), "pages": "2-3" }).to_string();
    let answer = Command::new("curl").args(["-s", "-d", &body, &format!("http://{sift}/v1/fetch")]).output().unwrap();
    let answer = String::from_utf8(answer.stdout).unwrap();
    assert!(answer.contains("\"pages\":"), "{answer}");
    println!("{name}: an answer of {} bytes", answer.len());
    let same = file("answer.json", &answer);
    let exe = std::env::current_exe().unwrap();
    let bare = ["-c".as_ref(), served.as_ref(), exe.as_os_str(), "bare".as_ref(), same.as_ref()];
    let (_bare, bare) = start(Command::new("taskset").args(bare), "at ");
    let script =
        format!("wrk.method = 'POST'\nwrk.headers['Content-Type'] = 'application/json'\nwrk.body = {body:?}\n");
    let script = file("post.lua", &script);
    let mut ratios: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let (ours, theirs) = (rate(&sift, &script, asked), rate(&bare, &script, asked));
            println!("sift {ours:.0}/s, bare axum {theirs:.0}/s: {:.1} %", 100.0 * ours / theirs);
            ours / theirs
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    println!("{name}, median: {:.1} %", 100.0 * ratios[ROUNDS / 2]);
}

/// Requests a second, by wrk.
fn rate(address: &str, script: &str, cores: &str) -> f64 {
    let seconds = format!("{SECONDS}s");
    let arguments =
        ["-c", cores, "wrk", "-t1", "-c16", "-d", &seconds, "-s", script, &format!("http://{address}/v1/fetch")];
    let out = Command::new("taskset").args(arguments).output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(!text.contains("Non-2xx"), "{text}");
    let line = text.lines().find_map(|line| line.trim().strip_prefix("Requests/sec:")).unwrap();
    line.trim().parse().unwrap()
}

/// A child that ends with us.
struct Ends(Child);

impl Drop for Ends {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a server, and finds its address behind `mark` on one of its lines.
fn start(command: &mut Command, mark: &str) -> (Ends, String) {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let address = lines.by_ref().map_while(Result::ok).find_map(|line| {
        let (_, rest) = line.split_once(mark)?;
        Some(rest.split(['"', ' ']).next()?.to_owned())
    });
    std::thread::spawn(move || lines.for_each(drop));
    (Ends(child), address.unwrap())
}

fn bare(file: &str) {
    let answer = Bytes::from(std::fs::read(file).unwrap());
    let handler = move |_: Bytes| async move { ([(header::CONTENT_TYPE, "application/json")], answer.clone()) };
    serve(Router::new().route("/v1/fetch", post(handler)));
}

fn origin(file: &str) {
    let pdf = Bytes::from(std::fs::read(file).unwrap());
    let handler = move || async move { ([(header::CONTENT_TYPE, "application/pdf")], pdf.clone()) };
    serve(Router::new().route("/", get(handler)));
}

#[expect(clippy::print_stderr, reason = "the address, for whoever started us")]
fn serve(app: Router) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        eprintln!("at {}", listener.local_addr().unwrap());
        let shutdown = sift::serve::Shutdown::new();
        let rules = sift::serve::Rules { max_connections: 1_000, drain: Duration::from_secs(1) };
        sift::serve::run(listener, app, rules, shutdown).await;
    });
}
