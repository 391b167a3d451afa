"""LangChain: a runnable that checks an answer, a retriever that gives anchors, an agent middleware.

    chain = answer_chain | Verify()
    chain.invoke({"question": …, "answer": …, "documents": […]})["ledger"]
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, NotRequired

from dalil._settings import AdapterSettings, gate_message
from dalil._verbs import anchor
from dalil.errors import MissingExtra
from dalil.results import Ledger

try:
    from langchain_core.callbacks import (
        AsyncCallbackManagerForRetrieverRun,
        CallbackManagerForRetrieverRun,
    )
    from langchain_core.documents import Document
    from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import Runnable, RunnableConfig
except ImportError as error:
    raise MissingExtra("langchain", "langchain") from error

__all__ = ["AnchoredRetriever", "Verify", "verify_middleware"]


class Verify(Runnable[Mapping[str, Any], dict[str, Any]]):
    """Takes `{"answer", "documents"?, "question"?}` and adds `ledger`.

    The answer is a text or a message. It is checked against `documents`, or against the documents of
    the settings: `Verify(against="docs/")`.
    """

    def __init__(self, **settings: Any) -> None:
        self._settings = AdapterSettings.of(settings)

    def invoke(
        self, input: Mapping[str, Any], config: RunnableConfig | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        answer = input["answer"]
        text = answer.text if hasattr(answer, "text") else answer
        found = input.get("documents", input.get("context"))
        question = input.get("question", input.get("input"))
        asked = question if isinstance(question, str) else None
        return {**input, "ledger": self._settings.check(str(text), found, asked)}

    async def ainvoke(
        self, input: Mapping[str, Any], config: RunnableConfig | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        return await asyncio.to_thread(self.invoke, input, config)


class AnchoredRetriever(BaseRetriever):
    """A retriever whose documents carry the anchor that an answer cites: `[cite:…]`.

    `metadata["anchor"]` identifies the text of the document, whatever its id is.
    """

    retriever: BaseRetriever

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        config: RunnableConfig = {"callbacks": run_manager.get_child()}
        return [_anchored(one) for one in self.retriever.invoke(query, config)]

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        config: RunnableConfig = {"callbacks": run_manager.get_child()}
        return [_anchored(one) for one in await self.retriever.ainvoke(query, config)]


def _anchored(document: Document) -> Document:
    metadata = {**document.metadata, "anchor": anchor(document.page_content)}
    return document.model_copy(update={"metadata": metadata})


def verify_middleware(*, retries: int = 0, **settings: Any) -> Any:
    """A middleware that checks the last answer of an agent when it has ended.

    The answer is checked against the documents of the settings, or against the results of the tools
    of the run. The state gets `ledger`. If the gate is not passed and `retries` are left, the agent
    is told what is wrong and goes on.
    """
    try:
        from langchain.agents.middleware import AgentMiddleware, AgentState
        from langchain.agents.middleware.types import hook_config
    except ImportError as error:
        raise MissingExtra("langchain", "langchain") from error

    known = AdapterSettings.of(settings)

    class VerifiedState(AgentState[Any]):
        ledger: NotRequired[Ledger]
        dalil_retries: NotRequired[int]

    class VerifyMiddleware(AgentMiddleware[Any, Any, Any]):
        """Checks the last answer of an agent."""

        state_schema = VerifiedState

        @hook_config(can_jump_to=["model"])
        def after_agent(self, state: Any, runtime: Any) -> dict[str, Any] | None:
            messages: Sequence[AnyMessage] = state["messages"]
            answer = messages[-1] if messages else None
            if not isinstance(answer, AIMessage):
                return None
            ledger = known.check(answer.text, _tool_texts(messages), _question(messages))
            wrong = gate_message(ledger, known.gate(ledger))
            used = state.get("dalil_retries", 0)
            if wrong is None or used >= retries:
                return {"ledger": ledger}
            told = HumanMessage(f"{wrong}\nAnswer again, only with what the documents state.")
            return {
                "ledger": ledger,
                "dalil_retries": used + 1,
                "messages": [told],
                "jump_to": "model",
            }

        async def aafter_agent(self, state: Any, runtime: Any) -> dict[str, Any] | None:
            return await asyncio.to_thread(self.after_agent, state, runtime)

    return VerifyMiddleware()


def _tool_texts(messages: Sequence[AnyMessage]) -> list[object] | None:
    """The results of the tools of a run: documents if there are any, otherwise texts."""
    found: list[object] = []
    for message in messages:
        if isinstance(message, ToolMessage):
            artifact = message.artifact
            is_list = isinstance(artifact, list) and bool(artifact)
            if is_list:
                found.extend(artifact)
            elif message.text.strip():
                # As a document of a framework: what a tool returned may be of any length.
                found.append(Document(message.text, id=message.tool_call_id))
    return found or None


def _question(messages: Sequence[AnyMessage]) -> str | None:
    return next((one.text for one in messages if isinstance(one, HumanMessage)), None)
