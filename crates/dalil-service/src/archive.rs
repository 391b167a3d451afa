//! Archives: a pack, everything that the store has about it, and the proofs, as one file.

use std::collections::{BTreeMap, BTreeSet};

use dalil_evidence::archive::{self, ArchiveContents, ArchivedRecord};
use dalil_evidence::pack::PackDraft;
use dalil_phrasebook::{Phrase, expected, precondition};
use dalil_proof::digest::Digest;
use dalil_proof::fault::Fault;
use dalil_proof::json::Json;
use dalil_proof::note::UnverifiedNote;
use dalil_proof::record::RecordKind;
use dalil_proof::trail::PreviousExport;
use dalil_proof::tree::TreeHead;
use dalil_render::zip;
use dalil_store::catalog::{ExportRow, KeyRedatingRow, ToolCallRow};
use dalil_store::trail::{StoredFieldState, StoredPayload, StoredRecord};
use dalil_store::{Error, Tenant};

use crate::keys;
use crate::operation::{MAX_RETRIES, OperationFailure, none};
use crate::pack::{self, content, find, sealed_under};
use crate::signed_head::{self, ProvedHead};
use crate::trail::payload::RecordBatch;

#[cfg(test)]
mod tests;

/// An archive that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackArchive {
    /// The file.
    pub bytes: Vec<u8>,
    /// Its digest.
    pub sha256: Digest,
    /// The head of the trail that it was made under; an export's record names its size.
    pub head: ProvedHead,
}

/// Puts a pack into an archive: the same pack in the same state of its trail gives the same bytes.
///
/// Nothing is recorded: the caller records the export before a byte leaves.
///
/// # Errors
/// There is no such pack, or the store is damaged; more than an archive can hold.
pub async fn archive(tenant: &Tenant, pack_id: &str) -> Result<PackArchive, OperationFailure> {
    let mut tries = 0;
    loop {
        // The checkpoint first: everything read after it is compared with it.
        let note = signed_head::checkpoint(tenant, None).await?;
        match under(tenant, pack_id, &note).await? {
            Some(archived) => return Ok(archived),
            // A record came in between: everything is looked at again under the newer head.
            None if tries < MAX_RETRIES => tries += 1,
            None => {
                return Err(Error::unavailable("make an archive", "the store")
                    .saw("a moment without a new record", "none")
                    .into());
            }
        }
    }
}

/// Makes the archive under a cosigned checkpoint, if one covers the content of the pack,
/// and otherwise under the `current` one; `None`, if that is not the newest one any more.
async fn under(
    tenant: &Tenant,
    pack_id: &str,
    current: &UnverifiedNote,
) -> Result<Option<PackArchive>, OperationFailure> {
    let pack = content(tenant, &find(tenant, pack_id).await?).await?;
    let mut stored = gathered(tenant, &pack, pack_id).await?;
    let witnessed = most_witnessed(tenant, &stored).await?;
    let note = witnessed.as_ref().unwrap_or(current);
    let head = signed_head::head(tenant, note)?;
    match &witnessed {
        // Only records about earlier exports of the pack come after it.
        Some(_) => stored.retain(|one| one.index < head.size),
        None if stored.iter().any(|one| one.index >= head.size) => return Ok(None),
        None => {}
    }
    let mut sealed = Vec::new();
    for (number, index) in versions(tenant, pack_id).await? {
        let receipt = tenant.receipt_at(index, note.clone()).await?;
        sealed.push((number, sealed_under(tenant, index, receipt).await?));
    }
    let mut receipts = Vec::with_capacity(stored.len());
    for one in &stored {
        receipts.push(tenant.receipt_at(one.index, note.clone()).await?);
    }
    let objects = objects(tenant, &pack, &stored).await?;
    let previous = previous(tenant, pack_id, head).await?;
    let history = keys::history(tenant).await?;
    let batch = RecordBatch::with_rows(tenant, stored).await?;
    let records: Vec<ArchivedRecord<'_>> = batch
        .records
        .iter()
        .zip(&receipts)
        .map(|(stored, receipt)| ArchivedRecord {
            record: &stored.record,
            index: stored.index,
            payload: batch.payload(stored),
            receipt,
        })
        .collect();
    let (_, newest) = sealed.pop().ok_or_else(|| none(expected::a_pack(), "pack_id", pack_id))?;
    let files = archive::build(ArchiveContents {
        pack: &newest,
        versions: &sealed,
        records: &records,
        objects,
        checkpoint: note,
        previous: previous.as_ref(),
        keys: &history,
    })?;
    // A record that came in between may have changed data that was read after the first record.
    if tenant.head().await? != signed_head::head(tenant, current)? {
        return Ok(None);
    }
    let refused = |error: zip::NotAnArchive| {
        Fault::new("archive", "pack_id", expected::an_archive(), Phrase::from(&error))
    };
    let bytes = zip::write(&files).map_err(refused)?;
    let sha256 = Digest::of(&bytes);
    Ok(Some(PackArchive { bytes, sha256, head: head.into() }))
}

