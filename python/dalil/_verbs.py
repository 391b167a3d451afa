"""The verbs: check, bundle, sources, verify."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, cast, overload

from dalil import _native
from dalil._chunks import ChunkLike, chunk_set
from dalil._json import as_text, written
from dalil.errors import Fault, Refused
from dalil.results import Bundle, Ledger, LedgerSet, Report, Sources

if TYPE_CHECKING:
    from dalil import _openapi

__all__ = ["Corpus", "Judge", "anchor", "bundle", "check", "check_all", "sources", "verify"]

PathLike: TypeAlias = "str | os.PathLike[str]"
Progress: TypeAlias = Callable[[str, int, int], object]
"""Called with the stage (`reading` or `judging`), the number of finished steps, and their total."""
Language: TypeAlias = Literal["en", "ar"]
TimeLike: TypeAlias = "str | datetime"


class Corpus:
    """Documents, read and indexed once, for any number of checks.

    Paths are files and folders: PDF, DOCX, HTML, Markdown, text, CSV, XLSX and EML. Parsed documents
    are cached under `index`, if given, until the files change.
    """

    def __init__(
        self,
        paths: PathLike | Iterable[PathLike],
        *,
        index: PathLike | None = None,
        progress: Progress | None = None,
    ) -> None:
        named = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
        self.native = _native.Corpus.open(named, index, progress)
        self.metadata: Mapping[str, Mapping[str, object]] = {}

    @classmethod
    def of_chunks(cls, given: Iterable[ChunkLike]) -> Corpus:
        """Makes a corpus of retrieved texts, chunks of a chunk set, or documents of a framework.

        A chunk is `{"id", "text"}`, optionally with `title`, `uri`, `page` and `metadata`, as for
        `dalil check --chunks` and the server, which give the same ledger and the same faults.
        """
        found = chunk_set(given)
        corpus = cls.__new__(cls)
        corpus.native = _native.Corpus.of_chunks(found.json())
        corpus.metadata = found.metadata
        return corpus

    @property
    def documents(self) -> Sequence[str]:
        """The names of the documents that were read."""
        return [str(one["name"]) for one in self._summary()["documents"]]

    @property
    def unread(self) -> Mapping[str, str]:
        """The files that could not be read, and why."""
        return {str(one["name"]): str(one["message"]) for one in self._summary()["unread"]}

    def __repr__(self) -> str:
        return f"<Corpus of {len(self.documents)} documents, {len(self.unread)} unread>"

    def _summary(self) -> Mapping[str, Sequence[Mapping[str, object]]]:
        summary = json.loads(self.native.summary())
        return cast("Mapping[str, Sequence[Mapping[str, object]]]", summary)


@dataclass(frozen=True)
class Judge:
    """The judge; opened once in a process.

    `fast` is the small model in this package. `deep` is the large model that `dalil model import`
    makes. `auto` asks `deep` where `fast` is uncertain; it is the default if the large model exists,
    otherwise `fast` is. An address is that of an OpenAI-compatible endpoint, without the final
    `/chat/completions`; `judge_model` names its model, and its key is read from `DALIL_JUDGE_KEY`.
    """

    judge: str | None = None
    judge_model: str | None = None
    mask: bool = False
    model_file: PathLike | None = None
    replies: PathLike = ".dalil/replies"

    @property
    def native(self) -> _native.Judge:
        """The judge, opened when it is first needed."""
        return _opened(self)


@lru_cache(maxsize=4)
def _opened(judge: Judge) -> _native.Judge:
    return _native.Judge(judge)


Against: TypeAlias = "Corpus | PathLike | Iterable[PathLike]"


@dataclass(frozen=True)
class _CheckOptions:
    name: str
    question: str | None
    session: str | None
    previous: str | None
    at: str | None
    language: str | None
    outdated_days: int
    threads: int | None
    progress: Progress | None


def check(
    answer: str,
    against: Against | None = None,
    *,
    chunks: Iterable[ChunkLike] | None = None,
    question: str | None = None,
    judge: Judge | str | None = None,
    name: str = "answer",
    session: str | None = None,
    previous: str | None = None,
    at: TimeLike | None = None,
    language: Language | None = None,
    outdated_days: int = 365,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Ledger:
    """Checks every claim of an answer against documents or chunks, offline.

    Give either `against`, files and folders or an open `Corpus`, or `chunks`, the results of a
    retriever. Other Python threads run meanwhile.
    """
    corpus = _corpus(against, chunks, progress)
    who = judge if isinstance(judge, Judge) else Judge(judge)
    options = _CheckOptions(
        name, question, session, previous, _time(at), language, outdated_days, threads, progress
    )
    text = as_text(answer, "answer")
    if question is not None:
        as_text(question, "question")
    native = _native.check(text, corpus.native, who.native, options)
    data = cast("_openapi.Ledger", json.loads(native.json()))
    return Ledger(
        data,
        answer=answer,
        question=question,
        name=name,
        metadata=corpus.metadata,
        native=native,
    )


def check_all(
    answers: Iterable[Mapping[str, object]],
    against: Against | None = None,
    *,
    judge: Judge | str | None = None,
    at: TimeLike | None = None,
    language: Language | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> LedgerSet:
    """Checks a data set: rows with `answer`, and optionally `question`, `id` and `chunks`.

    A row without chunks is checked against `against`. `progress` is called after each row.
    """
    rows = list(answers)
    corpus = None if against is None else _corpus(against, None, progress)
    ledgers: list[Ledger] = []
    for number, row in enumerate(rows):
        path = f"answers[{number}]"
        given = row.get("chunks", row.get("contexts"))
        name = row.get("id", f"answer-{number + 1}")
        own = _chunks_of_row(cast("Iterable[ChunkLike]", given), path) if given is not None else corpus
        if own is None:
            raise Refused.of_one("missing_field", f"{path}.chunks", "chunks, or `against`", "neither")
        ledger = check(
            _required(row, "answer", path),
            own,
            question=_optional(row, "question", path),
            judge=judge,
            name=str(name),
            at=at,
            language=language,
            threads=threads,
        )
        ledgers.append(ledger)
        if progress is not None:
            progress("checking", number + 1, len(rows))
    return LedgerSet(ledgers)


@dataclass(frozen=True)
class _BundleOptions:
    lake: PathLike | None
    corpus: _native.Corpus | None
    query: str | None
    top: int
    mask_key: bytes | None


def bundle(
    request: Mapping[str, object],
    against: Against | None = None,
    *,
    query: str | None = None,
    top: int = 20,
    lake: PathLike | None = None,
    mask_key: bytes | None = None,
) -> Bundle:
    """Builds a bundle: the evidence for a model, ordered, bounded and masked, with every cut recorded.

    `against` adds chunks of documents: all of them, or the `top` best ones for `query`.
    `lake` is the folder that references point into, and where full texts are stored.
    """
    corpus = None if against is None else _corpus(against, None, None).native
    options = _BundleOptions(lake, corpus, query, top, mask_key)
    text, prompt = _native.bundle(written(request), options)
    return Bundle(cast("_openapi.Bundle", json.loads(text)), prompt)


@overload
def sources(
    candidates: Sequence[Mapping[str, object]],
    *,
    evidence_chunks: Sequence[Mapping[str, object]] | None = None,
    options: Mapping[str, object] | None = None,
    answer: str | None = None,
    format: Literal["event"] = "event",
) -> Sources: ...
@overload
def sources(
    candidates: Sequence[Mapping[str, object]],
    *,
    evidence_chunks: Sequence[Mapping[str, object]] | None = None,
    options: Mapping[str, object] | None = None,
    answer: str | None = None,
    format: Literal["ai-sdk", "anthropic", "openai"],
) -> list[dict[str, object]]: ...
def sources(
    candidates: Sequence[Mapping[str, object]],
    *,
    evidence_chunks: Sequence[Mapping[str, object]] | None = None,
    options: Mapping[str, object] | None = None,
    answer: str | None = None,
    format: Literal["event", "ai-sdk", "anthropic", "openai"] = "event",
) -> Sources | list[dict[str, object]]:
    """Chooses the documents to show beside an answer.

    The other formats are the parts of the Vercel AI SDK, citations as in Anthropic's messages, and
    annotations as in OpenAI's responses.
    """
    request: dict[str, object] = {"candidates": candidates}
    if evidence_chunks is not None:
        request["evidence_chunks"] = evidence_chunks
    if options is not None:
        request["options"] = options
    if answer is not None:
        request["answer"] = answer
    text = _native.sources(written(request), format)
    if format == "event":
        return Sources(cast("_openapi.SourcesEvent", json.loads(text)))
    return cast("list[dict[str, object]]", json.loads(text))


@dataclass(frozen=True)
class _VerifyOptions:
    trust: bytes | None
    at: str | None
    language: str
    threads: int | None


def verify(
    evidence: bytes | PathLike,
    *,
    trust: Mapping[str, object] | PathLike | None = None,
    keys: Sequence[str] = (),
    at: TimeLike | None = None,
    language: Language = "en",
    threads: int | None = None,
) -> Report:
    """Verifies a pack, ledger, PDF, archive, receipt, checkpoint or trail export.

    `trust` is a trust file, or its content; `keys` are verifier keys, `name+hash+base64`.
    Without either, nothing can pass, but every other fault is still found.
    """
    if trust is not None and keys:
        raise Refused.of_one("conflict", "keys", "either `trust` or `keys`", "both")
    if isinstance(trust, Mapping):
        believed: bytes | None = written(trust)
    elif trust is not None:
        believed = Path(trust).read_bytes()
    elif keys:
        believed = written({"origin": keys[0].split("+")[0], "keys": list(keys)})
    else:
        believed = None
    read = evidence if isinstance(evidence, bytes) else Path(evidence).read_bytes()
    said = _native.verify(read, _VerifyOptions(believed, _time(at), language, threads))
    return Report.of(cast("_openapi.VerificationReport", json.loads(said)))


def anchor(text: str) -> str:
    """Returns the anchor that cites a text in an answer: `[cite:…]`. It depends on the text alone."""
    return _native.anchor(text)


def _corpus(
    against: Against | None, given: Iterable[ChunkLike] | None, progress: Progress | None
) -> Corpus:
    if (against is None) == (given is None):
        found = "neither" if against is None else "both"
        raise Refused.of_one("choice", "against", "either `against` or `chunks`", found)
    if given is not None:
        return Corpus.of_chunks(given)
    if isinstance(against, Corpus):
        return against
    return Corpus(cast("PathLike | Iterable[PathLike]", against), progress=progress)


def _chunks_of_row(given: Iterable[ChunkLike], path: str) -> Corpus:
    try:
        return Corpus.of_chunks(given)
    except Refused as refused:
        faults = [Fault(one.rule, f"{path}.{one.path}", one.message, one.hint) for one in refused.faults]
        raise Refused(faults) from None


def _time(at: TimeLike | None) -> str | None:
    if not isinstance(at, datetime):
        return at
    if at.tzinfo is None:
        raise Refused.of_one("time", "at", "a time with its zone", f"`{at.isoformat()}`")
    return at.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _required(row: Mapping[str, object], name: str, path: str) -> str:
    value = _optional(row, name, path)
    if value is None:
        raise Refused.of_one("missing_field", f"{path}.{name}", "a text", "nothing")
    return value


def _optional(row: Mapping[str, object], name: str, path: str) -> str | None:
    value = row.get(name)
    if value is not None and not isinstance(value, str):
        raise Refused.of_one("type", f"{path}.{name}", "a text", f"`{type(value).__name__}`")
    return value

