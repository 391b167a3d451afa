//! `dalil eval`: labelled pairs in, the judge's figures out.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use dalil::FastModel;
use dalil::eval::{EvalMetrics, EvalSet, JudgedPair, pace, tenths};
use dalil_proof::digest::Digest;
use serde::Serialize;

use crate::env;
use crate::error::{CliError, CommandOutcome};
use crate::progress::ProgressBar;
use crate::reply::ReplyWriter;

/// Measure the judge on labelled pairs
///
/// Reads files of JSON lines, plain or gzipped: `{"premise", "claim", "label"}` with a label of
/// `supported`, `contradicted`, `neutral` or `unsupported`. Each premise is parsed, split, searched
/// and judged like a document, and each claim like a claim of an answer. Prints balanced accuracy,
/// F1, area under the curve, the same for contradiction, calibration error, pairs per second and
/// memory, for each set and overall; with `--pairs` also writes each pair, to see which were judged
/// wrong. A metric that is undefined for a set is `-`, in JSON `null`. A set without pairs is
/// refused.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The sets, files or folders of `.jsonl` and `.jsonl.gz` files
    #[arg(required = true)]
    sets: Vec<PathBuf>,

    /// Judge at most this many pairs of each set, spread evenly over it; at least one
    #[arg(long, value_name = "N")]
    limit: Option<NonZeroUsize>,

    /// Write the judge's result for each pair to a file, one line of JSON each
    #[arg(long, value_name = "FILE")]
    pairs: Option<PathBuf>,

    /// The number of threads, which changes no verdict
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

#[derive(Serialize)]
struct EvalTable {
    model_sha256: Digest,
    sets: Vec<EvalTableRow>,
    means: Vec<EvalMean>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_memory_bytes: Option<u64>,
}

#[derive(Serialize)]
struct EvalTableRow {
    set: String,
    is_arabic: bool,
    #[serde(flatten)]
    figures: EvalMetrics,
    pairs_per_second: f64,
    #[serde(skip)]
    judged: Vec<JudgedPair>,
}

/// The means over some sets, each counted once, and the calibration error over all their pairs.
#[derive(Serialize)]
struct EvalMean {
    over: &'static str,
    sets: usize,
    pairs: usize,
    balanced_accuracy: Option<f64>,
    f1: Option<f64>,
    auc: Option<f64>,
    pooled_calibration_error: f64,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    let model = FastModel::shipped()?;
    let threads = args.threads.unwrap_or_else(env::threads);
    let mut sets = Vec::new();
    for path in files(&args.sets)? {
        let mut set = EvalSet::open(&path)?;
        set.limit(args.limit.map_or(usize::MAX, NonZeroUsize::get));
        sets.push(set);
    }
    let progress = ProgressBar::new(reply);
    let rows = sets.iter().map(|set| row(set, &model, threads, &progress));
    let rows = rows.collect::<Result<Vec<EvalTableRow>, CliError>>()?;
    progress.end();
    if let Some(path) = &args.pairs {
        let lines = lines(&rows)?;
        let written = File::create(path).and_then(|mut file| file.write_all(lines.as_bytes()));
        written.map_err(CliError::Write)?;
    }
    let table = EvalTable {
        model_sha256: model.digest(),
        means: means(&rows),
        sets: rows,
        peak_memory_bytes: peak_memory(),
    };
    if reply.is_json() {
        reply.value(&table)?;
    } else {
        reply.view(&table.to_string())?;
    }
    Ok(CommandOutcome::Holds)
}

/// A pair of a set, as it was judged.
#[derive(Serialize)]
struct EvalPairLine<'r> {
    set: &'r str,
    #[serde(flatten)]
    judged: JudgedPair,
}

/// Every pair as a line of JSON.
fn lines(rows: &[EvalTableRow]) -> Result<String, CliError> {
    let mut lines = String::new();
    for row in rows {
        for judged in &row.judged {
            let line = EvalPairLine { set: &row.set, judged: *judged };
            let line = serde_json::to_string(&line).map_err(io::Error::other);
            lines.push_str(&line.map_err(CliError::Write)?);
            lines.push('\n');
        }
    }
    Ok(lines)
}

