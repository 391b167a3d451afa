//! Indexes: the chunks of a corpus, ready to be ranked for a claim.
