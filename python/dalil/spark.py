"""Checks of a data frame of Apache Spark, by `mapInArrow`.

    ledgers = dalil.spark.check(answers, corpus="docs/", at="2026-03-15T09:30:00Z")
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from dalil._verbs import Corpus
from dalil.batch import SCHEMA, BatchCheck
from dalil.errors import MissingExtra

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame

try:
    from pyspark import SparkFiles
    from pyspark.sql.pandas.types import from_arrow_schema
except ImportError as error:
    raise MissingExtra("pyspark", "spark") from error

__all__ = ["check"]


def check(df: DataFrame, corpus: str | os.PathLike[str] | None = None, *, at: str, **options: object) -> DataFrame:
    """A row for each row of `df`, which has the columns of `dalil.batch.BatchCheck`.

    `corpus` is a file or folder of this machine. It is read and indexed here, once, and sent with
    its index to each executor, once. Without it, each row has its `contexts`. The other options
    are those of `BatchCheck`. Executors need the wheel. A task that is lost is done again, and
    gives the same bytes.
    """
    run = BatchCheck(at=at, **options)  # pyright: ignore[reportArgumentType]
    sent = None if corpus is None else _send(df, Path(corpus))

    def batches(given: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        own = run if sent is None else _here(run, sent)
        return (own(batch) for batch in given)

    return df.mapInArrow(batches, from_arrow_schema(SCHEMA))


@dataclass(frozen=True)
class _SentCorpus:
    """Documents that each executor unpacks: the name of the archive, and of its content."""

    archive: str
    documents: str


def _send(df: DataFrame, corpus: Path) -> _SentCorpus:
    """Reads and indexes documents, and sends both as one archive: Spark sends no folders."""
    corpus = corpus.resolve()
    work = Path(tempfile.mkdtemp(prefix="dalil-"))
    staged = work / "staged"
    documents = staged / corpus.name
    staged.mkdir()
    if corpus.is_dir():
        shutil.copytree(corpus, documents)
    else:
        shutil.copy2(corpus, documents)
    Corpus([documents], index=staged / _INDEX)
    archive = shutil.make_archive(str(work / "corpus"), "zip", staged)
    shutil.rmtree(staged)
    # A name of its own for each call: executors keep what they unpacked under it.
    sent = _SentCorpus(work.name, corpus.name)
    df.sparkSession.sparkContext.addArchive(f"{archive}#{sent.archive}")
    return sent


def _here(run: BatchCheck, sent: _SentCorpus) -> BatchCheck:
    """Returns the check with the paths of its documents on this executor."""
    root = Path(SparkFiles.get(sent.archive))
    return replace(run, against=(str(root / sent.documents),), index=str(root / _INDEX))


_INDEX = ".dalil-index"
