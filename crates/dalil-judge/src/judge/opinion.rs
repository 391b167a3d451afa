//! The opinion about one chunk and one claim, and the model that gave it.

use dalil_documents::document::HiddenText;
use dalil_evidence::ledger::verdict::SupportLevel;
use dalil_proof::score::Score;

use super::corpus::ChunkRef;
use crate::rule::{self, RuleFinding, RuleOutcome};

/// The judge's opinion about one chunk and one claim.
#[derive(Clone, Debug, PartialEq)]
pub struct ChunkOpinion {
    /// The chunk.
    pub place: ChunkRef,
    /// Where its decisive sentence begins in the text of the document, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// Whether the chunk supports or contradicts the claim.
    pub judgement: ChunkJudgement,
    /// How much of the claim its sentence holds, the rarer words the more.
    pub overlap: Score,
    /// Whether the sentence states it nearly in the words of the claim.
    pub is_direct: bool,
    /// Whether it is in another language than the claim.
    pub is_foreign: bool,
    /// Why a reader of the document does not see the sentence, when so.
    pub hidden: Option<HiddenText>,
    /// The words that cannot both be true, where it contradicts.
    pub reason: Option<ConflictingWords>,
    /// Which model read it.
    pub model: ModelKind,
    /// The findings of the rules.
    pub findings: Vec<RuleFinding>,
}

/// Words of a claim and of evidence that cannot both be true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConflictingWords {
    /// The words of the claim.
    pub claim: String,
    /// The words of the evidence.
    pub evidence: String,
}

/// Which model an opinion is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelKind {
    /// The small one in the program.
    Fast,
    /// The large one in a file.
    Deep,
    /// One behind an endpoint.
    External,
}

/// For, against, or neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkJudgement {
    /// How probable it is that the chunk supports the claim.
    pub support: Score,
    /// How probable it is that it contradicts it.
    pub contradiction: Score,
    /// Whether it supports the claim fully, in part or not.
    pub level: SupportLevel,
    /// Whether it contradicts the claim.
    pub contradicts: bool,
    /// Whether a rule decided that.
    pub is_ruled: bool,
}

impl ChunkOpinion {
    /// Whether it speaks for or against the claim.
    pub fn tells(&self) -> bool {
        self.judgement.contradicts || self.judgement.level != SupportLevel::None
    }

    /// Whether it states another value of the same kind in the same role.
    pub(super) fn states_another_value(&self) -> bool {
        let is_other = |finding: &RuleFinding| {
            finding.kind.counted() && finding.outcome == RuleOutcome::Conflicts
        };
        self.findings.iter().any(is_other)
    }

    /// How sure it is: of the contradiction where it contradicts, otherwise of the support.
    pub fn similarity(&self) -> Score {
        if self.judgement.contradicts {
            self.judgement.contradiction
        } else {
            self.judgement.support
        }
    }
}

/// The pair of words of a claim and a sentence that cannot both be true, where one is found.
pub fn find_conflicting_words(statement: &str, sentence: &str) -> Option<ConflictingWords> {
    let pair = rule::conflicting_words(statement, sentence)?;
    Some(ConflictingWords {
        claim: statement.get(pair.claim)?.to_owned(),
        evidence: sentence.get(pair.evidence)?.to_owned(),
    })
}
