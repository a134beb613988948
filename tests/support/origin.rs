//! An origin that does what a test tells it: counts, stalls, lies about lengths.

use parking_lot::Mutex;
use std::{collections::HashMap, fmt::Write, net::SocketAddr, sync::Arc, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// A server on loopback. It stops when it is dropped.
pub struct Origin {
    pub address: SocketAddr,
    state: Arc<Mutex<State>>,
    task: tokio::task::JoinHandle<()>,
}

/// What is answered to one path.
#[derive(Clone, Default)]
pub struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    body: Arc<Vec<u8>>,
    /// Repeats the body so many times, as a stream.
    times: usize,
    declared: Option<Option<u64>>,
    delay: Duration,
    etag: Option<String>,
}

#[derive(Default)]
struct State {
    replies: HashMap<String, Reply>,
    hits: HashMap<String, usize>,
    confirmed: usize,
    accepted: usize,
    sent: u64,
}

impl Origin {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::<Mutex<State>>::default();
        let shared = state.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                shared.lock().accepted += 1;
                tokio::spawn(serve(stream, shared.clone()));
            }
        });
        Self { address, state, task }
    }

    /// Answers `path` with `reply` from now on; gives the address of it.
    pub fn put(&self, path: &str, reply: Reply) -> String {
        self.state.lock().replies.insert(path.to_owned(), reply);
        self.url(path)
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// How often a path was asked for.
    pub fn hits(&self, path: &str) -> usize {
        self.state.lock().hits.get(path).copied().unwrap_or(0)
    }

    /// How many conditional requests were answered with 304.
    pub fn confirmed(&self) -> usize {
        self.state.lock().confirmed
    }

    /// How many connections there were.
    pub fn accepted(&self) -> usize {
        self.state.lock().accepted
    }

    /// How many bytes of bodies left this server.
    pub fn sent(&self) -> u64 {
        self.state.lock().sent
    }
}

impl Drop for Origin {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Reply {
    pub fn new(content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let headers = if content_type.is_empty() { vec![] } else { vec![("Content-Type".into(), content_type.into())] };
        Self { status: 200, headers, body: Arc::new(body.into()), times: 1, ..Self::default() }
    }

    pub fn html(body: &str) -> Self {
        Self::new("text/html; charset=utf-8", body)
    }

    pub fn pdf(body: Vec<u8>) -> Self {
        Self::new("application/pdf", body)
    }

    pub fn redirect(to: &str) -> Self {
        Self { status: 302, ..Self::new("", "") }.header("Location", to)
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    pub fn status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// Waits before the head.
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Answers 304 to who has it.
    pub fn etag(mut self, etag: &str) -> Self {
        self.etag = Some(etag.into());
        self
    }

    /// Says another length, or none at all.
    pub fn declared(mut self, length: Option<u64>) -> Self {
        self.declared = Some(length);
        self
    }

    /// The body so many times over.
    pub fn times(mut self, times: usize) -> Self {
        self.times = times;
        self
    }
}

async fn serve(mut stream: TcpStream, state: Arc<Mutex<State>>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let reply = {
        let mut state = state.lock();
        *state.hits.entry(path.clone()).or_default() += 1;
        state.replies.get(&path).cloned()
    };
    let mut reply = reply.unwrap_or_else(|| Reply::new("text/plain", "no").status(404));
    tokio::time::sleep(reply.delay).await;
    if let Some(etag) = reply.etag.clone() {
        if head.to_ascii_lowercase().contains(&format!("if-none-match: {}", etag.to_ascii_lowercase())) {
            state.lock().confirmed += 1;
            reply = Reply { status: 304, headers: vec![], ..Reply::new("", "") };
        }
        reply = reply.header("ETag", &etag);
    }
    let mut text = format!("HTTP/1.1 {} X\r\nConnection: close\r\n", reply.status);
    let length = (reply.body.len() * reply.times) as u64;
    if let Some(length) = reply.declared.unwrap_or(Some(length)) {
        let _ = write!(text, "Content-Length: {length}\r\n");
    }
    for (name, value) in &reply.headers {
        let _ = write!(text, "{name}: {value}\r\n");
    }
    text.push_str("\r\n");
    let _ = stream.write_all(text.as_bytes()).await;
    for _ in 0..reply.times {
        if stream.write_all(&reply.body).await.is_err() {
            return;
        }
        state.lock().sent += reply.body.len() as u64;
    }
    let _ = stream.shutdown().await;
}
