//! Extracting: the checkable statements of an answer, as spans of it.
