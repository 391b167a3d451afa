//! Checking: an answer and a corpus in, the ledger out.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;

use dalil_evidence::anchor::{Anchor, text_digest};
use dalil_evidence::char_offset::CharOffsetIndex;
use dalil_evidence::ledger::confidence::ConfidenceComponents;
use dalil_evidence::ledger::request::{
    self, AnswerSession, CharOffsets, Claim, ClaimMatch, ConflictReason, JudgeKind, LedgerOptions,
    LedgerRequest, NotClaim, VerdictJudge,
};
use dalil_evidence::ledger::verdict::SupportLevel;
use dalil_evidence::ledger::{self, Ledger};
use dalil_judge::extract::{self, ClaimExtraction};
use dalil_judge::judge::{ChunkOpinion, ClaimQuery, ModelKind};
use dalil_judge::rule::{RuleFinding, RuleOutcome};
use dalil_phrasebook::Language;
use dalil_proof::canon::NotCanonical;
use dalil_proof::digest::Digest;
use dalil_proof::score::Score;
use dalil_proof::time::Time;

use self::growing::JudgedClaims;
use crate::corpus::{Corpus, CorpusDocument};
use crate::panel::{ClaimOpinions, JudgeBackend};

mod amendment;
pub mod growing;
mod note;
#[cfg(test)]
mod tests;

/// The data about an answer beside its text.
#[derive(Clone, Debug)]
pub struct CheckContext {
    /// What names the question and its answer; by default the digest of the answer.
    pub session: Option<String>,
    /// The question.
    pub question: Option<String>,
    /// When it is checked.
    pub at: Time,
    /// The ledger of the check before this one.
    pub previous: Option<String>,
    /// Thresholds and language.
    pub options: LedgerOptions,
}

/// An answer that was checked.
#[derive(Clone, Debug)]
pub struct CheckOutcome {
    /// The claims and what chunks say about them.
    pub request: LedgerRequest,
    /// Every claim with its verdict.
    pub ledger: Ledger,
    /// The bytes of an external judge's replies, which the ledger names by their digests.
    pub replies: Vec<Vec<u8>>,
}

