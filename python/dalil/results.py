"""Results: ledgers, gates, bundles, sources and reports, as objects for programs and notebooks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias, cast, overload

from dalil import _html
from dalil.errors import Failure, MissingExtra

if TYPE_CHECKING:
    import pandas
    import pyarrow

    from dalil import _native, _openapi

__all__ = [
    "Bundle",
    "Claim",
    "ConsultedDocument",
    "Evidence",
    "EvidenceDocument",
    "Finding",
    "Gate",
    "GatePart",
    "Ledger",
    "LedgerSet",
    "Report",
    "ReportPart",
    "RiskFlag",
    "Sources",
    "Verdict",
]

Verdict: TypeAlias = Literal["supported", "weak", "contradicted", "not_found"]
Status: TypeAlias = Literal["pass", "fail", "incomplete"]
Row: TypeAlias = dict[str, "str | int | float | None"]

_NO_METADATA: Mapping[str, object] = {}


@dataclass(frozen=True)
class EvidenceDocument:
    """The document or chunk that evidence is from."""

    id: str
    name: str
    page: int | None = None
    headings: tuple[str, ...] = ()
    uri: str | None = None
    """Its location, if the application gave one."""
    metadata: Mapping[str, object] = field(default_factory=dict[str, object])
    """The application's metadata of the chunk, if it gave chunks."""

    def __str__(self) -> str:
        return self.name if self.page is None else f"{self.name}, p.{self.page}"


@dataclass(frozen=True)
class Evidence:
    """Words of a document that support or contradict a claim."""

    text: str
    document: EvidenceDocument
    chunk_id: str
    """The id of the chunk: the application's own, if it gave chunks."""
    stance: Literal["supports", "supports_in_part", "contradicts", "may_conflict"]
    similarity: float
    start: int | None = None
    """Where the words begin in the text of the document, in characters."""
    end: int | None = None
    conflict: tuple[str, str] | None = None
    """Words of the claim and of the evidence that cannot both be true."""
    missing: str | None = None
    """The part of the claim that the words do not state."""
    hidden: str | None = None
    """Why a reader of the document cannot see the words."""


@dataclass(frozen=True)
class Finding:
    """A defect of the evidence of a claim that its reader must know."""

    type: str
    message: str


@dataclass(frozen=True)
class Claim:
    """A claim of the answer, with its verdict."""

    id: str
    text: str
    type: Literal["fact", "policy", "numeric", "definition"]
    importance: Literal["critical", "material", "minor"]
    verdict: Verdict
    confidence: float
    notes: str
    start: int | None
    """Where it begins in the answer, in characters."""
    end: int | None
    source: EvidenceDocument | None
    """The document of the evidence for the verdict."""
    snippet: str
    """The words of that evidence."""
    evidence: tuple[Evidence, ...]
    """All evidence, for and against the claim; the decisive one comes first."""
    findings: tuple[Finding, ...]

    @property
    def is_supported(self) -> bool:
        """Whether the documents state it."""
        return self.verdict == "supported"

    @property
    def is_wrong(self) -> bool:
        """Whether the documents contradict it, or have no evidence for it."""
        return self.verdict in ("contradicted", "not_found")

    def row(self) -> Row:
        """One row of a table."""
        return {
            "claim_id": self.id,
            "claim": self.text,
            "type": self.type,
            "importance": self.importance,
            "verdict": self.verdict,
            "confidence": self.confidence,
            "source": self.source.name if self.source else None,
            "page": self.source.page if self.source else None,
            "snippet": self.snippet,
            "notes": self.notes,
            "start": self.start,
            "end": self.end,
        }


@dataclass(frozen=True)
class RiskFlag:
    """A risk that a reader should act on."""

    type: str
    severity: str
    description: str
    mitigation: str
    claim_ids: tuple[str, ...]


@dataclass(frozen=True)
class ConsultedDocument:
    """A document that was searched for evidence."""

    id: str
    name: str
    sha256: str
    chunks: int
    problems: tuple[str, ...]
    """The parts that could not be read."""


@dataclass(frozen=True)
class GatePart:
    """One minimum of a gate."""

    part: str
    status: Status
    message: str


@dataclass(frozen=True)
class Gate:
    """The result of comparing a ledger with the minimums; true only if it passed."""

    status: Status
    """`incomplete` if the answer has no claim to count: nothing is wrong, nothing was checked."""
    parts: tuple[GatePart, ...]

    def __bool__(self) -> bool:
        return self.status == "pass"

    def __str__(self) -> str:
        failed = [f"{part.part}: {part.message}" for part in self.parts if part.status != "pass"]
        return "\n".join([self.status, *failed])


