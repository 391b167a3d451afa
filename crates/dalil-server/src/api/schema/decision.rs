//! Decisions of agents (spec/pack.md).

use serde::Serialize;
use utoipa::ToSchema;

use super::scalar::{
    DigestText, FreeObjectBody, LanguageCode, ScoreNumber, TextOrObjectBody, TimeText,
};

/// A page of a list.
#[derive(Serialize, ToSchema)]
#[schema(as = DecisionPage)]
pub(crate) struct DecisionPageBody {
    /// The items.
    items: Vec<DecisionSummaryBody>,
    /// The cursor of the next page; absent on the last page.
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// A decision to record.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = DecisionOrder)]
pub(crate) struct DecisionOrderBody {
    /// The version of this format.
    schema_version: Option<SchemaVersionName>,
    /// Its id.
    #[schema(min_length = 1)]
    decision_id: String,
    /// Its tenant, which is that of the caller.
    tenant_id: Option<String>,
    /// Its subject.
    #[schema(min_length = 1, max_length = 256)]
    entity_id: Option<String>,
    /// The agent that decided.
    agent_name: Option<String>,
    /// The model that the agent used.
    #[schema(min_length = 1, max_length = 256)]
    model: Option<String>,
    /// The version of that model.
    #[schema(min_length = 1, max_length = 256)]
    model_version: Option<String>,
    /// The agent's confidence.
    confidence: Option<ScoreNumber>,
    /// The evidence for the decision.
    evidence: Option<Vec<DecisionEvidenceBody>>,
    /// The maximum age of evidence, in hours; 24 when absent.
    #[schema(maximum = 876000)]
    freshness_window_hours: Option<u64>,
    /// Another name of the same field; both may be given only if they are equal.
    #[schema(maximum = 876000)]
    data_freshness_window_hours: Option<u64>,
    /// The action, in one word.
    #[schema(min_length = 1, max_length = 256)]
    action_type: Option<String>,
    /// Who must approve it.
    approval_class: Option<ApprovalClassBody>,
    /// How hard it is to undo.
    reversibility_class: Option<ReversibilityClassBody>,
    /// How sensitive it is.
    sensitivity_class: Option<SensitivityClassBody>,
    /// Whether the lawful basis for personal data was checked.
    pdpl_check: Option<bool>,
    /// The requirements of policies.
    policy_requirements: Option<Vec<PolicyRequirementBody>>,
    /// The actions that the decision proposes.
    next_actions: Option<Vec<ProposedActionBody>>,
    /// The session whose newest ledger it rests on.
    session_id: Option<String>,
    /// The prompt templates that were used.
    prompts: Option<Vec<PromptTemplateUseOrderBody>>,
    /// The trace that links the decision to its evidence.
    #[schema(min_length = 1, max_length = 256)]
    trace_id: Option<String>,
    /// Read, not shown.
    #[schema(min_length = 1, max_length = 256)]
    span_id: Option<String>,
    /// Read, not shown.
    #[schema(min_length = 1, max_length = 256)]
    correlation_id: Option<String>,
    /// Read, not shown.
    locale: Option<LanguageCode>,
    /// When it was decided.
    created_at: Option<TimeText>,
    /// Its objective.
    #[schema(min_length = 1)]
    objective: Option<String>,
    /// The recommended action, in the agent's own words.
    recommendation: Option<FreeObjectBody>,
    /// The reason.
    #[schema(min_length = 1, max_length = 5000)]
    rationale: Option<String>,
    /// The alternatives that were considered.
    options_considered: Option<Vec<TextOrObjectBody>>,
}

/// The version of a format.
#[derive(Serialize, ToSchema)]
#[schema(as = SchemaVersionName)]
pub(crate) enum SchemaVersionName {
    /// The first.
    #[schema(rename = "1.0")]
    First,
}

/// Evidence for a decision. A pack requires more fields than a record.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = DecisionEvidence)]
pub(crate) struct DecisionEvidenceBody {
    /// The name of the system or site.
    source: Option<String>,
    /// Where it can be found again.
    uri: Option<String>,
    /// Its internal reference.
    reference: Option<String>,
    /// The exact words.
    excerpt: Option<String>,
    /// The digest of the full text that the excerpt is from.
    content_hash: Option<String>,
    /// When it was retrieved.
    retrieved_at: Option<TimeText>,
    /// How reliable it is.
    confidence: Option<ScoreNumber>,
}

/// The requirement of a policy.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PolicyRequirement)]
pub(crate) struct PolicyRequirementBody {
    /// The policy.
    #[schema(min_length = 1, max_length = 256)]
    policy_name: String,
    /// In words.
    description: Option<String>,
    /// Whether it must be met.
    required: Option<bool>,
}

/// An action that a decision proposes.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ProposedAction)]
pub(crate) struct ProposedActionBody {
    /// The action, in one word.
    #[schema(min_length = 1, max_length = 256)]
    action_type: String,
    /// In words.
    description: Option<String>,
    /// The parameters of the action, in the agent's own names.
    payload: Option<FreeObjectBody>,
    /// Who must approve it.
    approval_class: Option<ApprovalClassBody>,
    /// How hard it is to undo.
    reversibility_class: Option<ReversibilityClassBody>,
    /// How sensitive it is.
    sensitivity_class: Option<SensitivityClassBody>,
    /// Whether the lawful basis for personal data was checked.
    pdpl_check: Option<bool>,
    /// The requirements of policies.
    policy_requirements: Option<Vec<PolicyRequirementBody>>,
}

/// A prompt template that was used.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PromptTemplateUseOrder)]
pub(crate) struct PromptTemplateUseOrderBody {
    /// The template.
    #[schema(min_length = 1, max_length = 256)]
    template_name: String,
    /// Its version.
    #[schema(min_length = 1, max_length = 256)]
    template_version: Option<String>,
    /// How long it was when filled.
    rendered_length: Option<u64>,
    /// Whether a system prompt came before it.
    system_prompt_present: Option<bool>,
}

/// A decision, as a list shows it.
#[derive(Serialize, ToSchema)]
#[schema(as = DecisionSummary)]
pub(crate) struct DecisionSummaryBody {
    /// Its id.
    decision_id: String,
    /// Its subject.
    #[schema(required = true)]
    entity_id: Option<String>,
    /// The agent that decided.
    #[schema(required = true)]
    agent_name: Option<String>,
    /// The decision.
    #[schema(required = true)]
    action: Option<String>,
    /// Its classes: approval, reversibility, sensitivity.
    #[schema(min_items = 3, max_items = 3)]
    classes: Vec<String>,
    /// The agent's confidence.
    #[schema(required = true)]
    confidence: Option<f64>,
    /// Whether it needs a pack.
    requirement: PackRequirementBody,
    /// When it was decided.
    created_at: TimeText,
    /// The index of its record.
    index: u64,
}

/// A decision that was recorded.
#[derive(Serialize, ToSchema)]
#[schema(as = RecordedDecision)]
pub(crate) struct RecordedDecisionBody {
    /// The decision.
    decision_id: String,
    /// The digest of its canonical JSON, as its pack names it.
    decision_hash: DigestText,
    /// Who must approve it.
    approval_class: ApprovalClassBody,
    /// How hard it is to undo.
    reversibility_class: ReversibilityClassBody,
    /// How sensitive it is.
    sensitivity_class: SensitivityClassBody,
    /// Whether it needs a pack.
    requirement: PackRequirementBody,
    /// Every reason for that. Never empty.
    reasons: Vec<String>,
    /// Whether it is A2 or A3, R3, or S3.
    high_stakes: bool,
    /// How many approvers its approval class requires.
    approvers: u8,
    /// The strictest outcome of all routes.
    outcome: RoutingOutcomeBody,
    /// The first rule with that outcome.
    rule: RoutingRuleBody,
    /// How many people must approve: the most that any route requires, and never fewer than
    /// `approvers`.
    required_approvers: u8,
    /// Every rule that applies, in order of precedence. Never empty.
    routes: Vec<PolicyRouteBody>,
    /// The same for each action that the decision proposes.
    #[schema(nullable = false)]
    next_actions: Option<Vec<ActionAssessmentBody>>,
    /// Its index in the trail, from 0.
    index: u64,
    /// Its id.
    id: String,
    /// Its leaf hash.
    leaf: DigestText,
}

/// The policy's result for an action that a decision proposes.
#[derive(Serialize, ToSchema)]
#[schema(as = ActionAssessment)]
pub(crate) struct ActionAssessmentBody {
    /// The type of action.
    action_type: String,
    /// The strictest outcome of all routes.
    outcome: RoutingOutcomeBody,
    /// The first rule with that outcome.
    rule: RoutingRuleBody,
    /// How many people must approve.
    required_approvers: u8,
    /// Every rule that applies, in order of precedence. Never empty.
    routes: Vec<PolicyRouteBody>,
}

/// A rule that applies, with its result.
#[derive(Serialize, ToSchema)]
#[schema(as = PolicyRoute)]
pub(crate) struct PolicyRouteBody {
    /// The rule.
    rule: RoutingRuleBody,
    /// Its result.
    outcome: RoutingOutcomeBody,
    /// How many approvers it requires.
    approvers: u8,
    /// Why, in one sentence.
    reason: String,
}

/// The permitted handling of an action, from the mildest.
#[derive(Serialize, ToSchema)]
#[schema(as = RoutingOutcome, rename_all = "lowercase")]
pub(crate) enum RoutingOutcomeBody {
    /// It may go ahead.
    Allow,
    /// People must approve it.
    Escalate,
    /// It may not go ahead.
    Deny,
}

/// A rule of routing.
#[derive(Serialize, ToSchema)]
#[schema(as = RoutingRule, rename_all = "snake_case")]
pub(crate) enum RoutingRuleBody {
    /// Some types of action always wait for people.
    NeverAutoExecute,
    /// An irreversible action always waits for people.
    R3BlocksAuto,
    /// A2 and A3 must carry evidence.
    A2PlusRequiresEvidence,
    /// Personal data needs a check of its lawful basis.
    S3RequiresPdplCheck,
    /// A high-stakes decision needs high confidence.
    LowConfidenceHighStakes,
    /// A1 and above wait for their approvers.
    ApprovalClassRouting,
    /// No other rule applies.
    DefaultAllow,
}

/// Whether a decision needs a pack.
#[derive(Serialize, ToSchema)]
#[schema(as = PackRequirement, rename_all = "lowercase")]
pub(crate) enum PackRequirementBody {
    /// It must have one.
    Mandatory,
    /// For a possible audit.
    Recommended,
    /// It is routine.
    Skip,
}

/// Who must approve an action before it happens.
#[derive(Serialize, ToSchema)]
#[schema(as = ApprovalClass)]
pub(crate) enum ApprovalClassBody {
    /// No approver.
    A0,
    /// A manager.
    A1,
    /// A department head, with legal or finance.
    A2,
    /// An executive or the board.
    A3,
}

/// How hard an action is to undo.
#[derive(Serialize, ToSchema)]
#[schema(as = ReversibilityClass)]
pub(crate) enum ReversibilityClassBody {
    /// It undoes itself: a draft, an internal note.
    R0,
    /// With a little work: a field in a register.
    R1,
    /// At a cost: a proposal that was sent.
    R2,
    /// Never: a signature, a commitment to an outside party.
    R3,
}

/// The sensitivity of the data that an action touches.
#[derive(Serialize, ToSchema)]
#[schema(as = SensitivityClass)]
pub(crate) enum SensitivityClassBody {
    /// Public.
    S0,
    /// Internal.
    S1,
    /// Commercial.
    S2,
    /// Regulated or personal.
    S3,
}
