//! The Markdown export: a ledger for people, in the seed's shape.

use super::cell::visible;
use super::place::long;
use super::request::Session;
use super::risk::Flag;
use super::verdict::Verdict;
use super::{Entry, Ledger};
use crate::score::Score;
use crate::time::Time;

/// The ledger as a Markdown document. Text from the request cannot change its structure.
pub fn markdown(ledger: &Ledger, session: &Session) -> String {
    let content = &ledger.content;
    let mut parts = vec![
        "## Evidence Ledger".to_owned(),
        heading(session, content.created_at, content.summary.evidence_coverage),
        "### Summary".to_owned(),
        summary(ledger),
    ];
    if !content.entries.is_empty() {
        parts.push("### Claims Detail".to_owned());
        let claims = content.entries.iter().enumerate().map(|(n, entry)| claim(n + 1, entry));
        parts.push(claims.collect::<Vec<_>>().join("\n\n---\n\n"));
    }
    if !content.risk_flags.is_empty() {
        parts.push("### Risk Flags".to_owned());
        parts.extend(content.risk_flags.iter().map(flag));
    }
    let actions = actions(ledger);
    if !actions.is_empty() {
        parts.push("### Recommended Actions".to_owned());
        parts.push(numbered(&actions));
    }
    if !content.follow_up_questions.is_empty() {
        parts.push("### Follow-up Questions".to_owned());
        let questions: Vec<String> =
            content.follow_up_questions.iter().map(|question| escaped(question)).collect();
        parts.push(numbered(&questions));
    }
    parts.join("\n\n") + "\n"
}

fn heading(session: &Session, created_at: Time, coverage: Score) -> String {
    let name = session.query.as_deref().filter(|query| !query.trim().is_empty());
    let stamp = created_at.to_string();
    let minute = stamp.get(..16).unwrap_or(&stamp).replace('T', " ");
    format!(
        "**Session:** {}  \n**Generated:** {minute} UTC  \n**Evidence Coverage:** {}%",
        escaped(name.unwrap_or(&session.id)),
        coverage.percent(),
    )
}

fn summary(ledger: &Ledger) -> String {
    let counts = &ledger.content.summary.by_verdict;
    if ledger.content.entries.is_empty() {
        return "No checkable claim.".to_owned();
    }
    let shown = Verdict::ALL.into_iter().filter(|verdict| counts.of(*verdict) > 0);
    let rows = shown.map(|verdict| format!("| {} | {} |", verdict.label(), counts.of(verdict)));
    let head = ["| Verdict | Count |".to_owned(), "|---------|-------|".to_owned()];
    head.into_iter().chain(rows).collect::<Vec<_>>().join("\n")
}

fn claim(number: usize, entry: &Entry) -> String {
    let finding = &entry.finding;
    let mut lines = vec![
        format!("#### {number}. {}", escaped(&finding.claim_text)),
        String::new(),
        format!("- **Type:** {}", finding.claim_type.label()),
        format!("- **Importance:** {}", finding.claim_importance.label()),
        format!(
            "- **Verdict:** {} {} (Confidence: {}%)",
            finding.verdict.sign(),
            finding.verdict.label(),
            finding.confidence_score.percent()
        ),
    ];
    match &finding.source_document {
        Some(document) => {
            lines.push(format!("- **Source:** {}", escaped(&long(document))));
            lines.push(format!("- **Evidence:** \"{}\"", escaped(&finding.evidence_snippet)));
        }
        None => lines.push("- **Source:** None".to_owned()),
    }
    lines.push(format!("- **Notes:** {}", escaped(&finding.notes)));
    lines.join("\n")
}

fn flag(flag: &Flag) -> String {
    let risk = &flag.risk;
    let (label, severity) = (risk.kind.label(), risk.severity.label());
    format!("⚠️ **{label} ({severity}):** {}.", escaped(&risk.description))
}

/// What to do about each risk, and about each claim that does not hold.
fn actions(ledger: &Ledger) -> Vec<String> {
    let general = ledger.content.risk_flags.iter().map(|flag| flag.risk.mitigation.to_owned());
    let single = ledger.content.entries.iter().enumerate().filter_map(|(n, entry)| {
        let number = n + 1;
        match entry.finding.verdict {
            Verdict::Supported => None,
            Verdict::Weak => Some(format!("Review claim #{number} and consider qualifying it")),
            Verdict::Contradicted => Some(format!("Correct or remove claim #{number}")),
            Verdict::NotFound => {
                Some(format!("Review claim #{number} and consider removing or qualifying it"))
            }
        }
    });
    general.chain(single).collect()
}

fn numbered(lines: &[String]) -> String {
    let numbered = lines.iter().enumerate().map(|(n, line)| format!("{}. {line}", n + 1));
    numbered.collect::<Vec<_>>().join("\n")
}

/// Text as one line that Markdown shows as it is.
///
/// Every character that could begin or end a construct is escaped. An
/// underscore inside a word can do neither, and stays: `HR_Policy.pdf`.
pub(super) fn escaped(text: &str) -> String {
    let words: Vec<String> = visible(text).split_whitespace().map(escaped_word).collect();
    words.join(" ")
}

fn escaped_word(word: &str) -> String {
    let mut escaped = String::with_capacity(word.len());
    let mut before: Option<char> = None;
    let mut rest = word.chars().peekable();
    while let Some(ch) = rest.next() {
        let inside = before.is_some_and(char::is_alphanumeric)
            && rest.peek().is_some_and(|next| next.is_alphanumeric());
        let special = match ch {
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '|' | '~' => true,
            '&' => opens_an_entity(rest.clone()),
            '_' => !inside,
            // At the end of a heading it would be dropped with it.
            '#' => before.is_none(),
            _ => false,
        };
        if special {
            escaped.push('\\');
        }
        escaped.push(ch);
        before = Some(ch);
    }
    escaped
}

/// Whether `&` and this would be shown as one character: `lt;`, `#60;`.
fn opens_an_entity(rest: impl Iterator<Item = char>) -> bool {
    let mut rest = rest.skip_while(|ch| ch.is_ascii_alphanumeric() || *ch == '#');
    rest.next() == Some(';')
}
