//! Invitations: made by an admin, used once by the holder of the link, or withdrawn.
//!
//! Its user becomes the member that it names, if they are not, and gets a key of their own:
//! both are in one entry with the record of the use, so that of two concurrent uses one
//! succeeds. An invitation is valid while its maker may administer.
//!
//! The maker of an invitation can use it. So only the holder of the store can invite an existing
//! member: an admin would act in that name, and approve their own actions.

use std::collections::BTreeSet;
use std::fmt;

use dalil_evidence::access::{AccessAction, Member, MemberRole, MemberTitle, TenantMembers};
use dalil_evidence::apikey::{ApiKeyScope, Pepper};
use dalil_evidence::invitation::{InvitationOffer, InvitationToken};
use dalil_phrasebook::{Phrase, bound, found, hint, precondition};
use dalil_proof::canon;
use dalil_proof::fault::{Fault, quote};
use dalil_proof::json::MAX_INTEGER;
use dalil_proof::record::{Actor, RecordKind};
use dalil_proof::time::Time;
use dalil_store::Tenant;
use dalil_store::trail::StoredRecord;
use serde::Serialize;

use crate::apikey::{self, IssuedApiKey, NewApiKey, random};
use crate::member::{self, MEMBER_CONFLICT_KINDS, administers, replay};
use crate::operation::{
    OperationFailure, RecordAck, RequestContext, answered, append_if_unchanged, bytes, held_bytes,
    none, one, retry_on_conflict_of_kinds, retry_on_conflict_of_subject,
};

#[cfg(test)]
mod tests;

/// An invitation that is to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewInvitation {
    /// The member that the person becomes. The holder of the store can also invite an existing
    /// member, unchanged, to give them a way to sign in.
    pub member: Member,
    /// When it ends; without a time, after a week.
    pub expires_at: Option<Time>,
}

/// An invitation that was made. Its text is nowhere else, and is not shown again.
#[derive(Clone, Debug, Serialize)]
pub struct MadeInvitation {
    /// The stored part of it.
    #[serde(flatten)]
    pub invitation: StoredInvitation,
    /// The invitation token: the end of its link.
    pub token: String,
    /// Its record.
    pub record: RecordAck,
}

/// The stored part of an invitation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoredInvitation {
    /// Its name.
    pub invitation_id: String,
    /// Whom it is for.
    pub name: String,
    /// The person's role.
    pub role: MemberRole,
    /// The person's titles, which decide what they may approve.
    pub titles: BTreeSet<MemberTitle>,
    /// Who made it.
    pub invited_by: String,
    /// When it was made.
    pub created_at: Time,
    /// When it ends.
    pub expires_at: Time,
    /// Whether it can be used.
    #[serde(flatten)]
    pub state: InvitationState,
}

/// Whether an invitation can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum InvitationState {
    /// It can.
    Open,
    /// It was used.
    Used {
        /// When.
        used_at: Time,
    },
    /// It was withdrawn.
    Withdrawn {
        /// When.
        withdrawn_at: Time,
    },
    /// Not used before its end.
    Expired,
}

/// The invitations of a tenant, the newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InvitationList {
    /// The invitations.
    pub invitations: Vec<StoredInvitation>,
}

/// The commitment of a record of a use.
#[derive(Serialize)]
struct InvitationUse<'u> {
    key_id: &'u str,
    name: &'u str,
}

/// The commitment of a record of a withdrawal.
#[derive(Serialize)]
struct InvitationWithdrawal<'w> {
    name: &'w str,
}

