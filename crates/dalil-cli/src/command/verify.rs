//! `dalil verify`: whether a file can be believed, with no network and no trust in its maker.

use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::ValueEnum;
use dalil::judges::JudgeModels;
use dalil::sandbox::{SandboxLimits, SandboxReader};
use dalil::verify::{self, VerifyScope, VerifyTools, confined};
use dalil_evidence::completeness::{self, CompletenessVerifier};
use dalil_phrasebook::{Language, Phrase};
use dalil_proof::decode;
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::json::Json;
use dalil_proof::key::{NotAKey, PublicKey};
use dalil_proof::keyring::Keyring;
use dalil_proof::report::VerificationReport;
use dalil_proof::time::Time;
use dalil_proof::trail;
use dalil_proof::trust::{TrailGrowth, Trust};
use dalil_proof::witness::WitnessPolicy;
use dalil_render::report_table::{REPORT_WIDTH, fitted};

use crate::env;
use crate::error::{CliError, CommandOutcome};
use crate::input;
use crate::reply::ReplyWriter;
use crate::view;

/// Check a pack, ledger, PDF, archive, statement, receipt, checkpoint or trail export, offline
///
/// Replies with a verdict (pass, fail or incomplete) and a finding for every part checked: as a
/// table on a terminal, as JSON otherwise. Documents in an archive are read, and its ledger is
/// judged again. Exits with 0 for pass, 1 for fail, and 2 when nothing is wrong but not everything
/// could be checked. See spec/pack.md, spec/ledger.md, spec/archive.md, spec/record.md,
/// spec/checkpoint.md and spec/trail.md.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file to check; `-` reads standard input
    #[arg(required = true)]
    file: Option<PathBuf>,

    /// Trust this key: a verifier key `name+hash+base64`, or a file with one on each line
    #[arg(long, value_name = "KEY")]
    key: Vec<KeyArgument>,

    /// Require a cosignature of this witness: a verifier key, or a file with one on each line
    #[arg(long, value_name = "KEY")]
    witness: Vec<KeyArgument>,

    /// The origin of the trail; by default the name of the first trusted key
    #[arg(long)]
    origin: Option<String>,

    /// The trust file, JSON: origin, keys, key history, witnesses, heads seen
    #[arg(long, value_name = "FILE", conflicts_with_all = ["key", "witness", "origin"])]
    trust: Option<PathBuf>,

    /// A proof that relates a head in `seen` to the file's, as `dalil trail prove --from` writes
    /// it; may be given more than once
    #[arg(long, value_name = "FILE", requires = "trust")]
    growth: Vec<PathBuf>,

    /// The trail export to check a statement of completeness against
    #[arg(long, value_name = "FILE")]
    trail: Option<PathBuf>,

    /// The obligations that a statement of completeness should cover:
    /// `{"expected_obligation_ids":[…]}`
    #[arg(long, value_name = "FILE")]
    expected: Option<PathBuf>,

    /// Check as of this time instead of now
    #[arg(long, value_name = "TIME")]
    at: Option<Time>,

    /// The output format; by default a table on a terminal and JSON elsewhere
    #[arg(long, value_enum)]
    format: Option<ReportFormat>,

    /// The language of every message: `en` or `ar`
    #[arg(long, value_name = "LANG", value_parser = view::language, default_value = "en")]
    lang: Language,

    /// Verify one file of another process over pipes, within this many bytes of memory
    #[arg(long, hide = true, value_name = "BYTES", exclusive = true)]
    wire: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    /// A table for a terminal
    Table,
    /// JSON, with the same names in every language
    Json,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    if let Some(memory) = args.wire {
        confined::serve(memory, env::itself()?, io::stdin().lock(), io::stdout().lock())
            .map_err(CliError::Write)?;
        return Ok(CommandOutcome::Holds);
    }
    let file = args.file.as_deref().unwrap_or_else(|| Path::new("-"));
    let input = input::start(file, trail::TRAIL_EXPORT_PREFIX.len())?;
    let now = args.at.map_or_else(env::now, Ok)?;
    let report = if input.first() == trail::TRAIL_EXPORT_PREFIX {
        no_statement(args)?;
        export(input, args, now)?
    } else {
        let reader = SandboxReader::new(env::itself()?, SandboxLimits::usual());
        // Opened when a ledger is to be judged again; most files need no model.
        let models = JudgeModels::when_needed(super::model::place(None).ok());
        let threads = env::threads();
        let tools = VerifyTools {
            reader: &reader,
            models: Some(&models),
            threads,
            scope: VerifyScope::WHOLE,
        };
        let bytes = input.bytes()?;
        let origin = || verify::unverified_origin(&bytes, &tools);
        let trust = trust(args, &origin)?;
        match statement(&bytes) {
            Some(json) => completeness_report(&json, args, &trust, now)?,
            None => {
                no_statement(args)?;
                verify::file(&bytes, &trust, now, &tools)
            }
        }
    };
    show(&report, args, reply)?;
    Ok(report.verdict().into())
}

fn show(report: &VerificationReport, args: &Args, reply: &ReplyWriter) -> Result<(), CliError> {
    let person = reply.is_to_a_person();
    match args.format {
        Some(ReportFormat::Json) => reply.value(&report.localized(args.lang)),
        None if !person => reply.value(&report.localized(args.lang)),
        Some(ReportFormat::Table) | None => {
            let columns = view::columns(args.lang, reply).unwrap_or(REPORT_WIDTH);
            let view = fitted(report, args.lang, columns);
            view::show_report(&view, report.verdict(), args.lang, reply)
        }
    }
}

