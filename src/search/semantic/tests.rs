use super::*;
use serde_json::Value;

/// The published vectors of the table.
const VECTORS: &str = include_str!("../static-en/test_vectors.json");

#[test]
fn the_published_texts_have_their_published_vectors() {
    let vectors: Value = serde_json::from_str(VECTORS).unwrap();
    let cases = vectors.as_array().or_else(|| vectors.get("vectors").and_then(Value::as_array)).unwrap();
    assert!(cases.len() >= 5);
    for case in cases {
        let text = case["text"].as_str().unwrap();
        let expected: Vec<u16> = case["ids"]
            .as_array()
            .unwrap()
            .iter()
            .map(|id| u16::try_from(id.as_u64().unwrap()).unwrap())
            .filter(|id| *id != 100)
            .collect();
        assert_eq!(wordpiece::tokens(text), expected, "{text}");
        let vector = table::mean(&expected).unwrap();
        let first =
            case.as_object().unwrap().iter().find(|(key, _)| key.starts_with("first") || *key == "vector").unwrap().1;
        for (got, want) in vector.iter().zip(first.as_array().unwrap()) {
            assert!((f64::from(*got) - want.as_f64().unwrap()).abs() < 1e-3, "{text}: {got} {want}");
        }
    }
}

#[test]
fn texts_in_other_scripts_have_no_meaning_here() {
    for text in ["Как удалить файл?", "ファイルを削除する", "한국어 문서", "", "12 34 !"] {
        assert!(embed(text).is_none(), "{text}");
    }
}

#[test]
fn what_means_the_same_is_nearer_than_what_does_not() {
    let near = |one: &str, other: &str| -> f32 {
        embed(one).unwrap().iter().zip(&embed(other).unwrap()).map(|(one, other)| one * other).sum()
    };
    assert!(near("How do I delete a file?", "Removing documents from the disk") > 0.35);
    assert!(near("How do I delete a file?", "Painting a house in winter") < 0.1);
}
