"""Retrieval from a large corpus: the index in files beside PostgreSQL with pgvector.

    bench/run corpus [CHUNKS]

The index in files looks at every chunk, so its candidates are the exact ones. A database is asked for a part: its
recall is the share of those candidates that it has too. One chunk in five is Arabic. Claims repeat a fact of the
corpus, say it in other words, or say it in the other language.
"""

from __future__ import annotations

import datetime
import json
import pathlib
import random
import re
import subprocess
import tempfile

import marking
from growing import FILLERS, PARTIES, PLACES, THINGS, read, weight

SERVER = pathlib.Path(__file__).resolve().parent.parent / "suite" / "servers" / "pgvector"
# The graph of a million vectors fits in it while it is made.
SETTINGS = "-c maintenance_work_mem=2GB -c shared_buffers=1GB -c max_wal_size=8GB"
SEED = 20261118
CHUNKS_A_DOCUMENT = 100
CLAIMS = 200
VOCABULARY = 50_000
ARABIC_SHARE = 0.2

ARABIC_PARTIES = ("المقاول", "المورد", "الناقل", "الورشة", "المستودع", "الوكالة")
ARABIC_THINGS = ("مضخة", "صماما", "مرشحا", "كابلا", "مستشعرا", "مقياسا", "محملا", "خاتما", "محركا", "مرحلا")
ARABIC_PLACES = ("جدة", "الدمام", "ينبع", "الجبيل", "الرياض", "تبوك", "أبها", "حائل", "نجران", "عرعر")
ARABIC_FILLERS = (
    "ترسل الإشعارات كتابة إلى المقر الرئيسي للطرف الآخر.",
    "تسدد الفاتورة غير المتنازع عليها بالتحويل إلى الحساب المبين في الملحق.",
    "تحفظ سجلات العمل سبع سنوات وتعرض على المراجع عند الطلب.",
    "لا يسأل أي طرف عن التأخير الناتج عن أحداث خارجة عن إرادته.",
)
Place = tuple[str, int]


