"""Bundles, sources, verification and the command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import dalil

AT = "2026-03-16T00:00:00Z"


def program(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """The command in the wheel."""
    command = [str(Path(sys.executable).parent / "dalil"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, **options)


def test_a_bundle_is_that_of_the_program(repository: Path, folder: Path) -> None:
    request = repository / "examples" / "requests" / "bundle.json"
    expected = program("bundle", str(request), "--lake", "docs", "--json")
    bundle = dalil.bundle(json.loads(request.read_text(encoding="utf-8")), lake="docs")
    assert bundle.to_dict() == json.loads(expected.stdout)
    prompt = program("bundle", str(request), "--lake", "docs", "--format", "prompt")
    assert bundle.prompt() == prompt.stdout
    assert "Bundle" in bundle._repr_html_()  # pyright: ignore[reportPrivateUsage]


def test_a_bundle_without_its_lake_is_refused(repository: Path) -> None:
    request = json.loads((repository / "examples/requests/bundle.json").read_text(encoding="utf-8"))
    with pytest.raises(dalil.Refused) as refused:
        dalil.bundle(request)
    assert [fault.rule for fault in refused.value.faults] == ["needs_lake"]


def test_sources_in_every_shape(repository: Path) -> None:
    path = repository / "examples" / "requests" / "sources.json"
    request = json.loads(path.read_text(encoding="utf-8"))
    for shape in ("event", "ai-sdk", "anthropic", "openai"):
        expected = json.loads(program("sources", str(path), "--format", shape, "--json").stdout)
        choose: Any = dalil.sources
        found = choose(**request, format=shape)
        assert (found.to_dict() if shape == "event" else found) == expected
    assert len(dalil.sources(request["candidates"])) > 0


def test_evidence_is_verified(tmp_path: Path) -> None:
    assert program("demo", "--out", str(tmp_path)).returncode == 0
    pack, trust = tmp_path / "sealed-pack.json", tmp_path / "trust.json"
    report = dalil.verify(pack, trust=trust, at=AT)
    assert report and report.status == "pass"
    assert "PASS" in report._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert dalil.verify(pack, trust=json.loads(trust.read_text(encoding="utf-8")), at=AT)
    assert dalil.verify(pack, at=AT).status == "incomplete"
    changed = pack.read_bytes().replace(b'"sig":"', b'"sig":"AA', 1)
    failed = dalil.verify(changed, trust=trust, at=AT)
    assert failed.status == "fail" and not failed
    with pytest.raises(dalil.Refused):
        dalil.verify(pack, trust={"origin": "", "keys": ["none"]})


def test_the_command_has_the_exit_codes_of_the_program(repository: Path, folder: Path) -> None:
    wrong = repository / "examples" / "answers" / "leave-wrong.en.md"
    assert program("--version").stdout.startswith("dalil ")
    gate = program("check", str(wrong), "--against", "docs", "--gate", "--no-index")
    assert (gate.returncode, "gate: evidence_coverage" in gate.stderr) == (1, True)
    assert program("check", "none.md", "--against", "docs").returncode == 2
    assert program("check").returncode == 2
    refused = program("policy", "-", input='{"approval_class":"A7"}')
    assert (refused.returncode, "approval_class" in refused.stderr) == (1, True)
    html = folder / "docs" / "leave.html"
    html.write_text("<p>Leave is 15 days.</p>", encoding="utf-8")
    read = program("read", str(html), "--json")
    assert json.loads(read.stdout)["text"] == "Leave is 15 days."


def test_an_anchor_is_that_of_a_citation() -> None:
    text = "Employees receive 15 days of annual leave."
    assert dalil.anchor(text) == dalil.anchor(text.upper()) and len(dalil.anchor(text)) == 8
    answer = f"Employees receive 15 days of annual leave [cite:{dalil.anchor(text)}]."
    ledger = dalil.check(answer, chunks=[text])
    assert not [flag for flag in ledger.risk_flags if flag.type == "unresolved_citation"]
