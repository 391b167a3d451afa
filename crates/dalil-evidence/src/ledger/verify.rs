//! Verifying a ledger by itself: what follows from the rest is computed again.

use dalil_proof::fault::Refused;
use dalil_proof::json::Json;
use dalil_proof::report::VerificationReport;
use dalil_proof::say;
use dalil_proof::time::Time;

use super::Ledger;

#[cfg(test)]
mod tests;

/// Whether a JSON value is a ledger, or means to be one.
pub fn is_ledger(json: &Json<'_>) -> bool {
    let has = |name: &str| json.get(name).is_some();
    has("entries") && has("session_id") && (has("id") || has(EXPORT_ID_FIELD))
}

/// Checks everything that a ledger says about itself. Nobody signs one, so it never passes whole.
pub fn verify(json: &Json<'_>, now: Time) -> VerificationReport {
    let mut report = VerificationReport::default();
    if json.get("id").is_none() {
        let message = say!(
            "what other programs take of a ledger, which leaves out what its id is made of; \
             `--format ledger` gives the whole of it",
            "ما تأخذه البرامج الأخرى من سجل الادعاءات، وليس فيه كل ما يُحسب منه معرّفه؛ \
             ويعطيه كاملًا `--format ledger`",
        );
        report.incomplete("format", message);
        return report;
    }
    let (json, beside) = alone(json);
    match Ledger::of(&json) {
        Ok(ledger) => {
            report.pass("format", say!("a ledger", "سجل ادعاءات"));
            let message = say!(
                "every sum, band and id is what follows from the claims",
                "كل مجموع ونطاق ومعرّف يوافق ما يترتب على الادعاءات",
            );
            report.pass("computed", message);
            time(&ledger, now, &mut report);
        }
        Err(refused) => faults(&refused, &mut report),
    }
    for part in beside {
        let message = say!(
            "stands beside the ledger, and was not checked",
            "ملحقة بسجل الادعاءات، ولم يُتحقق منها",
        );
        report.incomplete(part, message);
    }
    let message = say!(
        "a ledger is not signed; a pack that holds it is",
        "سجل الادعاءات غير موقّع؛ والموقّعة هي الحزمة التي تضمه",
    );
    report.incomplete("signature", message);
    report
}

/// The ledger, and what `dalil check` puts beside it: the report of a gate, and where it is kept.
fn alone<'j>(json: &Json<'j>) -> (Json<'j>, Vec<&'static str>) {
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
        let message = say!(
            "made at {made}, which is later than now, {now}",
            "حُرر في {made}، وهو بعد وقت التحقق {now}",
        );
        report.incomplete("time", message);
    } else {
        report.pass("time", say!("made at {made}", "حُرر في {made}"));
    }
}

/// What may stand beside a ledger in one object.
const FIELDS_BESIDE: [&str; 2] = ["gate", "saved"];
/// The name of the id in the form for other programs.
const EXPORT_ID_FIELD: &str = "ledger_id";
