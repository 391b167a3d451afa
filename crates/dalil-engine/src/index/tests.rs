//! Tests of indexes.
