//! Signed heads of a trail, with the cosignatures and time stamps that came in, and receipts under them.

use dalil_phrasebook::{hint, precondition};
use dalil_proof::checkpoint::Checkpoint;
use dalil_proof::digest::Digest;
use dalil_proof::fault::Fault;
use dalil_proof::note::UnverifiedNote;
use dalil_proof::receipt::Receipt;
use dalil_proof::tree::TreeHead;
use dalil_store::{Error, Tenant};
use serde::Serialize;

use crate::operation::OperationFailure;

/// A size and its root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ProvedHead {
    /// How many records.
    pub size: u64,
    /// The root over them.
    pub root: Digest,
}

impl From<TreeHead> for ProvedHead {
    fn from(TreeHead { size, root }: TreeHead) -> Self {
        Self { size, root }
    }
}

/// A signed checkpoint with the cosignatures and time stamps that came in: the newest, or the one of
/// a size.
///
/// # Errors
/// No checkpoint of that size was signed; the trail was changed.
pub async fn checkpoint(
    tenant: &Tenant,
    size: Option<u64>,
) -> Result<UnverifiedNote, OperationFailure> {
    let note = match size {
        None => tenant.checkpoint().await?,
        Some(size) => tenant.checkpoint_at(size).await?.ok_or_else(|| {
            let fault =
                Fault::new("checkpoint", "size", precondition::a_size_that_was_signed(), size);
            fault.hint(hint::newest_checkpoint())
        })?,
    };
    cosigned(tenant, note).await
}

/// The receipt of a record, under a checkpoint that witnesses cosigned or authorities stamped where
/// there is one, and otherwise under the newest.
///
/// # Errors
/// There is no such record, or it does not lead to the signed root any more.
pub async fn receipt(tenant: &Tenant, index: u64) -> Result<Receipt, OperationFailure> {
    Ok(match witnessed(tenant, index).await? {
        Some(note) => tenant.receipt_at(index, note).await?,
        None => tenant.receipt(index).await?,
    })
}

/// The receipt of a record that stays the same until a witness cosigns: under a checkpoint that
/// witnesses cosigned where there is one, and otherwise under the first that covers the record.
pub(super) async fn stable_receipt(
    tenant: &Tenant,
    index: u64,
) -> Result<Receipt, OperationFailure> {
    let note = match witnessed(tenant, index).await? {
        Some(note) => note,
        None => tenant.checkpoint_over(index).await?,
    };
    Ok(tenant.receipt_at(index, note).await?)
}

/// The checkpoint over a record that has the most cosignatures, with them; of equals the first,
/// which proves the earliest time.
pub(super) async fn witnessed(
    tenant: &Tenant,
    index: u64,
) -> Result<Option<UnverifiedNote>, OperationFailure> {
    match tenant.most_cosigned(index).await? {
        Some(size) => checkpoint(tenant, Some(size)).await.map(Some),
        None => Ok(None),
    }
}

/// Adds the cosignatures and time stamps that were kept for a checkpoint.
pub(super) async fn cosigned(
    tenant: &Tenant,
    note: UnverifiedNote,
) -> Result<UnverifiedNote, OperationFailure> {
    let head = head(tenant, &note)?;
    let mut text = note.to_string();
    let (cosigned, stamped) =
        (tenant.cosignatures(head.size).await?, tenant.timestamps(head.size).await?);
    for line in cosigned.into_iter().chain(stamped) {
        // A note ends with its signature lines, so another one can be appended (C2SP signed-note).
        text.push_str(&line);
        text.push('\n');
    }
    UnverifiedNote::parse(text.as_bytes()).map_err(|error| damaged(tenant, &error))
}

/// The head that a stored checkpoint states.
pub(super) fn head(tenant: &Tenant, note: &UnverifiedNote) -> Result<TreeHead, OperationFailure> {
    let checkpoint = Checkpoint::parse(note.unverified_text());
    Ok(*checkpoint.map_err(|error| damaged(tenant, &error))?.head())
}

fn damaged(tenant: &Tenant, found: &dyn std::fmt::Display) -> OperationFailure {
    Error::damaged("read the trail", format!("tenant `{}`", tenant.name()))
        .saw("a signed checkpoint", found)
        .hint("`dalil fsck` says what else is not as it was")
        .into()
}