/// Makes an invitation, and returns its text, which cannot be shown again.
///
/// # Errors
/// A caller who is not an admin; a name that is taken or can be confused with another; an end that
/// is past or more than thirty days away; a request under an idempotency key that made one before.
pub async fn make(
    tenant: &Tenant,
    order: &NewInvitation,
    context: &RequestContext,
) -> Result<MadeInvitation, OperationFailure> {
    let NewInvitation { member, expires_at } = order;
    member.bytes()?;
    let expires_at = ends(*expires_at, context.at)?;
    let token = InvitationToken::new(tenant.name(), random()?, random()?);
    let offer = InvitationOffer { digest: token.digest(), expires_at, member: member.clone() };
    let asked = canon::bytes(&(member, order.expires_at))?;
    let key = context.idempotency_key(RecordKind::InvitationMade.as_str(), &asked)?;
    let record = retry_on_conflict_of_kinds(tenant, MEMBER_CONFLICT_KINDS, async |snapshot| {
        let (mut members, _) = replay(tenant).await?;
        if answered(tenant, key.as_ref()).await?.is_some() {
            return Err(shown_before());
        }
        administers(tenant, &members, (context, key.as_ref())).await?;
        joined(&mut members, member, &context.actor)?;
        let fields = vec![bytes(INVITATION_FIELD, offer.bytes()?)];
        let id = token.invitation_id();
        let draft = context.draft(RecordKind::InvitationMade, id, fields, Vec::new());
        one(append_if_unchanged(tenant, vec![draft], key.clone(), snapshot).await?)
    })
    .await?;
    let invitation = kept(tenant, token.invitation_id(), context.at).await?.1;
    Ok(MadeInvitation { invitation, token: token.reveal().to_owned(), record })
}

/// Withdraws an unused invitation.
///
/// # Errors
/// No such invitation, one that cannot be used in any case, or a caller who is not an admin.
pub async fn withdraw(
    tenant: &Tenant,
    invitation_id: &str,
    context: &RequestContext,
) -> Result<RecordAck, OperationFailure> {
    let key = context
        .idempotency_key(RecordKind::InvitationWithdrawn.as_str(), invitation_id.as_bytes())?;
    retry_on_conflict_of_subject(tenant, invitation_id, async |snapshot| {
        let (members, _) = replay(tenant).await?;
        if let Some(acks) = answered(tenant, key.as_ref()).await? {
            return one(acks);
        }
        administers(tenant, &members, (context, key.as_ref())).await?;
        let (_, known) = kept(tenant, invitation_id, context.at).await?;
        usable(&known)?;
        let said = canon::bytes(&InvitationWithdrawal { name: &known.name })?;
        let fields = vec![bytes(INVITATION_FIELD, said)];
        let kind = RecordKind::InvitationWithdrawn;
        let draft = context.draft(kind, invitation_id, fields, Vec::new());
        let snapshot = snapshot.and_kinds(MEMBER_CONFLICT_KINDS);
        one(append_if_unchanged(tenant, vec![draft], key.clone(), snapshot).await?)
    })
    .await
}

/// Every invitation of a tenant among the newest, without its secret.
///
/// # Errors
/// The store cannot be read, or a record of one is damaged.
pub async fn list(tenant: &Tenant, now: Time) -> Result<InvitationList, OperationFailure> {
    let kinds = &[RecordKind::InvitationMade];
    let made = tenant.indices_of_kinds(kinds, MAX_INTEGER, (MAX_LISTED, true)).await?;
    let mut invitations = Vec::new();
    for index in made {
        let Some(stored) = tenant.record(index).await? else { continue };
        let id = stored.record.envelope().subject.clone();
        match kept(tenant, &id, now).await {
            Ok((_, invitation)) => invitations.push(invitation),
            // Erased since: it cannot be used, and has no content.
            Err(OperationFailure::Refused(_)) => {}
            Err(failure) => return Err(failure),
        }
    }
    Ok(InvitationList { invitations })
}

/// The content of an invitation, by its text.
///
/// # Errors
/// An invalid one: of another tenant, used, withdrawn, past its time, or made by a person
/// who is no admin any more.
pub async fn look(
    tenant: &Tenant,
    token: &InvitationToken,
    now: Time,
) -> Result<StoredInvitation, OperationFailure> {
    let (members, _) = replay(tenant).await?;
    offered(tenant, &members, token, now).await
}

