//! The records of an archive and their receipts.

use std::collections::{BTreeMap, BTreeSet};

use dalil_phrasebook::{Phrase, archive_check, proof_check};
use dalil_proof::digest::Digest;
use dalil_proof::keyring::KeyHistoryEntry;
use dalil_proof::receipt::{self, Receipt};
use dalil_proof::record::{DECISION_FIELD, RecordKind};
use dalil_proof::report::VerificationReport;
use dalil_proof::report::notes::CheckNotes;
use dalil_proof::time::Time;
use dalil_proof::trail::keys::{KeyChangeLog, time_of};
use dalil_proof::trail::lineage::LineageTracker;
use dalil_proof::trail::payloads::PayloadTracker;
use dalil_proof::trail::{PayloadField, TrailLine};
use dalil_proof::tree::{TreeHead, proof};
use dalil_proof::trust::Trust;

use super::layout::{ArchiveFileRole, ArchiveFiles, CHECKPOINT_PATH, RECORDS_PATH, receipt_name};
use crate::approval::{ApprovalVote, VoteOutcome};
use crate::pack::PACK_FIELD;

/// The content of the records, with all findings that need no trust.
#[derive(Debug)]
pub(super) struct ArchiveRecords<'f> {
    /// The time of the latest.
    pub(super) latest: Option<Time>,
    /// The time of the earliest.
    earliest: Option<Time>,
    /// Changes to keys.
    pub(super) keys: KeyChangeLog,
    /// The sessions that were opened.
    pub(super) sessions: Vec<TrailLine<'f>>,
    /// The digest of every decision that is shown, by its name.
    pub(super) decisions: BTreeMap<String, Digest>,
    /// The digests of the ledgers that were closed, by session.
    pub(super) ledgers: BTreeMap<String, Vec<Digest>>,
    /// Who rejected a pack, by its name.
    pub(super) rejections: BTreeMap<String, ArchivedRejection>,
    /// The record of each call of a tool, in order.
    pub(super) calls: Vec<TrailLine<'f>>,
    /// The packs that were sealed, and by which record.
    pub(super) sealed: BTreeMap<String, u64>,
    /// Those of them that were erased, and by which record.
    pub(super) erased: BTreeMap<String, u64>,
    /// The objects of the lake that a payload names.
    pub(super) objects: BTreeSet<Digest>,
    count: u64,
    records: CheckNotes,
    /// The findings about receipts, lineages and payloads.
    settled: VerificationReport,
}

impl<'f> ArchiveRecords<'f> {
    /// Reads the records and the receipt of each; `keys` is the key history beside them.
    pub(super) fn read(
        files: &'f ArchiveFiles<'_>,
        head: Option<TreeHead>,
        keys: &[KeyHistoryEntry],
    ) -> Self {
        let mut reading = ArchiveRecordReader::new(files, head);
        let lines = files.get(RECORDS_PATH).map_or(&[][..], |file| file);
        // The line end stays in the piece: a last line that was cut does not parse, and fails.
        for (n, line) in (1..).zip(lines.split_inclusive(|byte| *byte == b'\n')) {
            match TrailLine::parse(line) {
                Ok(line) => reading.record(n, line, keys),
                Err(error) => reading.unread(n, &error),
            }
        }
        reading.finish()
    }

    pub(super) fn report(&self, trust: &Trust, now: Time, report: &mut VerificationReport) {
        let (count, latest) = (self.count, self.latest);
        let mut notes = self.records.clone();
        if let Some((at, begins)) = self.earliest.zip(trust.keyring.begins())
            && at < begins
        {
            notes.fail(|| archive_check::earliest_record_before_any_key(count, at, begins));
        }
        match latest.filter(|latest| notes.is_empty() && *latest > now) {
            Some(latest) => {
                let message = archive_check::latest_record_in_the_future(count, latest, now);
                report.incomplete(PART_RECORDS, message);
            }
            None if notes.is_empty() => {
                let message = archive_check::records_in_their_canonical_form(count);
                report.pass(PART_RECORDS, message);
            }
            None => {}
        }
        notes.report(PART_RECORDS, report);
        report.findings.extend(self.settled.findings.iter().cloned());
    }
}

/// Records that are being read.
struct ArchiveRecordReader<'r, 'f> {
    files: &'r ArchiveFiles<'r>,
    head: Option<TreeHead>,
    checkpoint: &'r [u8],
    last: Option<u64>,
    receipts: CheckNotes,
    proved: u64,
    lineages: LineageTracker,
    payloads: PayloadTracker,
    found: ArchiveRecords<'f>,
}

