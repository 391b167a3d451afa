"""LlamaIndex: an evaluator of responses, and a post-processor that gives nodes their anchors.

    result = DalilEvaluator().evaluate_response(query="…", response=response)
    assert result.passing, result.feedback
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from dalil._settings import AdapterSettings, gate_message
from dalil._verbs import anchor
from dalil.errors import MissingExtra
from dalil.results import Ledger

try:
    from llama_index.core.evaluation import BaseEvaluator, EvaluationResult
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.schema import NodeWithScore, QueryBundle
except ImportError as error:
    raise MissingExtra("llama-index-core", "llamaindex") from error

__all__ = ["DalilEvaluator", "DalilPostprocessor"]


class DalilEvaluator(BaseEvaluator):
    """Whether every claim of a response is in its source nodes, or in the documents of the settings."""

    def __init__(self, **settings: Any) -> None:
        self._settings = AdapterSettings.of(settings)
        self.ledger: Ledger | None = None
        """The ledger of the last evaluation."""

    async def aevaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> EvaluationResult:
        if response is None:
            return EvaluationResult(invalid_result=True, invalid_reason="there is no response")
        found = None if contexts is None else list(contexts)
        ledger = await asyncio.to_thread(self._settings.check, response, found, query)
        self.ledger = ledger
        gate = self._settings.gate(ledger)
        return EvaluationResult(
            query=query,
            response=response,
            contexts=contexts,
            passing=bool(gate),
            score=ledger.coverage,
            feedback=gate_message(ledger, gate) or str(gate),
            invalid_result=gate.status == "incomplete",
            invalid_reason=str(gate) if gate.status == "incomplete" else None,
        )

    def _get_prompts(self) -> dict[str, Any]:
        return {}

    def _update_prompts(self, prompts_dict: dict[str, Any]) -> None:
        """There are no prompts: the judge is not a chat model."""


class DalilPostprocessor(BaseNodePostprocessor):
    """Gives each node the anchor of its text, which an answer cites as `[cite:…]`."""

    @classmethod
    def class_name(cls) -> str:
        return "DalilPostprocessor"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        for node in nodes:
            node.node.metadata["anchor"] = anchor(node.node.get_content())
        return nodes