/// Uses an invitation: its person is a member from here on, and has a key.
///
/// # Errors
/// As of [`look`]; a name that became another's since.
pub async fn accept(
    tenant: &Tenant,
    token: &InvitationToken,
    pepper: &Pepper,
    context: &RequestContext,
) -> Result<IssuedApiKey, OperationFailure> {
    let id = token.invitation_id();
    retry_on_conflict_of_subject(tenant, id, async |snapshot| {
        let (mut members, _) = replay(tenant).await?;
        let known = offered(tenant, &members, token, context.at).await?;
        let StoredInvitation { name, role, titles, invited_by, .. } = known;
        let inviter = apikey::actor(&invited_by).unwrap_or(Actor::System);
        let member = Member { name: name.clone(), role, titles };
        let actor = Actor::Person(name.clone());
        let context = RequestContext { actor: actor.clone(), key: None, ..context.clone() };
        let order = NewApiKey { actor, scopes: scopes(role), expires_at: None };
        let (key, text, made) = apikey::made_with(tenant, &order, pepper, &context)?;
        let said = canon::bytes(&InvitationUse { key_id: &key.key_id, name: &name })?;
        let fields = vec![bytes(INVITATION_FIELD, said)];
        let mut drafts = vec![context.draft(RecordKind::InvitationUsed, id, fields, Vec::new())];
        if joined(&mut members, &member, &inviter)? {
            drafts.push(member::added(&member, &context)?);
        }
        drafts.push(made);
        let snapshot = snapshot.and_kinds(MEMBER_CONFLICT_KINDS);
        let record = one(append_if_unchanged(tenant, drafts, None, snapshot).await?)?;
        Ok(IssuedApiKey { key, api_key: text.reveal().to_owned(), record })
    })
    .await
}

/// Adds a member, and returns whether they are new. Only the holder of the store can invite an
/// existing member, and only unchanged: a link must not change permissions.
fn joined(
    members: &mut TenantMembers,
    member: &Member,
    inviter: &Actor,
) -> Result<bool, OperationFailure> {
    match members.named(&member.name) {
        Some(own) if own == member && *inviter == Actor::System => Ok(false),
        Some(own) => {
            let found = found::member_with_role(quote(&own.name), own.role.as_str());
            let fault = Fault::new("taken", "name", precondition::a_new_name(), found);
            Err(fault.hint(hint::who_holds_the_store_invites_a_member()).into())
        }
        None => {
            members.add(member.clone()).map_err(|error| member::refused(&error))?;
            Ok(true)
        }
    }
}

/// An invitation that its text opens.
async fn offered(
    tenant: &Tenant,
    members: &TenantMembers,
    token: &InvitationToken,
    now: Time,
) -> Result<StoredInvitation, OperationFailure> {
    let (offer, known) = kept(tenant, token.invitation_id(), now).await?;
    // Digests are compared, so the time it takes reveals nothing about the text. This comes before
    // any other answer: only the holder of the link learns its state.
    if token.tenant() != tenant.name() || token.digest() != offer.digest {
        return Err(unknown(token.invitation_id()));
    }
    usable(&known)?;
    let may = |name: &str| {
        !members.has_admin()
            || members.named(name).is_some_and(|own| own.role.may(AccessAction::Administer))
    };
    match known.invited_by.split_once(':') {
        Some(("person", name)) if !may(name) => {
            let found = found::one_by_somebody_who_administers_no_more(quote(name));
            Err(closed("inviter", found))
        }
        _ => Ok(known),
    }
}

/// Refuses an invitation that cannot be used any more.
fn usable(known: &StoredInvitation) -> Result<(), OperationFailure> {
    match known.state {
        InvitationState::Open => Ok(()),
        InvitationState::Used { used_at } => Err(closed("used", found::one_used_at(used_at))),
        InvitationState::Withdrawn { withdrawn_at } => {
            Err(closed("withdrawn", found::one_withdrawn_at(withdrawn_at)))
        }
        InvitationState::Expired => {
            Err(closed("expired", found::one_that_ended_at(known.expires_at)))
        }
    }
}

fn closed(rule: &'static str, found: Phrase) -> OperationFailure {
    let expected = precondition::an_invitation_that_is_open();
    Fault::new(rule, "invitation", expected, found).into()
}

fn unknown(invitation_id: &str) -> OperationFailure {
    none(precondition::an_invitation_of_this_tenant(), "invitation", invitation_id)
}

