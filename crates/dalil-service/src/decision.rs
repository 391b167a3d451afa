//! Decisions and tool calls: each decision is recorded once, each tool call twice, before it
//! happens and after.

use std::borrow::Cow;

use dalil_evidence::decision;
use dalil_evidence::decision_class::DecisionClasses;
use dalil_evidence::name;
use dalil_evidence::pack::tool::UNREPORTED_ACTION;
use dalil_evidence::policy::{self, DecisionAssessment};
use dalil_phrasebook::{Phrase, expected, found, hint, precondition};
use dalil_proof::canon;
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::digest::Digest;
use dalil_proof::fault::{Fault, quote, quoted};
use dalil_proof::id::{EXPECTED_GIVEN_ID, is_given};
use dalil_proof::json::Json;
use dalil_proof::record::{CALL_FIELD, DECISION_FIELD, RecordKind};
use dalil_store::catalog::{DecisionRow, ToolCallRow};
use dalil_store::{IndexedRow, NewRecord, Tenant};
use serde::Serialize;

use crate::operation::{
    OperationFailure, RecordAck, RequestContext, TrailSnapshot, answered, append_if_unchanged,
    bytes, held_bytes, none, one, optimistic_insert, retry_on_conflict_of_subject, word,
};

#[cfg(test)]
mod tests;

/// A decision that was recorded.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordedDecision {
    /// The decision.
    pub decision_id: String,
    /// The digest of its canonical JSON, as its pack names it.
    pub decision_hash: Digest,
    /// Its classes, as it states them or as its type of action has them.
    #[serde(flatten)]
    pub classes: DecisionClasses,
    /// Whether it needs a pack, every reason, and every rule that applies.
    #[serde(flatten)]
    pub assessment: DecisionAssessment,
    /// Its record.
    #[serde(flatten)]
    pub ack: RecordAck,
}

/// Records a decision, as an agent states it.
///
/// # Errors
/// Every fault in it; no `decision_id`; another tenant's; one that is recorded already.
pub async fn record(
    tenant: &Tenant,
    request: &[u8],
    context: &RequestContext,
) -> Result<RecordedDecision, OperationFailure> {
    let assessment = policy::assess(request)?;
    let json = Json::parse(request)?;
    let decision = decode::value(&json, |reader| {
        let id = reader.json.get("decision_id").filter(|id| **id != Json::Null);
        if id.is_none() {
            let path = reader.member("decision_id");
            return reader.push(Fault::new(
                "missing_field",
                path,
                expected::a_value(),
                found::nothing(),
            ));
        }
        decision::read(reader, decision::check_evidence_shape, |_, _| Some(()))
    })?;
    own(tenant, decision.tenant_id.as_ref().map(|id| id.as_str()), "tenant_id")?;
    let decision_id = decision.decision_id.as_ref().map_or_else(String::new, ToString::to_string);
    // Canonical, so that the hash in a pack does not depend on how the request was spelled.
    let content = canon::bytes(&json)?;
    let decision_hash = Digest::of(&content);
    let key = context.idempotency_key("decision record", &content)?;
    let draft = decided(&decision, &assessment, content, context)?;
    let ack = optimistic_insert(tenant, &decision_id, async |snapshot| {
        // The first round reads nothing: the append finds a repeated key by itself, and a taken
        // name is a conflict.
        if !snapshot.assumes_new_subject() {
            if let Some(acks) = answered(tenant, key.as_ref()).await? {
                return one(acks);
            }
            if let Some(index) = once(tenant, &decision_id, RecordKind::DecisionRecorded).await? {
                return Err(taken("decision_id", &decision_id, index));
            }
        }
        one(append_if_unchanged(tenant, vec![draft.clone()], key.clone(), snapshot).await?)
    });
    let ack = ack.await?;
    let classes = decision.classes.or_strictest();
    Ok(RecordedDecision { decision_id, decision_hash, classes, assessment, ack })
}

