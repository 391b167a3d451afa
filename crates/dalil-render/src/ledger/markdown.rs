//! The Markdown export: a ledger for people, in the contract's shape.

use dalil_evidence::ledger::place::long;
use dalil_evidence::ledger::request::AnswerSession;
use dalil_evidence::ledger::risk::RiskFlag;
use dalil_evidence::ledger::verdict::Verdict;
use dalil_evidence::ledger::{Ledger, LedgerContent, LedgerEntry};
use dalil_phrasebook::{Language, Phrase, ledger_view};

use super::cell::visible;
use super::expanded::verdict_with_confidence;
use super::problems::{DocumentProblem, problems};
use super::remark::quoted;

/// The ledger as a Markdown document. Text from the request cannot change its structure.
pub fn markdown(ledger: &Ledger, session: &AnswerSession, language: Language) -> String {
    let content = &ledger.content;
    let mut parts = vec![
        format!("## {}", ledger_view::evidence_ledger().text(language)),
        heading(session, content, language),
    ];
    // Unread documents come before the verdicts, which may be wrong because of them.
    let troubles: Vec<String> = problems(content).map(|one| problem(one, language)).collect();
    if !troubles.is_empty() {
        parts.push(section(&ledger_view::not_read(), language));
        parts.push(troubles.join("\n"));
    }
    parts.push(section(&ledger_view::summary(), language));
    parts.push(summary(ledger, language));
    if !content.entries.is_empty() {
        parts.push(section(&ledger_view::claims_detail(), language));
        let claims = content.entries.iter().enumerate();
        let claims = claims.map(|(n, entry)| claim(n + 1, entry, language));
        parts.push(claims.collect::<Vec<_>>().join("\n\n---\n\n"));
    }
    if !content.risk_flags.is_empty() {
        parts.push(section(&ledger_view::risk_flags_title(), language));
        parts.extend(content.risk_flags.iter().map(|one| flag(one, ledger, language)));
    }
    let actions = actions(ledger, language);
    if !actions.is_empty() {
        parts.push(section(&ledger_view::recommended_actions(), language));
        parts.push(numbered(&actions));
    }
    if !content.follow_up_questions.is_empty() {
        parts.push(section(&ledger_view::follow_up_questions_title(), language));
        let questions: Vec<String> =
            content.follow_up_questions.iter().map(|question| escaped(question)).collect();
        parts.push(numbered(&questions));
    }
    parts.join("\n\n") + "\n"
}

fn section(title: &Phrase, language: Language) -> String {
    format!("### {}", title.text(language))
}

fn problem(one: DocumentProblem<'_>, language: Language) -> String {
    format!("- ⚠️ **{}:** {}", escaped(one.filename), escaped(one.phrase().text(language)))
}

fn heading(session: &AnswerSession, content: &LedgerContent, language: Language) -> String {
    let name = session.query.as_deref().filter(|query| !query.trim().is_empty());
    let stamp = content.created_at.to_string();
    // `YYYY-MM-DDTHH:MM:SS.mmmZ` is the one spelling of a time; 16 characters end with the minute.
    let minute = stamp.get(..16).unwrap_or(&stamp).replace('T', " ");
    format!(
        "**{}:** {}  \n**{}:** {minute} UTC  \n**{}:** {}",
        ledger_view::session().text(language),
        escaped(name.unwrap_or(&session.id)),
        ledger_view::generated().text(language),
        ledger_view::evidence_coverage().text(language),
        content.summary.coverage_label(),
    )
}

fn summary(ledger: &Ledger, language: Language) -> String {
    let counts = &ledger.content.summary.by_verdict;
    if ledger.content.entries.is_empty() {
        return format!("{}.", ledger_view::no_checkable_claim().text(language));
    }
    let shown = Verdict::ALL.into_iter().filter(|verdict| counts.count(*verdict) > 0);
    let row = |verdict: Verdict| {
        format!("| {} | {} |", verdict.label().text(language), counts.count(verdict))
    };
    let rows = shown.map(row);
    let titles = ledger_view::verdict_and_count().into_text(language).into_owned();
    let head = [titles, "|---------|-------|".to_owned()];
    head.into_iter().chain(rows).collect::<Vec<_>>().join("\n")
}