/// Why an answer could not be checked.
#[derive(Debug, thiserror::Error)]
pub enum CheckFailure {
    /// The judge did not answer.
    #[error(transparent)]
    Judge(#[from] crate::external::ExternalJudgeFailure),
    /// The answer claims more than one check takes.
    #[error("expected an answer of at most {MAX_CLAIMS} claims, found {found}")]
    TooManyClaims {
        /// How many it has.
        found: usize,
    },
    /// The ledger has no canonical form.
    #[error(transparent)]
    NotCanonical(#[from] NotCanonical),
}

/// Checks every claim of an answer against a corpus; `progress` is called with the numbers
/// of judged and of all claims.
///
/// # Errors
/// An answer of more than 10,000 claims, and an external judge that does not answer as it
/// should. A judge of our own always does.
pub fn check(
    answer: &str,
    corpus: &Corpus,
    panel: &JudgeBackend<'_>,
    setup: &CheckContext,
    progress: &dyn Fn(usize, usize),
) -> Result<CheckOutcome, CheckFailure> {
    check_known(answer, corpus, (panel, None), setup, progress)
}

/// The same, where some of the claims may have been judged before: the bytes are those of [`check`].
///
/// # Errors
/// As those of [`check`].
pub fn check_known(
    answer: &str,
    corpus: &Corpus,
    (panel, known): (&JudgeBackend<'_>, Option<&mut JudgedClaims>),
    setup: &CheckContext,
    progress: &dyn Fn(usize, usize),
) -> Result<CheckOutcome, CheckFailure> {
    let extracted = extract::claims(answer, setup.question.as_deref());
    // The limit is tested before anything is judged: judging is what takes long.
    if extracted.claims.len() > MAX_CLAIMS {
        return Err(CheckFailure::TooManyClaims { found: extracted.claims.len() });
    }
    let questions = questions(answer, &extracted, corpus);
    // Opinions come in the order of the questions, which is that of the claims: see the zips below.
    let judged = match known {
        Some(known) => known.judge(corpus, (answer, panel), &questions, progress)?,
        None => panel.judge(corpus, answer, &questions, progress)?,
    };
    let ClaimOpinions { opinions, judge, judges, replies } = judged;
    let session = AnswerSession {
        id: setup.session.clone().unwrap_or_else(|| session_id(answer)),
        query: setup.question.clone(),
        mode: None,
    };
    let request = LedgerRequest {
        session,
        created_at: setup.at,
        previous_ledger_id: setup.previous.clone(),
        answer: Some(answer.to_owned()),
        chunks: Some(cited(&extracted, corpus)),
        truncated: Vec::new(),
        claims: {
            let evidence = MatchBuilder {
                corpus,
                judges: &judges,
                counted: DocumentCharOffsets::of(corpus),
                amended: amendment::amended(corpus),
                setup,
            };
            let judged = questions.iter().zip(&opinions);
            claims(answer, &extracted, judged, &evidence, setup.options.language)
        },
        judge: Some(judge),
        documents: Some(corpus.listed().to_vec()),
        not_claims: Some(not_claims(answer, &extracted)),
        options: setup.options,
    };
    let ledger = ledger::check(&request)?;
    Ok(CheckOutcome { request, ledger, replies })
}

/// The judge's query for each claim.
fn questions(answer: &str, extracted: &ClaimExtraction, corpus: &Corpus) -> Vec<ClaimQuery> {
    let question = |(asked, anchors): (ClaimQuery, &[Anchor])| {
        // An anchor that names no chunk is dropped here. Core reports it from the answer.
        let cited = anchors.iter().flat_map(|anchor| {
            let places = corpus.cited(anchor);
            if places.len() > MAX_CITED_PLACES {
                corpus.nearest_among(&asked, &places, MAX_CITED_PLACES)
            } else {
                places
            }
        });
        ClaimQuery { cited: cited.collect(), ..asked.clone() }
    };
    uncited(answer, extracted).map(question).collect()
}

/// The judge's query for each claim before its cited chunks are resolved, with their anchors.
pub(crate) fn uncited<'e>(
    answer: &str,
    extracted: &'e ClaimExtraction,
) -> impl Iterator<Item = (ClaimQuery, &'e [Anchor])> {
    let named = extracted.named_documents(answer);
    extracted.claims.iter().zip(named).map(move |(claim, named)| {
        let question = ClaimQuery {
            statement: claim.statement(answer),
            context: claim.context(answer),
            named,
            cited: Vec::new(),
        };
        (question, claim.anchors.as_slice())
    })
}

/// The input for the matches of every claim.
struct MatchBuilder<'c> {
    corpus: &'c Corpus,
    judges: &'c [VerdictJudge],
    counted: DocumentCharOffsets<'c>,
    /// Of each document, the ids of those that it amends.
    amended: Vec<Vec<String>>,
    setup: &'c CheckContext,
}

fn claims<'q>(
    answer: &str,
    extracted: &ClaimExtraction,
    judged: impl Iterator<Item = (&'q ClaimQuery, &'q Vec<ChunkOpinion>)>,
    evidence: &MatchBuilder<'_>,
    language: Option<Language>,
) -> Vec<Claim> {
    let positions = CharOffsetIndex::of(answer);
    let claims = extracted.claims.iter().zip(judged).enumerate();
    claims
        .map(|(n, (claim, (question, opinions)))| {
            let text = claim.text(answer);
            let language = language.unwrap_or_else(|| Language::of(text));
            let matches = evidence.matches(question, opinions);
            Claim {
                claim_id: format!("clm_{:03}", n + 1),
                claim_text: text.to_owned(),
                claim_type: claim.kind,
                importance: claim.importance,
                start_offset: Some(positions.at(claim.start) as u64),
                end_offset: Some(positions.at(claim.end) as u64),
                // Core finds citations in the answer itself and gives each to the claim around it.
                citation_anchors: Vec::new(),
                notes: Some(note::note(&matches, opinions, evidence.corpus, language)),
                matches,
                judge: opinions.first().and_then(|opinion| evidence.judge(opinion)),
                unrelated_citations: None,
                requires_citation: None,
            }
        })
        .collect()
}

/// The characters of documents, counted when they are first asked for.
struct DocumentCharOffsets<'c>(Vec<(&'c str, OnceCell<CharOffsetIndex<'c>>)>);

