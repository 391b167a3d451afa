//! The content of the pages, as data for the templates.

use dalil_evidence::access::MemberTitle;
use dalil_evidence::anchor::{self, AnchorIndex};
use dalil_evidence::approval::{self, ApprovalVote};
use dalil_evidence::decision::PromptTemplateUse;
use dalil_evidence::ledger::review::{AnswerReadiness, ClaimNeed, ClaimStandings};
use dalil_evidence::ledger::verdict::Verdict;
use dalil_evidence::ledger::{ClaimFinding, Ledger};
use dalil_evidence::pack::{self, MemoTexts, PackDraft, PackSource, ToolCall};
use dalil_phrasebook::count::arabic_digits;
use dalil_phrasebook::{Language, ledger_view};
use dalil_proof::digest::Digest;
use dalil_proof::json::Json;
use dalil_proof::receipt::Receipt;
use serde::Serialize;

use super::PrintoutAnswer;
use super::claims::{self, PdfClaimsView};
use super::digits::DigitStyle;
use super::glyphs::{PageTextWriter, PrintableJson, PrintableText};
use super::history::{
    PrintoutApproval, PrintoutApprovalOutcome, PrintoutHistory, PrintoutVersion,
    PrintoutVersionStatus,
};
use super::printout::PackPrintout;
use crate::answer_segment::{self, AnswerSegment};
use crate::markup::without_markup;
use crate::pack::{place, unreported};

/// The pages of a pack.
#[derive(Debug, Serialize)]
pub(super) struct PackView {
    title: PrintableText,
    summary: Vec<MemoParagraph>,
    body: Vec<MemoParagraph>,
    translated: bool,
    digest: String,
    decision: PdfDecisionView,
    sources: Vec<SourceView>,
    calls: Vec<CallView>,
    prompts: Vec<PromptView>,
    ledger: Option<PdfClaimsView>,
    findings: Vec<FindingView>,
    review: ReviewView,
    seal: PdfSealView,
    /// The page that verifies, which the code leads to.
    verify_url: Option<String>,
    digits: DigitStyle,
    press: &'static str,
    /// How many characters are shown by their codes.
    replaced: Option<String>,
}

/// The pages of a ledger.
#[derive(Debug, Serialize)]
pub(super) struct LedgerView {
    ledger: PdfClaimsView,
    question: Option<PrintableText>,
    answer: Option<PdfAnswerView>,
    /// The state of the answer as a whole.
    standing: PdfStandingView,
    id: String,
    digest: String,
    verify_url: Option<String>,
    digits: DigitStyle,
    press: &'static str,
    replaced: Option<String>,
}

/// The answer that a ledger is about, in its own language.
#[derive(Debug, Serialize)]
struct PdfAnswerView {
    l: &'static str,
    pieces: Vec<PdfAnswerPiece>,
}

/// Words of an answer: those of a claim, with its number and verdict, or those between claims.
#[derive(Debug, Serialize)]
struct PdfAnswerPiece {
    t: String,
    claim: Option<PdfAnswerClaim>,
}

#[derive(Debug, Serialize)]
struct PdfAnswerClaim {
    to: usize,
    number: String,
    verdict: Verdict,
}

#[derive(Debug, Serialize)]
struct PdfStandingView {
    /// `good`, `watch`, `bad` or `rest`.
    mark: &'static str,
    words: String,
}

/// A paragraph: words, and references to sources between them.
type MemoParagraph = Vec<MemoSegment>;

/// A piece of a paragraph.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum MemoSegment {
    /// Words.
    Words(PrintableText),
    /// The number of a source.
    Cite { to: usize, number: String },
}

/// The state of the printed version of a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum PrintedPackStatus {
    /// It was reviewed.
    Resolved,
    /// No votes yet.
    Unresolved,
    /// At least one rejection.
    Rejected,
    /// There is a later version.
    Superseded,
    /// At least one approval, and more are needed.
    PartlyApproved,
}

