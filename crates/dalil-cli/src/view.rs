//! Showing ledgers: the gate, one claim in full, the colours of verdicts.

use dalil_evidence::ledger::Ledger;
use dalil_evidence::ledger::gate;
use dalil_evidence::ledger::request::LedgerGate;
use dalil_evidence::ledger::verdict::Verdict;
use dalil_phrasebook::{Language, ledger_view};
use dalil_proof::report::{CheckStatus, VerificationReport};
use dalil_proof::score::Score;
use dalil_render::ledger::expanded::expanded;
use dalil_render::ledger::problems::notice;
use serde::Serialize;

use crate::error::{CliError, CommandOutcome};
use crate::reply::{ColourMode, ReplyWriter, visible};
use crate::right_to_left;

#[cfg(test)]
mod tests;

/// What a ledger must reach.
#[derive(Debug, clap::Args)]
pub(crate) struct GateArgs {
    /// Fail unless the ledger reaches the minimums
    #[arg(long)]
    gate: bool,

    /// The minimum evidence coverage that passes the gate
    #[arg(long, value_name = "SHARE", value_parser = share, requires = "gate")]
    min_coverage: Option<Score>,

    /// The maximum unsupported rate that passes the gate
    #[arg(long, value_name = "SHARE", value_parser = share, requires = "gate")]
    max_unsupported: Option<Score>,

    /// The maximum number of contradicted critical claims that passes the gate
    #[arg(long, value_name = "COUNT", requires = "gate")]
    max_contradicted_critical: Option<usize>,
}

impl GateArgs {
    /// The report of the gate, if it was asked for: the usual minimums, replaced by those in the
    /// arguments.
    pub(crate) fn report(&self, usual: LedgerGate, ledger: &Ledger) -> Option<VerificationReport> {
        let wanted = LedgerGate {
            min_coverage: self.min_coverage.unwrap_or(usual.min_coverage),
            max_unsupported: self.max_unsupported.unwrap_or(usual.max_unsupported),
            max_contradicted_critical: self
                .max_contradicted_critical
                .unwrap_or(usual.max_contradicted_critical),
        };
        self.gate.then(|| gate::report(&wanted, ledger))
    }
}

/// A reply and whether its ledger passed the gate.
#[derive(Serialize)]
pub(crate) struct GatedOutput<'r, T> {
    #[serde(flatten)]
    pub(crate) reply: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) gate: Option<&'r VerificationReport>,
}

/// The answer that a gate's report gives; findings that did not pass go to standard error.
pub(crate) fn answer(report: Option<&VerificationReport>, reply: &ReplyWriter) -> CommandOutcome {
    for part in report.into_iter().flat_map(|report| &report.findings) {
        if part.verdict != CheckStatus::Pass {
            reply.warn(&format!("gate: {}: {}", part.part, part.message.english()));
        }
    }
    report.map_or(CommandOutcome::Holds, |report| report.verdict().into())
}

/// Which claims to show in full.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ClaimSelection {
    /// The claim with this number, from 1.
    One(usize),
    /// Every claim.
    All,
}

/// Reads the number of a claim, or `all`.
pub(crate) fn claim_selection(text: &str) -> Result<ClaimSelection, String> {
    match text.parse() {
        _ if text == "all" => Ok(ClaimSelection::All),
        Ok(number) => Ok(ClaimSelection::One(number)),
        Err(_) => Err("expected the number of a claim, or `all`".to_owned()),
    }
}

/// Some claims in full.
pub(crate) fn claims(
    ledger: &Ledger,
    which: ClaimSelection,
    language: Language,
) -> Result<String, CliError> {
    let claims = ledger.content.entries.len();
    let problems = notice(ledger, language, EXPANDED_COLUMNS);
    match which {
        ClaimSelection::All => {
            let all = (1..=claims).filter_map(|number| expanded(ledger, number, language));
            Ok(std::iter::once(problems).chain(all).collect())
        }
        ClaimSelection::One(number) => {
            let claim = expanded(ledger, number, language);
            let claim = claim.ok_or(CliError::NoSuchClaim { number, claims })?;
            Ok(format!("{problems}{claim}"))
        }
    }
}

