//! Exports: packs and ledgers that leave the system: packs approved, both recorded first.
//!
//! ```text
//! bytes ─▶ who may, who approved ─▶ export.made (who, why, digest of the bytes) ─▶ bytes leave
//! ```
//!
//! The bytes are made before the record, which names their digest, and leave
//! after it: a crash in between leaves a record and no file. Bytes that were made
//! before an erasure are made again, or do not leave.

use std::fmt;
use std::sync::{Arc, Mutex};

use dalil_evidence::access::{self, AccessAction, Member, TenantMembers};
use dalil_evidence::approval::{self, ApprovalQuorum, ApprovalState, ApprovalVote, VoteOutcome};
use dalil_evidence::ledger::export::LedgerExport;
use dalil_evidence::name::is_confusable_with;
use dalil_evidence::pack::PackAttestation;
use dalil_phrasebook::{Language, expected, found, hint, precondition};
use dalil_proof::canon;
use dalil_proof::digest::{Digest, hex};
use dalil_proof::fault::{Fault, quote, quoted};
use dalil_proof::json::MAX_INTEGER;
use dalil_proof::record::{Actor, RecordKind};
use dalil_proof::time::Time;
use dalil_render::ledger::markdown::markdown;
#[cfg(feature = "pdf")]
use dalil_render::pdf::PrintoutAnswer;
use dalil_render::{AnswerLedger, junit, sarif};
use dalil_store::catalog::{ErasureRow, ExportRow};
use dalil_store::{Error, IdempotencyKey, NewRecord, Tenant};
use serde::Serialize;

use crate::approval::{APPROVAL_CONFLICT_KINDS, ApprovalBasis, ApprovalRequest};
use crate::archive::{PackArchive, archive};
use crate::artifact::artifact;
use crate::member::{permitted, replay};
use crate::operation::{
    OperationFailure, RecordAck, RequestContext, answered, append_if_unchanged, bytes, one,
    retry_on_conflict_of_kinds, word,
};
#[cfg(feature = "pdf")]
use crate::{claim_review, print};
use crate::{pack, session};

pub(super) mod format;
mod preview;
#[cfg(test)]
mod tests;

use format::no_form;
pub use format::{ExportFormat, ExportSubject};
pub use preview::{ExportPreview, preview};

/// An export that is asked for.
#[derive(Clone, Debug)]
pub struct ExportRequest {
    /// What leaves.
    pub subject: ExportSubject,
    /// In which form.
    pub format: ExportFormat,
    /// In which language, where the form has one.
    pub language: Language,
    /// On whose word.
    pub approved: ApprovalBasis,
    /// Why.
    pub reason: String,
    /// The page that verifies, which the code of a PDF leads to.
    pub verify_url: Option<String>,
}

/// An export that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CompletedExport {
    /// Its name.
    pub export_id: String,
    /// What left.
    pub subject: String,
    /// In which form.
    pub format: ExportFormat,
    /// The digest of its bytes.
    pub sha256: Digest,
    /// How many they are.
    pub size: usize,
    /// Its record.
    #[serde(flatten)]
    pub ack: RecordAck,
}

/// The commitment of an `export.made` record.
#[derive(Serialize)]
struct ExportMadePayload<'e> {
    approved_by: &'e [String],
    format: ExportFormat,
    language: &'e str,
    reason: &'e str,
    sha256: Digest,
    size: usize,
    subject: &'e str,
}

/// Makes an export, records it, and returns its bytes.
///
/// # Errors
/// There is no such pack or ledger, or no such form of it; a caller without the permission; too
/// few approvals, or one by the exporter or the agent; an agent. A refusal of access is recorded.
pub async fn export(
    tenant: &Tenant,
    export: &ExportRequest,
    context: &RequestContext,
) -> Result<(CompletedExport, Vec<u8>), OperationFailure> {
    if export.reason.trim().is_empty() {
        return Err(
            Fault::new("empty", "reason", expected::why_it_leaves(), found::nothing()).into()
        );
    }
    let key = context.idempotency_key("export", &canon::bytes(&asked(export, context))?)?;
    // Before the subject is looked at: it may have been erased after the first answer.
    if let Some(acks) = answered(tenant, key.as_ref()).await? {
        return recorded_export(tenant, export, one(acks)?, None).await;
    }
    export.subject.has(export.format)?;
    let latest = LatestRendering::default();
    let ack = retry_on_conflict_of_kinds(tenant, APPROVAL_CONFLICT_KINDS, async |snapshot| {
        // Again in each round: the conflict may be the first attempt of this very request.
        if let Some(acks) = answered(tenant, key.as_ref()).await? {
            return one(acks);
        }
        let rendering = latest.get(tenant, export, context.at).await?;
        let (about, content) = &*rendering;
        let (names, used) = approved(tenant, export, about, (context, key.as_ref())).await?;
        // In each round: an erasure may have removed the object that the round before put.
        let made = drawn(tenant, export, (about, content), &names, context).await?;
        // One entry: an approval is used if and only if the export is recorded.
        let drafts = std::iter::once(made).chain(used).collect();
        one(append_if_unchanged(tenant, drafts, key.clone(), snapshot).await?)
    });
    let ack = ack.await?;
    recorded_export(tenant, export, ack, latest.take()?).await
}

