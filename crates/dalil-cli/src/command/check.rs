//! `dalil check`: an answer and documents in, the ledger out.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use dalil::check::{CheckContext, CheckOutcome, session_id};
use dalil::corpus::{Corpus, CorpusChunkSet, UnreadCorpusFile};
#[cfg(feature = "live-sql")]
use dalil::database_corpus::DatabaseCorpus;
use dalil::judges::Judges;
use dalil_evidence::chunk_set::ChunkSet;
use dalil_evidence::ledger::export::LedgerExport;
use dalil_evidence::ledger::request::LedgerOptions;
use dalil_phrasebook::{Language, ledger_view};
#[cfg(feature = "live-sql")]
use dalil_proof::digest::Digest;
use dalil_proof::fault::quote;
use dalil_proof::json::Json;
use dalil_proof::report::VerificationReport;
use dalil_render::ledger::markdown::markdown;
use dalil_render::ledger::table::{TABLE_WIDTH, fitted};
use dalil_render::overview::Overview;
#[cfg(feature = "pdf")]
use dalil_render::pdf::PrintoutAnswer;
use dalil_render::{AnswerLedger, footer, junit, sarif};
use dalil_service::RequestContext;
use dalil_service::session::{self, ClosedLedger};
use serde::Serialize;

use crate::corpus::CheckCorpus;
use crate::error::{CliError, CommandOutcome};
use crate::library::{JudgeChoice, JudgeMasking, JudgeSettings};
use crate::progress::ProgressBar;
use crate::reply::ReplyWriter;
use crate::store_args::{StoreAccess, StoreArgs, block_on, to_save};
use crate::view::{self, ClaimSelection, GateArgs, GatedOutput};
use crate::{corpus, env, input};

mod streamed;

/// Check every claim of an answer against documents
///
/// Finds the claims of the answer and looks for evidence of each in the documents: PDF, DOCX, HTML,
/// Markdown, text, CSV, XLSX and EML. Prints the ledger: each claim is supported, weak,
/// contradicted or not found, with the quoted words, page and heading; offsets count characters.
/// Works offline; parsed documents are cached under `.dalil/` until the files change. An answer
/// file among the documents is skipped, as it is no evidence for itself. With `--gate`, exits 1
/// unless every ledger reaches the minimums, and 2 when an answer has no claim. Exits 2 when no
/// document has readable text, and for an answer of more than 4 MiB or 10,000 claims.
///
/// `--chunks` checks against the chunks that an application retrieved (spec/chunks.md), and
/// `--bundle` against the items of a bundle, which the answer may cite as `[cite:ANCHOR]`.
/// `--against postgres://USER@HOST/DATABASE#TENANT/CORPUS` uses a corpus that `dalil index` wrote
/// to a database; the password may come from `PGPASSWORD` or `~/.pgpass` (docs/corpora.md).
#[derive(Debug, clap::Args)]
#[command(group = to_save(["lake"]))]
pub(crate) struct Args {
    /// The answers, files or `-` for standard input
    #[arg(required = true)]
    answers: Vec<PathBuf>,

    /// The documents, files or folders, or one corpus in a database
    #[arg(long, value_name = "PATH", num_args = 1.., required_unless_present_any = ["chunks", "bundle"])]
    against: Vec<PathBuf>,

    /// The chunks that were retrieved for the answer, a JSON file: `{"chunks": [{"id", "text", …}]}`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["against", "bundle"])]
    chunks: Option<PathBuf>,

    /// The bundle that the model was shown, a JSON file as `dalil bundle` writes it
    #[arg(long, value_name = "FILE", conflicts_with = "against")]
    bundle: Option<PathBuf>,

    /// The question that the answer is for
    #[arg(long, value_name = "TEXT")]
    question: Option<String>,

    /// Judge claims while standard input is still arriving, and report them on standard error
    ///
    /// A claim is reported when the next sentence begins, and again if later text changes it. The
    /// final output is the same as for the whole answer.
    #[arg(long, conflicts_with = "save")]
    stream: bool,

    /// The output format
    #[arg(long, value_enum, default_value_t = CheckOutputFormat::Table)]
    format: CheckOutputFormat,

    /// Show one claim in full, by its number, or `all` of them; for the table
    #[arg(long, value_name = "N", value_parser = view::claim_selection)]
    expand: Option<ClaimSelection>,

