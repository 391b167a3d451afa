//! The checks of an export, a line at a time; each part reports at the end.

use dalil_phrasebook::{Phrase, proof_check, trail_check};

use super::custody::CustodyLink;
use super::header::TrailHeader;
use super::keys::{self, KeyChangeLog, StatedKeyHistory};
use super::line::{NotALine, TrailLine};
use super::lineage::LineageTracker;
use super::order::RecordOrderTracker;
use super::payloads::{PayloadCounts, PayloadTracker};
use super::roots::RootTracker;
use crate::canon_scan::{CanonicalScanner, UnexpectedBytes};
use crate::digest::{Digest, DigestHasher};
use crate::report::{VerificationReport, notes::CheckNotes};
use crate::time::{MAX_CLOCK_SKEW_MILLIS, Time};
use crate::trust::{Trust, checkpoint};

/// Checks the lines of an export as they come.
///
/// It keeps one root for each level of the tree, one entry for each subject and
/// one for each run of records in the same state; never a line.
#[derive(Debug)]
pub struct TrailVerifier<'t> {
    trust: &'t Trust,
    now: Time,
    stage: VerifierStage,
}

#[derive(Debug)]
enum VerifierStage {
    /// Nothing came.
    Empty,
    /// The first line was no header.
    Refused(VerificationReport),
    /// A header came.
    Open(Box<OpenTrailExport>),
}

/// The result of a verification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrailVerification {
    /// Every finding.
    pub report: VerificationReport,
    /// The verdicts of the payloads.
    pub counts: PayloadCounts,
    /// The export's place among others, to be believed only if the report passes.
    pub link: Option<CustodyLink>,
}

/// Verifies bytes that should be a whole export.
pub fn verify(bytes: &[u8], trust: &Trust, now: Time) -> TrailVerification {
    let mut verifier = TrailVerifier::new(trust, now);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        verifier.line(line);
    }
    verifier.finish()
}

impl<'t> TrailVerifier<'t> {
    /// Starts to verify against the verifier's trust.
    pub fn new(trust: &'t Trust, now: Time) -> Self {
        Self { trust, now, stage: VerifierStage::Empty }
    }

    /// Takes the next line, its line end included where it has one.
    pub fn line(&mut self, line: &[u8]) {
        match &mut self.stage {
            VerifierStage::Empty => self.stage = VerifierStage::begin(line, self.trust),
            VerifierStage::Refused(_) => {}
            VerifierStage::Open(open) => open.line(line, self.now),
        }
    }

    /// Ends the file and gives everything that was found.
    pub fn finish(self) -> TrailVerification {
        let nothing =
            |report| TrailVerification { report, counts: PayloadCounts::default(), link: None };
        match self.stage {
            VerifierStage::Empty => {
                let mut report = VerificationReport::default();
                let message = trail_check::no_header();
                report.fail(PART_FORMAT, message);
                nothing(report)
            }
            VerifierStage::Refused(report) => nothing(report),
            VerifierStage::Open(open) => open.finish(self.trust, self.now),
        }
    }
}

impl VerifierStage {
    fn begin(line: &[u8], trust: &Trust) -> Self {
        match TrailHeader::parse(line) {
            Ok(header) => Self::Open(Box::new(OpenTrailExport::new(header, line, trust))),
            Err(refused) => {
                let mut report = VerificationReport::default();
                report.refused(PART_FORMAT, &refused);
                Self::Refused(report)
            }
        }
    }
}

/// A file whose header was read.
#[derive(Debug)]
struct OpenTrailExport {
    header: TrailHeader,
    digest: DigestHasher,
    /// How many lines came.
    lines: u64,
    records: RecordLineTally,
    order: RecordOrderTracker,
    lineages: LineageTracker,
    roots: RootTracker,
    payloads: PayloadTracker,
    keys: KeyChangeLog,
    end: ClosingLineTracker,
}

/// The record lines so far.
#[derive(Debug, Default)]
struct RecordLineTally {
    read: u64,
    unread: u64,
    future: u64,
    /// When the trail got its first key.
    begins: Option<Time>,
    /// Dated before that.
    early: u64,
    /// Dated before an earlier record by more than clocks differ: imported, or dated back.
    back: u64,
    latest: Option<Time>,
    notes: CheckNotes,
}

/// The state of the end of the file.
#[derive(Debug, Default)]
struct ClosingLineTracker {
    /// The totals of the first closing line, and the expected ones.
    said: Option<ClosingLineTotals>,
    notes: CheckNotes,
}

#[derive(Debug)]
struct ClosingLineTotals {
    records: (u64, u64),
    digest: (Digest, Digest),
}

impl OpenTrailExport {
    fn new(header: TrailHeader, line: &[u8], trust: &Trust) -> Self {
        let (first, size) = (header.first(), header.head().size);
        let mut digest = DigestHasher::default();
        digest.update(line);
        Self {
            digest,
            lines: 1,
            records: RecordLineTally {
                begins: trust.keyring.begins(),
                ..RecordLineTally::default()
            },
            order: RecordOrderTracker::new(first, size),
            lineages: LineageTracker::new(first),
            roots: RootTracker::new(&header, trust),
            payloads: PayloadTracker::new(first, size),
            keys: KeyChangeLog::default(),
            end: ClosingLineTracker::default(),
            header,
        }
    }

