//! Drafts a memo in both languages from the records of a decision.
//!
//! A draft quotes nothing: it names the decision by its id, sources by anchor,
//! and everything else by number, so that no personal data gets into it.

use dalil_phrasebook::count::{CountedNoun, GrammaticalCase, Numeral};
use dalil_phrasebook::{Language, Phrase, memo};
use dalil_proof::json::Json;
use dalil_proof::score::Score;
use dalil_proof::time::Time;

use crate::anchor::{self, AnchorIndex};
use crate::decision_class::{ApprovalClass, DecisionClasses};
use crate::mask;
use crate::pack::draft::HOUR_MILLIS;
use crate::pack::memo::Memo;
use crate::pack::source::PackSource;
use crate::pack::source::top_three;
use crate::pack::tool::{ToolCall, ToolCallOutcome};
use crate::policy::{self, PackRequirement};

#[cfg(test)]
mod tests;

/// The facts that a memo is drafted from.
#[derive(Clone, Copy, Debug)]
pub(in crate::pack) struct MemoFacts<'f> {
    /// The decision.
    pub(in crate::pack) decision_id: &'f str,
    /// Its type of action, when it names one.
    pub(in crate::pack) action_type: Option<&'f str>,
    /// Its classes.
    pub(in crate::pack) classes: DecisionClasses,
    /// The stated confidence of the decision, if it has one.
    pub(in crate::pack) confidence: Option<Score>,
    /// When it was made.
    pub(in crate::pack) decided_at: Time,
    /// How many hours before that a source may have been retrieved.
    pub(in crate::pack) fresh_hours: u64,
    /// Everything that was consulted.
    pub(in crate::pack) sources: &'f [PackSource],
    /// Every call of a tool.
    pub(in crate::pack) calls: &'f [ToolCall],
    /// The ledger of the answer that it rests on.
    pub(in crate::pack) ledger: Option<&'f Json<'static>>,
}

/// Drafts a memo that keeps every rule of memos.
pub(in crate::pack) fn memo_of(facts: &MemoFacts<'_>) -> Memo {
    let drafted = with_id(facts, Some(facts.decision_id).filter(|id| is_plain(id)));
    // Text that is no personal data by itself can look like it beside other words.
    if is_clean(&drafted) { drafted } else { with_id(facts, None) }
}

fn with_id(facts: &MemoFacts<'_>, id: Option<&str>) -> Memo {
    let told = MemoFigures::of(facts, id);
    let (title, body, summary) = (told.title(), told.body(), told.summary());
    let text = |phrase: &Phrase, language| phrase.text(language).to_owned();
    Memo {
        title_ar: text(&title, Language::Arabic),
        title_en: text(&title, Language::English),
        body_ar: text(&body, Language::Arabic),
        body_en: text(&body, Language::English),
        executive_summary_ar: text(&summary, Language::Arabic),
        executive_summary_en: text(&summary, Language::English),
        translated_from: None,
    }
}

/// Whether an id can be in a memo: short, one word, and no person's number or address.
fn is_plain(id: &str) -> bool {
    let plain = |ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '-' | '_' | '.' | ':' | '/');
    let part = |part: &str| {
        part.len() < MIN_PERSONAL_NUMBER_DIGITS || !part.bytes().all(|byte| byte.is_ascii_digit())
    };
    id.len() <= MAX_SHOWN_ID_BYTES
        && id.chars().all(plain)
        && id.split(|ch: char| !ch.is_ascii_digit()).all(part)
        && mask::find(id, &[]).is_empty()
}

fn is_clean(memo: &Memo) -> bool {
    let Memo { title_ar, title_en, body_ar, body_en, .. } = memo;
    let texts = [title_ar, title_en, body_ar, body_en];
    let summaries = [&memo.executive_summary_ar, &memo.executive_summary_en];
    let clean = |text: &String| super::personal_data(text).is_empty();
    texts.into_iter().chain(summaries).all(clean)
}

/// The figures in the sentences.
struct MemoFigures<'f> {
    facts: &'f MemoFacts<'f>,
    id: Option<&'f str>,
    /// The anchors of the sources that must be cited, best first, with their places.
    top: Vec<(usize, String)>,
    stale: usize,
    contradicted: usize,
    failed: usize,
    blocked: usize,
    unreported: usize,
    claims: Option<ClaimCounts>,
}

