"""Checks of a data set of Ray, by `map_batches`.

    ledgers = dalil.ray.check(answers, against="/shared/docs", at="2026-03-15T09:30:00Z")
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from dalil.batch import BatchCheck

if TYPE_CHECKING:
    import pyarrow
    from ray.data import Dataset

__all__ = ["check"]


def check(
    dataset: Dataset,
    against: str | os.PathLike[str] | None = None,
    *,
    at: str,
    batch_size: int = 64,
    **options: object,
) -> Dataset:
    """A row for each row of `dataset`, which has the columns of `dalil.batch.BatchCheck`.

    `against` is a file or folder that every worker can read. The other options are those of
    `BatchCheck`.
    """
    paths = () if against is None else (os.fspath(against),)
    run = BatchCheck(at=at, against=paths, **options)  # pyright: ignore[reportArgumentType]

    def batches(table: pyarrow.Table) -> pyarrow.Table:
        import pyarrow

        return pyarrow.Table.from_batches([run(table)])

    return dataset.map_batches(batches, batch_format="pyarrow", batch_size=batch_size)
