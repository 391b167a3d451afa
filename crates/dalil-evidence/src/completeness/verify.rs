//! The checks of a statement: its signature, its checkpoint, and the trail that it speaks of.

use std::collections::BTreeMap;

use dalil_phrasebook::{Phrase, completeness_check, proof_check};
use dalil_proof::checkpoint::Checkpoint;
use dalil_proof::decode;
use dalil_proof::dsse::{self, DsseEnvelope};
use dalil_proof::fault::{Refused, quote, quoted};
use dalil_proof::json::Json;
use dalil_proof::key::PublicKey;
use dalil_proof::keyring::SigningTime;
use dalil_proof::report::notes::CheckNotes;
use dalil_proof::report::{CheckStatus, VerificationCheck, VerificationReport};
use dalil_proof::time::Time;
use dalil_proof::trail::{PayloadField, TrailLine, TrailVerifier};
use dalil_proof::tree::{Frontier, TreeHead};
use dalil_proof::trust::{Trust, checkpoint};

use super::{
    COMPLETENESS_PAYLOAD_TYPE, CompletenessStatement, MissingCause, ObligationTrace,
    expected_digest,
};

/// Verifies a statement, with the list and the trail where the verifier has them.
///
/// Lines are taken one by one, so the export may be larger than memory; for each of the expected
/// ids one small value is kept.
#[derive(Debug)]
pub struct CompletenessVerifier<'t> {
    trust: &'t Trust,
    now: Time,
    signed: Result<(DsseEnvelope, CompletenessStatement), Refused>,
    expected: Option<Vec<String>>,
    trail: Option<FollowedTrail<'t>>,
}

/// An export, as far as a statement needs it.
#[derive(Debug)]
struct FollowedTrail<'t> {
    verifier: TrailVerifier<'t>,
    frontier: Frontier,
    size: u64,
    /// The head at the statement's size, once the export has passed it.
    passed: Option<TreeHead>,
    /// Whether every record so far followed the one before it, from record 0 on.
    is_whole: bool,
    traces: BTreeMap<String, ObligationTrace>,
}

/// Whether JSON is the envelope of a statement.
pub fn is_statement(json: &Json<'_>) -> bool {
    matches!(json.get("payloadType"), Some(Json::Text(own)) if own == COMPLETENESS_PAYLOAD_TYPE)
}

/// The trail that a statement claims to be about, unverified.
pub fn unverified_origin(json: &Json<'_>) -> Option<String> {
    let envelope = decode::value(json, read).ok()?;
    let note = CompletenessStatement::parse(&envelope.payload).ok()?.note()?;
    Some(Checkpoint::parse(note.unverified_text()).ok()?.origin().to_owned())
}

/// Verifies a statement without a list and without a trail.
pub fn verify(json: &Json<'_>, trust: &Trust, now: Time) -> VerificationReport {
    CompletenessVerifier::new(json, trust, now).finish()
}

fn read(reader: decode::JsonReader<'_, '_>) -> Option<DsseEnvelope> {
    DsseEnvelope::read(reader, COMPLETENESS_PAYLOAD_TYPE)
}

impl<'t> CompletenessVerifier<'t> {
    /// Starts to verify the envelope of a statement. If it is no statement, [`Self::finish`]
    /// reports that.
    pub fn new(json: &Json<'_>, trust: &'t Trust, now: Time) -> Self {
        let signed = decode::value(json, read).and_then(|envelope| {
            let statement = CompletenessStatement::parse(&envelope.payload)?;
            Ok((envelope, statement))
        });
        Self { trust, now, signed, expected: None, trail: None }
    }

    /// Takes the list that the statement should be about.
    pub fn expect(&mut self, ids: Vec<String>) {
        self.expected = Some(ids);
    }

    /// Takes the next line of a trail export, its line end included where it has one.
    pub fn line(&mut self, line: &[u8]) {
        let Ok((_, statement)) = &self.signed else { return };
        let (trust, now) = (self.trust, self.now);
        let trail = self.trail.get_or_insert_with(|| FollowedTrail::new(statement, trust, now));
        trail.line(line);
    }