/// The bytes of an export as they were made last.
#[derive(Default)]
struct LatestRendering(Mutex<Option<(u64, Rendering)>>);

/// The facts about an export, and its bytes.
type Rendering = Arc<(ExportFacts, Vec<u8>)>;

impl LatestRendering {
    /// The bytes, made anew if something was erased since they were.
    ///
    /// An erasure that comes after this is a conflict of the export's own record.
    async fn get(
        &self,
        tenant: &Tenant,
        export: &ExportRequest,
        at: Time,
    ) -> Result<Rendering, OperationFailure> {
        let made = self.0.lock().map_err(|_| poisoned())?.clone();
        if let Some((since, rendering)) = made
            && erased_since(tenant, since).await?.is_none()
        {
            return Ok(rendering);
        }
        // Before anything is read: an erasure that comes meanwhile must count.
        let since = tenant.head().await?.size;
        let rendering = Arc::new(rendered(tenant, export, at).await?);
        *self.0.lock().map_err(|_| poisoned())? = Some((since, Arc::clone(&rendering)));
        Ok(rendering)
    }

    /// The bytes, if any were made.
    fn take(self) -> Result<Option<Rendering>, OperationFailure> {
        let made = self.0.into_inner().map_err(|_| poisoned())?;
        Ok(made.map(|(_, rendering)| rendering))
    }
}

fn poisoned() -> Error {
    Error::damaged("export", "the bytes that were made").saw("bytes", "a round that broke off")
}

/// The first erasure that was recorded at this size of the trail or later.
pub(super) async fn erased_since(
    tenant: &Tenant,
    size: u64,
) -> Result<Option<u64>, OperationFailure> {
    let since = ErasureRow::query().starting_at(size).at_most(1);
    Ok(tenant.select(&since).await?.pop().map(|erasure| erasure.index))
}

/// The record of the newest erasure: bytes that were made before it may contain what was erased.
///
/// # Errors
/// The store cannot be read.
pub async fn newest_erasure(tenant: &Tenant) -> Result<Option<u64>, OperationFailure> {
    let newest = ErasureRow::query().starting_at(MAX_INTEGER).newest_first().at_most(1);
    Ok(tenant.select(&newest).await?.pop().map(|erasure| erasure.index))
}

/// Who approved, and the record that it was used.
async fn approved(
    tenant: &Tenant,
    export: &ExportRequest,
    about: &ExportFacts,
    (context, key): (&RequestContext, Option<&IdempotencyKey>),
) -> Result<(Vec<String>, Option<NewRecord>), OperationFailure> {
    let ExportRequest { subject, format, language, approved, reason, .. } = export;
    match approved {
        ApprovalBasis::Named(names) => {
            let (members, _) = replay(tenant).await?;
            let allowed = allowed(&members, names, about, context);
            permitted(tenant, allowed, AccessAction::Export, subject.id(), context).await?;
            Ok((names.clone(), None))
        }
        ApprovalBasis::Given => {
            let asked = ApprovalRequest::Export {
                subject: subject.clone(),
                format: *format,
                language: *language,
                reason: reason.clone(),
                // Approvers approved a digest; after a change their approval does not count.
                content: Some(about.content),
            };
            let (matter, terms) = crate::approval::resolve(tenant, &asked).await?;
            let all = crate::approval::found(tenant, &matter, &terms, (context, key)).await?;
            let names = all.iter().map(|one| one.vote.approver.clone()).collect();
            Ok((names, crate::approval::used(&matter, &terms, &all, context)?))
        }
    }
}

