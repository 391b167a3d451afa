"""Obligation records: frozen models from plain dictionaries, as seed 004 describes."""

from __future__ import annotations

import logging
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

log = logging.getLogger(__name__)
RESULTS = ("CONFIRMED", "DISPUTED", "UNVERIFIED")


class SeedAmendment(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)

    doc_id: str
    clause: str
    status: str


class OriginAmendment(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)

    amendment_source_clause: str
    action: Literal["REPLACE", "MODIFY", "DELETE", "UNCHANGED"]
    doc_id: str
    amendment_number: int


class Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    obligation_id: str
    doc_id: str
    doc_filename: str
    page_number: int | None = None
    section_reference: str | None = None
    source_clause: str
    extraction_model: str
    verification_model: str
    verification_result: str
    confidence: float = Field(ge=0.0, le=1.0, allow_inf_nan=False)
    amendment_history: list[SeedAmendment | OriginAmendment] | None = None

    @model_validator(mode="after")
    def known_result(self) -> Record:
        if self.verification_result not in RESULTS:
            raise ValueError(f"expected one of {RESULTS}, found {self.verification_result!r}")
        return self


class Packaged(BaseModel):
    records: list[Record]
    skipped: list[dict[str, str]]
    findings: list[dict[str, str]]


def package(request: dict[str, Any]) -> Packaged:
    """One record per obligation that has a document and a verification; the rest is listed."""
    documents, verifications = request["documents"], request["verifications"]
    chains = request.get("amendment_chains") or {}
    packaged = Packaged.model_construct(records=[], skipped=[], findings=[])
    for obligation in request["obligations"]:
        name = obligation["obligation_id"]
        document = documents.get(obligation["doc_id"])
        if document is None:
            log.info("missing document of %s", name)
            packaged.skipped.append({"obligation_id": name, "reason": "missing document"})
            continue
        verification = verifications.get(name)
        if verification is None:
            log.info("missing verification of %s", name)
            packaged.skipped.append({"obligation_id": name, "reason": "missing verification"})
            continue
        packaged.records.append(create(obligation, document, verification, chains.get(name), packaged.findings))
    log.info("packaged %d of %d", len(packaged.records), len(request["obligations"]))
    return packaged


def create(
    obligation: dict[str, Any],
    document: dict[str, Any],
    verification: dict[str, Any],
    history: list[dict[str, Any]] | None,
    findings: list[dict[str, str]],
) -> Record:
    confidence = verification.get("confidence", obligation.get("confidence"))
    if confidence is None:
        findings.append({"obligation_id": obligation["obligation_id"], "finding": "no confidence"})
        confidence = 0.0
    record = Record(
        obligation_id=obligation["obligation_id"],
        doc_id=document["doc_id"],
        doc_filename=document["filename"],
        page_number=obligation.get("source_page"),
        section_reference=obligation.get("section_reference"),
        source_clause=obligation["source_clause"],
        extraction_model=obligation["extraction_model"],
        verification_model=verification["verification_model"],
        verification_result=result_of(verification),
        confidence=confidence,
        amendment_history=history,
    )
    log.info("created the record of %s", record.obligation_id)
    return record


def result_of(verification: dict[str, Any]) -> str:
    explicit = verification.get("result")
    if explicit:
        if explicit not in RESULTS:
            raise ValueError(f"expected one of {RESULTS}, found {explicit!r}")
        return explicit
    verified = verification.get("verified")
    if verified is True:
        return "CONFIRMED"
    return "DISPUTED" if verified is False else "UNVERIFIED"


def write(packaged: Packaged) -> bytes:
    return TypeAdapter(Packaged).dump_json(packaged)
