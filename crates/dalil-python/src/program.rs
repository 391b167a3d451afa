//! The command `dalil`: the module is the program.

use std::ffi::OsString;
use std::path::PathBuf;

use dalil::sandbox::ProgramCommand;
use dalil_phrasebook::{expected, found};
use dalil_proof::fault::Fault;
use pyo3::{PyResult, Python, pyfunction};

use crate::error::fault;

/// Runs a command to its end and returns its exit code; the arguments are those after the name.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let named = std::iter::once(OsString::from("dalil")).chain(arguments);
    py.detach(|| dalil_cli::run(named))
}

/// Says how the program is started again, to read hostile files in a process of its own.
#[pyfunction]
pub(crate) fn set_program(py: Python<'_>, command: Vec<OsString>) -> PyResult<()> {
    let mut parts = command.into_iter();
    let Some(program) = parts.next().filter(|program| !program.is_empty()) else {
        return Err(fault(
            py,
            Fault::new("empty", "command", expected::the_path_of_a_program(), found::none()),
        ));
    };
    let arguments = parts.collect();
    dalil_cli::set_program(ProgramCommand { program: PathBuf::from(program), arguments });
    Ok(())
}
