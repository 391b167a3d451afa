"""How cost grows: corpora, trails, ledgers and tenants of ten times the size, again and again.

    bench/run growth [--most N] [KIND …]

Every figure is for one of what there are many of, where that makes sense, so a line that stays level is a cost that
grows with the size and no faster. The figures are put into docs/performance/growth.json beside those of other kinds
and sizes, and every plot is drawn anew from that file.
"""

from __future__ import annotations

import argparse
import datetime
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import marking
from plotting import Panel, svg
from storing import Work

TURNS = 3
SECONDS = 2
# A cost that grows with this power of the size, or a higher one, from one size to the next is worth a look.
WORSE_THAN_LINEAR = 1.15
Figures = dict[str, float]


@dataclass(frozen=True)
class Figure:
    """What is measured at each size."""

    name: str
    title: str
    unit: str
    scale: float = 1.0
    # Whether the figure is for one of many, so that level means linear.
    is_each: bool = True


@dataclass(frozen=True)
class Kind:
    """Something that grows."""

    what: str
    sizes: tuple[int, ...]
    figures: tuple[Figure, ...]


KINDS = {
    "corpora": Kind("chunks", (1_000, 10_000, 100_000, 1_000_000), (
        Figure("index_seconds", "reading and indexing, each chunk", "µs", 1e6),
        Figure("index_bytes", "index on disk, each chunk", "B"),
        Figure("memory_bytes", "peak memory of a check, each chunk", "B"),
        Figure("first_verdict", "to the first verdict, with the index", "s", is_each=False),
        Figure("claim_seconds", "one more claim", "ms", 1e3, is_each=False),
        Figure("recall", "claims found in their document", "%", 100, is_each=False),
    )),
    "trails": Kind("records", (10_000, 100_000, 1_000_000, 10_000_000), (
        Figure("append_seconds", "appending, each record", "µs", 1e6),
        Figure("disk_bytes", "on disk, each record", "B"),
        Figure("receipt", "one receipt", "µs", 1e6, is_each=False),
        Figure("open", "opening", "ms", 1e3, is_each=False),
        Figure("open_memory", "peak memory of opening", "MiB", 1 / (1 << 20), is_each=False),
        Figure("fsck_seconds", "`fsck`, each record", "µs", 1e6),
    )),
    "ledgers": Kind("claims", (10, 100, 1_000, 10_000), (
        Figure("check_seconds", "`check`, each claim", "ms", 1e3),
        Figure("check_memory", "peak memory of it", "MiB", 1 / (1 << 20), is_each=False),
        Figure("ledger_seconds", "`ledger` from its request, each claim", "µs", 1e6),
        Figure("ledger_bytes", "the ledger, each claim", "B"),
        Figure("pdf_seconds", "its PDF, each claim", "ms", 1e3),
        Figure("pdf_memory", "peak memory of that", "MiB", 1 / (1 << 20), is_each=False),
    )),
    "tenants": Kind("tenants", (1, 10, 100, 1_000), (
        Figure("create_seconds", "creating one", "ms", 1e3),
        Figure("append_seconds", "appending to all at once, each", "µs", 1e6),
        Figure("receipt", "one receipt", "µs", 1e6, is_each=False),
        Figure("open", "opening the store", "ms", 1e3, is_each=False),
        Figure("open_memory", "peak memory of opening", "MiB", 1 / (1 << 20), is_each=False),
        Figure("fsck_seconds", "`fsck`, each tenant", "ms", 1e3),
    )),
}
# Printing longer ledgers takes minutes and says no more.
MOST_PRINTED_CLAIMS = 1_000
CLAIMS_ASKED = 40
CHUNKS_A_DOCUMENT = 200


def measure(program: Callable[[], pathlib.Path], bench: Callable[[], pathlib.Path], names: list[str], into: pathlib.Path) -> str:
    """Measures the kinds that are named, up to the largest size; writes figures and plots; gives the tables."""
    parser = argparse.ArgumentParser(prog="bench/run growth")
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    parser.add_argument("--most", type=lambda word: int(float(word)), default=100_000)
    given = parser.parse_args(names)
    if unknown := [name for name in given.kinds if name not in KINDS]:
        raise SystemExit(f"error: expected kinds among {', '.join(KINDS)}, found {', '.join(unknown)}")
    measured = read(into / "growth.json")
    for name in given.kinds or KINDS:
        run = {"corpora": corpora, "trails": trails, "ledgers": ledgers, "tenants": tenants}[name]
        tool = bench() if name in ("trails", "tenants") else program()
        for size in KINDS[name].sizes:
            if size > given.most:
                break
            # Not a temporary file system: disks are part of what is measured.
            with tempfile.TemporaryDirectory(prefix="dalil-growth-", dir="/var/tmp") as folder:
                figures = run(tool, pathlib.Path(folder), size)
            measured.setdefault(name, {})[str(size)] = {**figures, "date": datetime.date.today().isoformat()}
            write(measured, into)
        shown = f"![{name} by size]({into.name}/{name}.svg)\n\n{table(name, measured[name])}"
        marking.put(into.with_suffix(".md"), f"bench/run growth {name}", shown)
    return "\n\n".join(table(name, measured[name]) for name in given.kinds or KINDS if name in measured)


