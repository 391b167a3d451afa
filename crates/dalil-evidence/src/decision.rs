//! Decisions of agents, with their classes and evidence.
//!
//! A decision arrives as JSON with the contract's field names. The caller decides
//! how strictly its evidence is parsed: a question about policy asks only
//! whether there is any, a pack takes every item as a source.

use dalil_phrasebook::{bound, expected, found};
use dalil_proof::decode::{self, JsonFields, JsonReader, kept};
use dalil_proof::fault::Fault;
use dalil_proof::hold::given;
use dalil_proof::id::{DecisionId, TenantId};
use dalil_proof::json::Json;
use dalil_proof::score::Score;
use dalil_proof::time::Time;
use serde::Serialize;

pub use self::prompt::PromptTemplateUse;
use crate::decision_class::{ApprovalClass, DecisionClasses, ReversibilityClass, SensitivityClass};
use crate::name;

mod prompt;
#[cfg(test)]
mod tests;

/// A proposal of an agent, with the fields that policy and packs need.
#[derive(Clone, Debug)]
pub struct Decision<E> {
    /// Its name.
    pub decision_id: Option<DecisionId>,
    /// Who owns it.
    pub tenant_id: Option<TenantId>,
    /// The lead, deal or partner that it is about.
    pub entity_id: Option<String>,
    /// The agent that made it.
    pub agent_name: Option<String>,
    /// The model that the agent used.
    pub model: Option<String>,
    /// The version of that model.
    pub model_version: Option<String>,
    /// How sure it is of itself.
    pub confidence: Option<Score>,
    /// Its evidence.
    pub evidence: Vec<E>,
    /// The maximum age of its evidence in hours; 24 by default.
    pub freshness_window_hours: u64,
    /// Its type of action, when it names one.
    pub action_type: Option<String>,
    /// Its classes, as far as they are known.
    pub classes: StatedClasses,
    /// Whether the lawful basis for personal data was checked.
    pub pdpl_check: bool,
    /// The next actions that it proposes.
    pub next_actions: Vec<ProposedAction>,
    /// The session whose newest ledger it rests on.
    pub session_id: Option<String>,
    /// The prompt templates that the agent used.
    pub prompts: Vec<PromptTemplateUse>,
    /// The trace that links it to its evidence.
    pub trace_id: Option<String>,
    /// When it was made.
    pub created_at: Option<Time>,
    /// The texts of the decision.
    pub words: DecisionWords,
}

/// The texts of a decision, in the words of the agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DecisionWords {
    /// Its objective.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective: Option<String>,
    /// The recommended action: an object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recommendation: Option<Json<'static>>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
    /// What else was considered: texts or objects.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options_considered: Vec<Json<'static>>,
}

impl DecisionWords {
    pub(crate) fn read(fields: &mut JsonFields<'_, '_>) -> Option<Self> {
        let objective = fields.optional("objective", decode::filled);
        let recommendation = fields
            .optional("recommendation", |value| decode::object(value).and_then(|_| kept(value)));
        let rationale = fields.optional("rationale", rationale);
        let options_considered =
            fields.or("options_considered", Vec::new(), |list| list.list(option_considered));
        Some(Self {
            objective: objective?,
            recommendation: recommendation?,
            rationale: rationale?,
            options_considered: options_considered?,
        })
    }
}

fn option_considered(reader: JsonReader<'_, '_>) -> Option<Json<'static>> {
    match reader.json {
        Json::Text(_) => decode::filled(reader).map(|text| Json::Text(text.into())),
        Json::Object(_) => kept(reader),
        _ => reader.refuse("type", expected::a_text_or_an_object()),
    }
}

/// An action that a decision proposes.
#[derive(Clone, Debug)]
pub struct ProposedAction {
    /// Its type.
    pub action_type: String,
    /// Its classes, as far as they are known.
    pub classes: StatedClasses,
    /// Whether the lawful basis for personal data was checked.
    pub pdpl_check: bool,
}

/// Classes as they were stated; the type of action fills in missing ones.
#[derive(Clone, Copy, Debug)]
pub struct StatedClasses {
    /// Who must approve it.
    pub approval: Option<ApprovalClass>,
    /// How hard it is to undo.
    pub reversibility: Option<ReversibilityClass>,
    /// How sensitive it is.
    pub sensitivity: Option<SensitivityClass>,
}