    fn line(&mut self, line: &[u8], now: Time) {
        self.lines = self.lines.saturating_add(1);
        let n = self.lines;
        if self.end.said.is_some() {
            self.end.notes.fail(|| trail_check::more_after_the_end(n));
            return;
        }
        if line.starts_with(CLOSING_LINE_PREFIX) {
            match said(line) {
                Ok((records, digest)) => {
                    // The closing line has the digest of the bytes before it, and is not hashed
                    // itself.
                    let found = std::mem::take(&mut self.digest).digest();
                    let records = (records, self.records.read + self.records.unread);
                    self.end.said = Some(ClosingLineTotals { records, digest: (digest, found) });
                }
                Err(error) => self.end.notes.fail(|| at_line(n, &error.phrase())),
            }
            return;
        }
        // Read or not: the digest is over bytes.
        self.digest.update(line);
        match TrailLine::parse(line) {
            Ok(line) => self.record(&line, now),
            Err(error) => self.unread(&error),
        }
    }

    fn record(&mut self, line: &TrailLine<'_>, now: Time) {
        let (leaf, at) = (line.record.leaf(), keys::time_of(line, self.header.keys()));
        self.records.read += 1;
        self.records.future += u64::from(at > now);
        self.records.early += u64::from(self.records.begins.is_some_and(|begins| at < begins));
        let is_back = |latest: Time| latest.millis() - at.millis() > MAX_CLOCK_SKEW_MILLIS;
        self.records.back += u64::from(self.records.latest.is_some_and(is_back));
        self.records.latest = self.records.latest.max(Some(at));
        self.order.place(self.lines, line.index);
        self.lineages.follow(&line.record, leaf);
        // In the order of the file, not by index, so that a swap changes the root.
        self.roots.push(leaf);
        self.keys.follow(line, self.header.keys().len());
        self.payloads.follow(line);
    }

    fn unread(&mut self, error: &NotALine) {
        let n = self.lines;
        self.records.unread += 1;
        self.records.notes.fail(|| at_line(n, &error.phrase()));
        self.order.skip();
    }

    fn finish(self, trust: &Trust, now: Time) -> TrailVerification {
        let Self { header, records, order, lineages, roots, payloads, keys: told, end, .. } = self;
        let mut report = VerificationReport::default();
        let (first, size, note) = (header.first(), header.head().size, header.checkpoint());
        let message = trail_check::trail_export(first, size);
        report.pass(PART_FORMAT, message);
        checkpoint::text(note, trust, &mut report);
        let (latest, unread) = (records.latest, records.unread);
        records.report(now, &mut report);
        order.report(&mut report);
        lineages.report(&mut report);
        roots.report(&header, trust, unread, &mut report);
        let counts = payloads.report(&mut report);
        // From record 0 on, each change of a key has its record in the file.
        let history = StatedKeyHistory { keys: header.keys(), whole: first == 0, checkpoint: note };
        told.report(&history, trust, checkpoint::seen(note, trust, now), &mut report);
        end.report(&mut report);
        // No record may be later than the retirement of the key, so the latest one is asked.
        checkpoint::signers(note, latest, trust, now, &mut report);
        TrailVerification { report, counts, link: Some(CustodyLink::of(&header)) }
    }
}

impl RecordLineTally {
    fn report(mut self, now: Time, report: &mut VerificationReport) {
        let Self { read, future, early, back, begins, .. } = self;
        if let Some(begins) = begins.filter(|_| early > 0) {
            self.notes.fail(|| trail_check::records_before_any_key(early, read, begins));
        }
        if self.notes.is_empty() && future > 0 {
            let message = trail_check::records_in_the_future(future, read, now);
            report.incomplete(PART_RECORDS, message);
        } else if self.notes.is_empty() && back > 0 {
            let message = trail_check::canonical_records_dated_back(read, back);
            report.pass(PART_RECORDS, message);
        } else if self.notes.is_empty() {
            let message = trail_check::canonical_records(read);
            report.pass(PART_RECORDS, message);
        }
        self.notes.report(PART_RECORDS, report);
    }
}

impl ClosingLineTracker {
    fn report(mut self, report: &mut VerificationReport) {
        match self.said {
            None => self.notes.fail(trail_check::no_closing_line),
            Some(ClosingLineTotals { records: (said, found), digest: (expected, digest) }) => {
                if said != found {
                    self.notes.fail(|| trail_check::record_count_differs(said, found));
                }
                if expected != digest {
                    self.notes.fail(|| trail_check::file_digest_differs(expected, digest));
                }
                if self.notes.is_empty() {
                    let message = trail_check::whole_file(found);
                    report.pass(PART_END, message);
                }
            }
        }
        self.notes.report(PART_END, report);
    }
}

fn at_line(n: u64, message: &Phrase) -> Phrase {
    message.about(proof_check::line(n))
}

/// Parses a closing line in its one spelling.
fn said(line: &[u8]) -> Result<(u64, Digest), UnexpectedBytes> {
    let mut scan = CanonicalScanner::new(line);
    scan.literal("{\"end\":{\"records\":")?;
    let records = scan.whole("a number of records")?;
    scan.literal(",\"sha256\":\"sha256:")?;
    let digest = scan.hex("64 lower-case hex digits")?;
    scan.literal("}}")?;
    scan.line_end()?;
    Ok((records, digest))
}

/// How the closing line starts.
const CLOSING_LINE_PREFIX: &[u8] = b"{\"end\":";
const PART_FORMAT: &str = "format";
const PART_RECORDS: &str = "records";
const PART_END: &str = "end";
