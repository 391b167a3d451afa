//! A pack for people, as Markdown. Text from the pack cannot change its structure.

use dalil_evidence::approval::{ApprovalVote, VoteOutcome};
use dalil_evidence::decision::DecisionWords;
use dalil_evidence::ledger::verdict::Verdict;
use dalil_evidence::pack::tool::{self, ToolCall};
use dalil_evidence::pack::{
    MemoTexts, PackContent, PackFlag, PackFlagState, PackSource, PackStatus,
};
use dalil_evidence::policy::PackRequirement;
use dalil_phrasebook::{Language, Phrase, pack_view, proof_check};
use dalil_proof::json::Json;

use crate::footer::shown;
use crate::ledger::markdown::{escaped, escaped_line};

#[cfg(test)]
mod tests;

/// The pack as a Markdown document, in one language. The same pack gives the same text.
pub fn markdown(pack: &PackContent, language: Language) -> String {
    let MemoTexts { title, summary, body } = pack.memo.texts(language);
    let mut parts = vec![format!("# {}", escaped(title)), facts(pack, language)];
    if pack.words != DecisionWords::default() {
        parts.push(heading(&pack_view::what_was_decided(), language));
        parts.push(decided(&pack.words, language));
    }
    parts.extend([
        heading(&pack_view::executive_summary(), language),
        paragraphs(summary),
        heading(&pack_view::memo(), language),
        paragraphs(body),
        heading(&pack_view::why_a_pack(), language),
        list(pack.reasons.iter().map(|reason| escaped_line(reason.text(language)))),
        heading(&pack_view::sources(), language),
    ]);
    if pack.sources.is_empty() {
        parts.push(none(language));
    }
    parts.extend(pack.sources.iter().enumerate().map(|(n, one)| source(n + 1, one, language)));
    parts.push(heading(&pack_view::tool_calls(), language));
    if pack.tool_calls.is_empty() {
        parts.push(none(language));
    }
    parts.extend(pack.tool_calls.iter().enumerate().map(|(n, one)| call(n + 1, one, language)));
    if let Some(ledger) = &pack.ledger {
        parts.push(heading(&pack_view::claims(), language));
        parts.push(claims(ledger, language));
    }
    parts.push(heading(&pack_view::findings(), language));
    parts.push(findings(&pack.findings, language));
    parts.push(heading(&pack_view::review(), language));
    parts.push(review(pack, language));
    parts.join("\n\n") + "\n"
}

fn heading(title: &Phrase, language: Language) -> String {
    format!("## {}", title.text(language))
}

fn none(language: Language) -> String {
    pack_view::none().into_text(language).into_owned()
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.map(|item| format!("- {item}")).collect::<Vec<_>>().join("\n")
}

/// The paragraphs of a text, each on a line of its own.
fn paragraphs(text: &str) -> String {
    text.split("\n\n").map(escaped_line).collect::<Vec<_>>().join("\n\n")
}

/// The decision, in the words of the agent.
fn decided(words: &DecisionWords, language: Language) -> String {
    let DecisionWords { objective, recommendation, rationale, options_considered } = words;
    let mut lines = Vec::new();
    lines.extend(
        objective.iter().map(|text| item(&pack_view::objective(), language, &escaped(text))),
    );
    let recommended = recommendation.iter();
    lines.extend(recommended.map(|one| item(&pack_view::recommendation(), language, &value(one))));
    lines.extend(
        rationale.iter().map(|text| item(&pack_view::rationale(), language, &escaped(text))),
    );
    let options = options_considered.iter();
    lines.extend(options.map(|one| item(&pack_view::option_considered(), language, &value(one))));
    lines.join("\n")
}