def measure(bench: pathlib.Path, size: int, into: pathlib.Path) -> str:
    """Measures both sides at one size, writes the figures and the table, and gives the table."""
    # Not a temporary file system: disks are part of what is measured.
    with tempfile.TemporaryDirectory(prefix="dalil-retrieval-", dir="/var/tmp") as name:
        folder = pathlib.Path(name)
        known = write_corpus(folder / "docs", size)
        asked = {"docs": str(folder / "docs"), "claims": [claim for claim, _ in known]}
        files, exact = run(bench, folder, {**asked, "cache": str(folder / "index")})
        files["bytes"] = float(weight(folder / "index"))
        with server(folder) as address:
            database, found = run(bench, folder, {**asked, "address": f"{address}#bench/corpus"})
    figures = {"files": files | {"found": hits(exact, known)}, "database": database | {"found": hits(found, known)}}
    figures["database"] |= {"recall": recall(found, exact), "first": first(found, exact)}
    measured = read(into / "retrieval.json")
    measured[str(size)] = {**figures, "date": datetime.date.today().isoformat()}
    into.mkdir(parents=True, exist_ok=True)
    (into / "retrieval.json").write_text(json.dumps(measured, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    shown = table(measured)
    marking.put(into.with_suffix(".md"), "bench/run corpus", shown)
    return shown


class server:
    """PostgreSQL with pgvector while it is measured."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder / "server"

    def __enter__(self) -> str:
        command = ["env", f"SETTINGS={SETTINGS}", SERVER, "start", self.folder]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        found = re.search(r"DALIL_TEST_PGVECTOR='([^']+)'", said)
        if not found:
            raise SystemExit(f"error: expected the address of a server, found {said!r}")
        return found[1]

    def __exit__(self, *_: object) -> None:
        subprocess.run([SERVER, "remove", self.folder], check=True, capture_output=True)


def run(bench: pathlib.Path, folder: pathlib.Path, asked: dict[str, object]) -> tuple[dict[str, float], list[list[Place]]]:
    (folder / "asked.json").write_text(json.dumps(asked, ensure_ascii=False), encoding="utf-8")
    command = [bench, "retrieve", folder / "asked.json", folder / "found.json"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found = json.loads((folder / "found.json").read_bytes())
    return json.loads(done.stdout), [[(name, chunk) for name, chunk in one] for one in found]


def recall(found: list[list[Place]], exact: list[list[Place]]) -> float:
    """The share of the exact candidates that were found, over all claims."""
    return sum(len(set(one) & set(other)) for one, other in zip(found, exact)) / max(sum(map(len, exact)), 1)


def first(found: list[list[Place]], exact: list[list[Place]]) -> float:
    """The share of claims whose first candidate is the exact one."""
    return sum(one[:1] == other[:1] for one, other in zip(found, exact)) / max(len(exact), 1)


def hits(found: list[list[Place]], known: list[tuple[str, Place]]) -> float:
    """The share of claims whose own chunk is among the candidates."""
    return sum(place in one for one, (_, place) in zip(found, known)) / max(len(known), 1)


def table(measured: dict[str, dict]) -> str:
    """Sizes and sides across, figures down."""
    sizes = sorted(measured, key=int)
    sides = [(size, side) for size in sizes for side in ("files", "database")]
    head = " | ".join(f"{int(size):,} {'in files' if side == 'files' else 'pgvector'}" for size, side in sides)
    lines = [f"| chunks | {head} |", "|---" * (len(sides) + 1) + "|"]
    for title, name, scale, unit in FIGURES:
        cells = (cell(measured[size][side].get(name), scale, unit) for size, side in sides)
        lines.append(f"| {title} | {' | '.join(cells)} |")
    return "\n".join(lines)


def cell(value: float | None, scale: float, unit: str) -> str:
    return "" if value is None else f"{value * scale:,.4g} {unit}"


FIGURES = (
    ("candidates of the exact search", "recall", 100, "%"),
    ("first candidate the exact one", "first", 100, "%"),
    ("own chunk among twelve", "found", 100, "%"),
    ("one claim, median", "p50", 1e3, "ms"),
    ("one claim, 99 of 100", "p99", 1e3, "ms"),
    ("opening", "open", 1, "s"),
    ("reading and indexing", "index", 1, "s"),
    ("on disk", "bytes", 1 / (1 << 20), "MiB"),
    ("peak memory of the program", "peak_kb", 1 / 1024, "MiB"),
)


def write_corpus(folder: pathlib.Path, size: int) -> list[tuple[str, Place]]:
    """As many paragraphs, a chunk each, in plain text; gives claims about some, and the place of each."""
    rng = random.Random(SEED)
    folder.mkdir(parents=True)
    words, weights = vocabulary(rng)
    asked = set(rng.sample(range(size), min(CLAIMS, size)))
    known: list[tuple[str, Place]] = []
    for start in range(0, size, CHUNKS_A_DOCUMENT):
        is_arabic = rng.random() < ARABIC_SHARE
        name = f"agreement-{start // CHUNKS_A_DOCUMENT:06}.txt"
        paragraphs = []
        for n in range(start, min(start + CHUNKS_A_DOCUMENT, size)):
            fact = Fact(rng, n)
            fillers = [rng.choice(ARABIC_FILLERS if is_arabic else FILLERS) for _ in range(2)]
            # Words as frequent as those of a language: few are everywhere, most are rare.
            rare = " ".join(rng.choices(words, cum_weights=weights, k=12))
            paragraphs.append(f"{fact.arabic() if is_arabic else fact.english()} {fillers[0]} {rare.capitalize()}. {fillers[1]}")
            if n in asked:
                known.append((fact.claim(len(known), is_arabic), (name, n - start)))
        (folder / name).write_text("\n\n".join(paragraphs) + "\n", encoding="utf-8")
    return known


class Fact:
    """Who delivers how many of what to where, and when."""

    def __init__(self, rng: random.Random, n: int) -> None:
        self.n, self.party, self.thing, self.place = n, *(rng.randrange(len(one)) for one in (PARTIES, THINGS, PLACES))
        self.count, self.days = rng.randrange(2, 9_000), rng.randrange(3, 90)

    def english(self) -> str:
        place, thing, party = PLACES[self.place], THINGS[self.thing], PARTIES[self.party]
        return f"{party} {self.n} shall deliver {self.count} {thing} to {place} within {self.days} days."

    def other(self) -> str:
        """In other words, and without the number that no other has."""
        place, thing, party = PLACES[self.place], THINGS[self.thing], PARTIES[self.party]
        return f"In {place} the {party.lower()} hands over {self.count} {thing} no later than {self.days} days after the order."

    def arabic(self) -> str:
        place, thing, party = ARABIC_PLACES[self.place], ARABIC_THINGS[self.thing], ARABIC_PARTIES[self.party]
        return f"يسلم {party} رقم {self.n} عدد {self.count} {thing} إلى {place} خلال {self.days} يوما."

    def claim(self, turn: int, is_arabic: bool) -> str:
        own, foreign = (self.arabic(), self.english()) if is_arabic else (self.english(), self.arabic())
        return (own, own if is_arabic else self.other(), foreign, own)[turn % 4]


def vocabulary(rng: random.Random) -> tuple[list[str], list[float]]:
    """Made-up words, with the sums of their frequencies by Zipf's law."""
    parts = ("ba", "ter", "mon", "li", "ka", "ros", "vin", "de", "sul", "pre", "gam", "no", "ti", "qua", "fer", "hol")
    words = ["".join(rng.choices(parts, k=3)) + (rng.choice(parts) if n % 3 else "") for n in range(VOCABULARY)]
    sums, total = [], 0.0
    for rank in range(1, VOCABULARY + 1):
        total += 1 / rank
        sums.append(total)
    return words, sums
