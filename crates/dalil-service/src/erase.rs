//! Erasing: payloads, rows and objects go; the records stay and say so.

use std::collections::BTreeSet;
use std::fmt;

use dalil_evidence::access::AccessAction;
use dalil_evidence::approval::ERASURE_NEED;
use dalil_phrasebook::{found, precondition};
use dalil_proof::canon;
use dalil_proof::digest::Digest;
use dalil_proof::erasure::{
    self, ERASURE_FIELD, ErasureRequest, ErasureTarget, LegalBasis, may_erase,
};
use dalil_proof::fault::Fault;
use dalil_proof::hold::RecordScope;
use dalil_proof::record::RecordKind;
use dalil_proof::time::Time;
use dalil_store::catalog::{ErasedPackRow, ErasureRow};
use dalil_store::lake::{ErasureAuthorization, LakeEntry};
use dalil_store::trail::{StoredFieldState, StoredPayload, StoredRecord};
use dalil_store::{Error, EvidenceRow, IdempotencyKey, NewRecord, Tenant};
use serde::Serialize;

use crate::approval::{self, ApprovalBasis, ApprovalRequest};
use crate::hold;
use crate::member::approved;
use crate::operation::{
    OperationFailure, RecordAck, RequestContext, TrailSnapshot, answered, append_if_unchanged,
    bytes, held_bytes, one, retry_on_conflict_of_kinds, word,
};

pub(super) mod scope;

/// The result of an erasure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ErasureOutcome {
    /// The position of its own record; `None` for a rehearsal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<RecordAck>,
    /// The records whose payloads went.
    pub erased: Vec<u64>,
}

/// Deleted objects of the lake. No record has them: a digest would identify the content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReleasedObjects {
    /// Objects that went, or in a rehearsal would go if no other record needs them.
    pub gone: Vec<Digest>,
    /// Objects of the erased records that stay: another record needs them, or a bucket locks them.
    pub kept: Vec<Digest>,
}

/// Which records to erase, and whether to do it.
#[derive(Clone, Debug)]
pub struct ErasureOrder {
    /// Which records.
    pub scope: RecordScope,
    /// On which basis.
    pub legal_basis: LegalBasis,
    /// On whose word.
    pub approved: ApprovalBasis,
    /// Only these of the scope; empty for all that may be erased.
    pub records: Vec<u64>,
    /// Decide, and do nothing.
    pub rehearse: bool,
}

/// The request that an idempotency key is for.
#[derive(Serialize)]
struct ErasureFingerprint<'o> {
    #[serde(flatten)]
    request: ErasureRequest,
    records: &'o [u64],
    rehearse: bool,
}

/// Erases all of the given records, if the rules allow each, or none.
///
/// The record, its rows and the deletion of payloads and rows are one
/// transaction. Objects of the lake are deleted after it; if the program ends in
/// between, a retry under the same key finishes, or `fsck --sweep`.
///
/// # Errors
/// Every record that prevents it: by a hold, the retention time, or a kind that stays.
pub async fn erase(
    tenant: &Tenant,
    order: &ErasureOrder,
    context: &RequestContext,
) -> Result<(ErasureOutcome, ReleasedObjects), OperationFailure> {
    let (request, records) = (order.request(&order.approved.names().join(", ")), &order.records);
    let named = ErasureFingerprint { request, records, rehearse: order.rehearse };
    let key = context.idempotency_key("erase", &canon::bytes(&named)?)?;
    let round = retry_on_conflict_of_kinds(tenant, ERASURE_CONFLICT_KINDS, async |snapshot| {
        // In each round: the conflict may be the first attempt of this very request.
        if let Some(acks) = answered(tenant, key.as_ref()).await? {
            return Ok(ErasureRound::Answered(one(acks)?));
        }
        erase_once(tenant, order, snapshot, (context, key.as_ref())).await
    });
    match round.await? {
        // The record is durable; the objects of the lake may not be deleted yet.
        ErasureRound::Answered(record) => finish_recorded_erasure(tenant, record).await,
        ErasureRound::Rehearsed { erased, objects } => Ok((
            ErasureOutcome { record: None, erased },
            ReleasedObjects { gone: objects, kept: Vec::new() },
        )),
        ErasureRound::Recorded { record, erased, objects } => {
            let permit = ErasureAuthorization::recorded(tenant.name(), record.index);
            // Only after the commit: an object that went before it could still be named by a record.
            let gone = tenant.release(&objects, &permit).await?;
            let kept = objects.into_iter().filter(|object| !gone.contains(object)).collect();
            Ok((ErasureOutcome { record: Some(record), erased }, ReleasedObjects { gone, kept }))
        }
    }
}

/// The result of one attempt.
enum ErasureRound {
    /// The request was answered before.
    Answered(RecordAck),
    /// Nothing was to be done.
    Rehearsed { erased: Vec<u64>, objects: Vec<Digest> },
    /// It is recorded, and these objects may have to go.
    Recorded { record: RecordAck, erased: Vec<u64>, objects: Vec<Digest> },
}

