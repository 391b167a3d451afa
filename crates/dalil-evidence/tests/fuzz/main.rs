//! Hostile bytes into every parser: no panic, no hang, no memory out of proportion.
//!
//! [`mutate`] makes inputs from a corpus, the same ones every time; [`bound`] runs a parser on them
//! and reports the input that went beyond a bound. Each module beside them fuzzes one family of
//! parsers. `DALIL_FUZZ_RUNS` sets how many inputs each parser gets.

#[cfg(test)]
mod answers;
#[cfg(test)]
mod bound;
#[cfg(test)]
mod bundles;
#[cfg(test)]
mod corpus;
#[cfg(test)]
mod exports;
#[cfg(test)]
mod json;
#[cfg(test)]
mod ledgers;
#[cfg(test)]
mod masks;
#[cfg(test)]
mod mutate;
#[cfg(test)]
mod packs;
#[cfg(test)]
mod requests;
#[cfg(test)]
mod signer;
#[cfg(test)]
mod timestamps;
#[cfg(test)]
mod trail;

/// Counts allocations, so that [`bound`] can see the peak.
#[cfg(test)]
#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;
