//! The commands, one file each.

pub(crate) mod bundle;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod decision;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod document;
pub(crate) mod erase;
pub(crate) mod eval;
pub(crate) mod export;
pub(crate) mod fsck;
pub(crate) mod hold;
pub(crate) mod keys;
pub(crate) mod ledger;
pub(crate) mod member;
pub(crate) mod pack;
pub(crate) mod policy;
pub(crate) mod read;
pub(crate) mod record;
pub(crate) mod run;
pub(crate) mod session;
pub(crate) mod sources;
pub(crate) mod tenant;
pub(crate) mod tool;
pub(crate) mod trail;
pub(crate) mod verify;