impl<'c> DocumentCharOffsets<'c> {
    fn of(corpus: &'c Corpus) -> Self {
        let texts = corpus.held().iter().map(|held| held.document.text.as_str());
        Self(texts.map(|text| (text, OnceCell::new())).collect())
    }

    /// A range of bytes of a document in characters.
    fn offsets(&self, source: usize, start: usize, end: usize) -> Option<CharOffsets> {
        let (text, positions) = self.0.get(source)?;
        let positions = positions.get_or_init(|| CharOffsetIndex::of(text));
        Some(offsets(positions, start, end))
    }
}

impl MatchBuilder<'_> {
    /// The matches of a claim, from the opinions on its chunks.
    fn matches(&self, question: &ClaimQuery, opinions: &[ChunkOpinion]) -> Vec<ClaimMatch> {
        // A chunk without a stance must not raise the count of evidence.
        let telling: Vec<&ChunkOpinion> = opinions.iter().filter(|one| one.tells()).collect();
        let count = telling.len() as u64;
        let named = self.corpus.named(question);
        let one = |opinion: &ChunkOpinion| self.one(opinion, count, &named);
        telling.into_iter().filter_map(one).collect()
    }

    fn one(&self, opinion: &ChunkOpinion, count: u64, named: &[usize]) -> Option<ClaimMatch> {
        let held = self.corpus.held().get(opinion.place.source)?;
        let chunk = held.chunks.get(opinion.place.chunk)?;
        let similarity = opinion.similarity();
        let components = ConfidenceComponents {
            semantic_similarity: similarity,
            evidence_count: count,
            directness: if opinion.is_direct { Score::ONE } else { Score::HALF },
            source_quality: self.source_quality(held),
        };
        let (start, end) = (opinion.start, opinion.end);
        Some(ClaimMatch {
            chunk_id: chunk_id(held, held.words(chunk)),
            document: document(held, opinion.place.chunk),
            similarity,
            support: opinion.judgement.level,
            contradicts: opinion.judgement.contradicts,
            snippet: snippet(held, opinion).into_owned(),
            snippet_offsets: self.counted.offsets(opinion.place.source, start, end),
            components: Some(components),
            hidden: opinion.hidden.map(|why| why.word().to_owned()),
            reason: reason(opinion),
            missing: missing(opinion),
            judge: self.judge(opinion),
            named: named.contains(&opinion.place.source),
            amends: self.amended.get(opinion.place.source).into_iter().flatten().cloned().collect(),
        })
    }

    /// The quality of a document as a source.
    fn source_quality(&self, held: &CorpusDocument) -> Score {
        let CheckContext { at, options, .. } = self.setup;
        // A document that was read only in part may lack the sentence that changes the meaning.
        let is_whole = held.document.problems.is_empty();
        // The age from which the ledger calls a source outdated.
        let date = held.document.date.as_ref();
        let is_current = !date.is_some_and(|date| date.is_older_than(options.outdated_days, *at));
        match (is_whole, is_current) {
            (true, true) => Score::ONE,
            (true, false) | (false, true) => Score::HALF,
            (false, false) => Score::QUARTER,
        }
    }

    /// Who holds an opinion.
    fn judge(&self, opinion: &ChunkOpinion) -> Option<VerdictJudge> {
        let kind = match opinion.model {
            ModelKind::Fast => JudgeKind::Fast,
            ModelKind::Deep => JudgeKind::Deep,
            ModelKind::External => JudgeKind::External,
        };
        self.judges.iter().find(|one| one.kind == kind).cloned()
    }
}

/// The words that cannot both be true.
fn reason(opinion: &ChunkOpinion) -> Option<ConflictReason> {
    let words = opinion.reason.as_ref()?;
    let (claim_words, evidence_words) = (words.claim.clone(), words.evidence.clone());
    Some(ConflictReason { claim_words, evidence_words })
}

/// What evidence that supports a claim in part does not state: the first value or condition that
/// the rules missed in it.
fn missing(opinion: &ChunkOpinion) -> Option<String> {
    let is_partial = opinion.judgement.level == SupportLevel::Partial;
    let open =
        |one: &&RuleFinding| matches!(one.outcome, RuleOutcome::Missing | RuleOutcome::Wider);
    opinion.findings.iter().filter(|_| is_partial).find(open).map(|one| one.said.clone())
}