/// The claims of a ledger: all of them, then by verdict.
#[derive(Clone, Copy)]
struct ClaimCounts {
    total: usize,
    supported: usize,
    weak: usize,
    contradicted: usize,
    not_found: usize,
}

impl<'f> MemoFigures<'f> {
    fn of(facts: &'f MemoFacts<'f>, id: Option<&'f str>) -> Self {
        let digests: Vec<_> =
            facts.sources.iter().map(|source| anchor::text_digest(&source.excerpt)).collect();
        let known = AnchorIndex::new(digests.iter().copied());
        let places = top_three(facts.sources.iter().map(|source| source.confidence));
        let cited = |place: usize| {
            let digest = digests.get(place)?;
            Some((place, format!("[cite:{}]", known.shortest(digest))))
        };
        let ended = |outcome| facts.calls.iter().filter(|call| call.outcome == outcome).count();
        let window =
            i64::try_from(facts.fresh_hours).unwrap_or(i64::MAX).saturating_mul(HOUR_MILLIS);
        let age = |source: &&PackSource| facts.decided_at.millis() - source.retrieved_at.millis();
        // A call that never reported back differs from its intention as well; it is counted as
        // unreported.
        let differs = |call: &&ToolCall| call.contradiction_flag && call.outcome.is_some();
        Self {
            facts,
            id,
            top: places.into_iter().filter_map(cited).collect(),
            stale: facts.sources.iter().filter(|source| age(source) > window).count(),
            contradicted: facts.calls.iter().filter(differs).count(),
            failed: ended(Some(ToolCallOutcome::Failed)),
            blocked: ended(Some(ToolCallOutcome::Blocked)),
            unreported: ended(None),
            claims: facts.ledger.map(ClaimCounts::of),
        }
    }

    /// The citations of the top sources, as one text.
    fn cited(&self) -> String {
        self.top.iter().map(|(_, cite)| cite.as_str()).collect::<Vec<_>>().join(" ")
    }

    fn confidence(&self, place: usize) -> u16 {
        self.facts.sources.get(place).map_or(0, |source| source.confidence.percent())
    }

    fn classes(&self) -> Phrase {
        let DecisionClasses { approval, reversibility, sensitivity } = self.facts.classes;
        memo::classes(
            format_args!("{approval:?}"),
            format_args!("{reversibility:?}"),
            format_args!("{sensitivity:?}"),
        )
    }

    fn title(&self) -> Phrase {
        let action = action(self.facts.action_type);
        match self.id {
            Some(id) => memo::title_with_id(id, action),
            None => memo::title(action),
        }
    }

    fn summary(&self) -> Phrase {
        let basis = match self.facts.sources.len() {
            0 => memo::names_no_source(),
            count => {
                let sources = CountedNoun::SOURCES.counted(count, GrammaticalCase::Genitive);
                memo::rests_on(sources, self.cited())
            }
        };
        let need = match policy::requirement(self.facts.classes, self.facts.confidence).0 {
            PackRequirement::Mandatory => memo::need_mandatory(),
            PackRequirement::Recommended => memo::need_recommended(),
            PackRequirement::Skip => memo::need_none(),
        };
        let and = memo::and();
        let sentences = [
            Some(memo::concerns(action(self.facts.action_type))),
            Some(basis),
            Some(memo::classed(self.classes(), need)),
            Some(self.stated_confidence()),
            Some(self.calls(&and)),
            self.claims(&and),
            Some(self.approval(&and)),
        ];
        Phrase::fold(sentences.into_iter().flatten(), memo::link_sentences)
    }

    fn body(&self) -> Phrase {
        // The first sentence of a paragraph is not joined to one before it.
        let opening = Phrase::verbatim("");
        let id = self.id.map_or_else(String::new, |id| format!(" {id}"));
        let decision = memo::paragraph_decision(
            id,
            action(self.facts.action_type),
            self.classes(),
            self.stated_confidence(),
        );
        let claims = match self.claims(&opening) {
            Some(claims) => memo::paragraph_claims(claims),
            None => memo::paragraph_no_ledger(),
        };
        let paragraphs = [
            decision,
            memo::paragraph_basis(self.basis()),
            memo::paragraph_calls(self.calls(&opening)),
            claims,
            memo::paragraph_approver(self.approval(&opening)),
        ];
        Phrase::fold(paragraphs, memo::link_paragraphs)
    }

