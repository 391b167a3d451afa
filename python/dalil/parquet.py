"""Checks a Parquet file of answers: `python -m dalil.parquet IN --out OUT --against DOCS`.

OUT is a folder with a file for each group of rows, in the order of IN. A run that was ended goes on
where it was: a group whose file is there, made by the same check, is not checked again. When all
groups are done, `_SUCCESS` says so, and `--report FILE` writes one HTML file over all of them, the
wrong claims first.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from datetime import datetime, timezone
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from dalil import _native
from dalil.batch import SCHEMA, BatchCheck
from dalil.errors import Refused

# After `dalil.batch`, which says what to install where it is missing.
import pyarrow
from pyarrow import parquet

if TYPE_CHECKING:
    from dalil._verbs import Language

__all__ = ["check_file", "main", "report_file"]

_JOB = "_job.json"
_DONE = "_SUCCESS"


def check_file(
    source: str | os.PathLike[str],
    out: str | os.PathLike[str],
    check: BatchCheck,
    *,
    group_rows: int = 256,
    workers: int = 1,
) -> int:
    """Checks every row of a file, and returns how many groups were checked now.

    Another run may finish an interrupted one, with any number of workers. Another check or another
    input is refused, since its ledgers would be mixed with those of the first.
    """
    source, out = Path(source), Path(out)
    out.mkdir(parents=True, exist_ok=True)
    _same_job(source, out, check, group_rows)
    file = parquet.ParquetFile(source)
    groups = (file.metadata.num_rows + group_rows - 1) // group_rows
    waiting = [number for number in range(groups) if not _part(out, number).exists()]
    work = partial(_group, source, out, check, group_rows)
    if workers > 1 and len(waiting) > 1:
        # Processes of their own: a worker that is killed takes no other down, and Python's lock
        # is nobody's limit.
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            list(pool.map(work, waiting))
    else:
        for number in waiting:
            work(number)
    (out / _DONE).touch()
    return len(waiting)


def report_file(
    source: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    title: str | None = None,
    language: Language = "en",
) -> str:
    """One HTML file over the answers of a file and the ledgers that `check_file` made of them.

    Its memory does not grow with the number of answers: the worst are shown, and all are counted.
    """
    out = Path(out)
    if not (out / _DONE).exists():
        raise Refused.of_one("job", str(out), "a check that is done", "one that is not")
    file = parquet.ParquetFile(Path(source))
    rows = json.loads((out / _JOB).read_text(encoding="utf-8"))["rows"]
    names = [name for name in ("id", "answer", "question") if name in file.schema_arrow.names]
    report = _native.DatasetReport(title, language)
    batches = file.iter_batches(batch_size=rows, columns=names)  # pyright: ignore[reportUnknownMemberType]
    for number, batch in enumerate(batches):
        checked = parquet.read_table(_part(out, number), columns=["ledger", "error"])  # pyright: ignore[reportUnknownMemberType]
        for given, made in zip(batch.to_pylist(), checked.to_pylist(), strict=True):
            # An answer that is none is why its row could not be checked.
            row = {**given, **made, "id": str(given["id"])}
            report.add(json.dumps(row, ensure_ascii=False).encode())
    return report.html()


def _same_job(source: Path, out: Path, check: BatchCheck, group_rows: int) -> None:
    with source.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    told = {name: value for name, value in asdict(check).items() if name not in ("threads", "index")}
    job = json.dumps({"input": f"sha256:{digest}", "rows": group_rows, **told}, sort_keys=True)
    path = out / _JOB
    if not path.exists():
        _write(path, job.encode())
    elif path.read_text(encoding="utf-8") != job:
        raise Refused.of_one("job", str(path), "the check that was begun there", "another")


def _group(source: Path, out: Path, check: BatchCheck, rows: int, number: int) -> None:
    """Checks one group. Its file is written completely or not at all."""
    file = parquet.ParquetFile(source)
    # The stubs leave the types of other parameters open.
    batches = file.iter_batches(batch_size=rows)  # pyright: ignore[reportUnknownMemberType]
    for at, batch in enumerate(batches):
        if at == number:
            sink = pyarrow.BufferOutputStream()
            with parquet.ParquetWriter(sink, SCHEMA, compression="zstd") as writer:
                writer.write_batch(check(batch))
            _write(_part(out, number), sink.getvalue().to_pybytes())
            return


def _part(out: Path, number: int) -> Path:
    return out / f"part-{number:06}.parquet"


def _write(path: Path, data: bytes) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m dalil.parquet", description=__doc__)
    parser.add_argument("source", metavar="IN", help="a Parquet file with `id` and `answer`")
    parser.add_argument("--out", required=True, help="the folder of the ledgers")
    parser.add_argument("--against", nargs="+", default=[], help="documents, files or folders")
    parser.add_argument("--index", help="the folder of the cache for parsed documents")
    parser.add_argument("--judge", help="`fast`, `deep`, `auto` or an address")
    parser.add_argument("--at", help="the time of the check; by default that of the first run")
    parser.add_argument("--lang", choices=["en", "ar"], help="the language of notes and questions")
    parser.add_argument("--rows", type=int, default=256, help="how many rows a file of OUT has")
    parser.add_argument("--report", metavar="FILE", help="write a report over all answers, an HTML file")
    parser.add_argument("--title", help="the title of the report")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="how many processes check")
    args = parser.parse_args(arguments)
    check = BatchCheck(
        at=args.at or _begun(Path(args.out)),
        against=tuple(args.against),
        index=args.index,
        judge=args.judge,
        language=args.lang,
    )
    try:
        done = check_file(args.source, args.out, check, group_rows=args.rows, workers=args.workers)
        if args.report:
            page = report_file(args.source, args.out, title=args.title, language=args.lang or "en")
            _write(Path(args.report), page.encode())
    except Refused as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    sys.stderr.write(f"checked {done} groups\n")
    return 0


def _begun(out: Path) -> str:
    """The time of the run that was begun in this folder, or now: it is in every ledger."""
    path = out / _JOB
    if path.exists():
        return str(json.loads(path.read_text(encoding="utf-8"))["at"])
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


if __name__ == "__main__":
    sys.exit(main())
