//! What a hostile or broken peer may send, and what becomes of it.

use super::*;

async fn answer(bytes: impl Into<Vec<u8>>) -> Result<(u16, Vec<u8>), Error> {
    let origin = Origin::answering(bytes).await;
    Subject::literal(origin.opened()).read(Class::Fleet, &origin.url("127.0.0.1")).await
}

#[tokio::test]
async fn what_breaks_the_rules_of_http_is_a_bad_response() {
    for lie in [
        "",
        "<html>HTTP/0.9</html>",
        "HTTP/1.1 200",
        "HTTP/1.1 2OO OK\r\n\r\n",
        "HTTP/3.0 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551616\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloworld\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nhello\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: b\r\n folded\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: b\0c\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA b: c\r\nContent-Length: 0\r\n\r\n",
    ] {
        assert_eq!(answer(lie).await, Err(Error::UpstreamProtocol), "{lie:?}");
    }
}

#[tokio::test]
async fn an_answer_cut_anywhere_is_never_whole() {
    let whole = [&b"HTTP/1.1 200 OK\r\nContent-Length: 64\r\n\r\n"[..], &[b'x'; 64]].concat();
    let origin = Origin::answering("").await;
    let (subject, url) = (Subject::literal(origin.opened()), origin.url("127.0.0.1"));
    for cut in 0..whole.len() {
        *origin.answer.lock() = whole[..cut].to_vec();
        assert_eq!(subject.read(Class::Fleet, &url).await, Err(Error::UpstreamProtocol), "cut at {cut}");
    }
    *origin.answer.lock() = whole;
    assert_eq!(subject.read(Class::Fleet, &url).await, Ok((200, vec![b'x'; 64])));
}

#[tokio::test]
async fn lengths_that_contradict_are_read_as_http_says() {
    let both = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
    assert_eq!(answer(both).await, Ok((200, b"hello".to_vec())));
    assert_eq!(
        answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello, and more").await,
        Ok((200, b"hello".to_vec()))
    );
    assert_eq!(answer("HTTP/1.1 200 OK\r\n\r\nto the end").await, Ok((200, b"to the end".to_vec())));
}

#[tokio::test]
async fn a_head_has_at_most_128_headers_and_an_end() {
    let head = |count| format!("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n{}\r\n", "A: b\r\n".repeat(count - 1));
    assert_eq!(answer(head(HEADERS)).await, Ok((200, vec![])));
    assert_eq!(answer(head(HEADERS + 1)).await, Err(Error::UpstreamProtocol));
    let endless = format!("HTTP/1.1 200 OK\r\nA: {}", "b".repeat(1 << 20));
    assert_eq!(answer(endless).await, Err(Error::UpstreamProtocol));
}

#[tokio::test]
async fn the_answer_comes_as_it_is_on_the_wire() {
    let encoded = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 8\r\nSet-Cookie: a=b\r\n\r\nnot gzip";
    let origin = Origin::answering(encoded).await;
    let subject = Subject::literal(origin.opened());
    let response = subject.get(Class::Fleet, &origin.url("127.0.0.1")).await.unwrap();
    assert_eq!(
        (&response.headers["content-encoding"], &response.headers["content-length"]),
        (&"gzip".parse().unwrap(), &"8".parse().unwrap())
    );
    let body: Vec<Bytes> = response.body.try_collect().await.unwrap();
    assert_eq!(body.concat(), b"not gzip");
    // Nothing but what was asked for goes out, and no cookie comes back.
    subject.get(Class::Fleet, &origin.url("127.0.0.1")).await.unwrap();
    let sent = format!("GET / HTTP/1.1\r\naccept: */*\r\nhost: 127.0.0.1:{}\r\n\r\n", origin.port);
    assert_eq!(*origin.requests.lock(), [sent.clone(), sent]);
}

#[tokio::test]
async fn a_port_without_a_listener_could_not_be_connected() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let egress =
        Egress { allow_private: vec!["127.0.0.1/32".parse().unwrap()], allow_ports: vec![port], ..Egress::default() };
    let subject = Subject::literal(egress);
    for scheme in ["http", "https"] {
        let refused = subject.get(Class::Fleet, &format!("{scheme}://127.0.0.1:{port}/")).await;
        assert_eq!(refused.unwrap_err(), Error::UpstreamConnect, "{scheme}");
    }
}

#[tokio::test]
async fn a_peer_that_speaks_no_tls_is_a_failed_handshake() {
    for roots in [Roots::Platform, Roots::None] {
        let origin = Origin::answering("HTTP/1.1 400 Bad Request\r\n\r\n".repeat(100)).await;
        let policy = Arc::new(Policy::new(origin.opened(), Egress::default()));
        // A machine without certificates has no platform roots.
        let Ok(client) = client(roots, Vetted::new(Class::Fleet, policy, resolve::system())) else { continue };
        let plain = client.get(origin.url("127.0.0.1")).send().await.unwrap();
        assert_eq!(plain.status(), 400, "plain http works without certificates");
        let port = talk_at_once().await;
        let failed = client.get(format!("https://127.0.0.1:{port}/")).send().await.unwrap_err();
        assert_eq!(error::code(&failed), Error::UpstreamTls);
    }
}

/// A listener that says something that is no TLS to whoever connects.
async fn talk_at_once() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let _ = socket.write_all(b"220 ready\r\n").await;
            let _ = socket.read_to_end(&mut Vec::new()).await;
        }
    });
    port
}

#[tokio::test]
async fn fifteen_silent_seconds_within_a_body_are_too_long() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let silent = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let _ = socket.read(&mut [0; 1024]).await.unwrap();
        socket.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhell").await.unwrap();
        std::future::pending::<()>().await;
    });
    let egress =
        Egress { allow_private: vec!["127.0.0.1/32".parse().unwrap()], allow_ports: vec![port], ..Egress::default() };
    let mut body = Subject::literal(egress).get(Class::Fleet, &format!("http://127.0.0.1:{port}/")).await.unwrap().body;
    assert_eq!(body.try_next().await.unwrap().unwrap(), "hell");
    tokio::time::pause();
    let began = tokio::time::Instant::now();
    let end = tokio::time::timeout(2 * SILENCE, body.try_next()).await.unwrap();
    assert_eq!((end, began.elapsed().as_secs()), (Err(Error::UpstreamTimedOut), SILENCE.as_secs()));
    silent.abort();
}
