//! Evaluation: labelled pairs through the whole judge, and the figures of it.
//!
//! A set is a file of JSON lines, plain or gzipped: `{"id", "premise", "claim",
//! "label"}`. The premise is read as a document, split, indexed and searched as
//! any other; the claim is the claim.

use std::io::{self, BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use dalil_documents::document::ParsedDocument;
use dalil_documents::formats;
use dalil_documents::split::{self, DocumentChunk};
use dalil_judge::index::{CorpusIndex, IndexSegment};
use dalil_judge::judge::{ChunkOpinion, ClaimQuery, IndexedCorpus, IndexedDocument, PassageJudge};
use dalil_judge::model::{FastModel, ModelFileError};
use dalil_proof::score::Score;
use serde::Deserialize;
use thiserror::Error;

pub use self::metric::{EvalMetrics, JudgedPair, PairLabel, tenths, thousandths};
use crate::corpus::regular;

mod metric;
#[cfg(test)]
mod tests;

/// A set of labelled pairs.
#[derive(Clone, Debug)]
pub struct EvalSet {
    /// The name of its file, without endings.
    pub name: String,
    /// Whether its premises are Arabic, and its claims English or Arabic.
    pub is_arabic: bool,
    pairs: Vec<LabelledPair>,
}

#[derive(Clone, Debug)]
struct LabelledPair {
    line: usize,
    premise: String,
    claim: String,
    label: PairLabel,
}

/// Why a set could not be read.
#[derive(Debug, Error)]
pub enum EvalSetFailure {
    /// The file cannot be read.
    #[error("expected a set of labelled pairs, found `{path}`: {error}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// A set has no pairs.
    #[error("expected labelled pairs, found none in `{path}`")]
    NoPairs {
        /// The file.
        path: PathBuf,
    },
    /// There is no set under some paths.
    #[error("expected sets of labelled pairs, found none under {0}")]
    Empty(String),
    /// A line is not a labelled pair.
    #[error("expected {EXPECTED_PAIR}, found line {line} of `{path}`: {message}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The error in the line.
        message: String,
    },
}

#[derive(Deserialize)]
struct EvalSetLine {
    premise: String,
    claim: String,
    label: String,
    #[serde(default)]
    lang: Option<String>,
}

impl EvalSet {
    /// Reads a set from a file.
    ///
    /// # Errors
    /// A file that cannot be read or has no pair, and the first line that is not a labelled pair.
    pub fn open(path: &Path) -> Result<Self, EvalSetFailure> {
        let failed = |error| EvalSetFailure::Read { path: path.to_owned(), error };
        let file = regular(path).map_err(failed)?;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let packed = name.ends_with(".gz");
        // A `.gz` may be several gzip members one after the other (RFC 1952, 2.2).
        let input: Box<dyn Read> =
            if packed { Box::new(flate2::read::MultiGzDecoder::new(file)) } else { Box::new(file) };
        let mut set = Self {
            name: name.split('.').next().unwrap_or(&name).to_owned(),
            is_arabic: false,
            pairs: Vec::new(),
        };
        // The limit is on unpacked bytes: a small gzip file can unpack to any size.
        for (n, line) in BufReader::new(input.take(MAX_SET_BYTES)).lines().enumerate() {
            let line = line.map_err(failed)?;
            let line = if n == 0 { line.trim_start_matches('\u{feff}') } else { &line };
            if line.trim().is_empty() {
                continue;
            }
            let wrong =
                |message| EvalSetFailure::Line { path: path.to_owned(), line: n + 1, message };
            let row: EvalSetLine =
                serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
            let label = PairLabel::WIRE_NAMES.into_iter().find(|(word, _)| *word == row.label);
            let (_, label) = label.ok_or_else(|| wrong(format!("the label `{}`", row.label)))?;
            set.is_arabic |= row.lang.is_some_and(|lang| lang.starts_with("ar"));
            set.pairs.push(LabelledPair {
                line: n + 1,
                premise: row.premise,
                claim: row.claim,
                label,
            });
        }
        if set.is_empty() {
            return Err(EvalSetFailure::NoPairs { path: path.to_owned() });
        }
        Ok(set)
    }

    /// Keeps at most `most` pairs, spread evenly over the set.
    pub fn limit(&mut self, most: usize) {
        let all = self.pairs.len();
        let mut n = 0;
        self.pairs.retain(|_| {
            // Exactly `most` of the steps `n * most / all` move to the next integer, and evenly.
            let keep = all <= most || n * most / all != (n + 1) * most / all;
            n += 1;
            keep
        });
    }

    /// How many pairs it has.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Judges every pair, on this many threads; the pairs keep their order.
    pub fn judge(
        &self,
        model: &FastModel,
        threads: usize,
        progress: &(dyn Fn() + Sync),
    ) -> Result<Vec<JudgedPair>, ModelFileError> {
        // One thread for the model: the pairs below are already shared among all threads.
        let judge = PassageJudge::fast(model, 1)?;
        let next = Mutex::new(self.pairs.iter().enumerate());
        let done = Mutex::new(Vec::with_capacity(self.pairs.len()));
        std::thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(|| {
                    loop {
                        let taken = next.lock().unwrap_or_else(PoisonError::into_inner).next();
                        let Some((n, pair)) = taken else { break };
                        let judged = pair.judge(&judge);
                        done.lock().unwrap_or_else(PoisonError::into_inner).push((n, judged));
                        progress();
                    }
                });
            }
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|(n, _)| *n);
        Ok(done.into_iter().map(|(_, judged)| judged).collect())
    }
}

impl LabelledPair {
    fn judge(&self, judge: &PassageJudge<'_>) -> JudgedPair {
        let opinions = match formats::read(self.premise.as_bytes(), "premise.txt") {
            Ok(document) => opinions(&document, &self.claim, judge),
            Err(_) => Vec::new(),
        };
        let best = opinions.iter().map(|one| one.judgement.support).max().unwrap_or(Score::ZERO);
        let against =
            opinions.iter().map(|one| one.judgement.contradiction).max().unwrap_or(Score::ZERO);
        let is_contradicted = opinions.iter().any(|one| one.judgement.contradicts);
        JudgedPair {
            line: self.line,
            label: self.label,
            support: best.value(),
            contradiction: against.value(),
            is_supported: !is_contradicted && best.value() >= 0.5,
            is_contradicted,
        }
    }
}

fn opinions(document: &ParsedDocument, claim: &str, judge: &PassageJudge<'_>) -> Vec<ChunkOpinion> {
    let chunks = split::chunks(document);
    let words =
        |chunk: &DocumentChunk| document.text.get(chunk.start..chunk.end).unwrap_or_default();
    let words: Vec<&str> = chunks.iter().map(words).collect();
    let index = CorpusIndex::of(vec![IndexSegment::of(document.digest, &words)]);
    let sources = [IndexedDocument { name: "premise.txt", document, chunks: &chunks }];
    let question = ClaimQuery { statement: claim.to_owned(), ..ClaimQuery::default() };
    let corpus = IndexedCorpus { sources: &sources, index: &index };
    judge.judge(&corpus, &[question], &|_| ()).into_iter().flatten().collect()
}

/// The rate of something, per second.
pub fn pace(count: usize, time: Duration) -> f64 {
    let seconds = time.as_secs_f64();
    if seconds > 0.0 { tenths(count as f64 / seconds) } else { 0.0 }
}

/// The most that one set may hold, unpacked.
const MAX_SET_BYTES: u64 = 4 << 30;
const EXPECTED_PAIR: &str = "`{\"premise\", \"claim\", \"label\"}` with a label of supported, contradicted, neutral or unsupported";
