//! SARIF 2.1.0: every claim that is not supported, or whose citation is wrong, at its place in
//! the answer.

use dalil_core::ledger::issue::IssueKind;
use dalil_core::ledger::problems::problems;
use dalil_core::ledger::request::Document;
use dalil_core::ledger::verdict::Verdict;
use dalil_core::ledger::{Entry, Finding};
use serde::Serialize;

use crate::{Checked, remarks};

#[cfg(test)]
mod tests;

/// A log of one run over some answers.
#[derive(Clone, Debug, Serialize)]
pub struct Log<'l> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'l>; 1],
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'l> {
    tool: Tool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    invocations: Vec<Invocation>,
    column_kind: &'static str,
    artifacts: Vec<Artifact>,
    results: Vec<Outcome<'l>>,
}

/// What could not be read of the documents.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Clone, Debug, Serialize)]
struct Notification {
    level: &'static str,
    message: Text<String>,
}

#[derive(Clone, Debug, Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Clone, Debug, Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: [Rule; 5],
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Text<&'static str>,
    default_configuration: Configuration,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Text<T> {
    text: T,
}

#[derive(Clone, Debug, Serialize)]
struct Artifact {
    location: Uri,
}

#[derive(Clone, Debug, Serialize)]
struct Uri {
    uri: String,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome<'l> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Text<String>,
    locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    partial_fingerprints: Fingerprints,
    properties: Properties<'l>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text<String>>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Uri,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

/// A place by lines and columns from 1, and by characters from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
    char_offset: u64,
    char_length: u64,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Fingerprints {
    #[serde(rename = "dalilEntry/v1")]
    entry: String,
}

#[derive(Clone, Debug, Serialize)]
struct Properties<'l> {
    claim: &'l str,
    importance: &'static str,
    confidence: f64,
}

/// The log of some checked answers.
pub fn log<'l>(checked: &[Checked<'l>]) -> Log<'l> {
    let results = checked.iter().flat_map(|one| {
        let lines = Lines::of(one.text);
        let entries = one.ledger.content.entries.iter();
        entries.flat_map(move |entry| outcomes(*one, entry, &lines))
    });
    let artifacts = checked.iter().map(|one| Artifact { location: Uri { uri: uri(one.name) } });
    let run = Run {
        tool: Tool {
            driver: Driver { name: "dalil", version: env!("CARGO_PKG_VERSION"), rules: RULES },
        },
        invocations: invocations(checked),
        column_kind: "unicodeCodePoints",
        artifacts: artifacts.collect(),
        results: results.collect(),
    };
    Log { schema: SCHEMA, version: "2.1.0", runs: [run] }
}