/// An invitation as its records tell it: whether it was used or withdrawn is in their kinds, so
/// that an erasure opens none again.
async fn kept(
    tenant: &Tenant,
    invitation_id: &str,
    now: Time,
) -> Result<(InvitationOffer, StoredInvitation), OperationFailure> {
    let history = tenant.history(invitation_id).await?;
    let of = |kind| history.iter().find(|stored| stored.record.envelope().kind == kind);
    let at = |stored: &StoredRecord| stored.record.envelope().at;
    let made = of(RecordKind::InvitationMade).ok_or_else(|| unknown(invitation_id))?;
    let field = held_bytes(made, INVITATION_FIELD).ok_or_else(|| unknown(invitation_id))?;
    let offer = InvitationOffer::parse(field)?;
    let used = of(RecordKind::InvitationUsed).map(at);
    let withdrawn = of(RecordKind::InvitationWithdrawn).map(at);
    let state = match (used, withdrawn) {
        (Some(used_at), _) => InvitationState::Used { used_at },
        (None, Some(withdrawn_at)) => InvitationState::Withdrawn { withdrawn_at },
        (None, None) if offer.expires_at <= now => InvitationState::Expired,
        (None, None) => InvitationState::Open,
    };
    let envelope = made.record.envelope();
    let Member { name, role, titles } = offer.member.clone();
    let invitation = StoredInvitation {
        invitation_id: invitation_id.to_owned(),
        name,
        role,
        titles,
        invited_by: match &envelope.actor {
            Actor::Agent(name) => format!("agent:{name}"),
            Actor::Person(name) => format!("person:{name}"),
            Actor::System => "system".to_owned(),
        },
        created_at: envelope.at,
        expires_at: offer.expires_at,
        state,
    };
    Ok((offer, invitation))
}

/// When an invitation ends that is made now.
fn ends(asked: Option<Time>, now: Time) -> Result<Time, OperationFailure> {
    let later = |days: i64| Time::from_millis(now.millis().saturating_add(days * DAY_MS));
    let (usual, last) = (later(USUAL_DAYS).unwrap_or(now), later(MAX_DAYS).unwrap_or(now));
    match asked {
        None => Ok(usual),
        Some(end) if end > now && end <= last => Ok(end),
        Some(end) => {
            let expected = bound::a_time_after_and_up_to(now, last);
            Err(Fault::new("time_order", "expires_at", expected, found::value(end)).into())
        }
    }
}

/// The scopes of a key for a role: everything that the role permits.
pub fn scopes(role: MemberRole) -> BTreeSet<ApiKeyScope> {
    let all = ApiKeyScope::WIRE_NAMES.iter().map(|(_, scope)| *scope);
    all.filter(|scope| match scope {
        // Who exports must be let by others, whose role the approval asks for.
        ApiKeyScope::View | ApiKeyScope::Export => true,
        ApiKeyScope::Record | ApiKeyScope::Review => role.may(AccessAction::Review),
        ApiKeyScope::Administer => role.may(AccessAction::Administer),
    })
    .collect()
}

/// The text of an invitation cannot be shown a second time, and a retry must not make a second one.
fn shown_before() -> OperationFailure {
    let expected = precondition::a_request_that_has_not_made_an_invitation_yet();
    let found = found::one_whose_invitation_was_made_and_shown();
    let fault = Fault::new("taken", "idempotency_key", expected, found);
    fault.hint(hint::lost_invitation_text()).into()
}

impl fmt::Display for InvitationList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |one: &StoredInvitation| {
            let state = match one.state {
                InvitationState::Open => format!("open until {}", one.expires_at),
                InvitationState::Used { used_at } => format!("used {used_at}"),
                InvitationState::Withdrawn { withdrawn_at } => format!("withdrawn {withdrawn_at}"),
                InvitationState::Expired => format!("ended {}", one.expires_at),
            };
            [one.invitation_id.clone(), one.name.clone(), one.role.as_str().to_owned(), state]
        };
        let rows = self.invitations.iter().map(row);
        crate::table::write(f, ["invitation", "for", "role", "state"], rows)
    }
}

/// The name of what these records commit to.
const INVITATION_FIELD: &str = "invitation";
/// How many invitations a list has: those of years in a house of some hundred people.
const MAX_LISTED: u32 = 200;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// A week: the person may be on leave, and a link in a mailbox should not live longer.
const USUAL_DAYS: i64 = 7;
const MAX_DAYS: i64 = 30;
