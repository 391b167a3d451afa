"""What the tests of adapters share: documents, and an environment without a network."""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path
from typing import Any

import pytest

LEAVE = "Employees are entitled to 15 days of annual leave."
WRONG = "Employees are entitled to 20 days of annual leave."
QUESTION = "How many days of annual leave are there?"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the documents of the examples under `docs/`, which is the working folder."""
    shutil.copytree(Path(os.environ["DALIL_REPOSITORY"]) / "examples" / "corpus", tmp_path / "docs")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but this machine can be reached."""
    connect = socket.socket.connect

    def refuse(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX and not str(address[0]).startswith(("127.", "::1")):
            raise OSError(f"expected no network, found a connection to {address}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", refuse)
