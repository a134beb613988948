//! Promise: text is what stands on the page.

use crate::support::{Origin, Reply, World};

/// The Universal Declaration of Human Rights in Russian, by Acrobat Distiller 5 (2001); see the README beside it.
const RUSSIAN: &[u8] = include_bytes!("../testdata/pdf/udhr-russian.pdf");

#[tokio::test]
async fn the_russian_declaration_comes_out_right() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let answer = world.get_url(&origin.put("/rus.pdf", Reply::pdf(RUSSIAN.to_vec()))).await;
    let words = answer.content().split_whitespace().collect::<Vec<_>>().join(" ");
    for phrase in [
        "Всеобщая декларация прав человека",
        "Все люди рождаются свободными и равными в своем достоинстве и правах",
        "10 декабря 1948 года",
        "Статья 30",
    ] {
        assert!(words.contains(phrase), "lacks {phrase:?}: {}", &words.chars().take(3_000).collect::<String>());
    }
}
