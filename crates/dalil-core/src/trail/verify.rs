//! The checks of an export, a line at a time; each part reports at the end.

use super::custody::Link;
use super::header::Header;
use super::keys::{History, Keys};
use super::line::{Line, NotALine};
use super::lineage::Lineages;
use super::order::Order;
use super::payloads::{Counts, Payloads};
use super::roots::Roots;
use crate::digest::{Digest, Running};
use crate::report::{Message, Report, notes::Notes};
use crate::say;
use crate::scan::{Scan, Unexpected};
use crate::time::Time;
use crate::trust::{Trust, checkpoint};

/// Checks the lines of an export as they come.
///
/// It keeps one root for each level of the tree, one entry for each subject and
/// one for each run of records in the same state; never a line.
#[derive(Debug)]
pub struct Verifier<'t> {
    trust: &'t Trust,
    now: Time,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// Nothing came.
    Empty,
    /// The first line was no header.
    Refused(Report),
    /// A header came.
    Open(Box<Open>),
}

/// What a verification found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Every finding.
    pub report: Report,
    /// The verdicts of the payloads.
    pub counts: Counts,
    /// The export's place among others, to be believed only if the report passes.
    pub link: Option<Link>,
}

/// Verifies bytes that should be a whole export.
pub fn verify(bytes: &[u8], trust: &Trust, now: Time) -> Outcome {
    let mut verifier = Verifier::new(trust, now);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        verifier.line(line);
    }
    verifier.finish()
}

impl<'t> Verifier<'t> {
    /// Starts to verify against what the verifier trusts.
    pub fn new(trust: &'t Trust, now: Time) -> Self {
        Self { trust, now, stage: Stage::Empty }
    }

    /// Takes the next line, its line end included where it has one.
    pub fn line(&mut self, line: &[u8]) {
        match &mut self.stage {
            Stage::Empty => self.stage = Stage::begin(line, self.trust),
            Stage::Refused(_) => {}
            Stage::Open(open) => open.line(line, self.now),
        }
    }

    /// Ends the file and gives everything that was found.
    pub fn finish(self) -> Outcome {
        let nothing = |report| Outcome { report, counts: Counts::default(), link: None };
        match self.stage {
            Stage::Empty => {
                let mut report = Report::default();
                let message =
                    say!("expected a header, found nothing", "المتوقع سطر الترويسة، ولا شيء هناك",);
                report.fail(FORMAT, message);
                nothing(report)
            }
            Stage::Refused(report) => nothing(report),
            Stage::Open(open) => open.finish(self.trust, self.now),
        }
    }
}

impl Stage {
    fn begin(line: &[u8], trust: &Trust) -> Self {
        match Header::parse(line) {
            Ok(header) => Self::Open(Box::new(Open::new(header, line, trust))),
            Err(refused) => {
                let mut report = Report::default();
                report.refused(FORMAT, &refused);
                Self::Refused(report)
            }
        }
    }
}

/// A file whose header was read.
#[derive(Debug)]
struct Open {
    header: Header,
    digest: Running,
    /// How many lines came.
    lines: u64,
    records: Records,
    order: Order,
    lineages: Lineages,
    roots: Roots,
    payloads: Payloads,
    keys: Keys,
    end: End,
}

/// The record lines so far.
#[derive(Debug, Default)]
struct Records {
    read: u64,
    unread: u64,
    future: u64,
    latest: Option<Time>,
    notes: Notes,
}

/// What is known about the end of the file.
#[derive(Debug, Default)]
struct End {
    /// What the first closing line says, and what it should say.
    said: Option<Said>,
    notes: Notes,
}

#[derive(Debug)]
struct Said {
    records: (u64, u64),
    digest: (Digest, Digest),
}

impl Open {
    fn new(header: Header, line: &[u8], trust: &Trust) -> Self {
        let (first, size) = (header.first(), header.head().size);
        let mut digest = Running::default();
        digest.update(line);
        Self {
            digest,
            lines: 1,
            records: Records::default(),
            order: Order::new(first, size),
            lineages: Lineages::new(first),
            roots: Roots::new(&header, trust),
            payloads: Payloads::new(first, size),
            keys: Keys::default(),
            end: End::default(),
            header,
        }
    }

    fn line(&mut self, line: &[u8], now: Time) {
        self.lines = self.lines.saturating_add(1);
        let n = self.lines;
        if self.end.said.is_some() {
            self.end.notes.fail(|| {
                say!(
                    "line {n}: expected the end of the file, found more",
                    "السطر {n}: المتوقع نهاية الملف، والموجود زيادة",
                )
            });
            return;
        }
        if line.starts_with(END) {
            match said(line) {
                Ok((records, digest)) => {
                    let found = std::mem::take(&mut self.digest).digest();
                    let records = (records, self.records.read + self.records.unread);
                    self.end.said = Some(Said { records, digest: (digest, found) });
                }
                Err(error) => self.end.notes.fail(|| at_line(n, Message::from(&error))),
            }
            return;
        }
        self.digest.update(line);
        match Line::parse(line) {
            Ok(line) => self.record(&line, now),
            Err(error) => self.unread(&error),
        }
    }

