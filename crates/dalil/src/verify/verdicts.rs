//! The verdicts of a pack's ledger, judged again.

use std::collections::BTreeMap;

use dalil_evidence::ledger::request::LedgerOptions;
use dalil_evidence::pack::PackDraft;
use dalil_judge::extract;
use dalil_phrasebook::{Phrase, file_check};
use dalil_proof::canon;
use dalil_proof::digest::Digest;
use dalil_proof::fault::quote;
use dalil_proof::json::Json;
use dalil_proof::report::VerificationReport;
use dalil_proof::trail::{PayloadField, TrailLine};

use super::VerifyTools;
use crate::check::{self, CheckContext};
use crate::corpus::Corpus;
use crate::panel::{ENGINE_NAME, JudgeBackend};
use crate::sandbox::InputFile;

/// Judges every claim of the ledger again, if everything that it was judged with is here.
pub(super) fn check(
    pack: &PackDraft,
    objects: &BTreeMap<Digest, &[u8]>,
    sessions: &[TrailLine<'_>],
    tools: &VerifyTools<'_>,
    report: &mut VerificationReport,
) {
    let Some(ledger) = &pack.ledger else { return };
    let claims = match ledger.get("entries") {
        Some(Json::List(entries)) => entries.len(),
        _ => 0,
    };
    if claims > tools.scope.claims {
        return report.incomplete(VERDICTS_PART, too_many(claims, tools.scope.claims));
    }
    let again = judge(ledger).and_then(|judge| {
        let panel = tools.models.zip(judge.1);
        let panel = panel.and_then(|(models, digest)| models.named(digest, tools.threads));
        let panel = panel.ok_or_else(file_check::judge_model_not_here)?;
        judge_again(ledger, objects, sessions, (&panel, tools))
    });
    match again {
        Ok(again) => compare(ledger, &again, report),
        Err(message) => report.incomplete(VERDICTS_PART, message),
    }
}

fn too_many(claims: usize, most: usize) -> Phrase {
    file_check::not_judged_again_many_claims(claims, most)
}

/// Who judged, if it was this engine.
fn judge(ledger: &Json<'_>) -> Result<(String, Option<Digest>), Phrase> {
    let judge = ledger.get("judge").ok_or_else(file_check::ledger_names_no_judge)?;
    let named = text(judge, "engine");
    let own = named.filter(|engine| engine == ENGINE_NAME && judge.get("replies").is_none());
    // Replies of an external judge cannot be made again, and another version may judge differently.
    let Some(engine) = own else {
        let engine = text(judge, "engine");
        let engine = quote(engine.as_deref().unwrap_or(""));
        return Err(file_check::judged_by_another_engine(engine, ENGINE_NAME));
    };
    Ok((engine, text(judge, "model_sha256").and_then(|digest| digest.parse().ok())))
}

/// A ledger that was judged again, as JSON.
struct RejudgedLedger {
    entries: Vec<Json<'static>>,
    risks: Vec<Json<'static>>,
}

/// Judges the answer again on the documents that are attached.
fn judge_again(
    ledger: &Json<'_>,
    objects: &BTreeMap<Digest, &[u8]>,
    sessions: &[TrailLine<'_>],
    (panel, tools): (&JudgeBackend<'_>, &VerifyTools<'_>),
) -> Result<RejudgedLedger, Phrase> {
    let session = text(ledger, "session_id");
    // The record of the session commits to the digest of the answer.
    let line = session.as_ref().and_then(|session| {
        sessions.iter().find(|line| line.record.envelope().subject == *session)
    });
    let answer = match line.and_then(|line| line.shown("answer")) {
        Some(PayloadField::Lake { object, .. }) => objects.get(object),
        _ => None,
    };
    let answer = answer
        .and_then(|bytes| std::str::from_utf8(bytes).ok())
        .ok_or_else(file_check::answer_not_attached)?;
    let question = match line.and_then(|line| line.shown("session")) {
        Some(PayloadField::Present { bytes, .. }) => {
            Json::parse(bytes).ok().and_then(|session| text(&session, "query"))
        }
        _ => None,
    };
    // The claims of the answer are judged, however few of them the ledger has.
    let claims = extract::claims(answer, question.as_deref()).claims.len();
    if claims > tools.scope.claims {
        return Err(too_many(claims, tools.scope.claims));
    }
    let documents = documents(ledger, objects)?;
    let sources: Vec<InputFile<'_>> =
        documents.iter().map(|(name, bytes)| InputFile { name, bytes }).collect();
    let corpus = Corpus::of_files(&sources, tools.reader);
    let failed = || file_check::could_not_be_judged_again();
    // An exported ledger calls its time `generated_at`.
    let at = text(ledger, "created_at").or_else(|| text(ledger, "generated_at"));
    let at = at.and_then(|at| at.parse().ok()).ok_or_else(failed)?;
    let setup =
        CheckContext { session, question, at, previous: None, options: LedgerOptions::usual() };
    let checked = check::check(answer, &corpus, panel, &setup, &|_, _| ());
    let content = checked.map_err(|_| failed())?.ledger.content;
    let entries = content.entries.iter().map(|entry| json(&entry.finding).ok_or_else(failed));
    let risks = content.risk_flags.iter().map(|flag| json(flag).ok_or_else(failed));
    let (entries, risks) = (entries.collect::<Result<_, _>>()?, risks.collect::<Result<_, _>>()?);
    Ok(RejudgedLedger { entries, risks })
}

/// The documents that were consulted, in their order.
fn documents<'o>(
    ledger: &Json<'_>,
    objects: &BTreeMap<Digest, &'o [u8]>,
) -> Result<Vec<(String, &'o [u8])>, Phrase> {
    let Some(Json::List(consulted)) = ledger.get("documents") else {
        return Err(file_check::ledger_names_no_documents());
    };
    let mut documents = Vec::new();
    for one in consulted {
        let name = text(one, "filename").unwrap_or_default();
        let digest = text(one, "sha256").and_then(|digest| digest.parse::<Digest>().ok());
        // A document without text could not support or contradict a claim.
        let blank = matches!(one.get("chunks"), Some(Json::Number(chunks)) if *chunks == 0.0);
        match digest.and_then(|digest| objects.get(&digest)) {
            Some(bytes) => documents.push((name, *bytes)),
            None if blank => {}
            None => {
                let name = quote(&name);
                return Err(file_check::consulted_document_not_attached(name));
            }
        }
    }
    Ok(documents)
}

fn compare(ledger: &Json<'_>, again: &RejudgedLedger, report: &mut VerificationReport) {
    let entries = list(ledger, "entries");
    let before = report.findings.len();
    if entries.len() != again.entries.len() {
        let (expected, found) = (again.entries.len(), entries.len());
        let message = file_check::claim_count_differs(expected, found);
        report.fail(VERDICTS_PART, message);
    }
    let pairs = entries.iter().zip(&again.entries).enumerate().take(MAX_SHOWN_DIFFERENCES);
    for (n, (stated, again)) in pairs {
        if let Some(message) = difference(n + 1, stated, again) {
            report.fail(VERDICTS_PART, message);
        }
    }
    let risks = |flags: &[Json<'_>]| -> Vec<_> {
        flags.iter().map(|flag| (part(flag, "type"), part(flag, "affected_claim_ids"))).collect()
    };
    if risks(list(ledger, "risk_flags")) != risks(&again.risks) {
        let message = file_check::risks_differ();
        report.fail(VERDICTS_PART, message);
    }
    if report.findings.len() == before {
        let count = again.entries.len();
        let message = file_check::claims_judged_the_same(count);
        report.pass(VERDICTS_PART, message);
    }
}

/// The difference between a stated claim and the same claim judged again; `None` if there is none.
fn difference(n: usize, stated: &Json<'_>, again: &Json<'_>) -> Option<Phrase> {
    let differs = |name: &str| part(stated, name) != part(again, name);
    if VERDICT_FIELDS.into_iter().any(differs) {
        let (expected, found) = (shown(again), shown(stated));
        return Some(file_check::claim_judged_otherwise(n, expected, found));
    }
    let name = EVIDENCE_FIELDS.into_iter().find(|name| differs(name))?;
    Some(file_check::claim_field_judged_otherwise(n, name))
}

/// A member of an entry as it is compared. The ids of documents name them within one check.
fn part(entry: &Json<'_>, name: &str) -> Option<Json<'static>> {
    let mut part = entry.get(name).filter(|part| **part != Json::Null)?.clone().into_owned();
    without_ids(&mut part);
    Some(part)
}

fn without_ids(json: &mut Json<'static>) {
    match json {
        Json::Object(members) => {
            members.retain(|(name, value)| name != "id" && *value != Json::Null);
            members.sort_by(|(one, _), (other, _)| one.cmp(other));
            members.iter_mut().for_each(|(_, value)| without_ids(value));
        }
        Json::List(items) => items.iter_mut().for_each(without_ids),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Text(_) => {}
    }
}

/// A verdict and its confidence.
fn shown(entry: &Json<'_>) -> String {
    let confidence = match entry.get("confidence_score") {
        Some(Json::Number(number)) => format!(" ({number})"),
        _ => String::new(),
    };
    let verdict = text(entry, "verdict");
    format!("{}{confidence}", quote(verdict.as_deref().unwrap_or("")))
}

fn list<'j>(json: &'j Json<'_>, name: &str) -> &'j [Json<'j>] {
    match json.get(name) {
        Some(Json::List(items)) => items,
        _ => &[],
    }
}

fn json(value: &impl serde::Serialize) -> Option<Json<'static>> {
    Json::parse(&canon::bytes(value).ok()?).ok().map(Json::into_owned)
}

fn text(json: &Json<'_>, name: &str) -> Option<String> {
    match json.get(name) {
        Some(Json::Text(text)) => Some(text.to_string()),
        _ => None,
    }
}

const VERDICTS_PART: &str = "verdicts";
/// What decides a claim.
const VERDICT_FIELDS: [&str; 3] = ["claim_text", "verdict", "confidence_score"];
/// Its evidence. Notes are in the language of the request, which a ledger does not state.
const EVIDENCE_FIELDS: [&str; 6] = [
    "evidence_snippet",
    "evidence_offsets",
    "source_document",
    "evidence_chunk_ids",
    "evidence_passages",
    "findings",
];
const MAX_SHOWN_DIFFERENCES: usize = 10_000;
