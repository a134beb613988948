//! Faults that a child can only play when it isn't locked in.

use std::{
    env,
    io::{self, Read, Write},
    process::Command,
    thread,
    time::Duration,
};

const META: &str = "{\"meta\":{\"pages\":2}}\n";
const PAGES: &str = "{\"page\":1,\"text\":\"one\"}\n{\"page\":2,\"text\":\"two\"}\n";
const END: &str = "{\"end\":{\"pages\":2}}\n";

/// The fault of that name.
pub(crate) fn named(mode: &str) -> Option<fn()> {
    Some(match mode {
        "half-line" => || {
            say(&[META, "{\"page\":1,\"text\":\"one\"}\n{\"page\":2,\"te"]);
            std::process::abort();
        },
        "half-first-line" => || {
            say(&[META, "{\"page\":1,\"te"]);
            std::process::abort();
        },
        "killed" => || {
            say(&["{\"meta\":{\"pages\":12}}\n{\"page\":1,\"text\":\"one\"}\n"]);
            rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL).unwrap();
        },
        "no-sentinel" => || say(&[META, PAGES]),
        "flood" => || {
            let page = "a".repeat(1 << 20);
            say(&["{\"meta\":{\"pages\":100}}\n"]);
            for number in 1..=100 {
                say(&[&format!("{{\"page\":{number},\"text\":\"{page}\"}}\n")]);
            }
            rest();
        },
        "long-line" => || {
            say(&[META, "{\"page\":1,\"text\":\""]);
            let block = "a".repeat(1 << 20);
            for _ in 0..100 {
                say(&[&block]);
            }
            rest();
        },
        "stderr" => || {
            let block = vec![b'x'; 1 << 20];
            for _ in 0..64 {
                io::stderr().write_all(&block).unwrap();
            }
            answer();
        },
        "deaf" => rest,
        "early" => answer,
        "late-reader" => || {
            // Writes more than a pipe holds before it reads what doesn't fit into a pipe either.
            let page = "a".repeat(1 << 20);
            say(&["{\"meta\":{\"pages\":2}}\n"]);
            for number in 1..=2 {
                say(&[&format!("{{\"page\":{number},\"text\":\"{page}\"}}\n")]);
            }
            io::stdin().read_to_end(&mut Vec::new()).unwrap();
            say(&[END]);
        },
        "grandchild" => leave_a_grandchild,
        "many-pages" => || say(&[META, "{\"page\":1,\"text\":\"one\"}\n{\"page\":1000000000,\"text\":\"x\"}\n"]),
        "negative-page" => || say(&[META, "{\"page\":-1,\"text\":\"x\"}\n", END]),
        "surrogate" => || say(&[META, "{\"page\":1,\"text\":\"\\ud800\"}\n", END]),
        "nested" => || say(&[META, &"[".repeat(100_000), "\n"]),
        "not-utf-8" => || io::stdout().write_all(b"{\"meta\":{\"pages\":2,\"title\":\"\xFF\"}}\n").unwrap(),
        _ => return None,
    })
}

#[expect(clippy::zombie_processes, reason = "the fault itself")]
fn leave_a_grandchild() {
    let marker = env::args().nth(2).unwrap();
    Command::new("/proc/self/exe").args(["deaf", &marker]).spawn().unwrap();
    answer();
}

fn answer() {
    say(&[META, PAGES, END]);
}

/// Writes as far as somebody reads.
fn say(lines: &[&str]) {
    let mut stdout = io::stdout().lock();
    let _ = lines.iter().try_for_each(|line| stdout.write_all(line.as_bytes())).and_then(|()| stdout.flush());
}

/// Stays until it is killed.
fn rest() {
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}