/// The record of a decision.
fn decided(
    decision: &decision::Decision<()>,
    assessment: &DecisionAssessment,
    content: Vec<u8>,
    context: &RequestContext,
) -> Result<NewRecord, OperationFailure> {
    let id = decision.decision_id.as_ref().map_or("", |id| id.as_str());
    let classes = decision.classes.or_strictest();
    let row = DecisionRow {
        decision_id: id.to_owned(),
        entity_id: decision.entity_id.clone(),
        agent_name: decision.agent_name.clone(),
        action: decision.action_type.clone(),
        approval_class: word(&classes.approval)?,
        reversibility_class: word(&classes.reversibility)?,
        sensitivity_class: word(&classes.sensitivity)?,
        confidence: decision.confidence.map(|score| score.value()),
        requirement: word(&assessment.requirement)?,
        sha256: Digest::of(&content),
        created_at: decision.created_at.unwrap_or(context.at),
    };
    let rows = vec![row.into()];
    Ok(context.draft(RecordKind::DecisionRecorded, id, vec![bytes(DECISION_FIELD, content)], rows))
}

/// Refuses what names another tenant than the one it is given to.
pub(super) fn own(
    tenant: &Tenant,
    named: Option<&str>,
    path: &str,
) -> Result<(), OperationFailure> {
    match named.filter(|named| *named != tenant.name()) {
        Some(named) => {
            let expected = precondition::tenant_that_keeps_it(quote(tenant.name()));
            Err(Fault::new("other_tenant", path, expected, quoted(named)).into())
        }
        None => Ok(()),
    }
}

/// The first record of a kind about a subject, even if its content was erased.
pub(super) async fn once(
    tenant: &Tenant,
    subject: &str,
    kind: RecordKind,
) -> Result<Option<u64>, OperationFailure> {
    // By records, not by rows: an erasure takes the row away, and the name stays taken.
    let history = tenant.history(subject).await?;
    let first = history.iter().find(|stored| stored.record.envelope().kind == kind);
    Ok(first.map(|stored| stored.index))
}

/// Refuses a decision that was not recorded, and another than the one that was recorded under its
/// name: its classes decide who must review it, so they are those of the record.
pub(super) async fn as_recorded(
    tenant: &Tenant,
    decision_id: &str,
    hash: &Digest,
) -> Result<(), OperationFailure> {
    let found = tenant.select(&DecisionRow::query().decision_id(decision_id)).await?;
    let Some(recorded) = found.first().map(|found| found.row.sha256) else {
        let expected = precondition::a_decision_that_was_recorded();
        return Err(Fault::new("not_recorded", "decision", expected, quoted(decision_id))
            .hint(hint::record_the_decision())
            .into());
    };
    if recorded == *hash {
        return Ok(());
    }
    let expected = precondition::the_decision_that_was_recorded(recorded);
    Err(Fault::new("other_decision", "decision", expected, Phrase::verbatim(hash))
        .hint(hint::another_decision_is_recorded_under_another_name())
        .into())
}

/// A name that something else has.
pub(super) fn taken(path: &str, name: &str, index: u64) -> OperationFailure {
    let found = found::name_that_record_has(quote(name), index);
    Fault::new("taken", path, precondition::a_name_that_is_new(), found)
        .hint(hint::repeat_under_its_key())
        .into()
}

/// A use of a tool that was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordedToolCall {
    /// The call.
    pub tool_call_id: String,
    /// Before or after.
    pub phase: ToolCallPhase,
    /// Its record.
    #[serde(flatten)]
    pub ack: RecordAck,
}

/// Before or after a tool is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolCallPhase {
    /// An agent is about to use it.
    Intended,
    /// It answered, failed or was blocked.
    Reported,
}

/// A request about a tool call.
struct ToolCallRequest {
    id: String,
    phase: ToolCallPhase,
    decision_id: Option<String>,
    tool_name: Option<String>,
    outcome: Option<&'static str>,
}

