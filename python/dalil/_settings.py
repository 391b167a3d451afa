"""The settings of every adapter: the evidence, the judge, and the minimums of the gate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, cast

from dalil._verbs import Corpus, Judge, check
from dalil.errors import Refused

if TYPE_CHECKING:
    from dalil._chunks import ChunkLike
    from dalil._verbs import Against, Language
    from dalil.results import Gate, Ledger

__all__ = ["AdapterSettings", "gate_message"]


@dataclass(frozen=True)
class AdapterSettings:
    """The settings of an adapter."""

    against: Against | None = None
    """Files, folders or a corpus; by default, the documents that the framework retrieved."""
    judge: Judge | str | None = None
    language: Language | None = None
    min_coverage: float | None = None
    max_unsupported: float | None = None
    max_contradicted_critical: int | None = None

    @classmethod
    def of(cls, given: Mapping[str, object]) -> AdapterSettings:
        """Returns the given settings; documents are read here, once."""
        known = {one.name for one in fields(cls)}
        unknown = sorted(set(given) - known)
        if unknown:
            expected = f"one of {', '.join(f'`{name}`' for name in sorted(known))}"
            raise Refused.of_one("unknown_field", unknown[0], expected, f"`{unknown[0]}`")
        against = cast("Against | None", given.get("against"))
        opened = against if against is None or isinstance(against, Corpus) else Corpus(against)
        return cls(**{**given, "against": opened})  # pyright: ignore[reportArgumentType]

    def check(self, answer: str, found: object, question: str | None = None) -> Ledger:
        """Checks against the documents of the settings, or against the retrieved ones."""
        if self.against is not None:
            against, chunks = self.against, None
        elif found is None or isinstance(found, str):
            expected = "`against`, or documents that were retrieved"
            raise Refused.of_one("missing_field", "documents", expected, "neither")
        else:
            against, chunks = None, cast("Iterable[ChunkLike]", found)
        return check(
            answer,
            against,
            chunks=chunks,
            question=question,
            judge=self.judge,
            language=self.language,
        )

    def gate(self, ledger: Ledger) -> Gate:
        """Compares with the minimums of the settings."""
        return ledger.gate(
            min_coverage=self.min_coverage,
            max_unsupported=self.max_unsupported,
            max_contradicted_critical=self.max_contradicted_critical,
        )


def gate_message(ledger: Ledger, gate: Gate) -> str | None:
    """Describes what is wrong with an answer, for a model or a person; `None` if the gate passed."""
    if gate:
        return None
    lines = [f"- {one.text}: {one.notes}" for one in ledger.wrong]
    return "\n".join([f"The answer is not supported by the documents ({gate.status}).", *lines])
