//! The chain that evidence is in, as a row of links: each step rests on the one before.

/// A step of the chain.
pub(super) struct ChainLink {
    pub(super) label: String,
    pub(super) address: String,
    /// Whether it is the one on the page.
    pub(super) is_here: bool,
}
