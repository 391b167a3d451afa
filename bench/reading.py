"""Reading PDFs beside PyMuPDF and poppler: pages per second, and how much of the words comes out, in order."""

from __future__ import annotations

import collections
import dataclasses
import json
import pathlib
import statistics
import subprocess
import time
import unicodedata

HERE = pathlib.Path(__file__).resolve().parent
TURNS = 3
LANGUAGES = {"en": "English", "ar": "Arabic"}
TATWEEL = "\u0640"

Texts = dict[str, str]


@dataclasses.dataclass(frozen=True)
class Programs:
    """What is run: Python with PyMuPDF, `dalil` as it is shipped, and the Rust side of the benchmarks."""

    python: pathlib.Path
    dalil: pathlib.Path
    bench: pathlib.Path


def measure(programs: Programs, folder: pathlib.Path) -> str:
    """Each turn runs every side on the English files, then on the Arabic ones; tables of the medians."""
    known: Texts = json.loads((folder / "known.json").read_bytes())
    sides = {
        "dalil, in one process": lambda files: task([programs.bench], files, folder),
        "PyMuPDF, in one process": lambda files: task([programs.python, HERE / "pages"], files, folder),
        "`dalil read --json`, all files in one call": lambda files: shipped(programs.dalil, files),
        "`pdftotext`, a process for each file": poppler,
    }
    taken = {(side, language): [] for side in sides for language in LANGUAGES}
    texts: dict[str, Texts] = {side: {} for side in sides}
    for _ in range(TURNS):
        for language in LANGUAGES:
            files = sorted(str(folder / name) for name in known if name.startswith(language))
            for side, run in sides.items():
                seconds, read = run(files)
                taken[side, language].append(seconds)
                texts[side].update({pathlib.Path(path).name: text for path, text in read.items()})
    pages = {language: sum(count(programs.python, folder, name) for name in known if name.startswith(language)) for language in LANGUAGES}
    return "\n\n".join((speeds(taken, pages), words(texts, known)))


def task(command: list[pathlib.Path], files: list[str], folder: pathlib.Path) -> tuple[float, Texts]:
    given, output = folder / "files.json", folder / "texts.json"
    given.write_text(json.dumps(files), encoding="utf-8")
    done = subprocess.run([*command, "read", given, output], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["seconds"], json.loads(output.read_bytes())


def shipped(program: pathlib.Path, files: list[str]) -> tuple[float, Texts]:
    start = time.perf_counter()
    done = subprocess.run([program, "read", "--json", *files], check=True, capture_output=True)
    seconds = time.perf_counter() - start
    documents = [json.loads(line) for line in done.stdout.splitlines()]
    return seconds, {document["name"]: document["text"] for document in documents}


def poppler(files: list[str]) -> tuple[float, Texts]:
    read = {}
    start = time.perf_counter()
    for file in files:
        read[file] = subprocess.run(["pdftotext", file, "-"], check=True, capture_output=True).stdout
    return time.perf_counter() - start, {file: text.decode() for file, text in read.items()}


def count(python: pathlib.Path, folder: pathlib.Path, name: str) -> int:
    code = "import sys, pymupdf; print(len(pymupdf.open(sys.argv[1])))"
    return int(subprocess.run([python, "-c", code, folder / name], check=True, capture_output=True).stdout)


def speeds(taken: dict[tuple[str, str], list[float]], pages: dict[str, int]) -> str:
    heads = [f"{name}, {pages[language]} pages" for language, name in LANGUAGES.items()]
    lines = [f"| Pages per second | {' | '.join(heads)} |", "|---|---|---|"]
    for side in dict.fromkeys(side for side, _ in taken):
        speed = [pages[language] / statistics.median(taken[side, language]) for language in LANGUAGES]
        lines.append(f"| {side} | {speed[0]:,.0f} | {speed[1]:,.0f} |")
    return "\n".join(lines)


def words(texts: dict[str, Texts], known: Texts) -> str:
    """Files and languages by words found and words in order; the two sides of dalil must agree."""
    shown = {side.split(",")[0].strip("`"): read for side, read in texts.items()}
    if shown.pop("dalil read --json") != shown["dalil"]:
        raise SystemExit("error: expected one text of each file from dalil, found two")
    heads = [f"{side} {figure}" for side in shown for figure in ("F1", "in order")]
    lines = [f"| Words | Known | {' | '.join(heads)} |", "|---|---|" + "---|" * len(heads)]
    for language, title in LANGUAGES.items():
        names = [name for name in known if name.startswith(language)]
        scores = {name: [score(split(read[name]), split(known[name])) for read in shown.values()] for name in names}
        sizes = [len(split(known[name])) for name in names]
        means = [[statistics.mean(scores[name][side][part] for name in names) for part in (0, 1)] for side in range(len(shown))]
        rows = [(name.removesuffix(".pdf"), size, scores[name]) for name, size in zip(names, sizes)]
        for name, size, figures in [*rows, (f"**{title}**", sum(sizes), means)]:
            lines.append(f"| {name} | {size:,} | {' | '.join(f'{figure:.3f}' for pair in figures for figure in pair)} |")
    return "\n".join(lines)


def split(text: str) -> list[str]:
    """The words of a text: shapes as letters, no stretching strokes, no signs at their ends; a mark of direction parts them."""
    text = unicodedata.normalize("NFKC", text).replace(TATWEEL, "")
    text = "".join(" " if unicodedata.category(ch) == "Cf" else ch for ch in text)
    found = []
    for word in text.split():
        inner = [at for at, ch in enumerate(word) if unicodedata.category(ch)[0] in "LMN"]
        if inner:
            found.append(word[inner[0] : inner[-1] + 1])
    return found


def score(found: list[str], known: list[str]) -> tuple[float, float]:
    """F1 of the words without their order, and the share of them that stands in order."""
    same = sum((collections.Counter(found) & collections.Counter(known)).values())
    return 2 * same / max(len(found) + len(known), 1), longest(found, known) / max(len(known), 1)


def longest(found: list[str], known: list[str]) -> int:
    """How long the longest common subsequence is, a row of the usual table as the bits of one number."""
    places: dict[str, int] = collections.defaultdict(int)
    for at, word in enumerate(known):
        places[word] |= 1 << at
    every = (1 << len(known)) - 1
    row = every
    for word in found:
        hits = row & places.get(word, 0)
        row = ((row + hits) | (row - hits)) & every
    return len(known) - row.bit_count()
