//! Promise: the kind follows from the header and the bytes, and the bytes win.

use crate::support::{Origin, Reply, World, pdfs};

#[tokio::test]
async fn a_pdf_is_known_by_its_header_or_by_its_bytes() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let mut junk = vec![b' '; 1_000];
    junk.extend(pdfs::report(3));
    for (path, reply) in [
        ("/header.pdf", Reply::pdf(pdfs::report(3))),
        ("/x-pdf", Reply::new("application/x-pdf", pdfs::report(3))),
        ("/bytes", Reply::new("application/octet-stream", pdfs::report(3))),
        ("/bytes-behind-junk", Reply::new("application/octet-stream", junk)),
        ("/no-type", Reply::new("", pdfs::report(3))),
    ] {
        let answer = world.get_url(&origin.put(path, reply)).await;
        assert_eq!((answer.status, &answer.body["kind"]), (200, &"pdf".into()), "{path}: {}", answer.text);
        assert_eq!(answer.body["pdf"]["pages"], 3, "{path}");
    }
}

#[tokio::test]
async fn html_never_takes_the_pdf_path() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let page = "<!doctype html><html><body><article><h1>Log in</h1><p>A PDF begins with %PDF-1.7, they say, and then \
                goes on with objects, which this page does not.</p></article></body></html>";
    for (path, media) in [("/about", "text/html"), ("/login.pdf", "application/pdf")] {
        let answer = world.get_url(&origin.put(path, Reply::new(media, page))).await;
        assert_eq!((answer.status, &answer.body["kind"]), (200, &"html".into()), "{path}: {}", answer.text);
        assert!(answer.content().contains("goes on with objects"), "{path}");
    }
    assert!(world.extractions().await.abs() < f64::EPSILON, "no child was asked");
}

#[tokio::test]
async fn json_and_text_come_back_as_text() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let json = world.get_url(&origin.put("/a.json", Reply::new("application/json", r#"{"b":1.50,"a":[true]}"#))).await;
    assert_eq!(json.body["kind"], "json");
    assert!(json.content().contains("1.50"), "numbers stay as written");
    let text = world.get_url(&origin.put("/a.txt", Reply::new("text/plain", "one  line\n# not a heading?\n"))).await;
    assert_eq!(text.body["kind"], "text");
    assert_eq!(text.content().trim(), "one  line\n# not a heading?");
    let image =
        world.get_url(&origin.put("/a.png", Reply::new("image/png", b"\x89PNG\r\n\x1a\n\0\0".as_slice()))).await;
    assert_eq!(image.error(), (415, "unsupported content type: image/png", "browser"));
}
