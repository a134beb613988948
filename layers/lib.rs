//! The Tower layers of sift.
