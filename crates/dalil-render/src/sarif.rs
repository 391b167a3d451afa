//! SARIF 2.1.0: every claim that is not supported, or whose citation is wrong, at its place in
//! the answer.

use std::collections::BTreeMap;

use dalil_evidence::anchor::Anchor;
use dalil_evidence::ledger::issue::IssueKind;
use dalil_evidence::ledger::request::EvidenceDocument;
use dalil_evidence::ledger::verdict::Verdict;
use dalil_evidence::ledger::{ClaimFinding, LedgerEntry};
use dalil_phrasebook::Phrase;
use dalil_proof::digest::Digest;
use serde::Serialize;

use crate::ledger::problems::problems;
use crate::{AnswerLedger, remarks};

#[cfg(test)]
mod tests;

/// A log of one run over some answers.
#[derive(Clone, Debug, Serialize)]
pub struct SarifLog<'l> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [SarifRun<'l>; 1],
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRun<'l> {
    tool: SarifTool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    invocations: Vec<SarifInvocation>,
    column_kind: &'static str,
    artifacts: Vec<SarifArtifact>,
    results: Vec<SarifResult<'l>>,
}

/// The parts of documents that could not be read.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifInvocation {
    execution_successful: bool,
    tool_execution_notifications: Vec<SarifNotification>,
}

#[derive(Clone, Debug, Serialize)]
struct SarifNotification {
    level: &'static str,
    message: SarifMessage<String>,
}

#[derive(Clone, Debug, Serialize)]
struct SarifTool {
    driver: SarifDriver,
}

#[derive(Clone, Debug, Serialize)]
struct SarifDriver {
    name: &'static str,
    version: &'static str,
    rules: [SarifRule; 5],
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRule {
    id: &'static str,
    short_description: SarifMessage<&'static str>,
    default_configuration: SarifConfiguration,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct SarifConfiguration {
    level: &'static str,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct SarifMessage<T> {
    text: T,
}

#[derive(Clone, Debug, Serialize)]
struct SarifArtifact {
    location: SarifArtifactLocation,
}

#[derive(Clone, Debug, Serialize)]
struct SarifArtifactLocation {
    uri: String,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'l> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: SarifMessage<String>,
    locations: Vec<SarifLocation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<SarifLocation>,
    partial_fingerprints: SarifFingerprints,
    properties: SarifProperties<'l>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifLocation {
    physical_location: SarifPhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<SarifMessage<String>>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifPhysicalLocation {
    artifact_location: SarifArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<SarifRegion>,
}

/// A place by lines and columns from 1, and by characters from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRegion {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
    char_offset: u64,
    char_length: u64,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifFingerprints {
    #[serde(rename = "dalilClaim/v1")]
    claim: String,
}

#[derive(Clone, Debug, Serialize)]
struct SarifProperties<'l> {
    claim: &'l str,
    importance: Phrase,
    confidence: f64,
}

/// Where the file of a document is, by its name: a path with `/`, if it is known.
pub type DocumentPaths<'p> = dyn Fn(&str) -> Option<String> + 'p;

/// The log of some checked answers. Programs open a document at the path in `paths`.
pub fn log<'l>(checked: &[AnswerLedger<'l>], paths: &DocumentPaths<'_>) -> SarifLog<'l> {
    let results = checked.iter().flat_map(|one| {
        let lines = AnswerLineIndex::of(one.text);
        let entries = one.ledger.content.entries.iter();
        entries.flat_map(move |entry| outcomes(*one, entry, &lines, paths))
    });
    let mut results: Vec<SarifResult<'_>> = results.collect();
    number(&mut results);
    let artifacts = checked
        .iter()
        .map(|one| SarifArtifact { location: SarifArtifactLocation { uri: uri(one.name) } });
    let run = SarifRun {
        tool: SarifTool {
            driver: SarifDriver {
                name: "dalil",
                version: env!("CARGO_PKG_VERSION"),
                rules: SARIF_RULES,
            },
        },
        invocations: invocations(checked),
        // Offsets of a ledger count code points; SARIF also knows UTF-16 units.
        column_kind: "unicodeCodePoints",
        artifacts: artifacts.collect(),
        results,
    };
    SarifLog { schema: SARIF_SCHEMA_URL, version: "2.1.0", runs: [run] }
}

fn invocations(checked: &[AnswerLedger<'_>]) -> Vec<SarifInvocation> {
    let mut texts: Vec<String> = Vec::new();
    for one in checked.iter().flat_map(|one| problems(&one.ledger.content)) {
        let text = format!("{}: {}", one.filename, one.problem);
        // Several answers are checked against the same documents.
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    let notification =
        |text| SarifNotification { level: "warning", message: SarifMessage { text } };
    let notifications: Vec<SarifNotification> = texts.into_iter().map(notification).collect();
    let invocation = (!notifications.is_empty()).then_some(SarifInvocation {
        execution_successful: true,
        tool_execution_notifications: notifications,
    });
    invocation.into_iter().collect()
}

/// The verdict, unless it is supported, and each citation that is wrong.
fn outcomes<'l>(
    checked: AnswerLedger<'l>,
    entry: &'l LedgerEntry,
    lines: &AnswerLineIndex,
    paths: &DocumentPaths<'_>,
) -> Vec<SarifResult<'l>> {
    let finding = &entry.finding;
    // The numbers are places in `SARIF_RULES`.
    let verdict = match finding.verdict {
        Verdict::Supported => None,
        Verdict::Contradicted => Some(0),
        Verdict::NotFound => Some(1),
        Verdict::Weak => Some(2),
    };
    let verdict = verdict.map(|rule| {
        let label = finding.verdict.label();
        let mut message = format!("{}: {}. {}", label.english(), finding.claim_text, finding.notes);
        for remark in remarks(finding) {
            message.push_str(&format!("\n{remark}"));
        }
        (rule, message, None)
    });
    let citations = finding.issues.iter().filter_map(|issue| {
        let rule = match issue.kind {
            IssueKind::UnresolvedCitation => 3,
            IssueKind::UnrelatedCitation => 4,
            _ => return None,
        };
        Some((rule, issue.message.clone(), issue.citation.as_ref()))
    });
    let all = verdict.into_iter().chain(citations);
    let sources = sources(finding, paths);
    all.filter_map(|what| outcome(checked, entry, lines, what))
        .map(|outcome| SarifResult { related_locations: sources.clone(), ..outcome })
        .collect()
}

fn outcome<'l>(
    checked: AnswerLedger<'l>,
    entry: &'l LedgerEntry,
    lines: &AnswerLineIndex,
    (rule_index, message, cited): (usize, String, Option<&Anchor>),
) -> Option<SarifResult<'l>> {
    let finding = &entry.finding;
    let rule = SARIF_RULES.get(rule_index)?;
    let answer = SarifPhysicalLocation {
        artifact_location: SarifArtifactLocation { uri: uri(checked.name) },
        region: lines.region(finding),
    };
    let cited = cited.map_or("", Anchor::as_str);
    Some(SarifResult {
        rule_id: rule.id,
        rule_index,
        level: rule.default_configuration.level,
        message: SarifMessage { text: message },
        locations: vec![SarifLocation { physical_location: answer, message: None }],
        related_locations: Vec::new(),
        partial_fingerprints: SarifFingerprints {
            claim: fingerprint(&[checked.name, rule.id, &finding.claim_text, cited]),
        },
        properties: SarifProperties {
            claim: &finding.claim_id,
            importance: finding.claim_importance.label(),
            confidence: finding.confidence_score.value(),
        },
    })
}

