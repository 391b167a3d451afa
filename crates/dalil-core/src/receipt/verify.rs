//! The checks of a receipt, in order; each adds its findings and none stops the others.

use super::Receipt;
use crate::checkpoint::Checkpoint;
use crate::record::Record;
use crate::report::Report;
use crate::time::Time;
use crate::tree::proof;
use crate::trust::{Trust, checkpoint};

pub(super) fn receipt(receipt: &Receipt, trust: &Trust, now: Time) -> Report {
    let mut report = Report::default();
    report.pass(FORMAT, "a receipt in its canonical form");
    let claimed = record(receipt, now, &mut report).map(|record| record.envelope().at);
    if let Some(signed) = checkpoint::text(&receipt.checkpoint, trust, &mut report) {
        inclusion(receipt, &signed, &mut report);
    }
    checkpoint::signers(&receipt.checkpoint, claimed, trust, now, &mut report);
    report
}

fn record(receipt: &Receipt, now: Time, report: &mut Report) -> Option<Record> {
    match receipt.unverified_record() {
        Ok(record) => {
            let envelope = record.envelope();
            let message = format!("`{}`, `{}` of {}", envelope.id, envelope.kind, envelope.at);
            if envelope.at > now {
                report.incomplete(RECORD, format!("{message}, which is later than now, {now}"));
            } else {
                report.pass(RECORD, message);
            }
            Some(record)
        }
        Err(refused) => {
            report.refused(RECORD, &refused);
            None
        }
    }
}

fn inclusion(receipt: &Receipt, checkpoint: &Checkpoint, report: &mut Report) {
    let head = checkpoint.head();
    match proof::inclusion(&receipt.leaf(), receipt.index, &receipt.path, head) {
        Ok(()) => {
            report.pass(INCLUSION, format!("record {} is under the root", receipt.index));
        }
        Err(error) => report.fail(INCLUSION, error.to_string()),
    }
}

pub(super) const FORMAT: &str = "format";
const RECORD: &str = "record";
const INCLUSION: &str = "inclusion";
