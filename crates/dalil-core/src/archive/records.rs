//! The records of an archive and their receipts.

use std::collections::{BTreeMap, BTreeSet};

use super::{CHECKPOINT, Files, RECORDS, Role, receipt_name};
use crate::digest::Digest;
use crate::pack::COMMITMENT;
use crate::receipt::{self, Receipt};
use crate::record::Kind;
use crate::report::notes::Notes;
use crate::report::{Message, Report};
use crate::say;
use crate::time::Time;
use crate::trail::keys::Keys;
use crate::trail::lineage::Lineages;
use crate::trail::payloads::Payloads;
use crate::trail::{Field, Line};
use crate::tree::{Head, proof};

/// What the records say, with everything that no trust is needed to see.
#[derive(Debug)]
pub(super) struct Records<'f> {
    /// The time of the latest.
    pub(super) latest: Option<Time>,
    /// Changes to keys.
    pub(super) keys: Keys,
    /// The sessions that were opened.
    pub(super) sessions: Vec<Line<'f>>,
    /// The digest of every decision that is shown, by its name.
    pub(super) decisions: BTreeMap<String, Digest>,
    /// The packs that were sealed.
    pub(super) sealed: BTreeSet<String>,
    /// Those of them that were erased, and by which record.
    pub(super) erased: BTreeMap<String, u64>,
    /// The objects of the lake that a payload names.
    pub(super) objects: BTreeSet<Digest>,
    count: u64,
    records: Notes,
    /// What was found about receipts, lineages and payloads.
    settled: Report,
}

impl<'f> Records<'f> {
    /// Reads the records and the receipt of each; `most` is how many changes the key history has.
    pub(super) fn read(files: &'f Files<'_>, head: Option<Head>, most: usize) -> Self {
        let mut reading = Reading::new(files, head);
        let lines = files.get(RECORDS).map_or(&[][..], |file| file);
        for (n, line) in (1..).zip(lines.split_inclusive(|byte| *byte == b'\n')) {
            match Line::parse(line) {
                Ok(line) => reading.record(n, line, most),
                Err(error) => reading.unread(n, &error),
            }
        }
        reading.finish()
    }

    pub(super) fn report(&self, now: Time, report: &mut Report) {
        let (count, latest) = (self.count, self.latest);
        match latest.filter(|latest| self.records.is_empty() && *latest > now) {
            Some(latest) => {
                let message = say!(
                    "the latest of {count} is of {latest}, which is later than now, {now}",
                    "آخر القيود وعددها {count} بتاريخ {latest}، وهو بعد وقت التحقق {now}",
                );
                report.incomplete(PART, message);
            }
            None if self.records.is_empty() => {
                let message = say!(
                    "{count} records in their canonical form",
                    "{count} من القيود بصيغتها المعتمدة",
                );
                report.pass(PART, message);
            }
            None => {}
        }
        self.records.clone().report(PART, report);
        report.findings.extend(self.settled.findings.iter().cloned());
    }
}

/// Records that are being read.
struct Reading<'r, 'f> {
    files: &'r Files<'r>,
    head: Option<Head>,
    checkpoint: &'r [u8],
    last: Option<u64>,
    receipts: Notes,
    proved: u64,
    lineages: Lineages,
    payloads: Payloads,
    found: Records<'f>,
}