/// The fingerprint of a result, which stays the same while documents, judges and other claims
/// change: of the answer, the rule, the words of the claim and the citation.
fn fingerprint(parts: &[&str]) -> String {
    let folded = |part: &&str| part.split_whitespace().collect::<Vec<_>>().join(" ");
    let parts: Vec<String> = parts.iter().map(folded).collect();
    // White space was folded, so no part has a line end.
    Digest::of(parts.join("\n").as_bytes()).hex().chars().take(FINGERPRINT_DIGITS).collect()
}

/// Numbers results with the same fingerprint, so that each is unique.
fn number(results: &mut [SarifResult<'_>]) {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for SarifResult { partial_fingerprints: SarifFingerprints { claim }, .. } in results {
        let count = seen.entry(claim.clone()).or_default();
        *count += 1;
        claim.push_str(&format!(":{count}"));
    }
}

/// The passages that a verdict is about.
fn sources(finding: &ClaimFinding, paths: &DocumentPaths<'_>) -> Vec<SarifLocation> {
    let best = finding.source_document.iter().map(|one| (one, &finding.evidence_snippet));
    let others = finding.opposing().map(|one| (&one.document, &one.snippet));
    best.chain(others).map(|(document, words)| source(document, words, paths)).collect()
}

fn source(document: &EvidenceDocument, words: &str, paths: &DocumentPaths<'_>) -> SarifLocation {
    let text = match document.page_number {
        Some(page) => format!("page {page}: {words}"),
        None => words.to_owned(),
    };
    let place =
        paths(&document.filename).map_or_else(|| uri(&document.filename), |path| uri(&path));
    SarifLocation {
        physical_location: SarifPhysicalLocation {
            artifact_location: SarifArtifactLocation { uri: place },
            region: None,
        },
        message: Some(SarifMessage { text }),
    }
}

/// The lines of an answer, by the place of their first characters.
struct AnswerLineIndex {
    starts: Vec<u64>,
    length: u64,
}

impl AnswerLineIndex {
    fn of(answer: &str) -> Self {
        let mut lines = Self { starts: vec![0], length: 0 };
        for ch in answer.chars() {
            lines.length += 1;
            lines.starts.extend((ch == '\n').then_some(lines.length));
        }
        lines
    }

    /// Where a claim is in the answer.
    fn region(&self, finding: &ClaimFinding) -> Option<SarifRegion> {
        let (start, end) = (finding.start_offset?, finding.end_offset?);
        let char_length = end.checked_sub(start)?;
        let (start_line, start_column) = self.place(start)?;
        // The end column of SARIF is one past the last character, as our end offset is.
        let (end_line, end_column) = self.place(end)?;
        let char_offset = start;
        Some(SarifRegion {
            start_line,
            start_column,
            end_line,
            end_column,
            char_offset,
            char_length,
        })
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
            // Names of files come from Windows too, and a URI divides folders by `/`.
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

const SARIF_SCHEMA_URL: &str = "https://json.schemastore.org/sarif-2.1.0.json";

const SARIF_RULES: [SarifRule; 5] = [
    rule("contradicted", "The documents say otherwise.", "error"),
    rule("not_found", "The documents do not say so.", "error"),
    rule("weak", "The documents support the claim only in part.", "warning"),
    rule("unresolved_citation", "A citation names no passage of the documents.", "error"),
    rule("unrelated_citation", "A citation does not bear on its claim.", "warning"),
];

/// 64 bits: no two claims of an answer share them by chance.
const FINGERPRINT_DIGITS: usize = 16;
const fn rule(id: &'static str, text: &'static str, level: &'static str) -> SarifRule {
    SarifRule {
        id,
        short_description: SarifMessage { text },
        default_configuration: SarifConfiguration { level },
    }
}
