"""Batches and Parquet files: the bytes of single checks, whoever makes them and however often they are ended."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import dalil
import pyarrow
import pytest
from conftest import LEAVE, QUESTION, WRONG
from dalil.batch import SCHEMA, BatchCheck
from dalil.parquet import check_file, main, report_file
from pyarrow import parquet

AT = "2026-03-15T09:30:00Z"


def answers(count: int) -> pyarrow.Table:
    rows = [
        {"id": f"a-{number}", "answer": (LEAVE, WRONG)[number % 2], "question": QUESTION, "contexts": None}
        for number in range(count)
    ]
    contexts = pyarrow.list_(pyarrow.string())
    text = pyarrow.string()
    schema = pyarrow.schema([("id", text), ("answer", text), ("question", text), ("contexts", contexts)])
    return pyarrow.Table.from_pylist(rows, schema=schema)


def digest(out: Path) -> str:
    """The digest of every row of every part, in order."""
    made = hashlib.sha256()
    for part in sorted(out.glob("part-*.parquet")):
        rows = parquet.read_table(part).to_pylist()  # pyright: ignore[reportUnknownMemberType]
        for row in rows:
            made.update(json.dumps(row, sort_keys=True).encode())
    return made.hexdigest()


def test_a_row_of_a_batch_is_the_check_of_its_answer(folder: Path) -> None:
    given = [
        {"id": "one", "answer": LEAVE, "question": QUESTION, "contexts": None},
        {"id": "two", "answer": "Leave is 15 days.", "question": None, "contexts": ["Leave is 15 days."]},
        {"id": "three", "answer": None, "question": None, "contexts": None},
    ]
    made = BatchCheck(at=AT, against=("docs",))(pyarrow.Table.from_pylist(given))
    assert made.schema == SCHEMA
    one, two, three = made.to_pylist()
    alone = dalil.check(LEAVE, "docs", question=QUESTION, at=AT, name="one")
    assert one["ledger"] == alone.to_json().decode()
    assert (one["ledger_id"], one["coverage"], one["gate"]) == (alone.id, alone.coverage, "pass")
    chunks = dalil.check("Leave is 15 days.", chunks=["Leave is 15 days."], at=AT, name="two")
    assert two["ledger"] == chunks.to_json().decode()
    assert (three["ledger"], three["error"]) == (None, "`answer`: expected a text, found none")


def test_a_batch_without_its_columns_is_refused() -> None:
    with pytest.raises(dalil.Refused, match="`answer`: expected a column, found none"):
        BatchCheck(at=AT)(pyarrow.Table.from_pylist([{"id": "one"}]))


def test_a_file_is_checked_to_the_same_bytes_by_any_number_of_workers(folder: Path) -> None:
    parquet.write_table(answers(12), "answers.parquet")  # pyright: ignore[reportUnknownMemberType]
    check = BatchCheck(at=AT, against=("docs",), index="index")
    assert check_file("answers.parquet", "one", check, group_rows=2) == 6
    assert check_file("answers.parquet", "two", check, group_rows=2, workers=2) == 6
    assert digest(folder / "one") == digest(folder / "two")
    assert (folder / "one" / "_SUCCESS").exists()
    # All of it is done: nothing is checked again.
    assert check_file("answers.parquet", "one", check, group_rows=2) == 0
    with pytest.raises(dalil.Refused, match="the check that was begun there"):
        check_file("answers.parquet", "one", BatchCheck(at=AT), group_rows=2)


def test_a_run_that_is_killed_goes_on_to_the_same_bytes(folder: Path) -> None:
    parquet.write_table(answers(40), "answers.parquet")  # pyright: ignore[reportUnknownMemberType]
    command = [sys.executable, "-m", "dalil.parquet", "answers.parquet", "--against", "docs", "--index", "index"]
    command += ["--at", AT, "--rows", "4"]
    subprocess.run([*command, "--out", "whole", "--workers", "1"], check=True, capture_output=True)
    killed = subprocess.Popen([*command, "--out", "killed", "--workers", "2"], start_new_session=True)
    while not any((folder / "killed").glob("part-*.parquet")):
        assert killed.poll() is None
        time.sleep(0.01)
    os.killpg(killed.pid, signal.SIGKILL)
    killed.wait()
    left = len(list((folder / "killed").glob("part-*.parquet")))
    assert not (folder / "killed" / "_SUCCESS").exists()
    ended = subprocess.run([*command, "--out", "killed"], check=True, capture_output=True, text=True)
    assert ended.stderr == f"checked {10 - left} groups\n"
    assert digest(folder / "killed") == digest(folder / "whole")


def test_a_report_over_a_file_is_that_of_its_ledgers(folder: Path) -> None:
    rows = answers(4).to_pylist()
    rows.append({"id": "none", "answer": None, "question": None, "contexts": None})
    given = pyarrow.Table.from_pylist(rows, schema=answers(0).schema)
    parquet.write_table(given, "answers.parquet")  # pyright: ignore[reportUnknownMemberType]
    arguments = ["answers.parquet", "--out", "out", "--against", "docs", "--at", AT, "--rows", "2"]
    assert main([*arguments, "--report", "report.html", "--title", "March"]) == 0
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page == report_file("answers.parquet", "out", title="March")
    # The program makes the same of the same rows.
    made = pyarrow.concat_tables(
        parquet.read_table(part) for part in sorted((folder / "out").glob("part-*.parquet"))  # pyright: ignore[reportUnknownMemberType]
    )
    lines = [
        json.dumps({**one, "answer": row["answer"], "question": row["question"]})
        for row, one in zip(rows, made.to_pylist(), strict=True)
    ]
    (folder / "rows.jsonl").write_text("\n".join(lines), encoding="utf-8")
    command = [sys.executable, "-m", "dalil", "report", "rows.jsonl", "--title", "March"]
    told = subprocess.run(command, capture_output=True, check=False)
    assert (told.returncode, told.stdout.decode()) == (2, page), told.stderr
    (folder / "out" / "_SUCCESS").unlink()
    with pytest.raises(dalil.Refused, match="expected a check that is done, found one that is not"):
        report_file("answers.parquet", "out")
