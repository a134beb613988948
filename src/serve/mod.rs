//! Accepts connections and serves them until told to stop.
//!
//! `axum::serve` would do but for three rules: a connection that sends nothing is closed, connections are counted, and
//! the end is graceful for a limited time.

mod patient;
mod shutdown;

pub use shutdown::{Shutdown, signals};

use axum::Router;
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto::Builder,
    service::TowerToHyperService,
};
use patient::Patient;
use std::{io, pin::pin, sync::Arc, time::Duration};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::JoinSet,
};

/// How long a client may take to send a request's head, the first bytes included.
const HEAD: Duration = Duration::from_secs(10);
/// How long a client may take none of an answer's bytes.
const STALL: Duration = Duration::from_secs(30);
/// How long an HTTP/2 client may be silent before it is asked whether it is there, and how long it may take to say so.
const PING: (Duration, Duration) = (Duration::from_secs(20), Duration::from_secs(10));
/// Requests at once on one HTTP/2 connection.
const STREAMS: u32 = 64;
/// The most bytes of a request's head.
const LARGEST_HEAD: u32 = 32 << 10;
/// The pause after an accept that failed for want of something, such as file descriptors: it would fail again at once.
const RELIEF: Duration = Duration::from_millis(50);

/// What a listener's connections may cost.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Connections at once. More wait in the kernel's queue.
    pub max_connections: usize,
    /// How long requests under way may take once the process is told to stop.
    pub drain: Duration,
}

/// How serving ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All requests were answered.
    Drained,
    /// The time was up, and so many connections were cut.
    TimedOut(usize),
    /// The operator was out of patience, and so many connections were cut.
    Cut(usize),
}

/// Serves `app` on `listener` until `shutdown` says so; then lets requests under way finish.
pub async fn run(listener: TcpListener, app: Router, rules: Rules, shutdown: Shutdown) -> Ended {
    let mut connections = JoinSet::new();
    tokio::select! {
        () = accept(&listener, &app, rules, &shutdown, &mut connections) => {}
        () = shutdown.draining() => {}
    }
    // Closed before anything is waited for, so that new clients are refused at once and go elsewhere.
    drop(listener);
    let ended = tokio::select! {
        biased;
        () = async { while connections.join_next().await.is_some() {} } => Ended::Drained,
        () = shutdown.ending() => Ended::Cut(connections.len()),
        () = tokio::time::sleep(rules.drain) => Ended::TimedOut(connections.len()),
    };
    // Waits for their ends: what a request holds (a child, a spool file) is released before the process goes on.
    connections.shutdown().await;
    ended
}

async fn accept(
    listener: &TcpListener,
    app: &Router,
    rules: Rules,
    shutdown: &Shutdown,
    connections: &mut JoinSet<()>,
) {
    let free = Arc::new(Semaphore::new(rules.max_connections.min(Semaphore::MAX_PERMITS)));
    let mut failing = false;
    loop {
        // Never closed, so never an error.
        let Ok(permit) = free.clone().acquire_owned().await else { return };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(_) = connections.join_next() => continue,
        };
        match accepted {
            Ok((stream, _)) => {
                failing = false;
                let (app, shutdown) = (app.clone(), shutdown.clone());
                connections.spawn(async move {
                    serve(stream, app, shutdown).await;
                    drop(permit);
                });
            }
            // The client's own doing, and over.
            Err(error) if is_of_client(&error) => {}
            Err(error) => {
                // Once per row of failures: the pause is short.
                if !std::mem::replace(&mut failing, true) {
                    tracing::error!(errno = error.raw_os_error(), "no connection can be accepted");
                }
                tokio::time::sleep(RELIEF).await;
            }
        }
    }
}

fn is_of_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Serves one connection to its end. How it ends is the client's business, and on the line of its request.
async fn serve(stream: TcpStream, app: Router, shutdown: Shutdown) {
    // Answers are written in one piece: waiting to fill packets only delays their ends.
    let _ = stream.set_nodelay(true);
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(LARGEST_HEAD as usize);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(PING.0)
        .keep_alive_timeout(PING.1)
        .max_concurrent_streams(STREAMS)
        .max_header_list_size(LARGEST_HEAD);
    let io = TokioIo::new(Patient::new(stream, HEAD, STALL));
    let mut connection = pin!(builder.serve_connection(io, TowerToHyperService::new(app)));
    tokio::select! {
        _ = connection.as_mut() => return,
        () = shutdown.draining() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

#[cfg(test)]
mod tests;