#[derive(Debug, Serialize)]
struct PdfDecisionView {
    pack_id: String,
    version: String,
    supersedes: Option<String>,
    status: PrintedPackStatus,
    decision_id: PrintableText,
    decision_hash: String,
    objective: Option<PrintableText>,
    recommendation: Option<PrintableJson>,
    rationale: Option<PrintableText>,
    options: Vec<PrintableJson>,
    decided: String,
    created: String,
    entity: PrintableText,
    tenant: PrintableText,
    agent: PrintableText,
    model: Option<PrintableText>,
    trace: Option<PrintableText>,
    confidence: Option<String>,
    approval: String,
    approvers: String,
    reversibility: String,
    sensitivity: String,
    requirement: dalil_evidence::policy::PackRequirement,
    reasons: Vec<PrintableText>,
    window: String,
}

#[derive(Debug, Serialize)]
struct SourceView {
    number: String,
    name: PrintableText,
    uri: Option<PrintableText>,
    reference: Option<PrintableText>,
    excerpt: PrintableText,
    digest: Option<String>,
    retrieved: String,
    confidence: String,
    stale: bool,
    anchor: String,
}

#[derive(Debug, Serialize)]
struct CallView {
    number: String,
    tool: PrintableText,
    id: Option<PrintableText>,
    agent: Option<PrintableText>,
    at: Option<String>,
    intended: Option<PrintableJson>,
    actual: Option<PrintableJson>,
    contradiction: bool,
    differs: Vec<PrintableText>,
    outcome: Option<pack::tool::ToolCallOutcome>,
    checked: pack::tool::ToolCallStatus,
    inputs: Option<PrintableJson>,
    outputs: Option<PrintableJson>,
    effects: Vec<PrintableText>,
    /// Whether the texts of intention and execution may break across pages.
    long: bool,
}

#[derive(Debug, Serialize)]
struct PromptView {
    name: PrintableText,
    version: Option<PrintableText>,
    length: Option<String>,
}

#[derive(Debug, Serialize)]
struct FindingView {
    place: String,
    rule: &'static str,
    message: PrintableText,
    state: pack::PackFlagState,
}

#[derive(Debug, Serialize)]
struct ReviewView {
    /// Whether there is no review of it.
    nobody: bool,
    reviewer: Option<PrintableText>,
    at: Option<String>,
    approvals: Vec<ApprovalView>,
    versions: Vec<VersionView>,
}

#[derive(Debug, Serialize)]
struct ApprovalView {
    who: PrintableText,
    /// Titles; known ones are translated to the language of the document.
    roles: Vec<PrintableText>,
    outcome: String,
    at: String,
    reason: Option<PrintableText>,
}

#[derive(Debug, Serialize)]
struct VersionView {
    version: String,
    pack_id: String,
    created: Option<String>,
    reviewer: Option<PrintableText>,
    status: PrintoutVersionStatus,
    this: bool,
}

#[derive(Debug, Serialize)]
struct PdfSealView {
    keys: Vec<PrintableText>,
    receipt: Option<ReceiptView>,
}

#[derive(Debug, Serialize)]
struct ReceiptView {
    index: String,
    origin: Option<PrintableText>,
    size: Option<String>,
    root: Option<String>,
    record: Option<String>,
    recorded: Option<String>,
    /// The signed checkpoint, a line each.
    checkpoint: Vec<PrintableText>,
}

/// The pages of a pack.
pub(super) fn pack(sheet: &PackPrintout, pen: &PageTextWriter) -> PackView {
    let draft = sheet.draft();
    let memo = &draft.memo;
    let MemoTexts { title, summary, body } = memo.texts(pen.language);
    let digests: Vec<Digest> =
        draft.sources.iter().map(|source| anchor::text_digest(&source.excerpt)).collect();
    let mut view = PackView {
        title: pen.title(&without_citations(title)),
        summary: paragraphs(summary, &digests, pen),
        body: paragraphs(body, &digests, pen),
        translated: memo.translated_from.is_some_and(|from| from != pen.language),
        digest: sheet.digest().to_string(),
        decision: decision(draft, sheet.history(), pen),
        sources: draft
            .sources
            .iter()
            .zip(1..)
            .map(|(one, n)| source(one, n, &digests, pen))
            .collect(),
        calls: draft.tool_calls.iter().zip(1..).map(|(one, n)| call(one, n, pen)).collect(),
        prompts: draft.prompts.iter().map(|one| prompt(one, pen)).collect(),
        ledger: draft.ledger.as_ref().map(|ledger| claims::of(ledger, pen)),
        findings: draft.findings.iter().map(|one| finding(one, draft, pen)).collect(),
        review: review(sheet, pen),
        seal: PdfSealView {
            keys: sheet.keys().iter().map(|key| pen.line(key)).collect(),
            receipt: sheet.receipt().map(|one| receipt(one, pen)),
        },
        verify_url: sheet.history().verify_url.clone(),
        digits: pen.style,
        press: super::PRESS_VERSION,
        replaced: None,
    };
    // Last: the count is complete only when every text has been written.
    view.replaced = replaced(pen);
    view
}

