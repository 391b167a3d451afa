//! The commands, one file each.

pub(crate) mod bundle;
pub(crate) mod completions;
