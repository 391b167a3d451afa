//! Every case of `suite/founders.json`, replayed.

#[cfg(test)]
mod seed000;
#[cfg(test)]
mod seed001;
#[cfg(test)]
mod seed002;
#[cfg(test)]
mod seed003;
#[cfg(test)]
mod seed004;
#[cfg(test)]
mod suite;
