//! sift
fn main() {}
