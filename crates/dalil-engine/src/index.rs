//! Indexes: the chunks of a corpus, ready to be ranked for a claim.
//!
//! ```text
//! texts of a document's chunks ─▶ Segment ─┐
//!                              ─▶ Segment ─┴▶ Index ─ Query of a claim ─▶ Ranked
//! ```
//!
//! A [`Segment`] is made once for a document and can be kept as bytes under the
//! document's digest; an [`Index`] is nothing but the segments of a corpus, so a
//! changed file costs its own segment alone. A [`Query`] ranks chunks by the
//! claim's terms that they hold, the rare ones first, and by the nearness of
//! their vectors, which also meets other words and the other language.
//!
//! Not here: where segments are kept, and which chunks a claim cites.

mod embed;
mod query;
mod segment;
mod term;
#[cfg(test)]
mod tests;

pub(crate) use query::rarity::ln;
pub use query::{Query, Ranked};
pub use segment::{Damaged, Segment};

/// The segments of a corpus, with what is counted over all of them.
#[derive(Clone, Debug, Default)]
pub struct Index {
    segments: Vec<Segment>,
    chunks: u64,
    terms: u64,
}

impl Index {
    /// Puts segments together. Their order breaks ties and changes no score.
    pub fn of(segments: Vec<Segment>) -> Self {
        let chunks = segments.iter().map(|segment| segment.len() as u64).sum();
        let terms = segments.iter().map(Segment::total).sum();
        Self { segments, chunks, terms }
    }

    /// The segments, in the order that they were given in.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The chunks that speak most about a claim, the best first.
    pub fn rank(&self, claim: &str, limit: usize) -> Vec<Ranked> {
        Query::of(claim, self).rank(limit)
    }
}
