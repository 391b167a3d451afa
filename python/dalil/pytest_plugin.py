"""pytest: the fixture `assert_supported(answer, docs)`, with a ledger in the failure message.

    def test_leave(assert_supported):
        assert_supported(bot("How many days?"), ["All employees receive 15 days of annual leave."])
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol, cast

import pytest

if TYPE_CHECKING:
    from dalil._chunks import ChunkLike
    from dalil.results import Ledger

__all__ = ["AssertSupported", "assert_supported", "check_supported"]


class AssertSupported(Protocol):
    """Asserts that documents support an answer; returns its ledger."""

    def __call__(
        self,
        answer: str,
        docs: os.PathLike[str] | Iterable[ChunkLike],
        *,
        question: str | None = None,
        **settings: Any,
    ) -> Ledger: ...


def check_supported(
    answer: str,
    docs: os.PathLike[str] | Iterable[ChunkLike],
    *,
    question: str | None = None,
    **settings: Any,
) -> Ledger:
    """Fails unless the gate is passed. A `Path` names files; texts and documents are chunks."""
    # Imported here: a plugin is loaded in every run, also where nothing is checked.
    from dalil._settings import AdapterSettings
    from dalil._verbs import Corpus

    __tracebackhide__ = True
    if isinstance(docs, (os.PathLike, Corpus)):
        settings = {"against": docs, **settings}
    if isinstance(docs, str):
        raise TypeError("expected a `Path` or a list of texts, found a text")
    known = AdapterSettings.of(settings)
    found = None if known.against is not None else cast("Iterable[ChunkLike]", docs)
    ledger = known.check(answer, found, question)
    gate = known.gate(ledger)
    if not gate:
        pytest.fail(f"the documents do not support the answer: {gate}\n{ledger.table()}", pytrace=False)
    return ledger


@pytest.fixture
def assert_supported() -> AssertSupported:
    """Asserts that documents support an answer: `assert_supported(answer, docs)`."""
    return check_supported


