//! Flags of a pack: facts that its reader should know, though they break no rule.

use std::collections::BTreeMap;

use dalil_phrasebook::{Phrase, expected, found, hint, pack_flag};
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::{Fault, quote};
use serde::Serialize;

use crate::pack::draft::{DEFAULT_TENANT, PackContent};
use crate::pack::source;
use crate::pack::tool::{self, ToolCall};

/// Something that a reader of the pack should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PackFlag {
    /// A short, stable name.
    pub rule: &'static str,
    /// Where, as a path into the pack.
    pub path: String,
    /// What, in one sentence.
    pub message: Phrase,
    /// Whether the reviewer has to acknowledge it.
    pub state: PackFlagState,
}

/// Whether a reviewer has to acknowledge a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PackFlagState {
    /// No.
    Note,
    /// Yes, and the reviewer has not.
    Open,
    /// Yes, and the reviewer has.
    Acknowledged,
}

/// A finding that a reviewer has seen and accepts, by rule and path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlagAcknowledgement {
    /// The rule of the finding.
    pub rule: String,
    /// The path of the finding.
    pub path: String,
}

impl FlagAcknowledgement {
    pub(super) fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let rule = fields.required("rule", decode::filled);
        let path = fields.required("path", decode::filled);
        fields.done()?;
        Some(Self { rule: rule?, path: path? })
    }

    /// Reads a finding of a pack: its acknowledgement key, and its state.
    pub(super) fn read_finding(reader: JsonReader<'_, '_>) -> Option<(Self, PackFlagState)> {
        let mut fields = reader.object()?;
        let rule = fields.required("rule", decode::filled);
        let path = fields.required("path", decode::filled);
        let message = fields.required("message", decode::filled);
        let state = fields.required("state", |state| {
            state.choice(&[
                ("note", PackFlagState::Note),
                ("open", PackFlagState::Open),
                ("acknowledged", PackFlagState::Acknowledged),
            ])
        });
        fields.done()?;
        message?;
        Some((Self { rule: rule?, path: path? }, state?))
    }
}

/// Every finding of a pack, with the acknowledgements of its reviewer.
///
/// # Errors
/// A fault at `path` for an acknowledgement of nothing, for one without a
/// reviewer, and for a reviewed pack with a finding that is still open.
pub(super) fn all(
    pack: &PackContent,
    acknowledged: &[FlagAcknowledgement],
    path: &str,
) -> Result<Vec<PackFlag>, Vec<Fault>> {
    let mut findings = raw(pack);
    let mut faults = Vec::new();
    // An acknowledgement takes its finding out of this map, so a second one for it is a fault.
    let mut open = open(&mut findings);
    for FlagAcknowledgement { rule, path: place } in acknowledged {
        let found = found::finding_at(quote(rule), quote(place));
        if pack.reviewer_id.is_none() {
            let fault =
                Fault::new("acknowledgement", path, expected::a_reviewer_who_acknowledges(), found);
            faults.push(fault.hint(hint::set_reviewer_id_and_reviewed_at()));
        } else if let Some(state) = open.remove(&(rule.as_str(), place.as_str())) {
            *state = PackFlagState::Acknowledged;
        } else {
            faults.push(Fault::new(
                "acknowledgement",
                path,
                expected::a_finding_that_is_open(),
                found,
            ));
        }
    }
    if pack.reviewer_id.is_some() {
        faults.extend(
            findings
                .iter()
                .filter(|finding| finding.state == PackFlagState::Open)
                .map(unseen(path)),
        );
    }
    if faults.is_empty() { Ok(findings) } else { Err(faults) }
}

/// The findings that the reviewer must acknowledge, by rule and path.
fn open(findings: &mut [PackFlag]) -> BTreeMap<(&str, &str), &mut PackFlagState> {
    let open = findings.iter_mut().filter(|finding| finding.state == PackFlagState::Open);
    open.map(|PackFlag { rule, path, state, .. }| ((*rule, path.as_str()), state)).collect()
}

fn unseen(path: &str) -> impl Fn(&PackFlag) -> Fault {
    move |finding| {
        let expected = expected::an_acknowledgement_of_at(finding.rule, &finding.path);
        Fault::new("unacknowledged", path, expected, found::none())
            .hint(hint::the_reviewer_must_say_that_the_finding_was_seen())
    }
}

fn raw(pack: &PackContent) -> Vec<PackFlag> {
    let mut findings = Vec::new();
    if pack.tenant_id.as_str() == DEFAULT_TENANT {
        let message = pack_flag::default_tenant();
        findings.push(note("default_tenant", "tenant_id".to_owned(), message));
    }
    if pack.sources.is_empty() {
        findings.push(note("no_sources", "sources".to_owned(), pack_flag::no_sources()));
    }
    let top = source::top_three(pack.sources.iter().map(|source| source.confidence));
    for (n, source) in pack.sources.iter().enumerate() {
        if source.stale {
            // The memo must cite the top three, so a reviewer must know that one of them is stale.
            let open = if top.contains(&n) { PackFlagState::Open } else { PackFlagState::Note };
            let message = pack_flag::stale_source(pack.data_freshness_window_hours);
            let path = format!("sources[{n}]");
            findings.push(PackFlag { rule: "stale_source", path, message, state: open });
        }
        if source.retrieved_at > pack.decided_at {
            let message = pack_flag::late_source();
            findings.push(note("late_source", format!("sources[{n}].retrieved_at"), message));
        }
        if source.content_hash.is_none() {
            let message = pack_flag::no_content_hash();
            findings.push(note("no_content_hash", format!("sources[{n}].content_hash"), message));
        }
    }
    for (n, call) in pack.tool_calls.iter().enumerate() {
        findings.extend(of_call(n, call));
    }
    findings
}

fn of_call(n: usize, call: &ToolCall) -> impl Iterator<Item = PackFlag> {
    let unknown = call
        .outcome
        .is_none()
        .then(|| note("no_outcome", format!("tool_calls[{n}].outcome"), pack_flag::no_outcome()));
    // "None" is an answer; saying nothing is none.
    let unsaid = call.side_effects.is_none().then(|| {
        let path = format!("tool_calls[{n}].side_effects");
        note("no_side_effects", path, pack_flag::no_side_effects())
    });
    let claims =
        call.contradiction_flag && call.verification_status == tool::ToolCallStatus::Verified;
    let claims = claims.then(|| {
        let path = format!("tool_calls[{n}].verification_status");
        note("contradicted_call", path, pack_flag::contradicted_call())
    });
    unknown.into_iter().chain(unsaid).chain(claims)
}

fn note(rule: &'static str, path: String, message: Phrase) -> PackFlag {
    PackFlag { rule, path, message, state: PackFlagState::Note }
}