/// The record of an export.
async fn drawn(
    tenant: &Tenant,
    export: &ExportRequest,
    (about, content): (&ExportFacts, &[u8]),
    approved_by: &[String],
    context: &RequestContext,
) -> Result<NewRecord, OperationFailure> {
    let subject = export.subject.id();
    let (sha256, size) = (Digest::of(content), content.len());
    let said = canon::bytes(&ExportMadePayload {
        approved_by,
        format: export.format,
        language: export.language.tag(),
        reason: &export.reason,
        sha256,
        size,
        subject,
    })?;
    // Named by its content and time.
    let name = canon::digest(&(subject, &context.at, &sha256, context.key.as_deref()))?;
    let export_id = format!("exp_{}", hex(name.as_bytes().get(..8).unwrap_or_default()));
    let size_of_trail = match about.trail_size {
        Some(size) => size,
        None => tenant.head().await?.size,
    };
    let row = ExportRow {
        export_id,
        subject: subject.to_owned(),
        format: word(&export.format)?,
        sha256: Some(sha256),
        approved_by: approved_by.join(", "),
        reason: export.reason.clone(),
        trail_size: size_of_trail,
        at: context.at,
    };
    // Stored, so that a link or a retry returns the bytes that the record names.
    let kept = tenant.lake()?.put(content.to_vec()).await?;
    let artifact = artifact(&kept, size, export.format.media_type().0, "export");
    let rows = vec![row.into(), artifact];
    Ok(context.draft(RecordKind::ExportMade, subject, vec![bytes("export", said)], rows))
}

/// The request that an idempotency key is for. Not the bytes, which may have changed since.
fn asked<'e>(export: &'e ExportRequest, context: &'e RequestContext) -> impl Serialize + 'e {
    // Not the address of this server either, which may have moved since.
    let ExportRequest { subject, format, language, approved, reason, verify_url: _ } = export;
    (&context.actor, subject.kind(), subject.id(), format, language.tag(), approved.names(), reason)
}

/// Refuses to repeat an export that may contain erased data.
pub(super) async fn has_lasted(
    tenant: &Tenant,
    index: u64,
    path: &'static str,
) -> Result<(), OperationFailure> {
    // Which payloads an export contains is not recorded, so any later erasure counts.
    let Some(erasure) = erased_since(tenant, index).await? else { return Ok(()) };
    let found = found::an_erasure_since_in_record(erasure);
    Err(Fault::new("erased", path, precondition::an_export_that_can_be_given_again(), found)
        .hint(hint::export_it_again_under_another_key())
        .into())
}

/// The recorded export: the very bytes that the record names.
async fn recorded_export(
    tenant: &Tenant,
    export: &ExportRequest,
    ack: RecordAck,
    rendering: Option<Rendering>,
) -> Result<(CompletedExport, Vec<u8>), OperationFailure> {
    let own = ExportRow::query().starting_at(ack.index).at_most(1);
    let made = tenant.select(&own).await?.into_iter().find(|made| made.index == ack.index);
    let made = made.and_then(|made| Some((made.row.export_id, made.row.sha256?)));
    let Some((export_id, sha256)) = made else {
        let found = found::record_erased(ack.index);
        return Err(Fault::new(
            "erased",
            "key",
            precondition::an_export_that_can_be_made_again(),
            found,
        )
        .hint(hint::a_new_request_needs_a_new_key())
        .into());
    };
    let content = rendering.map(|made| Arc::unwrap_or_clone(made).1);
    let content = match content.filter(|content| Digest::of(content) == sha256) {
        Some(content) => content,
        // A request that came second got the record of the first, which has bytes of its own.
        None => {
            has_lasted(tenant, ack.index, "key").await?;
            tenant.lake()?.get(&sha256).await?
        }
    };
    let (subject, format, size) = (export.subject.id().to_owned(), export.format, content.len());
    Ok((CompletedExport { export_id, subject, format, sha256, size, ack }, content))
}

/// The facts about an export that its approval needs.
#[derive(Clone)]
struct ExportFacts {
    /// The digest of the pack or the ledger, in whatever form it leaves.
    content: Digest,
    need: ApprovalQuorum,
    agent: Option<String>,
    /// The size of the trail that the bytes were made under, where they depend on it.
    trail_size: Option<u64>,
}

