"""Checks AI answers against documents, offline, with evidence that a stranger can verify.

    import dalil
    ledger = dalil.check(answer, against="docs/")
    assert ledger.gate(), ledger.table()
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dalil import _native, _program
from dalil._chunks import Chunk
from dalil._verbs import Corpus, Judge, anchor, bundle, check, check_all, sources, verify
from dalil.errors import DalilError, Failure, Fault, MissingExtra, Problem, Refused
from dalil.results import (
    Bundle,
    Claim,
    Evidence,
    EvidenceDocument,
    Gate,
    Ledger,
    LedgerSet,
    Report,
    Sources,
)

if TYPE_CHECKING:
    from dalil.client import AsyncClient, Client

__all__ = [
    "AsyncClient",
    "Bundle",
    "Chunk",
    "Claim",
    "Client",
    "Corpus",
    "DalilError",
    "Evidence",
    "EvidenceDocument",
    "Failure",
    "Fault",
    "Gate",
    "Judge",
    "Ledger",
    "LedgerSet",
    "MissingExtra",
    "Problem",
    "Refused",
    "Report",
    "Sources",
    "anchor",
    "bundle",
    "check",
    "check_all",
    "sources",
    "verify",
]

# Hostile files are read in a process of their own, which this says how to start.
_native.set_program(_program.command())


def __getattr__(name: str) -> object:
    # The client needs a package of its own; who does not use it should not need that.
    if name in ("Client", "AsyncClient"):
        from dalil import client

        return getattr(client, name)
    raise AttributeError(f"module `dalil` has no attribute `{name}`")