/// The pages of a ledger.
pub(super) fn ledger(
    (ledger, about): (&Ledger, &PrintoutAnswer),
    digest: &str,
    claims: PdfClaimsView,
    pen: &PageTextWriter,
) -> LedgerView {
    let mut view = LedgerView {
        ledger: claims,
        question: about.question.as_deref().map(|question| pen.title(question)),
        answer: about.answer.as_deref().map(|text| answer(text, ledger, pen)),
        standing: standing(ledger, about, pen),
        id: ledger.id.to_string(),
        digest: digest.to_owned(),
        verify_url: about.verify_url.clone(),
        digits: pen.style,
        press: super::PRESS_VERSION,
        replaced: None,
    };
    view.replaced = replaced(pen);
    view
}

/// The answer, cut at its claims.
fn answer(text: &str, ledger: &Ledger, pen: &PageTextWriter) -> PdfAnswerView {
    let findings: Vec<&ClaimFinding> =
        ledger.content.entries.iter().map(|entry| &entry.finding).collect();
    let language = pen.language_of(text);
    let piece = |AnswerSegment { text, claim }: AnswerSegment| {
        let place = claim.and_then(|(id, verdict)| {
            let at = findings.iter().position(|finding| finding.claim_id == id)?;
            Some(PdfAnswerClaim { to: at + 1, number: pen.number(at as u64 + 1), verdict })
        });
        let words = without_citations(&without_markup(&text));
        PdfAnswerPiece { t: pen.piece_of(&words, language).t, claim: place }
    };
    let pieces = answer_segment::pieces(text.trim_end(), &findings);
    PdfAnswerView { l: language.tag(), pieces: pieces.into_iter().map(piece).collect() }
}

/// The state of the answer after the attached reviews.
fn standing(ledger: &Ledger, about: &PrintoutAnswer, pen: &PageTextWriter) -> PdfStandingView {
    let id = ledger.id.to_string();
    let reviews = about.claim_reviews(&id);
    let readiness = AnswerReadiness::of(&ledger.content, &id, &reviews);
    let standings = ClaimStandings::new(&reviews, &id);
    let standing = |finding: &ClaimFinding| standings.of(&finding.claim_id);
    let findings = || ledger.content.entries.iter().map(|entry| &entry.finding);
    let is_wrong = |finding: &ClaimFinding| {
        let need = standing(finding).need(finding);
        finding.verdict == Verdict::Contradicted && need != ClaimNeed::Nothing
    };
    let mark = match readiness {
        AnswerReadiness::Ready => "good",
        AnswerReadiness::NothingToCheck => "rest",
        AnswerReadiness::NeedsPerson(_) | AnswerReadiness::NeedsCorrection(_) => {
            if findings().any(is_wrong) { "bad" } else { "watch" }
        }
    };
    // The attachment is unsigned: a review of a claim that does not exist does not count.
    let counted: usize = findings().map(|finding| standing(finding).counted().count()).sum();
    let said = match counted {
        0 => readiness.phrase(),
        count => ledger_view::standing_after_reviews(readiness.phrase(), count),
    };
    PdfStandingView { mark, words: arabic_figures(pen, &pen.label(said)) }
}