    fn record(&mut self, line: &Line<'_>, now: Time) {
        let (leaf, at) = (line.record.leaf(), line.record.envelope().at);
        self.records.read += 1;
        self.records.future += u64::from(at > now);
        self.records.latest = self.records.latest.max(Some(at));
        self.order.place(self.lines, line.index);
        self.lineages.follow(&line.record, leaf);
        self.roots.push(leaf);
        self.keys.follow(line, self.header.keys().len());
        self.payloads.follow(line);
    }

    fn unread(&mut self, error: &NotALine) {
        let n = self.lines;
        self.records.unread += 1;
        self.records.notes.fail(|| at_line(n, Message::from(error)));
        self.order.skip();
    }

    fn finish(self, trust: &Trust, now: Time) -> Outcome {
        let Self { header, records, order, lineages, roots, payloads, keys, end, .. } = self;
        let mut report = Report::default();
        let (first, size, note) = (header.first(), header.head().size, header.checkpoint());
        let message = say!(
            "a trail export from record {first} to size {size}",
            "مستخرج من المسار من القيد {first} إلى الحجم {size}",
        );
        report.pass(FORMAT, message);
        checkpoint::text(note, trust, &mut report);
        let (latest, unread) = (records.latest, records.unread);
        records.report(now, &mut report);
        order.report(&mut report);
        lineages.report(&mut report);
        roots.report(&header, trust, unread, &mut report);
        let counts = payloads.report(&mut report);
        let history = History { keys: header.keys(), whole: first == 0, checkpoint: note };
        keys.report(&history, trust, checkpoint::seen(note, trust, now), &mut report);
        end.report(&mut report);
        checkpoint::signers(note, latest, trust, now, &mut report);
        Outcome { report, counts, link: Some(Link::of(&header)) }
    }
}

impl Records {
    fn report(self, now: Time, report: &mut Report) {
        let Self { read, future, .. } = self;
        if self.notes.is_empty() && future > 0 {
            let message = say!(
                "{future} of {read} are dated later than now, {now}",
                "{future} من {read} بتاريخ بعد وقت التحقق {now}",
            );
            report.incomplete(RECORDS, message);
        } else if self.notes.is_empty() {
            let message =
                say!("{read} records in their canonical form", "{read} من القيود بصيغتها المعتمدة");
            report.pass(RECORDS, message);
        }
        self.notes.report(RECORDS, report);
    }
}

impl End {
    fn report(mut self, report: &mut Report) {
        match self.said {
            None => self.notes.fail(|| {
                say!(
                    "expected a closing line, found none: the file is cut",
                    "المتوقع سطر ختامي، ولا يوجد: الملف مقطوع",
                )
            }),
            Some(Said { records: (said, found), digest: (expected, digest) }) => {
                if said != found {
                    self.notes.fail(|| {
                        say!(
                            "expected {said} records, found {found}",
                            "عدد القيود المتوقع {said}، والموجود {found}",
                        )
                    });
                }
                if expected != digest {
                    self.notes.fail(|| {
                        say!(
                            "expected the file to have digest `{expected}`, found `{digest}`",
                            "البصمة المتوقعة للملف `{expected}`، والموجودة `{digest}`",
                        )
                    });
                }
                if self.notes.is_empty() {
                    let message = say!(
                        "whole: {found} records and their digest",
                        "كامل: {found} من القيود وبصمتها",
                    );
                    report.pass(PART_END, message);
                }
            }
        }
        self.notes.report(PART_END, report);
    }
}

fn at_line(n: u64, message: Message) -> Message {
    message.about(&format!("line {n}"), &format!("السطر {n}"))
}

/// What a closing line says, in its one spelling.
fn said(line: &[u8]) -> Result<(u64, Digest), Unexpected> {
    let mut scan = Scan::new(line);
    scan.literal("{\"end\":{\"records\":")?;
    let records = scan.whole("a number of records")?;
    scan.literal(",\"sha256\":\"sha256:")?;
    let digest = scan.hex("64 lower-case hex digits")?;
    scan.literal("}}")?;
    scan.line_end()?;
    Ok((records, digest))
}

/// How the closing line starts.
const END: &[u8] = b"{\"end\":";
const FORMAT: &str = "format";
const RECORDS: &str = "records";
const PART_END: &str = "end";