    /// How the question was asked, in your own words; stored with the session
    #[arg(long, value_name = "WORD", requires = "save")]
    mode: Option<String>,

    /// The language of views, notes and questions: `en` or `ar`; by default that of each claim
    #[arg(long, value_name = "LANG", value_parser = view::language)]
    lang: Option<Language>,

    /// The id of the session, which is a question and its answer; by default the digest of the
    /// answer
    #[arg(long, value_name = "ID")]
    session: Option<String>,

    /// The ledger id of the previous check
    #[arg(long, value_name = "ID")]
    previous: Option<String>,

    /// The age above which a source counts as outdated
    #[arg(long, value_name = "DAYS", default_value_t = 365)]
    outdated_days: u32,

    #[command(flatten)]
    reading: IndexArgs,

    /// The number of threads, which changes no verdict
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// The judge: `fast`, `deep`, `auto`, or the address of an OpenAI-compatible endpoint
    ///
    /// `fast` is the small model in this program. `deep` is the large model that `dalil model
    /// import` makes. `auto` asks `deep` where `fast` is uncertain; it is the default if the large
    /// model exists, otherwise `fast` is. Give an address without the final `/chat/completions`;
    /// its key is read from `DALIL_JUDGE_KEY`, and its replies are cached in the index folder.
    #[arg(long, value_name = "JUDGE", value_parser = choice)]
    judge: Option<JudgeChoice>,

    /// The model at that address
    #[arg(long, value_name = "NAME", requires = "judge")]
    judge_model: Option<String>,

    /// Mask claims and passages for the model at that address, by the built-in rules
    #[arg(long, requires = "judge_model")]
    mask: bool,

    /// The file of the large model; by default where `dalil model import` writes it
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,

    /// Save the documents, the answer, its ledger and the judge's replies in a store
    ///
    /// The ledger refers to the newest one of the same session, unless `--previous` is given.
    #[arg(long)]
    save: bool,

    #[command(flatten)]
    gate: GateArgs,

    #[command(flatten)]
    keeping: StoreArgs,
}

/// What becomes of what was read.
#[derive(Debug, clap::Args)]
struct IndexArgs {
    /// The folder of the cache for parsed documents
    #[arg(long, value_name = "DIR", default_value = ".dalil")]
    index: PathBuf,

    /// Do not cache parsed documents
    #[arg(long, conflicts_with = "index")]
    no_index: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CheckOutputFormat {
    /// A table for a terminal, with summary, risk flags and questions
    Table,
    /// The export for other programs, JSON
    Json,
    /// The whole ledger, JSON
    Ledger,
    /// Markdown for people
    Markdown,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// `JUnit` XML, for continuous integration
    Junit,
    /// PDF/A-3 for people, with the ledger attached; one answer only
    #[cfg(feature = "pdf")]
    Pdf,
}

/// An answer that was read and checked.
struct AnswerFileCheck {
    name: String,
    text: String,
    checked: CheckOutcome,
    /// Where it is kept, if it is.
    saved: Option<ClosedLedger>,
}

/// A ledger of one answer, and where it is kept, if it is.
#[derive(Serialize)]
struct LedgerOutput<'r, T> {
    #[serde(flatten)]
    reply: GatedOutput<'r, T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    saved: Option<&'r ClosedLedger>,
}

/// A ledger among others.
#[derive(Serialize)]
struct NamedLedgerOutput<'r, T> {
    answer: &'r str,
    #[serde(flatten)]
    reply: LedgerOutput<'r, T>,
}

