//! `dalil report`: many ledgers in, one page for people out.

use std::fs;
use std::path::{Path, PathBuf};

use dalil_evidence::ledger::dataset::DatasetRow;
use dalil_phrasebook::{Language, expected, found, hint};
use dalil_proof::fault::{Fault, FaultCollector, Refused};
use dalil_proof::json::Json;
use dalil_render::dataset_report::DatasetReport;

use crate::error::{CliError, CommandOutcome};
use crate::input;
use crate::reply::ReplyWriter;
use crate::view;

/// Make a report over many checked answers: one HTML file, the wrong claims first
///
/// Reads ledgers (`dalil check --format ledger`), and rows with `id`, `ledger` or `error`, and
/// optionally `question` and `answer`, one per line. The file is in English and Arabic, and loads
/// nothing. Exits 2 if an answer has an `error` in place of a ledger. See spec/ledger.md.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Files of ledgers or rows, folders with such files (`.json`, `.jsonl`, `.ndjson`), or `-`
    #[arg(required = true, value_name = "LEDGERS")]
    inputs: Vec<PathBuf>,

    /// The title of the report
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    /// The language that is shown first: `en` or `ar`
    #[arg(long, value_name = "LANG", value_parser = view::language, default_value = "en")]
    lang: Language,
}

pub(crate) fn run(args: &Args, reply: &ReplyWriter) -> Result<CommandOutcome, CliError> {
    let mut report = DatasetReport::new(args.title.clone(), args.lang);
    let faults = FaultCollector::default();
    for input in &args.inputs {
        for file in files(input)? {
            read(&file, &mut report, &faults)?;
        }
    }
    faults.into_result(Some(()))?;
    let outcome =
        if report.is_complete() { CommandOutcome::Holds } else { CommandOutcome::Incomplete };
    reply.file(report.html()?.as_bytes())?;
    Ok(outcome)
}

/// The file that was named, or those below a folder, in the order of their names.
fn files(input: &Path) -> Result<Vec<PathBuf>, CliError> {
    if !input.is_dir() {
        return Ok(vec![input.to_owned()]);
    }
    let (mut folders, mut files) = (vec![input.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        let failed = |error| CliError::Read { path: folder.clone(), error };
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            // Programs that write a folder of parts name their other files so.
            if entry.file_name().as_encoded_bytes().starts_with(b"_")
                || entry.file_name().as_encoded_bytes().starts_with(b".")
            {
                continue;
            }
            // A link to a folder is not followed: it may lead back.
            match entry.file_type().map_err(failed)? {
                kind if kind.is_dir() => folders.push(entry.path()),
                _ if is_json(&entry.path()) => files.push(entry.path()),
                _ => {}
            }
        }
    }
    if files.is_empty() {
        let path = input.display();
        let fault = Fault::new("empty", path, expected::files_of_ledgers(), found::none());
        return Err(
            Refused::from(fault.hint(hint::parquet_files_are_reported_from_python())).into()
        );
    }
    files.sort();
    Ok(files)
}

fn is_json(path: &Path) -> bool {
    let end = path.extension().and_then(|end| end.to_str());
    end.is_some_and(|end| JSON_ENDINGS.contains(&end))
}

/// Adds the rows of one file: a line each, or one JSON value over several lines.
fn read(path: &Path, report: &mut DatasetReport, faults: &FaultCollector) -> Result<(), CliError> {
    let shown = path.to_string_lossy().replace('\\', "/");
    let mut lines = input::start(path, 0)?.lines(MAX_ROW_BYTES);
    let mut number = 0;
    while let Some(line) = lines.read()? {
        number += 1;
        if number == 1 && Json::parse(line).is_err() {
            let mut whole = line.to_vec();
            while let Some(line) = lines.read()? {
                whole.extend_from_slice(line);
                if whole.len() > MAX_ROW_BYTES {
                    let limit = MAX_ROW_BYTES as u64;
                    return Err(CliError::TooLarge { path: path.to_owned(), limit });
                }
            }
            let rows = Json::parse(&whole).and_then(|json| DatasetRow::parse_all(&json, &shown));
            add(rows, &shown, report, faults);
            return Ok(());
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let place = format!("{shown}:{number}");
        let rows = Json::parse(line).and_then(|json| DatasetRow::parse_all(&json, &place));
        add(rows, &place, report, faults);
    }
    if number == 0 {
        faults.push(Fault::new("empty", &shown, expected::files_of_ledgers(), found::nothing()));
    }
    Ok(())
}

/// Adds rows, or their faults, with the place that they are from.
fn add(
    rows: Result<Vec<DatasetRow>, Refused>,
    place: &str,
    report: &mut DatasetReport,
    faults: &FaultCollector,
) {
    match rows {
        Ok(rows) => rows.into_iter().for_each(|row| report.add(row)),
        Err(refused) => {
            for fault in refused.refused {
                faults.push(Fault { path: format!("{place}: {}", fault.path), ..fault });
            }
        }
    }
}

const JSON_ENDINGS: [&str; 3] = ["json", "jsonl", "ndjson"];
/// No row is longer: an answer has at most 4 MiB, and its ledger repeats its claims with evidence.
const MAX_ROW_BYTES: usize = 64 << 20;