impl StatedClasses {
    /// The classes, with the strictest for each that is missing.
    pub fn or_strictest(self) -> DecisionClasses {
        let Self { approval, reversibility, sensitivity } = self;
        let strictest = DecisionClasses::STRICTEST;
        DecisionClasses {
            approval: approval.unwrap_or(strictest.approval),
            reversibility: reversibility.unwrap_or(strictest.reversibility),
            sensitivity: sensitivity.unwrap_or(strictest.sensitivity),
        }
    }

    /// A reason for each class that is missing.
    pub fn missing(self) -> Vec<String> {
        let Self { approval, reversibility, sensitivity } = self;
        let reasons = [
            approval.is_none().then_some("approval class is missing and counts as A3"),
            reversibility.is_none().then_some("reversibility class is missing and counts as R3"),
            sensitivity.is_none().then_some("sensitivity class is missing and counts as S3"),
        ];
        reasons.into_iter().flatten().map(str::to_owned).collect()
    }

    fn read(fields: &mut JsonFields<'_, '_>, action_type: Option<&str>) -> Option<Self> {
        let approval = fields.optional("approval_class", ApprovalClass::read);
        let reversibility = fields.optional("reversibility_class", ReversibilityClass::read);
        let sensitivity = fields.optional("sensitivity_class", SensitivityClass::read);
        // A stated class counts, even one milder than the type's. The type alone decides which
        // actions are never automatic (`policy`).
        let known = action_type.map(DecisionClasses::of_action);
        Some(Self {
            approval: approval?.or(known.map(|classes| classes.approval)),
            reversibility: reversibility?.or(known.map(|classes| classes.reversibility)),
            sensitivity: sensitivity?.or(known.map(|classes| classes.sensitivity)),
        })
    }
}

/// Parses a decision, each piece of its evidence with `evidence`, and lets
/// `enough` push faults about too little evidence for a decision of such classes.
pub fn read<E>(
    reader: JsonReader<'_, '_>,
    evidence: impl FnMut(JsonReader<'_, '_>) -> Option<E>,
    enough: impl FnOnce(StatedClasses, &[E]) -> Option<()>,
) -> Option<Decision<E>> {
    let mut fields = reader.object()?;
    let schema = fields.optional("schema_version", |version| version.choice(&[("1.0", ())]));
    let decision_id = fields.optional("decision_id", |id| id.parsed("id", DecisionId::EXPECTED));
    let tenant_id = fields.optional("tenant_id", |id| id.parsed("id", TenantId::EXPECTED));
    let entity_id = fields.optional("entity_id", decode::label);
    let agent_name = fields.optional("agent_name", name::read);
    let model = fields.optional("model", decode::label);
    let model_version = fields.optional("model_version", decode::label);
    let confidence = fields.optional("confidence", decode::score);
    let evidence = fields.or("evidence", Vec::new(), |list| list.list(evidence));
    let freshness_window_hours = freshness(reader, &mut fields);
    let action_type = fields.optional("action_type", decode::label);
    let classes = StatedClasses::read(&mut fields, action_type.as_ref().and_then(Option::as_deref));
    // Not asked about values that could not be read: their own faults are enough.
    let enough = classes.zip(evidence.as_deref()).map(|(stated, all)| enough(stated, all));
    let next_actions = fields.or("next_actions", Vec::new(), |list| list.list(action));
    let pdpl_check = pdpl_check(&mut fields);
    let session_id = fields.optional("session_id", given);
    let prompts = fields.or("prompts", Vec::new(), |list| list.list(PromptTemplateUse::read));
    let trace_id = fields.optional("trace_id", decode::label);
    let created_at = fields.optional("created_at", decode::time);
    // No `?` before every field was asked for: one reply has all faults.
    let words = DecisionWords::read(&mut fields);
    let unused = unused(&mut fields);
    fields.done()?;
    schema?;
    unused?;
    enough??;
    Some(Decision {
        decision_id: decision_id?,
        tenant_id: tenant_id?,
        entity_id: entity_id?,
        agent_name: agent_name?,
        model: model?,
        model_version: model_version?,
        confidence: confidence?,
        evidence: evidence?,
        freshness_window_hours: freshness_window_hours?,
        action_type: action_type?,
        classes: classes?,
        pdpl_check: pdpl_check?,
        next_actions: next_actions?,
        session_id: session_id?,
        prompts: prompts?,
        trace_id: trace_id?,
        created_at: created_at?,
        words: words?,
    })
}