fn claim(number: usize, entry: &LedgerEntry, language: Language) -> String {
    let finding = &entry.finding;
    let item = |name: Phrase, text: &str| format!("- **{}:** {text}", name.text(language));
    let verdict = verdict_with_confidence(finding, finding.verdict.label());
    let verdict = format!("{} {}", finding.verdict.sign(), verdict.text(language));
    let mut lines = vec![
        format!("#### {number}. {}", escaped(&finding.claim_text)),
        String::new(),
        item(ledger_view::kind(), finding.claim_type.label().text(language)),
        item(ledger_view::importance(), finding.claim_importance.label().text(language)),
        item(ledger_view::verdict(), &verdict),
    ];
    match &finding.source_document {
        Some(document) => {
            lines.push(item(ledger_view::source(), &escaped(long(document).text(language))));
            let words = format!("\"{}\"", escaped(&finding.evidence_snippet));
            lines.push(item(ledger_view::evidence(), &words));
        }
        None => lines.push(item(ledger_view::source(), ledger_view::none().text(language))),
    }
    let reason = finding.evidence_passages.first().and_then(|best| best.reason.as_ref());
    if let Some(reason) = reason {
        lines.push(item(
            ledger_view::cannot_both_be_true(),
            &escaped(reason.phrase().text(language)),
        ));
    }
    for other in finding.opposing() {
        lines.push(item(ledger_view::other_evidence(), &escaped(quoted(other).text(language))));
    }
    for issue in &finding.issues {
        lines.push(item(ledger_view::finding(), &escaped(issue.phrase().text(language))));
    }
    lines.push(item(ledger_view::notes(), &escaped(&finding.notes)));
    if let Some(judge) = &finding.judge {
        lines.push(item(ledger_view::judge(), &escaped(&judge.label())));
    }
    lines.join("\n")
}

fn flag(flag: &RiskFlag, ledger: &Ledger, language: Language) -> String {
    let risk = &flag.risk;
    let citations = ledger.content.citations.as_deref().unwrap_or_default();
    let (label, severity) = (risk.kind.label(), risk.severity.label());
    let (label, severity) = (label.text(language), severity.text(language));
    format!("⚠️ **{label} ({severity}):** {}.", escaped(&risk.described(citations, language)))
}

/// Actions for each risk, and for each claim that does not hold.
fn actions(ledger: &Ledger, language: Language) -> Vec<String> {
    let flags = ledger.content.risk_flags.iter();
    let general = flags.map(|flag| flag.risk.kind.mitigation());
    let single = ledger.content.entries.iter().zip(1_usize..).filter_map(|(entry, number)| {
        match entry.finding.verdict {
            Verdict::Supported => None,
            Verdict::Weak => Some(ledger_view::action_weak(number)),
            Verdict::Contradicted => Some(ledger_view::action_contradicted(number)),
            Verdict::NotFound => Some(ledger_view::action_not_found(number)),
        }
    });
    general.chain(single).map(|action| action.into_text(language).into_owned()).collect()
}

fn numbered(lines: &[String]) -> String {
    let numbered = lines.iter().enumerate().map(|(n, line)| format!("{}. {line}", n + 1));
    numbered.collect::<Vec<_>>().join("\n")
}

/// Text as one line that Markdown shows as it is.
///
/// Every character that could begin or end a construct is escaped. An
/// underscore inside a word can do neither, and stays: `HR_Policy.pdf`.
pub fn escaped(text: &str) -> String {
    // Folding white space takes out the line ends, so no text can begin a line of the document.
    let words: Vec<String> = visible(text).split_whitespace().map(escaped_word).collect();
    words.join(" ")
}

/// Text as [`escaped`] has it, for the beginning of a line: there, `-` and `+` begin a list or draw
/// a rule, and a number before a point or a bracket counts.
pub fn escaped_line(text: &str) -> String {
    let line = escaped(text);
    let first = line.split_once(' ').map_or(line.as_str(), |(first, _)| first);
    let sign = first.trim_start_matches(|ch: char| ch.is_ascii_digit());
    // The sign is escaped: a backslash before a digit would be shown.
    let number = first.len() - sign.len();
    let begins_a_list = if number > 0 {
        matches!(sign, "." | ")")
    } else {
        !sign.is_empty() && sign.chars().all(|ch| matches!(ch, '-' | '+'))
    };
    match line.split_at_checked(number) {
        Some((number, rest)) if begins_a_list => format!("{number}\\{rest}"),
        _ => line,
    }
}

fn escaped_word(word: &str) -> String {
    let mut escaped = String::with_capacity(word.len());
    let mut before: Option<char> = None;
    let mut rest = word.chars().peekable();
    while let Some(ch) = rest.next() {
        // CommonMark: an underscore between two letters or digits opens and closes no emphasis.
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
