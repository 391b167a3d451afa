"""Pydantic AI: an output validator that lets the model try again with what is wrong.

    agent = Agent(model)
    agent.output_validator(supported_output(against="docs/"))
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from dalil._settings import AdapterSettings, gate_message
from dalil.errors import MissingExtra

try:
    from pydantic_ai import ModelRetry, RunContext
except ImportError as error:
    raise MissingExtra("pydantic-ai-slim", "pydantic-ai") from error

__all__ = ["supported_output"]

Output = TypeVar("Output")


def supported_output(
    *,
    documents: Callable[[Any], Any] | None = None,
    text: Callable[[Any], str] = str,
    **settings: Any,
) -> Callable[[RunContext[Any], Output], Awaitable[Output]]:
    """A validator that raises `ModelRetry` when the gate is not passed.

    It checks against the documents of the settings, or those that `documents` returns for the
    dependencies of the run. `text` extracts the answer from an output that is not text.
    """
    known = AdapterSettings.of(settings)

    async def validate(context: RunContext[Any], output: Output) -> Output:
        # A part of an answer that is still being written would be judged as if it were all of it.
        if context.partial_output:
            return output
        found = None if documents is None else documents(context.deps)
        ledger = await asyncio.to_thread(known.check, text(output), found)
        wrong = gate_message(ledger, known.gate(ledger))
        if wrong is not None:
            raise ModelRetry(wrong)
        return output

    return validate