/// Where a chunk is from.
fn document(held: &CorpusDocument, chunk: usize) -> request::EvidenceDocument {
    let block = held.chunks.get(chunk).and_then(|chunk| held.document.blocks.get(chunk.block));
    request::EvidenceDocument {
        id: held.id(),
        filename: held.name.clone(),
        page_number: block.and_then(|block| block.page).map(u64::from),
        heading_path: block.map(|block| block.headings.clone()).filter(|path| !path.is_empty()),
        date: held.document.date.clone(),
        truncated: None,
        uri: held.retrieved.as_ref().and_then(|chunk| chunk.uri.clone()),
        metadata: held.retrieved.as_ref().map_or_else(BTreeMap::new, |one| one.metadata.clone()),
    }
}

/// The id of a chunk: the anchor of its words, or the retrieving application's own.
fn chunk_id(held: &CorpusDocument, words: &str) -> String {
    match &held.retrieved {
        Some(chunk) => chunk.id.clone(),
        None => anchor(words),
    }
}

/// The quotation of an opinion. Wholly hidden words are quoted in full:
/// the match marks them as hidden.
fn snippet<'h>(held: &'h CorpusDocument, opinion: &ChunkOpinion) -> Cow<'h, str> {
    let part = opinion.start..opinion.end;
    match opinion.hidden {
        None => held.document.quotation(&part),
        Some(_) => Cow::Borrowed(held.document.text.get(part).unwrap_or_default()),
    }
}

fn anchor(words: &str) -> String {
    Anchor::shortest(&text_digest(words), []).as_str().to_owned()
}

/// The chunks that the answer cites.
fn cited(extracted: &ClaimExtraction, corpus: &Corpus) -> Vec<request::CitableChunk> {
    let mut places: Vec<_> = extracted
        .claims
        .iter()
        .flat_map(|claim| &claim.anchors)
        .filter_map(|anchor| corpus.cited(anchor).first().map(|place| (anchor, *place)))
        .collect();
    // Two claims may cite the same anchor. Sorting also makes the list independent of their order.
    places.sort_unstable();
    places.dedup();
    let chunk = |(named, place): (&Anchor, dalil_judge::judge::ChunkRef)| {
        let held = corpus.held().get(place.source)?;
        let words = held.words(held.chunks.get(place.chunk)?);
        // An anchor may name one sentence of the chunk. Then the sentence is the citable text.
        let whole = held.retrieved.as_ref().map(|chunk| chunk.text.as_str());
        let whole = whole.filter(|text| named.names(&text_digest(text)));
        let text = whole.or_else(|| crate::corpus::named(words, named))?;
        Some(request::CitableChunk {
            chunk_id: chunk_id(held, text),
            text: text.to_owned(),
            document: Some(document(held, place.chunk)),
        })
    };
    places.into_iter().filter_map(chunk).collect()
}

fn not_claims(answer: &str, extracted: &ClaimExtraction) -> Vec<NotClaim> {
    let positions = CharOffsetIndex::of(answer);
    let skipped = extracted.skipped.iter();
    skipped
        .map(|one| NotClaim {
            offsets: offsets(&positions, one.start, one.end),
            reason: one.why.word().to_owned(),
        })
        .collect()
}

/// A range of bytes in characters.
fn offsets(positions: &CharOffsetIndex<'_>, start: usize, end: usize) -> CharOffsets {
    CharOffsets { start: positions.at(start) as u64, end: positions.at(end) as u64 }
}

/// The id of a session without a name: the short digest of the answer.
pub fn session_id(answer: &str) -> String {
    let digest = Digest::of(answer.as_bytes()).hex();
    format!("ses_{}", digest.get(..16).unwrap_or_default())
}

/// A longer ledger could not be read, and judging it would take an hour.
pub(crate) const MAX_CLAIMS: usize = 10_000;
/// The number of judged parts of one cited chunk. A claim is in one or two of them, each costs
/// milliseconds, and an answer may cite the longest chunk in every sentence.
const MAX_CITED_PLACES: usize = 24;
