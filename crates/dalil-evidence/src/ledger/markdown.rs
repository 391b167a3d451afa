//! The Markdown export: a ledger for people, in the contract's shape.

use dalil_phrasebook::Language;

use super::cell::visible;
use super::place::long;
use super::problems::{DocumentProblem, problems, title};
use super::remark::quoted;
use super::request::AnswerSession;
use super::risk::RiskFlag;
use super::verdict::Verdict;
use super::{Ledger, LedgerContent, LedgerEntry};

/// The ledger as a Markdown document. Text from the request cannot change its structure.
pub fn markdown(ledger: &Ledger, session: &AnswerSession, language: Language) -> String {
    let content = &ledger.content;
    let mut parts = vec![
        format!("## {}", language.pick("Evidence Ledger", "سجل الأدلة")),
        heading(session, content, language),
    ];
    // What could not be read stands before the verdicts, which may be wrong because of it.
    let troubles: Vec<String> = problems(content).map(problem).collect();
    if !troubles.is_empty() {
        parts.push(format!("### {}", title(language)));
        parts.push(troubles.join("\n"));
    }
    parts.push(format!("### {}", language.pick("Summary", "الملخص")));
    parts.push(summary(ledger, language));
    if !content.entries.is_empty() {
        parts.push(format!("### {}", language.pick("Claims Detail", "تفصيل الادعاءات")));
        let claims = content.entries.iter().enumerate();
        let claims = claims.map(|(n, entry)| claim(n + 1, entry, language));
        parts.push(claims.collect::<Vec<_>>().join("\n\n---\n\n"));
    }
    if !content.risk_flags.is_empty() {
        parts.push(format!("### {}", language.pick("Risk Flags", "مؤشرات الخطر")));
        parts.extend(content.risk_flags.iter().map(|one| flag(one, language)));
    }
    let actions = actions(ledger, language);
    if !actions.is_empty() {
        parts.push(format!("### {}", language.pick("Recommended Actions", "الإجراءات الموصى بها")));
        parts.push(numbered(&actions));
    }
    if !content.follow_up_questions.is_empty() {
        parts.push(format!("### {}", language.pick("Follow-up Questions", "أسئلة المتابعة")));
        let questions: Vec<String> =
            content.follow_up_questions.iter().map(|question| escaped(question)).collect();
        parts.push(numbered(&questions));
    }
    parts.join("\n\n") + "\n"
}

fn problem(one: DocumentProblem<'_>) -> String {
    format!("- ⚠️ **{}:** {}", escaped(one.filename), escaped(one.problem))
}

fn heading(session: &AnswerSession, content: &LedgerContent, language: Language) -> String {
    let name = session.query.as_deref().filter(|query| !query.trim().is_empty());
    let stamp = content.created_at.to_string();
    // `YYYY-MM-DDTHH:MM:SS.mmmZ` is the one spelling of a time; 16 characters end with the minute.
    let minute = stamp.get(..16).unwrap_or(&stamp).replace('T', " ");
    format!(
        "**{}:** {}  \n**{}:** {minute} UTC  \n**{}:** {}",
        language.pick("Session", "الجلسة"),
        escaped(name.unwrap_or(&session.id)),
        language.pick("Generated", "أُنشئ في"),
        language.pick("Evidence Coverage", "تغطية الأدلة"),
        content.summary.coverage_label(),
    )
}

fn summary(ledger: &Ledger, language: Language) -> String {
    let counts = &ledger.content.summary.by_verdict;
    if ledger.content.entries.is_empty() {
        return language.pick("No checkable claim.", "لا ادعاء يمكن التحقق منه.").to_owned();
    }
    let shown = Verdict::ALL.into_iter().filter(|verdict| counts.count(*verdict) > 0);
    let row = |verdict: Verdict| {
        format!("| {} | {} |", verdict.label_in(language), counts.count(verdict))
    };
    let rows = shown.map(row);
    let titles = language.pick("| Verdict | Count |", "| الحكم | العدد |");
    let head = [titles.to_owned(), "|---------|-------|".to_owned()];
    head.into_iter().chain(rows).collect::<Vec<_>>().join("\n")
}

fn claim(number: usize, entry: &LedgerEntry, language: Language) -> String {
    let finding = &entry.finding;
    let item =
        |english, arabic, text: &str| format!("- **{}:** {text}", language.pick(english, arabic));
    let verdict = format!(
        "{} {} ({}: {}%{} {} {})",
        finding.verdict.sign(),
        finding.verdict.label_in(language),
        language.pick("Confidence", "الثقة"),
        finding.confidence_score.percent(),
        language.pick(",", "،"),
        finding.confidence_band.sign(),
        finding.confidence_band.label_in(language),
    );
    let mut lines = vec![
        format!("#### {number}. {}", escaped(&finding.claim_text)),
        String::new(),
        item("Type", "النوع", finding.claim_type.label_in(language)),
        item("Importance", "الأهمية", finding.claim_importance.label_in(language)),
        item("Verdict", "الحكم", &verdict),
    ];
    match &finding.source_document {
        Some(document) => {
            lines.push(item("Source", "المصدر", &escaped(&long(document, language))));
            let words = format!("\"{}\"", escaped(&finding.evidence_snippet));
            lines.push(item("Evidence", "الدليل", &words));
        }
        None => lines.push(item("Source", "المصدر", language.pick("None", "لا يوجد"))),
    }
    let reason = finding.evidence_passages.first().and_then(|best| best.reason.as_ref());
    if let Some(reason) = reason {
        lines.push(item(
            "Cannot both be true",
            "لا يصحان معًا",
            &escaped(&reason.sentence_in(language)),
        ));
    }
    for other in finding.opposing() {
        lines.push(item("Other evidence", "دليل آخر", &escaped(&quoted(other, language))));
    }
    for issue in &finding.issues {
        lines.push(item("Finding", "ملاحظة على الأدلة", &escaped(&issue.message_in(language))));
    }
    lines.push(item("Notes", "ملاحظات", &escaped(&finding.notes)));
    if let Some(judge) = &finding.judge {
        lines.push(item("Judge", "الحَكَم", &escaped(&judge.label())));
    }
    lines.join("\n")
}

fn flag(flag: &RiskFlag, language: Language) -> String {
    let risk = &flag.risk;
    let (label, severity) = (risk.kind.label_in(language), risk.severity.label_in(language));
    format!("⚠️ **{label} ({severity}):** {}.", escaped(&risk.described(language)))
}

/// What to do about each risk, and about each claim that does not hold.
fn actions(ledger: &Ledger, language: Language) -> Vec<String> {
    let flags = ledger.content.risk_flags.iter();
    let general = flags.map(|flag| flag.risk.kind.mitigation_in(language).to_owned());
    let single = ledger.content.entries.iter().enumerate().filter_map(|(n, entry)| {
        let (english, arabic) = match entry.finding.verdict {
            Verdict::Supported => return None,
            Verdict::Weak => {
                ("Review claim #{} and consider qualifying it", "راجع الادعاء #{} وانظر في تقييده")
            }
            Verdict::Contradicted => ("Correct or remove claim #{}", "صحّح الادعاء #{} أو احذفه"),
            Verdict::NotFound => (
                "Review claim #{} and consider removing or qualifying it",
                "راجع الادعاء #{} وانظر في حذفه أو تقييده",
            ),
        };
        Some(language.pick(english, arabic).replace("{}", &(n + 1).to_string()))
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
    // What is escaped is the sign: a backslash before a digit would be shown.
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
