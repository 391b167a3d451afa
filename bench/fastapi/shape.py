"""What the service takes and gives: strict models, as the seeds write them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Given = Annotated[str, Field(min_length=1, max_length=200)]
Name = Annotated[str, Field(min_length=1, max_length=256)]
Share = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]
Time = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$")]
Verdict = Literal["supported", "weak", "contradicted", "not_found"]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Intended(Strict):
    phase: Literal["intended"]
    tool_call_id: Given
    tool_name: Name
    intended_action: str | dict[str, Any]
    decision_id: Given | None = None
    agent_name: Name | None = None
    inputs: dict[str, Any] | None = None


class Reported(Strict):
    phase: Literal["reported"]
    tool_call_id: Given
    actual_action: str | dict[str, Any]
    outcome: Literal["succeeded", "failed", "blocked"]
    outputs: dict[str, Any] | None = None
    side_effects: list[str] | None = None


Call = Annotated[Intended | Reported, Field(discriminator="phase")]


class Recorded(Strict):
    tool_call_id: str
    phase: Literal["intended", "reported"]
    index: int
    id: str
    leaf: str


class Document(Strict):
    id: str
    filename: str
    page_number: int | None = None
    heading_path: list[str] = Field(default_factory=list)
    date: str | None = None
    metadata: dict[str, Any] | None = None
    truncated: bool | None = None
    uri: str | None = None


class Offsets(Strict):
    start: int = Field(ge=0)
    end: int = Field(ge=0)


class ModelUsed(Strict):
    kind: Literal["fast", "deep", "external"]
    name: str
    sha256: str | None = None


class Reason(Strict):
    claim_words: str
    evidence_words: str


class Passage(Strict):
    chunk_id: str
    document: Document
    judge: ModelUsed | None = None
    named: bool | None = None
    amends: list[str] | None = None
    missing: str | None = None
    hidden: str | None = None
    offsets: Offsets | None = None
    reason: Reason | None = None
    similarity: Share
    snippet: str
    stance: str


class Finding(Strict):
    type: str
    message: str
    citation: str | None = None
    detail: str | None = None
    document: Document | None = None
    ruling: str | None = None
    stance: str | None = None


class Entry(Strict):
    id: str
    claim_id: str
    claim_text: str = Field(min_length=1)
    claim_type: str
    claim_importance: Literal["critical", "material", "minor"]
    verdict: Verdict
    confidence_score: Share
    calculated_confidence: Share | None = None
    confidence_band: Literal["high", "good", "moderate", "low", "very_low"]
    evidence_chunk_ids: list[str]
    evidence_snippet: str
    evidence_offsets: Offsets | None = None
    evidence_passages: list[Passage] | None = None
    findings: list[Finding] | None = None
    judge: ModelUsed | None = None
    requires_citation: bool | None = None
    source_document: Document | None = None
    notes: str
    start_offset: int | None = None
    end_offset: int | None = None


class Chunk(Strict):
    chunk_id: str
    document: Document
    text: str


class Citation(Strict):
    chunk: Chunk | None = None
    chunk_hash: str
    claim_id: str | None = None
    error: str | None = None
    position: int | None = None
    resolved: bool


class Consulted(Strict):
    id: str
    filename: str
    sha256: str = Field(pattern=r"^sha256:[0-9a-f]{64}$")
    chunks: int
    problems: list[str] | None = None


class Judge(Strict):
    engine: str
    model: str
    model_sha256: str


class Flag(Strict):
    id: str
    type: str
    severity: Literal["high", "medium", "low"]
    description: str
    mitigation: str
    affected_claim_ids: list[str]


class Summary(Strict):
    total_claims: int = Field(ge=0)
    by_importance: dict[Literal["critical", "material", "minor"], int]
    by_verdict: dict[Verdict, int]
    coverage_any_evidence: Share | None
    evidence_coverage: Share | None
    unsupported_rate: Share
    state: str


class Ledger(Strict):
    id: str
    session_id: str
    created_at: Time
    updated_at: Time
    entries: list[Entry]
    citations: list[Citation]
    documents: list[Consulted]
    follow_up_questions: list[str]
    judge: Judge | None = None
    not_claims: list[dict[str, Any]]
    risk_flags: list[Flag]
    summary: Summary


class Session(Strict):
    id: str
    query: str | None
    mode: str | None


class Told(Strict):
    ledger: Ledger
    session: Session
