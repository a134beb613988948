//! From bytes to text: BOM, header, declaration, detection (documents.md §1).
