//! Every case of `suite/contracts.json`, replayed.

#[cfg(test)]
mod bundles;
#[cfg(test)]
mod ledgers;
#[cfg(test)]
mod obligations;
#[cfg(test)]
mod packs;
#[cfg(test)]
mod sources;
#[cfg(test)]
mod suite;
