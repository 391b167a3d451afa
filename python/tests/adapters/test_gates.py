"""The gates that others run: the hook of pre-commit, and what the action of GitHub does."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import LEAVE, WRONG

REPOSITORY = Path(os.environ["DALIL_REPOSITORY"])


@pytest.fixture
def environment(folder: Path) -> dict[str, str]:
    """The command of the wheel is on the path."""
    (folder / "answers").mkdir()
    (folder / "answers" / "good.md").write_text(f"{LEAVE}\n", encoding="utf-8")
    (folder / "answers" / "bad one.md").write_text(f"{WRONG}\n", encoding="utf-8")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "HOME": str(folder / "home")}


def test_the_hook_fails_for_a_wrong_answer(folder: Path, environment: dict[str, str]) -> None:
    hook = (REPOSITORY / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    local = "repos:\n- repo: local\n  hooks:\n" + "".join(
        f"  {line}\n" for line in hook.splitlines() if not line.startswith("#")
    )
    (folder / ".pre-commit-config.yaml").write_text(local, encoding="utf-8")
    subprocess.run(["git", "init", "--quiet"], check=True, env=environment)
    command = [sys.executable, "-m", "pre_commit", "run", "dalil-check", "--files"]
    good = subprocess.run([*command, "answers/good.md"], env=environment, capture_output=True, text=True)
    assert good.returncode == 0, good.stdout + good.stderr
    bad = subprocess.run([*command, "answers/bad one.md"], env=environment, capture_output=True, text=True)
    assert bad.returncode == 1 and "contradicted_critical" in bad.stdout, bad.stdout


def test_the_action_writes_sarif_and_fails(folder: Path, environment: dict[str, str]) -> None:
    action = (REPOSITORY / "action.yml").read_text(encoding="utf-8")
    script = re.sub(r"^ {8}", "", action.split("      run: |\n")[1], flags=re.MULTILINE)
    inputs = {
        "ANSWERS": "answers/*.md",
        "AGAINST": "docs",
        "MIN_COVERAGE": "0.85",
        "MAX_UNSUPPORTED": "0.05",
        "SARIF": "dalil.sarif",
        "INSTALL": "",
        "GITHUB_STEP_SUMMARY": "summary.md",
    }
    declared = dict(re.findall(r"^ {8}(\w+): \$\{\{ inputs\.([\w-]+) \}\}$", action, re.MULTILINE))
    assert declared.keys() == inputs.keys() - {"GITHUB_STEP_SUMMARY"}
    run = subprocess.run(
        ["bash", "-c", script], env={**environment, **inputs}, capture_output=True, text=True
    )
    assert run.returncode == 1, run.stderr
    log = json.loads((folder / "dalil.sarif").read_text(encoding="utf-8"))
    assert [one["ruleId"] for one in log["runs"][0]["results"]] == ["contradicted"]
    assert "20 days" in (folder / "summary.md").read_text(encoding="utf-8")
    hostile = {**inputs, "ANSWERS": "answers/good.md", "AGAINST": "docs", "MIN_COVERAGE": "0; touch x"}
    refused = subprocess.run(
        ["bash", "-c", script], env={**environment, **hostile}, capture_output=True, text=True
    )
    assert refused.returncode == 2 and not (folder / "x").exists()