/// A sentence of the phrasebook that has 2 in both languages, with the digits of the document.
fn arabic_figures(pen: &PageTextWriter, words: &str) -> String {
    match pen.language {
        Language::English => words.to_owned(),
        Language::Arabic => pen.style.apply(arabic_digits(words)),
    }
}

fn replaced(pen: &PageTextWriter) -> Option<String> {
    let count = pen.replaced();
    (count > 0).then(|| pen.number(count))
}

fn decision(draft: &PackDraft, history: &PrintoutHistory, pen: &PageTextWriter) -> PdfDecisionView {
    let model = draft.model.as_ref().map(|model| match &draft.model_version {
        Some(version) => pen.line(&format!("{model} ({version})")),
        None => pen.line(model),
    });
    let words = &draft.words;
    PdfDecisionView {
        pack_id: draft.pack_id.to_string(),
        version: pen.number(draft.version),
        supersedes: draft.supersedes.as_ref().map(ToString::to_string),
        status: status(draft, history),
        decision_id: pen.line(draft.decision_id.as_str()),
        decision_hash: draft.decision_hash.to_string(),
        objective: words.objective.as_ref().map(|text| pen.text(text)),
        recommendation: words.recommendation.as_ref().and_then(|one| pen.json(one)),
        rationale: words.rationale.as_ref().map(|text| pen.text(text)),
        options: words.options_considered.iter().filter_map(|one| pen.json(one)).collect(),
        decided: pen.time(draft.decided_at),
        created: pen.time(draft.created_at),
        entity: pen.line(&draft.entity_id),
        tenant: pen.line(draft.tenant_id.as_str()),
        agent: pen.line(&draft.agent_name),
        model,
        trace: draft.trace_id.as_ref().map(|trace| pen.line(trace)),
        confidence: draft.confidence.map(|score| pen.percent(score)),
        approval: format!("{:?}", draft.classes.approval),
        approvers: pen.number(draft.classes.approval.approvers().into()),
        reversibility: format!("{:?}", draft.classes.reversibility),
        sensitivity: format!("{:?}", draft.classes.sensitivity),
        requirement: draft.requirement,
        reasons: own(pen.reasons(draft), pen),
        window: pen.number(draft.data_freshness_window_hours),
    }
}

/// The state of this version: reviewed, rejected or approved, under its seal or in the history
/// between it and the next version; or superseded.
fn status(draft: &PackDraft, history: &PrintoutHistory) -> PrintedPackStatus {
    let later = history.versions.iter().filter(|one| one.version > draft.version);
    let is_superseded = later.clone().next().is_some();
    let next = later.filter_map(|one| one.created_at).min();
    let during = |at| draft.created_at <= at && next.is_none_or(|next| at < next);
    let said = |outcome: PrintoutApprovalOutcome| {
        history.approvals.iter().any(|one| one.outcome == outcome && during(one.at))
    };
    let sealed = draft.approvals.iter().any(|vote| vote.outcome == approval::VoteOutcome::Rejected);
    match draft.status {
        _ if sealed => PrintedPackStatus::Rejected,
        pack::PackStatus::Unresolved if said(PrintoutApprovalOutcome::Rejected) => {
            PrintedPackStatus::Rejected
        }
        _ if is_superseded => PrintedPackStatus::Superseded,
        pack::PackStatus::Unresolved if said(PrintoutApprovalOutcome::Approved) => {
            PrintedPackStatus::PartlyApproved
        }
        pack::PackStatus::Unresolved => PrintedPackStatus::Unresolved,
        pack::PackStatus::Resolved => PrintedPackStatus::Resolved,
    }
}

/// Words of the press itself, in the document's language.
fn own(words: Vec<String>, pen: &PageTextWriter) -> Vec<PrintableText> {
    words.into_iter().map(|t| PrintableText { t, l: pen.language.tag() }).collect()
}