/// The checkpoint over the content of a pack with the most cosignatures; of equals one that covers
/// every record.
///
/// Approvals, refusals and exports of a pack are records about it. They come after the cosignatures
/// whenever it is exported again, and would keep these out of every later archive.
async fn most_witnessed(
    tenant: &Tenant,
    stored: &[StoredRecord],
) -> Result<Option<UnverifiedNote>, OperationFailure> {
    let last = |records: &mut dyn Iterator<Item = &StoredRecord>| {
        records.map(|one| one.index).max().unwrap_or_default()
    };
    let says = |one: &&StoredRecord| !CUSTODY_KINDS.contains(&one.record.envelope().kind);
    let all = tenant.most_cosigned(last(&mut stored.iter())).await?;
    let said = tenant.most_cosigned(last(&mut stored.iter().filter(says))).await?;
    let size = match (all, said) {
        (Some(all), Some(said)) => {
            let (one, two) = (tenant.cosignatures(all).await?, tenant.cosignatures(said).await?);
            Some(if two.len() > one.len() { said } else { all })
        }
        (all, said) => all.or(said),
    };
    match size {
        Some(size) => signed_head::checkpoint(tenant, Some(size)).await.map(Some),
        None => Ok(None),
    }
}

/// The pack and the versions before it that were not erased, the oldest first: the number of
/// each, and the record that sealed it.
async fn versions(tenant: &Tenant, pack_id: &str) -> Result<Vec<(u64, u64)>, OperationFailure> {
    find(tenant, pack_id).await?;
    let all = pack::versions(tenant, pack_id).await?;
    let newest = all.iter().position(|version| version.pack_id == pack_id);
    let newest =
        newest.ok_or_else(|| none(precondition::a_pack_of_this_tenant(), "pack_id", pack_id))?;
    Ok(all.into_iter().take(newest + 1).map(|version| (version.version, version.index)).collect())
}

/// Every record about the pack: its versions, its decision and calls, the session of its ledger,
/// the trail's keys, and what erased a payload of these. Of each subject all records are there.
async fn gathered(
    tenant: &Tenant,
    pack: &PackDraft,
    pack_id: &str,
) -> Result<Vec<StoredRecord>, OperationFailure> {
    let mut subjects = subjects(tenant, pack, pack_id).await?;
    for change in keys::list(tenant).await?.keys {
        let record = tenant.record(change.index).await?;
        subjects.extend(record.map(|stored| stored.record.envelope().subject.clone()));
    }
    for corrected in tenant.select(&KeyRedatingRow::query()).await? {
        let record = tenant.record(corrected.index).await?;
        subjects.extend(record.map(|stored| stored.record.envelope().subject.clone()));
    }
    let mut records = BTreeMap::new();
    let mut done = BTreeSet::new();
    // A worklist: an erasure has a subject of its own, whose records must be complete as well.
    while let Some(subject) = subjects.pop_first() {
        for stored in tenant.history(&subject).await? {
            for by in stored.fields.iter().filter_map(erased_by) {
                let record = tenant.record(by).await?;
                let named = record.map(|record| record.record.envelope().subject.clone());
                subjects.extend(named.filter(|named| *named != subject && !done.contains(named)));
            }
            records.insert(stored.index, stored);
        }
        done.insert(subject);
    }
    // The map sorts by index, so equal states of a trail give equal bytes.
    Ok(records.into_values().collect())
}

