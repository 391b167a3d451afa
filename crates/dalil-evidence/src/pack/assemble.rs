//! Assembling a pack: a decision's evidence becomes sources, its tool calls,
//! prompts and memo join them, and every rule is checked.

use std::collections::BTreeMap;

use dalil_phrasebook::{expected, found, hint};
use dalil_proof::canon;
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::digest::Digest;
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::json::Json;
use dalil_proof::time::Time;

use crate::decision::{self, Decision, PromptTemplateUse};
use crate::pack::draft::{DEFAULT_TENANT, PackContent, PackDraft, PackStatus, SCHEMA_VERSION};
use crate::pack::finding::FlagAcknowledgement;
use crate::pack::memo::Memo;
use crate::pack::memo::draft::{self, MemoFacts};
use crate::pack::source::PackSource;
use crate::pack::tool::ToolCall;
use crate::pack::version::PackVersionHistory;
use crate::pack::{cite, ledger, source, tool};
use crate::policy::PackRequirement;
use crate::word_boundary;

/// Assembles a pack from a JSON request.
///
/// # Errors
/// Every fault in the request and every rule that it breaks.
pub fn assemble(request: &[u8]) -> Result<PackDraft, Refused> {
    decode::request(request, draft)
}

fn draft(reader: JsonReader<'_, '_>) -> Option<PackDraft> {
    let mut fields = reader.object()?;
    // Rules over several parts work on the JSON: a part
    // with a fault of its own has no value to check.
    let stated = reader.json.get("decision");
    let decision = fields.required("decision", decision);
    let tool_calls = fields.or("tool_calls", Vec::new(), |calls| {
        // All run whatever the others find, so that no fault waits for a second try.
        let same = tool::same_decision(calls, stated.and_then(|stated| stated.get("decision_id")));
        let once = tool::each_once(calls);
        let calls = calls.list(ToolCall::read);
        same.and(once).and(calls)
    });
    let prompts = fields.optional("prompts", |list| list.list(PromptTemplateUse::read));
    let memo = fields.optional("memo", Memo::read);
    let evidence = stated.and_then(|stated| stated.get("evidence"));
    let cited = cite::check(reader, evidence);
    let summed = cite::summaries(reader, evidence);
    let retained = fields.or("retained", (), |texts| verbatim(texts, evidence));
    let ledger = fields.optional("ledger", ledger::read);
    let agent = stated.and_then(|stated| stated.get("agent_name"));
    let history = PackVersionHistory::read(reader, &mut fields, agent);
    let acknowledged =
        fields.or("acknowledged", Vec::new(), |list| list.list(FlagAcknowledgement::read));
    fields.done()?;
    cited?;
    summed?;
    retained?;
    let history = history?;
    let (decision, decision_hash) = decision?;
    let decided_at = decision.created_at.unwrap_or(history.created_at);
    let (memo, tool_calls, ledger) = (memo?, tool_calls?, ledger?);
    let memo = memo.unwrap_or_else(|| {
        draft::memo_of(&facts(&decision, &tool_calls, ledger.as_ref(), decided_at))
    });
    let content = PackContent {
        schema_version: SCHEMA_VERSION,
        pack_id: history.pack_id,
        version: history.version,
        supersedes: history.supersedes,
        // Placeholders here: `settle` computes status, requirement, reasons and findings.
        status: PackStatus::Unresolved,
        decision_id: decision.decision_id?,
        decision_hash,
        words: decision.words,
        decided_at,
        confidence: decision.confidence,
        classes: decision.classes.or_strictest(),
        requirement: PackRequirement::Mandatory,
        reasons: Vec::new(),
        entity_id: decision.entity_id?,
        tenant_id: decision.tenant_id.or_else(|| DEFAULT_TENANT.parse().ok())?,
        agent_name: decision.agent_name?,
        model: decision.model,
        model_version: decision.model_version,
        sources: decision.evidence,
        tool_calls,
        prompts: prompts?.unwrap_or(decision.prompts),
        data_freshness_window_hours: decision.freshness_window_hours,
        reviewer_id: history.reviewer_id,
        reviewed_at: history.reviewed_at,
        approvals: Vec::new(),
        memo,
        ledger,
        trace_id: decision.trace_id,
        findings: Vec::new(),
        created_at: history.created_at,
    };
    PackDraft::settle(reader, content, "acknowledged", &acknowledged?)
}

