//! Remarks on the newest ledger of a session: on its claims or its questions.
//!
//! Each is a record of the session. The author, the ledger, the permitted addressees, the time
//! and the idempotency key follow one rule for all of them; a [`LedgerRemark`] has the rest.

use dalil_evidence::access::{self, AccessAction, TenantMembers};
use dalil_evidence::ledger::Ledger;
use dalil_evidence::name::is_spelling;
use dalil_phrasebook::{Phrase, expected, hint, precondition};
use dalil_proof::canon;
use dalil_proof::fault::{Fault, Refused, quoted};
use dalil_proof::json::MAX_INTEGER;
use dalil_proof::record::{Actor, RecordKind};
use dalil_proof::time::Time;
use dalil_store::Tenant;
use serde::Serialize;

use crate::member::{MEMBER_CONFLICT_KINDS, permitted_under_key, replay};
use crate::operation::{
    OperationFailure, RecordAck, RequestContext, answered, append_if_unchanged, bytes, held_bytes,
    none, one, retry_on_conflict_of_subject,
};
use crate::session;

/// A remark on a ledger, as a record stores it.
pub(crate) trait LedgerRemark: Serialize + Sized {
    /// The request to record one.
    type Order: Clone;

    /// The kind of its records.
    const KIND: RecordKind;
    /// The operation that an idempotency key is for, beside the request.
    const VERB: &'static str;
    /// The field that its records commit to.
    const FIELD: &'static str;
    /// The field of a request that names the person who is asked for more.
    const ASKED_PATH: &'static str;

    /// Reads an order.
    fn order(request: &[u8]) -> Result<Self::Order, Refused>;

    /// The ledger that an order is about.
    fn ledger_id(order: &Self::Order) -> &str;

    /// Refuses an order about something that a ledger does not have.
    fn check(ledger: &Ledger, order: &Self::Order) -> Result<(), Fault>;

    /// Who is asked for more by an order.
    fn asked_by_order(order: &Self::Order) -> Option<&str>;

    /// Makes the remark from a request.
    fn made(order: Self::Order, by: String, at: Time) -> Self;

    /// Parses the committed bytes of a record.
    fn parse(bytes: &[u8]) -> Result<Self, Refused>;

    /// Who is asked for more.
    fn asked(&self) -> Option<&str>;

    /// When it was made.
    fn at(&self) -> Time;

    /// Explains a remark that was erased.
    fn not_erased() -> Phrase;
}

/// Records a remark on the newest ledger of a session.
///
/// # Errors
/// Every fault in the request; an agent; a person without the role; a ledger that is not the newest
/// one of the session, or a part that it does not have; an addressee who may not reply.
pub(crate) async fn record<R: LedgerRemark>(
    tenant: &Tenant,
    session_id: &str,
    request: &[u8],
    context: &RequestContext,
) -> Result<(R, RecordAck), OperationFailure> {
    let order = R::order(request)?;
    let named = [session_id.as_bytes(), b"\n", request].concat();
    let key = context.idempotency_key_of_actor(R::VERB, &named)?;
    let ack = retry_on_conflict_of_subject(tenant, session_id, async |snapshot| {
        if let Some(acks) = answered(tenant, key.as_ref()).await? {
            return one(acks);
        }
        let (members, _) = replay(tenant).await?;
        let allowed = speaker(&members, &context.actor);
        let about = (AccessAction::Review, session_id);
        let by = permitted_under_key(tenant, allowed, about, (context, key.as_ref())).await?;
        may_be_asked(&members, R::asked_by_order(&order), R::ASKED_PATH)?;
        let (_, ledger, _) = session::closed(tenant, session_id).await?;
        is_newest(&ledger, R::ledger_id(&order))?;
        R::check(&ledger, &order)?;
        // Words that answer others are not before them, even by a clock that is behind.
        let said_last = said::<R>(tenant, session_id).await?.iter().map(R::at).max();
        let context = context.not_before(said_last.unwrap_or(context.at));
        let remark = R::made(order.clone(), by, context.at);
        let fields = vec![bytes(R::FIELD, canon::bytes(&remark)?)];
        let draft = context.draft(R::KIND, session_id, fields, Vec::new());
        let snapshot = snapshot.and_kinds(MEMBER_CONFLICT_KINDS);
        one(append_if_unchanged(tenant, vec![draft], key.clone(), snapshot).await?)
    })
    .await?;
    // From the record, so that a retry returns the first remark.
    let stored = tenant.record(ack.index).await?;
    let field = stored.as_ref().and_then(|stored| held_bytes(stored, R::FIELD));
    let erased = || none(R::not_erased(), "index", &ack.index.to_string());
    Ok((R::parse(field.ok_or_else(erased)?)?, ack))
}

