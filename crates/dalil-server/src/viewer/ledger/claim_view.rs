//! A claim on the page of its ledger: the evidence for the verdict, and the claim's state.

use std::ops::Deref;

use dalil_evidence::ledger::ClaimFinding;
use dalil_evidence::ledger::passage::EvidencePassage;
use dalil_evidence::ledger::request::ConflictReason;
use dalil_evidence::ledger::review::{ClaimNeed, ClaimReview, ClaimStanding};
use dalil_evidence::ledger::verdict::{ConflictRuling, Stance, Verdict};

use super::super::highlight::marked;
use super::super::layout::word;
use crate::ledger_head::ClaimColour;

/// A claim, with its number from 1 and its reviews.
pub(super) struct ClaimView<'l> {
    pub(super) number: usize,
    pub(super) finding: &'l ClaimFinding,
    pub(super) standing: ClaimStanding<'l>,
    /// Every review of the claim of this ledger: another check of the answer may have another claim
    /// under the same name.
    pub(super) reviews: Vec<&'l ClaimReview>,
}

impl Deref for ClaimView<'_> {
    type Target = ClaimFinding;

    fn deref(&self) -> &ClaimFinding {
        self.finding
    }
}

impl<'l> ClaimView<'l> {
    /// Whether a person has yet to look at it.
    pub(super) fn needs_person(&self) -> bool {
        self.standing.need(self.finding) == ClaimNeed::Person
    }

    /// Whether one document supports what another contradicts.
    pub(super) fn is_conflict(&self) -> bool {
        self.finding.is_conflict()
    }

    /// The colour of the claim: that of its verdict, unless its sources disagree.
    pub(super) fn tone(&self) -> String {
        claim_tone(ClaimColour::of(self.finding))
    }

    /// The words that cannot both be true, of the first passage that has such.
    pub(super) fn reason(&self) -> Option<&'l ConflictReason> {
        self.finding.evidence_passages.iter().find_map(|one| one.reason.as_ref())
    }

    /// The claim, with its wrong or missing words marked. HTML.
    pub(super) fn marked_claim(&self) -> String {
        let first = self.evidence_passages.first();
        let missing = first.and_then(|first| first.missing.as_deref());
        let missing = missing.filter(|_| self.verdict == Verdict::Weak);
        let words: Vec<(&str, &'static str)> = match (self.reason(), missing) {
            (Some(reason), _) => vec![(reason.claim_words.as_str(), "differs")],
            (None, Some(missing)) => vec![(missing, "lacks")],
            (None, None) => Vec::new(),
        };
        marked(&self.claim_text, &words)
    }

    /// The passages about the claim, first those that the verdict rests on.
    pub(super) fn passages(&self) -> Vec<PassageView<'l>> {
        let is_weighed = self.issues.iter().any(|issue| {
            matches!(issue.ruling, Some(ConflictRuling::Named | ConflictRuling::Amended))
        });
        let all = self.finding.evidence_passages.iter().take(MAX_PASSAGES).enumerate();
        all.map(|(at, passage)| PassageView {
            passage,
            prevails: at == 0 && is_weighed && self.is_conflict(),
        })
        .collect()
    }
}

/// A colour as the style sheet calls it.
pub(super) fn claim_tone(colour: ClaimColour) -> String {
    match colour {
        ClaimColour::Conflict => "conflict".to_owned(),
        ClaimColour::Verdict(verdict) => word(&verdict),
    }
}

/// Words of a document about a claim.
pub(super) struct PassageView<'l> {
    passage: &'l EvidencePassage,
    /// Whether the verdict follows it and not the others.
    pub(super) prevails: bool,
}

impl Deref for PassageView<'_> {
    type Target = EvidencePassage;

    fn deref(&self) -> &EvidencePassage {
        self.passage
    }
}

impl PassageView<'_> {
    /// The colour of its stance.
    pub(super) fn tone(&self) -> &'static str {
        match self.stance {
            Stance::Supports => "supported",
            Stance::SupportsInPart | Stance::MayConflict => "weak",
            Stance::Contradicts => "contradicted",
        }
    }

    /// Its words, with those that differ from the claim marked. HTML.
    pub(super) fn marked_words(&self) -> String {
        let reason = self.reason.as_ref().map(|reason| (reason.evidence_words.as_str(), "differs"));
        marked(&self.snippet, reason.as_slice())
    }
}

/// How many passages a page shows; the ledger has all of them.
const MAX_PASSAGES: usize = 6;
