use super::{Effect, compare, effect, verdict};