def read(path: pathlib.Path) -> dict[str, dict[str, dict]]:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write(measured: dict[str, dict[str, dict]], into: pathlib.Path) -> None:
    into.mkdir(parents=True, exist_ok=True)
    (into / "growth.json").write_text(json.dumps(measured, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    for name, by_size in measured.items():
        (into / f"{name}.svg").write_text(plot(name, by_size), encoding="utf-8")


def plot(name: str, by_size: dict[str, dict]) -> str:
    panels = [Panel(one.title, one.unit, tuple(points(one, by_size))) for one in KINDS[name].figures]
    return svg([panel for panel in panels if panel.points])


def points(figure: Figure, by_size: dict[str, dict]) -> Iterator[tuple[float, float]]:
    for size in sorted(by_size, key=int):
        if figure.name in by_size[size]:
            yield float(size), by_size[size][figure.name] * figure.scale


def table(name: str, by_size: dict[str, dict]) -> str:
    """Sizes across, figures down; the power of the size that the whole cost grew with at the last step."""
    sizes = sorted(by_size, key=int)
    lines = [f"| {KINDS[name].what} | " + " | ".join(f"{int(size):,}" for size in sizes) + " | grows with |", "|---" * (len(sizes) + 2) + "|"]
    for figure in KINDS[name].figures:
        found = dict(points(figure, by_size))
        cells = [f"{found[float(size)]:,.4g} {figure.unit}" if float(size) in found else "" for size in sizes]
        lines.append(f"| {figure.title} | {' | '.join(cells)} | {growth(figure, list(found.items()))} |")
    return "\n".join(lines)


def growth(figure: Figure, found: list[tuple[float, float]]) -> str:
    """The exponent of the whole cost over the last two sizes: 0 is flat, 1 is linear."""
    if len(found) < 2 or min(y for _, y in found[-2:]) <= 0:
        return ""
    (x0, y0), (x1, y1) = found[-2:]
    power = math.log(y1 / y0) / math.log(x1 / x0) + (1 if figure.is_each else 0)
    return f"n^{power:.2f}" + (" (!)" if power >= WORSE_THAN_LINEAR else "")


def corpora(program: pathlib.Path, folder: pathlib.Path, size: int) -> Figures:
    """Documents of paragraphs, each with facts of its own; the answer states some of them."""
    known = write_corpus(folder / "docs", size)
    one, many = folder / "one.md", folder / "many.md"
    one.write_text(known[0][0] + "\n", encoding="utf-8")
    many.write_text("\n\n".join(claim for claim, _ in known) + "\n", encoding="utf-8")
    check = lambda answer: timed([program, "check", answer, "--against", "docs", "--format", "json", "--judge", "fast"], folder)
    cold, _, _ = check(one)
    warm = [check(one) for _ in range(TURNS)]
    asked = [check(many) for _ in range(TURNS)]
    entries = json.loads(asked[0][2])["entries"]
    right = {claim: name for claim, name in known}
    hits = sum((entry.get("source_document") or {}).get("filename") == right.get(entry["claim_text"]) for entry in entries)
    first = statistics.median(seconds for seconds, _, _ in warm)
    whole = statistics.median(seconds for seconds, _, _ in asked)
    return {
        "index_seconds": cold / size,
        "index_bytes": weight(folder / ".dalil") / size,
        "memory_bytes": max(memory for _, memory, _ in warm) / size,
        "first_verdict": first,
        "claim_seconds": (whole - first) / (len(known) - 1),
        "recall": hits / len(known),
    }


def write_corpus(folder: pathlib.Path, size: int) -> list[tuple[str, str]]:
    """As many paragraphs, a chunk each, in plain text; gives some of the facts, and the file of each."""
    rng = random.Random(20261118)
    folder.mkdir(parents=True)
    asked = {rng.randrange(size) for _ in range(CLAIMS_ASKED)}
    known = []
    for first in range(0, size, CHUNKS_A_DOCUMENT):
        name = f"agreement-{first // CHUNKS_A_DOCUMENT:05}.txt"
        paragraphs = []
        for n in range(first, min(first + CHUNKS_A_DOCUMENT, size)):
            party, thing, place = (rng.choice(words) for words in (PARTIES, THINGS, PLACES))
            fact = f"{party} {n} shall deliver {rng.randrange(2, 900)} {thing} to {place} within {rng.randrange(3, 90)} days."
            paragraphs.append(f"{fact} {' '.join(rng.choice(FILLERS) for _ in range(3))}")
            if n in asked:
                known.append((fact, name))
        (folder / name).write_text("\n\n".join(paragraphs) + "\n", encoding="utf-8")
    return known


def ledgers(program: pathlib.Path, folder: pathlib.Path, size: int) -> Figures:
    """An answer of so many claims against one document, and a ledger of as many from its request."""
    known = write_corpus(folder / "docs", CHUNKS_A_DOCUMENT)
    claims = [known[n % len(known)][0].replace("shall deliver", f"shall under order {n} deliver") for n in range(size)]
    (folder / "answer.md").write_text("\n\n".join(claims) + "\n", encoding="utf-8")
    checked = timed([program, "check", "answer.md", "--against", "docs", "--format", "json", "--judge", "fast"], folder)
    (folder / "request.json").write_text(json.dumps(ledger_request(size), ensure_ascii=False), encoding="utf-8")
    made = [timed([program, "ledger", "request.json"], folder) for _ in range(TURNS)]
    figures = {
        "check_seconds": checked[0] / size,
        "check_memory": checked[1],
        "ledger_seconds": statistics.median(seconds for seconds, _, _ in made) / size,
        "ledger_bytes": len(made[0][2]) / size,
    }
    if size <= MOST_PRINTED_CLAIMS:
        printed = timed([program, "ledger", "request.json", "--format", "pdf"], folder)
        figures |= {"pdf_seconds": printed[0] / size, "pdf_memory": printed[1]}
    return figures


def ledger_request(size: int) -> dict[str, object]:
    from pressing import claim

    return {"session": {"id": "growth"}, "created_at": "2026-03-15T09:30:00Z", "claims": [claim(n) for n in range(1, size + 1)]}


def trails(bench: pathlib.Path, folder: pathlib.Path, size: int) -> Figures:
    """Small records, many in an entry, until the trail has so many."""
    work, place = Work(bench, folder), folder / "store"
    filled = work("fill", place, 8, size)
    return {
        "append_seconds": filled["seconds"] / size,
        "disk_bytes": weight(place) / size,
        **of_store(work, place, size),
    }


def tenants(bench: pathlib.Path, folder: pathlib.Path, size: int) -> Figures:
    """Tenants in one store, to all of which records are appended at once, one each."""
    work, place = Work(bench, folder), folder / "store"
    made = work("groups", place, size, 1)
    return {"create_seconds": made["create"] / size, "append_seconds": made["seconds"] / size, **of_store(work, place, size)}


def of_store(work: Work, place: pathlib.Path, size: int) -> Figures:
    """What both kinds of stores are asked."""
    opened = [work("open", place, 1, 0) for _ in range(TURNS)]
    checked = work("fsck", place, 1, 0)
    return {
        "receipt": statistics.median(work("receipts", place, 1, SECONDS)["p50"] for _ in range(TURNS)),
        "open": statistics.median(turn["seconds"] for turn in opened),
        "open_memory": max(turn["peak_kb"] for turn in opened) * 1024,
        "fsck_seconds": checked["seconds"] / size,
    }


def timed(command: list[pathlib.Path | str], folder: pathlib.Path) -> tuple[float, float, bytes]:
    """Seconds, peak memory in bytes, and what was written, of one run in a process of its own."""
    home = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder / "home")}
    with open(folder / "out", "wb") as out, open(folder / "err", "wb") as err:
        start = time.perf_counter()
        running = subprocess.Popen(command, cwd=folder, env=home, stdout=out, stderr=err)
        _, status, usage = os.wait4(running.pid, 0)
        seconds = time.perf_counter() - start
    running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode not in (0, 2, 3):
        raise SystemExit(f"error: {command[0]} failed\n{(folder / 'err').read_text()}")
    return seconds, usage.ru_maxrss * 1024.0, (folder / "out").read_bytes()


def weight(folder: pathlib.Path) -> int:
    """The bytes of all files under a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


PARTIES = ("Contractor", "Supplier", "Carrier", "Workshop", "Depot", "Agency")
THINGS = ("pumps", "valves", "filters", "cables", "sensors", "gauges", "bearings", "seals", "motors", "relays")
PLACES = ("Jeddah", "Dammam", "Yanbu", "Jubail", "Riyadh", "Tabuk", "Abha", "Hail", "Najran", "Arar")
FILLERS = (
    "Notices are sent in writing to the head office of the other party.",
    "An invoice that nobody disputes is paid by transfer to the account named in the schedule.",
    "Records of the work are kept for seven years and shown to the auditor on request.",
    "Neither party is liable for delay caused by events beyond its control.",
    "Changes to this clause need the signature of both parties.",
    "Disputes are settled by the competent court of the place of delivery.",
    "The price includes packing, carriage and insurance up to the gate.",
    "Goods that fail the test of acceptance are replaced without charge.",
)
