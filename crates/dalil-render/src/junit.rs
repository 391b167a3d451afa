//! `JUnit` XML: a suite for each answer, a case for each claim.
//!
//! A contradicted claim and one that was not found are failures; a weak one passes
//! with a note.

use dalil_evidence::ledger::ClaimFinding;
use dalil_evidence::ledger::verdict::Verdict;

use crate::ledger::problems::problems;
use crate::{AnswerLedger, remarks};

#[cfg(test)]
mod tests;

/// The report of some checked answers.
pub fn xml(checked: &[AnswerLedger<'_>]) -> String {
    let total: usize = checked.iter().map(|one| one.ledger.content.entries.len()).sum();
    let failed: usize = checked.iter().map(failures).sum();
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    xml.push_str(&format!(
        "<testsuites name=\"dalil check\" tests=\"{total}\" failures=\"{failed}\" errors=\"0\">\n"
    ));
    for one in checked {
        suite(one, &mut xml);
    }
    xml.push_str("</testsuites>\n");
    xml
}

fn failures(checked: &AnswerLedger<'_>) -> usize {
    let entries = checked.ledger.content.entries.iter();
    entries.filter(|entry| fails(entry.finding.verdict)).count()
}

fn fails(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Contradicted | Verdict::NotFound)
}

fn suite(checked: &AnswerLedger<'_>, xml: &mut String) {
    let entries = &checked.ledger.content.entries;
    xml.push_str(&format!(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" timestamp=\"{}\">\n",
        escaped(checked.name),
        entries.len(),
        failures(checked),
        checked.ledger.content.created_at,
    ));
    let troubles: Vec<String> = problems(&checked.ledger.content)
        .map(|one| escaped(&format!("{}: {}", one.filename, one.problem)))
        .collect();
    if !troubles.is_empty() {
        xml.push_str("    <properties>\n");
        for trouble in troubles {
            xml.push_str(&format!(
                "      <property name=\"document problem\" value=\"{trouble}\"/>\n"
            ));
        }
        xml.push_str("    </properties>\n");
    }
    for (n, entry) in entries.iter().enumerate() {
        case(checked.name, n + 1, &entry.finding, xml);
    }
    xml.push_str("  </testsuite>\n");
}

fn case(suite: &str, number: usize, finding: &ClaimFinding, xml: &mut String) {
    let name = format!("{number}. {}", finding.claim_text);
    xml.push_str(&format!(
        "    <testcase name=\"{}\" classname=\"{}\">\n",
        escaped(&name),
        escaped(suite)
    ));
    let place =
        finding.source_document.as_ref().map_or_else(String::new, |document| {
            match document.page_number {
                Some(page) => format!("{}, p.{page}: ", document.filename),
                None => format!("{}: ", document.filename),
            }
        });
    let mut text = escaped(&format!("{place}{}", finding.notes));
    for remark in remarks(finding) {
        text.push_str(&format!("&#10;{}", escaped(&remark)));
    }
    let word = finding.verdict.label();
    let word = word.english();
    if fails(finding.verdict) {
        xml.push_str(&format!(
            "      <failure type=\"{word}\" message=\"{word}\">{text}</failure>\n"
        ));
    } else {
        xml.push_str(&format!("      <system-out>{word}: {text}</system-out>\n"));
    }
    xml.push_str("    </testcase>\n");
}

/// Text for XML: its five signs escaped, characters outside XML 1.0 replaced.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for ch in text.chars() {
        match ch {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            // XML 1.0, section 3.3.3, makes spaces of these in
            // attribute values; here they are so everywhere.
            '\n' | '\t' | '\r' => escaped.push(' '),
            // The production `Char` of XML 1.0 has neither these
            // nor most controls; one would spoil the file.
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ if ch.is_control() => escaped.push('\u{fffd}'),
            _ => escaped.push(ch),
        }
    }
    escaped
}