/// The subjects of a pack's evidence: itself, the versions before it, its decision, the calls of
/// that, and the session of its ledger.
pub(super) async fn subjects(
    tenant: &Tenant,
    pack: &PackDraft,
    pack_id: &str,
) -> Result<BTreeSet<String>, OperationFailure> {
    let mut subjects = BTreeSet::from([pack.decision_id.to_string()]);
    for version in pack::versions(tenant, pack_id).await? {
        // Later versions are not part of this one.
        if version.version <= pack.version {
            // The one before may have been erased; its records stay.
            subjects.extend(version.supersedes);
            subjects.insert(version.pack_id);
        }
    }
    let decision = pack.decision_id.as_str();
    let calls = tenant.select(&ToolCallRow::query().decision_id(decision)).await?;
    subjects.extend(calls.into_iter().map(|call| call.row.call_id));
    subjects.extend(text(pack.ledger.as_ref(), "session_id"));
    Ok(subjects)
}

fn erased_by(field: &dalil_store::trail::StoredField) -> Option<u64> {
    match field.state {
        StoredFieldState::Erased { by } => Some(by),
        StoredFieldState::Present(..) | StoredFieldState::Missing | StoredFieldState::Altered => {
            None
        }
    }
}

/// The objects that the pack's sources and ledger name, as far as the lake has them.
async fn objects(
    tenant: &Tenant,
    pack: &PackDraft,
    stored: &[StoredRecord],
) -> Result<Vec<Vec<u8>>, OperationFailure> {
    let mut wanted = archive::named(pack);
    for stored in stored {
        let kind = stored.record.envelope().kind;
        if matches!(kind, RecordKind::SessionOpened | RecordKind::LedgerClosed) {
            wanted.extend(stored.fields.iter().filter_map(|field| match &field.state {
                StoredFieldState::Present(_, StoredPayload::Lake(digest)) => Some(*digest),
                _ => None,
            }));
        }
    }
    let lake = tenant.lake()?;
    let mut objects = Vec::new();
    for digest in wanted {
        // Erased objects are left out; the verifier reports the checks that it cannot make.
        if lake.has(&digest).await? {
            objects.push(lake.get(&digest).await?);
        }
    }
    Ok(objects)
}

/// The last archive of this pack that left, and the proof that the trail only grew since.
async fn previous(
    tenant: &Tenant,
    pack_id: &str,
    head: TreeHead,
) -> Result<Option<PreviousExport>, OperationFailure> {
    let mut sizes = Vec::new();
    for version in pack::versions(tenant, pack_id).await? {
        let exports = tenant.select(&ExportRow::query().subject(&version.pack_id)).await?;
        let archives = exports.iter().filter(|export| export.row.format == ARCHIVE_FORMAT);
        sizes.extend(archives.map(|export| export.row.trail_size));
    }
    // An export that was recorded after this head cannot be proved under it.
    let Some(size) = sizes.into_iter().filter(|size| *size <= head.size).max() else {
        return Ok(None);
    };
    let before = tenant.head_at(size).await?;
    let proof = tenant.consistency(size, head.size).await?;
    Ok(Some(PreviousExport { head: before, proof }))
}

fn text(json: Option<&Json<'_>>, name: &str) -> Option<String> {
    match json?.get(name) {
        Some(Json::Text(text)) => Some(text.to_string()),
        _ => None,
    }
}

/// Records about the export of a pack, which are not part of its evidence.
const CUSTODY_KINDS: &[RecordKind] = &[
    RecordKind::AccessRefused,
    RecordKind::ApprovalAsked,
    RecordKind::ApprovalGiven,
    RecordKind::ApprovalUsed,
    RecordKind::ExportMade,
];
/// How `exports` calls an archive.
pub const ARCHIVE_FORMAT: &str = "archive";
