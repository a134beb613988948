//! What one class kept, the other never sees: in no answer, and in no count.

use super::*;
use proptest::{collection::vec, prelude::*};
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
enum Act {
    Keep(Class, usize, usize),
    Renew(Class, usize),
    Clear(Class, bool),
    Forget,
}

const PATHS: [&str; 4] = ["", "a", "b", "a?q=1"];
const VARIANTS: [&str; 2] = ["", "0123456789abcdef"];

fn keys(class: Class) -> Vec<Key> {
    let of = |path: &&str| VARIANTS.map(|variant| Key::new(class, url(path), Variant::from_stored(variant)));
    PATHS.iter().flat_map(of).collect()
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let class = || proptest::sample::select(Class::ALL.to_vec());
    let act = prop_oneof![
        8 => (class(), 0..8_usize, 0..3_usize).prop_map(|(class, key, shape)| Act::Keep(class, key, shape)),
        2 => (class(), 0..8_usize).prop_map(|(class, key)| Act::Renew(class, key)),
        1 => (class(), any::<bool>()).prop_map(|(class, expired)| Act::Clear(class, expired)),
        1 => Just(Act::Forget),
    ];
    vec(act, 1..30)
}

/// Each class alone, as it should be.
type Model = BTreeMap<Key, Arc<Entry>>;

async fn play(shelf: &Shelf, acts: Vec<Act>) -> Result<(), TestCaseError> {
    let mut model = Model::new();
    let now = Timestamp::now().0;
    for act in acts {
        match act {
            Act::Keep(class, at, shape) => {
                let key = keys(class)[at].clone();
                // Bodies and addresses are the same in both classes, but for one word.
                let kept = match shape {
                    0 => read("same", 2, now),
                    1 => read(class.as_str(), 1, now),
                    _ => moved(class.as_str(), now),
                };
                keep(shelf, &key, &kept).await;
                model.insert(key, kept);
            }
            Act::Renew(class, at) => {
                let key = &keys(class)[at];
                shelf.renew(key, Timestamp(now), HOUR * 2).await.unwrap();
                if let Some(entry) = model.get_mut(key) {
                    *entry = Arc::new(Entry { fresh: HOUR * 2, ..(**entry).clone() });
                }
            }
            Act::Clear(class, expired_only) => {
                shelf.clear(class, expired_only).await.unwrap();
                // No document here ever expires; aliases lead to addresses that nobody kept.
                model
                    .retain(|key, entry| key.class() != class || expired_only && !matches!(entry.step, Step::Moved(_)));
            }
            Act::Forget => {
                shelf.hot.forget_all();
                if shelf.disk.is_none() {
                    model.clear();
                }
            }
        }
        for class in Class::ALL {
            for key in keys(class) {
                prop_assert_eq!(look(shelf, &key).await, model.get(&key).cloned());
            }
            let own = model.iter().filter(|(key, _)| key.class() == class);
            let statistics = shelf.statistics(class).await.unwrap();
            prop_assert_eq!(statistics.entries, own.clone().count() as u64);
            let bytes: u64 = own.clone().map(|(key, entry)| weight::weight(key, entry)).sum();
            prop_assert_eq!(statistics.bytes, bytes);
            let documents = own.filter(|(_, entry)| matches!(entry.step, Step::Read(_))).count() as u64;
            prop_assert_eq!(statistics.kinds.iter().map(|(_, count)| count).sum::<u64>(), documents);
        }
    }
    for class in Class::ALL {
        shelf.clear(class, false).await.unwrap();
    }
    Ok(())
}

#[test]
fn no_act_of_one_class_shows_in_the_other_on_disk() {
    let (directory, runtime) = (tempfile::tempdir().unwrap(), runtime());
    let shelf = open(directory.path());
    proptest!(ProptestConfig::with_cases(40), |(acts in acts())| {
        runtime.block_on(play(&shelf, acts))?;
    });
}

#[test]
fn no_act_of_one_class_shows_in_the_other_in_memory() {
    let (shelf, runtime) = (Shelf::in_memory(16 << 20), runtime());
    proptest!(ProptestConfig::with_cases(40), |(acts in acts())| {
        runtime.block_on(play(&shelf, acts))?;
    });
}

#[tokio::test]
async fn a_row_that_is_moved_to_another_class_is_not_read() {
    let directory = tempfile::tempdir().unwrap();
    let shelf = open(directory.path());
    keep(&shelf, &key(Class::Restricted, "a"), &read("secret", 2, 1_000)).await;
    for table in ["document", "page"] {
        vandal(directory.path()).execute(&format!("UPDATE {table} SET caller_class = 'fleet'"), []).unwrap();
    }
    assert_eq!(cold(&shelf, &fleet("a")).await, None);
}
