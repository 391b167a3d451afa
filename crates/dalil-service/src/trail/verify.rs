//! Verifies the live trail against a trust file, including heads seen before.

use dalil_phrasebook::file_check;
use dalil_proof::report::VerificationReport;
use dalil_proof::time::Time;
use dalil_proof::trail::{TrailHeader, TrailVerifier};
use dalil_proof::tree::Frontier;
use dalil_proof::trust::Trust;
use dalil_store::{ErrorKind, Tenant};

use super::export::stream;
use crate::keys;
use crate::operation::OperationFailure;

/// Verifies every record of the store, as an export of the whole trail would be.
///
/// A head that the verifier has seen and that the trail does not reach any more
/// fails: a live store, unlike a file, has no excuse for being older.
///
/// # Errors
/// The store cannot be read. Damage to its content is a finding.
pub async fn verify(
    tenant: &Tenant,
    trust: &Trust,
    now: Time,
) -> Result<VerificationReport, OperationFailure> {
    let mut report = match lines(tenant, trust, now).await {
        Ok(report) => report,
        // The caller asked about damage, so it is a finding.
        Err(OperationFailure::Store(error)) if error.kind == ErrorKind::Damaged => {
            let mut report = VerificationReport::default();
            report.fail("store", file_check::store_not_as_it_was(error));
            report
        }
        Err(failure) => return Err(failure),
    };
    for size in tenant.missing_checkpoints().await? {
        let message = file_check::signed_checkpoint_missing(size);
        report.fail("checkpoint", message);
    }
    let size = match tenant.head().await {
        Ok(head) => head.size,
        // A trail whose head cannot be told was not seen to be shorter; its damage is a finding.
        Err(error) if error.kind == ErrorKind::Damaged => return Ok(report),
        Err(error) => return Err(error.into()),
    };
    for seen in trust.seen.iter().filter(|seen| seen.head.size > size) {
        let (at, larger) = (seen.at, seen.head.size);
        let message = file_check::store_rolled_back(larger, at, size);
        report.fail("rollback", message);
    }
    Ok(report)
}

async fn lines(
    tenant: &Tenant,
    trust: &Trust,
    now: Time,
) -> Result<VerificationReport, OperationFailure> {
    let note = super::checkpoint(tenant, None).await?;
    let history = keys::history(tenant).await?;
    let header = TrailHeader::new(&note, &Frontier::default(), None, &history)?;
    let mut verifier = TrailVerifier::new(trust, now);
    let mut feed = |lines: &[u8]| {
        lines.split_inclusive(|byte| *byte == b'\n').for_each(|line| verifier.line(line));
        Ok(())
    };
    stream(tenant, &header, &[], &mut feed).await?;
    Ok(verifier.finish().report)
}
