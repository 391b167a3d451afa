//! Splitting: documents to chunks.
