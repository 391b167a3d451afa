//! The extension module `dalil._native`: the library for Python, and the program.
//!
//! A [`corpus`] and a [`judge`] are opened once; [`check`](mod@check) gives a [`ledger`] from them.
//! [`bundle`](mod@bundle), [`sources`](mod@sources) and [`verify`](mod@verify) are the other verbs,
//! [`report`] is the page over many ledgers, [`program`] the command `dalil`. Values cross as
//! canonical JSON, and [`error`] turns failures into exceptions. Users import `python/dalil`,
//! which is Python.

#![expect(clippy::needless_pass_by_value, reason = "a function of Python owns its arguments")]

use pyo3::pymodule;

mod bundle;
mod check;
mod corpus;
mod error;
mod judge;
mod ledger;
mod program;
mod progress;
mod report;
mod sources;
mod verify;

/// The module.
#[pymodule(name = "_native")]
mod native {
    #[pymodule_export]
    use crate::bundle::bundle;
    #[pymodule_export]
    use crate::check::check;
    #[pymodule_export]
    use crate::corpus::PythonCorpus;
    #[pymodule_export]
    use crate::judge::PythonJudge;
    #[pymodule_export]
    use crate::ledger::{PythonLedger, junit_report, sarif_log};
    #[pymodule_export]
    use crate::program::{main, set_program};
    #[pymodule_export]
    use crate::report::PythonDatasetReport;
    #[pymodule_export]
    use crate::sources::{anchor, sources};
    #[pymodule_export]
    use crate::verify::verify;
}
