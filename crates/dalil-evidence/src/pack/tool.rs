//! Tool calls of a pack: the announced call and the executed one.

use std::collections::{BTreeMap, BTreeSet};

use dalil_phrasebook::{expected, found, hint};
use dalil_proof::decode::{self, JsonReader, kept};
use dalil_proof::fault::{Fault, quote};
use dalil_proof::json::{Json, JsonPath};
use dalil_proof::time::Time;
use serde::Serialize;

#[cfg(test)]
mod tests;

/// One call of a tool, successful or not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToolCall {
    /// Its name in the tool ledger.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The tool.
    pub tool_name: String,
    /// The agent that called it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_name: Option<String>,
    /// The announced action: a text or an object.
    pub intended_action: Json<'static>,
    /// What happened: a text or an object.
    pub actual_action: Json<'static>,
    /// What went in.
    pub inputs: Json<'static>,
    /// The outputs.
    pub outputs: Json<'static>,
    /// The side effects; absent where none were stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side_effects: Option<Vec<String>>,
    /// How it ended, when that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<ToolCallOutcome>,
    /// The result of a later check.
    pub verification_status: ToolCallStatus,
    /// Whether intended and actual action differ. Computed, never taken on trust.
    pub contradiction_flag: bool,
    /// Where they differ, as paths; `$` is the whole.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contradictions: Vec<String>,
    /// When it was called, when that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invoked_at: Option<Time>,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolCallOutcome {
    /// The tool reported success.
    Succeeded,
    /// It tried and did not.
    Failed,
    /// It was not let.
    Blocked,
}

/// The result of a later check of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolCallStatus {
    /// Not checked yet.
    Pending,
    /// It had the intended effect.
    Verified,
    /// It did something else.
    Contradicted,
    /// It was not let.
    Blocked,
}

impl ToolCall {
    /// Parses a call, from a tool ledger or from a pack. The ledger's own names,
    /// `invocation_id` and `at`, are aliases of `tool_call_id` and `invoked_at`.
    pub(super) fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let tool_call_id = fields.optional("tool_call_id", decode::label);
        let invocation_id = fields.optional("invocation_id", decode::label);
        let tool_name = fields.required("tool_name", decode::label);
        let agent_name = fields.optional("agent_name", decode::label);
        let intended_action = fields.required("intended_action", action);
        let actual_action = fields.required("actual_action", action);
        let inputs = fields.or("inputs", Json::Object(Vec::new()), object);
        let outputs = fields.or("outputs", Json::Object(Vec::new()), object);
        let side_effects = fields.optional("side_effects", |list| list.list(decode::filled));
        let outcome = fields.optional("outcome", outcome);
        let verification_status = fields.or("verification_status", ToolCallStatus::Pending, status);
        let stated = fields.optional("contradiction_flag", decode::flag);
        let named = fields.optional("contradictions", |list| list.list(decode::owned));
        let invoked_at = fields.optional("invoked_at", decode::time);
        let at = fields.optional("at", decode::time);
        let decision_id = fields.optional("decision_id", decode::label);
        fields.done()?;
        // The paths that are stated are read for their type only, and computed again.
        named?;
        decision_id?;
        let (intended_action, actual_action) = (intended_action?, actual_action?);
        let contradictions = differences(&intended_action, &actual_action);
        let contradiction_flag = !contradictions.is_empty();
        // An agent must not hide a contradiction, nor invent one.
        if stated?.is_some_and(|stated| stated != contradiction_flag) {
            return false_flag(reader, &contradictions);
        }
        Some(Self {
            tool_call_id: tool_call_id?.or(invocation_id?),
            tool_name: tool_name?,
            agent_name: agent_name?,
            intended_action,
            actual_action,
            inputs: inputs?,
            outputs: outputs?,
            side_effects: side_effects?,
            outcome: outcome?,
            verification_status: verification_status?,
            contradiction_flag,
            contradictions,
            invoked_at: invoked_at?.or(at?),
        })
    }
}

/// The executed action of a call that was recorded as intended and never reported.
pub const UNREPORTED_ACTION: &str = "nothing was reported";

/// Refuses each call that names another decision than `decision_id`.
pub(super) fn same_decision(
    calls: JsonReader<'_, '_>,
    decision_id: Option<&Json<'_>>,
) -> Option<()> {
    let Json::List(items) = calls.json else { return Some(()) };
    let mut same = Some(());
    for (n, call) in items.iter().enumerate() {
        let named = call.get("decision_id").filter(|id| matches!(id, Json::Text(_)));
        if let (Some(found), Some(expected)) = (named, decision_id)
            && found != expected
        {
            let path = format!("{}[{n}].decision_id", calls.path());
            let expected = expected::a_call_of_decision(expected.found());
            same = calls.push(Fault::new("foreign_call", path, expected, found.found()));
        }
    }
    same
}