/// Collects the facts that a memo is drafted from.
fn facts<'p>(
    decision: &'p Decision<PackSource>,
    calls: &'p [ToolCall],
    ledger: Option<&'p Json<'static>>,
    decided_at: Time,
) -> MemoFacts<'p> {
    MemoFacts {
        decision_id: decision.decision_id.as_ref().map_or("", |id| id.as_str()),
        action_type: decision.action_type.as_deref(),
        classes: decision.classes.or_strictest(),
        confidence: decision.confidence,
        sources: &decision.evidence,
        decided_at,
        fresh_hours: decision.freshness_window_hours,
        calls,
        ledger,
    }
}

/// Reads the decision of a pack, which must say more than one that only asks for policy.
fn decision(reader: JsonReader<'_, '_>) -> Option<(Decision<PackSource>, Digest)> {
    let complete = complete(reader);
    let decision = decision::read(reader, PackSource::read, |classes, sources| {
        source::enough(reader, "evidence", classes.or_strictest(), sources)
    });
    complete?;
    Some((decision?, canon::digest(reader.json).ok()?))
}

/// Refuses a decision that lacks a field that a pack needs.
fn complete(reader: JsonReader<'_, '_>) -> Option<()> {
    let has = |name: &str| reader.json.get(name).is_some_and(|value| *value != Json::Null);
    let mut complete = Some(());
    for name in ["decision_id", "entity_id", "agent_name"] {
        if !has(name) {
            complete = reader.push(Fault::new(
                "missing_field",
                reader.member(name),
                expected::a_value(),
                found::nothing(),
            ));
        }
    }
    for name in ["approval_class", "reversibility_class", "sensitivity_class"] {
        if !has(name) && !has("action_type") {
            complete = reader.push(
                Fault::new(
                    "missing_field",
                    reader.member(name),
                    expected::a_class(),
                    found::nothing(),
                )
                .hint(hint::state_the_class_or_an_action_type_that_has_one()),
            );
        }
    }
    complete
}

/// Checks that each excerpt is in the retained text that its source names.
fn verbatim(reader: JsonReader<'_, '_>, evidence: Option<&Json<'_>>) -> Option<()> {
    let texts = reader.map(|text| {
        let content = decode::text(text)?;
        Some((Digest::of(content.as_bytes()), content, text.path()))
    })?;
    let mut held = BTreeMap::new();
    let mut sound = Some(());
    for (name, (digest, text, path)) in &texts {
        // A text under a digest that is not its own could vouch for any excerpt.
        if digest.to_string() == *name || digest.hex() == *name {
            held.insert(digest.hex(), *text);
        } else {
            let expected = expected::the_text_that_has_this_digest();
            let found = found::one_whose_digest_is(digest);
            sound = reader.push(Fault::new("retained_digest", path, expected, found));
        }
    }
    let Some(Json::List(evidence)) = evidence else { return sound };
    for (n, item) in evidence.iter().enumerate() {
        let (Some(Json::Text(excerpt)), Some(Json::Text(hash))) =
            (item.get("excerpt"), item.get("content_hash"))
        else {
            continue;
        };
        // A source whose whole was not retained cannot be checked; that is no fault.
        let text = held.get(hash.strip_prefix("sha256:").unwrap_or(hash));
        if text.is_some_and(|text| word_boundary::find_whole(text, excerpt).is_none()) {
            let path = format!("decision.evidence[{n}].excerpt");
            let expected = expected::words_that_are_in_the_retained_text();
            sound = reader.push(Fault::new(
                "not_verbatim",
                path,
                expected,
                found::words_that_are_not(),
            ));
        }
    }
    sound
}
