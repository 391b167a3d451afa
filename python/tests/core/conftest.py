"""What the tests of the library share: the repository beside them, and a folder with documents."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

LEAVE = "Employees are entitled to 15 days of annual leave."
WRONG = "Employees are entitled to 20 days of annual leave."
QUESTION = "How many days of annual leave are there?"


@pytest.fixture(scope="session")
def repository() -> Path:
    """The repository, for its examples and its program; the package is not imported from it."""
    return Path(os.environ["DALIL_REPOSITORY"])


@pytest.fixture(scope="session")
def built_program() -> str:
    """The program as cargo built it, to compare with and to serve."""
    return os.environ["DALIL_PROGRAM"]


@pytest.fixture
def folder(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the documents of the examples under `docs/`, which is the working folder."""
    shutil.copytree(repository / "examples" / "corpus", tmp_path / "docs")
    monkeypatch.chdir(tmp_path)
    return tmp_path
