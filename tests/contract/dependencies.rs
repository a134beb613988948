//! Promise: `sift → sift-layers → sift-handlers`, never back, and what is heavy or talkative stays out of the lower two.

use serde_json::Value;
use std::process::Command;

#[test]
fn crates_depend_downwards_only() {
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let dependencies = |name: &str| -> Vec<String> {
        let packages = metadata["packages"].as_array().unwrap();
        let package = packages.iter().find(|package| package["name"] == name).unwrap();
        let all = package["dependencies"].as_array().unwrap().iter();
        all.filter(|dependency| dependency["kind"].is_null())
            .map(|dependency| dependency["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let forbidden = [
        ("sift-handlers", &["sift", "sift-layers", "tracing", "log", "reqwest", "axum", "rusqlite"][..]),
        ("sift-layers", &["sift", "reqwest", "axum", "rusqlite", "lopdf", "opentelemetry"][..]),
    ];
    for (package, names) in forbidden {
        let found = dependencies(package);
        assert!(!found.is_empty());
        for name in names {
            assert!(!found.iter().any(|dependency| dependency == name), "{package} depends on {name}");
        }
    }
    assert!(dependencies("sift-layers").contains(&"sift-handlers".to_owned()));
}
