//! The real binary, serving on loopback with a folder of its own.

use parking_lot::Mutex;
use serde_json::{Value, json};
use std::{
    fmt::Write,
    io::{BufRead, BufReader, Read},
    net::SocketAddr,
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{Arc, mpsc},
    time::Duration,
};
use tokio::time::Instant;

/// A running `sift serve`. It ends when it is dropped.
pub struct World {
    pub address: SocketAddr,
    pub admin: SocketAddr,
    pub folder: tempfile::TempDir,
    log: Arc<Mutex<String>>,
    child: Child,
    client: reqwest::Client,
}

/// A response, read whole.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub retry_after: Option<String>,
    pub text: String,
    pub body: Value,
}

/// SHA-256 of `token-fleet-N` and `token-restricted`, as `printf TOKEN | sha256sum` gives them.
pub fn token_hash(token: &str) -> String {
    use sha2::{Digest, Sha256};
    Sha256::digest(token.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The path of the binary under test.
pub fn sift() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_sift"))
}

/// A configuration that lets the fleet reach the loopback ports of a test, and nothing else.
pub fn config(ports: &[u16], extra: &str) -> String {
    format!(
        "[server]\nlisten = \"127.0.0.1:0\"\n[admin]\nlisten = \"127.0.0.1:0\"\n[egress]\nallow_private = [\"127.0.0.1/32\"]\nallow_ports = {ports:?}\n{extra}\n"
    )
}

/// Callers `fleet-1` … `fleet-8` and `restricted`, with the tokens `token-NAME`.
pub fn callers() -> String {
    let mut text = String::new();
    let names = (1..=8).map(|n| (format!("fleet-{n}"), "fleet")).chain([("restricted".to_owned(), "restricted")]);
    for (name, class) in names {
        let hash = token_hash(&format!("token-{name}"));
        let _ = writeln!(text, "[[caller]]\nname = \"{name}\"\nclass = \"{class}\"\ntoken_sha256 = \"{hash}\"");
    }
    text
}

impl World {
    /// Starts with a whole configuration file.
    pub fn start(config: &str) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), config)
    }

    /// Starts in a folder that is there already, cache and all.
    pub fn start_in(folder: tempfile::TempDir, config: &str) -> Self {
        Self::launch(folder, config, Command::new(sift()))
    }

    /// Starts where the test's own name server is the only one.
    pub fn with_dns(_dns: &super::Dns, config: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let command = super::Dns::command(folder.path(), &sift());
        Self::launch(folder, config, command)
    }

    fn launch(folder: tempfile::TempDir, config: &str, mut command: Command) -> Self {
        let file = folder.path().join("config.toml");
        std::fs::write(&file, config).unwrap();
        let mut child = command
            .arg("--config")
            .arg(&file)
            .arg("serve")
            .env_clear()
            .env("PATH", std::env::var("PATH").unwrap_or_default())
            .env("SIFT_CACHE_DIR", folder.path().join("cache"))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (log, (heard, addresses)) = (Arc::<Mutex<String>>::default(), mpsc::channel());
        let (stderr, kept) = (child.stderr.take().unwrap(), log.clone());
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                if let Ok(line) = serde_json::from_str::<Value>(&line) {
                    for name in ["listen", "admin"] {
                        if let Some(address) = line[name].as_str().or_else(|| line["fields"][name].as_str()) {
                            let _ = heard.send((name, address.parse::<SocketAddr>().unwrap()));
                        }
                    }
                }
                let mut log = kept.lock();
                log.push_str(&line);
                log.push('\n');
            }
        });
        let (mut address, mut admin) = (None, None);
        while address.is_none() || admin.is_none() {
            match addresses.recv_timeout(Duration::from_secs(20)) {
                Ok(("listen", found)) => address = Some(found),
                Ok((_, found)) => admin = Some(found),
                Err(_) => panic!("sift did not start: {}", log.lock()),
            }
        }
        #[expect(clippy::disallowed_methods, reason = "a client of the server under test")]
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        Self { address: address.unwrap(), admin: admin.unwrap(), folder, log, child, client }
    }

    /// A world for one origin, with no callers configured.
    pub fn open(origin: &super::Origin) -> Self {
        Self::start(&config(&[origin.address.port()], ""))
    }

    pub async fn fetch(&self, body: Value) -> Answer {
        self.post("/v1/fetch", "", body).await
    }

    pub async fn get_url(&self, url: &str) -> Answer {
        self.fetch(json!({ "url": url })).await
    }

    pub async fn fetch_as(&self, caller: &str, body: Value) -> Answer {
        self.post("/v1/fetch", caller, body).await
    }

    pub async fn post(&self, path: &str, caller: &str, body: Value) -> Answer {
        let mut request = self.client.post(format!("http://{}{path}", self.address)).body(body.to_string());
        if !caller.is_empty() {
            request = request.bearer_auth(format!("token-{caller}"));
        }
        Answer::read(request.header("content-type", "application/json").send().await.unwrap()).await
    }

    /// The text of an admin page.
    pub async fn admin(&self, path: &str) -> String {
        self.client.get(format!("http://{}{path}", self.admin)).send().await.unwrap().text().await.unwrap()
    }

    /// The value of a metric, or zero.
    pub async fn metric(&self, line: &str) -> f64 {
        let page = self.admin("/metrics").await;
        let found = page.lines().find_map(|text| text.strip_prefix(line)?.strip_prefix(' '));
        found.map_or(0.0, |value| value.trim().parse().unwrap())
    }

    /// How many extractions of PDFs there were, however they ended.
    pub async fn extractions(&self) -> f64 {
        let page = self.admin("/metrics").await;
        let values = page.lines().filter(|line| line.starts_with("sift_pdf_extract_total{"));
        values.map(|line| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap()).sum()
    }

    /// The children of the server that are still there.
    pub fn children(&self) -> Vec<u32> {
        let parent = self.child.id().to_string();
        let all =
            std::fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        let is_child = |pid: &u32| {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            stat.rsplit(") ").next().and_then(|rest| rest.split(' ').nth(1)) == Some(parent.as_str())
        };
        all.filter(is_child).collect()
    }

    /// Waits until the children are gone.
    pub async fn childless(&self, within: Duration) -> bool {
        let began = Instant::now();
        while began.elapsed() < within {
            if self.children().is_empty() {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        false
    }

    /// The most memory that the program has taken so far, in MB; none where the system doesn't say.
    pub fn peak_memory_mb(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        peak.trim().trim_end_matches(" kB").parse::<u64>().ok().map(|kb| kb / 1024)
    }

    /// How many descriptors the program has open; none where the system doesn't say.
    pub fn descriptors(&self) -> Option<usize> {
        Some(std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).ok()?.count())
    }

    /// Everything that went to standard error so far.
    pub fn log(&self) -> String {
        self.log.lock().clone()
    }

    /// Ends the process as an operator would, and gives back its folder.
    pub fn stop(mut self) -> tempfile::TempDir {
        rustix::process::kill_process(self.pid(), rustix::process::Signal::TERM).unwrap();
        self.child.wait().unwrap();
        std::mem::replace(&mut self.folder, tempfile::tempdir().unwrap())
    }

    fn pid(&self) -> rustix::process::Pid {
        rustix::process::Pid::from_child(&self.child)
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    async fn read(response: reqwest::Response) -> Self {
        let status = response.status().as_u16();
        let header = response.headers().get("retry-after");
        let retry_after = header.and_then(|value| value.to_str().ok()).map(str::to_owned);
        let text = response.text().await.unwrap();
        Self { status, retry_after, body: serde_json::from_str(&text).unwrap_or_default(), text }
    }

    pub fn content(&self) -> &str {
        self.body["content"].as_str().unwrap_or_else(|| panic!("no content: {}", self.text))
    }

    pub fn error(&self) -> (u16, &str, &str) {
        let text = |name: &str| self.body[name].as_str().unwrap_or_default();
        (self.status, text("error"), text("hint"))
    }
}

/// Runs the command line to its end.
pub fn run(args: &[&str], environment: &[(&str, &str)]) -> (i32, String, String) {
    let mut child = Command::new(sift())
        .args(args)
        .env_clear()
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    (child.wait().unwrap().code().unwrap_or(-1), out, err)
}
