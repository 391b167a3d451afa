//! The report over a data set.

use dalil_cli::CliError;
use dalil_evidence::ledger::dataset::DatasetRow;
use dalil_phrasebook::Language;
use dalil_proof::json::Json;
use dalil_render::dataset_report::DatasetReport;
use pyo3::{PyResult, Python, pyclass, pymethods};

use crate::check::language;
use crate::error::or_raise;

/// A report that grows row by row.
#[pyclass(name = "DatasetReport", module = "dalil._native")]
pub(crate) struct PythonDatasetReport {
    title: Option<String>,
    language: Language,
    report: DatasetReport,
}

#[pymethods]
impl PythonDatasetReport {
    #[new]
    fn new(py: Python<'_>, title: Option<String>, language_code: &str) -> PyResult<Self> {
        let language = or_raise(py, language(language_code).map_err(CliError::from))?;
        let report = DatasetReport::new(title.clone(), language);
        Ok(Self { title, language, report })
    }

    /// Adds a row, which is JSON.
    fn add(&mut self, py: Python<'_>, row: &[u8]) -> PyResult<()> {
        let rows = Json::parse(row).and_then(|json| DatasetRow::parse_all(&json, "answer"));
        let rows = or_raise(py, rows.map_err(CliError::from))?;
        rows.into_iter().for_each(|row| self.report.add(row));
        Ok(())
    }

    /// The file. The report is empty afterwards.
    fn html(&mut self, py: Python<'_>) -> PyResult<String> {
        let empty = DatasetReport::new(self.title.clone(), self.language);
        let whole = std::mem::replace(&mut self.report, empty);
        or_raise(py, whole.html().map_err(CliError::from))
    }
}
