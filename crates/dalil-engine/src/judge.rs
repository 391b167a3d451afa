//! Judging: what chunks say about a claim, by model and by rule.
