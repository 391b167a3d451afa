"""Chunks: what a retriever found, in the shapes of the frameworks, as a chunk set (spec/chunks.md).

What the application calls a chunk (`Chunk`, or a mapping with `text`) is taken as it is, with the
faults that it has through every other door. A text and a document of a framework were not made for
Dalil: they get an id of their own where theirs cannot be one, and long ones are cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from dalil._json import written
from dalil.errors import Refused

__all__ = ["Chunk", "ChunkLike", "ChunkSet", "chunk_set"]


@dataclass(frozen=True)
class Chunk:
    """A text that was retrieved, with the id and the metadata of the application."""

    id: str
    text: str
    metadata: Mapping[str, object] = field(default_factory=dict[str, object])
    title: str | None = None
    """The title of the document that it is from."""
    uri: str | None = None
    """Where that document is."""
    page: int | None = None


ChunkLike: TypeAlias = "Chunk | str | Mapping[str, object] | object"
"""A chunk, a text, `{"id", "text", …}`, or a document of LangChain, LlamaIndex or Haystack."""


@dataclass(frozen=True)
class ChunkSet:
    """Chunks under the ids that a ledger names them by."""

    chunks: tuple[Mapping[str, object], ...]
    metadata: Mapping[str, Mapping[str, object]]
    """What is known of each, by its id. Of a document of a framework it may be more than a ledger repeats."""

    def json(self) -> bytes:
        """`{"chunks": […]}`, not yet checked."""
        return written({"chunks": self.chunks})


@dataclass(frozen=True)
class _Named:
    """A chunk before it has an id."""

    id: object
    """What the application calls it, which is checked later."""
    usual: str
    """What it is called where nobody gave it a name."""
    fields: Mapping[str, object]
    known: Mapping[str, object]
    is_given: bool
    """Whether the id is the application's own: it must then be there once."""


def chunk_set(given: Iterable[ChunkLike]) -> ChunkSet:
    """Every chunk, with an id of its own: a retriever may return two parts of one document."""
    found = [chunk for number, one in enumerate(given) for chunk in _read(one, number)]
    taken = {chunk.id for chunk in found if chunk.is_given and isinstance(chunk.id, str)}
    made: list[Mapping[str, object]] = []
    metadata: dict[str, Mapping[str, object]] = {}
    for chunk in found:
        name = chunk.id
        if not chunk.is_given:
            name = _free(chunk.usual, taken)
            taken.add(name)
        made.append({**chunk.fields, "id": name})
        if isinstance(name, str):
            metadata[name] = chunk.known
    return ChunkSet(tuple(made), metadata)


def _free(name: str, taken: set[str]) -> str:
    """The name, or the first one like it that no other chunk has."""
    free, count = name, 1
    while free in taken:
        count += 1
        free = f"{name}#{count}"
    return free


def _read(one: ChunkLike, number: int) -> Iterator[_Named]:
    usual = f"chunk-{number + 1}"
    if isinstance(one, Chunk):
        named = {"title": one.title, "uri": one.uri, "page": one.page}
        fields = {"text": one.text, "metadata": one.metadata, **named}
        yield _Named(one.id, usual, fields, one.metadata, is_given=True)
    elif isinstance(one, str):
        yield from _cut(one, usual, {})
    elif isinstance(one, Mapping) and not ({"page_content", "content"} & one.keys()):
        yield _as_given(cast("Mapping[str, object]", one), usual)
    else:
        yield from _of_framework(cast("object", one), number, usual)


def _as_given(one: Mapping[str, object], usual: str) -> _Named:
    """A chunk in the shape of a chunk set: nothing of it is changed."""
    known = one.get("metadata")
    metadata: Mapping[str, object] = {}
    if isinstance(known, Mapping):
        metadata = cast("Mapping[str, object]", known)
    return _Named(one.get("id"), usual, one, metadata, is_given=one.get("id") is not None)


def _of_framework(one: object, number: int, usual: str) -> Iterator[_Named]:
    """A document of a framework; one without words, as of an empty page, is none."""
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
    named = _first(one, ("id", "node_id", "id_")) or known.get("id") or known.get("source")
    name = str(named).strip() if named else ""
    if text.strip():
        # A name has room for the number of a part.
        yield from _cut(text, name if 0 < len(name) <= _MAX_ID - 8 else usual, known)


def _cut(text: str, usual: str, known: Mapping[str, object]) -> Iterator[_Named]:
    """A text in parts that a chunk may have, cut where a paragraph, a line or a word ends."""
    metadata = _repeatable(known)
    while len(text) > _MAX_TEXT:
        ends = (text.rfind(mark, _MAX_TEXT // 2, _MAX_TEXT) for mark in ("\n\n", "\n", " "))
        end = next((end for end in ends if end > 0), _MAX_TEXT)
        part, text = text[:end], text[end:]
        if part.strip():
            yield _Named(None, usual, {"text": part, "metadata": metadata}, known, is_given=False)
    yield _Named(None, usual, {"text": text, "metadata": metadata}, known, is_given=False)


def _repeatable(known: Mapping[str, object]) -> Mapping[str, object]:
    """What a ledger repeats of the metadata of a framework: all of it, or none where it is no JSON or too long."""
    try:
        size = len(written(known))
    except Refused:
        return {}
    # Written canonically a number may be longer than Python writes it.
    is_short = size + _MAX_NUMBER * _numbers(known) <= _MAX_METADATA
    return known if is_short and not _has_large_integer(known) else {}


def _numbers(value: object) -> int:
    return sum(isinstance(one, float) for one in _leaves(value))


def _has_large_integer(value: object) -> bool:
    """Whether a whole number is one that JSON has no exact form for."""
    return any(isinstance(one, int) and abs(one) > _MAX_WHOLE for one in _leaves(value))


def _leaves(value: object) -> Iterator[object]:
    if isinstance(value, Mapping):
        for one in cast("Mapping[str, object]", value).values():
            yield from _leaves(one)
    elif isinstance(value, (list, tuple)):
        for one in cast("list[object] | tuple[object, ...]", value):
            yield from _leaves(one)
    else:
        yield value


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


# Those of spec/chunks.md.
_MAX_ID = 256
_MAX_TEXT = 100_000
_MAX_METADATA = 4_096
# The longest that a number is in canonical JSON, and the largest whole number that it has.
_MAX_NUMBER = 24
_MAX_WHOLE = 2**53 - 1