/// Refuses each call of a request that has the name of one before it: only one of them could be
/// compared with its records.
pub(super) fn each_once(calls: JsonReader<'_, '_>) -> Option<()> {
    let Json::List(items) = calls.json else { return Some(()) };
    let mut seen = BTreeSet::new();
    let mut once = Some(());
    for (n, call) in items.iter().enumerate() {
        let names = ["tool_call_id", "invocation_id"];
        let named = names.iter().find_map(|name| match call.get(name) {
            Some(Json::Text(id)) => Some((name, id)),
            _ => None,
        });
        if let Some((name, id)) = named
            && !seen.insert(id)
        {
            let path = format!("{}[{n}].{name}", calls.path());
            once = calls.push(Fault::new(
                "duplicate",
                path,
                expected::each_call_once(),
                found::again(quote(id)),
            ));
        }
    }
    once
}

/// Where two actions differ, as paths in order of their text; nothing when they agree.
fn differences(intended: &Json<'_>, actual: &Json<'_>) -> Vec<String> {
    let mut found = Vec::new();
    compare(&JsonPath::ROOT, intended, actual, &mut found);
    found.sort_unstable();
    found
}

fn compare(at: &JsonPath<'_>, intended: &Json<'_>, actual: &Json<'_>, found: &mut Vec<String>) {
    // The recursion is as deep as the JSON, which its parser bounds at 127 levels.
    match (intended, actual) {
        (Json::Text(one), Json::Text(other)) if folded(one).eq(folded(other)) => {}
        (Json::Object(members), Json::Object(others)) => {
            let mut pairs: BTreeMap<&str, (Option<&Json<'_>>, Option<&Json<'_>>)> =
                members.iter().map(|(key, one)| (key.as_ref(), (Some(one), None))).collect();
            for (key, other) in others {
                pairs.entry(key).or_default().1 = Some(other);
            }
            for (key, (one, other)) in pairs {
                compare_member(&at.key(key), one, other, found);
            }
        }
        (Json::List(items), Json::List(others)) => {
            for n in 0..items.len().max(others.len()) {
                compare_member(&at.index(n), items.get(n), others.get(n), found);
            }
        }
        (one, other) if one == other => {}
        _ => found.push(at.to_string()),
    }
}

fn compare_member(
    at: &JsonPath<'_>,
    intended: Option<&Json<'_>>,
    actual: Option<&Json<'_>>,
    found: &mut Vec<String>,
) {
    match (intended, actual) {
        (Some(intended), Some(actual)) => compare(at, intended, actual, found),
        (None, None) => {}
        (Some(_), None) | (None, Some(_)) => found.push(at.to_string()),
    }
}

/// A text without the differences that do not count: case and white space.
fn folded(text: &str) -> impl Iterator<Item = char> {
    // The space before each word keeps `ab` and `a b` apart.
    text.split_whitespace()
        .flat_map(|word| std::iter::once(' ').chain(word.chars().flat_map(char::to_lowercase)))
}

fn false_flag<T>(reader: JsonReader<'_, '_>, contradictions: &[String]) -> Option<T> {
    let path = reader.member("contradiction_flag");
    let fault = if contradictions.is_empty() {
        Fault::new(
            "contradiction_flag",
            path,
            expected::false_the_actions_agree(),
            found::is_true(),
        )
    } else {
        let paths: Vec<String> = contradictions.iter().take(8).map(|path| quote(path)).collect();
        let expected = expected::true_the_actions_differ(paths.join(", "));
        Fault::new("contradiction_flag", path, expected, found::is_false())
    };
    reader.push(fault.hint(hint::leave_the_flag_out_it_is_computed()))
}

fn action(reader: JsonReader<'_, '_>) -> Option<Json<'static>> {
    match reader.json {
        Json::Text(_) => decode::filled(reader).map(|text| Json::Text(text.into())),
        Json::Object(_) => kept(reader),
        _ => reader.refuse("type", expected::a_text_or_an_object()),
    }
}

fn object(reader: JsonReader<'_, '_>) -> Option<Json<'static>> {
    decode::object(reader).and_then(|_| kept(reader))
}

fn outcome(reader: JsonReader<'_, '_>) -> Option<ToolCallOutcome> {
    reader.choice(&[
        ("succeeded", ToolCallOutcome::Succeeded),
        ("failed", ToolCallOutcome::Failed),
        ("blocked", ToolCallOutcome::Blocked),
    ])
}

fn status(reader: JsonReader<'_, '_>) -> Option<ToolCallStatus> {
    reader.choice(&[
        ("pending", ToolCallStatus::Pending),
        ("verified", ToolCallStatus::Verified),
        ("contradicted", ToolCallStatus::Contradicted),
        ("blocked", ToolCallStatus::Blocked),
    ])
}
