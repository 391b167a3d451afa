"""DeepEval: a metric without a paid model, with the same score in every run.

    metric = DalilMetric(threshold=0.85)
    deepeval.assert_test(LLMTestCase(input=…, actual_output=…, retrieval_context=[…]), [metric])
"""

from __future__ import annotations

import asyncio
from typing import Any

from dalil._settings import AdapterSettings, gate_message
from dalil.errors import MissingExtra
from dalil.results import Ledger

try:
    from deepeval.metrics import BaseMetric
    from deepeval.test_case import LLMTestCase
except ImportError as error:
    raise MissingExtra("deepeval", "deepeval") from error

__all__ = ["DalilMetric"]


class DalilMetric(BaseMetric):
    """The evidence coverage of `actual_output` in `retrieval_context` or the documents of the settings."""

    def __init__(self, threshold: float = 0.85, **settings: Any) -> None:
        self.threshold = threshold
        self.evaluation_model = "dalil"
        self.include_reason = True
        self._settings = AdapterSettings.of({"min_coverage": threshold, **settings})
        self.ledger: Ledger | None = None
        """The ledger of the last test case."""

    def measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float:
        found = test_case.retrieval_context or test_case.context
        ledger = self._settings.check(str(test_case.actual_output), found, str(test_case.input))
        gate = self._settings.gate(ledger)
        self.ledger = ledger
        self.score = ledger.coverage or 0.0
        self.success = bool(gate)
        self.reason = gate_message(ledger, gate) or "every minimum of the gate is reached"
        return self.score

    async def a_measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float:
        return await asyncio.to_thread(self.measure, test_case)

    def is_successful(self) -> bool:
        return bool(self.success) and self.error is None

    @property
    def __name__(self) -> str:  # pyright: ignore[reportIncompatibleMethodOverride] (a constant there)
        return "Dalil"