fn source(
    source: &PackSource,
    number: u64,
    digests: &[Digest],
    pen: &PageTextWriter,
) -> SourceView {
    let digest = anchor::text_digest(&source.excerpt);
    SourceView {
        number: pen.number(number),
        name: pen.line(&source.source),
        uri: source.uri.as_ref().map(|uri| pen.line(uri)),
        reference: source.reference.as_ref().map(|reference| pen.line(reference)),
        excerpt: pen.text(&source.excerpt),
        digest: source.content_hash.map(|digest| digest.to_string()),
        retrieved: pen.time(source.retrieved_at),
        confidence: pen.percent(source.confidence),
        stale: source.stale,
        anchor: AnchorIndex::new(digests.iter().copied()).shortest(&digest).to_string(),
    }
}

fn call(call: &ToolCall, number: u64, pen: &PageTextWriter) -> CallView {
    let (intended, actual) = (pen.json(&call.intended_action), actual(call, pen));
    let shown = [&intended, &actual].into_iter().flatten().map(|one| one.text.t.len());
    CallView {
        long: shown.sum::<usize>() > MAX_UNSPLIT_CALL_BYTES,
        number: pen.number(number),
        tool: pen.line(&call.tool_name),
        id: call.tool_call_id.as_ref().map(|id| pen.line(id)),
        agent: call.agent_name.as_ref().map(|agent| pen.line(agent)),
        at: call.invoked_at.map(|at| pen.time(at)),
        intended,
        actual,
        contradiction: call.contradiction_flag,
        differs: differs(call, pen),
        outcome: call.outcome,
        checked: call.verification_status,
        inputs: pen.json(&call.inputs),
        outputs: pen.json(&call.outputs),
        effects: call.side_effects.iter().flatten().map(|effect| pen.text(effect)).collect(),
    }
}

/// Where the actions of a call differ.
fn differs(call: &ToolCall, pen: &PageTextWriter) -> Vec<PrintableText> {
    call.contradictions.iter().map(|path| pen.cell(place(path).text(pen.language))).collect()
}

/// The execution of a call; for a call that was never reported, a phrase of the press.
fn actual(call: &ToolCall, pen: &PageTextWriter) -> Option<PrintableJson> {
    match unreported(call) {
        Some(words) => pen.json(&Json::Text(words.into_text(pen.language))),
        None => pen.json(&call.actual_action),
    }
}

fn prompt(prompt: &PromptTemplateUse, pen: &PageTextWriter) -> PromptView {
    PromptView {
        name: pen.line(&prompt.template_name),
        version: prompt.template_version.as_ref().map(|version| pen.line(version)),
        length: prompt.rendered_length.map(|length| pen.number(length)),
    }
}

fn finding(finding: &pack::PackFlag, draft: &PackDraft, pen: &PageTextWriter) -> FindingView {
    let words = pen.finding(finding, draft.data_freshness_window_hours);
    FindingView {
        place: pen.place(&finding.path),
        rule: finding.rule,
        message: pen.line(&words),
        state: finding.state,
    }
}

fn review(sheet: &PackPrintout, pen: &PageTextWriter) -> ReviewView {
    let draft = sheet.draft();
    let version = |one: &PrintoutVersion| VersionView {
        version: pen.number(one.version),
        pack_id: one.pack_id.to_string(),
        created: one.created_at.map(|at| pen.time(at)),
        reviewer: one.reviewer_id.as_ref().map(|who| pen.cell(who)),
        status: one.status,
        this: one.pack_id == draft.pack_id,
    };
    let approvals = approvals(draft, &sheet.history().approvals, pen);
    ReviewView {
        nobody: draft.reviewer_id.is_none() && approvals.is_empty(),
        reviewer: draft.reviewer_id.as_ref().map(|who| pen.line(who)),
        at: draft.reviewed_at.map(|at| pen.time(at)),
        approvals,
        versions: sheet.history().versions.iter().map(version).collect(),
    }
}

