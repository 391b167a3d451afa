//! Calls of tools (spec/pack.md).

use serde::Serialize;
use utoipa::ToSchema;

use super::scalar::{DigestText, FreeObjectBody, TextOrObjectBody, TimeText};

/// An announced call of a tool, or the result of a call.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = ToolCallOrder)]
pub(crate) enum ToolCallOrderBody {
    /// Before the call.
    Intended(Box<IntendedToolCallBody>),
    /// After the call.
    Reported(ReportedToolCallBody),
}

/// An announced call of a tool.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = IntendedToolCall)]
pub(crate) struct IntendedToolCallBody {
    /// Before the call.
    phase: IntendedPhaseName,
    /// The id of the call.
    #[schema(min_length = 1)]
    tool_call_id: String,
    /// The tool.
    #[schema(min_length = 1)]
    tool_name: String,
    /// The decision that it is for.
    decision_id: Option<String>,
    /// The agent that calls.
    agent_name: Option<String>,
    /// The action that the agent announces.
    intended_action: TextOrObjectBody,
    /// The inputs, in the tool's own names.
    inputs: Option<FreeObjectBody>,
}

/// The result of a call.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ReportedToolCall)]
pub(crate) struct ReportedToolCallBody {
    /// After the call.
    phase: ReportedPhaseName,
    /// The call.
    #[schema(min_length = 1)]
    tool_call_id: String,
    /// The executed action.
    actual_action: TextOrObjectBody,
    /// How it ended.
    outcome: ToolCallOutcomeBody,
    /// The outputs, in the tool's own names.
    outputs: Option<FreeObjectBody>,
    /// Its side effects.
    side_effects: Option<Vec<String>>,
}

/// Before a tool is used.
#[derive(Serialize, ToSchema)]
#[schema(as = IntendedPhaseName)]
pub(crate) enum IntendedPhaseName {
    /// An agent is about to use it.
    #[schema(rename = "intended")]
    Intended,
}

/// After a tool was used.
#[derive(Serialize, ToSchema)]
#[schema(as = ReportedPhaseName)]
pub(crate) enum ReportedPhaseName {
    /// It answered, failed or was blocked.
    #[schema(rename = "reported")]
    Reported,
}

/// A recorded tool call.
#[derive(Serialize, ToSchema)]
#[schema(as = RecordedToolCall)]
pub(crate) struct RecordedToolCallBody {
    /// The call.
    tool_call_id: String,
    /// Before or after.
    phase: ToolCallPhaseBody,
    /// Its index in the trail, from 0.
    index: u64,
    /// Its id.
    id: String,
    /// Its leaf hash.
    leaf: DigestText,
}

/// Before or after a tool is used.
#[derive(Serialize, ToSchema)]
#[schema(as = ToolCallPhase, rename_all = "lowercase")]
pub(crate) enum ToolCallPhaseBody {
    /// An agent is about to use it.
    Intended,
    /// It answered, failed or was blocked.
    Reported,
}

/// The tool calls of a decision.
#[derive(Serialize, ToSchema)]
#[schema(as = DecisionToolCalls)]
pub(crate) struct DecisionToolCallsBody {
    /// The calls, in the order in which they were intended.
    tool_calls: Vec<JoinedToolCallBody>,
}

/// A call: the announcement and the report.
#[derive(Serialize, ToSchema)]
#[schema(as = JoinedToolCall)]
pub(crate) struct JoinedToolCallBody {
    /// Its id.
    tool_call_id: String,
    /// When it was recorded as intended.
    invoked_at: TimeText,
    /// The tool.
    tool_name: String,
    /// The decision that it is for.
    decision_id: Option<String>,
    /// The agent that called.
    agent_name: Option<String>,
    /// The action that the agent announced.
    intended_action: TextOrObjectBody,
    /// The inputs.
    inputs: Option<FreeObjectBody>,
    /// The executed action; `nothing was reported` until then.
    actual_action: TextOrObjectBody,
    /// How it ended, once it was reported.
    outcome: Option<ToolCallOutcomeBody>,
    /// The outputs.
    outputs: Option<FreeObjectBody>,
    /// Its side effects.
    side_effects: Option<Vec<String>>,
}

