"""OpenTelemetry: a `gen_ai.evaluation.result` event for a ledger, under the span of the answer.

    with tracer.start_as_current_span("chat"):
        emit(dalil.check(answer, against="docs/"))
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from dalil.errors import MissingExtra

try:
    from opentelemetry._logs import LogRecord, Logger, SeverityNumber, get_logger
    from opentelemetry.context import get_current
except ImportError as error:
    raise MissingExtra("opentelemetry-sdk", "opentelemetry") from error

if TYPE_CHECKING:
    from dalil.results import Gate, Ledger

__all__ = ["EVENT_NAME", "emit"]

EVENT_NAME = "gen_ai.evaluation.result"


def emit(
    ledger: Ledger,
    *,
    gate: Gate | None = None,
    response_id: str | None = None,
    logger: Logger | None = None,
    context: Any = None,
) -> None:
    """Emits the evidence coverage as an event; its parent is the span in `context`.

    The label is the status of the gate. The texts of claims are not sent: the explanation has only
    counts and ids.
    """
    said = ledger.gate() if gate is None else gate
    counts = ", ".join(f"{count} {word.replace('_', ' ')}" for word, count in ledger.counts.items())
    attributes: dict[str, Any] = {
        "gen_ai.evaluation.name": "dalil.evidence_coverage",
        "gen_ai.evaluation.score.label": said.status,
        "gen_ai.evaluation.explanation": f"{counts}; ledger {ledger.id}",
    }
    if ledger.coverage is not None:
        attributes["gen_ai.evaluation.score.value"] = ledger.coverage
    if response_id is not None:
        attributes["gen_ai.response.id"] = response_id
    record = LogRecord(
        timestamp=time.time_ns(),
        context=get_current() if context is None else context,
        severity_number=SeverityNumber.INFO if said else SeverityNumber.WARN,
        event_name=EVENT_NAME,
        attributes=attributes,
    )
    (logger or get_logger("dalil")).emit(record)
