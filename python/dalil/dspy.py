"""DSPy: a metric for `Evaluate` and optimizers, and a reward for `BestOfN` and `Refine`.

    metric = DalilMetric()
    dspy.Evaluate(devset=devset, metric=metric)(program)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from dalil._settings import AdapterSettings
from dalil.results import Ledger

__all__ = ["DalilMetric"]


class DalilMetric:
    """The evidence coverage of an answer, from 0 to 1; while a program is compiled, the gate.

    The answer is the field `answer` of the prediction. It is checked against `context` of the
    prediction or of the example, or against the documents of the settings.
    """

    def __init__(self, *, answer: str = "answer", context: str = "context", **settings: Any) -> None:
        self._answer, self._context = answer, context
        self._settings = AdapterSettings.of(settings)

    def __call__(self, example: Any, prediction: Any, trace: Any = None, *_: Any) -> float | bool:
        ledger = self.ledger(example, prediction)
        if trace is not None:
            return bool(self._settings.gate(ledger))
        return ledger.coverage or 0.0

    def reward(self, arguments: Mapping[str, Any], prediction: Any) -> float:
        """The same score for `dspy.BestOfN` and `dspy.Refine`, which pass the arguments of the call."""
        return self.ledger(arguments, prediction).coverage or 0.0

    def ledger(self, example: Any, prediction: Any) -> Ledger:
        """The ledger that the score is computed from."""
        found = _field(prediction, self._context) or _field(example, self._context)
        question = _field(example, "question")
        texts = [found] if isinstance(found, str) else found
        asked = question if isinstance(question, str) else None
        return self._settings.check(str(_field(prediction, self._answer)), texts, asked)


def _field(one: Any, name: str) -> object:
    known = cast("Mapping[str, object]", one)
    return known.get(name) if isinstance(one, Mapping) else getattr(one, name, None)
