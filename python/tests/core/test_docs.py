"""The blocks of docs/python.md that need no framework."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import LEAVE, QUESTION

sys.path.insert(0, str(Path(__file__).parent.parent))
import quickstart  # noqa: E402

import dalil  # noqa: E402

FRAMEWORKS = {
    "LangChain",
    "LlamaIndex",
    "Haystack",
    "DSPy",
    "DeepEval",
    "OpenAI Agents",
    "Pydantic AI",
    "OpenTelemetry",
}
# The client has a test of its own, which has a server.
SERVER = "A server"


@pytest.mark.parametrize("heading", quickstart.headings())
def test_blocks_run(heading: str, repository: Path, folder: Path) -> None:
    if heading in FRAMEWORKS or heading == SERVER:
        pytest.skip("run with what it needs")
    command = [sys.executable, "-m", "dalil", "demo", "--out", "."]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    request = json.loads((repository / "examples/requests/sources.json").read_text(encoding="utf-8"))
    names: dict[str, Any] = {
        "Path": Path,
        "answer": LEAVE,
        "question": QUESTION,
        "dalil": dalil,
        "candidates": request["candidates"],
        "request": {"job_input": {}, "evidence_refs": {}, "created_utc": "2026-03-15T09:30:00Z"},
    }
    for block in quickstart.blocks(heading):
        quickstart.run(block, names)
    if "ledger" in names and heading != "Chunks of your retriever":
        assert names["ledger"].is_supported
    if heading == "Many answers":
        assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_every_framework_of_the_page_has_a_test(repository: Path) -> None:
    text = (Path(__file__).parent.parent / "adapters" / "test_quickstarts.py").read_text(encoding="utf-8")
    assert {name for name in FRAMEWORKS if f'"{name}"' not in text} == set()
