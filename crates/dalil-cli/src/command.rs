//! The commands, one file each.

pub(crate) mod bundle;
pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod ledger;
pub(crate) mod pack;
pub(crate) mod policy;
pub(crate) mod read;
pub(crate) mod record;
pub(crate) mod sources;
pub(crate) mod verify;
