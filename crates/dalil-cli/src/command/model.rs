//! `dalil model`: the model of the deep judge, made once and then opened.

use std::fmt;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use dalil::judges::JudgeMode;
use dalil::model_file::{deep_place, import_deep, open_deep};
use dalil_proof::digest::Digest;
use serde::Serialize;

use crate::env::setting;
use crate::error::{CliError, CommandOutcome};
use crate::progress::ProgressBar;
use crate::reply::ReplyWriter;

/// Make or inspect the model of the deep judge
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: ModelCommand,
}

#[derive(Debug, Subcommand)]
enum ModelCommand {
    Import(ModelImportArgs),
    Show(ModelShowArgs),
}

/// Make the model from its base, a GGUF file of Qwen2.5-Coder-1.5B-Instruct
///
/// The base (1.1 GB) is not part of this program. Its digest is checked, the built-in adapter is
/// applied, the weights are rounded to eight bits, and the model (1.6 GB) is written to `dalil` in
/// `XDG_DATA_HOME` or `~/.local/share`. Takes about a minute and 1.5 GB of memory.
#[derive(Debug, clap::Args)]
struct ModelImportArgs {
    /// The file of the base
    #[arg(value_name = "BASE.gguf")]
    base: PathBuf,

    /// An adapter to use instead of the built-in one
    #[arg(long, value_name = "FILE")]
    adapter: Option<PathBuf>,

    /// Where to write the model
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Check the whole file of a model and show its parts
#[derive(Debug, clap::Args)]
struct ModelShowArgs {
    /// The file of the model; by default where `dalil model import` writes it
    path: Option<PathBuf>,
}

/// The description that a model has of itself.
#[derive(Debug, Serialize)]
struct ModelCard {
    path: PathBuf,
    sha256: Digest,
    base: String,
    adapter: String,
    template: String,
    labels: Vec<String>,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    let path = match &args.action {
        ModelCommand::Import(args) => {
            let out = place(args.out.as_ref())?;
            let progress = ProgressBar::new(reply);
            let step = |done, all| progress.step("importing", done, all);
            let made = import_deep(&args.base, args.adapter.as_deref(), &out, &step);
            progress.end();
            made?;
            out
        }
        ModelCommand::Show(args) => place(args.path.as_ref())?,
    };
    reply.told(&card(&path)?)?;
    Ok(CommandOutcome::Holds)
}

/// The file that was named, or the usual one.
pub(crate) fn place(named: Option<&PathBuf>) -> Result<PathBuf, CliError> {
    let usual = || deep_place(setting("XDG_DATA_HOME").as_deref(), setting("HOME").as_deref());
    named.cloned().or_else(usual).ok_or(CliError::NoDataFolder)
}

/// The file of the large model, if a judge needs one. Where neither it nor the judge was asked
/// for by name, a missing file means that there is none.
pub(crate) fn needed(
    mode: &JudgeMode,
    named: Option<&PathBuf>,
    is_asked: bool,
) -> Result<Option<PathBuf>, CliError> {
    if matches!(mode, JudgeMode::Fast | JudgeMode::External(_)) {
        return Ok(None);
    }
    match place(named) {
        // If the model was asked for, a missing file is an error when it is opened, with its path.
        Ok(path) if is_asked || path.exists() => Ok(Some(path)),
        Err(failure) if is_asked => Err(failure),
        _ => Ok(None),
    }
}

fn card(path: &Path) -> Result<ModelCard, CliError> {
    let model = open_deep(path)?;
    let said = |key: &str| model.metadata(key).unwrap_or("").to_owned();
    Ok(ModelCard {
        path: path.to_owned(),
        sha256: model.digest(),
        base: said("base"),
        adapter: said("adapter"),
        template: said("template"),
        labels: said("labels").split(',').map(str::to_owned).collect(),
    })
}

impl fmt::Display for ModelCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, sha256, base, adapter, template, labels } = self;
        writeln!(f, "model    {}", path.display())?;
        writeln!(f, "digest   {sha256}")?;
        writeln!(f, "base     {base}")?;
        writeln!(f, "adapter  {adapter}")?;
        writeln!(f, "template {template}")?;
        writeln!(f, "answers  {}", labels.join(", "))
    }
}
