//! The limits of a bundle, checked when they are read.

use dalil_phrasebook::{Phrase, bound, error, expected, hint};
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::{Fault, quote};
use dalil_proof::json::{Json, integer};
use serde::Serialize;

use crate::mask;

/// The limits that a bundle is built under.
#[derive(Clone, Debug, Serialize)]
pub struct BundlePolicy {
    /// The most items; at least 1.
    pub max_items: usize,
    /// The most bytes in all; at least 1000.
    pub max_total_bytes: usize,
    /// The most bytes in one item; at least 100, at most `max_total_bytes`.
    pub max_item_bytes: usize,
    /// The most rows of an SQL result; at least 1.
    pub max_sql_rows: usize,
    /// The most columns of an SQL result; at least 1, or no limit.
    pub max_sql_cols: Option<usize>,
    /// How many bytes a chunk of a large text has; at least 100.
    pub chunk_size: usize,
    /// How many bytes two chunks share; less than `chunk_size`.
    pub chunk_overlap: usize,
    /// Which rows stay when there are too many.
    pub sampling_strategy: RowSampling,
    /// Whether everything is masked first.
    pub enable_redaction: bool,
    /// Rules beside the built-in ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub redaction_rules: Vec<mask::MaskRule>,
    /// Which policy this is, in the caller's words.
    pub version: String,
}

/// Which rows stay when there are too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RowSampling {
    /// The first rows.
    FirstOnly,
    /// The first half and the last half.
    FirstLast,
    /// Rows spread evenly from the first to the last.
    Stride,
}

impl Default for BundlePolicy {
    fn default() -> Self {
        Self {
            max_items: 50,
            max_total_bytes: 100_000,
            max_item_bytes: 10_000,
            max_sql_rows: 100,
            max_sql_cols: Some(20),
            chunk_size: 5_000,
            chunk_overlap: 200,
            sampling_strategy: RowSampling::FirstLast,
            enable_redaction: false,
            redaction_rules: Vec::new(),
            version: "1.0".to_owned(),
        }
    }
}

impl BundlePolicy {
    /// Reads a policy; absent fields are as in [`BundlePolicy::default`].
    pub(super) fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        let absent = Self::default();
        let mut fields = reader.object()?;
        let max_items = fields.or("max_items", int(absent.max_items), whole);
        let max_total_bytes = fields.or("max_total_bytes", int(absent.max_total_bytes), whole);
        let max_item_bytes = fields.or("max_item_bytes", int(absent.max_item_bytes), whole);
        let max_sql_rows = fields.or("max_sql_rows", int(absent.max_sql_rows), whole);
        let max_sql_cols = fields.optional("max_sql_cols", whole);
        let chunk_size = fields.or("chunk_size", int(absent.chunk_size), whole);
        let chunk_overlap = fields.or("chunk_overlap", int(absent.chunk_overlap), whole);
        let sampling = fields.or("sampling_strategy", absent.sampling_strategy, sampling);
        let enable_redaction = fields.or("enable_redaction", absent.enable_redaction, decode::flag);
        let redaction_rules = fields.or("redaction_rules", Vec::new(), rules);
        let version = fields.or("version", absent.version, decode::owned);
        // No `?` before the numbers are judged: one reply has unknown fields and broken limits.
        let known = fields.done();
        // `null` lifts the limit; an absent field does not.
        let unlimited = reader.json.get("max_sql_cols") == Some(&Json::Null);
        let default_cols = absent.max_sql_cols.filter(|_| !unlimited).map(int);
        let read = BundlePolicyNumbers {
            max_items,
            max_total_bytes,
            max_item_bytes,
            max_sql_rows,
            max_sql_cols: max_sql_cols.map(|cols| cols.or(default_cols)),
            chunk_size,
            chunk_overlap,
        };
        read.check(reader)?;
        known?;
        Some(Self {
            max_items: size(read.max_items?),
            max_total_bytes: size(read.max_total_bytes?),
            max_item_bytes: size(read.max_item_bytes?),
            max_sql_rows: size(read.max_sql_rows?),
            max_sql_cols: read.max_sql_cols?.map(size),
            chunk_size: size(read.chunk_size?),
            chunk_overlap: size(read.chunk_overlap?),
            sampling_strategy: sampling?,
            enable_redaction: enable_redaction?,
            redaction_rules: redaction_rules?,
            version: version?,
        })
    }
}

/// The numbers of a policy as they were read; one that could not be is not judged.
struct BundlePolicyNumbers {
    max_items: Option<i64>,
    max_total_bytes: Option<i64>,
    max_item_bytes: Option<i64>,
    max_sql_rows: Option<i64>,
    #[expect(clippy::option_option, reason = "not read, read as no limit, read as a limit")]
    max_sql_cols: Option<Option<i64>>,
    chunk_size: Option<i64>,
    chunk_overlap: Option<i64>,
}