/// Checks the shape of a piece of evidence, all of it optional, and keeps nothing.
pub fn check_evidence_shape(reader: JsonReader<'_, '_>) -> Option<()> {
    let mut fields = reader.object()?;
    let texts = ["source", "uri", "reference", "excerpt", "content_hash"];
    let texts = texts.map(|name| fields.optional(name, decode::text).map(|_| ()));
    let retrieved_at = fields.optional("retrieved_at", decode::time);
    let confidence = fields.optional("confidence", decode::score);
    fields.done()?;
    retrieved_at?;
    confidence?;
    texts.into_iter().collect()
}

/// The freshness window, under either of its names.
fn freshness(reader: JsonReader<'_, '_>, fields: &mut JsonFields<'_, '_>) -> Option<u64> {
    let hours = |hours: JsonReader<'_, '_>| hours.whole(0..=MAX_FRESHNESS_HOURS);
    let short = fields.optional("freshness_window_hours", hours);
    let long = fields.optional("data_freshness_window_hours", hours);
    match (short?, long?) {
        // With two windows, a source is fresh to one reader and stale to another.
        (Some(short), Some(long)) if short != long => reader.push(Fault::new(
            "freshness_window",
            reader.member("data_freshness_window_hours"),
            bound::freshness_window(short),
            found::value(long),
        )),
        (short, long) => Some(long.or(short).unwrap_or(DEFAULT_FRESHNESS_HOURS)),
    }
}

fn action(reader: JsonReader<'_, '_>) -> Option<ProposedAction> {
    let mut fields = reader.object()?;
    let action_type = fields.required("action_type", decode::label);
    let description = fields.optional("description", decode::text).map(|_| ());
    let payload = fields.optional("payload", decode::object);
    let classes = StatedClasses::read(&mut fields, action_type.as_deref());
    let pdpl_check = pdpl_check(&mut fields);
    fields.done()?;
    description?;
    payload?;
    Some(ProposedAction { action_type: action_type?, classes: classes?, pdpl_check: pdpl_check? })
}

/// Whether the lawful basis was checked: stated directly, or as a policy requirement.
fn pdpl_check(fields: &mut JsonFields<'_, '_>) -> Option<bool> {
    let stated = fields.or("pdpl_check", false, decode::flag);
    let required =
        fields.or("policy_requirements", Vec::new(), |list| list.list(policy_requirement));
    Some(required?.iter().any(|name| name == "pdpl_lawful_basis") | stated?)
}

fn policy_requirement(reader: JsonReader<'_, '_>) -> Option<String> {
    let mut fields = reader.object()?;
    let name = fields.required("policy_name", decode::label);
    let description = fields.optional("description", decode::text).map(|_| ());
    let required = fields.optional("required", decode::flag);
    fields.done()?;
    description?;
    required?;
    name
}

/// Fields that are checked, and covered by the decision's digest, but not kept.
fn unused(fields: &mut JsonFields<'_, '_>) -> Option<()> {
    let span_id = fields.optional("span_id", decode::label);
    let correlation_id = fields.optional("correlation_id", decode::label);
    let locale = fields.optional("locale", |locale| locale.choice(&[("ar", ()), ("en", ())]));
    span_id?;
    correlation_id?;
    locale?;
    Some(())
}

fn rationale(reader: JsonReader<'_, '_>) -> Option<String> {
    let text = decode::text(reader)?;
    let length = text.chars().count();
    if (1..=MAX_RATIONALE_CHARS).contains(&length) {
        return Some(text.to_owned());
    }
    reader.push(Fault::new(
        "length",
        reader.path(),
        bound::one_to_characters(MAX_RATIONALE_CHARS),
        length,
    ))
}

const MAX_RATIONALE_CHARS: usize = 5000;
/// The freshness window of a decision that states none.
const DEFAULT_FRESHNESS_HOURS: u64 = 24;
/// A hundred years.
pub(crate) const MAX_FRESHNESS_HOURS: u64 = 876_000;
