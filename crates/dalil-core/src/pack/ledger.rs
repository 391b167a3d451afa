//! The ledger in a pack: kept as it is, but its sums must be right.

use crate::fault::Fault;
use crate::json::Json;
use crate::pack::kept;
use crate::read::Reader;

/// Reads a ledger and adds it up again.
pub(super) fn read(reader: Reader<'_, '_>) -> Option<Json<'static>> {
    let Some(Json::List(entries)) = reader.json.get("entries") else {
        return reader.push(shape(reader, "entries", "the ledger's entries"));
    };
    let Some(summary @ Json::Object(_)) = reader.json.get("summary") else {
        return reader.push(shape(reader, "summary", "the ledger's summary"));
    };
    let mut sound = Some(());
    for (path, expected) in sums(entries) {
        let stated = path.iter().try_fold(summary, |json, key| json.get(key));
        if let Some(stated) = stated
            && !is_close(stated, expected)
        {
            let path = format!("{}.{}", reader.member("summary"), path.join("."));
            let expected = format!("`{expected}`, as the entries give");
            sound = reader.push(Fault::new("ledger_sum", path, expected, stated));
        }
    }
    sound?;
    kept(reader)
}

/// Every number of a summary, and what the entries make it.
fn sums(entries: &[Json<'_>]) -> Vec<(Vec<&'static str>, f64)> {
    let verdict = |word: &'static str| count(entries, move |entry| is(entry, "verdict", word));
    let importance = |word: &'static str| count(entries, move |entry| has_importance(entry, word));
    let of_weight = |words: &'static [&'static str]| {
        count(entries, move |entry| {
            !has_importance(entry, "minor") && words.iter().any(|word| is(entry, "verdict", word))
        })
    };
    let weighty = of_weight(&VERDICTS);
    let share = |part: f64, none: f64| if weighty > 0.0 { part / weighty } else { none };
    let mut sums = vec![
        (vec!["total_claims"], count(entries, |_| true)),
        (vec!["evidence_coverage"], share(of_weight(&["supported", "weak"]), 1.0)),
        (vec!["unsupported_rate"], share(of_weight(&["not_found"]), 0.0)),
    ];
    sums.extend(VERDICTS.map(|word| (vec!["by_verdict", word], verdict(word))));
    sums.extend(IMPORTANCES.map(|word| (vec!["by_importance", word], importance(word))));
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
fn is_close(stated: &Json<'_>, expected: f64) -> bool {
    matches!(stated, Json::Number(stated) if (stated - expected).abs() <= 0.000_050_1)
}

fn shape(reader: Reader<'_, '_>, name: &str, expected: &str) -> Fault {
    let found = reader.json.get(name).map_or("nothing", Json::kind);
    Fault::new("type", reader.member(name), expected, found)
}

const VERDICTS: [&str; 4] = ["supported", "weak", "contradicted", "not_found"];
const IMPORTANCES: [&str; 3] = ["critical", "material", "minor"];