/// Several ledgers and the figures over all of them.
#[derive(Serialize)]
struct LedgerBatchOutput<'r, T> {
    ledgers: Vec<NamedLedgerOutput<'r, T>>,
    overview: Overview<'r>,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    if args.stream && args.answers != [Path::new("-")] {
        return Err(CliError::StreamedAnswer);
    }
    if args.expand.is_some() && args.format != CheckOutputFormat::Table {
        return Err(CliError::ExpandedFormat);
    }
    // All answers before any document: a wrong path should fail at once, not after minutes.
    let paths = args.answers.iter().filter(|_| !args.stream);
    let answers = paths.map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    let mut corpus = open(args, &answers, reply)?;
    let progress = ProgressBar::new(reply);
    let all = if args.save {
        block_on(saved(args, &mut corpus, answers, &progress))?
    } else if args.stream {
        vec![streamed(args, corpus.here("--stream")?, reply)?]
    } else {
        judge(args, &mut corpus, answers, &[], &progress)?
    };
    progress.end();
    for saved in all.iter().filter_map(|one| one.saved.as_ref()) {
        let ClosedLedger { ledger_id, session_id, ack, .. } = saved;
        let (session, index) = (quote(session_id), ack.index);
        reply.note(&format!("saved: ledger {ledger_id} of session {session} as record {index}"));
    }
    for one in all.iter().filter(|one| one.checked.ledger.content.entries.is_empty()) {
        reply.note(&format!("nothing checked: {} has no checkable claim", quote(&one.name)));
    }
    let reports: Vec<Option<VerificationReport>> = all
        .iter()
        .map(|one| args.gate.report(one.checked.request.options.gate, &one.checked.ledger))
        .collect();
    show(args, &all, &reports, &corpus, reply)?;
    let held = reports.iter().map(|report| view::answer(report.as_ref(), reply));
    Ok(held.fold(CommandOutcome::Holds, CommandOutcome::and))
}

/// Opens the documents, without the answers that lie among them; files that are not read are noted.
fn open(
    args: &Args,
    #[cfg_attr(not(feature = "live-sql"), expect(unused_variables, reason = "all are files"))]
    answers: &[(String, String)],
    reply: &ReplyWriter,
) -> Result<CheckCorpus, CliError> {
    if let Some((set, path)) = retrieved(args)? {
        let corpus = Corpus::of_chunks(CorpusChunkSet::new(set)?);
        return Ok(CheckCorpus::Here(Box::new(corpus.with_text(std::slice::from_ref(path))?)));
    }
    #[cfg(feature = "live-sql")]
    if let Some(address) = corpus::database(&args.against)? {
        // Before the database is asked for anything.
        for (option, is_given) in [("--save", args.save), ("--stream", args.stream)] {
            if is_given {
                return Err(CliError::NotHere { option });
            }
        }
        // The files are elsewhere, so an answer among them is known by its bytes.
        let apart: Vec<Digest> =
            answers.iter().map(|(_, text)| Digest::of(text.as_bytes())).collect();
        let corpus = DatabaseCorpus::open(&address, &apart)?;
        tell(&corpus.left_out(), corpus.unread(), reply);
        return Ok(CheckCorpus::Database(Box::new(corpus)));
    }
    // Standard input counts too: `- < docs/answer.md` reads a file that lies among the documents.
    let apart: Vec<_> = args.answers.iter().filter_map(|path| input::identity(path)).collect();
    let index = (!args.reading.no_index).then_some(args.reading.index.as_path());
    let corpus = corpus::open(&args.against, &apart, index, reply)?;
    tell(corpus.left_out(), corpus.unread(), reply);
    Ok(CheckCorpus::Here(Box::new(corpus.with_text(&args.against)?)))
}

/// Notes which files answers are not checked against.
fn tell(left_out: &[String], unread: &[UnreadCorpusFile], reply: &ReplyWriter) {
    for name in left_out {
        reply.note(&format!("left out: {} is an answer, and no evidence for it", quote(name)));
    }
    for unread in unread {
        reply.note(&format!("not read: {}: {}", quote(&unread.name), unread.message));
    }
}

/// The chunks or the bundle that were named in place of documents.
fn retrieved(args: &Args) -> Result<Option<(ChunkSet, &PathBuf)>, CliError> {
    if let Some(path) = &args.chunks {
        return Ok(Some((ChunkSet::parse(&input::bytes(path)?)?, path)));
    }
    let Some(path) = &args.bundle else { return Ok(None) };
    let bytes = input::bytes(path)?;
    Ok(Some((ChunkSet::of_bundle(&Json::parse(&bytes)?)?, path)))
}

/// An answer's name and text.
fn read(path: &Path) -> Result<(String, String), CliError> {
    let bytes = input::bytes(path)?;
    if bytes.len() > MAX_ANSWER_BYTES {
        let (limit, found) = (MAX_ANSWER_BYTES, bytes.len());
        return Err(CliError::LongAnswer { path: path.to_owned(), limit, found });
    }
    let text = String::from_utf8(bytes).map_err(|_| CliError::NotText { path: path.to_owned() })?;
    Ok((path.to_string_lossy().replace('\\', "/"), text))
}