class Ledger:
    """Every claim of an answer with its verdict."""

    def __init__(
        self,
        data: _openapi.Ledger,
        *,
        answer: str,
        question: str | None = None,
        name: str = "answer",
        metadata: Mapping[str, Mapping[str, object]] | None = None,
        native: _native.Ledger | None = None,
    ) -> None:
        self._data = data
        self._native = native
        self.answer = answer
        self.question = question
        self.name = name
        summary = data["summary"]
        self.id: str = data["id"]
        self.session_id: str = data["session_id"]
        self.created_at: str = data["created_at"]
        self.claims: tuple[Claim, ...] = tuple(
            _claim(entry, metadata or {}) for entry in data["entries"]
        )
        self.coverage: float | None = summary["evidence_coverage"]
        """The share of claims with evidence, weak ones counted half; `None` without claims to count."""
        self.unsupported_rate: float = summary["unsupported_rate"]
        """The share of claims that were not found."""
        self.counts: Mapping[Verdict, int] = {
            "supported": summary["by_verdict"]["supported"],
            "weak": summary["by_verdict"]["weak"],
            "contradicted": summary["by_verdict"]["contradicted"],
            "not_found": summary["by_verdict"]["not_found"],
        }
        """How many claims have each verdict."""
        self.risk_flags: tuple[RiskFlag, ...] = tuple(_flag(flag) for flag in data["risk_flags"])
        self.questions: tuple[str, ...] = tuple(data["follow_up_questions"])
        """Follow-up questions about claims without enough evidence."""
        self.documents: tuple[ConsultedDocument, ...] = tuple(
            _consulted(one) for one in data.get("documents") or ()
        )

    @property
    def is_supported(self) -> bool:
        """Whether there are claims and every one of them is supported."""
        return bool(self.claims) and all(claim.is_supported for claim in self.claims)

    @property
    def wrong(self) -> tuple[Claim, ...]:
        """The contradicted claims, then those without evidence."""
        return tuple(sorted((one for one in self.claims if one.is_wrong), key=lambda one: one.verdict))

    @property
    def problems(self) -> tuple[str, ...]:
        """The parts of the documents that could not be read."""
        return tuple(f"{one.name}: {text}" for one in self.documents for text in one.problems)

    def gate(
        self,
        *,
        min_coverage: float | None = None,
        max_unsupported: float | None = None,
        max_contradicted_critical: int | None = None,
    ) -> Gate:
        """Compares with minimums: by default 0.85, 0.05 and 0."""
        report = self._made().gate(min_coverage, max_unsupported, max_contradicted_critical)
        said = cast("_openapi.VerificationReport", json.loads(report))
        parts = [GatePart(one["part"], one["verdict"], one["message"]) for one in said["findings"]]
        return Gate(said["verdict"], tuple(parts))

    def table(self, language: Literal["en", "ar"] = "en") -> str:
        """A table for a terminal."""
        return self._made().table(language)

    def markdown(self, language: Literal["en", "ar"] = "en") -> str:
        """Markdown for people."""
        return self._made().markdown(language)

    def sarif(self) -> str:
        """SARIF 2.1.0, for code scanning."""
        return LedgerSet([self]).sarif()

    def junit(self) -> str:
        """JUnit XML, for continuous integration."""
        return LedgerSet([self]).junit()

    def to_dict(self) -> _openapi.Ledger:
        """The whole ledger."""
        return self._data

    def to_json(self) -> bytes:
        """The whole ledger in canonical JSON, as `dalil verify` takes it."""
        return self._made().json()

    def to_rows(self) -> list[Row]:
        """A row for each claim."""
        return [claim.row() for claim in self.claims]

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each claim."""
        return LedgerSet([self]).to_pandas()

    def to_arrow(self) -> pyarrow.Table:
        """A row for each claim."""
        return LedgerSet([self]).to_arrow()

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {word}" for word, count in self.counts.items() if count)
        return f"<Ledger {self.id}: {counts or 'no checkable claim'}>"

    def __str__(self) -> str:
        return repr(self) if self._native is None else self.table()

    def _repr_html_(self) -> str:
        return _html.ledger(self)

    def __reduce__(self) -> tuple[object, ...]:
        # The views are made by the extension module, whose objects stay in their process.
        metadata = {
            one.chunk_id: one.document.metadata for claim in self.claims for one in claim.evidence
        }
        return (_restored, (self._data, self.answer, self.question, self.name, metadata))

    def _made(self) -> _native.Ledger:
        if self._native is None:
            raise Failure(
                "expected a ledger of this process, found one that was carried from another",
                "use `to_dict`, `to_rows` or `claims`, or check again",
            )
        return self._native


class LedgerSet(Sequence[Ledger]):
    """The ledgers of several answers."""

    def __init__(self, ledgers: Sequence[Ledger]) -> None:
        self._ledgers = tuple(ledgers)

    @overload
    def __getitem__(self, index: int) -> Ledger: ...
    @overload
    def __getitem__(self, index: slice) -> LedgerSet: ...
    def __getitem__(self, index: int | slice) -> Ledger | LedgerSet:
        if isinstance(index, slice):
            return LedgerSet(self._ledgers[index])
        return self._ledgers[index]

    def __len__(self) -> int:
        return len(self._ledgers)

    def __iter__(self) -> Iterator[Ledger]:
        return iter(self._ledgers)

    @property
    def worst_first(self) -> tuple[Ledger, ...]:
        """The ledgers, those with the most wrong claims first."""

        def weight(ledger: Ledger) -> tuple[int, int, int]:
            counts = ledger.counts
            return (-counts["contradicted"], -counts["not_found"], -counts["weak"])

        return tuple(sorted(self._ledgers, key=weight))

    def to_rows(self) -> list[Row]:
        """A row for each claim of each answer."""
        return [
            {"answer": ledger.name, "ledger_id": ledger.id, **row}
            for ledger in self._ledgers
            for row in ledger.to_rows()
        ]

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each claim of each answer."""
        try:
            import pandas
        except ImportError as error:
            raise MissingExtra("pandas", "pandas") from error
        return pandas.DataFrame(self.to_rows(), columns=pandas.Index(list(_COLUMNS)))

    def to_arrow(self) -> pyarrow.Table:
        """A row for each claim of each answer; the schema is the same for any answers."""
        try:
            import pyarrow
        except ImportError as error:
            raise MissingExtra("pyarrow", "arrow") from error
        kinds = {"text": pyarrow.string(), "number": pyarrow.float64(), "count": pyarrow.int64()}
        schema = pyarrow.schema([(name, kinds[kind]) for name, kind in _COLUMNS.items()])
        return pyarrow.Table.from_pylist(self.to_rows(), schema=schema)

    def sarif(self) -> str:
        """One SARIF 2.1.0 log, for code scanning."""
        from dalil import _native

        return _native.sarif_log([one._made() for one in self._ledgers]).decode()  # pyright: ignore[reportPrivateUsage]

    def junit(self) -> str:
        """One JUnit XML report, for continuous integration."""
        from dalil import _native

        return _native.junit_report([one._made() for one in self._ledgers])  # pyright: ignore[reportPrivateUsage]

    def report(self, title: str | None = None, *, language: Literal["en", "ar"] = "en") -> str:
        """One self-contained HTML file in both languages, the wrong claims first, as `dalil report` makes it.

        `language` is the language that is shown first.
        """
        from dalil import _native

        report = _native.DatasetReport(title, language)
        for one in self._ledgers:
            row = {"id": one.name, "question": one.question, "answer": one.answer, "ledger": one.to_dict()}
            report.add(json.dumps(row, ensure_ascii=False).encode())
        return report.html()

    def _repr_html_(self) -> str:
        return "".join(_html.ledger(one) for one in self.worst_first)


