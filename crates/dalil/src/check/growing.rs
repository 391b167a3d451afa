//! An answer that is still being written, checked sentence by sentence.
//!
//! ```text
//! pieces ─▶ sentences that are whole ─▶ claims ─▶ judged, unless they were ─▶ updates
//!      └──────────── the end ─▶ the check of the whole answer, with what was judged ─▶ ledger
//! ```
//!
//! Later text may change earlier claims: the row under a line makes it the head of a table, a list
//! of notes defines `[1]`. So each step parses all whole sentences again, and reports new and
//! changed claims. An opinion depends on the question, the corpus and the judge alone, so it is
//! computed once, and the ledger at the end is that of the whole answer.

use std::collections::BTreeMap;

use dalil_documents::sentence::sentences;
use dalil_evidence::ledger::ClaimFinding;
use dalil_evidence::ledger::request::VerdictJudge;
use dalil_judge::judge::{ChunkOpinion, ClaimQuery};
use dalil_proof::digest::Digest;

use super::{CheckContext, CheckFailure, CheckOutcome, check_known};
use crate::corpus::Corpus;
use crate::external::ExternalJudgeFailure;
use crate::panel::{ClaimOpinions, JudgeBackend};

#[cfg(test)]
mod tests;

/// A partial answer, with the claims that were reported so far.
#[derive(Debug)]
pub struct GrowingAnswer {
    answer: String,
    /// Where the sentence begins that may not be whole yet, in bytes.
    whole: usize,
    /// How much of it was looked at for claims.
    looked: usize,
    /// How long it must be before sentences are looked for again.
    next: usize,
    told: Vec<ClaimFinding>,
    judged: JudgedClaims,
}

/// An update about a claim of a partial answer.
#[derive(Clone, Debug, PartialEq)]
pub enum ClaimUpdate {
    /// It was judged, for the first time or again.
    Judged(Box<ClaimFinding>),
    /// It is no claim any more: later text made something else of it.
    Withdrawn {
        /// What named it.
        claim_id: String,
    },
}

/// Earlier opinions, for the same queries.
#[derive(Clone, Debug, Default)]
pub struct JudgedClaims {
    /// Against what, and by whom.
    source: Option<(Digest, Vec<VerdictJudge>)>,
    opinions: BTreeMap<ClaimQuery, Vec<ChunkOpinion>>,
}

impl GrowingAnswer {
    /// An answer without a word yet.
    pub fn new() -> Self {
        Self {
            answer: String::new(),
            whole: 0,
            looked: 0,
            next: 0,
            told: Vec::new(),
            judged: JudgedClaims::default(),
        }
    }

    /// The answer so far.
    pub fn text(&self) -> &str {
        &self.answer
    }

    /// Appends text, and returns whether there are new sentences to judge.
    pub fn push(&mut self, piece: &str) -> bool {
        self.answer.push_str(piece);
        if self.answer.len() < self.next {
            return false;
        }
        let tail = self.answer.get(self.whole..).unwrap_or_default();
        // The last sentence may not be complete: it is whole when another one begins.
        let last = sentences(tail).last().map_or(0, |last| last.start);
        self.whole += last;
        let open = self.answer.len() - self.whole;
        self.next = self.answer.len() + open / LOOKS_PER_DOUBLING + 1;
        let new = self.whole - self.looked;
        new > 0 && new >= self.looked / LOOKS_PER_DOUBLING
    }

    /// Nothing more comes: the next look is at all of it.
    pub fn end(&mut self) {
        self.whole = self.answer.len();
    }

