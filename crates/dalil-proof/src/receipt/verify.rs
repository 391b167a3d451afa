//! The checks of a receipt, in order; each adds its findings and none stops the others.

use dalil_phrasebook::proof_check;

use super::Receipt;
use crate::checkpoint::Checkpoint;
use crate::record::Record;
use crate::report::VerificationReport;
use crate::time::Time;
use crate::tree::proof;
use crate::trust::{Trust, checkpoint};

pub(super) fn receipt(receipt: &Receipt, trust: &Trust, now: Time) -> VerificationReport {
    let mut report = VerificationReport::default();
    report.pass(PART_FORMAT, proof_check::canonical_receipt());
    let claimed = record(receipt, trust, now, &mut report).map(|record| record.envelope().at);
    if let Some(signed) = checkpoint::text(&receipt.checkpoint, trust, &mut report) {
        inclusion(receipt, &signed, &mut report);
        checkpoint::compare(&signed, trust, &mut report);
    }
    checkpoint::signers(&receipt.checkpoint, claimed, trust, now, &mut report);
    report
}

fn record(
    receipt: &Receipt,
    trust: &Trust,
    now: Time,
    report: &mut VerificationReport,
) -> Option<Record> {
    match receipt.unverified_record() {
        Ok(record) => {
            let envelope = record.envelope();
            let (id, kind, at) = (&envelope.id, envelope.kind, envelope.at);
            if let Some(begins) = trust.keyring.begins().filter(|begins| at < *begins) {
                let message = proof_check::record_before_any_key(id, kind, at, begins);
                report.fail(PART_RECORD, message);
            } else if at > now {
                let message = proof_check::record_in_the_future(id, kind, at, now);
                report.incomplete(PART_RECORD, message);
            } else {
                let message = proof_check::record_of_time(id, kind, at);
                report.pass(PART_RECORD, message);
            }
            Some(record)
        }
        Err(refused) => {
            report.refused(PART_RECORD, &refused);
            None
        }
    }
}

fn inclusion(receipt: &Receipt, checkpoint: &Checkpoint, report: &mut VerificationReport) {
    let head = checkpoint.head();
    match proof::inclusion(&receipt.leaf(), receipt.index, &receipt.path, head) {
        Ok(()) => {
            let index = receipt.index;
            let message = proof_check::record_under_the_root(index);
            report.pass(PART_INCLUSION, message);
        }
        Err(error) => report.fail(PART_INCLUSION, &error),
    }
}

pub(super) const PART_FORMAT: &str = "format";
const PART_RECORD: &str = "record";
const PART_INCLUSION: &str = "inclusion";
