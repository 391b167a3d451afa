"""promptfoo: an assertion in Python.

    assert:
      - type: python
        value: file://dalil_assert.py   # from dalil.promptfoo import get_assert
        config: {against: docs/}

Without `against`, the variable `context` or `documents` of the test is what is checked against.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, cast

from dalil._settings import AdapterSettings, gate_message

__all__ = ["get_assert"]


def get_assert(output: str, context: Mapping[str, Any]) -> dict[str, Any]:
    """The grade of an output: the gate passes, the score is the coverage, a part for each claim."""
    config = cast("Mapping[str, Any]", context.get("config") or {})
    variables = cast("Mapping[str, Any]", context.get("vars") or {})
    known = _opened(tuple(sorted((key, _frozen(value)) for key, value in config.items())))
    found = variables.get("documents", variables.get("context"))
    question = variables.get("question", variables.get("query"))
    texts = [found] if isinstance(found, str) else found
    ledger = known.check(output, texts, question if isinstance(question, str) else None)
    gate = known.gate(ledger)
    parts = [
        {
            "pass": not claim.is_wrong,
            "score": claim.confidence if not claim.is_wrong else 0.0,
            "reason": f"{claim.verdict}: {claim.text}",
        }
        for claim in ledger.claims
    ]
    return {
        "pass": bool(gate),
        "score": ledger.coverage or 0.0,
        "reason": gate_message(ledger, gate) or "every minimum of the gate is reached",
        "componentResults": parts,
    }


@lru_cache(maxsize=8)
def _opened(config: tuple[tuple[str, Any], ...]) -> AdapterSettings:
    return AdapterSettings.of(dict(config))


def _frozen(value: Any) -> Any:
    return tuple(cast("list[Any]", value)) if isinstance(value, list) else value
