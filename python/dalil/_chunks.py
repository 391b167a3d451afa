"""Chunks: converts the results of a retriever to a chunk set (spec/chunks.md).

A chunk of the application (`Chunk`, or a mapping with `text`) is used unchanged, and has the same
faults as through the command line and the server. Texts and documents of a framework were not made
for Dalil: they get a new id if theirs cannot be used, and long ones are split.
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
    """The title of its document."""
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
    """The metadata of each chunk, by its id. For documents of a framework, a ledger may repeat less."""

    def json(self) -> bytes:
        """`{"chunks": […]}`, not yet checked."""
        return written({"chunks": self.chunks})


@dataclass(frozen=True)
class _Named:
    """A chunk before it has an id."""

    id: object
    """The application's id, which is checked later."""
    usual: str
    """The id that it gets if the application gave none."""
    fields: Mapping[str, object]
    known: Mapping[str, object]
    is_given: bool
    """Whether the id is the application's own: it must then be unique."""


def chunk_set(given: Iterable[ChunkLike]) -> ChunkSet:
    """Returns every chunk with a unique id: a retriever may return two parts of one document."""
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
    """Returns the name, with a number if another chunk has it."""
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
    """Reads a chunk in the format of a chunk set, unchanged."""
    known = one.get("metadata")
    metadata: Mapping[str, object] = {}
    if isinstance(known, Mapping):
        metadata = cast("Mapping[str, object]", known)
    return _Named(one.get("id"), usual, one, metadata, is_given=one.get("id") is not None)


def _of_framework(one: object, number: int, usual: str) -> Iterator[_Named]:
    """Reads a document of a framework; a blank one, such as an empty page, gives no chunk."""
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
    """Splits a text into parts of a chunk's maximum length, at the end of a paragraph, line or word."""
    metadata = _repeatable(known)
    while len(text) > _MAX_TEXT:
        ends = (text.rfind(mark, _MAX_TEXT // 2, _MAX_TEXT) for mark in ("\n\n", "\n", " "))
        end = next((end for end in ends if end > 0), _MAX_TEXT)
        part, text = text[:end], text[end:]
        if part.strip():
            yield _Named(None, usual, {"text": part, "metadata": metadata}, known, is_given=False)
    yield _Named(None, usual, {"text": text, "metadata": metadata}, known, is_given=False)


def _repeatable(known: Mapping[str, object]) -> Mapping[str, object]:
    """Returns the metadata that a ledger repeats: all of it, or none if it is not JSON or too long."""
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
    """Whether an integer is too large for an exact number in JSON."""
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
    """Returns the first of some fields that exists."""
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
