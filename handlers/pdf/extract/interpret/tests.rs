//! Content streams, as small as they can be.