/// The files that are sets, in order.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, CliError> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let read = |error| CliError::Read { path: path.clone(), error };
        let mut inside = Vec::new();
        for entry in fs::read_dir(path).map_err(read)? {
            let entry = entry.map_err(read)?.path();
            let Some(name) = entry.file_name().map(|name| name.to_string_lossy().into_owned())
            else {
                continue;
            };
            if name.ends_with(".jsonl") || name.ends_with(".jsonl.gz") {
                inside.push(entry);
            }
        }
        inside.sort();
        files.extend(inside);
    }
    if files.is_empty() {
        let named: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
        return Err(dalil::eval::EvalSetFailure::Empty(named.join(", ")).into());
    }
    Ok(files)
}

fn row(
    set: &EvalSet,
    model: &FastModel,
    threads: usize,
    progress: &ProgressBar,
) -> Result<EvalTableRow, CliError> {
    let began = env::moment();
    let done = AtomicUsize::new(0);
    let judged = set.judge(model, threads, &|| {
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        progress.step(&set.name, done, set.len());
    })?;
    Ok(EvalTableRow {
        set: set.name.clone(),
        is_arabic: set.is_arabic,
        figures: EvalMetrics::of(&judged).rounded(),
        pairs_per_second: pace(judged.len(), began.elapsed()),
        judged,
    })
}

/// Whether a set is among those of a mean.
type EvalSetFilter = fn(&EvalTableRow) -> bool;

/// The means over all sets, and over those of each language when there are both.
fn means(rows: &[EvalTableRow]) -> Vec<EvalMean> {
    let kinds: [(&'static str, EvalSetFilter); 3] =
        [("all", |_| true), ("English", |row| !row.is_arabic), ("Arabic", |row| row.is_arabic)];
    let mean = |(over, test): (&'static str, EvalSetFilter)| {
        let some: Vec<&EvalTableRow> = rows.iter().filter(|row| test(row)).collect();
        // A mean over one language that is all there is would repeat the line above.
        let over_all = some.len() == rows.len() && over != "all";
        (!some.is_empty() && !over_all).then(|| EvalMean::of(over, &some))
    };
    kinds.into_iter().filter_map(mean).collect()
}

impl EvalMean {
    fn of(over: &'static str, some: &[&EvalTableRow]) -> Self {
        let pooled: Vec<JudgedPair> = some.iter().flat_map(|row| &row.judged).copied().collect();
        let mean = |value: fn(&EvalMetrics) -> Option<f64>| {
            // A set without both classes has no AUC, and is left out of its mean.
            let values: Vec<f64> = some.iter().filter_map(|row| value(&row.figures)).collect();
            let sum: f64 = values.iter().sum();
            (!values.is_empty()).then(|| tenths(sum / values.len() as f64))
        };
        Self {
            over,
            sets: some.len(),
            pairs: pooled.len(),
            balanced_accuracy: mean(|one| Some(one.balanced_accuracy)),
            f1: mean(|one| Some(one.f1)),
            auc: mean(|one| one.auc),
            pooled_calibration_error: EvalMetrics::of(&pooled).rounded().calibration_error,
        }
    }
}

impl fmt::Display for EvalTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "model {}", self.model_sha256)?;
        writeln!(
            f,
            "{:<24} {:>6} {:>7} {:>6} {:>6} {:>8} {:>8} {:>6} {:>8}",
            "set", "pairs", "bal.acc", "F1", "AUC", "contra", "contraF1", "ECE", "pairs/s"
        )?;
        let or_none =
            |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.1}"));
        for row in &self.sets {
            let one = &row.figures;
            writeln!(
                f,
                "{:<24} {:>6} {:>7.1} {:>6.1} {:>6} {:>8} {:>8} {:>6.3} {:>8.1}",
                row.set,
                one.pairs,
                one.balanced_accuracy,
                one.f1,
                or_none(one.auc),
                or_none(one.contradiction_balanced_accuracy),
                or_none(one.contradiction_f1),
                one.calibration_error,
                row.pairs_per_second,
            )?;
        }
        for mean in &self.means {
            let name = format!("mean, {} ({})", mean.over, mean.sets);
            writeln!(
                f,
                "{name:<24} {:>6} {:>7} {:>6} {:>6} {:>8} {:>8} {:>6.3}",
                mean.pairs,
                or_none(mean.balanced_accuracy),
                or_none(mean.f1),
                or_none(mean.auc),
                "",
                "",
                mean.pooled_calibration_error
            )?;
        }
        match self.peak_memory_bytes {
            Some(bytes) => writeln!(f, "peak memory {} MB", bytes / 1_000_000),
            None => Ok(()),
        }
    }
}

/// The most memory that this program has held, where the system reports it.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
