//! Reading a request for a ledger.

use std::collections::HashSet;

use serde::{Serialize, Serializer};

use super::gate::Gate;
use super::verdict::min_weak_similarity;
use crate::anchor::{Anchor, Known, Unresolved, text_digest};
use crate::claim::{Importance, Kind};
use crate::fault::{Fault, Refused, quote};
use crate::json::{Json, MAX_INTEGER};
use crate::read::{self, Fields, Reader};
use crate::score::Score;
use crate::time::Time;

pub use self::context::{Consulted, Judge, NotClaim, Offsets};
pub use self::matching::{ConflictReason, JudgeKind, Match, VerdictJudge};

mod context;
mod matching;
mod stored;

/// Claims of one answer and what chunks say about them.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The question and its answer.
    pub session: Session,
    /// When the answer is checked.
    pub created_at: Time,
    /// The ledger of the check before this one.
    pub previous_ledger_id: Option<String>,
    /// The answer, for its citations.
    pub answer: Option<String>,
    /// The chunks that citations may name, when they are known.
    pub chunks: Option<Vec<Chunk>>,
    /// Names of documents that were cut before the claims were looked for in them.
    pub truncated: Vec<String>,
    /// The claims, in the order of the answer.
    pub claims: Vec<Claim>,
    /// Who judged.
    pub judge: Option<Judge>,
    /// The documents that the claims were looked for in.
    pub documents: Option<Vec<Consulted>>,
    /// What in the answer is not a claim.
    pub not_claims: Option<Vec<NotClaim>>,
    /// Thresholds and language.
    pub options: Options,
}

/// One question and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Session {
    /// What names it.
    pub id: String,
    /// The question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// How it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
}

/// One checkable statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// What names it; unique in its request.
    pub claim_id: String,
    /// The statement.
    pub claim_text: String,
    /// What it states.
    pub claim_type: Kind,
    /// How much it matters.
    pub importance: Importance,
    /// Where it begins in the answer, in characters.
    pub start_offset: Option<u64>,
    /// Where it ends.
    pub end_offset: Option<u64>,
    /// The chunks that it cites.
    pub citation_anchors: Vec<Anchor>,
    /// What chunks say about it.
    pub matches: Vec<Match>,
    /// The judge's explanation, in place of the usual one.
    pub notes: Option<String>,
    /// Who judged, where no match says so: of a claim that was not found.
    pub judge: Option<VerdictJudge>,
    /// The citations that the judge found not to bear on the claim; when nothing is said, they
    /// are those whose chunk no match is from.
    pub unrelated_citations: Option<Vec<Anchor>>,
}

/// Where a chunk is from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Document {
    /// What names it.
    pub id: String,
    /// Its file name.
    pub filename: String,
    /// The page, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_number: Option<u64>,
    /// The headings above the chunk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading_path: Option<Vec<String>>,
    /// When it is from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<Date>,
    /// Whether it was cut before the claims were looked for in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncated: Option<bool>,
}

/// A day or a moment, kept as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Date {
    text: String,
    time: Time,
}

impl Date {
    /// Whether it is more than `days` before `now`: a moment exactly, a day by the calendar in UTC.
    pub fn is_older_than(&self, days: i64, now: Time) -> bool {
        if self.text.len() == DAY.len() {
            return now.days_since(self.time) > days;
        }
        now.millis().saturating_sub(self.time.millis()) > days.saturating_mul(DAY_MILLIS)
    }

    /// Whether it is before another one; a day begins at midnight in UTC.
    pub fn is_before(&self, other: &Self) -> bool {
        self.time < other.time
    }
}

impl std::str::FromStr for Date {
    type Err = crate::time::NotATime;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let day = text.len() == DAY.len();
        let time = if day { format!("{text}T00:00:00Z").parse() } else { text.parse() }?;
        Ok(Self { text: text.to_owned(), time })
    }
}

impl std::fmt::Display for Date {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

/// A chunk that citations may name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Chunk {
    /// What names it.
    pub chunk_id: String,
    /// Its words, which its anchor is made from.
    pub text: String,
    /// The document it is from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<Document>,
}

/// Thresholds and language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The language of follow-up questions; by default that of each claim.
    pub language: Option<Language>,
    /// How many days old a source may be.
    pub outdated_days: i64,
    /// A match that is less similar does not make a claim weak.
    pub min_weak_similarity: Score,
    /// What the ledger must reach.
    pub gate: Gate,
}

impl Options {
    /// A year, the usual floor and the usual gate.
    pub fn usual() -> Self {
        let min_weak_similarity = min_weak_similarity();
        Self { language: None, outdated_days: 365, min_weak_similarity, gate: Gate::usual() }
    }
}

/// A language that people read and are asked in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// `en`.
    English,
    /// `ar`.
    Arabic,
}