/// Verifies a trail export, which may be larger than memory, line by line.
fn export(
    input: input::PeekedInput<'_>,
    args: &Args,
    now: Time,
) -> Result<VerificationReport, CliError> {
    // One byte more than the longest line, so that a longer one is seen to be too long.
    let mut lines = input.lines(trail::MAX_LINE_BYTES + 1);
    let header = lines.read()?.map_or_else(Vec::new, <[u8]>::to_vec);
    let trust = trust(args, &|| dalil_evidence::verify::unverified_origin(&header))?;
    let mut verifier = trail::TrailVerifier::new(&trust, now);
    verifier.line(&header);
    while let Some(line) = lines.read()? {
        verifier.line(line);
    }
    Ok(verifier.finish().report)
}

/// The JSON of a statement of completeness, if the file is one.
fn statement(bytes: &[u8]) -> Option<Json<'_>> {
    Json::parse(bytes).ok().filter(completeness::is_statement)
}

/// Refuses options that only a statement uses: a verdict without one would read as if they had been
/// checked.
fn no_statement(args: &Args) -> Result<(), CliError> {
    let given = [("--trail", &args.trail), ("--expected", &args.expected)];
    match given.into_iter().find(|(_, path)| path.is_some()) {
        Some((option, _)) => Err(CliError::NoStatement { option }),
        None => Ok(()),
    }
}

/// Verifies a statement of completeness, in the export line by line.
fn completeness_report(
    json: &Json<'_>,
    args: &Args,
    trust: &Trust,
    now: Time,
) -> Result<VerificationReport, CliError> {
    let mut verifier = CompletenessVerifier::new(json, trust, now);
    if let Some(path) = &args.expected {
        verifier.expect(completeness::expected_ids(&input::bytes(path)?)?);
    }
    if let Some(path) = &args.trail {
        let export = input::start(path, trail::TRAIL_EXPORT_PREFIX.len())?;
        let mut lines = export.lines(trail::MAX_LINE_BYTES + 1);
        while let Some(line) = lines.read()? {
            verifier.line(line);
        }
    }
    Ok(verifier.finish())
}

/// The trust of the verifier; `origin` is the trail that the file claims to be of.
fn trust(args: &Args, origin: &dyn Fn() -> Option<String>) -> Result<Trust, CliError> {
    match &args.trust {
        Some(path) => {
            let mut trust = Trust::parse(&input::bytes(path)?)?;
            for path in &args.growth {
                trust.growth.push(decode::request(&input::bytes(path)?, TrailGrowth::read)?);
            }
            Ok(trust)
        }
        None => pinned(args, origin),
    }
}

/// Trust in the keys and witnesses that were named.
fn pinned(args: &Args, origin: &dyn Fn() -> Option<String>) -> Result<Trust, CliError> {
    let (keys, witnesses) = (keys(&args.key)?, keys(&args.witness)?);
    let named = args.origin.clone().or_else(|| keys.first().map(|key| key.name().to_owned()));
    // Without a key nothing can pass; the file's own word keeps its other faults apart.
    let origin = named.or_else(origin).unwrap_or_default();
    // Every witness that was named must have cosigned.
    let quorum = witnesses.len();
    let keyring = Keyring::new(keys, &[]).map_err(|error| refused("--key", error.phrase()))?;
    let witnesses = WitnessPolicy::new(witnesses, quorum)
        .map_err(|error| refused("--witness", error.phrase()))?;
    let trust = Trust::in_keys(origin, keyring, witnesses);
    trust.check().map_err(|error| refused("--witness", error.phrase()))
}

/// A key on the command line: itself, or the file that it is in.
#[derive(Clone, Debug)]
enum KeyArgument {
    Key(PublicKey),
    File(PathBuf),
}

impl FromStr for KeyArgument {
    type Err = NotAKey;

    /// A key has two `+`; any other text that is not a key is the name of a file.
    fn from_str(text: &str) -> Result<Self, NotAKey> {
        match text.parse() {
            Ok(key) => Ok(Self::Key(key)),
            // For a mistyped key, the error is about the key, not about a missing file of that
            // name.
            Err(error) if text.matches('+').count() >= 2 => Err(error),
            Err(_) => Ok(Self::File(PathBuf::from(text))),
        }
    }
}

fn keys(named: &[KeyArgument]) -> Result<Vec<PublicKey>, CliError> {
    let mut keys = Vec::new();
    for name in named {
        match name {
            KeyArgument::Key(key) => keys.push(key.clone()),
            KeyArgument::File(path) => keys.extend(key_file(path)?),
        }
    }
    Ok(keys)
}

/// The keys in a file: one on each line; blank lines and lines that begin with `#` are skipped.
fn key_file(path: &Path) -> Result<Vec<PublicKey>, CliError> {
    let bytes = input::bytes(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let lines = (1..).zip(text.lines().map(str::trim));
    let keys = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let parsed = keys.map(|(n, line)| {
        let at = format!("{}:{n}", path.display());
        line.parse().map_err(|error: NotAKey| refused(&at, error.phrase()))
    });
    parsed.collect()
}

fn refused(path: &str, message: Phrase) -> CliError {
    Refused::from(Fault::with_message("key", path, message)).into()
}
