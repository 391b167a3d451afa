//! The pack against the records about it: its review, its ledger and the calls of its decision.

use std::borrow::Cow;
use std::collections::BTreeMap;

use dalil_phrasebook::{Phrase, archive_check};
use dalil_proof::canon;
use dalil_proof::fault::quote;
use dalil_proof::json::Json;
use dalil_proof::record::{CALL_FIELD, RecordKind};
use dalil_proof::report::notes::CheckNotes;
use dalil_proof::report::{CheckStatus, VerificationReport};
use dalil_proof::trail::{PayloadField, TrailLine};

use super::records::ArchiveRecords;
use crate::pack::tool::UNREPORTED_ACTION;
use crate::pack::{PackDraft, PackStatus, ToolCall};

/// Checks the facts about a pack that are in the records and not under its seal.
pub(super) fn report(
    pack: &PackDraft,
    records: &ArchiveRecords<'_>,
    report: &mut VerificationReport,
) {
    review(pack, records, report);
    ledger(pack, records, report);
    calls(pack, records, report);
}

/// The state of the review of this version. Votes after the last record in the file
/// are unknown, so an unresolved version is always incomplete.
fn review(pack: &PackDraft, records: &ArchiveRecords<'_>, report: &mut VerificationReport) {
    if let Some(rejection) = records.rejections.get(pack.pack_id.as_str()) {
        let (who, at, index) =
            (quote(&rejection.vote.approver), rejection.vote.at, rejection.index);
        let message = archive_check::version_rejected(who, at, index);
        return report.fail(PART_REVIEW, message);
    }
    match (pack.status, &pack.reviewer_id) {
        (PackStatus::Resolved, Some(who)) => {
            let who = quote(who);
            let message = archive_check::version_reviewed(who);
            report.pass(PART_REVIEW, message);
        }
        (PackStatus::Resolved | PackStatus::Unresolved, _) => {
            let message = archive_check::version_not_resolved();
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
    let closed = records.ledgers.get(session);
    let (session, digest) = (quote(session), canon::digest(ledger).ok());
    let Some(closed) = closed else {
        let message = archive_check::no_record_of_the_ledger(session);
        return report.incomplete(PART_LEDGER, message);
    };
    if digest.is_some_and(|digest| closed.contains(&digest)) {
        let message = archive_check::ledger_as_recorded(session);
        report.pass(PART_LEDGER, message);
    } else {
        let message = archive_check::ledger_differs_from_record(session);
        report.fail(PART_LEDGER, message);
    }
}

/// Whether every call that was recorded before the pack was sealed is in it once, as it was
/// recorded, and whether every call of the pack was recorded.
fn calls(pack: &PackDraft, records: &ArchiveRecords<'_>, report: &mut VerificationReport) {
    // A review copies the calls of the version that it is about.
    let reviewed = pack.supersedes.as_ref().filter(|_| pack.reviewer_id.is_some());
    let assembled = reviewed.unwrap_or(&pack.pack_id);
    let Some(sealed) = records.sealed.get(assembled.as_str()) else { return };
    let mut recorded: BTreeMap<&str, Vec<&TrailLine<'_>>> = BTreeMap::new();
    for line in records.calls.iter().filter(|line| line.index < *sealed) {
        recorded.entry(line.record.envelope().subject.as_str()).or_default().push(line);
    }
    if recorded.is_empty() && pack.tool_calls.is_empty() {
        return;
    }
    let mut stated: BTreeMap<&str, Vec<&ToolCall>> = BTreeMap::new();
    for call in &pack.tool_calls {
        let id = call.tool_call_id.as_deref();
        id.into_iter().for_each(|id| stated.entry(id).or_default().push(call));
    }
    let mut notes = CheckNotes::default();
    // Dropping all records of a call leaves no gap, so their absence is reported.
    let is_recorded =
        |call: &ToolCall| call.tool_call_id.as_deref().is_some_and(|id| recorded.contains_key(id));
    for call in pack.tool_calls.iter().filter(|call| !is_recorded(call)) {
        let about = quote(call.tool_call_id.as_deref().unwrap_or(&call.tool_name));
        notes.add(CheckStatus::Incomplete, || archive_check::no_record_of_call(about));
    }
    for (id, lines) in &recorded {
        let about = quote(id);
        match stated.get(id).map(Vec::as_slice) {
            None | Some([]) => notes.fail(|| archive_check::recorded_call_missing(about)),
            Some([call]) => as_recorded(call, lines, &about, &mut notes),
            Some(several) => notes.fail(|| {
                let count = several.len();
                archive_check::recorded_call_not_once(about, count)
            }),
        }
    }
    if notes.is_empty() {
        let count = recorded.len();
        let message = archive_check::calls_as_recorded(count);
        report.pass(PART_CALLS, message);
    }
    notes.report(PART_CALLS, report);
}

/// Notes the differences between a call and its records. For a call that was never reported, a pack
/// has a fixed text.
fn as_recorded(call: &ToolCall, lines: &[&TrailLine<'_>], about: &str, notes: &mut CheckNotes) {
    let stated = canon::bytes(call).ok();
    let stated = stated.as_deref().and_then(|bytes| Json::parse(bytes).ok());
    let Some(stated) = stated else { return };
    let phases = [
        (RecordKind::ToolIntended, &INTENDED_CALL_FIELDS),
        (RecordKind::ToolReported, &REPORTED_CALL_FIELDS),
    ];
    for (kind, names) in phases {
        let of_kind: Vec<_> =
            lines.iter().filter(|line| line.record.envelope().kind == kind).collect();
        if of_kind.is_empty() && kind == RecordKind::ToolReported {
            let nothing = Json::Text(Cow::Borrowed(UNREPORTED_ACTION));
            let unreported = Json::Object(vec![(Cow::Borrowed("actual_action"), nothing)]);
            let why = otherwise(&stated, &unreported, names);
            why.into_iter().for_each(|why| notes.fail(|| why.about(about)));
        }
        for line in of_kind {
            let said = match line.shown(CALL_FIELD) {
                Some(PayloadField::Present { bytes, .. }) => Json::parse(bytes).ok(),
                _ => None,
            };
            let Some(said) = said else {
                let index = line.index;
                notes.add(CheckStatus::Incomplete, || {
                    archive_check::call_payload_not_shown(about, index)
                });
                continue;
            };
            let why = otherwise(&stated, &said, names);
            why.into_iter().for_each(|why| notes.fail(|| why.about(about)));
        }
    }
}

/// The differences between a call and its record. A field that the record leaves out was never
/// stated: a pack has nothing there either.
fn otherwise(stated: &Json<'_>, recorded: &Json<'_>, names: &[&'static str]) -> Option<Phrase> {
    let said = |json: &Json<'_>, name: &str| {
        let value = json.get(name).filter(|value| !is_empty(value));
        value.and_then(|value| canon::digest(value).ok())
    };
    let name = names.iter().find(|name| said(stated, name) != said(recorded, name))?;
    Some(archive_check::field_differs_from_record(name))
}

fn is_empty(value: &Json<'_>) -> bool {
    match value {
        Json::Null => true,
        Json::List(items) => items.is_empty(),
        Json::Object(members) => members.is_empty(),
        _ => false,
    }
}

const INTENDED_CALL_FIELDS: [&str; 4] = ["tool_name", "agent_name", "intended_action", "inputs"];
const REPORTED_CALL_FIELDS: [&str; 4] = ["actual_action", "outcome", "outputs", "side_effects"];
const PART_REVIEW: &str = "review";
const PART_LEDGER: &str = "ledger";
const PART_CALLS: &str = "calls";
