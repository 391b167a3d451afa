//! The commands, one file each.

pub(crate) mod completions;
pub(crate) mod record;