class Bundle:
    """The evidence for a model, ordered and bounded, with every cut recorded."""

    def __init__(self, data: _openapi.Bundle, prompt: str) -> None:
        self._data = data
        self._prompt = prompt
        self.id: str = data["bundle_id"]
        self.items = tuple(data["items"])
        self.cuts = tuple(data["cuts"])
        """The items that the policy left out."""
        self.problems = tuple(data["problems"])
        """The references and documents that could not be used."""

    def prompt(self) -> str:
        """The items as text for a prompt, each with the anchor that an answer cites."""
        return self._prompt

    def to_dict(self) -> _openapi.Bundle:
        """The whole bundle."""
        return self._data

    def __repr__(self) -> str:
        return f"<Bundle {self.id}: {len(self.items)} items, {len(self.cuts)} cut>"

    def _repr_html_(self) -> str:
        return _html.bundle(self)


class Sources:
    """The documents to show beside an answer."""

    def __init__(self, event: _openapi.SourcesEvent) -> None:
        self._event = event
        self.items = tuple(event["payload"]["sources"])

    def to_dict(self) -> _openapi.SourcesEvent:
        """The `rag.sources` event."""
        return self._event

    def __len__(self) -> int:
        return len(self.items)

    def __repr__(self) -> str:
        return f"<Sources: {', '.join(one['title'] or one['source_id'] for one in self.items) or 'none'}>"

    def _repr_html_(self) -> str:
        return _html.sources(self)


