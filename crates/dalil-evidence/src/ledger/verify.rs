//! Verifies a ledger by itself: recomputes every derived field.

use dalil_phrasebook::ledger_check;
use dalil_proof::fault::Refused;
use dalil_proof::json::Json;
use dalil_proof::report::VerificationReport;
use dalil_proof::time::Time;

use super::Ledger;

#[cfg(test)]
mod tests;

/// Whether a JSON value is a ledger, or means to be one.
pub fn is_ledger(json: &Json<'_>) -> bool {
    let has = |name: &str| json.get(name).is_some();
    has("entries") && has("session_id") && (has("id") || has(EXPORT_ID_FIELD))
}

/// Checks everything that a ledger states about itself. No key signs one, so it never passes whole.
pub fn verify(json: &Json<'_>, now: Time) -> VerificationReport {
    let mut report = VerificationReport::default();
    if json.get("id").is_none() {
        let message = ledger_check::export_without_id_parts();
        report.incomplete("format", message);
        return report;
    }
    let (json, beside) = alone(json);
    match Ledger::of(&json) {
        Ok(ledger) => {
            report.pass("format", ledger_check::a_ledger());
            let message = ledger_check::sums_follow_from_claims();
            report.pass("computed", message);
            time(&ledger, now, &mut report);
        }
        Err(refused) => faults(&refused, &mut report),
    }
    for part in beside {
        let message = ledger_check::beside_the_ledger();
        report.incomplete(part, message);
    }
    let message = ledger_check::ledger_not_signed();
    report.incomplete("signature", message);
    report
}

/// The ledger, and what `dalil check` puts beside it: the report of a gate, and where it is kept.
pub(super) fn alone<'j>(json: &Json<'j>) -> (Json<'j>, Vec<&'static str>) {
    let Json::Object(fields) = json else { return (json.clone(), Vec::new()) };
    let is_own = |name: &str| !FIELDS_BESIDE.contains(&name);
    let own = fields.iter().filter(|(name, _)| is_own(name)).cloned().collect();
    let beside = FIELDS_BESIDE.into_iter().filter(|name| json.get(name).is_some()).collect();
    (Json::Object(own), beside)
}

fn faults(refused: &Refused, report: &mut VerificationReport) {
    // `Ledger::of` has the rule `ledger` alone, for one
    // that reads well but states other sums or ids.
    let part = match refused.refused.first() {
        Some(fault) if fault.rule == "ledger" => "computed",
        _ => "format",
    };
    report.refused(part, refused);
}

fn time(ledger: &Ledger, now: Time, report: &mut VerificationReport) {
    let made = ledger.content.created_at;
    if made > now {
        let message = ledger_check::made_in_the_future(made, now);
        report.incomplete("time", message);
    } else {
        report.pass("time", ledger_check::made_at(made));
    }
}

/// The fields that may be beside a ledger in one object.
const FIELDS_BESIDE: [&str; 2] = ["gate", "saved"];
/// The name of the id in the form for other programs.
const EXPORT_ID_FIELD: &str = "ledger_id";
