//! Sentences: where they begin and end, in English and Arabic.
