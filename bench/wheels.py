"""The wheel of Python: its size, and what `dalil.check` adds to the program itself."""

from __future__ import annotations

import json
import pathlib
import statistics
import subprocess
import tempfile
import venv

import calling
import servers

# A process of Python, then the program, several times.
TURNS = 5
GOAL_SHARE = 0.05
GOAL_BYTES = 75_000_000


def measure(program: pathlib.Path, wheel: pathlib.Path, cache: pathlib.Path) -> tuple[str, bool]:
    """Both sides in turn on the same answers and chunks, each with its judge and chunks opened before."""
    python = installed(wheel, cache)
    chunks = [
        {"id": name, "text": (servers.EXAMPLES / "corpus" / name).read_text()[:1500]} for name in servers.CORPUS
    ]
    size = wheel.stat().st_size
    held = size <= GOAL_BYTES
    lines = [
        "| Work | Python | the program | Python adds | goal |",
        "|---|---|---|---|---|",
        f"| the wheel | {size / 1e6:.1f} MB | | | ≤ {GOAL_BYTES / 1e6:.0f} MB |",
    ]
    with tempfile.TemporaryDirectory(prefix="dalil-wheel-") as name:
        folder = pathlib.Path(name)
        for what, answer in calling.ANSWERS.items():
            asked, judged = [], []
            for _ in range(TURNS):
                asked.append(check(python, folder, answer, chunks))
                judged.append(calling.judge(program, folder, answer, chunks))
            one, alone = statistics.median(asked), statistics.median(judged)
            # Of each turn, so that a busy moment of the machine is in both sides.
            share = statistics.median(one / alone for one, alone in zip(asked, judged)) - 1
            held &= share <= GOAL_SHARE
            lines.append(
                f"| check an answer of {what} | {one:.1f} ms | {alone:.1f} ms | {share:+.1%} | ≤ {GOAL_SHARE:.0%} |"
            )
    return "\n".join(lines), held


def check(python: pathlib.Path, folder: pathlib.Path, answer: str, chunks: list[dict]) -> float:
    """The mean of checks in one process of Python, in milliseconds; the first, which warms up, is not counted."""
    given = {
        "answer": answer,
        "question": calling.QUESTION,
        "chunks": chunks,
        "count": calling.CALLS,
        "threads": calling.THREADS,
    }
    told = subprocess.run(
        [python, "-c", SCRIPT], cwd=folder, input=json.dumps(given), capture_output=True, text=True, check=True
    )
    return float(told.stdout)


def installed(wheel: pathlib.Path, cache: pathlib.Path) -> pathlib.Path:
    """An environment with the wheel and nothing else."""
    folder = cache / "venv-wheel"
    venv.create(folder, with_pip=True, clear=True)
    python = folder / "bin" / "python"
    command = [python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", wheel]
    subprocess.run(command, check=True)
    return python


# The program writes a ledger for each answer, so Python makes its JSON as well.
SCRIPT = """
import json, sys, time
import dalil

given = json.load(sys.stdin)
corpus, judge = dalil.Corpus.of_chunks(given["chunks"]), dalil.Judge("fast")


def run():
    ledger = dalil.check(given["answer"], corpus, question=given["question"], judge=judge, threads=given["threads"])
    return ledger.to_json()


run()
begun = time.perf_counter()
for _ in range(given["count"]):
    run()
print((time.perf_counter() - begun) * 1000 / given["count"])
"""
