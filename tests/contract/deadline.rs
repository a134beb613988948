//! Promise: an extraction ends at its deadline, and nothing of it is left.

use crate::support::{Origin, Reply, World, pdfs, world};
use std::time::Duration;
use tokio::time::Instant;

#[tokio::test]
async fn a_child_past_its_deadline_is_killed_and_said_so() {
    let origin = Origin::start().await;
    let config = world::config(&[origin.address.port()], "[pdf]\ndeadline = \"1s\"");
    let world = World::start(&config);
    let url = origin.put("/slow.pdf", Reply::pdf(pdfs::slow(1)));
    let began = Instant::now();
    let answer = world.get_url(&url).await;
    assert_eq!((answer.status, answer.error().1), (422, "pdf extraction timed out"), "{}", answer.text);
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    assert!(world.childless(Duration::from_millis(500)).await, "{:?}", world.children());
    // A timeout says nothing about the document, so it is not remembered.
    assert_eq!(world.get_url(&url).await.status, 422);
    assert_eq!(origin.hits("/slow.pdf"), 2);
}