impl<'r, 'f: 'r> ArchiveRecordReader<'r, 'f> {
    fn new(files: &'r ArchiveFiles<'_>, head: Option<TreeHead>) -> Self {
        // Without a head every place is possible; that there is none fails with the receipts.
        let size = head.map_or(u64::MAX, |head| head.size);
        Self {
            files,
            head,
            checkpoint: files.get(CHECKPOINT_PATH).map_or(&[][..], |file| file),
            last: None,
            receipts: CheckNotes::default(),
            proved: 0,
            // From 0: unlike in an export, no subject may begin before the first record here.
            lineages: LineageTracker::new(0),
            payloads: PayloadTracker::new(0, size),
            found: ArchiveRecords {
                latest: None,
                earliest: None,
                keys: KeyChangeLog::default(),
                sessions: Vec::new(),
                decisions: BTreeMap::new(),
                ledgers: BTreeMap::new(),
                rejections: BTreeMap::new(),
                calls: Vec::new(),
                sealed: BTreeMap::new(),
                erased: BTreeMap::new(),
                objects: BTreeSet::new(),
                count: 0,
                records: CheckNotes::default(),
                settled: VerificationReport::default(),
            },
        }
    }

    fn unread(&mut self, n: u64, error: &dalil_proof::trail::NotALine) {
        self.found.records.fail(|| error.phrase().about(proof_check::line(n)));
    }

    fn record(&mut self, n: u64, line: TrailLine<'f>, keys: &[KeyHistoryEntry]) {
        let index = line.index;
        if self.last.is_some_and(|last| last >= index) {
            self.found.records.fail(|| archive_check::record_out_of_order(n, index));
        }
        self.last = Some(index);
        self.found.count += 1;
        let leaf = line.record.leaf();
        match self.receipt(&line, leaf) {
            Ok(()) => self.proved += 1,
            Err(message) => self.receipts.fail(|| message.about(proof_check::record(index))),
        }
        self.lineages.follow(&line.record, leaf);
        self.found.keys.follow(&line, keys.len());
        self.payloads.follow(&line);
        let at = time_of(&line, keys);
        self.found.take(line, at);
    }

    /// Checks that the record has a receipt under the archive's checkpoint.
    fn receipt(&self, line: &TrailLine<'_>, leaf: Digest) -> Result<(), Phrase> {
        let file = self
            .files
            .get(&receipt_name(line.index))
            .ok_or_else(archive_check::record_without_receipt)?;
        let head = self.head.ok_or_else(archive_check::no_checkpoint_for_receipt)?;
        // A receipt of this record under this checkpoint is known but for its path, so comparing
        // bytes is enough. It is parsed only to say what else it is.
        match receipt::path(file, &line.record, line.index, self.checkpoint) {
            Some(path) => {
                proof::inclusion(&leaf, line.index, &path, &head).map_err(|error| error.phrase())
            }
            None => Err(Receipt::parse(file).map_or_else(
                |error| error.phrase(),
                |_| archive_check::record_receipt_under_another_checkpoint(),
            )),
        }
    }

    fn finish(mut self) -> ArchiveRecords<'f> {
        let receipts = self
            .files
            .keys()
            .filter(|name| matches!(ArchiveFileRole::of(name), Some(ArchiveFileRole::Receipt(_))));
        // A record without its receipt has failed already, so only a surplus is left to find.
        let others = (receipts.count() as u64).saturating_sub(self.found.count);
        if others > 0 {
            self.receipts.fail(|| archive_check::receipts_without_records(others));
        }
        let report = &mut self.found.settled;
        if self.receipts.is_empty() {
            let proved = self.proved;
            let message = archive_check::records_under_the_root(proved);
            report.pass(PART_RECEIPTS, message);
        }
        self.receipts.report(PART_RECEIPTS, report);
        self.lineages.report(report);
        self.payloads.report(report);
        self.found
    }
}

impl<'f> ArchiveRecords<'f> {
    /// Keeps the fields of a record, which happened `at` that time, that other parts need.
    fn take(&mut self, line: TrailLine<'f>, at: Time) {
        let envelope = line.record.envelope();
        self.latest = self.latest.max(Some(at));
        self.earliest = Some(self.earliest.map_or(at, |earliest| earliest.min(at)));
        for name in line.payload.keys() {
            // `shown` opens the commitment: a line alone can state any digest.
            if let Some(PayloadField::Lake { object, .. }) = line.shown(name) {
                self.objects.insert(*object);
            }
        }
        let kind = envelope.kind;
        if kind == RecordKind::PackSealed {
            self.sealed.insert(envelope.subject.clone(), line.index);
            if let Some(PayloadField::Erased { by }) = line.payload.get(PACK_FIELD) {
                self.erased.insert(envelope.subject.clone(), *by);
            }
        } else if kind == RecordKind::DecisionRecorded
            && let Some(PayloadField::Present { bytes, .. }) = line.shown(DECISION_FIELD)
        {
            self.decisions.insert(envelope.subject.clone(), Digest::of(bytes));
        } else if kind == RecordKind::PackReviewed {
            if let Some(rejection) = ArchivedRejection::of(&line) {
                self.rejections.insert(envelope.subject.clone(), rejection);
            }
        } else if kind == RecordKind::LedgerClosed
            && let Some(PayloadField::Lake { object, .. }) = line.shown(LEDGER_FIELD)
        {
            self.ledgers.entry(envelope.subject.clone()).or_default().push(*object);
        } else if kind == RecordKind::SessionOpened {
            self.sessions.push(line);
        } else if matches!(kind, RecordKind::ToolIntended | RecordKind::ToolReported) {
            self.calls.push(line);
        }
    }
}

/// A rejection, from its record.
#[derive(Clone, Debug)]
pub(super) struct ArchivedRejection {
    pub(super) index: u64,
    pub(super) vote: ApprovalVote,
}

impl ArchivedRejection {
    fn of(line: &TrailLine<'_>) -> Option<Self> {
        let Some(PayloadField::Present { bytes, .. }) = line.shown(VOTE_FIELD) else { return None };
        let vote = ApprovalVote::parse(bytes).ok()?;
        (vote.outcome == VoteOutcome::Rejected).then_some(Self { index: line.index, vote })
    }
}

/// The field of a `pack.reviewed` record that holds the vote.
const VOTE_FIELD: &str = "vote";
/// The field of a `ledger.closed` record that names the ledger.
const LEDGER_FIELD: &str = "ledger";
const PART_RECORDS: &str = "records";
const PART_RECEIPTS: &str = "receipts";