/// The approvals under the seal, then those that only the history has.
fn approvals(
    draft: &PackDraft,
    told: &[PrintoutApproval],
    pen: &PageTextWriter,
) -> Vec<ApprovalView> {
    let same = |vote: &ApprovalVote, one: &PrintoutApproval| {
        vote.approver == one.approver && vote.at == one.at
    };
    let view =
        |who: &str, roles: Vec<PrintableText>, outcome, at, reason: Option<&String>| ApprovalView {
            who: pen.cell(who),
            roles,
            outcome,
            at: pen.time(at),
            reason: reason.map(|reason| pen.cell(reason)),
        };
    let sealed = draft.approvals.iter().map(|vote| {
        let titles = vote.titles.iter().map(|title| role(title.as_str(), pen)).collect();
        let told = told.iter().find(|one| same(vote, one)).and_then(|one| one.reason.as_ref());
        let reason = vote.reason.as_ref().or(told);
        let outcome = format!("{:?}", vote.outcome).to_lowercase();
        view(&vote.approver, titles, outcome, vote.at, reason)
    });
    // Sealed votes are shown from the seal; the unsigned history only adds to them.
    let others = told.iter().filter(|one| !draft.approvals.iter().any(|vote| same(vote, one)));
    let others = others.map(|one| {
        let roles = one.role.iter().flat_map(|role| role.split(", ")).map(|word| role(word, pen));
        let outcome = format!("{:?}", one.outcome).to_lowercase();
        view(&one.approver, roles.collect(), outcome, one.at, one.reason.as_ref())
    });
    sealed.chain(others).collect()
}

/// A title; the templates have words for those that are known by this very spelling.
fn role(word: &str, pen: &PageTextWriter) -> PrintableText {
    let known = MemberTitle::WIRE_NAMES.iter().any(|(title, _)| *title == word);
    if known { PrintableText { t: word.to_owned(), l: "en" } } else { pen.line(word) }
}

fn receipt(receipt: &Receipt, pen: &PageTextWriter) -> ReceiptView {
    let checkpoint = receipt.unverified_checkpoint();
    let record = receipt.unverified_record().ok();
    ReceiptView {
        index: pen.number(receipt.unverified_index()),
        origin: checkpoint.as_ref().map(|one| pen.line(one.origin())),
        size: checkpoint.as_ref().map(|one| pen.number(one.head().size)),
        root: checkpoint.as_ref().map(|one| one.head().root.to_string()),
        record: record.as_ref().map(|one| one.leaf().to_string()),
        recorded: record.as_ref().map(|one| pen.time(one.envelope().at)),
        checkpoint: receipt.note().to_string().lines().map(|line| pen.text(line)).collect(),
    }
}

/// A text of the memo, its citations as numbers of sources.
fn paragraphs(text: &str, sources: &[Digest], pen: &PageTextWriter) -> Vec<MemoParagraph> {
    let known = AnchorIndex::new(sources.iter().copied());
    let parts = text.split("\n\n").filter(|part| !part.trim().is_empty());
    let paragraph = |part: &str| {
        let mut pieces = Vec::new();
        let mut from = 0;
        let words = |range: std::ops::Range<usize>, pieces: &mut Vec<MemoSegment>| {
            if let Some(words) = part.get(range).filter(|words| !words.is_empty()) {
                pieces.push(MemoSegment::Words(pen.piece(words)));
            }
        };
        for citation in anchor::citations(part) {
            let place = known
                .resolve(&citation.anchor)
                .ok()
                .and_then(|digest| sources.iter().position(|source| *source == digest));
            // A citation of no source stays in the words as it is.
            let Some(place) = place else { continue };
            words(from..citation.start, &mut pieces);
            pieces.push(MemoSegment::Cite { to: place + 1, number: pen.number(place as u64 + 1) });
            from = citation.end;
        }
        words(from..part.len(), &mut pieces);
        pieces
    };
    parts.map(paragraph).collect()
}

fn without_citations(text: &str) -> String {
    let mut plain = String::new();
    let mut from = 0;
    for citation in anchor::citations(text) {
        // The space before it goes with it: `leave [cite:…].` becomes `leave.`
        plain.push_str(text.get(from..citation.start).unwrap_or_default().trim_end());
        from = citation.end;
    }
    plain.push_str(text.get(from..).unwrap_or_default());
    plain
}

/// A call with more bytes than these, intended and done, may be parted between pages: about half
/// of one, where a value is JSON with a line for each field.
const MAX_UNSPLIT_CALL_BYTES: usize = 1_200;
