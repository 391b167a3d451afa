//! The pack against the records about it: its review, its ledger and the calls of its decision.

use std::collections::BTreeMap;

use super::records::ArchiveRecords;
use crate::canon;
use crate::fault::quote;
use crate::json::Json;
use crate::pack::{PackDraft, PackStatus, ToolCall};
use crate::record::RecordKind;
use crate::report::notes::CheckNotes;
use crate::report::{BilingualMessage, VerificationReport};
use crate::say;
use crate::trail::{PayloadField, TrailLine};

/// Checks what the records say about a pack that its seal does not.
pub(super) fn report(
    pack: &PackDraft,
    records: &ArchiveRecords<'_>,
    report: &mut VerificationReport,
) {
    review(pack, records, report);
    ledger(pack, records, report);
    calls(pack, records, report);
}

/// How the review of this version stands. What people said after the last record in the file
/// cannot be told from it, so a version that nobody resolved is never whole.
fn review(pack: &PackDraft, records: &ArchiveRecords<'_>, report: &mut VerificationReport) {
    if let Some(rejection) = records.rejections.get(pack.pack_id.as_str()) {
        let (who, at, index) =
            (quote(&rejection.vote.approver), rejection.vote.at, rejection.index);
        let message = say!(
            "this version was rejected by {who} at {at}, record {index}",
            "رفض هذا الإصدار {who} في {at}، القيد {index}",
        );
        return report.fail(PART_REVIEW, message);
    }
    match (pack.status, &pack.reviewer_id) {
        (PackStatus::Resolved, Some(who)) => {
            let who = quote(who);
            let message = say!("reviewed, the last by {who}", "تمت المراجعة، وآخر المراجعين {who}");
            report.pass(PART_REVIEW, message);
        }
        (PackStatus::Resolved | PackStatus::Unresolved, _) => {
            let message = say!(
                "nobody has resolved this version in these records; what was said later cannot \
                 be told from this file",
                "لم تُحسم مراجعة هذا الإصدار في هذه القيود؛ وما قيل بعدها لا يُعرف من هذا الملف",
            );
            report.incomplete(PART_REVIEW, message);
        }
    }
}

/// Whether the ledger is one that the trail recorded of its session.
fn ledger(pack: &PackDraft, records: &ArchiveRecords<'_>, report: &mut VerificationReport) {
    let Some(ledger) = &pack.ledger else { return };
    let session = match ledger.get("session_id") {
        Some(Json::Text(session)) => session.as_ref(),
        _ => "",
    };
    let closed = records.ledgers.get(session).map(Vec::as_slice).unwrap_or_default();
    let (session, digest) = (quote(session), canon::digest(ledger).ok());
    if closed.is_empty() {
        let message = say!(
            "there is no record of a ledger of the session {session}",
            "لا قيد لسجل ادعاءات من الجلسة {session}",
        );
        report.incomplete(PART_LEDGER, message);
    } else if digest.is_some_and(|digest| closed.contains(&digest)) {
        let message = say!("of {session}, as it was recorded", "من {session}، كما قُيّد");
        report.pass(PART_LEDGER, message);
    } else {
        let message = say!(
            "expected a ledger of the session {session} that was recorded, found another",
            "المتوقع سجل ادعاءات مقيّد من الجلسة {session}، والموجود غيره",
        );
        report.fail(PART_LEDGER, message);
    }
}

/// Whether every call that was recorded before the pack was sealed is in it, as it was recorded.
fn calls(pack: &PackDraft, records: &ArchiveRecords<'_>, report: &mut VerificationReport) {
    // A review copies the calls of the version that it is about.
    let reviewed = pack.supersedes.as_ref().filter(|_| pack.reviewer_id.is_some());
    let assembled = reviewed.unwrap_or(&pack.pack_id);
    let Some(sealed) = records.sealed.get(assembled.as_str()) else { return };
    let mut recorded: BTreeMap<&str, Vec<&TrailLine<'_>>> = BTreeMap::new();
    for line in records.calls.iter().filter(|line| line.index < *sealed) {
        recorded.entry(line.record.envelope().subject.as_str()).or_default().push(line);
    }
    if recorded.is_empty() {
        return;
    }
    let mut notes = CheckNotes::default();
    for (id, lines) in &recorded {
        let call = pack.tool_calls.iter().find(|call| call.tool_call_id.as_deref() == Some(*id));
        let about = quote(id);
        match call {
            None => notes.fail(|| {
                say!("expected the call {about}, found none", "المتوقع الاستدعاء {about}، ولا يوجد")
            }),
            Some(call) => lines.iter().filter_map(|line| otherwise(call, line)).for_each(|why| {
                notes.fail(|| why.about(&about, &about));
            }),
        }
    }
    if notes.is_empty() {
        let count = recorded.len();
        let message = say!("{count}, as they were recorded", "عددها {count}، كما قُيّدت");
        report.pass(PART_CALLS, message);
    }
    notes.report(PART_CALLS, report);
}

/// What a call says otherwise than the record of it.
fn otherwise(call: &ToolCall, line: &TrailLine<'_>) -> Option<BilingualMessage> {
    let Some(PayloadField::Present { bytes, .. }) = line.shown(CALL_FIELD) else { return None };
    let recorded = Json::parse(bytes).ok()?;
    let stated = Json::parse(&canon::bytes(call).ok()?).ok()?.into_owned();
    let names: &[&str] = match line.record.envelope().kind {
        RecordKind::ToolIntended => &["tool_name", "intended_action", "inputs"],
        _ => &["actual_action", "outcome", "outputs", "side_effects"],
    };
    let digest = |json: Option<&Json<'_>>| json.and_then(|json| canon::digest(json).ok());
    // What a record leaves out, nobody said: a pack has its empty value there.
    let differs = |name: &&&str| {
        recorded.get(name).is_some_and(|own| digest(Some(own)) != digest(stated.get(name)))
    };
    let name = names.iter().find(differs)?;
    Some(say!(
        "expected `{name}` as it was recorded, found another",
        "المتوقع `{name}` كما قُيّد، والموجود غيره",
    ))
}

/// The field of the records of a call that holds what was said of it.
const CALL_FIELD: &str = "call";
const PART_REVIEW: &str = "review";
const PART_LEDGER: &str = "ledger";
const PART_CALLS: &str = "calls";