/// Records an announced tool call, or its result.
///
/// `{"phase":"intended","tool_call_id","tool_name","intended_action","decision_id"?,"agent_name"?,"inputs"?}`
/// or `{"phase":"reported","tool_call_id","actual_action","outcome","outputs"?,"side_effects"?}`.
///
/// # Errors
/// Every fault in it; a call that is intended or reported twice, or reported and never intended.
pub async fn tool(
    tenant: &Tenant,
    request: &[u8],
    context: &RequestContext,
) -> Result<RecordedToolCall, OperationFailure> {
    let json = Json::parse(request)?;
    let call = decode::value(&json, call)?;
    let content = canon::bytes(&json)?;
    let key = context.idempotency_key("tool record", &content)?;
    let said = async |snapshot: TrailSnapshot| {
        let before = if snapshot.assumes_new_subject() {
            Vec::new()
        } else if let Some(acks) = answered(tenant, key.as_ref()).await? {
            return one(acks);
        } else {
            tenant.select(&ToolCallRow::query().call_id(&call.id)).await?
        };
        let draft = called(&before, &call, content.clone(), context)?;
        one(append_if_unchanged(tenant, vec![draft], key.clone(), snapshot).await?)
    };
    let ack = match call.phase {
        ToolCallPhase::Intended => optimistic_insert(tenant, &call.id, said).await?,
        ToolCallPhase::Reported => retry_on_conflict_of_subject(tenant, &call.id, said).await?,
    };
    Ok(RecordedToolCall { tool_call_id: call.id, phase: call.phase, ack })
}

/// The record of a call, if the earlier records permit it.
fn called(
    before: &[IndexedRow<ToolCallRow>],
    call: &ToolCallRequest,
    content: Vec<u8>,
    context: &RequestContext,
) -> Result<NewRecord, OperationFailure> {
    let ToolCallRequest { id, phase, decision_id, tool_name, outcome } = call;
    let said = |phase: &str| before.iter().find(|found| found.row.phase == phase);
    // Each phase once: a second report could replace an admission in the first one.
    if let Some(found) = said(phase.as_str()) {
        return Err(taken("tool_call_id", id, found.index));
    }
    let intended = said(ToolCallPhase::Intended.as_str());
    let (kind, decision_id, tool_name) = match (phase, intended) {
        (ToolCallPhase::Intended, _) => (RecordKind::ToolIntended, decision_id, tool_name),
        (ToolCallPhase::Reported, Some(IndexedRow { row, .. })) => {
            // From the intention: a report cannot move a call to another decision or tool.
            (RecordKind::ToolReported, &row.decision_id, &row.tool_name)
        }
        (ToolCallPhase::Reported, None) => {
            return Err(Fault::new(
                "never_intended",
                "tool_call_id",
                EXPECTED_INTENDED_CALL,
                quoted(id),
            )
            .hint(hint::record_the_intention_before_the_tool_is_used())
            .into());
        }
    };
    let row = ToolCallRow {
        call_id: id.clone(),
        decision_id: decision_id.clone(),
        tool_name: tool_name.clone(),
        phase: phase.as_str().to_owned(),
        outcome: outcome.map(str::to_owned),
        sha256: Digest::of(&content),
        at: context.at,
    };
    let rows = vec![row.into()];
    Ok(context.draft(kind, id, vec![bytes(CALL_FIELD, content)], rows))
}

impl ToolCallPhase {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Intended => "intended",
            Self::Reported => "reported",
        }
    }
}

fn call(reader: JsonReader<'_, '_>) -> Option<ToolCallRequest> {
    let phases = [("intended", ToolCallPhase::Intended), ("reported", ToolCallPhase::Reported)];
    let mut fields = reader.object()?;
    let phase = fields.required("phase", |phase| phase.choice(&phases));
    let id = fields.required("tool_call_id", given);
    let phase = phase?;
    let (decision_id, tool_name, outcome) = match phase {
        ToolCallPhase::Intended => {
            let tool_name = fields.required("tool_name", name::read);
            let decision_id = fields.optional("decision_id", given);
            let agent = fields.optional("agent_name", name::read);
            let action = fields.required("intended_action", action);
            let inputs = fields.optional("inputs", |inputs| decode::object(inputs).map(|_| ()));
            fields.done()?;
            agent?;
            action?;
            inputs?;
            (decision_id?, Some(tool_name?), None)
        }
        ToolCallPhase::Reported => {
            let action = fields.required("actual_action", action);
            let outcome = fields.required("outcome", |outcome| {
                outcome.choice(&TOOL_CALL_OUTCOMES.map(|outcome| (outcome, outcome)))
            });
            let outputs = fields.optional("outputs", |outputs| decode::object(outputs).map(|_| ()));
            let effects = fields.optional("side_effects", |list| list.list(decode::filled));
            fields.done()?;
            action?;
            outputs?;
            effects?;
            (None, None, Some(outcome?))
        }
    };
    Some(ToolCallRequest { id: id?, phase, decision_id, tool_name, outcome })
}

