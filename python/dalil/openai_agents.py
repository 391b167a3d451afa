"""OpenAI Agents: an output guardrail that stops an answer that the documents do not support.

    agent = Agent(name="HR", output_guardrails=[output_guardrail(against="docs/")])
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from dalil._settings import AdapterSettings, gate_message
from dalil.errors import MissingExtra

try:
    from agents import Agent, GuardrailFunctionOutput, OutputGuardrail, RunContextWrapper
except ImportError as error:
    raise MissingExtra("openai-agents", "openai-agents") from error

__all__ = ["output_guardrail"]


def output_guardrail(
    *, documents: Callable[[Any], Any] | None = None, **settings: Any
) -> OutputGuardrail[Any]:
    """A guardrail that trips when the gate is not passed.

    It checks against the documents of the settings, or those that `documents` returns for the
    context of the run. `output_info` has `ledger` and `reason`.
    """
    known = AdapterSettings.of(settings)

    async def checked(
        context: RunContextWrapper[Any], agent: Agent[Any], output: Any
    ) -> GuardrailFunctionOutput:
        found = None if documents is None else documents(context.context)
        ledger = await asyncio.to_thread(known.check, str(output), found)
        gate = known.gate(ledger)
        info = {"ledger": ledger.to_dict(), "reason": gate_message(ledger, gate)}
        return GuardrailFunctionOutput(output_info=info, tripwire_triggered=not gate)

    return OutputGuardrail(guardrail_function=checked, name="dalil")