    fn basis(&self) -> Phrase {
        let relied = |(place, cite): &(usize, String)| {
            memo::source(Numeral(place + 1), cite, Numeral(self.confidence(*place)))
        };
        let mut basis: Vec<Phrase> = self.top.iter().map(relied).collect();
        let counted = |noun: CountedNoun, count| noun.counted(count, GrammaticalCase::Nominative);
        // The top sources are among the sources, so this cannot go below zero.
        let further = self.facts.sources.len() - self.top.len();
        match (self.top.len(), further) {
            (0, _) => basis.push(memo::no_source()),
            (_, 0) => {}
            _ => basis.push(memo::further_sources(counted(CountedNoun::FURTHER_SOURCES, further))),
        }
        if self.stale > 0 {
            let sources = counted(CountedNoun::SOURCES_THAT_WERE, self.stale);
            basis.push(memo::stale_sources(sources, self.facts.fresh_hours));
        }
        Phrase::fold(basis, memo::link_sentences)
    }

    fn stated_confidence(&self) -> Phrase {
        match self.facts.confidence {
            Some(score) => memo::confidence(Numeral(score.percent())),
            None => memo::no_confidence(),
        }
    }

    fn calls(&self, and: &Phrase) -> Phrase {
        let total = self.facts.calls.len();
        if total == 0 {
            return memo::no_call(and);
        }
        let counted = |noun: CountedNoun, count| noun.counted(count, GrammaticalCase::Nominative);
        let some = |count: usize| (count > 0).then(|| counted(CountedNoun::OF_CALLS, count));
        let odd = [
            some(self.contradicted).map(memo::calls_contradicted),
            some(self.failed).map(memo::calls_failed),
            some(self.blocked).map(memo::calls_blocked),
            some(self.unreported).map(memo::calls_unreported),
        ];
        let odd: Vec<Phrase> = odd.into_iter().flatten().collect();
        let calls = counted(CountedNoun::CALLS_THAT_ARE, total);
        if odd.is_empty() {
            return memo::calls_as_announced(and, calls);
        }
        memo::calls_not_all_as_announced(and, calls, Phrase::fold(odd, memo::link_calls))
    }

    fn claims(&self, and: &Phrase) -> Option<Phrase> {
        let ClaimCounts { total, supported, weak, contradicted, not_found } = self.claims?;
        if total == 0 {
            return Some(memo::no_claim(and));
        }
        let claims = CountedNoun::CLAIMS.counted(total, GrammaticalCase::Accusative);
        let [supported, weak, contradicted, not_found] =
            [supported, weak, contradicted, not_found].map(Numeral);
        let verdicts = memo::claims_by_verdict(supported, weak, contradicted, not_found);
        Some(memo::claims(and, claims, verdicts))
    }

    fn approval(&self, and: &Phrase) -> Phrase {
        let who = match self.facts.classes.approval {
            ApprovalClass::A0 => memo::approver_a0(),
            ApprovalClass::A1 => memo::approver_a1(),
            ApprovalClass::A2 => memo::approver_a2(),
            ApprovalClass::A3 => memo::approver_a3(),
        };
        memo::approval_due(and, who)
    }
}

/// The name of a type of action. A type that is not known is not quoted: it is the agent's own
/// text.
fn action(action_type: Option<&str>) -> Phrase {
    action_type.and_then(memo::action).unwrap_or(memo::unknown_action())
}

impl ClaimCounts {
    fn of(ledger: &Json<'_>) -> Self {
        let entries = match ledger.get("entries") {
            Some(Json::List(entries)) => entries.as_slice(),
            _ => &[],
        };
        let count = |word: &str| {
            let is = |entry: &&Json<'_>| matches!(entry.get("verdict"), Some(Json::Text(verdict)) if verdict == word);
            entries.iter().filter(is).count()
        };
        Self {
            total: entries.len(),
            supported: count("supported"),
            weak: count("weak"),
            contradicted: count("contradicted"),
            not_found: count("not_found"),
        }
    }
}

/// An id with as many digits in a row could be a person's number.
const MIN_PERSONAL_NUMBER_DIGITS: usize = 8;
/// An id that is longer is left out.
const MAX_SHOWN_ID_BYTES: usize = 60;