@dataclass(frozen=True)
class ReportPart:
    """One checked part of the evidence."""

    part: str
    status: Status
    message: str


@dataclass(frozen=True)
class Report:
    """The result of a verification, part by part; true only if everything was checked and passed."""

    status: Status
    parts: tuple[ReportPart, ...]

    def __bool__(self) -> bool:
        return self.status == "pass"

    def _repr_html_(self) -> str:
        return _html.verification(self)

    @classmethod
    def of(cls, said: _openapi.VerificationReport) -> Report:
        """A report from its JSON."""
        parts = [ReportPart(one["part"], one["verdict"], one["message"]) for one in said["findings"]]
        return cls(said["verdict"], tuple(parts))


_COLUMNS: Mapping[str, Literal["text", "number", "count"]] = {
    "answer": "text",
    "ledger_id": "text",
    "claim_id": "text",
    "claim": "text",
    "type": "text",
    "importance": "text",
    "verdict": "text",
    "confidence": "number",
    "source": "text",
    "page": "count",
    "snippet": "text",
    "notes": "text",
    "start": "count",
    "end": "count",
}


def _claim(
    entry: _openapi.LedgerEntry, metadata: Mapping[str, Mapping[str, object]]
) -> Claim:
    source = entry["source_document"]
    passages = [_evidence(one, metadata) for one in entry.get("evidence_passages") or ()]
    findings = [Finding(one["type"], one["message"]) for one in entry.get("findings") or ()]
    return Claim(
        id=entry["claim_id"],
        text=entry["claim_text"],
        type=entry["claim_type"],
        importance=entry["claim_importance"],
        verdict=entry["verdict"],
        confidence=entry["confidence_score"],
        notes=entry["notes"],
        start=entry.get("start_offset"),
        end=entry.get("end_offset"),
        source=_document(source, _deciding(entry), metadata) if source else None,
        snippet=entry["evidence_snippet"],
        evidence=tuple(passages),
        findings=tuple(findings),
    )


def _evidence(
    passage: _openapi.EvidencePassage, metadata: Mapping[str, Mapping[str, object]]
) -> Evidence:
    offsets = passage.get("offsets")
    reason = passage.get("reason")
    return Evidence(
        text=passage["snippet"],
        document=_document(passage["document"], passage["chunk_id"], metadata),
        chunk_id=passage["chunk_id"],
        stance=passage["stance"],
        similarity=passage["similarity"],
        start=offsets["start"] if offsets else None,
        end=offsets["end"] if offsets else None,
        conflict=(reason["claim_words"], reason["evidence_words"]) if reason else None,
        missing=passage.get("missing"),
        hidden=passage.get("hidden"),
    )


def _deciding(entry: _openapi.LedgerEntry) -> str:
    """The chunk that a verdict rests on, which comes first; nothing without one."""
    return next(iter(entry["evidence_chunk_ids"]), "")


def _document(
    document: _openapi.EvidenceDocument, chunk: str, metadata: Mapping[str, Mapping[str, object]]
) -> EvidenceDocument:
    told = cast("Mapping[str, object]", document.get("metadata") or _NO_METADATA)
    return EvidenceDocument(
        id=document["id"],
        name=document["filename"],
        page=document.get("page_number"),
        headings=tuple(document.get("heading_path") or ()),
        uri=document.get("uri"),
        metadata=metadata.get(chunk, told),
    )


def _flag(flag: _openapi.RiskFlag) -> RiskFlag:
    return RiskFlag(
        flag["type"],
        flag["severity"],
        flag["description"],
        flag["mitigation"],
        tuple(flag["affected_claim_ids"]),
    )


def _consulted(one: _openapi.LedgerDocument) -> ConsultedDocument:
    problems = tuple(one.get("problems") or ())
    return ConsultedDocument(one["id"], one["filename"], one["sha256"], one["chunks"], problems)


def _restored(
    data: _openapi.Ledger,
    answer: str,
    question: str | None,
    name: str,
    metadata: Mapping[str, Mapping[str, object]],
) -> Ledger:
    return Ledger(data, answer=answer, question=question, name=name, metadata=metadata)