/// The table of a pack's main facts.
fn facts(pack: &PackContent, language: Language) -> String {
    let status = match pack.status {
        // The status states only whether it was reviewed; a reader must see a rejection.
        _ if pack.approvals.iter().any(|vote| vote.outcome == VoteOutcome::Rejected) => {
            pack_view::status_rejected()
        }
        PackStatus::Unresolved => pack_view::status_unresolved(),
        PackStatus::Resolved => pack_view::status_resolved(),
    };
    let requirement = match pack.requirement {
        PackRequirement::Mandatory => pack_view::requirement_mandatory(),
        PackRequirement::Recommended => pack_view::requirement_recommended(),
        PackRequirement::Skip => pack_view::requirement_skip(),
    };
    let classes = pack.classes.label();
    let said = |text: Option<&String>| text.map_or_else(|| "-".to_owned(), |text| escaped(text));
    let confidence = pack.confidence.map(|score| format!("{}%", score.percent()));
    let rows = [
        (pack_view::pack(), format!("{} ({})", pack.pack_id, pack.version)),
        (pack_view::supersedes(), said(pack.supersedes.as_ref().map(ToString::to_string).as_ref())),
        (pack_view::status(), status.text(language).to_owned()),
        (pack_view::decision(), escaped(pack.decision_id.as_str())),
        (pack_view::digest_of_the_decision(), pack.decision_hash.to_string()),
        (pack_view::decided_at(), pack.decided_at.to_string()),
        (pack_view::entity(), escaped(&pack.entity_id)),
        (pack_view::tenant(), escaped(pack.tenant_id.as_str())),
        (pack_view::agent(), escaped(&pack.agent_name)),
        (pack_view::model(), said(pack.model.as_ref())),
        (pack_view::confidence(), said(confidence.as_ref())),
        (pack_view::classes(), classes),
        (pack_view::evidence_pack(), requirement.text(language).to_owned()),
        (pack_view::made_at(), pack.created_at.to_string()),
    ];
    let row = |(name, value): (Phrase, String)| format!("| {} | {value} |", name.text(language));
    let head = ["| | |".to_owned(), "|---|---|".to_owned()];
    head.into_iter().chain(rows.into_iter().map(row)).collect::<Vec<_>>().join("\n")
}

fn source(number: usize, source: &PackSource, language: Language) -> String {
    let place = source.uri.as_ref().or(source.reference.as_ref());
    let mut lines = vec![
        format!("### {number}. {}", escaped(&source.source)),
        String::new(),
        format!("> {}", escaped_line(&source.excerpt)),
        String::new(),
        item(&pack_view::found_at(), language, &escaped(place.map_or("-", String::as_str))),
        item(&pack_view::retrieved_at(), language, &source.retrieved_at.to_string()),
        item(&pack_view::confidence(), language, &format!("{}%", source.confidence.percent())),
    ];
    let digest = source.content_hash.map_or_else(|| "-".to_owned(), |digest| digest.to_string());
    lines.push(item(&pack_view::digest_of_the_whole(), language, &digest));
    if source.stale {
        lines.push(format!("- {}", pack_view::stale().text(language)));
    }
    lines.join("\n")
}

fn call(number: usize, call: &ToolCall, language: Language) -> String {
    let outcome = match call.outcome {
        Some(tool::ToolCallOutcome::Succeeded) => pack_view::outcome_succeeded(),
        Some(tool::ToolCallOutcome::Failed) => pack_view::outcome_failed(),
        Some(tool::ToolCallOutcome::Blocked) => pack_view::outcome_blocked(),
        None => pack_view::outcome_not_reported(),
    };
    let mut lines = vec![
        format!("### {number}. {}", escaped(&call.tool_name)),
        String::new(),
        item(&pack_view::intended(), language, &value(&call.intended_action)),
        item(&pack_view::actual(), language, &actual(call, language)),
        item(&pack_view::outcome(), language, outcome.text(language)),
    ];
    if call.contradiction_flag {
        let label = pack_view::contradiction_at();
        let places = call.contradictions.iter().map(|path| place(path));
        let places = Phrase::fold(places, proof_check::list);
        let (label, places) = (label.text(language), escaped(places.text(language)));
        lines.push(format!("- **⚠ {label}:** {places}"));
    }
    for effect in call.side_effects.iter().flatten() {
        lines.push(item(&pack_view::side_effect(), language, &escaped(effect)));
    }
    lines.join("\n")
}