/// The remarks on the ledgers of a session, in order of time.
///
/// # Errors
/// A record of it is damaged.
pub(crate) async fn said<R: LedgerRemark>(
    tenant: &Tenant,
    session_id: &str,
) -> Result<Vec<R>, OperationFailure> {
    let mut remarks = Vec::new();
    for stored in tenant.history(session_id).await? {
        // Erased remarks do not count.
        if stored.record.envelope().kind == R::KIND
            && let Some(field) = held_bytes(&stored, R::FIELD)
        {
            remarks.push(R::parse(field)?);
        }
    }
    Ok(remarks)
}

/// The sessions in which a person was asked for more, by the newest remarks.
///
/// # Errors
/// The store cannot be read, or a record is damaged.
pub(crate) async fn sessions_asking<R: LedgerRemark>(
    tenant: &Tenant,
    name: &str,
) -> Result<Vec<String>, OperationFailure> {
    let newest = (MAX_LOOKED_AT, true);
    let mut sessions: Vec<String> = Vec::new();
    for index in tenant.indices_of_kinds(&[R::KIND], MAX_INTEGER, newest).await? {
        let Some(stored) = tenant.record(index).await? else { continue };
        let Some(field) = held_bytes(&stored, R::FIELD) else { continue };
        let is_own = R::parse(field)?.asked().is_some_and(|own| is_spelling(own, name));
        let session = &stored.record.envelope().subject;
        if is_own && !sessions.contains(session) {
            sessions.push(session.clone());
        }
    }
    Ok(sessions)
}

/// The name of the author, if they may make remarks.
fn speaker(members: &TenantMembers, actor: &Actor) -> Result<String, Fault> {
    match actor {
        // No credential of the server acts as the system: only the holder of the store does.
        Actor::System => Ok("system".to_owned()),
        Actor::Agent(name) => {
            let fault = Fault::new("role", "actor", expected::a_person(), quoted(name));
            Err(fault.hint(hint::an_agent_records_what_it_did_people_review_it()))
        }
        // Until there is an admin, the scopes of a key are the only permissions.
        Actor::Person(name) if !members.has_admin() => Ok(name.clone()),
        Actor::Person(name) => {
            access::allow(members, name, AccessAction::Review, "actor").map(|own| own.name.clone())
        }
    }
}

/// Refuses an addressee who could not reply.
fn may_be_asked(members: &TenantMembers, name: Option<&str>, path: &str) -> Result<(), Fault> {
    match name {
        Some(name) if members.has_admin() => {
            access::allow(members, name, AccessAction::Review, path).map(|_| ())
        }
        _ => Ok(()),
    }
}

/// Refuses words about another ledger than the newest, which the person has not seen.
fn is_newest(ledger: &Ledger, ledger_id: &str) -> Result<(), Fault> {
    let newest = ledger.id.to_string();
    if ledger_id == newest {
        return Ok(());
    }
    let expected = precondition::the_newest_ledger_of_the_session(quoted(&newest));
    let fault = Fault::new("superseded", "ledger_id", expected, quoted(ledger_id));
    Err(fault.hint(hint::look_at_the_newest_ledger()))
}

/// How many remarks are looked at for whom they ask: those of some weeks in a busy house.
const MAX_LOOKED_AT: u32 = 200;
