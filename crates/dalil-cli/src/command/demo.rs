//! `dalil demo`: one decision, walked through everything.
//!
//! The files of `examples/` are part of the program, so the walk needs nothing
//! else. Each step names the command that does the same by hand.

use std::fs;
use std::path::{Path, PathBuf};

use dalil_evidence::bundle::{BuiltBundle, BundleRequest, LakeWrite, build};
use dalil_evidence::citation_source::event;
use dalil_evidence::citation_source::request::SourcesRequest;
use dalil_evidence::ledger::gate;
use dalil_evidence::ledger::request::LedgerGate;
use dalil_evidence::ledger::{self, Ledger, request};
use dalil_evidence::obligation::{package, validate};
use dalil_evidence::pack::{self, PackDraft};
use dalil_evidence::{policy, verify};
use dalil_phrasebook::Language;
use dalil_proof::canon;
use dalil_proof::fault::Refused;
use dalil_proof::json::Json;
use dalil_proof::report::CheckStatus;
use dalil_render::ledger::table::table;
use serde::Serialize;

use crate::error::{CliError, CommandOutcome};
use crate::lake::LakeFolder;
use crate::reply::ReplyWriter;

pub(in crate::command) mod file;
mod trail;

/// Take one decision through every step, with the example files
///
/// Builds a bundle, closes a ledger, chooses sources, packages obligations, asks the policy,
/// assembles, reviews and seals a pack, proves it under a cosigned checkpoint, verifies it as an
/// outsider would, and shows that one changed byte is detected. The keys are part of this program:
/// never trust anything signed with them.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Also write the results to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// One step: the question it answers, the command that does it, and the result.
#[derive(Debug, Serialize)]
struct DemoStep {
    question: &'static str,
    command: &'static str,
    said: String,
}

/// The files made on the way, by name.
type DemoFiles = Vec<(&'static str, String)>;

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    let mut made = DemoFiles::new();
    let draft = pack::assemble(file::PACK_REQUEST)?;
    let mut steps = vec![
        bundle(&mut made)?,
        ledger(&mut made)?,
        sources(&mut made)?,
        obligations(&mut made)?,
        assessed()?,
        assembled(&draft, &mut made)?,
        refused(),
    ];
    steps.extend(sealed(&draft, &mut made)?);
    if let Some(folder) = &args.out {
        write(folder, &made)?;
    }
    if reply.is_json() {
        reply.value(&steps)?;
    } else {
        reply.view(&story(&steps, args))?;
    }
    Ok(CommandOutcome::Holds)
}

fn bundle(made: &mut DemoFiles) -> Result<DemoStep, CliError> {
    let request = BundleRequest::parse(file::BUNDLE_REQUEST)?;
    let artifacts = request.lake_uris().into_iter().map(|uri| (uri.clone(), file::lake(uri)));
    let artifacts = artifacts.collect();
    let BuiltBundle { bundle, keep: _ } = build(request, &artifacts, None)?;
    made.push(("bundle.json", text(&bundle)?));
    let summary = &bundle.summary;
    let masks = |item: &dalil_evidence::bundle::BundleItem| {
        item.head.metadata.redactions.as_ref().map_or(0, |redactions| redactions.redaction_count)
    };
    let masked: usize = bundle.items.iter().map(masks).sum();
    let shortened = bundle.items.iter().filter(|item| item.head.metadata.bounding.applied).count();
    let mut said = format!(
        "bundle {}\n{} items, {} bytes, about {} tokens; {masked} value masked, {shortened} items shortened\n",
        bundle.bundle_id, summary.item_count, summary.total_bytes, summary.approx_tokens,
    );
    for cut in &bundle.cuts {
        let (size, limit) = (cut.byte_count, word(&cut.reason)?);
        line(&mut said, &format!("cut {}: {size} bytes, over {limit}", cut.evidence_id));
    }
    Ok(DemoStep {
        question: "What may the model see?",
        command: "dalil bundle examples/requests/bundle.json --lake examples/corpus",
        said,
    })
}

