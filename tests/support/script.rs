//! An origin that speaks raw bytes: each path has a script of what is written to whoever asks, whatever was asked.

use parking_lot::Mutex;
use std::{collections::HashMap, net::SocketAddr, sync::Arc, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// A step of a script.
#[derive(Clone, Debug)]
pub enum Step {
    /// Writes these bytes.
    Send(Vec<u8>),
    /// Writes these bytes again and again, so many times or until nobody reads them.
    Flood(Vec<u8>, usize),
    /// Writes nothing for a while.
    Wait(Duration),
    /// Keeps the connection open until the other side ends it.
    Hang,
}

/// A server on loopback that follows scripts. It stops when it is dropped.
pub struct Scripted {
    pub address: SocketAddr,
    state: Arc<Mutex<State>>,
    task: tokio::task::JoinHandle<()>,
}

#[derive(Default)]
struct State {
    scripts: HashMap<String, Vec<Step>>,
    hits: HashMap<String, usize>,
    sent: u64,
}

// === impl Scripted ===

impl Scripted {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::<Mutex<State>>::default();
        let shared = state.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(follow(stream, shared.clone()));
            }
        });
        Self { address, state, task }
    }

    /// Answers `path` by this script from now on; gives the address of it.
    pub fn put(&self, path: &str, script: Vec<Step>) -> String {
        self.state.lock().scripts.insert(path.to_owned(), script);
        format!("http://{}{path}", self.address)
    }

    /// How often a path was asked for.
    pub fn hits(&self, path: &str) -> usize {
        self.state.lock().hits.get(path).copied().unwrap_or(0)
    }

    /// How many bytes left this server.
    pub fn sent(&self) -> u64 {
        self.state.lock().sent
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Reads the head of a request and writes what its path's script says.
async fn follow(mut stream: TcpStream, state: Arc<Mutex<State>>) {
    let mut head = Vec::new();
    let mut buffer = [0; 4096];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return,
            Ok(read) => head.extend_from_slice(&buffer[..read]),
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let script = {
        let mut state = state.lock();
        *state.hits.entry(path.clone()).or_default() += 1;
        state.scripts.get(&path).cloned().unwrap_or_default()
    };
    for step in script {
        let (bytes, times) = match step {
            Step::Send(bytes) => (bytes, 1),
            Step::Flood(bytes, times) => (bytes, times),
            Step::Wait(time) => {
                tokio::time::sleep(time).await;
                continue;
            }
            Step::Hang => {
                while stream.read(&mut buffer).await.is_ok_and(|read| read > 0) {}
                return;
            }
        };
        for _ in 0..times {
            if stream.write_all(&bytes).await.is_err() {
                return;
            }
            state.lock().sent += bytes.len() as u64;
        }
    }
    let _ = stream.shutdown().await;
}
