//! The tests that every handler must pass.
