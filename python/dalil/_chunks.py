"""Chunks: what a retriever found, in the shapes of the frameworks, as ids, texts and metadata."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from dalil.errors import Refused

__all__ = ["Chunk", "ChunkLike", "chunks"]


@dataclass(frozen=True)
class Chunk:
    """A text that was retrieved, with the id and the metadata of the application."""

    id: str
    text: str
    metadata: Mapping[str, object] = field(default_factory=dict[str, object])


ChunkLike: TypeAlias = "Chunk | str | Mapping[str, object] | object"
"""A chunk, a text, `{"id", "text", "metadata"}`, or a document of LangChain, LlamaIndex or Haystack."""


def chunks(given: Iterable[ChunkLike]) -> list[Chunk]:
    """Every chunk, with an id of its own: a retriever may return two parts of one document."""
    seen: dict[str, int] = {}
    found: list[Chunk] = []
    for number, one in enumerate(given):
        chunk = _chunk(one, number)
        count = seen.get(chunk.id, 0)
        seen[chunk.id] = count + 1
        found.append(chunk if count == 0 else Chunk(f"{chunk.id}#{count + 1}", chunk.text, chunk.metadata))
    return found


def _chunk(one: ChunkLike, number: int) -> Chunk:
    if isinstance(one, Chunk):
        return one
    usual = f"chunk-{number + 1}"
    if isinstance(one, str):
        return Chunk(usual, one)
    # LlamaIndex wraps a node in what it scored.
    one = getattr(one, "node", one)
    text = _first(one, ("text", "page_content", "content"))
    if not isinstance(text, str):
        content = getattr(one, "get_content", None)
        text = cast("Callable[[], object]", content)() if callable(content) else text
    if not isinstance(text, str):
        path, found = f"chunks[{number}]", type(one).__name__
        raise Refused.of_one("type", path, "a text, or an object with `text`", f"`{found}`")
    metadata = _first(one, ("metadata", "meta"))
    known: dict[str, object] = {}
    if isinstance(metadata, Mapping):
        known.update(cast("Mapping[str, object]", metadata))
    name = _first(one, ("id", "node_id", "id_")) or known.get("id") or known.get("source")
    return Chunk(str(name) if name else usual, text, known)


def _first(one: object, names: tuple[str, ...]) -> object:
    """The first of some fields that is there."""
    for name in names:
        if isinstance(one, Mapping):
            value = cast("Mapping[str, object]", one).get(name)
        else:
            value = cast("object", getattr(one, name, None))
        if value is not None and not callable(value):
            return value
    return None