    /// Ends the export and gives everything that was found.
    pub fn finish(self) -> VerificationReport {
        let mut report = VerificationReport::default();
        let (envelope, statement) = match &self.signed {
            Ok(signed) => (&signed.0, &signed.1),
            Err(refused) => {
                report.refused(PART_FORMAT, refused);
                return report;
            }
        };
        let (found, count) = (statement.found.len(), statement.expected.count);
        let message = completeness_check::statement_of_evidence(found, count);
        report.pass(PART_FORMAT, message);
        signature(envelope, statement, self.trust, self.now, &mut report);
        if let Some(note) = statement.note() {
            if let Some(checkpoint) = checkpoint::text(&note, self.trust, &mut report) {
                checkpoint::compare(&checkpoint, self.trust, &mut report);
            }
            checkpoint::signers(&note, None, self.trust, self.now, &mut report);
        }
        expected(statement, self.expected.as_deref(), &mut report);
        match self.trail {
            Some(trail) => trail.report(statement, &mut report),
            None => {
                let message = completeness_check::no_export_to_look_in();
                report.incomplete(PART_COMPLETENESS, message);
            }
        }
        report
    }
}

impl<'t> FollowedTrail<'t> {
    fn new(statement: &CompletenessStatement, trust: &'t Trust, now: Time) -> Self {
        let traces = statement.outcomes().into_keys();
        let mut trail = Self {
            verifier: TrailVerifier::new(trust, now),
            frontier: Frontier::default(),
            size: statement.size,
            passed: None,
            is_whole: true,
            traces: traces.map(|id| (id.to_owned(), ObligationTrace::default())).collect(),
        };
        trail.pass();
        trail
    }

    fn line(&mut self, line: &[u8]) {
        self.verifier.line(line);
        // The header and the closing line are no records; the verifier reports every other line.
        let Ok(line) = TrailLine::parse(line) else { return };
        self.is_whole &= line.index == self.frontier.size();
        self.frontier.push(line.record.leaf());
        self.pass();
        let envelope = line.record.envelope();
        if let Some(trace) = self.traces.get_mut(&envelope.subject) {
            let erased_by = line.payload.values().find_map(|field| match field {
                PayloadField::Erased { by } => Some(*by),
                _ => None,
            });
            trace.follow(envelope.kind, line.index, erased_by, self.size);
        }
    }

    fn pass(&mut self) {
        if self.frontier.size() == self.size {
            self.passed = Some(self.frontier.head());
        }
    }

    fn report(self, statement: &CompletenessStatement, report: &mut VerificationReport) {
        let Self { verifier, passed, is_whole, traces, size, .. } = self;
        let export = verifier.finish().report;
        // Withheld fields do not matter here: a record counts by its envelope. Whether it was
        // erased is in `erasures`.
        let is_withheld = |one: &VerificationCheck| {
            one.part == EXPORT_PART_PAYLOADS && one.verdict == CheckStatus::Incomplete
        };
        let own = export.findings.into_iter();
        let own = own.filter(|one| one.verdict != CheckStatus::Pass && !is_withheld(one));
        let mut notes = CheckNotes::default();
        for finding in own {
            let part = finding.part;
            notes.add(finding.verdict, || finding.message.about(part));
        }
        match passed.filter(|_| is_whole) {
            None => notes
                .add(CheckStatus::Incomplete, || completeness_check::export_of_another_part(size)),
            Some(passed) if passed != statement.head() => notes.fail(|| {
                let (expected, found) = (statement.root, passed.root);
                completeness_check::root_differs(expected, size, found)
            }),
            Some(_) if notes.is_empty() => {
                report.pass(PART_TRAIL, completeness_check::export_gives_the_root(size));
            }
            Some(_) => {}
        }
        notes.report(PART_TRAIL, report);
        // Without the whole of the trail, nothing that is absent is shown to be absent.
        if passed.is_some_and(|passed| is_whole && passed == statement.head()) {
            compare(statement, &traces, report);
        } else {
            let message = completeness_check::not_compared_without_root();
            report.incomplete(PART_COMPLETENESS, message);
        }
    }
}

