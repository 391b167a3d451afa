//! The verdicts of a pack's ledger, judged again.

use std::collections::BTreeMap;

use dalil_core::digest::Digest;
use dalil_core::fault::quote;
use dalil_core::json::Json;
use dalil_core::ledger::request::LedgerOptions;
use dalil_core::pack::PackDraft;
use dalil_core::report::{BilingualMessage, VerificationReport};
use dalil_core::say;
use dalil_core::trail::{PayloadField, TrailLine};

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
    let again = judge(ledger).and_then(|judge| {
        let panel = tools.models.zip(judge.1);
        let panel = panel.and_then(|(models, digest)| models.named(digest, tools.threads));
        let panel = panel.ok_or_else(|| {
            say!("its judge's model is not here", "نموذج القاضي الذي حكم به غير متاح")
        })?;
        judge_again(ledger, objects, sessions, (&panel, tools))
    });
    match again {
        Ok(entries) => compare(ledger, &entries, report),
        Err(message) => report.incomplete(VERDICTS_PART, message),
    }
}

/// Who judged, if it was this engine.
fn judge(ledger: &Json<'_>) -> Result<(String, Option<Digest>), BilingualMessage> {
    let judge = ledger
        .get("judge")
        .ok_or_else(|| say!("the ledger names no judge", "لا يسمّي السجل قاضيًا"))?;
    let engine = text(judge, "engine").unwrap_or_default();
    // Replies of an external judge cannot be made again, and another version may judge differently.
    if judge.get("replies").is_some() || engine != ENGINE_NAME {
        let engine = quote(&engine);
        return Err(say!(
            "judged by {engine}, and this is `{ENGINE_NAME}`",
            "حكم بها {engine}، وهذا `{ENGINE_NAME}`",
        ));
    }
    Ok((engine, text(judge, "model_sha256").and_then(|digest| digest.parse().ok())))
}

/// A claim, its verdict and how sure that is.
type ClaimWithVerdict = (String, String, Option<f64>);

/// Judges the answer again on the documents that are attached.
fn judge_again(
    ledger: &Json<'_>,
    objects: &BTreeMap<Digest, &[u8]>,
    sessions: &[TrailLine<'_>],
    (panel, tools): (&JudgeBackend<'_>, &VerifyTools<'_>),
) -> Result<Vec<ClaimWithVerdict>, BilingualMessage> {
    let session = text(ledger, "session_id").unwrap_or_default();
    // The record of the session commits to the digest of the answer.
    let line = sessions.iter().find(|line| line.record.envelope().subject == session);
    let answer = match line.and_then(|line| line.shown("answer")) {
        Some(PayloadField::Lake { object, .. }) => objects.get(object),
        _ => None,
    };
    let answer = answer.and_then(|bytes| std::str::from_utf8(bytes).ok()).ok_or_else(|| {
        say!("the answer that was checked is not attached", "الجواب الذي فُحص غير مرفق")
    })?;
    let question = match line.and_then(|line| line.shown("session")) {
        Some(PayloadField::Present { bytes, .. }) => {
            Json::parse(bytes).ok().and_then(|session| text(&session, "query"))
        }
        _ => None,
    };
    let documents = documents(ledger, objects)?;
    let sources: Vec<InputFile<'_>> =
        documents.iter().map(|(name, bytes)| InputFile { name, bytes }).collect();
    let corpus = Corpus::of_files(&sources, tools.reader);
    let failed = || say!("it could not be judged again", "تعذر الحكم عليها ثانية");
    // An exported ledger calls its time `generated_at`.
    let at = text(ledger, "created_at").or_else(|| text(ledger, "generated_at"));
    let at = at.and_then(|at| at.parse().ok()).ok_or_else(failed)?;
    let setup = CheckContext {
        session: Some(session),
        question,
        at,
        previous: None,
        options: LedgerOptions::usual(),
    };
    let checked = check::check(answer, &corpus, panel, &setup, &|_, _| ());
    let entries = checked.map_err(|_| failed())?.ledger.content.entries;
    let judged = |entry: &dalil_core::ledger::LedgerEntry| {
        // Both sides go through canonical JSON, so that numbers are compared in the same form.
        let json = dalil_core::canon::bytes(&entry.finding).ok()?;
        said(&Json::parse(&json).ok()?)
    };
    entries.iter().map(|entry| judged(entry).ok_or_else(failed)).collect()
}

/// The documents that were consulted, in their order.
fn documents<'o>(
    ledger: &Json<'_>,
    objects: &BTreeMap<Digest, &'o [u8]>,
) -> Result<Vec<(String, &'o [u8])>, BilingualMessage> {
    let Some(Json::List(consulted)) = ledger.get("documents") else {
        return Err(say!("the ledger names no documents", "لا يسمّي السجل مستندات"));
    };
    let mut documents = Vec::new();
    for one in consulted {
        let name = text(one, "filename").unwrap_or_default();
        let digest = text(one, "sha256").and_then(|digest| digest.parse::<Digest>().ok());
        // What had no text could not speak for or against a claim.
        let blank = matches!(one.get("chunks"), Some(Json::Number(chunks)) if *chunks == 0.0);
        match digest.and_then(|digest| objects.get(&digest)) {
            Some(bytes) => documents.push((name, *bytes)),
            None if blank => {}
            None => {
                let name = quote(&name);
                return Err(say!(
                    "{name}, which was consulted, is not attached",
                    "{name}، وقد رُجع إليه، غير مرفق"
                ));
            }
        }
    }
    Ok(documents)
}

