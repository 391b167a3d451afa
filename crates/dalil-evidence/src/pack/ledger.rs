//! The ledger in a pack: kept as it is, but its sums must be right.

use dalil_phrasebook::{Phrase, expected, found};
use dalil_proof::decode::{JsonReader, kept};
use dalil_proof::fault::Fault;
use dalil_proof::json::Json;

/// Reads a ledger and adds it up again.
pub(super) fn read(reader: JsonReader<'_, '_>) -> Option<Json<'static>> {
    let Some(Json::List(entries)) = reader.json.get("entries") else {
        return reader.push(shape(reader, "entries", expected::the_ledgers_entries()));
    };
    let Some(summary @ Json::Object(_)) = reader.json.get("summary") else {
        return reader.push(shape(reader, "summary", expected::the_ledgers_summary()));
    };
    let mut sound = Some(());
    // Sealed packs keep the ledger they came with, so both ways of counting must verify.
    let is_first_edition = summary.get("coverage_any_evidence").is_none();
    for (path, expected) in sums(entries, is_first_edition) {
        // A number that is absent is not asked for: exports of ledgers leave some out.
        let stated = path.iter().try_fold(summary, |json, key| json.get(key));
        if let Some(stated) = stated
            && !is_close(stated, expected)
        {
            let path = format!("{}.{}", reader.member("summary"), path.join("."));
            let expected = expected.map_or("null".to_owned(), |number| number.to_string());
            let expected = expected::sum_as_the_entries_give(expected);
            sound = reader.push(Fault::new("ledger_sum", path, expected, stated.found()));
        }
    }
    sound?;
    kept(reader)
}

/// Every number of a summary, and its value computed from the entries; `None` where it is `null`.
///
/// In a ledger of the first edition a weak claim counts whole, and coverage is never `null`.
fn sums(entries: &[Json<'_>], is_first_edition: bool) -> Vec<(Vec<&'static str>, Option<f64>)> {
    let verdict = |word: &'static str| count(entries, move |entry| is(entry, "verdict", word));
    let importance = |word: &'static str| count(entries, move |entry| has_importance(entry, word));
    let of_weight = |words: &'static [&'static str]| {
        count(entries, move |entry| {
            !has_importance(entry, "minor") && words.iter().any(|word| is(entry, "verdict", word))
        })
    };
    let weighty = of_weight(&VERDICT_WIRE_NAMES);
    let share = |part: f64| (weighty > 0.0).then(|| part / weighty);
    let any_evidence = share(of_weight(&["supported", "weak"]));
    let coverage = if is_first_edition {
        Some(any_evidence.unwrap_or(1.0))
    } else {
        share(of_weight(&["supported"]) + of_weight(&["weak"]) / 2.0)
    };
    let mut sums = vec![
        (vec!["total_claims"], Some(count(entries, |_| true))),
        (vec!["evidence_coverage"], coverage),
        (vec!["coverage_any_evidence"], any_evidence),
        (vec!["unsupported_rate"], Some(share(of_weight(&["not_found"])).unwrap_or(0.0))),
    ];
    sums.extend(VERDICT_WIRE_NAMES.map(|word| (vec!["by_verdict", word], Some(verdict(word)))));
    sums.extend(
        IMPORTANCE_WIRE_NAMES.map(|word| (vec!["by_importance", word], Some(importance(word)))),
    );
    sums
}

#[expect(clippy::cast_precision_loss, reason = "no list in memory has 2^53 items")]
fn count(entries: &[Json<'_>], matches: impl Fn(&Json<'_>) -> bool) -> f64 {
    entries.iter().filter(|entry| matches(entry)).count() as f64
}

/// The importance has one name in the ledger and another in its export.
fn has_importance(entry: &Json<'_>, word: &str) -> bool {
    is(entry, "claim_importance", word) || is(entry, "importance", word)
}

fn is(entry: &Json<'_>, field: &str, word: &str) -> bool {
    matches!(entry.get(field), Some(Json::Text(text)) if text == word)
}

/// Shares are written in ten-thousandths, so half of one is rounding.
fn is_close(stated: &Json<'_>, expected: Option<f64>) -> bool {
    match (stated, expected) {
        // The last digit leaves room for the rounding of the division itself.
        (Json::Number(stated), Some(expected)) => (stated - expected).abs() <= 0.000_050_1,
        (Json::Null, None) => true,
        _ => false,
    }
}

fn shape(reader: JsonReader<'_, '_>, name: &str, expected: Phrase) -> Fault {
    let found = reader.json.get(name).map_or(found::nothing(), Json::kind);
    Fault::new("type", reader.member(name), expected, found)
}

const VERDICT_WIRE_NAMES: [&str; 4] = ["supported", "weak", "contradicted", "not_found"];
const IMPORTANCE_WIRE_NAMES: [&str; 3] = ["critical", "material", "minor"];