async fn erase_once(
    tenant: &Tenant,
    order: &ErasureOrder,
    snapshot: TrailSnapshot,
    (context, key): (&RequestContext, Option<&IdempotencyKey>),
) -> Result<ErasureRound, OperationFailure> {
    let (mut holds, since) = hold::replay(tenant).await?;
    hold::widen(tenant, &mut holds).await?;
    let (targets, objects, packs) = targets(tenant, order, since).await?;
    if targets.is_empty() {
        // An attempt before, under the same key, may have erased everything: then it is answered.
        let found = found::none_that_is_there_and_may_go();
        let fault = Fault::new("scope", "scope", precondition::a_record_with_a_payload(), found);
        return match answered(tenant, key).await? {
            Some(acks) => Ok(ErasureRound::Answered(one(acks)?)),
            None => Err(fault.into()),
        };
    }
    // The rules first, so that no approval is requested for an erasure that is refused anyway.
    erasure::decide(&order.request(NO_APPROVER), &targets, &holds, context.at)?;
    let (approver, used) = approvals(tenant, order, (context, key)).await?;
    let request = order.request(&approver);
    let erasure = erasure::decide(&request, &targets, &holds, context.at)?;
    let erased = erasure.erased().to_vec();
    let subject = scope::lineage(&order.scope);
    if let ApprovalBasis::Named(names) = &order.approved {
        for name in names {
            let need = (AccessAction::Administer, ERASURE_NEED.class);
            approved(tenant, name, need, &subject, context).await?;
        }
    }
    let objects: Vec<Digest> = objects.into_iter().collect();
    if order.rehearse {
        return Ok(ErasureRound::Rehearsed { erased, objects });
    }
    let field = erasure.bytes();
    let mut rows = rows(&request, &erased, context)?;
    rows.extend(packs);
    let draft =
        context.draft(RecordKind::PayloadErased, &subject, vec![bytes(ERASURE_FIELD, field)], rows);
    // The erasure comes first: `one` below takes the acknowledgement of the first record.
    let drafts = std::iter::once(draft).chain(used).collect();
    let record = one(append_if_unchanged(tenant, drafts, key.cloned(), snapshot).await?)?;
    Ok(ErasureRound::Recorded { record, erased, objects })
}

/// Who approved, and the record that it was used.
async fn approvals(
    tenant: &Tenant,
    order: &ErasureOrder,
    (context, key): (&RequestContext, Option<&IdempotencyKey>),
) -> Result<(String, Option<NewRecord>), OperationFailure> {
    let ErasureOrder { scope, legal_basis, records, .. } = order;
    match &order.approved {
        ApprovalBasis::Named(names) => Ok((names.join(", "), None)),
        // Nothing is erased, so there is no approver.
        ApprovalBasis::Given if order.rehearse => Ok((NO_APPROVER.to_owned(), None)),
        ApprovalBasis::Given => {
            let (scope, records) = (scope.clone(), records.clone());
            let asked = ApprovalRequest::Erase { scope, legal_basis: *legal_basis, records };
            let (matter, terms) = approval::resolve(tenant, &asked).await?;
            let all = approval::found(tenant, &matter, &terms, (context, key)).await?;
            let names: Vec<&str> = all.iter().map(|one| one.vote.approver.as_str()).collect();
            Ok((names.join(", "), approval::used(&matter, &terms, &all, context)?))
        }
    }
}

impl ErasureOrder {
    fn request(&self, approver: &str) -> ErasureRequest {
        let (scope, legal_basis) = (self.scope.clone(), self.legal_basis);
        ErasureRequest { scope, legal_basis, approver: approver.to_owned() }
    }
}

/// The first answer, from the erasure's own record, after its remaining deletions.
async fn finish_recorded_erasure(
    tenant: &Tenant,
    record: RecordAck,
) -> Result<(ErasureOutcome, ReleasedObjects), OperationFailure> {
    let stored = tenant.record(record.index).await?;
    let field = stored.as_ref().and_then(|stored| held_bytes(stored, ERASURE_FIELD));
    let lost = || {
        Error::damaged("finish an erasure", format!("record {}", record.index))
            .saw("what it says was erased", "nothing")
    };
    let erased = erasure::Erasure::parse(field.ok_or_else(lost)?)?.erased().to_vec();
    let mut unneeded = Vec::new();
    // The payloads that named the objects are gone, so every object of the tenant is a candidate.
    // This reads the whole list; `release` keeps each that a record needs.
    let mut listing = tenant.lake()?.list();
    while let Some(listed) = listing.next().await? {
        if let LakeEntry::Object { digest, .. } = listed {
            unneeded.push(digest);
        }
    }
    let permit = ErasureAuthorization::recorded(tenant.name(), record.index);
    let gone = tenant.release(&unneeded, &permit).await?;
    Ok((
        ErasureOutcome { record: Some(record), erased },
        ReleasedObjects { gone, kept: Vec::new() },
    ))
}