/// An announced or executed action: a text or an object.
fn action(reader: JsonReader<'_, '_>) -> Option<()> {
    match reader.json {
        Json::Text(_) => decode::filled(reader).map(|_| ()),
        Json::Object(_) => Some(()),
        _ => reader.refuse("type", expected::a_text_or_an_object()),
    }
}

fn given(reader: JsonReader<'_, '_>) -> Option<String> {
    let text = decode::text(reader)?;
    if is_given(text) { Some(text.to_owned()) } else { reader.refuse("id", EXPECTED_GIVEN_ID) }
}

/// A recorded decision.
///
/// # Errors
/// There is none of that name, or its content is missing.
pub async fn stated(tenant: &Tenant, decision_id: &str) -> Result<Json<'static>, OperationFailure> {
    let known = tenant.select(&DecisionRow::query().decision_id(decision_id)).await?;
    let missing = || none(precondition::a_decision_of_this_tenant(), "decision_id", decision_id);
    let index = known.first().ok_or_else(missing)?.index;
    let stored = tenant.record(index).await?;
    let bytes = stored.as_ref().and_then(|stored| held_bytes(stored, DECISION_FIELD));
    let json = bytes.and_then(|bytes| Json::parse(bytes).ok()).map(Json::into_owned);
    json.ok_or_else(missing)
}

/// The calls of a decision, failures included, as `pack assemble` takes them.
///
/// A call that was never reported has differing actions, which its pack shows.
///
/// # Errors
/// The store cannot be read, or the content of a call is missing.
pub async fn calls(
    tenant: &Tenant,
    decision_id: &str,
) -> Result<Vec<Json<'static>>, OperationFailure> {
    let mut calls: Vec<(String, OwnedJsonMembers)> = Vec::new();
    for found in tenant.select(&ToolCallRow::query().decision_id(decision_id)).await? {
        let IndexedRow { index, row: ToolCallRow { call_id: id, at, .. } } = found;
        let stored = tenant.record(index).await?;
        let said = stored.as_ref().and_then(|stored| held_bytes(stored, CALL_FIELD));
        // Leaving the call out would hide it from the pack, so this is an error.
        let Some(said) = said.and_then(|bytes| Json::parse(bytes).ok()) else {
            return Err(none(precondition::what_was_recorded_of_a_call(), "tool_call_id", &id));
        };
        let Json::Object(said) = said.into_owned() else { continue };
        let said = said.into_iter().filter(|(name, _)| name != "phase" && name != "tool_call_id");
        match calls.iter_mut().find(|(known, _)| *known == id) {
            // The two phases have no field in common, so nothing is overwritten.
            Some((_, call)) => call.extend(said),
            None => {
                let at = Json::Text(Cow::Owned(at.to_string()));
                let mut call = vec![
                    (Cow::Borrowed("tool_call_id"), Json::Text(Cow::Owned(id.clone()))),
                    (Cow::Borrowed("invoked_at"), at),
                ];
                call.extend(said);
                calls.push((id, call));
            }
        }
    }
    let whole = |(_, mut call): (String, OwnedJsonMembers)| {
        if !call.iter().any(|(name, _)| name == "actual_action") {
            let nothing = Json::Text(Cow::Borrowed(UNREPORTED_ACTION));
            call.push((Cow::Borrowed("actual_action"), nothing));
        }
        Json::Object(call)
    };
    Ok(calls.into_iter().map(whole).collect())
}

/// The members of an object that owns its text.
type OwnedJsonMembers = Vec<(Cow<'static, str>, Json<'static>)>;

const EXPECTED_INTENDED_CALL: Phrase = precondition::a_call_that_was_recorded_as_intended();
const TOOL_CALL_OUTCOMES: [&str; 3] = ["succeeded", "failed", "blocked"];