    /// Judges the claims of complete sentences; returns new and changed ones.
    ///
    /// An external judge reports nothing here. It is asked about each claim once, at the end: its
    /// replies are evidence.
    ///
    /// # Errors
    /// As those of [`super::check`].
    pub fn look(
        &mut self,
        corpus: &Corpus,
        panel: &JudgeBackend<'_>,
        setup: &CheckContext,
    ) -> Result<Vec<ClaimUpdate>, CheckFailure> {
        self.looked = self.whole;
        let most = MAX_TIMES_JUDGED * self.told.len() + MIN_JUDGED_EARLY;
        let is_early = self.whole < self.answer.len();
        if matches!(panel, JudgeBackend::External(_))
            || is_early && self.judged.opinions.len() > most
        {
            return Ok(Vec::new());
        }
        let text = self.answer.get(..self.whole).unwrap_or_default();
        let known = (panel, Some(&mut self.judged));
        let checked = check_known(text, corpus, known, setup, &|_, _| ())?;
        let now = checked.ledger.content.entries.into_iter().map(|entry| entry.finding).collect();
        let before = std::mem::replace(&mut self.told, now);
        Ok(updates(&before, &self.told))
    }

    /// The check of the whole answer, as it is when nothing more comes.
    ///
    /// # Errors
    /// As those of [`super::check`].
    pub fn finish(
        mut self,
        corpus: &Corpus,
        panel: &JudgeBackend<'_>,
        setup: &CheckContext,
    ) -> Result<CheckOutcome, CheckFailure> {
        let known = (panel, Some(&mut self.judged));
        check_known(&self.answer, corpus, known, setup, &|_, _| ())
    }

    /// The opinions on it.
    pub fn into_judged(self) -> JudgedClaims {
        self.judged
    }
}

impl Default for GrowingAnswer {
    fn default() -> Self {
        Self::new()
    }
}

/// The findings that differ from those before.
fn updates(before: &[ClaimFinding], now: &[ClaimFinding]) -> Vec<ClaimUpdate> {
    let changed = now.iter().enumerate().filter(|(n, one)| before.get(*n) != Some(*one));
    let changed = changed.map(|(_, one)| ClaimUpdate::Judged(Box::new(one.clone())));
    let gone = before.iter().skip(now.len());
    let gone = gone.map(|one| ClaimUpdate::Withdrawn { claim_id: one.claim_id.clone() });
    changed.chain(gone).collect()
}

impl JudgedClaims {
    /// The opinions about some claims, of which only those are judged that were not before.
    pub(super) fn judge(
        &mut self,
        corpus: &Corpus,
        (answer, panel): (&str, &JudgeBackend<'_>),
        questions: &[ClaimQuery],
        progress: &dyn Fn(usize, usize),
    ) -> Result<ClaimOpinions, ExternalJudgeFailure> {
        if matches!(panel, JudgeBackend::External(_)) {
            return panel.judge(corpus, answer, questions, progress);
        }
        let source = (corpus.fingerprint(), panel.judges());
        if self.source.as_ref() != Some(&source) {
            // An opinion over another corpus is no evidence here.
            *self = Self { source: Some(source), opinions: BTreeMap::new() };
        }
        let is_new = |question: &&ClaimQuery| !self.opinions.contains_key(question);
        let new: Vec<ClaimQuery> = questions.iter().filter(is_new).cloned().collect();
        let known = questions.len() - new.len();
        let step = |done: usize, _: usize| progress(known + done, questions.len());
        let judged = panel.judge(corpus, answer, &new, &step)?;
        self.opinions.extend(new.into_iter().zip(judged.opinions));
        let opinions = questions.iter().filter_map(|one| self.opinions.get(one).cloned());
        Ok(ClaimOpinions { opinions: opinions.collect(), ..judged })
    }
}

/// A long answer is looked at again when it has grown by this part, so that looking at all of it
/// again and again takes time in proportion to its length; a short one after each sentence.
const LOOKS_PER_DOUBLING: usize = 32;
/// How often the claims of an answer are judged on the average before its end. Text that changes all
/// claims before it, again and again, would otherwise cost the square of its length.
const MAX_TIMES_JUDGED: usize = 2;
/// This many are judged in any case.
const MIN_JUDGED_EARLY: usize = 64;