fn compare(ledger: &Json<'_>, again: &[ClaimWithVerdict], report: &mut VerificationReport) {
    let entries = match ledger.get("entries") {
        Some(Json::List(entries)) => entries.as_slice(),
        _ => &[],
    };
    let stated: Vec<ClaimWithVerdict> = entries.iter().filter_map(said).collect();
    let before = report.findings.len();
    // Entries that do not parse are missing from `stated`, so both counts are compared.
    if stated.len() != again.len() || entries.len() != again.len() {
        let (expected, found) = (again.len(), entries.len());
        let message = say!(
            "expected {expected} claims, as the answer has, found {found}",
            "عدد الادعاءات المتوقع {expected} كما في الجواب، والموجود {found}",
        );
        report.fail(VERDICTS_PART, message);
    }
    // `check` refuses an answer of more claims, so no claim stays uncompared.
    for (n, (stated, again)) in stated.iter().zip(again).enumerate().take(MAX_SHOWN_DIFFERENCES) {
        if stated != again {
            let n = n + 1;
            let (expected, found) = (shown(again), shown(stated));
            let message = say!(
                "claim {n}: expected {expected} as it is judged again, found {found}",
                "الادعاء {n}: المتوقع {expected} كما حُكم ثانية، والموجود {found}",
            );
            report.fail(VERDICTS_PART, message);
        }
    }
    if report.findings.len() == before {
        let count = again.len();
        let message = say!(
            "{count} claims, judged again with the same model: the same",
            "عدد الادعاءات {count}، حُكم عليها ثانية بالنموذج نفسه: النتيجة نفسها",
        );
        report.pass(VERDICTS_PART, message);
    }
}

/// A verdict and its confidence.
fn shown((_, verdict, confidence): &ClaimWithVerdict) -> String {
    let confidence = confidence.map(|confidence| format!(" ({confidence})")).unwrap_or_default();
    format!("{}{confidence}", quote(verdict))
}

fn said(entry: &Json<'_>) -> Option<ClaimWithVerdict> {
    let confidence = match entry.get("confidence_score") {
        Some(Json::Number(number)) => Some(*number),
        _ => None,
    };
    Some((text(entry, "claim_text")?, text(entry, "verdict")?, confidence))
}

fn text(json: &Json<'_>, name: &str) -> Option<String> {
    match json.get(name) {
        Some(Json::Text(text)) => Some(text.to_string()),
        _ => None,
    }
}

const VERDICTS_PART: &str = "verdicts";
const MAX_SHOWN_DIFFERENCES: usize = 10_000;