impl BundlePolicyNumbers {
    /// Pushes every broken limit, in the words of the contract's first implementation.
    fn check(&self, reader: JsonReader<'_, '_>) -> Option<()> {
        let below = |value: Option<i64>, least: i64| value.is_some_and(|value| value < least);
        let exceeds = |value: Option<i64>, most: Option<i64>| {
            value.zip(most).is_some_and(|(value, most)| value > most)
        };
        let exceeds_total = error::policy_exceeds("max_item_bytes", "max_total_bytes");
        let rules = [
            (below(self.max_items, 1), "max_items", error::policy_at_least("max_items", 1)),
            (
                below(self.max_total_bytes, 1000),
                "max_total_bytes",
                error::policy_at_least_bytes("max_total_bytes", 1000),
            ),
            (
                below(self.max_item_bytes, 100),
                "max_item_bytes",
                error::policy_at_least_bytes("max_item_bytes", 100),
            ),
            (
                exceeds(self.max_item_bytes, self.max_total_bytes),
                "max_item_bytes",
                exceeds_total.clone(),
            ),
            (
                below(self.max_sql_rows, 1),
                "max_sql_rows",
                error::policy_at_least("max_sql_rows", 1),
            ),
            (
                below(self.max_sql_cols.flatten(), 1),
                "max_sql_cols",
                error::policy_at_least_if_specified("max_sql_cols", 1),
            ),
            (
                below(self.chunk_size, 100),
                "chunk_size",
                error::policy_at_least_bytes("chunk_size", 100),
            ),
            (
                below(self.chunk_overlap, 0),
                "chunk_overlap",
                error::policy_non_negative("chunk_overlap"),
            ),
            (
                exceeds(self.chunk_overlap.map(|overlap| overlap + 1), self.chunk_size),
                "chunk_overlap",
                error::policy_less_than("chunk_overlap", "chunk_size"),
            ),
        ];
        let mut sound = Some(());
        for (_, field, message) in rules.into_iter().filter(|(broken, _, _)| *broken) {
            let path = format!("{}.{field}", reader.path());
            // One of the two sizes may be a default, so the refusal names the defaults.
            let hint = (message == exceeds_total).then(defaults_hint);
            let fault = Fault { hint, ..Fault::with_message("policy", path, message) };
            sound = reader.push(fault);
        }
        sound
    }
}

fn defaults_hint() -> Phrase {
    let BundlePolicy { max_item_bytes, max_total_bytes, .. } = BundlePolicy::default();
    hint::sizes_without_a_value(max_item_bytes, max_total_bytes)
}

fn sampling(reader: JsonReader<'_, '_>) -> Option<RowSampling> {
    let Json::Text(word) = reader.json else { return reader.refuse("type", expected::a_string()) };
    match word.as_ref() {
        "first_only" => Some(RowSampling::FirstOnly),
        "first_last" => Some(RowSampling::FirstLast),
        "stride" => Some(RowSampling::Stride),
        other => {
            let shown = quote(other);
            let message = error::invalid_sampling(shown.trim_matches('`'));
            let fault = Fault::with_message("policy", reader.path(), message);
            reader.push(fault.hint(hint::use_first_only_first_last_or_stride()))
        }
    }
}

fn rules(reader: JsonReader<'_, '_>) -> Option<Vec<mask::MaskRule>> {
    match reader.json {
        // Counted before any pattern is compiled, which is where the cost is.
        Json::List(rules) if rules.len() > MAX_MASK_RULES => {
            let found = rules.len();
            let expected = bound::at_most_rules(MAX_MASK_RULES);
            reader.push(Fault::new("range", reader.path(), expected, found))
        }
        _ => reader.list(rule),
    }
}

fn rule(reader: JsonReader<'_, '_>) -> Option<mask::MaskRule> {
    let mut fields = reader.object()?;
    let name = fields.required("name", decode::owned);
    let pattern = fields.required("pattern", decode::owned);
    let replacement = fields.or("replacement", "[REDACTED]".to_owned(), decode::owned);
    fields.done()?;
    match mask::MaskRule::new(&name?, &pattern?, &replacement?, &reader.path()) {
        Ok(rule) => Some(rule),
        Err(faults) => {
            for fault in faults {
                reader.push::<()>(fault);
            }
            None
        }
    }
}

/// A whole number of either sign, so that the rules can speak about it.
fn whole(reader: JsonReader<'_, '_>) -> Option<i64> {
    match reader.json {
        Json::Number(value) => integer(*value),
        _ => None,
    }
    .or_else(|| reader.refuse("type", bound::a_whole_number()))
}

fn int(size: usize) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

fn size(int: i64) -> usize {
    usize::try_from(int).unwrap_or(if int < 0 { 0 } else { usize::MAX })
}

/// Each rule may need a megabyte once it is compiled.
const MAX_MASK_RULES: usize = 64;
