//! How much of the labelled sets in `suite/masking` is found, and which decoys are not.

#[cfg(test)]
mod gulf;