fn ledger(made: &mut DemoFiles) -> Result<DemoStep, CliError> {
    let request = request::LedgerRequest::read(file::LEDGER_REQUEST)?;
    let ledger = ledger::check(&request)?;
    made.push(("ledger.json", text(&ledger)?));
    Ok(DemoStep {
        question: "Is the answer true to the documents?",
        command: "dalil ledger examples/requests/ledger-agreement.json --format table --gate",
        said: format!("{}{}", table(&ledger, Language::English), judgment(&ledger)?),
    })
}

/// The figures of a ledger, its risks, and the findings that keep it from passing the gate.
fn judgment(ledger: &Ledger) -> Result<String, CliError> {
    let content = &ledger.content;
    let mut said = String::new();
    let coverage = content.summary.coverage_label();
    let unsupported = content.summary.unsupported_rate.percent();
    line(&mut said, &format!("evidence coverage {coverage}, unsupported {unsupported}%"));
    for flag in &content.risk_flags {
        let (severity, what) = (word(&flag.risk.severity)?, &flag.risk.description);
        line(&mut said, &format!("risk ({severity}): {what}"));
    }
    for question in &content.follow_up_questions {
        line(&mut said, &format!("ask: {question}"));
    }
    let report = gate::report(&LedgerGate::usual(), ledger);
    for part in report.findings.iter().filter(|part| part.verdict == CheckStatus::Fail) {
        line(&mut said, &format!("gate fails: {}", part.message.english()));
    }
    Ok(said)
}

fn sources(made: &mut DemoFiles) -> Result<DemoStep, CliError> {
    let json = Json::parse(file::SOURCES_REQUEST)?;
    let request = SourcesRequest::read(&json)?;
    let event = event::SourcesEvent::of(&request);
    made.push(("sources.json", text(&event)?));
    let mut said = String::new();
    for source in &event.payload.sources {
        let snippet = source.snippet.unwrap_or("-");
        line(&mut said, &format!("{}. {}: {snippet}", source.rank, source.source_id));
    }
    Ok(DemoStep {
        question: "What do I show beside the answer?",
        command: "dalil sources examples/requests/sources.json",
        said,
    })
}

fn obligations(made: &mut DemoFiles) -> Result<DemoStep, CliError> {
    let json = Json::parse(file::PACKAGE_REQUEST)?;
    let package = package::package(&json)?;
    let records = text(&package)?;
    let mut said = format!("{} records\n", package.records.len());
    for skip in &package.skipped {
        line(&mut said, &format!("skipped {}: {}", skip.obligation_id, skip.reason));
    }
    let json = Json::parse(file::VALIDATE_REQUEST)?;
    let validation = validate::validate(&json)?;
    for gap in &validation.gaps {
        line(&mut said, &format!("gap: {gap}"));
    }
    for missing in &validation.missing_evidence {
        line(&mut said, &format!("no evidence: {missing}"));
    }
    made.push(("records.json", records));
    Ok(DemoStep {
        question: "Which obligations have evidence, and which do not?",
        command: "dalil record package examples/requests/record-package.json; \
                  dalil record validate examples/requests/record-validate-gaps.json",
        said,
    })
}

fn assessed() -> Result<DemoStep, CliError> {
    let assessment = policy::assess(file::DECISION)?;
    let requirement = word(&assessment.requirement)?;
    let mut said = format!("{requirement}, {} approvers\n", assessment.approvers);
    for reason in &assessment.reasons {
        line(&mut said, reason.english());
    }
    Ok(DemoStep {
        question: "Does this decision need a pack?",
        command: "dalil policy examples/decision/decision.json",
        said,
    })
}

