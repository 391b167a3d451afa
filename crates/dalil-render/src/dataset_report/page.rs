//! The data of the report's template.

use std::borrow::Cow;
use std::cmp::Reverse;

use askama::Template;
use dalil_evidence::claim::ClaimImportance;
use dalil_evidence::ledger::place::long;
use dalil_evidence::ledger::risk::RiskFlag;
use dalil_evidence::ledger::summary::NO_SHARE_LABEL;
use dalil_evidence::ledger::verdict::Verdict;
use dalil_evidence::ledger::{ClaimFinding, LedgerContent};
use dalil_phrasebook::{Language, Phrase, dataset_report, document_note, ledger_view};

use super::{DatasetReport, KeptAnswer, LeftOutAnswers, ShownLines};
use crate::answer_segment::{AnswerSegment, pieces};
use crate::ledger::remark::remarks;

/// The page.
#[derive(Template)]
#[template(path = "dataset_report.html")]
pub(super) struct DatasetPage<'r> {
    language: Language,
    title: Option<&'r str>,
    figures: Vec<PageFigure>,
    bar: Vec<VerdictShare>,
    unchecked: &'r ShownLines,
    problems: Vec<Phrase>,
    more_problems: usize,
    wrong: Vec<ClaimRow<'r>>,
    answers: Vec<AnswerSection<'r>>,
    left_out: LeftOutAnswers,
    checked_at: Option<Phrase>,
    judged_by: Option<Phrase>,
}

/// A number with its label.
struct PageFigure {
    /// The class of its colour.
    tone: &'static str,
    value: String,
    label: Phrase,
}

/// A part of the bar over all claims.
struct VerdictShare {
    tone: &'static str,
    count: usize,
}

/// A claim as a row of a table.
struct ClaimRow<'r> {
    /// The number of its answer in the data set.
    number: usize,
    answer: &'r str,
    finding: &'r ClaimFinding,
    evidence: MarkedText<'r>,
    place: Option<Phrase>,
    claim_words: Option<Phrase>,
    remarks: Vec<Phrase>,
}

/// A text with some words of it marked.
struct MarkedText<'r> {
    before: &'r str,
    marked: &'r str,
    after: &'r str,
}

/// An answer with its claims.
struct AnswerSection<'r> {
    number: usize,
    name: &'r str,
    question: Option<&'r str>,
    segments: Vec<AnswerSegment>,
    worst: Option<Verdict>,
    counts: Vec<(Verdict, usize)>,
    coverage: String,
    is_wrong: bool,
    rows: Vec<ClaimRow<'r>>,
    flags: Vec<FlagLine>,
    ledger_id: String,
}

/// A risk flag.
struct FlagLine {
    label: Phrase,
    english: String,
    arabic: String,
}

impl<'r> DatasetPage<'r> {
    pub(super) fn of(report: &'r DatasetReport) -> Self {
        let wrong = |row: &ClaimRow<'_>| is_wrong(row.finding.verdict);
        let mut rows: Vec<_> = report.kept.iter().flat_map(rows).filter(wrong).collect();
        // The sort is stable: rows of one weight keep the order of their answers.
        rows.sort_by_key(|row| (severity(row.finding.verdict), importance(row.finding)));
        let count = |verdict| report.tally.by_verdict.count(verdict);
        Self {
            language: report.first_language,
            title: report.title.as_deref(),
            figures: figures(report),
            bar: WORST_FIRST
                .into_iter()
                .map(|one| VerdictShare { tone: tone(one), count: count(one) })
                .filter(|share| share.count > 0)
                .collect(),
            unchecked: &report.unchecked,
            problems: report.problems.iter().map(|line| document_note::told(line)).collect(),
            more_problems: report.more_problems,
            wrong: rows,
            answers: report.kept.iter().map(AnswerSection::of).collect(),
            left_out: report.left_out,
            checked_at: report.checked_at(),
            judged_by: report.judged_by(),
        }
    }

    fn is_arabic(&self) -> bool {
        self.language == Language::Arabic
    }

    /// The tag of the language that is shown first.
    fn tag(&self) -> &'static str {
        match self.language {
            Language::English => "en",
            Language::Arabic => "ar",
        }
    }

    /// A phrase in both languages, of which the style shows one. HTML.
    #[expect(clippy::unused_self, reason = "a template calls methods of its page")]
    fn said(&self, phrase: &Phrase) -> String {
        in_both(phrase.text(Language::English), phrase.text(Language::Arabic))
    }

    /// The same of a phrase that the template itself asks for.
    #[expect(clippy::needless_pass_by_value, reason = "a template cannot borrow what it calls for")]
    fn told(&self, phrase: Phrase) -> String {
        self.said(&phrase)
    }

    /// The label of a risk in both languages, as HTML.
    #[expect(clippy::unused_self, reason = "a template calls methods of its page")]
    fn in_both(&self, flag: &FlagLine) -> String {
        in_both(&flag.english, &flag.arabic)
    }

    /// The class of the colour of a verdict.
    #[expect(clippy::unused_self, reason = "a template calls methods of its page")]
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "templates pass fields by reference")]
    fn tone(&self, verdict: &Verdict) -> &'static str {
        tone(*verdict)
    }

    /// The title of the window, which no style can change.
    fn window_title(&self) -> Cow<'_, str> {
        let usual = dataset_report::checked_answers();
        let [english, arabic] = [Language::English, Language::Arabic].map(|one| usual.text(one));
        self.title.map_or_else(|| Cow::Owned(format!("{english} · {arabic}")), Cow::Borrowed)
    }
}

