//! The child of the PDF kind, real and at its worst. The other half is `examples/faultchild`.

#![allow(clippy::unwrap_used, reason = "tests")]

mod confinement;
mod faults;
mod job;
mod life;
