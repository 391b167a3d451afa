//! Checking: an answer and a corpus in, the ledger out.

use std::cell::OnceCell;

use dalil_core::anchor::{Anchor, text_digest};
use dalil_core::canon::NotCanonical;
use dalil_core::digest::Digest;
use dalil_core::ledger::confidence::Components;
use dalil_core::ledger::request::{
    self, Claim, ConflictReason, Consulted, Language, Match, NotClaim, Offsets, Options, Request,
    Session,
};
use dalil_core::ledger::{self, Ledger};
use dalil_core::position::Positions;
use dalil_core::score::Score;
use dalil_core::time::Time;
use dalil_engine::extract::{self, Extracted};
use dalil_engine::judge::{Opinion, Question};
use dalil_engine::rule::{Finding, Outcome};

use crate::corpus::{Corpus, Held};
use crate::panel::{Panel, Verdicts};

mod note;
#[cfg(test)]
mod tests;

/// What is known about an answer beside its words.
#[derive(Clone, Debug)]
pub struct Setup {
    /// What names the question and its answer; by default the digest of the answer.
    pub session: Option<String>,
    /// The question.
    pub question: Option<String>,
    /// When it is checked.
    pub at: Time,
    /// The ledger of the check before this one.
    pub previous: Option<String>,
    /// Thresholds and language.
    pub options: Options,
}

/// An answer that was checked.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The claims and what chunks say about them.
    pub request: Request,
    /// Every claim with its verdict.
    pub ledger: Ledger,
    /// The bytes of an external judge's replies, which the ledger names by their digests.
    pub replies: Vec<Vec<u8>>,
}

/// Why an answer could not be checked.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The judge did not answer.
    #[error(transparent)]
    Judge(#[from] crate::external::Failure),
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

/// Checks every claim of an answer against a corpus; `progress` hears how many claims of how
/// many are judged.
///
/// # Errors
/// An answer of more than 10,000 claims, and an external judge that does not answer as it
/// should. A judge of our own always does.
pub fn check(
    answer: &str,
    corpus: &Corpus,
    panel: &Panel<'_>,
    setup: &Setup,
    progress: &dyn Fn(usize, usize),
) -> Result<Checked, Failure> {
    let extracted = extract::claims(answer, setup.question.as_deref());
    if extracted.claims.len() > MAX_CLAIMS {
        return Err(Failure::TooManyClaims { found: extracted.claims.len() });
    }
    let questions: Vec<Question> = extracted
        .claims
        .iter()
        .map(|claim| Question {
            statement: claim.statement(answer),
            search: claim.search(answer),
            cited: claim.anchors.iter().filter_map(|anchor| corpus.cited(anchor)).collect(),
        })
        .collect();
    let Verdicts { opinions, judge, replies } = panel.judge(corpus, &questions, progress)?;
    let session = Session {
        id: setup.session.clone().unwrap_or_else(|| session_id(answer)),
        query: setup.question.clone(),
        mode: None,
    };
    let request = Request {
        session,
        created_at: setup.at,
        previous_ledger_id: setup.previous.clone(),
        answer: Some(answer.to_owned()),
        chunks: Some(cited(&extracted, corpus)),
        truncated: Vec::new(),
        claims: claims(answer, &extracted, &opinions, corpus, setup.options.language),
        judge: Some(judge),
        documents: Some(consulted(corpus)),
        not_claims: Some(not_claims(answer, &extracted)),
        options: setup.options,
    };
    let ledger = ledger::check(&request)?;
    Ok(Checked { request, ledger, replies })
}

fn claims(
    answer: &str,
    extracted: &Extracted,
    opinions: &[Vec<Opinion>],
    corpus: &Corpus,
    language: Option<Language>,
) -> Vec<Claim> {
    let positions = Positions::of(answer);
    let counted = Counted::of(corpus);
    let claims = extracted.claims.iter().zip(opinions).enumerate();
    claims
        .map(|(n, (claim, opinions))| {
            let text = claim.text(answer);
            let language = language.unwrap_or_else(|| Language::of(text));
            let matches = matches(opinions, corpus, &counted);
            Claim {
                claim_id: format!("clm_{:03}", n + 1),
                claim_text: text.to_owned(),
                claim_type: claim.kind,
                importance: claim.importance,
                start_offset: Some(positions.at(claim.start) as u64),
                end_offset: Some(positions.at(claim.end) as u64),
                citation_anchors: Vec::new(),
                notes: Some(note::note(&matches, opinions, corpus, language)),
                matches,
                judge: None,
                unrelated_citations: None,
            }
        })
        .collect()
}

/// The characters of documents, counted when they are first asked for.
struct Counted<'c>(Vec<(&'c str, OnceCell<Positions<'c>>)>);

impl<'c> Counted<'c> {
    fn of(corpus: &'c Corpus) -> Self {
        let texts = corpus.held().iter().map(|held| held.document.text.as_str());
        Self(texts.map(|text| (text, OnceCell::new())).collect())
    }

    /// A range of bytes of a document in characters.
    fn offsets(&self, source: usize, start: usize, end: usize) -> Option<Offsets> {
        let (text, positions) = self.0.get(source)?;
        let positions = positions.get_or_init(|| Positions::of(text));
        Some(offsets(positions, start, end))
    }
}

/// What the chunks that speak for or against a claim say.
fn matches(opinions: &[Opinion], corpus: &Corpus, counted: &Counted<'_>) -> Vec<Match> {
    let telling: Vec<&Opinion> = opinions.iter().filter(|one| one.tells()).collect();
    let count = telling.len() as u64;
    telling
        .into_iter()
        .filter_map(|opinion| {
            let held = corpus.held().get(opinion.place.source)?;
            let chunk = held.chunks.get(opinion.place.chunk)?;
            let similarity = opinion.similarity();
            let problems = held.document.problems.is_empty();
            let components = Components {
                semantic_similarity: similarity,
                evidence_count: count,
                directness: if opinion.is_direct { Score::ONE } else { half() },
                source_quality: if problems { Score::ONE } else { half() },
            };
            Some(Match {
                chunk_id: anchor(held.words(chunk)),
                document: document(held, opinion.place.chunk),
                similarity,
                support: opinion.judgement.level,
                contradicts: opinion.judgement.contradicts,
                snippet: snippet(held, opinion).to_owned(),
                snippet_offsets: counted.offsets(opinion.place.source, opinion.start, opinion.end),
                components: Some(components),
                hidden: None,
                reason: reason(opinion),
                missing: None,
                judge: None,
                named: false,
                amends: Vec::new(),
            })
        })
        .collect()
}

/// The first pair of words that the rules found in conflict.
fn reason(opinion: &Opinion) -> Option<ConflictReason> {
    let conflicts = opinion.findings.iter().filter(|one| one.outcome == Outcome::Conflicts);
    let pair = |one: &Finding| {
        let claim_words = one.said.clone();
        Some(ConflictReason { claim_words, evidence_words: one.found.clone()? })
    };
    conflicts.filter_map(pair).next()
}

/// Where a chunk is from.
fn document(held: &Held, chunk: usize) -> request::Document {
    let block = held.chunks.get(chunk).and_then(|chunk| held.document.blocks.get(chunk.block));
    request::Document {
        id: held.id(),
        filename: held.name.clone(),
        page_number: block.and_then(|block| block.page).map(u64::from),
        heading_path: block.map(|block| block.headings.clone()).filter(|path| !path.is_empty()),
        date: held.document.date.clone(),
        truncated: None,
    }
}

fn snippet<'h>(held: &'h Held, opinion: &Opinion) -> &'h str {
    held.document.text.get(opinion.start..opinion.end).unwrap_or_default()
}