/// How a call ended.
#[derive(Serialize, ToSchema)]
#[schema(as = ToolCallOutcome, rename_all = "lowercase")]
pub(crate) enum ToolCallOutcomeBody {
    /// The tool reported success.
    Succeeded,
    /// The tool failed.
    Failed,
    /// It was blocked.
    Blocked,
}

/// The result of a later check of a call.
#[derive(Serialize, ToSchema)]
#[schema(as = ToolCallStatus, rename_all = "lowercase")]
pub(crate) enum ToolCallStatusBody {
    /// Not checked yet.
    Pending,
    /// It had the intended effect.
    Verified,
    /// It did something else.
    Contradicted,
    /// It was blocked.
    Blocked,
}

/// One call of a tool, successful or not.
#[derive(Serialize, ToSchema)]
#[schema(as = ToolCall)]
pub(crate) struct ToolCallBody {
    /// Its id in the tool ledger.
    #[schema(nullable = false)]
    tool_call_id: Option<String>,
    /// The tool.
    tool_name: String,
    /// The agent that called it.
    #[schema(nullable = false)]
    agent_name: Option<String>,
    /// The action that the agent announced: a text or an object.
    intended_action: TextOrObjectBody,
    /// The executed action: a text or an object.
    actual_action: TextOrObjectBody,
    /// The inputs.
    inputs: FreeObjectBody,
    /// The outputs.
    outputs: FreeObjectBody,
    /// Its side effects; absent where none were stated.
    #[schema(nullable = false)]
    side_effects: Option<Vec<String>>,
    /// How it ended, when that is known.
    #[schema(nullable = false)]
    outcome: Option<ToolCallOutcomeBody>,
    /// The result of a later check.
    verification_status: ToolCallStatusBody,
    /// Whether intended and actual action differ. Computed, never taken on trust.
    contradiction_flag: bool,
    /// Where they differ, as paths; `$` is the whole.
    #[schema(nullable = false)]
    contradictions: Option<Vec<String>>,
    /// When it was called, when that is known.
    #[schema(nullable = false)]
    invoked_at: Option<TimeText>,
}

/// A call, as a request for a pack states it.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ToolCallStatement)]
pub(crate) struct ToolCallStatementBody {
    /// Its id.
    #[schema(min_length = 1, max_length = 256)]
    tool_call_id: Option<String>,
    /// Another name of the same field.
    #[schema(min_length = 1, max_length = 256)]
    invocation_id: Option<String>,
    /// The tool.
    #[schema(min_length = 1, max_length = 256)]
    tool_name: String,
    /// The agent that called.
    #[schema(min_length = 1, max_length = 256)]
    agent_name: Option<String>,
    /// The action that the agent announced.
    intended_action: TextOrObjectBody,
    /// The executed action.
    actual_action: TextOrObjectBody,
    /// The inputs.
    inputs: Option<FreeObjectBody>,
    /// The outputs.
    outputs: Option<FreeObjectBody>,
    /// Its side effects.
    side_effects: Option<Vec<String>>,
    /// How it ended.
    outcome: Option<ToolCallOutcomeBody>,
    /// The result of a later check; `pending` when absent.
    verification_status: Option<ToolCallStatusBody>,
    /// Computed; a wrong one is refused.
    contradiction_flag: Option<bool>,
    /// Computed.
    contradictions: Option<Vec<String>>,
    /// When it was called.
    invoked_at: Option<TimeText>,
    /// Another name of the same field.
    at: Option<TimeText>,
    /// The decision; another's call is refused.
    #[schema(min_length = 1, max_length = 256)]
    decision_id: Option<String>,
}
