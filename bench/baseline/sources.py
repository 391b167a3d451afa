"""Sources: candidates and chunks in, document-level items out, as seed 001 describes."""

from __future__ import annotations

import math
import unicodedata
from typing import Any, Literal

from pydantic import BaseModel, Field

SECRET = ("key", "token", "secret", "password", "credential", "auth")
LONGEST_VALUE = 256
WORD_REACH = 20


class Candidate(BaseModel):
    item_id: str
    kind: str = "doc"
    source_ref: str | None = None
    title: str | None = None
    summary: str | None = None
    snippet: str | None = None
    score: float = 0.0
    rank_text: int | None = None
    rank_vec: int | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)


class Chunk(BaseModel):
    item_id: str
    chunk_id: str | None = None
    text: str = ""
    score: float | None = None
    heading_path: list[str] | None = None


class Options(BaseModel):
    max_sources: int = 6
    prefer_chunk_snippets: bool = True
    max_snippet_chars: int = 360
    include_metadata_keys: list[str] | None = None
    exclude_metadata_keys: list[str] | None = None
    order_by: Literal["score", "rank", "input"] = "score"


class Source(BaseModel):
    source_id: str
    kind: str
    title: str | None
    url: str | None
    snippet: str | None
    snippet_from: Literal["chunk", "doc", "unknown"]
    score: float | None
    rank: int | None
    metadata: dict[str, Any]


class Request(BaseModel):
    candidates: list[Candidate]
    evidence_chunks: list[Chunk] | None = None
    options: Options = Field(default_factory=Options)


def pack(request: Request, options: Options) -> list[Source]:
    """As the first implementation has it: each chosen candidate looks through all chunks."""
    return chosen(request, options, lambda name: [c for c in request.evidence_chunks or [] if c.item_id == name])


def pack_indexed(request: Request, options: Options) -> list[Source]:
    """The same result with the chunks indexed once."""
    index: dict[str, list[Chunk]] = {}
    for chunk in request.evidence_chunks or []:
        index.setdefault(chunk.item_id, []).append(chunk)
    return chosen(request, options, lambda name: index.get(name, []))


def chosen(request: Request, options: Options, chunks_of: Any) -> list[Source]:
    seen: set[str] = set()
    sources: list[Source] = []
    for candidate in ordered(request.candidates, options):
        if len(sources) == options.max_sources:
            break
        if candidate.item_id in seen:
            continue
        seen.add(candidate.item_id)
        snippet, origin = snippet_of(candidate, chunks_of, options)
        sources.append(Source(
            source_id=candidate.item_id, kind=candidate.kind, title=candidate.title, url=candidate.source_ref,
            snippet=snippet, snippet_from=origin, score=candidate.score, rank=len(sources) + 1,
            metadata=metadata_of(candidate, options),
        ))
    return sources


def ordered(candidates: list[Candidate], options: Options) -> list[Candidate]:
    if options.order_by == "input":
        return candidates
    if options.order_by == "rank":
        return sorted(candidates, key=lambda c: (rank_of(c), *by_score(c.score), c.item_id))
    return sorted(candidates, key=lambda c: (*by_score(c.score), rank_of(c), c.item_id))


def rank_of(candidate: Candidate) -> float:
    ranks = [rank for rank in (candidate.rank_text, candidate.rank_vec) if rank is not None]
    return min(ranks, default=math.inf)


def by_score(score: float | None) -> tuple[bool, float]:
    absent = score is None or math.isnan(score)
    return (absent, 0.0 if absent else -score)


def snippet_of(candidate: Candidate, chunks_of: Any, options: Options) -> tuple[str | None, str]:
    if options.prefer_chunk_snippets:
        matching = [chunk for chunk in chunks_of(candidate.item_id) if chunk.text.strip()]
        if matching:
            best = min(matching, key=lambda chunk: by_score(chunk.score))
            return cut(best.text, options.max_snippet_chars), "chunk"
    for text in (candidate.summary, candidate.snippet):
        if text:
            return cut(text, options.max_snippet_chars), "doc"
    return None, "unknown"


def cut(text: str, limit: int) -> str:
    """At most `limit` characters, not before a combining mark, at a word's end where one is near."""
    if len(text) <= limit:
        return text
    end = limit
    while end > 0 and unicodedata.combining(text[end]):
        end -= 1
    for near in range(end, max(end - WORD_REACH, 0), -1):
        if text[near].isspace():
            return text[:near].rstrip()
    return text[:end]


def metadata_of(candidate: Candidate, options: Options) -> dict[str, Any]:
    kept = candidate.metadata
    if options.include_metadata_keys is None and options.exclude_metadata_keys is None:
        return {name: value for name, value in kept.items() if is_safe(name, value)}
    if options.include_metadata_keys is not None:
        kept = {name: value for name, value in kept.items() if name in options.include_metadata_keys}
    if options.exclude_metadata_keys is not None:
        kept = {name: value for name, value in kept.items() if name not in options.exclude_metadata_keys}
    return kept


def is_safe(name: str, value: Any) -> bool:
    if any(word in name.lower() for word in SECRET):
        return False
    return value is None or isinstance(value, (bool, int, float)) or (
        isinstance(value, str) and len(value) <= LONGEST_VALUE
    )
