//! Options of a ledger request: thresholds, a language, and the gate to pass.

use dalil_phrasebook::Language;
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::json::MAX_INTEGER;
use dalil_proof::score::Score;

use crate::ledger::verdict::min_weak_similarity;

/// Thresholds and language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerOptions {
    /// The language of follow-up questions; by default that of each claim.
    pub language: Option<Language>,
    /// How many days old a source may be.
    pub outdated_days: i64,
    /// A match that is less similar does not make a claim weak.
    pub min_weak_similarity: Score,
    /// The minimums of the ledger.
    pub gate: LedgerGate,
}

impl LedgerOptions {
    /// A year, the usual floor and the usual gate.
    pub fn usual() -> Self {
        let min_weak_similarity = min_weak_similarity();
        Self { language: None, outdated_days: 365, min_weak_similarity, gate: LedgerGate::usual() }
    }
}

/// The minimums that a ledger must reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerGate {
    /// The least evidence coverage.
    pub min_coverage: Score,
    /// The largest unsupported rate.
    pub max_unsupported: Score,
    /// How many critical claims may be contradicted.
    pub max_contradicted_critical: usize,
}

impl LedgerGate {
    /// Coverage 0.85, unsupported rate 0.05, no contradicted critical claim.
    pub fn usual() -> Self {
        Self {
            // Both numbers are in range. The fallbacks, which
            // nothing reaches, are the strictest values.
            min_coverage: Score::from_units(8_500).unwrap_or(Score::ONE),
            max_unsupported: Score::from_units(500).unwrap_or(Score::ZERO),
            max_contradicted_critical: 0,
        }
    }
}

/// Reads them.
pub(super) fn options(reader: JsonReader<'_, '_>) -> Option<LedgerOptions> {
    let mut fields = reader.object()?;
    let usual = LedgerOptions::usual();
    let language = fields.optional("language", |word| word.choice(&Language::WIRE_NAMES));
    let outdated_days = fields.or("outdated_days", 365, |days| days.whole(0..=MAX_OUTDATED_DAYS));
    let floor = fields.or("min_weak_similarity", usual.min_weak_similarity, decode::score);
    let gate = fields.or("gate", usual.gate, gate);
    fields.done()?;
    // The range above fits, so the fallback is never taken.
    let outdated_days = i64::try_from(outdated_days?).unwrap_or(usual.outdated_days);
    Some(LedgerOptions {
        language: language?,
        outdated_days,
        min_weak_similarity: floor?,
        gate: gate?,
    })
}

fn gate(reader: JsonReader<'_, '_>) -> Option<LedgerGate> {
    let mut fields = reader.object()?;
    let usual = LedgerGate::usual();
    let min_coverage = fields.or("min_coverage", usual.min_coverage, decode::score);
    let max_unsupported = fields.or("max_unsupported", usual.max_unsupported, decode::score);
    let contradicted =
        fields.or("max_contradicted_critical", 0, |count| count.whole(0..=MAX_INTEGER));
    fields.done()?;
    Some(LedgerGate {
        min_coverage: min_coverage?,
        max_unsupported: max_unsupported?,
        max_contradicted_critical: usize::try_from(contradicted?).unwrap_or(usize::MAX),
    })
}

/// Ten thousand years: longer than any date can be past.
const MAX_OUTDATED_DAYS: u64 = 3_652_500;
