//! Pure views: what an agent sees of a document (views.md).
