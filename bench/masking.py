"""Masking: the labelled sets, and how much of them each side finds."""

from __future__ import annotations

import gzip
import json
import pathlib
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
TYPES = ("email", "phone", "credit_card", "iban", "ssn", "ip")
RESEARCH = {
    "EMAIL_ADDRESS": "email", "PHONE_NUMBER": "phone", "CREDIT_CARD": "credit_card",
    "IBAN_CODE": "iban", "US_SSN": "ssn", "IP_ADDRESS": "ip",
}

Span = tuple[str, int, int]


@dataclass
class Line:
    """A text and what must be found in it, at offsets of characters."""

    text: str
    spans: list[Span]


def read(pii: pathlib.Path | None) -> dict[str, list[Line]]:
    """The Gulf set of the repository; and presidio-research's sentences, when their file is given."""
    sets = {"gulf": [gulf(json.loads(line)) for line in (HERE.parent / "suite/masking/gulf.jsonl").open()]}
    if pii is not None:
        sets["pii"] = [research(one) for one in json.loads(gzip.open(pii).read())]
    return sets


def gulf(line: dict) -> Line:
    places = [(one["type"], one["start"], one["end"]) for one in line["spans"]]
    return Line(line["text"], characters(line["text"], places))


def research(one: dict) -> Line:
    named = [(RESEARCH.get(span["entity_type"]), span["start_position"], span["end_position"]) for span in one["spans"]]
    return Line(one["full_text"], [span for span in named if span[0]])


def characters(text: str, spans: list[Span]) -> list[Span]:
    """The same spans with offsets of bytes turned into offsets of characters."""
    data = text.encode()
    return [(kind, len(data[:start].decode()), len(data[:end].decode())) for kind, start, end in spans]


def texts(sets: dict[str, list[Line]]) -> dict[str, list[str]]:
    return {name: [line.text for line in lines] for name, lines in sets.items()}


def score(lines: list[Line], found: list[list[Span]], kind: str) -> tuple[int, int, int, int]:
    """Spans, spans of which half is covered, finds, and finds that touch a span; of one type."""
    spans = hits = finds = right = 0
    for line, places in zip(lines, found, strict=True):
        wanted = [span for span in line.spans if span[0] == kind]
        given = [span for span in places if span[0] == kind]
        spans, finds = spans + len(wanted), finds + len(given)
        hits += sum(2 * max((overlap(one, other) for other in given), default=0) >= one[2] - one[1] for one in wanted)
        right += sum(any(overlap(one, other) > 0 for other in wanted) for one in given)
    return spans, hits, finds, right


def overlap(one: Span, other: Span) -> int:
    return min(one[2], other[2]) - max(one[1], other[1])


def text(sets: dict[str, list[Line]], figures: dict[str, dict[str, float]], found: dict[str, dict]) -> str:
    """Both sides' speed, and what they found, as Markdown tables."""
    lines = ["| Masking | Presidio | dalil | ratio | goal |", "|---|---|---|---|---|"]
    for name, given in sets.items():
        size = sum(len(line.text.encode()) for line in given) / 1e6
        theirs, ours = (size / figures[side][name] for side in ("presidio", "dalil"))
        lines.append(f"| {name}, {len(given):,} texts, {size:.2f} MB | {theirs:.3f} MB/s | {ours:.1f} MB/s | {ours / theirs:,.0f}× | ≥ 50× |")
    lines += ["", "| Set | Type | Spans | Presidio finds | right | dalil finds | right |", "|---|---|---|---|---|---|---|"]
    for name, given in sets.items():
        for kind in TYPES:
            scores = [score(given, found[side][name], kind) for side in ("presidio", "dalil")]
            cells = [f"{hits} | {right} of {finds}" for _, hits, finds, right in scores]
            lines.append(f"| {name} | {kind} | {scores[0][0]} | {' | '.join(cells)} |")
    return "\n".join(lines)
