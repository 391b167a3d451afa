//! A ledger on its page: the claims with their reviews, counted.

use std::collections::BTreeMap;
use std::ops::Deref;

use dalil_evidence::ledger::request::LedgerDocument;
use dalil_evidence::ledger::review::{AnswerReadiness, ClaimReview, ClaimStandings};
use dalil_evidence::ledger::risk::{LedgerRisk, RiskSeverity};
use dalil_evidence::ledger::verdict::Verdict;
use dalil_evidence::ledger::{Ledger, LedgerContent};
use dalil_phrasebook::viewer::ViewerTexts;
use dalil_phrasebook::{Phrase, ledger_view};

use super::super::layout::word;
use super::claim_view::ClaimView;
use super::query::LedgerQuery;

/// A ledger, its claims, and the readiness of the answer.
pub(super) struct LedgerPageView<'l> {
    ledger: &'l Ledger,
    pub(super) claims: Vec<ClaimView<'l>>,
    pub(super) readiness: AnswerReadiness,
}

impl Deref for LedgerPageView<'_> {
    type Target = LedgerContent;

    fn deref(&self) -> &LedgerContent {
        &self.ledger.content
    }
}

impl<'l> LedgerPageView<'l> {
    pub(super) fn new(ledger: &'l Ledger, reviews: &'l [ClaimReview]) -> Self {
        let id = ledger.id.to_string();
        let standings = ClaimStandings::new(reviews, &id);
        let mut said: BTreeMap<&str, Vec<&ClaimReview>> = BTreeMap::new();
        for review in reviews.iter().filter(|one| one.ledger_id == id) {
            said.entry(&review.claim_id).or_default().push(review);
        }
        let findings = ledger.content.entries.iter().map(|entry| &entry.finding).enumerate();
        let claims = findings.map(|(at, finding)| ClaimView {
            number: at + 1,
            finding,
            standing: standings.of(&finding.claim_id),
            reviews: said.get(finding.claim_id.as_str()).map_or_else(Vec::new, Vec::clone),
        });
        let readiness = AnswerReadiness::of(&ledger.content, &id, reviews);
        Self { ledger, claims: claims.collect(), readiness }
    }

    pub(super) fn id(&self) -> String {
        self.ledger.id.to_string()
    }

    /// The colour of the answer's readiness.
    pub(super) fn tone(&self) -> &'static str {
        readiness_tone(self.readiness)
    }

    /// The picture of the answer's readiness.
    pub(super) fn sign(&self) -> &'static str {
        match self.readiness {
            AnswerReadiness::NothingToCheck => "not_found",
            AnswerReadiness::NeedsPerson(_) => "person",
            AnswerReadiness::NeedsCorrection(_) => "contradicted",
            AnswerReadiness::Ready => "supported",
        }
    }

    /// The documents of which something could not be read or seen.
    pub(super) fn troubled(&self) -> Vec<&'l LedgerDocument> {
        let documents = self.ledger.content.documents.iter().flatten();
        documents.filter(|one| !one.problems.is_empty()).collect()
    }

    /// The documents that the answer was checked against, in a few words.
    pub(super) fn against(&self) -> Option<Phrase> {
        let documents = self.documents.as_ref()?;
        Some(match documents.as_slice() {
            [] => return None,
            [only] => ledger_view::against_one(&only.filename),
            [first, rest @ ..] => ledger_view::against_some(&first.filename, rest.len()),
        })
    }

    /// The number of a claim, from 1.
    pub(super) fn number(&self, claim: &str) -> usize {
        self.claims.iter().find(|one| one.claim_id == claim).map_or(0, |one| one.number)
    }

    pub(super) fn judged(&self) -> Option<String> {
        let judge = self.judge.as_ref()?;
        let digest = judge.model_sha256.as_ref().map(|digest| format!(" {digest}"));
        let digest = digest.as_deref().and_then(|digest| digest.get(..20)).unwrap_or("");
        Some(format!("{}, {}{digest}", judge.engine, judge.model))
    }

    pub(super) fn risk_tone(&self, risk: &LedgerRisk) -> &'static str {
        if risk.severity == RiskSeverity::High { "bad" } else { "fair" }
    }

    /// The filters that find something, each with its label, its picture and its count.
    pub(super) fn chips(&self, w: &'static ViewerTexts) -> Vec<ClaimChip> {
        let count = |show: &str| self.claims.iter().filter(|one| takes(show, one)).count();
        let mut chips = vec![
            ClaimChip { show: "", icon: "", label: w.filter_all.into(), count: count("") },
            ClaimChip {
                show: "person",
                icon: "person",
                label: w.need_person.into(),
                count: count("person"),
            },
        ];
        for verdict in Verdict::ALL.iter().map(word) {
            let Some(show) = VERDICT_FILTERS.into_iter().find(|known| *known == verdict) else {
                continue;
            };
            let label = w.of(show).into_owned();
            chips.push(ClaimChip { show, icon: show, label, count: count(show) });
        }
        chips.push(ClaimChip {
            show: "conflict",
            icon: "conflict",
            label: w.sources_disagree.into(),
            count: count("conflict"),
        });
        chips.retain(|chip| chip.count > 0 || chip.show.is_empty());
        chips
    }

    /// The claims that a filter takes.
    pub(super) fn filtered(&self, query: &LedgerQuery) -> Vec<&ClaimView<'l>> {
        let text = query.text.trim().to_lowercase();
        let fits = |one: &&ClaimView<'l>| {
            takes(&query.show, one) && one.claim_text.to_lowercase().contains(&text)
        };
        self.claims.iter().filter(fits).collect()
    }
}

/// The colour of an answer's readiness.
pub(super) fn readiness_tone(readiness: AnswerReadiness) -> &'static str {
    match readiness {
        AnswerReadiness::NothingToCheck => "none",
        AnswerReadiness::NeedsPerson(_) => "fair",
        AnswerReadiness::NeedsCorrection(_) => "bad",
        AnswerReadiness::Ready => "good",
    }
}

/// A filter, and how many claims it takes.
pub(super) struct ClaimChip {
    pub(super) show: &'static str,
    pub(super) icon: &'static str,
    pub(super) label: String,
    pub(super) count: usize,
}

/// Whether a filter takes a claim; an unknown one takes all, as an old address may have it.
fn takes(show: &str, claim: &ClaimView<'_>) -> bool {
    match show {
        "person" => claim.needs_person(),
        "conflict" => claim.is_conflict(),
        verdict if VERDICT_FILTERS.contains(&verdict) => word(&claim.verdict) == verdict,
        _ => true,
    }
}

const VERDICT_FILTERS: [&str; 4] = ["supported", "weak", "contradicted", "not_found"];
