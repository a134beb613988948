//! Connections that mean no good, and the way out.

use super::*;
use axum::{
    body::{Body, Bytes},
    routing::get,
};
use rustix::process::{Signal, getpid, kill_process};
use std::{
    net::SocketAddr,
    sync::atomic::{AtomicUsize, Ordering},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    sync::{Notify, mpsc},
    task::JoinHandle,
    time::{Instant, sleep, timeout},
};

const RULES: Rules = Rules { max_connections: 100, drain: Duration::from_secs(70) };
const GET: &[u8] = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n";

/// A server under test.
struct Server {
    address: SocketAddr,
    shutdown: Shutdown,
    ended: JoinHandle<Ended>,
    /// A message whenever what a request held was released.
    released: mpsc::UnboundedReceiver<()>,
}

struct Held(mpsc::UnboundedSender<()>);

impl Drop for Held {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}

impl Server {
    /// Answers `/` at once, `/SECONDS` later, and `/endless` without an end.
    async fn start(rules: Rules) -> Self {
        let (sender, released) = mpsc::unbounded_channel();
        let other = sender.clone();
        let slow = async move |axum::extract::Path(seconds): axum::extract::Path<u64>| {
            let _held = Held(sender);
            sleep(Duration::from_secs(seconds)).await;
            "late"
        };
        let endless = async move || {
            let held = Held(other);
            Body::from_stream(futures::stream::repeat_with(move || {
                let _held = &held;
                Ok::<_, io::Error>(Bytes::from_static(&[b'x'; 1 << 12]))
            }))
        };
        let app = Router::new().route("/", get("ok")).route("/{seconds}", get(slow)).route("/endless", get(endless));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, shutdown) = (listener.local_addr().unwrap(), Shutdown::default());
        let ended = tokio::spawn(run(listener, app, rules, shutdown.clone()));
        Self { address, shutdown, ended, released }
    }

    async fn send(&self, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(bytes).await.unwrap();
        stream
    }
}

/// Everything until the other side closes; a reset is an end, too.
async fn rest(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes).await;
    String::from_utf8_lossy(&bytes).into_owned()
}

async fn some(stream: &mut TcpStream) -> String {
    let mut bytes = vec![0; 1 << 12];
    let length = stream.read(&mut bytes).await.unwrap();
    String::from_utf8_lossy(&bytes[..length]).into_owned()
}

#[tokio::test(start_paused = true)]
async fn a_head_that_does_not_come_is_waited_for_ten_seconds() {
    let server = Server::start(RULES).await;
    for bytes in [&b""[..], b"P", b"PRI * HTTP/2.0\r\n", b"G", b"POST / HTTP/1.1\r\nhost:"] {
        let began = Instant::now();
        rest(server.send(bytes).await).await;
        let took = began.elapsed();
        assert!(took >= HEAD && took < HEAD * 2, "{took:?} for {:?}", String::from_utf8_lossy(bytes));
    }
}

