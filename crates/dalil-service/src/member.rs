//! Members of a tenant: who may view, review, export and administer.

use std::fmt;

use dalil_evidence::access::{
    self, AccessAction, MEMBER_FIELD, Member, MembershipError, TenantMembers,
};
use dalil_evidence::approval;
use dalil_evidence::decision_class::ApprovalClass;
use dalil_evidence::name::is_confusable_with;
use dalil_phrasebook::{expected, precondition};
use dalil_proof::fault::{Fault, quote, quoted};
use dalil_proof::record::{Actor, RecordKind};
use dalil_store::catalog::MemberRow;
use dalil_store::{Error, IdempotencyKey, IndexedRow, NewRecord, Tenant};
use serde::Serialize;

use crate::operation::{
    OperationFailure, RecordAck, RequestContext, answered, append_if_unchanged, bytes, held_bytes,
    one, retry_on_conflict_of_kinds, text, word,
};

#[cfg(test)]
mod tests;

/// The members of a tenant, by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MemberList {
    /// The members.
    pub members: Vec<Member>,
}

/// The members of a tenant.
///
/// # Errors
/// The store cannot be read, or a record about a member is damaged.
pub async fn list(tenant: &Tenant) -> Result<MemberList, OperationFailure> {
    Ok(MemberList { members: replay(tenant).await?.0.iter().cloned().collect() })
}

/// Adds a member. Until there is an admin every caller may; then only an admin.
///
/// # Errors
/// A member of that name; a viewer with a title; a caller who is not an admin.
pub async fn add(
    tenant: &Tenant,
    member: &Member,
    context: &RequestContext,
) -> Result<RecordAck, OperationFailure> {
    // Read as a record is, so that nothing gets in that could not be read back.
    let key = context.idempotency_key(RecordKind::MemberAdded.as_str(), &member.bytes()?)?;
    retry_on_conflict_of_kinds(tenant, MEMBER_CONFLICT_KINDS, async |snapshot| {
        let (mut members, _) = replay(tenant).await?;
        // After the replay, in each round: the reason to refuse this attempt may be the first
        // attempt of the same request, whose answer is returned then.
        if let Some(acks) = answered(tenant, key.as_ref()).await? {
            return one(acks);
        }
        administers(tenant, &members, (context, key.as_ref())).await?;
        members.add(member.clone()).map_err(|error| refused(&error))?;
        let draft = added(member, context)?;
        one(append_if_unchanged(tenant, vec![draft], key.clone(), snapshot).await?)
    })
    .await
}

/// Removes a member; their approvals stay valid.
///
/// # Errors
/// No member of that name; the last admin; a caller who is not an admin.
pub async fn remove(
    tenant: &Tenant,
    name: &str,
    context: &RequestContext,
) -> Result<RecordAck, OperationFailure> {
    // By the name alone: after the first attempt there is no member of it any more.
    let key = context.idempotency_key(RecordKind::MemberRemoved.as_str(), name.as_bytes())?;
    retry_on_conflict_of_kinds(tenant, MEMBER_CONFLICT_KINDS, async |snapshot| {
        let (mut members, _) = replay(tenant).await?;
        if let Some(acks) = answered(tenant, key.as_ref()).await? {
            return one(acks);
        }
        administers(tenant, &members, (context, key.as_ref())).await?;
        // The last admin stays; otherwise the members could never be changed again.
        let member = members.remove(name).map_err(|error| refused(&error))?;
        let draft = change(&member, (RecordKind::MemberRemoved, "removed"), context)?;
        one(append_if_unchanged(tenant, vec![draft], key.clone(), snapshot).await?)
    })
    .await
}

/// Checks that the caller may change the members, and returns the members.
pub(super) async fn administers(
    tenant: &Tenant,
    members: &TenantMembers,
    (context, key): (&RequestContext, Option<&IdempotencyKey>),
) -> Result<(), OperationFailure> {
    let about = (AccessAction::Administer, MEMBERS_SUBJECT);
    match &context.actor {
        // The operator of the system can write to the store by other ways as well.
        Actor::System => Ok(()),
        // A new tenant has no admin who could add the first one.
        _ if !members.has_admin() => Ok(()),
        Actor::Person(name) => {
            let allowed = access::allow(members, name, AccessAction::Administer, "actor");
            permitted_under_key(tenant, allowed.map(|_| ()), about, (context, key)).await
        }
        Actor::Agent(name) => {
            let fault =
                Fault::new("role", "actor", precondition::a_person_who_is_admin(), quoted(name));
            permitted_under_key(tenant, Err(fault), about, (context, key)).await
        }
    }
}

/// The record of a new member, which its caller appends with others.
pub(super) fn added(
    member: &Member,
    context: &RequestContext,
) -> Result<NewRecord, OperationFailure> {
    change(member, (RecordKind::MemberAdded, "added"), context)
}

