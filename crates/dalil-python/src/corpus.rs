//! Corpora: documents, read and indexed once, for any number of checks.

use std::path::PathBuf;

use dalil::corpus::{Corpus, CorpusCache, CorpusChunkSet, CorpusProgress};
use dalil_cli::{CliError, library};
use dalil_evidence::chunk_set::ChunkSet;
use pyo3::types::PyBytes;
use pyo3::{Bound, Py, PyAny, PyResult, Python, pyclass, pymethods};
use serde::Serialize;

use crate::error::{json, or_raise, owned};
use crate::progress::ProgressListener;

/// Documents that were read.
#[pyclass(name = "Corpus", module = "dalil._native", frozen)]
pub(crate) struct PythonCorpus {
    pub(crate) corpus: Corpus,
}

/// A summary of a corpus, for people.
#[derive(Serialize)]
struct CorpusSummary<'c> {
    documents: Vec<CorpusDocumentSummary<'c>>,
    unread: Vec<UnreadFileSummary<'c>>,
}

#[derive(Serialize)]
struct CorpusDocumentSummary<'c> {
    id: String,
    name: &'c str,
    chunks: usize,
    problems: Vec<String>,
}

#[derive(Serialize)]
struct UnreadFileSummary<'c> {
    name: &'c str,
    message: &'c str,
}

#[pymethods]
impl PythonCorpus {
    /// Reads every file under some paths; what was read is kept below `index`, if it is given.
    #[staticmethod]
    #[pyo3(signature = (paths, index, progress))]
    fn open(
        py: Python<'_>,
        paths: Vec<PathBuf>,
        index: Option<PathBuf>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let listener = ProgressListener::new(progress);
        let opened = py.detach(|| -> Result<Corpus, CliError> {
            let cache =
                index.map_or_else(CorpusCache::none, |index| CorpusCache::at(index.join("index")));
            let step = |step: CorpusProgress| listener.step("reading", step.done, step.all);
            let corpus = Corpus::open(&paths, &[], &library::reader()?, &cache, &step)?;
            Ok(corpus.with_text(&paths)?)
        });
        listener.finish()?;
        Ok(Self { corpus: or_raise(py, opened)? })
    }

    /// What an application retrieved, as `dalil check --chunks` reads it: `{"chunks": […]}`.
    #[staticmethod]
    fn of_chunks(py: Python<'_>, chunks: &Bound<'_, PyBytes>) -> PyResult<Self> {
        let bytes = owned(chunks);
        let opened = py.detach(|| -> Result<Corpus, CliError> {
            let set = CorpusChunkSet::new(ChunkSet::parse(&bytes)?)?;
            let name = PathBuf::from(&set.name);
            Ok(Corpus::of_chunks(set).with_text(&[name])?)
        });
        Ok(Self { corpus: or_raise(py, opened)? })
    }

    /// What is in it: `{"documents": […], "unread": […]}`.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let documents = self.corpus.held().iter().map(|held| CorpusDocumentSummary {
            id: held.id(),
            name: &held.name,
            chunks: held.chunks.len(),
            problems: held.document.problems.iter().map(ToString::to_string).collect(),
        });
        let unread = self.corpus.unread().iter();
        let unread = unread.map(|one| UnreadFileSummary { name: &one.name, message: &one.message });
        json(py, &CorpusSummary { documents: documents.collect(), unread: unread.collect() })
    }
}