/// The records that are meant, the objects that they need, and what stays of packs among them:
/// which versions they are, so that no other gets their numbers.
async fn targets(
    tenant: &Tenant,
    order: &ErasureOrder,
    size: u64,
) -> Result<(Vec<ErasureTarget>, BTreeSet<Digest>, Vec<EvidenceRow>), OperationFailure> {
    let (mut targets, mut objects, mut packs) = (Vec::new(), BTreeSet::new(), Vec::new());
    let mut take = |stored: &StoredRecord| {
        if !is_meant(order, stored) {
            return;
        }
        let envelope = stored.record.envelope();
        objects.extend(stored.fields.iter().filter_map(|field| match &field.state {
            StoredFieldState::Present(_, StoredPayload::Lake(digest)) => Some(*digest),
            _ => None,
        }));
        targets.push(ErasureTarget {
            index: stored.index,
            kind: envelope.kind,
            subject: envelope.subject.clone(),
            at: envelope.at,
            erased_by: erased_by(stored),
        });
    };
    match &order.scope {
        RecordScope::Subject(subject) => tenant.history(subject).await?.iter().for_each(&mut take),
        RecordScope::All | RecordScope::Kind(_) => {
            let mut next = 0;
            while next < size {
                let page = tenant.records(next..size).await?;
                let Some(last) = page.last() else { break };
                next = last.index + 1;
                page.iter().for_each(&mut take);
            }
        }
    }
    for target in &targets {
        let range = target.index..target.index + 1;
        for (_, rows) in tenant.rows(range).await? {
            // Rows can name further objects, such as the sources of a bundle.
            objects.extend(rows.iter().filter_map(EvidenceRow::object));
            packs.extend(rows.iter().filter_map(|row| version(row, target.at)));
        }
    }
    Ok((targets, objects, packs))
}

/// Whether a record is included. Records that are named always are, so that the reason
/// against one is reported; of a scope, only those that can be erased at all.
fn is_meant(order: &ErasureOrder, stored: &StoredRecord) -> bool {
    let envelope = stored.record.envelope();
    if !order.records.is_empty() {
        return order.records.contains(&stored.index);
    }
    order.scope.covers(envelope.kind, &envelope.subject)
        && may_erase(envelope.kind)
        && !envelope.commitments.is_empty()
        && erased_by(stored).is_none()
}

fn erased_by(stored: &StoredRecord) -> Option<u64> {
    stored.fields.iter().find_map(|field| match field.state {
        StoredFieldState::Erased { by } => Some(by),
        StoredFieldState::Present(..) | StoredFieldState::Missing | StoredFieldState::Altered => {
            None
        }
    })
}

/// Which version of which decision's pack a row is about.
fn version(of: &EvidenceRow, sealed_at: Time) -> Option<EvidenceRow> {
    let EvidenceRow::EvidencePacks(pack) = of else { return None };
    // The number of the version stays, the content is erased.
    let (pack_id, decision_id) = (pack.pack_id.clone(), pack.decision_id.clone());
    Some(ErasedPackRow { pack_id, decision_id, version: pack.version, sealed_at }.into())
}

fn rows(
    request: &ErasureRequest,
    erased: &[u64],
    context: &RequestContext,
) -> Result<Vec<EvidenceRow>, OperationFailure> {
    let basis = word(&request.legal_basis)?;
    let line = |erased: &u64| {
        let row = ErasureRow {
            erased: *erased,
            scope: request.scope.to_string(),
            legal_basis: basis.clone(),
            approver: request.approver.clone(),
            at: context.at,
        };
        row.into()
    };
    if erased.len() > MAX_ERASED_RECORDS {
        return Err(Error::refused("erase", "the scope")
            .saw(format!("at most {MAX_ERASED_RECORDS} records"), erased.len())
            .hint("name fewer with `--record`, and repeat")
            .into());
    }
    Ok(erased.iter().map(line).collect())
}

impl fmt::Display for ErasureOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { record, erased } = self;
        match record {
            Some(RecordAck { index, .. }) => write!(f, "record {index}: ")?,
            None => write!(f, "nothing was done: ")?,
        }
        writeln!(f, "{} payloads", erased.len())
    }
}

impl fmt::Display for ReleasedObjects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (gone, kept) = (self.gone.len(), self.kept.len());
        write!(f, "{gone} objects of the lake; {kept} stay, needed by other records or locked")
    }
}

/// The kinds of records that could change which payloads may go.
const ERASURE_CONFLICT_KINDS: &[RecordKind] = &[
    RecordKind::ApikeyRevoked,
    RecordKind::ApprovalUsed,
    RecordKind::HoldLifted,
    RecordKind::HoldPlaced,
    RecordKind::MemberAdded,
    RecordKind::MemberRemoved,
    RecordKind::PayloadErased,
];
/// The approver of a rehearsal.
const NO_APPROVER: &str = "nobody";
/// One erasure is one transaction.
const MAX_ERASED_RECORDS: usize = 10_000;