impl Language {
    /// The published words.
    pub const WORDS: [(&'static str, Self); 2] = [("en", Self::English), ("ar", Self::Arabic)];

    /// The words of this language.
    pub const fn pick<'w>(self, english: &'w str, arabic: &'w str) -> &'w str {
        match self {
            Self::English => english,
            Self::Arabic => arabic,
        }
    }

    /// The language of a text: Arabic when at least half of its letters are.
    pub fn of(text: &str) -> Self {
        let letters = text.chars().filter(|ch| ch.is_alphabetic());
        let (mut arabic, mut other) = (0_usize, 0_usize);
        for ch in letters {
            let is_arabic = matches!(ch, '\u{600}'..='\u{6ff}' | '\u{750}'..='\u{77f}');
            *(if is_arabic { &mut arabic } else { &mut other }) += 1;
        }
        if arabic > 0 && arabic >= other { Self::Arabic } else { Self::English }
    }
}

impl Request {
    /// Reads a request.
    ///
    /// # Errors
    /// Everything wrong with it.
    pub fn read(text: &[u8]) -> Result<Self, Refused> {
        read::request(text, request)
    }
}

fn request(reader: Reader<'_, '_>) -> Option<Request> {
    let mut fields = reader.object()?;
    let session = fields.required("session", session);
    let created_at = fields.required("created_at", read::time);
    let previous = fields.optional("previous_ledger_id", read::filled);
    let answer = fields.optional("answer", read::owned);
    let chunks = fields.optional("chunks", |list| list.list(chunk));
    let truncated = fields.or("truncated", Vec::new(), |list| list.list(read::filled));
    let text = answer.as_ref().and_then(Option::as_ref);
    let length = text.map(|answer| answer.chars().count() as u64);
    let claims = fields.required("claims", |list| claims(list, length));
    let judge = fields.optional("judge", context::judge);
    let documents = fields.optional("documents", |list| list.list(context::consulted));
    let not_claims = fields.optional("not_claims", |list| list.list(context::not_claim));
    let options = fields.or("options", Options::usual(), options);
    let known = fields.done();
    let (chunks, claims) = (chunks?, claims?);
    unambiguous(reader, &claims, chunks.as_deref().unwrap_or_default())?;
    known?;
    Some(Request {
        session: session?,
        created_at: created_at?,
        previous_ledger_id: previous?,
        answer: answer?,
        chunks,
        truncated: truncated?,
        claims,
        judge: judge?,
        documents: documents?,
        not_claims: not_claims?,
        options: options?,
    })
}

fn session(reader: Reader<'_, '_>) -> Option<Session> {
    let mut fields = reader.object()?;
    let id = fields.required("id", read::filled);
    let query = fields.optional("query", read::owned);
    let mode = fields.optional("mode", read::owned);
    fields.done()?;
    Some(Session { id: id?, query: query?, mode: mode? })
}

fn claims(reader: Reader<'_, '_>, length: Option<u64>) -> Option<Vec<Claim>> {
    let mut seen = HashSet::new();
    reader.list(|reader| {
        let claim = claim(reader, length);
        match reader.json.get("claim_id") {
            Some(Json::Text(id)) if !seen.insert(id.as_ref()) => {
                let path = format!("{}.claim_id", reader.path());
                let found = format!("{} again", quote(id));
                reader.push(Fault::new("duplicate", path, "each claim once", found))
            }
            _ => claim,
        }
    })
}

/// Refuses citations of claims that could mean more than one chunk.
fn unambiguous(reader: Reader<'_, '_>, claims: &[Claim], chunks: &[Chunk]) -> Option<()> {
    let known = Known::new(chunks.iter().map(|chunk| text_digest(&chunk.text)));
    let mut clean = Some(());
    for (n, claim) in claims.iter().enumerate() {
        for (k, anchor) in claim.citation_anchors.iter().enumerate() {
            if let Err(ambiguous @ Unresolved::Ambiguous { .. }) = known.resolve(anchor) {
                clean = reader.push(Fault {
                    rule: "ambiguous_anchor",
                    path: format!("claims[{n}].citation_anchors[{k}]"),
                    message: ambiguous.to_string(),
                    hint: Some("write more digits of the anchor".to_owned()),
                });
            }
        }
    }
    clean
}

/// A name that a ledger repeats wherever it speaks of the claim.
fn short(reader: Reader<'_, '_>) -> Option<String> {
    let text = read::filled(reader)?;
    let fits = text.chars().count() <= MAX_NAME;
    fits.then_some(text)
        .or_else(|| reader.refuse("length", format!("at most {MAX_NAME} characters")))
}

fn claim(reader: Reader<'_, '_>, length: Option<u64>) -> Option<Claim> {
    let mut fields = reader.object()?;
    let claim_id = fields.required("claim_id", short);
    let claim_text = fields.required("claim_text", read::filled);
    let claim_type = fields.required("claim_type", |word| word.choice(&Kind::WORDS));
    let importance = fields.required("importance", |word| word.choice(&Importance::WORDS));
    let offsets = offsets(reader, &mut fields, length);
    let matches = fields.or("matches", Vec::new(), |list| list.list(matching::one_match));
    let notes = fields.optional("notes", read::filled);
    let cited = fields.or("citation_anchors", Vec::new(), anchors);
    let judge = fields.optional("judge", matching::verdict_judge);
    let unrelated = fields.optional("unrelated_citations", anchors);
    // Part of the founder's contract; the verdict does not depend on it.
    let requires_citation = fields.optional("requires_citation", read::flag);
    fields.done()?;
    let _unused = requires_citation?;
    let (start_offset, end_offset) = offsets?;
    Some(Claim {
        claim_id: claim_id?,
        claim_text: claim_text?,
        claim_type: claim_type?,
        importance: importance?,
        start_offset,
        end_offset,
        citation_anchors: cited?,
        matches: matches?,
        notes: notes?,
        judge: judge?,
        unrelated_citations: unrelated?,
    })
}

fn anchors(reader: Reader<'_, '_>) -> Option<Vec<Anchor>> {
    reader.list(|one| one.parsed("anchor", Anchor::EXPECTED))
}

/// The claim's place: both ends or neither, in order, and inside the answer.
fn offsets(
    reader: Reader<'_, '_>,
    fields: &mut Fields<'_, '_>,
    length: Option<u64>,
) -> Option<(Option<u64>, Option<u64>)> {
    let start = fields.optional("start_offset", |offset| offset.whole(0..=MAX_INTEGER));
    let end =
        fields.optional("end_offset", |offset| offset.whole(0..=length.unwrap_or(MAX_INTEGER)));
    let (start, end) = (start?, end?);
    match (start, end) {
        (Some(first), Some(last)) if last < first => {
            let path = format!("{}.end_offset", reader.path());
            let expected = format!("an offset from {first}, where the claim starts");
            reader.push(Fault::new("range", path, expected, format!("`{last}`")))
        }
        _ => Some((start, end)),
    }
}

fn document(reader: Reader<'_, '_>) -> Option<Document> {
    let mut fields = reader.object()?;
    let id = fields.required("id", read::filled);
    let filename = fields.required("filename", read::filled);
    let page_number = fields.optional("page_number", |page| page.whole(1..=MAX_INTEGER));
    let heading_path = fields.optional("heading_path", |path| path.list(read::owned));
    let date = fields.optional("date", |date| date.parsed("time", DATE));
    let truncated = fields.optional("truncated", read::flag);
    fields.done()?;
    Some(Document {
        id: id?,
        filename: filename?,
        page_number: page_number?,
        heading_path: heading_path?,
        date: date?,
        truncated: truncated?,
    })
}

fn chunk(reader: Reader<'_, '_>) -> Option<Chunk> {
    let mut fields = reader.object()?;
    let chunk_id = fields.required("chunk_id", read::filled);
    let text = fields.required("text", read::filled);
    let document = fields.optional("document", document);
    fields.done()?;
    Some(Chunk { chunk_id: chunk_id?, text: text?, document: document? })
}

fn options(reader: Reader<'_, '_>) -> Option<Options> {
    let mut fields = reader.object()?;
    let usual = Options::usual();
    let language = fields.optional("language", |word| word.choice(&Language::WORDS));
    let outdated_days = fields.or("outdated_days", 365, |days| days.whole(0..=MAX_DAYS));
    let floor = fields.or("min_weak_similarity", usual.min_weak_similarity, read::score);
    let gate = fields.or("gate", usual.gate, gate);
    fields.done()?;
    let outdated_days = i64::try_from(outdated_days?).unwrap_or(usual.outdated_days);
    Some(Options { language: language?, outdated_days, min_weak_similarity: floor?, gate: gate? })
}

fn gate(reader: Reader<'_, '_>) -> Option<Gate> {
    let mut fields = reader.object()?;
    let usual = Gate::usual();
    let min_coverage = fields.or("min_coverage", usual.min_coverage, read::score);
    let max_unsupported = fields.or("max_unsupported", usual.max_unsupported, read::score);
    let contradicted =
        fields.or("max_contradicted_critical", 0, |count| count.whole(0..=MAX_INTEGER));
    fields.done()?;
    Some(Gate {
        min_coverage: min_coverage?,
        max_unsupported: max_unsupported?,
        max_contradicted_critical: usize::try_from(contradicted?).unwrap_or(usize::MAX),
    })
}

/// The shape of a day.
const DAY: &str = "2024-01-31";
const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;
const DATE: &str = "a date such as `2024-01-31`, or an RFC 3339 time";
/// Ten thousand years: longer than any date can be past.
const MAX_DAYS: u64 = 3_652_500;
const MAX_NAME: usize = 200;