fn choice(text: &str) -> Result<JudgeChoice, String> {
    // Whether it is one that may be used is asked later: a refusal of the argument itself would
    // repeat it, with the password that it may hold.
    if text.contains("://") {
        return Ok(JudgeChoice::Endpoint(text.to_owned()));
    }
    JudgeChoice::parse(text).ok_or_else(|| format!("expected {}", JudgeChoice::EXPECTED.english()))
}

/// The judges that were asked for.
fn judges(args: &Args) -> Result<Judges, CliError> {
    let settings = JudgeSettings {
        judge: args.judge.clone(),
        model: args.judge_model.clone(),
        masking: if args.mask { JudgeMasking::Masked } else { JudgeMasking::AsIs },
        file: args.model.clone(),
        replies: args.reading.index.join("replies"),
    };
    settings.open()
}

fn judge(
    args: &Args,
    corpus: &mut CheckCorpus,
    answers: Vec<(String, String)>,
    previous: &[Option<String>],
    progress: &ProgressBar,
) -> Result<Vec<AnswerFileCheck>, CliError> {
    let usual = setup(args)?;
    // Opened once for all answers: the deep model has 1.6 GB.
    let judges = judges(args)?;
    let panel = judges.panel(args.threads.unwrap_or_else(env::threads))?;
    let check = |(n, (name, text)): (usize, (String, String))| {
        let before = previous.get(n).cloned().flatten();
        // An explicit `--previous` wins. The store then refuses it if it is not the newest one.
        let previous = usual.previous.clone().or(before);
        let setup = CheckContext { previous, ..usual.clone() };
        let step = |done, all| progress.step("judging", done, all);
        let about = (text.as_str(), args.question.as_deref());
        let mut checked = corpus
            .with(about, |corpus| Ok(dalil::check::check(&text, corpus, &panel, &setup, &step)?))?;
        checked.request.session.mode.clone_from(&args.mode);
        Ok(AnswerFileCheck { name, text, checked, saved: None })
    };
    answers.into_iter().enumerate().map(check).collect()
}

/// The facts about the answers beside their words.
fn setup(args: &Args) -> Result<CheckContext, CliError> {
    Ok(CheckContext {
        session: args.session.clone(),
        question: args.question.clone(),
        at: args.keeping.now()?,
        previous: args.previous.clone(),
        options: LedgerOptions {
            language: args.lang,
            outdated_days: i64::from(args.outdated_days),
            ..LedgerOptions::usual()
        },
    })
}

/// Checks an answer while it is written to standard input.
fn streamed(
    args: &Args,
    corpus: &Corpus,
    reply: &ReplyWriter,
) -> Result<AnswerFileCheck, CliError> {
    let judges = judges(args)?;
    let panel = judges.panel(args.threads.unwrap_or_else(env::threads))?;
    let mut input = std::io::stdin().lock();
    let (text, checked) = streamed::check(&mut input, (corpus, &panel), &setup(args)?, reply)?;
    Ok(AnswerFileCheck { name: "-".to_owned(), text, checked, saved: None })
}

/// Checks answers, and stores the ledgers: each names the ledger before it.
async fn saved(
    args: &Args,
    corpus: &mut CheckCorpus,
    answers: Vec<(String, String)>,
    progress: &ProgressBar,
) -> Result<Vec<AnswerFileCheck>, CliError> {
    corpus.here("--save")?;
    // Opened before the check, so that a locked store is reported before minutes of judging.
    let (store, tenant) = args.keeping.open(StoreAccess::Write).await?;
    let mut previous = Vec::with_capacity(answers.len());
    for (_, text) in &answers {
        let session = args.session.clone().unwrap_or_else(|| session_id(text));
        previous.push(session::newest(&tenant, &session).await?);
    }
    let mut all = judge(args, corpus, answers, &previous, progress)?;
    for one in &mut all {
        let at = one.checked.ledger.content.created_at;
        let request_context = RequestContext { at, ..args.keeping.request_context()? };
        let documents = Some(corpus.here("--save")?);
        let closed = session::close(&tenant, &one.checked, documents, &request_context).await?;
        one.saved = Some(closed);
    }
    store.close().await?;
    Ok(all)
}

