"""The check in one call over HTTP, beside the judging alone: what the server adds."""

from __future__ import annotations

import json
import pathlib
import statistics
import subprocess
import tempfile
import time

import servers
from servers import Asker, Server

# A call, then the judging of as many answers by the program itself, several times.
TURNS = 5
CALLS = 20
# As many as a server has for one answer.
THREADS = 2
QUESTION = "How much annual leave is there?"
GOAL_MS = 10.0
ANSWERS = {
    "2 claims, 3 chunks": "Employees are entitled to 15 days of annual leave. Maximum carryover is 5 days.",
    "4 claims, 3 chunks": (servers.EXAMPLES / "answers" / "leave.en.md").read_text(),
}


def measure(program: pathlib.Path) -> tuple[str, bool]:
    """Both sides in turn; the difference is what HTTP, the store and the job cost."""
    chunks = [
        {"id": name, "text": (servers.EXAMPLES / "corpus" / name).read_text()[:1500]} for name in servers.CORPUS
    ]
    lines = ["| Answer | one call | judging alone | difference | goal |", "|---|---|---|---|---|"]
    held = True
    # Not a temporary file system: a record is on the disk before the call is answered.
    with tempfile.TemporaryDirectory(prefix="dalil-call-", dir="/var/tmp") as name:
        folder = pathlib.Path(name)
        with servers.dalil(program, folder / "store") as server:
            for what, answer in ANSWERS.items():
                called, judged = [], []
                for turn in range(TURNS):
                    called.append(call(server, answer, chunks, f"{len(answer)}-{turn}"))
                    judged.append(judge(program, folder, answer, chunks))
                one, alone = statistics.median(called), statistics.median(judged)
                # Of each turn, so that a busy moment of the machine is in both sides.
                added = statistics.median(one - alone for one, alone in zip(called, judged))
                held &= added <= GOAL_MS
                lines.append(f"| {what} | {one:.1f} ms | {alone:.1f} ms | {added:.1f} ms | ≤ {GOAL_MS:.0f} ms |")
    return "\n".join(lines), held


def call(server: Server, answer: str, chunks: list[dict], run: str) -> float:
    """The median of calls, each of a session of its own, in milliseconds."""
    ask, taken = Asker(server), []
    for n in range(CALLS):
        body = {"answer": answer, "question": QUESTION, "chunks": chunks, "session_id": f"call-{run}-{n}"}
        begun = time.perf_counter()
        ask("POST", "/check?wait=30", body)
        taken.append((time.perf_counter() - begun) * 1000)
    return statistics.median(taken)


def judge(program: pathlib.Path, folder: pathlib.Path, answer: str, chunks: list[dict]) -> float:
    """What one more answer costs the program itself, in milliseconds: the start, the model and the chunks are
    in both runs and fall out."""
    (folder / "answer.md").write_text(answer)
    (folder / "chunks.json").write_text(json.dumps({"chunks": chunks}))
    one, many = (time_of(program, folder, count) for count in (1, CALLS + 1))
    return (many - one) * 1000 / CALLS


def time_of(program: pathlib.Path, folder: pathlib.Path, count: int) -> float:
    command = [program, "check", *["answer.md"] * count, "--chunks", "chunks.json", "--question", QUESTION]
    command += ["--judge", "fast", "--threads", str(THREADS), "--no-index", "--format", "ledger"]
    begun = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - begun
