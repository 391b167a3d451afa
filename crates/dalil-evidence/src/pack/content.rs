//! Parses the content of a pack and checks every rule.

use dalil_proof::decode::{self, JsonFields, JsonReader};
use dalil_proof::fault::Refused;
use dalil_proof::id::{DecisionId, TenantId};
use dalil_proof::json::Json;

use crate::approval::ApprovalVote;
use crate::decision::{DecisionWords, PromptTemplateUse};
use crate::decision_class::{ApprovalClass, DecisionClasses, ReversibilityClass, SensitivityClass};
use crate::name;
use crate::pack::draft::{HOUR_MILLIS, PackContent, PackDraft, PackStatus, SCHEMA_VERSION};
use crate::pack::finding::{FlagAcknowledgement, PackFlagState};
use crate::pack::memo::Memo;
use crate::pack::source::PackSource;
use crate::pack::tool::ToolCall;
use crate::pack::version::PackVersionHistory;
use crate::pack::{cite, finding, ledger, source, version};
use crate::policy::{self, PackReason, PackRequirement};

impl PackDraft {
    /// Reads a pack and checks every rule over it.
    ///
    /// The computed fields of the draft are computed again, not read: to check that the pack states
    /// them truly, compare its bytes with the draft's.
    ///
    /// # Errors
    /// Every fault in the text and every rule that it breaks.
    pub fn parse(text: &[u8]) -> Result<Self, Refused> {
        let json = Json::parse(text)?;
        Self::from_json(&json)
    }

    pub(super) fn from_json(json: &Json<'_>) -> Result<Self, Refused> {
        decode::value(json, draft)
    }

    /// Computes the derived fields of `content`, or pushes the faults that prevent it.
    ///
    /// `findings` is what `reader`'s object calls the acknowledged findings.
    pub(super) fn settle(
        reader: JsonReader<'_, '_>,
        mut content: PackContent,
        findings: &str,
        acknowledged: &[FlagAcknowledgement],
    ) -> Option<Self> {
        // Bounded where it is read, so neither step fails.
        let window =
            i64::try_from(content.data_freshness_window_hours).ok()?.checked_mul(HOUR_MILLIS)?;
        for source in &mut content.sources {
            // Years 0 to 9999 in milliseconds cannot overflow.
            // Exactly at the window a source is fresh.
            let age = content.decided_at.millis() - source.retrieved_at.millis();
            source.stale = age > window;
        }
        let (requirement, reasons) = policy::requirement(content.classes, content.confidence);
        content.requirement = requirement;
        content.reasons = reasons.iter().map(PackReason::phrase).collect();
        content.status = match content.reviewer_id {
            Some(_) => PackStatus::Resolved,
            None => PackStatus::Unresolved,
        };
        // Approvals and findings are both checked, so that one reply has the faults of both.
        let mut faults = version::approved(&content, &reader.member("approvals"));
        match finding::all(&content, acknowledged, &reader.member(findings)) {
            Ok(found) => content.findings = found,
            Err(found) => faults.extend(found),
        }
        let sound = faults.is_empty();
        for fault in faults {
            reader.push::<()>(fault);
        }
        sound.then_some(Self(content))
    }
}

fn draft(reader: JsonReader<'_, '_>) -> Option<PackDraft> {
    let mut fields = reader.object()?;
    let schema =
        fields.required("schema_version", |v| v.choice(&[(SCHEMA_VERSION, SCHEMA_VERSION)]));
    let agent = reader.json.get("agent_name");
    let history = PackVersionHistory::read(reader, &mut fields, agent);
    let decision_id = fields.required("decision_id", |id| id.parsed("id", DecisionId::EXPECTED));
    let decision_hash = fields.required("decision_hash", decode::digest);
    let words = DecisionWords::read(&mut fields);
    let decided_at = fields.required("decided_at", decode::time);
    let confidence = fields.optional("confidence", decode::score);
    let classes = classes(&mut fields);
    let entity_id = fields.required("entity_id", decode::label);
    let tenant_id = fields.required("tenant_id", |id| id.parsed("id", TenantId::EXPECTED));
    let agent_name = fields.required("agent_name", name::read);
    let model = fields.optional("model", decode::label);
    let model_version = fields.optional("model_version", decode::label);
    let sources = fields.required("sources", |list| list.list(PackSource::read_marked));
    let enough = classes
        .zip(sources.as_deref())
        .map(|(classes, sources)| source::enough(reader, "sources", classes, sources));
    let tool_calls = fields.required("tool_calls", |list| list.list(ToolCall::read));
    let prompts = fields.required("prompts", |list| list.list(PromptTemplateUse::read));
    let window = fields.required("data_freshness_window_hours", |hours| {
        hours.whole(0..=crate::decision::MAX_FRESHNESS_HOURS)
    });
    let approvals = fields.or("approvals", Vec::new(), |list| list.list(ApprovalVote::read));
    let memo = fields.required("memo", Memo::read);
    let cited = cite::check(reader, reader.json.get("sources"));
    let ledger = fields.optional("ledger", ledger::read);
    let trace_id = fields.optional("trace_id", decode::label);
    let findings = fields.required("findings", acknowledged);
    pass_computed(&mut fields);
    fields.done()?;
    // The outer `None`: classes or sources could not be read. The inner one: they are not enough.
    enough??;
    cited?;
    let history = history?;
    let content = PackContent {
        schema_version: schema?,
        pack_id: history.pack_id,
        version: history.version,
        supersedes: history.supersedes,
        status: PackStatus::Unresolved,
        decision_id: decision_id?,
        decision_hash: decision_hash?,
        words: words?,
        decided_at: decided_at?,
        confidence: confidence?,
        classes: classes?,
        requirement: PackRequirement::Mandatory,
        reasons: Vec::new(),
        entity_id: entity_id?,
        tenant_id: tenant_id?,
        agent_name: agent_name?,
        model: model?,
        model_version: model_version?,
        sources: sources?,
        tool_calls: tool_calls?,
        prompts: prompts?,
        data_freshness_window_hours: window?,
        reviewer_id: history.reviewer_id,
        reviewed_at: history.reviewed_at,
        approvals: approvals?,
        memo: memo?,
        ledger: ledger?,
        trace_id: trace_id?,
        findings: Vec::new(),
        created_at: history.created_at,
    };
    PackDraft::settle(reader, content, "findings", &findings?)
}

/// Asks for the fields that `settle` computes again, and reads none of them.
fn pass_computed(fields: &mut JsonFields<'_, '_>) {
    for computed in ["status", "requirement", "reasons"] {
        fields.required(computed, |_| Some(()));
    }
}

/// The findings that the reviewer has acknowledged.
fn acknowledged(reader: JsonReader<'_, '_>) -> Option<Vec<FlagAcknowledgement>> {
    // Which findings there are is computed; which of them a person has seen cannot be.
    let findings = reader.list(FlagAcknowledgement::read_finding)?;
    let seen = |(seen, state)| (state == PackFlagState::Acknowledged).then_some(seen);
    Some(findings.into_iter().filter_map(seen).collect())
}

fn classes(fields: &mut JsonFields<'_, '_>) -> Option<DecisionClasses> {
    let approval = fields.required("approval_class", ApprovalClass::read);
    let reversibility = fields.required("reversibility_class", ReversibilityClass::read);
    let sensitivity = fields.required("sensitivity_class", SensitivityClass::read);
    Some(DecisionClasses::new(approval?, reversibility?, sensitivity?))
}
