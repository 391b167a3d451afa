"""Haystack: a component that checks replies against the documents of the pipeline.

    pipeline.add_component("checker", DalilChecker())
    pipeline.run({"checker": {"replies": […], "documents": […]}})
"""

from __future__ import annotations

from typing import Any

from dalil._settings import AdapterSettings
from dalil.errors import MissingExtra

try:
    from haystack import Document, component, default_to_dict
except ImportError as error:
    raise MissingExtra("haystack-ai", "haystack") from error

__all__ = ["DalilChecker"]


@component
class DalilChecker:
    """Checks each reply; `supported` has those that pass the gate."""

    def __init__(
        self,
        against: str | list[str] | None = None,
        judge: str | None = None,
        min_coverage: float | None = None,
        max_unsupported: float | None = None,
    ) -> None:
        self._given = {
            "against": against,
            "judge": judge,
            "min_coverage": min_coverage,
            "max_unsupported": max_unsupported,
        }
        self._settings = AdapterSettings.of(self._given)

    def to_dict(self) -> dict[str, Any]:
        """The settings, for saving a pipeline."""
        return default_to_dict(self, **self._given)

    @component.output_types(ledgers=list[dict[str, Any]], supported=list[str], passed=list[bool])
    def run(
        self,
        replies: list[Any],
        documents: list[Document] | None = None,
        question: str | None = None,
    ) -> dict[str, Any]:
        texts = [one if isinstance(one, str) else str(one.text) for one in replies]
        ledgers = [self._settings.check(text, documents, question) for text in texts]
        passed = [bool(self._settings.gate(one)) for one in ledgers]
        return {
            "ledgers": [one.to_dict() for one in ledgers],
            "supported": [text for text, held in zip(texts, passed, strict=True) if held],
            "passed": passed,
        }
