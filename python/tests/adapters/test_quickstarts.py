"""Every quickstart of a framework in docs/python.md, with the real package and a fake model."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import LEAVE, QUESTION, WRONG

sys.path.insert(0, str(Path(__file__).parent.parent))
import quickstart  # noqa: E402

import dalil  # noqa: E402


def run(heading: str, names: dict[str, Any]) -> dict[str, Any]:
    """Runs the blocks of a part of the page, one after the other."""
    names = {"dalil": dalil, "question": QUESTION, "answer": LEAVE, **names}
    for block in quickstart.blocks(heading):
        quickstart.run(block, names)
    return names


def test_langchain() -> None:
    from langchain.agents import create_agent
    from langchain_core.documents import Document
    from langchain_core.language_models.fake_chat_models import FakeListChatModel, GenericFakeChatModel
    from langchain_core.messages import AIMessage
    from langchain_core.output_parsers import StrOutputParser
    from langchain_core.prompts import ChatPromptTemplate
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import RunnablePassthrough
    from langchain_core.tools import tool

    document = Document(LEAVE, id="hr-12", metadata={"team": "HR"})

    class OneDocument(BaseRetriever):
        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
            return [document]

    @tool(response_format="content_and_artifact")
    def search(query: str):  # noqa: ANN202 (the tool would look up a name of this function)
        """Searches the policies."""
        return LEAVE, [document]

    class Model(GenericFakeChatModel):
        def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
            return self

    call = AIMessage("", tool_calls=[{"name": "search", "args": {"query": "leave"}, "id": "c1"}])
    replies = [call, AIMessage(WRONG), AIMessage(LEAVE)]
    names = run(
        "LangChain",
        {
            "RunnablePassthrough": RunnablePassthrough,
            "answer_chain": ChatPromptTemplate.from_template("{question}")
            | FakeListChatModel(responses=[WRONG])
            | StrOutputParser(),
            "documents": [document],
            "retriever": OneDocument(),
            "create_agent": create_agent,
            "model": Model(messages=iter(replies)),
            "search": search,
        },
    )
    assert [claim.verdict for claim in names["ledger"].claims] == ["contradicted"]
    assert names["ledger"].claims[0].source.metadata == {"team": "HR"}
    assert names["found"][0].metadata == {"team": "HR", "anchor": dalil.anchor(LEAVE)}
    # The first answer was wrong, so the agent was told and tried again.
    assert names["state"]["ledger"].is_supported
    assert names["state"]["messages"][-1].text == LEAVE
    told = [one.text for one in names["state"]["messages"] if "Answer again" in one.text]
    assert len(told) == 1 and "20 days" in told[0]


def test_langchain_awaits_and_takes_messages() -> None:
    from langchain_core.messages import AIMessage

    from dalil.langchain import Verify

    given = {"answer": AIMessage(LEAVE)}
    ledger = asyncio.run(Verify(against="docs").ainvoke(given))["ledger"]
    assert ledger.is_supported
    with pytest.raises(dalil.Refused) as refused:
        Verify().invoke(given)
    assert refused.value.faults[0].path == "documents"
    with pytest.raises(dalil.Refused) as unknown:
        Verify(agianst="docs")
    assert unknown.value.faults[0].rule == "unknown_field"


def test_llamaindex() -> None:
    from llama_index.core import Document, VectorStoreIndex
    from llama_index.core.embeddings import MockEmbedding
    from llama_index.core.llms import CustomLLM, CompletionResponse, LLMMetadata

    class Model(CustomLLM):
        text: str

        @property
        def metadata(self) -> LLMMetadata:
            return LLMMetadata()

        def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
            return CompletionResponse(text=self.text)

        def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> Any:
            return iter([CompletionResponse(text=self.text, delta=self.text)])

    index = VectorStoreIndex.from_documents(
        [Document(text=LEAVE, doc_id="hr-12")], embed_model=MockEmbedding(embed_dim=4)
    )
    for text, passing in ((LEAVE, True), (WRONG, False)):
        names = run("LlamaIndex", {"index": index, "model": Model(text=text)})
        result = names["result"]
        assert (result.passing, result.score) == (passing, 1.0 if passing else 0.0), result
        assert passing or "20 days" in result.feedback
        nodes = names["engine"].query(QUESTION).source_nodes
        assert [one.node.metadata["anchor"] for one in nodes] == [dalil.anchor(LEAVE)]


def test_haystack() -> None:
    from haystack import Document, Pipeline, component

    @component
    class Model:
        @component.output_types(replies=list[str])
        def run(self, prompt: str) -> dict[str, Any]:
            return {"replies": [LEAVE, WRONG]}

    pipeline = Pipeline()
    pipeline.add_component("llm", Model())
    run("Haystack", {"pipeline": pipeline})
    documents = [Document(content=LEAVE, meta={"team": "HR"})]
    made = pipeline.run({"llm": {"prompt": QUESTION}, "checker": {"documents": documents}})["checker"]
    assert (made["passed"], made["supported"]) == ([True, False], [LEAVE])
    assert [one["summary"]["total_claims"] for one in made["ledgers"]] == [1, 1]
    assert "dalil.haystack.DalilChecker" in pipeline.dumps()


def test_dspy() -> None:
    import dspy
    from dspy.utils import DummyLM

    class Answer(dspy.Signature):
        context: list[str] = dspy.InputField()
        question: str = dspy.InputField()
        answer: str = dspy.OutputField()

    devset = [
        dspy.Example(question=QUESTION, context=[LEAVE]).with_inputs("question", "context")
        for _ in range(2)
    ]
    with dspy.context(lm=DummyLM([{"answer": LEAVE}, {"answer": WRONG}])):
        names = run("DSPy", {"dspy": dspy, "devset": devset, "program": dspy.Predict(Answer)})
    assert names["score"] == 50.0
    metric = names["DalilMetric"]()
    assert metric(devset[0], dspy.Prediction(answer=WRONG), trace=[]) is False
    assert metric.reward({"context": LEAVE}, dspy.Prediction(answer=LEAVE)) == 1.0


def test_deepeval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPEVAL_TELEMETRY_OPT_OUT", "1")
    from deepeval import assert_test
    from deepeval.test_case import LLMTestCase

    names = {"assert_test": assert_test, "LLMTestCase": LLMTestCase, "documents": [LEAVE]}
    run("DeepEval", names)
    with pytest.raises(AssertionError, match="(?s)Dalil.*20 days"):
        run("DeepEval", {**names, "answer": WRONG})


def test_openai_agents() -> None:
    from agents import Agent, OutputGuardrailTripwireTriggered, Runner, set_tracing_disabled
    from agents.items import ModelResponse
    from agents.models.interface import Model
    from agents.usage import Usage
    from openai.types.responses import ResponseOutputMessage, ResponseOutputText

    set_tracing_disabled(True)

    class Fake(Model):
        def __init__(self, text: str) -> None:
            self.text = text

        async def get_response(self, *_: Any, **__: Any) -> ModelResponse:
            part = ResponseOutputText(annotations=[], text=self.text, type="output_text")
            message = ResponseOutputMessage(
                id="m", content=[part], role="assistant", status="completed", type="message"
            )
            return ModelResponse(output=[message], usage=Usage(), response_id="r")

        def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
            raise NotImplementedError

    names = {"Agent": Agent, "Runner": Runner}
    made = run("OpenAI Agents", {**names, "model": Fake(LEAVE)})
    assert made["result"].final_output == LEAVE
    with pytest.raises(OutputGuardrailTripwireTriggered) as tripped:
        run("OpenAI Agents", {**names, "model": Fake(WRONG)})
    info = tripped.value.guardrail_result.output.output_info
    assert info["ledger"]["summary"]["by_verdict"]["contradicted"] == 1 and "20 days" in info["reason"]


def test_pydantic_ai() -> None:
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    replies: Iterator[str] = iter([WRONG, LEAVE])
    asked: list[str] = []

    def reply(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        asked.append(str(messages[-1]))
        return ModelResponse(parts=[TextPart(next(replies))])

    names = run("Pydantic AI", {"Agent": Agent, "model": FunctionModel(reply)})
    assert names["agent"].run_sync(QUESTION).output == LEAVE
    assert len(asked) == 2 and "20 days" in asked[1]


def test_opentelemetry() -> None:
    from opentelemetry._logs import set_logger_provider
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
    from opentelemetry.sdk.trace import TracerProvider

    exporter = InMemoryLogRecordExporter()
    provider = LoggerProvider()
    provider.add_log_record_processor(SimpleLogRecordProcessor(exporter))
    set_logger_provider(provider)
    run("OpenTelemetry", {"tracer": TracerProvider().get_tracer("test"), "answer": WRONG})
    (one,) = exporter.get_finished_logs()
    record = one.log_record
    assert record.event_name == "gen_ai.evaluation.result" and record.span_id
    attributes = dict(record.attributes or {})
    explanation = str(attributes.pop("gen_ai.evaluation.explanation"))
    assert explanation.startswith("0 supported, 0 weak, 1 contradicted, 0 not found; ledger ")
    assert attributes == {
        "gen_ai.evaluation.name": "dalil.evidence_coverage",
        "gen_ai.evaluation.score.label": "fail",
        "gen_ai.evaluation.score.value": 0.0,
    }


def test_promptfoo() -> None:
    from dalil.promptfoo import get_assert

    graded = get_assert(f"{LEAVE} {WRONG}", {"vars": {"question": QUESTION}, "config": {"against": "docs"}})
    assert (graded["pass"], graded["score"]) == (False, 0.5)
    assert [part["pass"] for part in graded["componentResults"]] == [True, False]
    assert get_assert(LEAVE, {"vars": {"context": LEAVE}})["pass"] is True
