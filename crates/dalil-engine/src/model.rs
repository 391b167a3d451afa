//! The model: a small cross-encoder that reads a premise and a claim.
