"""`dalil check` of ten claims against 200 pages, beside the same job in Python."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
TURNS = 5


def measure(python: pathlib.Path, program: pathlib.Path, folder: pathlib.Path) -> str:
    """Each turn runs dalil without an index, then with it, then Python; a table of the medians."""
    if not (folder / "answer.md").exists():
        subprocess.run([python, HERE / "corpus.py", folder], check=True)
    docs, answer = folder / "docs", folder / "answer.md"
    ours = [program, "check", answer, "--against", docs, "--format", "json", "--at", "2026-01-01T00:00:00Z"]
    theirs = [python, HERE / "pipeline", answer, docs, folder / "pipeline.json"]
    sides = {"dalil, no index": ours, "dalil, with the index": ours, "Python": theirs}
    taken: dict[str, list[tuple[float, float, bytes]]] = {name: [] for name in sides}
    for _ in range(TURNS):
        forget(folder)
        for name, command in sides.items():
            taken[name].append(timed(command, folder))
    cold, warm = (taken[name][0][2] for name in ("dalil, no index", "dalil, with the index"))
    if cold != warm or any(output != cold for _, _, output in taken["dalil, no index"]):
        raise SystemExit("error: expected the same ledger from every run, found two")
    return table(taken)


def deep(python: pathlib.Path, program: pathlib.Path, folder: pathlib.Path, model: pathlib.Path | None) -> str:
    """The deep judge on two threads and on one, which must agree, and both judges on the examples."""
    if not (folder / "answer.md").exists():
        subprocess.run([python, HERE / "corpus.py", folder], check=True)
    home = pathlib.Path(os.environ.get("XDG_DATA_HOME", pathlib.Path.home() / ".local" / "share"))
    file = model or home / "dalil" / "judge-deep.model"
    at = ["--format", "json", "--at", "2026-01-01T00:00:00Z", "--model", file]
    ours = [program, "check", folder / "answer.md", "--against", folder / "docs", *at]
    examples = HERE.parent / "examples"
    answers = sorted((examples / "answers").glob("*.md"))
    sides = {
        "deep, 10 claims, 200 pages": ([*ours, "--judge", "deep"], "≤ 60 s, ≤ 2,500 MB"),
        "the same on one thread": ([*ours, "--judge", "deep", "--threads", "1"], ""),
        "auto, 10 claims, 200 pages": ([*ours, "--judge", "auto"], ""),
        "auto, the longest of `examples/answers`": (
            [program, "check", max(answers, key=lambda path: path.stat().st_size), "--against", examples / "corpus", *at],
            "≤ 20 s",
        ),
    }
    lines = ["| Work | Wall time | Peak memory | goal |", "|---|---|---|---|"]
    outputs = {}
    for name, (command, goal) in sides.items():
        timed(command, folder)
        seconds, memory, outputs[name] = timed(command, folder)
        lines.append(f"| {name} | {seconds:.1f} s | {memory:.0f} MB | {goal} |")
    if outputs["deep, 10 claims, 200 pages"] != outputs["the same on one thread"]:
        raise SystemExit("error: expected the same ledger from one thread and two, found two ledgers")
    return "\n".join(lines)


def forget(folder: pathlib.Path) -> None:
    """Takes away every index, wherever the program may have put it."""
    for index in (folder / ".dalil", folder / "docs" / ".dalil", folder / "home"):
        shutil.rmtree(index, ignore_errors=True)


def timed(command: list[pathlib.Path | str], folder: pathlib.Path) -> tuple[float, float, bytes]:
    """Seconds and peak memory in MB of one run in a process of its own, on two cores, and what it wrote."""
    environment = {**os.environ, "HOME": str(folder / "home"), "XDG_DATA_HOME": str(folder / "home")}
    cores = sorted(os.sched_getaffinity(0))[:2]
    start = time.perf_counter()
    running = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
    )
    output = running.stdout.read()
    said = running.stderr.read()
    _, status, usage = os.wait4(running.pid, 0)
    seconds = time.perf_counter() - start
    # The gate's own exit codes say what the ledger holds, not that the run failed.
    if os.waitstatus_to_exitcode(status) not in (0, 2, 3):
        raise SystemExit(f"error: {command[0]} failed\n{said.decode()}")
    return seconds, usage.ru_maxrss / 1024, output


def table(taken: dict[str, list[tuple[float, float, bytes]]]) -> str:
    goals = {"dalil, no index": "≤ 3 s, ≤ 600 MB", "dalil, with the index": "≤ 1 s"}
    lines = ["| 10 claims against 200 pages | Wall time | Slowest | Peak memory | goal |", "|---|---|---|---|---|"]
    for name, runs in taken.items():
        seconds, memory = ([run[part] for run in runs] for part in (0, 1))
        lines.append(
            f"| {name} | {statistics.median(seconds):.2f} s | {max(seconds):.2f} s | {max(memory):.0f} MB | {goals.get(name, '')} |"
        )
    steps = json.loads(taken["Python"][-1][2])
    lines += ["", "Python's steps: " + ", ".join(f"{name} {steps[name]:.2f} s" for name in ("read", "rank", "load", "score"))]
    return "\n".join(lines)