#[tokio::test(start_paused = true)]
async fn a_head_that_comes_slowly_is_read_and_its_answer_may_take_longer() {
    let server = Server::start(RULES).await;
    let mut stream = server.send(b"G").await;
    sleep(Duration::from_secs(9)).await;
    stream.write_all(b"ET /30 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await.unwrap();
    assert!(rest(stream).await.ends_with("late"));
}

#[tokio::test(start_paused = true)]
async fn an_open_connection_without_a_further_request_is_closed() {
    let server = Server::start(RULES).await;
    let mut stream = server.send(GET).await;
    assert!(some(&mut stream).await.ends_with("ok"));
    sleep(Duration::from_secs(9)).await;
    stream.write_all(GET).await.unwrap();
    assert!(some(&mut stream).await.ends_with("ok"), "it is kept alive meanwhile");
    let began = Instant::now();
    rest(stream).await;
    assert!(began.elapsed() >= HEAD && began.elapsed() < HEAD * 2, "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn http2_is_spoken_and_its_silent_clients_are_pinged_out() {
    let server = Server::start(RULES).await;
    let mut hello = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    hello.extend([0, 0, 0, 4, 0, 0, 0, 0, 0]); // SETTINGS, empty
    hello.extend([0, 0, 3, 1, 5, 0, 0, 0, 1, 0x82, 0x86, 0x84]); // HEADERS: GET http /, the whole request
    let began = Instant::now();
    assert!(rest(server.send(&hello).await).await.contains("ok"));
    let took = began.elapsed();
    assert!(took >= PING.0 && took < Duration::from_secs(40), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn connections_above_the_limit_wait_until_one_ends() {
    let server = Server::start(Rules { max_connections: 1, ..RULES }).await;
    let first = server.send(b"").await;
    let mut second = server.send(GET).await;
    let began = Instant::now();
    assert!(timeout(Duration::from_secs(9), second.readable()).await.is_err(), "not accepted yet");
    assert!(some(&mut second).await.ends_with("ok"));
    assert!(began.elapsed() >= HEAD, "the first was in the way until its time was up");
    drop(first);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_leaves_ends_its_request() {
    let mut server = Server::start(RULES).await;
    let stream = server.send(b"GET /1000 HTTP/1.1\r\nhost: x\r\n\r\n").await;
    sleep(Duration::from_secs(1)).await;
    let began = Instant::now();
    drop(stream);
    server.released.recv().await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_take_its_answer_is_cut_off() {
    let mut server = Server::start(RULES).await;
    let stream = server.send(b"GET /endless HTTP/1.1\r\nhost: x\r\n\r\n").await;
    let began = Instant::now();
    server.released.recv().await.unwrap();
    assert!(began.elapsed() >= STALL && began.elapsed() < STALL * 2, "{:?}", began.elapsed());
    drop(stream);
}

#[tokio::test(start_paused = true)]
async fn a_drain_finishes_requests_closes_idle_connections_and_takes_no_new_ones() {
    let server = Server::start(RULES).await;
    let busy = server.send(b"GET /60 HTTP/1.1\r\nhost: x\r\n\r\n").await;
    let mut idle = server.send(GET).await;
    assert!(some(&mut idle).await.ends_with("ok"));
    let opening = server.send(b"").await;
    sleep(Duration::from_secs(1)).await;
    server.shutdown.drain();
    let began = Instant::now();
    rest(idle).await;
    rest(opening).await;
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    assert!(TcpStream::connect(server.address).await.is_err(), "nobody listens");
    assert!(rest(busy).await.ends_with("late"));
    assert_eq!(server.ended.await.unwrap(), Ended::Drained);
}

#[tokio::test(start_paused = true)]
async fn a_drain_has_an_end() {
    let mut server = Server::start(RULES).await;
    let stream = server.send(b"GET /1000 HTTP/1.1\r\nhost: x\r\n\r\n").await;
    sleep(Duration::from_secs(1)).await;
    server.shutdown.drain();
    let began = Instant::now();
    assert_eq!(server.ended.await.unwrap(), Ended::TimedOut(1));
    assert!(began.elapsed() >= RULES.drain && began.elapsed() < RULES.drain * 2, "{:?}", began.elapsed());
    assert!(server.released.try_recv().is_ok(), "what the request held is released before the end");
    drop(stream);
}

#[tokio::test(start_paused = true)]
async fn the_second_call_ends_everything_at_once() {
    let mut server = Server::start(RULES).await;
    let stream = server.send(b"GET /1000 HTTP/1.1\r\nhost: x\r\n\r\n").await;
    sleep(Duration::from_secs(1)).await;
    server.shutdown.drain();
    sleep(Duration::from_secs(5)).await;
    server.shutdown.end();
    server.shutdown.drain();
    let began = Instant::now();
    assert_eq!(server.ended.await.unwrap(), Ended::Cut(1));
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    assert!(server.released.try_recv().is_ok());
    drop(stream);
}

#[tokio::test]
async fn signals_reload_then_drain_then_end() {
    let (shutdown, reloads, reloaded) = (Shutdown::default(), Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
    let (count, told) = (reloads.clone(), reloaded.clone());
    let reload = move || {
        count.fetch_add(1, Ordering::Relaxed);
        told.notify_one();
    };
    let listening = tokio::spawn(signals(shutdown.clone(), reload));
    // One turn of the only thread: the handlers stand.
    tokio::task::yield_now().await;
    let send = |signal| kill_process(getpid(), signal).unwrap();
    send(Signal::HUP);
    reloaded.notified().await;
    assert!(!shutdown.is_draining());
    send(Signal::TERM);
    shutdown.draining().await;
    assert!(timeout(Duration::from_millis(20), shutdown.ending()).await.is_err());
    send(Signal::INT);
    shutdown.ending().await;
    assert_eq!(reloads.load(Ordering::Relaxed), 1);
    listening.abort();
}
