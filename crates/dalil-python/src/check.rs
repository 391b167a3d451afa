//! `dalil.check`: an answer, a corpus and a judge in, the ledger out.

use dalil::check::{CheckContext, CheckOutcome};
use dalil_cli::{CliError, library};
use dalil_evidence::ledger::request::LedgerOptions;
use dalil_phrasebook::{Language, bound, expected, hint};
use dalil_proof::fault::{Fault, Refused, quoted};
use dalil_proof::time::Time;
use pyo3::{FromPyObject, Py, PyAny, PyRef, PyResult, Python, pyfunction};

use crate::corpus::PythonCorpus;
use crate::error::or_raise;
use crate::judge::PythonJudge;
use crate::ledger::PythonLedger;
use crate::progress::ProgressListener;

/// The attributes of Python's options for an answer.
#[derive(FromPyObject)]
pub(crate) struct CheckOptions {
    name: String,
    question: Option<String>,
    session: Option<String>,
    previous: Option<String>,
    at: Option<String>,
    language: Option<String>,
    outdated_days: u32,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
}

/// Checks every claim of an answer.
#[pyfunction]
pub(crate) fn check(
    py: Python<'_>,
    answer: String,
    corpus: PyRef<'_, PythonCorpus>,
    judge: PyRef<'_, PythonJudge>,
    options: CheckOptions,
) -> PyResult<PythonLedger> {
    let (corpus, judges) = (&corpus.corpus, &judge.judges);
    let listener = ProgressListener::new(options.progress.as_ref().map(|one| one.clone_ref(py)));
    let checked = py.detach(|| -> Result<CheckOutcome, CliError> {
        if answer.len() > MAX_ANSWER_BYTES {
            return Err(long_answer(answer.len()).into());
        }
        let setup = setup(&options)?;
        let panel = judges.panel(options.threads.unwrap_or_else(library::threads))?;
        let step = |done, all| listener.step("judging", done, all);
        Ok(dalil::check::check(&answer, corpus, &panel, &setup, &step)?)
    });
    listener.finish()?;
    let checked = or_raise(py, checked)?;
    Ok(PythonLedger { name: options.name, answer, checked })
}

fn setup(options: &CheckOptions) -> Result<CheckContext, CliError> {
    let at = match &options.at {
        Some(text) => time(text)?,
        None => library::now()?,
    };
    let language = options.language.as_deref().map(language).transpose()?;
    let outdated_days = i64::from(options.outdated_days);
    Ok(CheckContext {
        session: options.session.clone(),
        question: options.question.clone(),
        at,
        previous: options.previous.clone(),
        options: LedgerOptions { language, outdated_days, ..LedgerOptions::usual() },
    })
}

/// Reads a time.
pub(crate) fn time(text: &str) -> Result<Time, Refused> {
    let fault = |_| Fault::new("time", "at", expected::a_time_such_as(), quoted(text));
    text.parse::<Time>().map_err(|error| fault(error).into())
}

/// Reads a language.
pub(crate) fn language(text: &str) -> Result<Language, Refused> {
    match text {
        "en" => Ok(Language::English),
        "ar" => Ok(Language::Arabic),
        other => Err(Fault::new("choice", "language", expected::en_or_ar(), quoted(other)).into()),
    }
}

fn long_answer(found: usize) -> Refused {
    let limit = bound::at_most_bytes(MAX_ANSWER_BYTES);
    Fault::new("length", "answer", limit, found).hint(hint::check_it_in_parts()).into()
}

/// No answer is longer; its claims could not be read by a person.
const MAX_ANSWER_BYTES: usize = 4 << 20;