impl<'r, 'f: 'r> Reading<'r, 'f> {
    fn new(files: &'r Files<'_>, head: Option<Head>) -> Self {
        let size = head.map_or(u64::MAX, |head| head.size);
        Self {
            files,
            head,
            checkpoint: files.get(CHECKPOINT).map_or(&[][..], |file| file),
            last: None,
            receipts: Notes::default(),
            proved: 0,
            lineages: Lineages::new(0),
            payloads: Payloads::new(0, size),
            found: Records {
                latest: None,
                keys: Keys::default(),
                sessions: Vec::new(),
                decisions: BTreeMap::new(),
                sealed: BTreeSet::new(),
                erased: BTreeMap::new(),
                objects: BTreeSet::new(),
                count: 0,
                records: Notes::default(),
                settled: Report::default(),
            },
        }
    }

    fn unread(&mut self, n: u64, error: &crate::trail::NotALine) {
        let at = (format!("line {n}"), format!("السطر {n}"));
        self.found.records.fail(|| Message::from(error).about(&at.0, &at.1));
    }

    fn record(&mut self, n: u64, line: Line<'f>, most: usize) {
        let index = line.index;
        if self.last.is_some_and(|last| last >= index) {
            self.found.records.fail(|| {
                say!(
                    "line {n}: expected a record after the one above, found record {index}",
                    "السطر {n}: المتوقع قيد بعد سابقه، والموجود القيد {index}",
                )
            });
        }
        self.last = Some(index);
        self.found.count += 1;
        let leaf = line.record.leaf();
        match self.receipt(&line, leaf) {
            Ok(()) => self.proved += 1,
            Err(message) => self
                .receipts
                .fail(|| message.about(&format!("record {index}"), &format!("القيد {index}"))),
        }
        self.lineages.follow(&line.record, leaf);
        self.found.keys.follow(&line, most);
        self.payloads.follow(&line);
        self.found.take(line);
    }

    /// Checks that the record has a receipt under the archive's checkpoint.
    fn receipt(&self, line: &Line<'_>, leaf: Digest) -> Result<(), Message> {
        let file = self
            .files
            .get(&receipt_name(line.index))
            .ok_or_else(|| say!("expected a receipt, found none", "المتوقع إيصال، ولا يوجد"))?;
        let head = self.head.ok_or_else(|| {
            say!("there is no checkpoint to hold it under", "لا نقطة تحقق يُقاس عليها")
        })?;
        match receipt::path(file, &line.record, line.index, self.checkpoint) {
            Some(path) => proof::inclusion(&leaf, line.index, &path, &head)
                .map_err(|error| Message::from(&error)),
            None => Err(Receipt::parse(file).map_or_else(
                |error| Message::from(&error),
                |_| {
                    say!(
                        "expected its receipt under the archive's checkpoint, found another",
                        "المتوقع إيصاله تحت نقطة تحقق الأرشيف، والموجود غيره",
                    )
                },
            )),
        }
    }

    fn finish(mut self) -> Records<'f> {
        let receipts =
            self.files.keys().filter(|name| matches!(Role::of(name), Some(Role::Receipt(_))));
        let others = (receipts.count() as u64).saturating_sub(self.found.count);
        if others > 0 {
            self.receipts.fail(|| {
                say!(
                    "expected one receipt for each record, found {others} more",
                    "المتوقع إيصال واحد لكل قيد، والزائد {others}",
                )
            });
        }
        let report = &mut self.found.settled;
        if self.receipts.is_empty() {
            let proved = self.proved;
            let message = say!(
                "{proved} records are under the root of the checkpoint",
                "{proved} من القيود مشمولة بجذر نقطة التحقق",
            );
            report.pass(RECEIPTS, message);
        }
        self.receipts.report(RECEIPTS, report);
        self.lineages.report(report);
        self.payloads.report(report);
        self.found
    }
}

impl<'f> Records<'f> {
    /// Keeps what other parts ask for.
    fn take(&mut self, line: Line<'f>) {
        let envelope = line.record.envelope();
        self.latest = self.latest.max(Some(envelope.at));
        for name in line.payload.keys() {
            if let Some(Field::Lake { object, .. }) = line.shown(name) {
                self.objects.insert(*object);
            }
        }
        let kind = envelope.kind;
        if kind == Kind::PackSealed {
            self.sealed.insert(envelope.subject.clone());
            if let Some(Field::Erased { by }) = line.payload.get(COMMITMENT) {
                self.erased.insert(envelope.subject.clone(), *by);
            }
        } else if kind == Kind::DecisionRecorded
            && let Some(Field::Present { bytes, .. }) = line.shown(DECISION)
        {
            self.decisions.insert(envelope.subject.clone(), Digest::of(bytes));
        } else if kind == Kind::SessionOpened {
            self.sessions.push(line);
        }
    }
}

/// The field of a `decision.recorded` record that holds the decision.
const DECISION: &str = "decision";
const PART: &str = "records";
const RECEIPTS: &str = "receipts";