fn assembled(draft: &PackDraft, made: &mut DemoFiles) -> Result<DemoStep, CliError> {
    made.push(("pack.json", text(draft)?));
    let mut said = format!(
        "{} for {}, {} sources, {} tool calls\n",
        draft.pack_id,
        draft.decision_id,
        draft.sources.len(),
        draft.tool_calls.len(),
    );
    for call in draft.tool_calls.iter().filter(|call| call.contradiction_flag) {
        line(
            &mut said,
            &format!("contradiction in {}: {}", call.tool_name, call.contradictions.join("; ")),
        );
    }
    for finding in &draft.findings {
        line(&mut said, &format!("finding at {}: {}", finding.path, finding.message.english()));
    }
    Ok(DemoStep {
        question: "What was decided, on what basis, and what did the tools really do?",
        command: "dalil pack assemble examples/decision/pack.json",
        said,
    })
}

fn refused() -> DemoStep {
    let said = match pack::assemble(file::REFUSED_PACK_REQUEST) {
        Err(Refused { refused }) => refused.iter().map(|fault| format!("{fault}\n")).collect(),
        Ok(_) => "nothing was refused\n".to_owned(),
    };
    DemoStep {
        question: "What if the memo has one language and a flag lies?",
        command: "dalil pack assemble examples/decision/pack-refused.json",
        said,
    }
}

fn sealed(draft: &PackDraft, made: &mut DemoFiles) -> Result<[DemoStep; 3], CliError> {
    let trail::DemoProof { reviewed, sealed, receipt, checkpoint, trust, keys } =
        trail::seal(draft)?;
    let bytes = canon::bytes(&sealed)?;
    // The example's own time, so that the output is the same on every day.
    let now = reviewed.created_at;
    let intact = verify::file(&bytes, &trust, now);
    let altered = verify::file(&file::altered(&bytes), &trust, now);
    made.push(("sealed-pack.json", text(&sealed)?));
    made.push(("receipt.tlog-proof", receipt));
    made.push(("checkpoint.txt", checkpoint.clone()));
    made.push(("trust.json", keys));
    let review = format!(
        "{} version {} by {}, supersedes {}\n{checkpoint}",
        reviewed.pack_id,
        reviewed.version,
        reviewed.reviewer_id.as_deref().unwrap_or("-"),
        draft.pack_id,
    );
    Ok([
        DemoStep {
            question: "Who reviewed it, and where is it recorded?",
            command: "dalil demo --out DIR writes the sealed pack, receipt, checkpoint and trust",
            said: review,
        },
        DemoStep {
            question: "Can a stranger check it, offline?",
            command: "dalil verify DIR/sealed-pack.json --trust DIR/trust.json",
            said: intact.to_string(),
        },
        DemoStep {
            question: "What if one byte is changed?",
            command: "dalil verify (the same file, one byte changed)",
            said: altered.to_string(),
        },
    ])
}

/// The steps as a person reads them.
fn story(steps: &[DemoStep], args: &Args) -> String {
    let mut story = String::new();
    for (n, DemoStep { question, command, said }) in (1..).zip(steps) {
        line(&mut story, &format!("{n}. {question}\n   $ {command}\n"));
        for text in said.lines() {
            line(&mut story, format!("   {text}").trim_end());
        }
        story.push('\n');
    }
    if let Some(folder) = &args.out {
        line(&mut story, &format!("Everything that was made is in {}", folder.display()));
    }
    story
}

fn line(text: &mut String, line: &str) {
    text.push_str(&format!("{line}\n"));
}

fn text(value: &impl Serialize) -> Result<String, CliError> {
    Ok(String::from_utf8_lossy(&canon::bytes(value)?).into_owned())
}

/// A value that is one word in JSON, without its quotes.
fn word(value: &impl Serialize) -> Result<String, CliError> {
    Ok(text(value)?.trim_matches('"').to_owned())
}

fn write(folder: &Path, made: &DemoFiles) -> Result<(), CliError> {
    let failed = |error| CliError::NoFolder { path: folder.to_owned(), error };
    fs::create_dir_all(folder).map_err(failed)?;
    let lake = LakeFolder::open(folder)?;
    for (name, text) in made {
        let lake_uri = name.parse().map_err(|_| failed(std::io::ErrorKind::InvalidInput.into()))?;
        lake.keep(&LakeWrite { lake_uri, text: text.clone(), path: (*name).to_owned() })?;
    }
    Ok(())
}
