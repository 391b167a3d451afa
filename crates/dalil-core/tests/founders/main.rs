//! The founders' recorded cases, replayed: same output, or a ruling that says why not.

#[cfg(test)]
mod seed002;
