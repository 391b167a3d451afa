//! Ledgers: the result of a check, with its views.

use dalil::check::CheckOutcome;
use dalil_cli::CliError;
use dalil_evidence::ledger::export::LedgerExport;
use dalil_evidence::ledger::gate;
use dalil_evidence::ledger::request::LedgerGate;
use dalil_phrasebook::found;
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::score::Score;
use dalil_render::ledger::markdown::markdown;
use dalil_render::ledger::table::table;
use dalil_render::{AnswerLedger, footer, junit, sarif};
use pyo3::types::PyBytes;
use pyo3::{Bound, PyRef, PyResult, Python, pyclass, pyfunction, pymethods};

use crate::check::language;
use crate::error::{json, or_raise};

/// A ledger, and what it was made of.
#[pyclass(name = "Ledger", module = "dalil._native", frozen)]
pub(crate) struct PythonLedger {
    pub(crate) name: String,
    pub(crate) answer: String,
    pub(crate) checked: CheckOutcome,
}

#[pymethods]
impl PythonLedger {
    /// The whole ledger, which `dalil verify` takes.
    fn json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        json(py, &self.checked.ledger)
    }

    /// The export for other programs.
    fn export<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        json(py, &LedgerExport::of(&self.checked.ledger))
    }

    /// A table for a terminal.
    fn table(&self, py: Python<'_>, language_code: &str) -> PyResult<String> {
        let language = or_raise(py, language(language_code).map_err(CliError::from))?;
        let ledger = &self.checked.ledger;
        Ok(table(ledger, language) + &footer::ledger_footer(ledger, language, usize::MAX))
    }

    /// The export for people.
    fn markdown(&self, py: Python<'_>, language_code: &str) -> PyResult<String> {
        let language = or_raise(py, language(language_code).map_err(CliError::from))?;
        Ok(markdown(&self.checked.ledger, &self.checked.request.session, language))
    }

    /// Compares with minimums: `{verdict, findings}`.
    fn gate<'py>(
        &self,
        py: Python<'py>,
        min_coverage: Option<f64>,
        max_unsupported: Option<f64>,
        max_contradicted_critical: Option<usize>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let usual = self.checked.request.options.gate;
        let share = |name: &str, given: Option<f64>, usual: Score| {
            let read = given.map_or(Ok(usual), |number| score(name, number));
            or_raise(py, read.map_err(CliError::from))
        };
        let wanted = LedgerGate {
            min_coverage: share("min_coverage", min_coverage, usual.min_coverage)?,
            max_unsupported: share("max_unsupported", max_unsupported, usual.max_unsupported)?,
            max_contradicted_critical: max_contradicted_critical
                .unwrap_or(usual.max_contradicted_critical),
        };
        json(py, &gate::report(&wanted, &self.checked.ledger))
    }
}

impl PythonLedger {
    fn rendered(&self) -> AnswerLedger<'_> {
        AnswerLedger { name: &self.name, text: &self.answer, ledger: &self.checked.ledger }
    }
}

/// One SARIF log of some ledgers.
#[pyfunction]
pub(crate) fn sarif_log<'py>(
    py: Python<'py>,
    ledgers: Vec<PyRef<'py, PythonLedger>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let rendered: Vec<AnswerLedger<'_>> = ledgers.iter().map(|one| one.rendered()).collect();
    json(py, &sarif::log(&rendered, &|_| None))
}

/// One report of some ledgers for continuous integration, in the form of `JUnit`.
#[pyfunction]
pub(crate) fn junit_report(ledgers: Vec<PyRef<'_, PythonLedger>>) -> String {
    let rendered: Vec<AnswerLedger<'_>> = ledgers.iter().map(|one| one.rendered()).collect();
    junit::xml(&rendered)
}

/// Reads a share, in ten-thousandths as scores are.
fn score(name: &str, number: f64) -> Result<Score, Refused> {
    let fault = || Fault::new("range", name, Score::EXPECTED, found::value(number));
    Score::new(number).ok_or_else(|| fault().into())
}