/// Where two actions differ, for people.
pub fn place(path: &str) -> Phrase {
    match path {
        "$" => pack_view::the_whole_action(),
        path => Phrase::verbatim(path),
    }
}

/// The action of a call; the words for one that never reported back are the program's own.
fn actual(call: &ToolCall, language: Language) -> String {
    match unreported(call) {
        Some(words) => escaped(words.text(language)),
        None => value(&call.actual_action),
    }
}

/// The words for a call that never reported back.
pub(crate) fn unreported(call: &ToolCall) -> Option<Phrase> {
    let is_unreported =
        matches!(&call.actual_action, Json::Text(text) if text == tool::UNREPORTED_ACTION);
    (call.outcome.is_none() && is_unreported).then_some(pack_view::unreported_action())
}

/// A text as it is; anything else as JSON.
fn value(json: &Json<'_>) -> String {
    match json {
        Json::Text(text) => escaped(text),
        other => {
            // Nothing in a pack lacks a canonical form; if something did, the error is shown.
            let said =
                dalil_proof::canon::bytes(other).unwrap_or_else(|error| error.to_string().into());
            escaped(&String::from_utf8_lossy(&said))
        }
    }
}

fn item(name: &Phrase, language: Language, text: &str) -> String {
    format!("- **{}:** {text}", name.text(language))
}

/// The claims of a ledger, each with its verdict.
fn claims(ledger: &Json<'_>, language: Language) -> String {
    let entries = match ledger.get("entries") {
        Some(Json::List(entries)) => entries.as_slice(),
        _ => &[],
    };
    let text = |entry: &Json<'_>, name: &str| match entry.get(name) {
        Some(Json::Text(text)) => shown(text),
        _ => String::new(),
    };
    let row = |entry: &Json<'_>| {
        let verdict = match text(entry, "verdict").as_str() {
            "supported" => Verdict::Supported,
            "weak" => Verdict::Weak,
            "contradicted" => Verdict::Contradicted,
            // A word that is not known must not read as support.
            _ => Verdict::NotFound,
        };
        let (sign, label) = (verdict.sign(), verdict.label());
        let label = label.text(language);
        format!("| {} | {sign} {label} |", escaped(&text(entry, "claim_text")))
    };
    let titles = pack_view::claim_and_verdict().into_text(language).into_owned();
    let head = [titles, "|---|---|".to_owned()];
    head.into_iter().chain(entries.iter().map(row)).collect::<Vec<_>>().join("\n")
}

fn findings(findings: &[PackFlag], language: Language) -> String {
    if findings.is_empty() {
        return none(language);
    }
    list(findings.iter().map(|finding| {
        let state = match finding.state {
            PackFlagState::Note => pack_view::state_note(),
            PackFlagState::Open => pack_view::state_open(),
            PackFlagState::Acknowledged => pack_view::state_acknowledged(),
        };
        let (state, message) = (state.text(language), finding.message.text(language));
        format!("{} ({state}): {}", escaped(&finding.path), escaped(message))
    }))
}

fn review(pack: &PackContent, language: Language) -> String {
    let vote = |vote: &ApprovalVote| {
        let outcome = match vote.outcome {
            VoteOutcome::Approved => pack_view::vote_approved(),
            VoteOutcome::Escalated => pack_view::vote_escalated(),
            VoteOutcome::Rejected => pack_view::vote_rejected(),
        };
        let titles = Phrase::fold(vote.titles.iter().map(|title| title.label()), proof_check::list);
        let vote = pack_view::vote(escaped(&vote.approver), titles, outcome, vote.at);
        vote.into_text(language).into_owned()
    };
    match (&pack.reviewer_id, pack.reviewed_at) {
        _ if !pack.approvals.is_empty() => list(pack.approvals.iter().map(vote)),
        (Some(reviewer), Some(at)) => {
            format!("- {}", pack_view::reviewed_by(escaped(reviewer), at).text(language))
        }
        _ => pack_view::not_reviewed().into_text(language).into_owned(),
    }
}
