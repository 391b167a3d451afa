"""Packs: strict models and every rule of a pack, as seed 000 describes."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from masks import findings

WORD = re.compile(r"\w+(?:['’.,]\w+)*")
CITATION = re.compile(r"\[cite:([0-9a-fA-F]{8,64})\]")
DIGEST = r"^sha256:[0-9a-f]{64}$"
SUMMARY_WORDS, BODY_WORDS, TOP = 120, 600, 3


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Source(Strict):
    source: str = Field(min_length=1)
    uri: str | None = None
    excerpt: str = Field(min_length=1, max_length=2000)
    content_hash: str | None = Field(None, pattern=DIGEST)
    retrieved_at: datetime
    confidence: float = Field(ge=0.0, le=1.0, allow_inf_nan=False)


class ToolCall(Strict):
    decision_id: str | None = None
    tool_name: str
    intended_action: str | dict[str, Any]
    actual_action: str | dict[str, Any]
    inputs: dict[str, Any] = Field(default_factory=dict)
    outputs: dict[str, Any] = Field(default_factory=dict)
    side_effects: list[str] = Field(default_factory=list)
    outcome: Literal["succeeded", "failed", "blocked"] = "succeeded"
    verification_status: str = "pending"
    contradiction_flag: bool = False
    invoked_at: datetime


class Prompt(Strict):
    template_name: str
    template_version: str = "1.0"
    rendered_length: int = Field(0, ge=0)
    system_prompt_present: bool = False


class Memo(Strict):
    title_ar: str = Field(min_length=1)
    title_en: str = Field(min_length=1)
    body_ar: str = Field(min_length=1)
    body_en: str = Field(min_length=1)
    executive_summary_ar: str = Field(min_length=1)
    executive_summary_en: str = Field(min_length=1)
    translated_from: Literal["ar", "en"] | None = None


class Decision(Strict):
    schema_version: Literal["1.0"] = "1.0"
    decision_id: str = Field(pattern=r"^dec_[0-9a-f]{16}$")
    tenant_id: str = "default"
    entity_id: str
    objective: str
    agent_name: str
    model: str | None = None
    model_version: str | None = None
    recommendation: dict[str, Any]
    confidence: float = Field(ge=0.0, le=1.0, allow_inf_nan=False)
    rationale: str = Field(min_length=1, max_length=5000)
    evidence: list[Source] = Field(default_factory=list)
    freshness_window_hours: int = Field(24, ge=0)
    approval_class: Literal["A0", "A1", "A2", "A3"]
    reversibility_class: Literal["R0", "R1", "R2", "R3"]
    sensitivity_class: Literal["S0", "S1", "S2", "S3"]
    created_at: datetime
    locale: Literal["ar", "en"] = "ar"


class Shape(Strict):
    """The fields and their types alone."""

    decision: Decision
    tool_calls: list[ToolCall]
    prompts: list[Prompt]
    memo: Memo
    pack_id: str = Field(pattern=r"^pack_[0-9a-f]{16}$")
    created_at: datetime


class Request(Shape):
    """The fields, and every rule over them."""

    @model_validator(mode="after")
    def sound(self) -> Request:
        faults = faults_of(self)
        if faults:
            raise ValueError("; ".join(faults))
        return self


def parse(text: bytes) -> Request:
    """Reads a pack's parts and holds them against every rule."""
    return Request.model_validate_json(text)


def faults_of(pack: Request) -> list[str]:
    decision = pack.decision
    faults = [fault for call in pack.tool_calls for fault in call_faults(call, decision)]
    high = decision.approval_class in ("A2", "A3") or decision.reversibility_class == "R3" or decision.sensitivity_class == "S3"
    if high and not decision.evidence:
        faults.append("a high-stakes decision needs evidence")
    faults += memo_faults(pack.memo, top_sources(decision.evidence))
    return faults


def call_faults(call: ToolCall, decision: Decision) -> list[str]:
    faults = []
    if call.decision_id not in (None, decision.decision_id):
        faults.append(f"{call.tool_name} belongs to another decision")
    differs = differences(call.intended_action, call.actual_action)
    if bool(differs) != call.contradiction_flag:
        faults.append(f"{call.tool_name}: the flag says {call.contradiction_flag}, the actions differ in {differs}")
    return faults


def differences(intended: Any, actual: Any) -> list[str]:
    """The names of the fields that differ; `$` where the whole does."""
    if isinstance(intended, dict) and isinstance(actual, dict):
        names = sorted(intended.keys() | actual.keys())
        return [name for name in names if folded(intended.get(name)) != folded(actual.get(name))]
    return [] if folded(intended) == folded(actual) else ["$"]


def folded(value: Any) -> Any:
    return " ".join(value.casefold().split()) if isinstance(value, str) else value


def top_sources(evidence: list[Source]) -> list[Source]:
    return sorted(evidence, key=lambda source: -source.confidence)[:TOP]


def memo_faults(memo: Memo, top: list[Source]) -> list[str]:
    faults = []
    anchors = [hashlib.sha256(folded(source.excerpt).encode()).hexdigest() for source in top]
    for language in ("ar", "en"):
        summary = getattr(memo, f"executive_summary_{language}")
        body = getattr(memo, f"body_{language}")
        for name, text, limit in (("summary", summary, SUMMARY_WORDS), ("body", body, BODY_WORDS)):
            words = len(WORD.findall(text))
            if words > limit:
                faults.append(f"{name}_{language} has {words} words")
        cited = [found.lower() for found in CITATION.findall(f"{summary} {body}")]
        missing = [anchor for anchor in anchors if not any(anchor.startswith(one) for one in cited)]
        faults += [f"memo_{language} does not cite {anchor[:8]}" for anchor in missing]
        for text in (getattr(memo, f"title_{language}"), summary, body):
            faults += [f"memo_{language} holds {rule}" for rule in findings(text)]
    return faults
