//! The client against a scripted origin on loopback, which is reached through the operator's setting only.

mod names;
mod wall;
mod wire;

use super::*;
use bytes::Bytes;
use http::HeaderMap;
use parking_lot::Mutex;
use sift_layers::{PageUrl, guard::Egress};
use std::{
    io,
    net::IpAddr,
    sync::atomic::{AtomicUsize, Ordering::SeqCst},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};
use tower::ServiceExt;

const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

/// An origin that answers every request with the same bytes. Unless they begin with [`OK`], it closes the connection.
struct Origin {
    port: u16,
    connections: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<String>>>,
    answer: Arc<Mutex<Vec<u8>>>,
}

/// A client whose policies and answers a test wrote.
struct Subject {
    upstream: Upstream,
    metrics: Arc<Metrics>,
}

impl Origin {
    async fn answering(answer: impl Into<Vec<u8>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let answer = Arc::new(Mutex::new(answer.into()));
        let port = listener.local_addr().unwrap().port();
        let origin = Self { port, connections: Arc::default(), requests: Arc::default(), answer: answer.clone() };
        let (connections, requests) = (origin.connections.clone(), origin.requests.clone());
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                connections.fetch_add(1, SeqCst);
                let (answer, requests) = (answer.clone(), requests.clone());
                tokio::spawn(async move {
                    let mut request = Vec::new();
                    while let Ok(byte) = socket.read_u8().await {
                        request.push(byte);
                        if request.ends_with(b"\r\n\r\n") {
                            requests.lock().push(String::from_utf8(std::mem::take(&mut request)).unwrap());
                            let answer = answer.lock().clone();
                            let _ = socket.write_all(&answer).await;
                            if !answer.starts_with(OK) {
                                break;
                            }
                        }
                    }
                });
            }
        });
        origin
    }

    fn connections(&self) -> usize {
        self.connections.load(SeqCst)
    }

    /// Opens this origin's port, and nothing else.
    fn port_only(&self) -> Egress {
        Egress { allow_ports: vec![self.port], ..Egress::default() }
    }

    /// Opens this origin.
    fn opened(&self) -> Egress {
        Egress { allow_private: vec!["127.0.0.1/32".parse().unwrap()], ..self.port_only() }
    }

    fn url(&self, host: &str) -> String {
        format!("http://{host}:{}/", self.port)
    }
}

impl Subject {
    fn new(fleet: Egress, restricted: Egress, lookup: &Lookup) -> Self {
        let (policy, metrics) = (Arc::new(Policy::new(fleet, restricted)), Arc::new(Metrics::default()));
        Self { upstream: upstream_with(policy, metrics.clone(), lookup).unwrap(), metrics }
    }

    /// For addresses written out.
    fn literal(fleet: Egress) -> Self {
        let lookup: Lookup = Arc::new(|_| panic!("an address was looked up"));
        Self::new(fleet, Egress::default(), &lookup)
    }

    /// For names that all have the same addresses.
    fn named(fleet: Egress, addresses: &[&str]) -> Self {
        let addresses: Vec<IpAddr> = addresses.iter().map(|address| address.parse().unwrap()).collect();
        let lookup: Lookup = Arc::new(move |_| Ok(addresses.clone()));
        Self::new(fleet, Egress::default(), &lookup)
    }

    async fn get(&self, class: Class, url: &str) -> Result<Response, Error> {
        let request = Request { class, url: PageUrl::parse(url).unwrap(), headers: HeaderMap::new() };
        self.upstream.clone().oneshot(request).await
    }

    /// The status and the whole body.
    async fn read(&self, class: Class, url: &str) -> Result<(u16, Vec<u8>), Error> {
        let response = self.get(class, url).await?;
        let body: Vec<Bytes> = response.body.try_collect().await?;
        Ok((response.status, body.concat()))
    }

    fn refused(&self, reason: &'static str) -> u64 {
        self.metrics.guard_refused.get_or_create(&[("reason", reason)]).get()
    }
}