/// Reads a language.
pub(crate) fn language(text: &str) -> Result<Language, String> {
    let named = Language::WIRE_NAMES.into_iter().find(|(word, _)| *word == text);
    named.map(|(_, language)| language).ok_or_else(|| "expected `en` or `ar`".to_owned())
}

/// Replies with a view of a ledger, its verdicts coloured where colours are wanted.
pub(crate) fn show(view: &str, language: Language, reply: &ReplyWriter) -> Result<(), CliError> {
    // Foreign text is made harmless first; the colours and marks added after it are our own.
    let view = directed(visible(view), language, reply);
    reply.bytes(painted(&view, language, reply.paint()).as_bytes())
}

/// Writes a note beside a view, in the direction of its language.
pub(crate) fn note(text: &str, language: Language, reply: &ReplyWriter) {
    reply.note(directed(text.to_owned(), language, reply).trim_end());
}

/// How many columns a view in a language has; nothing where a program reads it.
pub(crate) fn columns(language: Language, reply: &ReplyWriter) -> Option<usize> {
    match language {
        Language::English => reply.columns(),
        Language::Arabic => reply.columns().map(right_to_left::room),
    }
}

/// A view in the direction of its language, where a terminal shows it.
fn directed(view: String, language: Language, reply: &ReplyWriter) -> String {
    match (language, reply.columns()) {
        (Language::Arabic, Some(columns)) => right_to_left::laid_out(&view, columns),
        (Language::Arabic, None) | (Language::English, _) => view,
    }
}

/// Replies with a report whose first line is its verdict, in the colour of the verdict.
pub(crate) fn show_report(
    view: &str,
    verdict: CheckStatus,
    language: Language,
    reply: &ReplyWriter,
) -> Result<(), CliError> {
    let view = directed(visible(view), language, reply);
    reply.bytes(headed(view, verdict, reply.paint()).as_bytes())
}

/// Colours the first line, which is the verdict.
fn headed(view: String, verdict: CheckStatus, paint: ColourMode) -> String {
    let colour = match verdict {
        CheckStatus::Pass => 32,
        CheckStatus::Fail => 31,
        CheckStatus::Incomplete => 33,
    };
    match (view.split_once('\n'), paint) {
        (Some((first, rest)), ColourMode::Coloured) => {
            format!("\u{1b}[1;{colour}m{first}\u{1b}[0m\n{rest}")
        }
        (Some(_), ColourMode::Plain) | (None, _) => view,
    }
}

/// Colours the verdicts, as the contract does: green, amber, red, grey.
fn painted(view: &str, language: Language, paint: ColourMode) -> String {
    if paint == ColourMode::Plain {
        return view.to_owned();
    }
    let heading = ledger_view::verdict();
    let heading = heading.text(language);
    Verdict::ALL.into_iter().fold(view.to_owned(), |view, verdict| {
        let colour = match verdict {
            Verdict::Supported => 32,
            Verdict::Weak => 33,
            Verdict::Contradicted => 31,
            Verdict::NotFound => 90,
        };
        let label = verdict.label();
        let label = label.text(language);
        let small = format!("{} {label}", verdict.sign());
        let large = format!("{heading}: {}", label.to_uppercase());
        [small, large].into_iter().fold(view, |view, words| {
            // Sign or heading is part of the pattern, so the same word in a claim stays plain.
            view.replace(&words, &format!("\u{1b}[{colour}m{words}\u{1b}[0m"))
        })
    })
}

fn share(text: &str) -> Result<Score, String> {
    let value = text.parse().ok().and_then(Score::new);
    value.ok_or_else(|| format!("expected {}", Score::EXPECTED.english()))
}

/// The columns of the view of one claim.
const EXPANDED_COLUMNS: usize = 79;