/// The bytes of an export: of the same pack or ledger, with the same history, always the same. Only
/// a statement contains the time.
async fn rendered(
    tenant: &Tenant,
    export: &ExportRequest,
    at: Time,
) -> Result<(ExportFacts, Vec<u8>), OperationFailure> {
    match &export.subject {
        ExportSubject::Pack(id) => {
            let draft = pack::content(tenant, &pack::find(tenant, id).await?).await?;
            let (content, trail_size) = match export.format {
                ExportFormat::Json => (canon::bytes(&draft)?, None),
                ExportFormat::Sealed => (canon::bytes(&pack::first_file(tenant, id).await?)?, None),
                ExportFormat::InToto => {
                    let statement = PackAttestation::of(&pack::first_file(tenant, id).await?, at)?;
                    (canon::bytes(&tenant.sign_attestation(statement).await?)?, None)
                }
                ExportFormat::Markdown => {
                    (dalil_render::pack::markdown(&draft, export.language).into_bytes(), None)
                }
                #[cfg(feature = "pdf")]
                ExportFormat::Pdf => {
                    let sheet = print::sheet(tenant, id, export.verify_url.as_deref()).await?;
                    (dalil_render::pdf::pack(&sheet, export.language)?, None)
                }
                ExportFormat::Archive => {
                    let PackArchive { bytes, head, .. } = archive(tenant, id).await?;
                    (bytes, Some(head.size))
                }
                ExportFormat::Sarif | ExportFormat::Junit | ExportFormat::Ledger => {
                    return Err(no_form(&export.subject).into());
                }
            };
            let agent = Some(draft.agent_name.clone());
            let need = approval::export_need(draft.classes.sensitivity);
            let digest = canon::digest(&draft)?;
            Ok((ExportFacts { content: digest, need, agent, trail_size }, content))
        }
        ExportSubject::Ledger(id) => {
            let (about, ledger, answer) = session::closed(tenant, id).await?;
            let checked = [AnswerLedger { name: id, text: &answer, ledger: &ledger }];
            let content = match export.format {
                ExportFormat::Json => canon::bytes(&LedgerExport::of(&ledger))?,
                ExportFormat::Ledger => canon::bytes(&ledger)?,
                ExportFormat::Markdown => markdown(&ledger, &about, export.language).into_bytes(),
                ExportFormat::Sarif => canon::bytes(&sarif::log(&checked, &|_| None))?,
                ExportFormat::Junit => junit::xml(&checked).into_bytes(),
                #[cfg(feature = "pdf")]
                ExportFormat::Pdf => {
                    let reviews = claim_review::said(tenant, id).await?;
                    let about = PrintoutAnswer::new(about.query.as_deref(), &answer)
                        .reviewed(&ledger, &reviews)
                        .verified_at(export.verify_url.as_deref())?;
                    dalil_render::pdf::ledger(&ledger, &about, export.language)?
                }
                ExportFormat::Sealed | ExportFormat::InToto | ExportFormat::Archive => {
                    return Err(no_form(&export.subject).into());
                }
            };
            let (digest, need) = (canon::digest(&ledger)?, approval::LEDGER_EXPORT_NEED);
            let about = ExportFacts { content: digest, need, agent: None, trail_size: None };
            Ok((about, content))
        }
    }
}

/// Refuses an exporter who may not look or is an agent, and approvals that are not enough.
fn allowed(
    members: &TenantMembers,
    approved_by: &[String],
    about: &ExportFacts,
    context: &RequestContext,
) -> Result<(), Fault> {
    let exporter = match &context.actor {
        Actor::Person(name) => {
            access::allow(members, name, AccessAction::View, ACTOR_PATH)?;
            if about.agent.as_ref().is_some_and(|agent| is_confusable_with(agent, name)) {
                let expected = precondition::somebody_who_is_not_the_agent();
                return Err(Fault::new("role", ACTOR_PATH, expected, quoted(name))
                    .hint(hint::somebody_else_must_let_out_what_the_agent_decided()));
            }
            Some(name)
        }
        Actor::Agent(name) => {
            return Err(Fault::new("role", ACTOR_PATH, expected::a_person(), quoted(name))
                .hint(hint::an_agent_records_what_it_did_people_let_it_leave()));
        }
        Actor::System => None,
    };
    let need = about.need;
    let mut votes = Vec::new();
    for name in approved_by {
        let own =
            exporter.into_iter().chain(&about.agent).any(|other| is_confusable_with(other, name));
        if own {
            let expected = precondition::somebody_who_is_neither_the_exporter_nor_the_agent();
            // Refused, not left out: silently ignoring an approver would hide the attempt.
            return Err(Fault::new("self_approval", APPROVER_PATH, expected, quoted(name)));
        }
        let Member { name, titles, .. } =
            access::allow(members, name, AccessAction::Export, APPROVER_PATH)?;
        approval::allow(need.class, name, titles, APPROVER_PATH)?;
        let (approver, titles) = (name.clone(), titles.clone());
        votes.push(ApprovalVote {
            approver,
            outcome: VoteOutcome::Approved,
            titles,
            at: context.at,
            reason: None,
        });
    }
    let standing = approval::standing(need, &votes);
    match standing.state {
        ApprovalState::Approved => Ok(()),
        ApprovalState::Waiting | ApprovalState::Rejected => {
            let expected = precondition::the_approval_of(approval::wanted(need.class));
            Err(Fault::new("approvals", APPROVER_PATH, expected, standing.found())
                .hint(hint::an_export_needs_approval()))
        }
    }
}

impl fmt::Display for CompletedExport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { export_id, subject, sha256, size, ack, .. } = self;
        writeln!(
            f,
            "{export_id}: {} as {sha256}, {size} bytes; record {}",
            quote(subject),
            ack.index
        )
    }
}

const ACTOR_PATH: &str = "actor";
const APPROVER_PATH: &str = "approver";
