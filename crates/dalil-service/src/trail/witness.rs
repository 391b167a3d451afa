//! Witnessing by file: another party cosigns a checkpoint, and the store keeps the line.

use dalil_phrasebook::{Phrase, expected, found, hint, precondition};
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::key::{PublicKey, SecretKey};
use dalil_proof::note::UnverifiedNote;
use dalil_proof::record::RecordKind;
use dalil_proof::time::Time;
use dalil_proof::tree::TreeHead;
use dalil_proof::trust::TrailGrowth;
use dalil_proof::witness::{self, GrowthProof};
use dalil_proof::{checkpoint, note};
use dalil_store::trail::{RecordedCosignature, WITNESS_FIELD};
use dalil_store::{AppendEntry, Tenant};

use super::WitnessMemory;
use crate::operation::{OperationFailure, RecordAck, RequestContext, bytes, one};

/// Keeps the cosignature of a witness on a checkpoint of this trail.
///
/// # Errors
/// A note that is no checkpoint of this trail, that this trail did not sign, or
/// that the witness did not cosign.
pub async fn witness(
    tenant: &Tenant,
    cosigned: &[u8],
    key: &PublicKey,
    context: &RequestContext,
) -> Result<RecordAck, OperationFailure> {
    let note = UnverifiedNote::parse(cosigned).map_err(|error| fault("note", &error))?;
    let stated = checkpoint::Checkpoint::parse(note.unverified_text());
    let stated = stated.map_err(|error| fault("checkpoint", &error))?;
    stated.check_origin(tenant.origin()).map_err(|error| fault("checkpoint", &error))?;
    let head = *stated.head();
    let own = tenant.checkpoint_at(head.size).await?;
    // The whole text is compared: a note of the same size may have another root.
    if own.is_none_or(|own| own.unverified_text() != note.unverified_text()) {
        let found = found::one_of_size_which_it_did_not(head.size);
        let fault = Fault::new(
            "checkpoint",
            "file",
            precondition::a_checkpoint_that_this_trail_signed(),
            found,
        );
        return Err(fault.into());
    }
    let line = note.signatures().iter().find(|line| line.claims_key(key));
    let line = line.ok_or_else(|| {
        Fault::new("cosignature", "file", expected::a_line_by(key.name()), found::none())
    })?;
    let witnessed = RecordedCosignature {
        key: key.clone(),
        line: line.to_string(),
        root: head.root,
        size: head.size,
    };
    if !witnessed.is_signed(tenant.origin()) {
        let found = found::bytes_that_it_did_not_sign();
        return Err(Fault::new(
            "cosignature",
            "file",
            precondition::a_cosignature_by_the_key(),
            found,
        )
        .into());
    }
    if tenant.cosignatures(head.size).await?.contains(&witnessed.line) {
        let found = found::one_that_is_kept_already();
        return Err(Fault::new(
            "cosignature",
            "file",
            precondition::a_cosignature_that_is_new(),
            found,
        )
        .into());
    }
    let field = witnessed.bytes()?;
    let named = context.idempotency_key("witness", &field)?;
    let fields = vec![bytes(WITNESS_FIELD, field)];
    let drafts =
        vec![context.draft(RecordKind::CheckpointWitnessed, tenant.origin(), fields, Vec::new())];
    let entry = AppendEntry { drafts, key: named };
    let placed = tenant.cosigned(entry, head.size, &witnessed.line).await?;
    one(placed.into_iter().map(RecordAck::from).collect())
}

/// Cosigns a checkpoint on a witness's own machine, and gives the note with the line.
///
/// The head is in the witness's memory, durably, before the note is given.
///
/// # Errors
/// A note that the trail's keys did not sign, or one that does not extend the newest head that
/// the witness has cosigned; a memory that cannot be written.
pub fn cosign(
    secret: &SecretKey,
    (origin, keys): (&str, &[PublicKey]),
    (bytes, growth): (&[u8], Option<&TrailGrowth>),
    memory: &mut WitnessMemory,
    at: Time,
) -> Result<UnverifiedNote, Refused> {
    let opened = checkpoint::open(origin, keys, bytes);
    let head = *opened.map_err(|error| fault("checkpoint", &error))?.head();
    let note = UnverifiedNote::parse(bytes).map_err(|error| fault("note", &error))?;
    let seen = memory.newest(origin);
    let proof = match growth {
        Some(growth) if growth.old == seen => growth.proof.as_slice(),
        // The same head again, and the first one, need no proof.
        _ if seen == head || seen.size == 0 => &[],
        _ => return Err(unproved(&seen, growth).into()),
    };
    let signature = witness::cosign(secret, &note, &GrowthProof { seen, proof }, at);
    let signature = signature.map_err(|error| fault("growth", &error))?;
    let note = note.with(signature).map_err(|error: note::NotANote| fault("note", &error))?;
    memory.remember(origin, head)?;
    Ok(note)
}

/// No proof from the head that the witness has cosigned last.
fn unproved(seen: &TreeHead, growth: Option<&TrailGrowth>) -> Fault {
    let TreeHead { size, root } = seen;
    let expected = precondition::proof_from_last_cosigned(size, root);
    let found = match growth.map(|growth| growth.old) {
        Some(TreeHead { size, root }) => found::one_from_size_root(size, root),
        None => found::none(),
    };
    let hint = hint::prove_from(size);
    Fault::new("growth", "proof", expected, found).hint(hint)
}

fn fault<'e, E>(rule: &'static str, error: &'e E) -> Fault
where
    Phrase: From<&'e E>,
{
    Fault::with_message(rule, "file", error.into())
}
