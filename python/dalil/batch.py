"""Checks of record batches of Arrow: the one function behind `dalil.parquet`, `dalil.spark` and `dalil.ray`.

    check = dalil.batch.BatchCheck(against=("docs/",), at="2026-03-15T09:30:00Z")
    ledgers = check(table)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from dalil._verbs import ChunkLike, Corpus, Judge, check
from dalil.errors import DalilError, MissingExtra, Refused

if TYPE_CHECKING:
    from dalil._verbs import Language
    from dalil.results import Ledger

try:
    import pyarrow
except ImportError as error:
    raise MissingExtra("pyarrow", "arrow") from error

__all__ = ["SCHEMA", "BatchCheck"]

SCHEMA: pyarrow.Schema = pyarrow.schema(
    [
        pyarrow.field("id", pyarrow.string(), nullable=False),
        pyarrow.field("ledger_id", pyarrow.string()),
        pyarrow.field("coverage", pyarrow.float64()),
        pyarrow.field("unsupported_rate", pyarrow.float64()),
        pyarrow.field("supported", pyarrow.int32()),
        pyarrow.field("weak", pyarrow.int32()),
        pyarrow.field("contradicted", pyarrow.int32()),
        pyarrow.field("not_found", pyarrow.int32()),
        pyarrow.field("gate", pyarrow.string()),
        pyarrow.field("ledger", pyarrow.string()),
        pyarrow.field("error", pyarrow.string()),
    ]
)
"""The output: a row for each input row, with the ledger in canonical JSON, or why there is none."""


@dataclass(frozen=True)
class BatchCheck:
    """Checks batches with the columns `id` and `answer`, and optionally `question` and `contexts`.

    `contexts` is a list of texts, or of `{"id", "text"}`, that was retrieved for the answer; a row
    without it is checked against the documents at `against`. It can be pickled: a worker opens
    the documents and the judge once, when it gets its first batch. With the same `at`, every
    worker makes the same bytes.
    """

    at: str
    against: tuple[str, ...] = ()
    index: str | None = None
    judge: Judge | str | None = None
    language: Language | None = None
    threads: int = 1
    min_coverage: float = 0.85
    max_unsupported: float = 0.05

    def __call__(self, batch: pyarrow.RecordBatch | pyarrow.Table) -> pyarrow.RecordBatch:
        """Returns a row for each row, in the same order. A refused row does not stop the others."""
        missing = [name for name in ("id", "answer") if name not in batch.schema.names]
        if missing:
            raise Refused.of_one("missing_field", missing[0], "a column", "none")
        rows = [self._row(row) for row in cast("list[dict[str, object]]", batch.to_pylist())]
        return pyarrow.RecordBatch.from_pylist(rows, schema=SCHEMA)

    def _row(self, row: dict[str, object]) -> dict[str, object]:
        name = str(row["id"])
        try:
            return self._told(name, self._checked(name, row))
        except DalilError as error:
            return {"id": name, "error": str(error)}

    def _checked(self, name: str, row: dict[str, object]) -> Ledger:
        answer, question, contexts = row["answer"], row.get("question"), row.get("contexts")
        if not isinstance(answer, str):
            raise Refused.of_one("type", "answer", "a text", "none")
        if contexts is None and not self.against:
            raise Refused.of_one("missing_field", "contexts", "contexts, or `against`", "neither")
        if contexts is None:
            corpus = _opened(self.against, self.index)
        else:
            corpus = Corpus.of_chunks(cast("Iterable[ChunkLike]", contexts))
        return check(
            answer,
            corpus,
            question=question if isinstance(question, str) else None,
            judge=self.judge,
            name=name,
            at=self.at,
            language=self.language,
            threads=self.threads,
        )

    def _told(self, name: str, ledger: Ledger) -> dict[str, object]:
        gate = ledger.gate(min_coverage=self.min_coverage, max_unsupported=self.max_unsupported)
        return {
            "id": name,
            "ledger_id": ledger.id,
            "coverage": ledger.coverage,
            "unsupported_rate": ledger.unsupported_rate,
            **ledger.counts,
            "gate": gate.status,
            "ledger": ledger.to_json().decode(),
        }


@lru_cache(maxsize=2)
def _opened(paths: tuple[str, ...], index: str | None) -> Corpus:
    """Opens a corpus once in a process: its batches share the index."""
    return Corpus(paths, index=index)