fn anchor(words: &str) -> String {
    Anchor::shortest(&text_digest(words), []).as_str().to_owned()
}

/// The chunks that the answer cites.
fn cited(extracted: &Extracted, corpus: &Corpus) -> Vec<request::Chunk> {
    let mut places: Vec<_> = extracted
        .claims
        .iter()
        .flat_map(|claim| &claim.anchors)
        .filter_map(|anchor| corpus.cited(anchor).map(|place| (anchor, place)))
        .collect();
    places.sort_unstable();
    places.dedup();
    let chunk = |(named, place): (&Anchor, dalil_engine::judge::Place)| {
        let held = corpus.held().get(place.source)?;
        let words = held.words(held.chunks.get(place.chunk)?);
        let text = crate::corpus::named(words, named)?;
        Some(request::Chunk {
            chunk_id: anchor(text),
            text: text.to_owned(),
            document: Some(document(held, place.chunk)),
        })
    };
    places.into_iter().filter_map(chunk).collect()
}

fn consulted(corpus: &Corpus) -> Vec<Consulted> {
    let held = corpus.held().iter().map(|held| Consulted {
        id: held.id(),
        filename: held.name.clone(),
        sha256: held.document.digest,
        chunks: held.chunks.len() as u64,
        problems: held.document.problems.iter().map(ToString::to_string).collect(),
    });
    let unread = corpus.unread().iter().map(|unread| Consulted {
        id: unread.id(),
        filename: unread.name.clone(),
        sha256: unread.digest,
        chunks: 0,
        problems: vec![unread.message.clone()],
    });
    held.chain(unread).collect()
}

fn not_claims(answer: &str, extracted: &Extracted) -> Vec<NotClaim> {
    let positions = Positions::of(answer);
    let skipped = extracted.skipped.iter();
    skipped
        .map(|one| NotClaim {
            offsets: offsets(&positions, one.start, one.end),
            reason: one.why.word().to_owned(),
        })
        .collect()
}

/// A range of bytes in characters.
fn offsets(positions: &Positions<'_>, start: usize, end: usize) -> Offsets {
    Offsets { start: positions.at(start) as u64, end: positions.at(end) as u64 }
}

/// What names the session of an answer that nobody has named: the digest of the answer, short.
pub fn session_id(answer: &str) -> String {
    let digest = Digest::of(answer.as_bytes()).hex();
    format!("ses_{}", digest.get(..16).unwrap_or_default())
}

fn half() -> Score {
    Score::from_units(5_000).unwrap_or_default()
}

/// No answer has more claims; nobody could read the ledger, and judging it would take an hour.
const MAX_CLAIMS: usize = 10_000;
