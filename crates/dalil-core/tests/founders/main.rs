//! Every case of `suite/founders.json`, replayed.

#[cfg(test)]
mod seed000;