/// The record of a change.
fn change(
    member: &Member,
    (kind, word): (RecordKind, &str),
    context: &RequestContext,
) -> Result<NewRecord, OperationFailure> {
    let field = member.bytes()?;
    let row = MemberRow {
        name: member.name.clone(),
        role: member.role.as_str().to_owned(),
        titles: text(&member.titles)?,
        change: word.to_owned(),
        at: context.at,
    };
    let rows = vec![row.into()];
    Ok(context.draft(kind, &member.name, vec![bytes(MEMBER_FIELD, field)], rows))
}

/// The members as the records tell them, and the size of the trail before they were read.
pub(super) async fn replay(tenant: &Tenant) -> Result<(TenantMembers, u64), OperationFailure> {
    let since = tenant.head().await?.size;
    let mut members = TenantMembers::default();
    for IndexedRow { index, .. } in tenant.select(&MemberRow::query()).await? {
        let damaged = |found: String| {
            Error::damaged("read a member", format!("tenant `{}`, record {index}", tenant.name()))
                .saw("a member that can follow those before", found)
                .hint("`dalil fsck` says what else is not as it was")
        };
        // From the record and its commitment, not from the row: a changed row must not give a role.
        let stored = tenant.record(index).await?.ok_or_else(|| damaged("none".to_owned()))?;
        let field =
            held_bytes(&stored, MEMBER_FIELD).ok_or_else(|| damaged("no field".to_owned()))?;
        let member = Member::parse(field).map_err(|error| damaged(error.to_string()))?;
        let followed = match stored.record.envelope().kind {
            RecordKind::MemberRemoved => members.remove(&member.name).map(|_| ()),
            _ => members.add(member),
        };
        followed.map_err(|error| damaged(error.to_string()))?;
    }
    Ok((members, since))
}

/// Passes a permitted caller, and records a refusal of any other.
pub(super) async fn permitted<T>(
    tenant: &Tenant,
    allowed: Result<T, Fault>,
    action: AccessAction,
    subject: &str,
    context: &RequestContext,
) -> Result<T, OperationFailure> {
    let fault = match allowed {
        Ok(allowed) => return Ok(allowed),
        Err(fault) => fault,
    };
    // The refusal is recorded before it is returned, so an attempt always leaves a trace.
    crate::access::refused(tenant, subject, &word(&action)?, &fault, context).await?;
    Err(fault.into())
}

/// As [`permitted`], for a request that an attempt before may have answered under the same key.
///
/// The reason to refuse this attempt can be the effect of the first one, such as using the
/// approvals. Then it is a conflict, and no refusal is recorded.
pub(super) async fn permitted_under_key<T>(
    tenant: &Tenant,
    allowed: Result<T, Fault>,
    (action, subject): (AccessAction, &str),
    (context, key): (&RequestContext, Option<&IdempotencyKey>),
) -> Result<T, OperationFailure> {
    if allowed.is_err() && answered(tenant, key).await?.is_some() {
        let outdated = Error::outdated("answer a request", quote(subject));
        let expected = "a request that was not answered yet";
        return Err(outdated.saw(expected, "one that was answered since").into());
    }
    permitted(tenant, allowed, action, subject, context).await
}

/// Refuses, once a tenant has an admin: an agent, an approver without the permission or the title
/// that the class asks for, and an approver of their own action.
pub(super) async fn approved(
    tenant: &Tenant,
    approver: &str,
    (action, class): (AccessAction, ApprovalClass),
    subject: &str,
    context: &RequestContext,
) -> Result<(), OperationFailure> {
    let (members, _) = replay(tenant).await?;
    if !members.has_admin() {
        return Ok(());
    }
    let allowed = match &context.actor {
        Actor::Agent(name) => Err(Fault::new("role", "actor", expected::a_person(), quoted(name))),
        // Confusable, not equal: another spelling of one's own name is no second person.
        Actor::Person(name) if is_confusable_with(name, approver) => {
            let expected = precondition::somebody_else_than_who_does_it();
            Err(Fault::new("self_approval", "approver", expected, quoted(approver)))
        }
        Actor::Person(_) | Actor::System => access::allow(&members, approver, action, "approver")
            .and_then(|member| approval::allow(class, &member.name, &member.titles, "approver")),
    };
    permitted(tenant, allowed, action, subject, context).await
}

/// Why the members stay as they are.
pub(super) fn refused(error: &MembershipError) -> OperationFailure {
    let rule = match error {
        MembershipError::Taken(_) => "taken",
        MembershipError::Unknown(_) => "not_a_member",
        MembershipError::LastAdmin(_) => "last_admin",
    };
    Fault::with_message(rule, "name", error.phrase()).into()
}

impl fmt::Display for MemberList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.members.iter().map(|Member { name, role, titles }| {
            let titles = titles.iter().map(|title| title.as_str()).collect::<Vec<_>>();
            [name.clone(), role.as_str().to_owned(), titles.join(", ")]
        });
        crate::table::write(f, ["member", "role", "titles"], rows)
    }
}

/// The kinds of records that could change who the members are.
pub(super) const MEMBER_CONFLICT_KINDS: &[RecordKind] =
    &[RecordKind::MemberAdded, RecordKind::MemberRemoved];
/// The subject of a refusal to change the members.
const MEMBERS_SUBJECT: &str = "members";