/// Compares the statement about each id with the records.
fn compare(
    statement: &CompletenessStatement,
    traces: &BTreeMap<String, ObligationTrace>,
    report: &mut VerificationReport,
) {
    let mut notes = CheckNotes::default();
    for (id, stated) in statement.outcomes() {
        let found = traces.get(id).map_or(Err(MissingCause::NeverRecorded), |one| one.outcome());
        if found != stated {
            let id = quote(id);
            let (stated, found) = (outcome(stated), outcome(found));
            notes.fail(|| completeness_check::statement_and_trail_differ(id, stated, found));
        }
    }
    if notes.is_empty() {
        let (found, missing) = (statement.found.len(), statement.missing.len());
        let message = completeness_check::obligations_as_the_trail_says(found, missing);
        report.pass(PART_COMPLETENESS, message);
    }
    notes.report(PART_COMPLETENESS, report);
}

fn outcome(outcome: Result<u64, MissingCause>) -> String {
    match outcome {
        Ok(index) => format!("`record {index}`"),
        Err(MissingCause::Erased) => "`erased`".to_owned(),
        Err(MissingCause::Skipped) => "`skipped`".to_owned(),
        Err(MissingCause::StatusOnly) => "`status_only`".to_owned(),
        Err(MissingCause::NeverRecorded) => "`never_recorded`".to_owned(),
    }
}

/// Compares the list of the statement with the verifier's own.
fn expected(
    statement: &CompletenessStatement,
    own: Option<&[String]>,
    report: &mut VerificationReport,
) {
    let Some(own) = own else {
        let message = completeness_check::no_list_to_compare_with();
        return report.incomplete(PART_EXPECTED, message);
    };
    let own = expected_digest(own.iter().map(String::as_str));
    let (count, digest) = (statement.expected.count, statement.expected.sha256);
    if own.ok() == Some(statement.expected) {
        let message = completeness_check::ids_of_the_list(count, digest);
        return report.pass(PART_EXPECTED, message);
    }
    let message = completeness_check::statement_about_other_ids();
    report.fail(PART_EXPECTED, message);
}

/// Checks the signatures of the statement, and the state of the key.
fn signature(
    envelope: &DsseEnvelope,
    statement: &CompletenessStatement,
    trust: &Trust,
    now: Time,
    report: &mut VerificationReport,
) {
    let keys = trust.keyring.keys();
    if keys.is_empty() {
        let message = completeness_check::no_trusted_key();
        return report.incomplete(PART_SIGNATURE, message);
    }
    let signers: Vec<&PublicKey> = keys.iter().filter(|key| envelope.is_signed_by(key)).collect();
    if signers.is_empty() {
        let message = completeness_check::no_trusted_signature();
        return report.fail(PART_SIGNATURE, message);
    }
    let names = signers.iter().map(|key| quoted(&dsse::keyid(key)));
    let names = Phrase::fold(names, proof_check::and);
    report.pass(PART_SIGNATURE, completeness_check::signed_by(names));
    let made_at = statement.made_at;
    if made_at > now {
        let message = completeness_check::made_in_the_future(made_at, now);
        report.incomplete(PART_TIME, message);
    }
    // A checkpoint that was seen early is no proof of when the statement was made.
    let signed = SigningTime { claimed: Some(made_at), seen: None };
    if let Some((verdict, message)) = trust.keyring.best_seal_standing(signers, signed) {
        report.add(PART_STATEMENT_KEY, verdict, message);
    }
}

const PART_FORMAT: &str = "format";
const PART_SIGNATURE: &str = "signature";
const PART_STATEMENT_KEY: &str = "statement key";
const PART_TIME: &str = "time";
const PART_EXPECTED: &str = "expected";
const PART_TRAIL: &str = "trail";
const PART_COMPLETENESS: &str = "completeness";
/// The part of an export's report that counts its payloads.
const EXPORT_PART_PAYLOADS: &str = "payloads";