impl<'r> AnswerSection<'r> {
    fn of(one: &'r KeptAnswer) -> Self {
        let content = &one.ledger.content;
        let findings: Vec<_> = content.entries.iter().map(|entry| &entry.finding).collect();
        let count = |verdict: &Verdict| content.summary.by_verdict.count(*verdict);
        let counts = WORST_FIRST.into_iter().map(|verdict| (verdict, count(&verdict)));
        Self {
            number: one.number,
            name: &one.name,
            question: one.question.as_deref(),
            segments: one.answer.as_ref().map_or_else(Vec::new, |text| pieces(text, &findings)),
            worst: WORST_FIRST.into_iter().find(|verdict| count(verdict) > 0),
            counts: counts.filter(|(_, count)| *count > 0).collect(),
            coverage: content.summary.coverage_label(),
            is_wrong: findings.iter().any(|finding| is_wrong(finding.verdict)),
            rows: rows(one).collect(),
            flags: flags(content),
            ledger_id: one.ledger.id.to_string(),
        }
    }
}

impl<'r> ClaimRow<'r> {
    fn of(one: &'r KeptAnswer, finding: &'r ClaimFinding) -> Self {
        let reason = finding.evidence_passages.first().and_then(|best| best.reason.as_ref());
        let marked = reason.map(|reason| reason.evidence_words.as_str());
        Self {
            number: one.number,
            answer: &one.name,
            finding,
            evidence: MarkedText::of(&finding.evidence_snippet, marked),
            place: finding.source_document.as_ref().map(long),
            // Isolated, or "20 days" would be turned around in a sentence in Arabic.
            claim_words: reason.map(|reason| {
                dataset_report::the_claim_says(format_args!(
                    "\u{2068}{}\u{2069}",
                    reason.claim_words
                ))
            }),
            remarks: remarks(finding),
        }
    }
}

impl<'r> MarkedText<'r> {
    fn of(text: &'r str, words: Option<&str>) -> Self {
        let place = words.filter(|words| !words.is_empty()).and_then(|words| {
            let (before, rest) = text.split_at_checked(text.find(words)?)?;
            let (marked, after) = rest.split_at_checked(words.len())?;
            Some(Self { before, marked, after })
        });
        place.unwrap_or(Self { before: text, marked: "", after: "" })
    }
}

fn rows(one: &KeptAnswer) -> impl Iterator<Item = ClaimRow<'_>> {
    one.ledger.content.entries.iter().map(|entry| ClaimRow::of(one, &entry.finding))
}

fn flags(content: &LedgerContent) -> Vec<FlagLine> {
    let citations = content.citations.as_deref().unwrap_or(&[]);
    let line = |flag: &'_ RiskFlag| FlagLine {
        label: flag.risk.kind.label(),
        english: flag.risk.described(citations, Language::English).into_owned(),
        arabic: flag.risk.described(citations, Language::Arabic).into_owned(),
    };
    content.risk_flags.iter().map(line).collect()
}

/// The numbers at the top.
fn figures(report: &DatasetReport) -> Vec<PageFigure> {
    let tally = &report.tally;
    let figure = |tone, value: String, label| PageFigure { tone, value, label };
    let coverage = tally
        .coverage()
        .map_or_else(|| NO_SHARE_LABEL.to_owned(), |one| format!("{}%", one.percent()));
    let mut figures = vec![
        figure("", report.answers.to_string(), dataset_report::answers()),
        figure("", tally.claims().to_string(), dataset_report::claims()),
    ];
    figures.extend(
        WORST_FIRST
            .into_iter()
            .map(|one| figure(tone(one), tally.by_verdict.count(one).to_string(), one.label())),
    );
    figures.push(figure("", coverage, ledger_view::evidence_coverage()));
    let unsupported = format!("{}%", tally.unsupported().percent());
    figures.push(figure("", unsupported, dataset_report::unsupported()));
    figures
}

/// Texts in both languages. HTML; one element where both are the same.
fn in_both(english: &str, arabic: &str) -> String {
    let (en, ar) = (escaped(english), escaped(arabic));
    if en == ar {
        return format!("<bdi>{en}</bdi>");
    }
    format!(
        r#"<span class="en" lang="en" dir="ltr">{en}</span><span class="ar" lang="ar" dir="rtl">{ar}</span>"#
    )
}

/// A text, escaped for HTML.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for ch in text.chars() {
        match ch {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&#34;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

/// The class of the colour of a verdict.
const fn tone(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Supported => "supported",
        Verdict::Weak => "weak",
        Verdict::Contradicted => "contradicted",
        Verdict::NotFound => "not_found",
    }
}

const fn is_wrong(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Contradicted | Verdict::NotFound)
}

/// The sort key of a verdict, the worst first.
fn severity(verdict: Verdict) -> Option<usize> {
    WORST_FIRST.into_iter().position(|one| one == verdict)
}

/// The sort key of an importance, the greatest first.
const fn importance(finding: &ClaimFinding) -> Reverse<u8> {
    Reverse(match finding.claim_importance {
        ClaimImportance::Critical => 2,
        ClaimImportance::Material => 1,
        ClaimImportance::Minor => 0,
    })
}

const WORST_FIRST: [Verdict; 4] =
    [Verdict::Contradicted, Verdict::NotFound, Verdict::Weak, Verdict::Supported];
