//! Stores that were changed behind their back.
