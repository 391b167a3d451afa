//! Judges: opened once, for any number of checks.

use std::path::PathBuf;

use dalil::judges::Judges;
use dalil_cli::CliError;
use dalil_cli::library::{JudgeChoice, JudgeMasking, JudgeSettings};
use pyo3::{FromPyObject, PyResult, Python, pyclass, pymethods};

use crate::error::or_raise;

/// The judges that a check asks.
#[pyclass(name = "Judge", module = "dalil._native", frozen)]
pub(crate) struct PythonJudge {
    pub(crate) judges: Judges,
}

/// The attributes of `dalil.JudgeOptions`.
#[derive(FromPyObject)]
struct JudgeOptions {
    judge: Option<String>,
    judge_model: Option<String>,
    mask: bool,
    model_file: Option<PathBuf>,
    replies: PathBuf,
}

#[pymethods]
impl PythonJudge {
    /// Opens what the options ask for.
    #[new]
    fn new(py: Python<'_>, options: JudgeOptions) -> PyResult<Self> {
        let opened = py.detach(|| -> Result<Judges, CliError> {
            let JudgeOptions { judge, judge_model, mask, model_file, replies } = options;
            let settings = JudgeSettings {
                judge: judge.as_deref().map(JudgeChoice::required).transpose()?,
                model: judge_model,
                masking: if mask { JudgeMasking::Masked } else { JudgeMasking::AsIs },
                file: model_file,
                replies,
            };
            settings.open()
        });
        Ok(Self { judges: or_raise(py, opened)? })
    }
}
