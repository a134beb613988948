//! shed