fn show(
    args: &Args,
    all: &[AnswerFileCheck],
    reports: &[Option<VerificationReport>],
    corpus: &CheckCorpus,
    reply: &ReplyWriter,
) -> Result<(), CliError> {
    let checked: Vec<AnswerLedger<'_>> = all.iter().map(AnswerFileCheck::pressed).collect();
    let language = args.lang.unwrap_or(Language::English);
    let format = if reply.is_json() { CheckOutputFormat::Json } else { args.format };
    match (args.expand, format) {
        (Some(which), _) if !reply.is_json() => {
            for one in all {
                title(one, all, reply)?;
                let claims = view::claims(&one.checked.ledger, which, language)?;
                view::show(&claims, language, reply)?;
            }
            Ok(())
        }
        (_, CheckOutputFormat::Json) => {
            values(all, reports, reply, |one| LedgerExport::of(&one.checked.ledger))
        }
        (_, CheckOutputFormat::Ledger) => values(all, reports, reply, |one| &one.checked.ledger),
        (_, CheckOutputFormat::Sarif) => {
            reply.value(&sarif::log(&checked, &|name| place(corpus, name)))
        }
        (_, CheckOutputFormat::Junit) => reply.bytes(junit::xml(&checked).as_bytes()),
        #[cfg(feature = "pdf")]
        (_, CheckOutputFormat::Pdf) => match all {
            [one] => {
                let question = one.checked.request.session.query.as_deref();
                let about = PrintoutAnswer::new(question, one.pressed().text);
                reply.file(&dalil_render::pdf::ledger(&one.checked.ledger, &about, language)?)
            }
            _ => Err(CliError::OnePdf { found: all.len() }),
        },
        (_, CheckOutputFormat::Markdown) => {
            let texts = all
                .iter()
                .map(|one| markdown(&one.checked.ledger, &one.checked.request.session, language));
            reply.view(&texts.collect::<Vec<_>>().join("\n"))
        }
        (_, CheckOutputFormat::Table) => {
            for one in all {
                title(one, all, reply)?;
                let ledger = &one.checked.ledger;
                let columns = view::columns(language, reply);
                let table = fitted(ledger, language, columns.unwrap_or(TABLE_WIDTH));
                let foot = footer::ledger_footer(ledger, language, columns.unwrap_or(usize::MAX));
                view::show(&(table + &foot), language, reply)?;
                if reply.is_to_a_person() {
                    view::note(ledger_view::expand_hint().text(language), language, reply);
                }
            }
            if all.len() > 1 {
                reply.view(&format!("\n{}", Overview::of(&checked)))?;
            }
            Ok(())
        }
    }
}

/// Where the file of a document is, for programs that open it.
fn place(corpus: &CheckCorpus, name: &str) -> Option<String> {
    corpus.path(name)?.to_str().map(str::to_owned)
}

/// The name of an answer above its ledger, when there are several.
fn title(
    one: &AnswerFileCheck,
    all: &[AnswerFileCheck],
    reply: &ReplyWriter,
) -> Result<(), CliError> {
    if all.len() > 1 { reply.view(&format!("\n{}\n", one.name)) } else { Ok(()) }
}

/// One value for one answer; for several, all of them and the figures over them.
fn values<'a, T: Serialize>(
    all: &'a [AnswerFileCheck],
    reports: &'a [Option<VerificationReport>],
    reply: &ReplyWriter,
    value: impl Fn(&'a AnswerFileCheck) -> T,
) -> Result<(), CliError> {
    let gated =
        |(one, report): (&'a AnswerFileCheck, &'a Option<VerificationReport>)| NamedLedgerOutput {
            answer: &one.name,
            reply: LedgerOutput {
                reply: GatedOutput { reply: value(one), gate: report.as_ref() },
                saved: one.saved.as_ref(),
            },
        };
    let mut ledgers: Vec<_> = all.iter().zip(reports).map(gated).collect();
    match ledgers.pop() {
        Some(only) if ledgers.is_empty() => reply.value(&only.reply),
        last => {
            ledgers.extend(last);
            let checked: Vec<AnswerLedger<'_>> = all.iter().map(AnswerFileCheck::pressed).collect();
            reply.value(&LedgerBatchOutput { ledgers, overview: Overview::of(&checked) })
        }
    }
}

impl AnswerFileCheck {
    fn pressed(&self) -> AnswerLedger<'_> {
        AnswerLedger { name: &self.name, text: &self.text, ledger: &self.checked.ledger }
    }
}

/// No answer is longer; its claims could not be read by a person.
const MAX_ANSWER_BYTES: usize = 4 << 20;