fn invocations(checked: &[Checked<'_>]) -> Vec<Invocation> {
    let mut texts: Vec<String> = Vec::new();
    for one in checked.iter().flat_map(|one| problems(&one.ledger.content)) {
        let text = format!("{}: {}", one.filename, one.problem);
        // Several answers are checked against the same documents.
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    let notification = |text| Notification { level: "warning", message: Text { text } };
    let notifications: Vec<Notification> = texts.into_iter().map(notification).collect();
    let invocation = (!notifications.is_empty()).then_some(Invocation {
        execution_successful: true,
        tool_execution_notifications: notifications,
    });
    invocation.into_iter().collect()
}

/// The verdict, unless it is supported, and each citation that is wrong.
fn outcomes<'l>(checked: Checked<'l>, entry: &'l Entry, lines: &Lines) -> Vec<Outcome<'l>> {
    let finding = &entry.finding;
    let verdict = match finding.verdict {
        Verdict::Supported => None,
        Verdict::Contradicted => Some(0),
        Verdict::NotFound => Some(1),
        Verdict::Weak => Some(2),
    };
    let verdict = verdict.map(|rule| {
        let label = finding.verdict.label();
        let mut message = format!("{label}: {}. {}", finding.claim_text, finding.notes);
        for remark in remarks(finding) {
            message.push_str(&format!("\n{remark}"));
        }
        (rule, message)
    });
    let citations = finding.issues.iter().filter_map(|issue| match issue.kind {
        IssueKind::UnresolvedCitation => Some((3, issue.message.clone())),
        IssueKind::UnrelatedCitation => Some((4, issue.message.clone())),
        _ => None,
    });
    let all = verdict.into_iter().chain(citations);
    all.filter_map(|(rule, message)| outcome(checked, entry, lines, (rule, message))).collect()
}

fn outcome<'l>(
    checked: Checked<'l>,
    entry: &'l Entry,
    lines: &Lines,
    (rule_index, message): (usize, String),
) -> Option<Outcome<'l>> {
    let finding = &entry.finding;
    let rule = RULES.get(rule_index)?;
    let answer = Physical {
        artifact_location: Uri { uri: uri(checked.name) },
        region: lines.region(finding),
    };
    let best = finding.source_document.iter().map(|one| source(one, &finding.evidence_snippet));
    let others = finding.opposing().map(|one| source(&one.document, &one.snippet));
    Some(Outcome {
        rule_id: rule.id,
        rule_index,
        level: rule.default_configuration.level,
        message: Text { text: message },
        locations: vec![Location { physical_location: answer, message: None }],
        related_locations: best.chain(others).collect(),
        partial_fingerprints: Fingerprints { entry: entry.id.to_string() },
        properties: Properties {
            claim: &finding.claim_id,
            importance: finding.claim_importance.label(),
            confidence: finding.confidence_score.value(),
        },
    })
}

fn source(document: &Document, words: &str) -> Location {
    let page = document.page_number.map(|page| format!("page {page}: ")).unwrap_or_default();
    Location {
        physical_location: Physical {
            artifact_location: Uri { uri: uri(&document.filename) },
            region: None,
        },
        message: Some(Text { text: format!("{page}{words}") }),
    }
}

/// The lines of an answer, by the place of their first characters.
struct Lines {
    starts: Vec<u64>,
    length: u64,
}

impl Lines {
    fn of(answer: &str) -> Self {
        let mut lines = Self { starts: vec![0], length: 0 };
        for ch in answer.chars() {
            lines.length += 1;
            lines.starts.extend((ch == '\n').then_some(lines.length));
        }
        lines
    }

    /// Where a claim is in the answer.
    fn region(&self, finding: &Finding) -> Option<Region> {
        let (start, end) = (finding.start_offset?, finding.end_offset?);
        let char_length = end.checked_sub(start)?;
        let (start_line, start_column) = self.place(start)?;
        let (end_line, end_column) = self.place(end)?;
        let char_offset = start;
        Some(Region { start_line, start_column, end_line, end_column, char_offset, char_length })
    }

    /// The line and the column of a character, both from 1.
    fn place(&self, at: u64) -> Option<(usize, usize)> {
        let line = self.starts.partition_point(|start| *start <= at);
        let column = at - self.starts.get(line.checked_sub(1)?)? + 1;
        (at <= self.length).then_some((line, usize::try_from(column).ok()?))
    }
}

/// A relative reference: every byte that is not plain is escaped.
fn uri(name: &str) -> String {
    let mut uri = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'\\' => uri.push('/'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => {
                uri.push('%');
                uri.extend(
                    [byte >> 4, byte & 15]
                        .map(|digit| char::from_digit(u32::from(digit), 16).unwrap_or('0'))
                        .map(|digit| digit.to_ascii_uppercase()),
                );
            }
        }
    }
    uri
}

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

const RULES: [Rule; 5] = [
    rule("contradicted", "The documents say otherwise.", "error"),
    rule("not_found", "The documents do not say so.", "error"),
    rule("weak", "The documents support the claim only in part.", "warning"),
    rule("unresolved_citation", "A citation names no passage of the documents.", "error"),
    rule("unrelated_citation", "A citation does not bear on its claim.", "warning"),
];

const fn rule(id: &'static str, text: &'static str, level: &'static str) -> Rule {
    Rule { id, short_description: Text { text }, default_configuration: Configuration { level } }
}
