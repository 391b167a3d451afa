"""Requests a second of dalil's server beside a FastAPI service: ledgers, sources, appends; and checks."""

from __future__ import annotations

import json
import pathlib
import random
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from contextlib import ExitStack

import inputs
import servers
from servers import Asker, Server

HERE = pathlib.Path(__file__).resolve().parent
CONNECTIONS = (1, 16, 256)
TURNS = 3
SECONDS = 4
CHECK_SECONDS = 5
SESSIONS = 16
CANDIDATES, CHUNKS = 10, 20
PEER = "FastAPI on PostgreSQL"
# Work, how it is asked for, and the goal for requests a second.
WORKS = {
    "ledger reads": ("read", "", 5_000),
    "source packing": ("send", "/sources", 8_000),
    "durable appends": ("send", "/tool-calls", 5_000),
}
GOAL = 10
Figures = dict[str, float]
FIGURES = ("per_second", "p50", "p99", "work")
Taken = dict[tuple[str, str, int], Figures]


def measure(python: pathlib.Path, program: pathlib.Path) -> str:
    """Every server in turn with as many connections, several times; then checks."""
    if shutil.which("wrk") is None:
        raise SystemExit("error: expected `wrk` on the path, found none\nhint: `apt-get install wrk`")
    # Not a temporary file system: what is measured is a disk as well.
    with tempfile.TemporaryDirectory(prefix="dalil-bench-", dir="/var/tmp") as name, ExitStack() as stack:
        folder = pathlib.Path(name)
        address = stack.enter_context(servers.postgres(folder / "postgres"))
        sides = {
            "dalil on SQLite": stack.enter_context(servers.dalil(program, folder / "sqlite")),
            "dalil on PostgreSQL": stack.enter_context(
                servers.dalil(program, folder / "shared", servers.database(address, "dalil"))
            ),
        }
        given = prepare(sides, folder)
        url = servers.database(address, "service")
        sides[PEER] = stack.enter_context(servers.service(python, folder / "service", url, given))
        agree(sides)
        taken = in_turn(sides, folder)
        checks = {side: check_all(server) for side, server in sides.items() if side != PEER}
    return "\n\n".join((table(taken, sides), ratios(taken), check_table(checks)))


def prepare(sides: dict[str, Server], folder: pathlib.Path) -> list[dict]:
    """Documents and checked sessions on each side, and the ledgers of one for the service."""
    answer = (servers.EXAMPLES / "answers" / "leave.en.md").read_text()
    names = [f"ses_{n}" for n in range(SESSIONS)]
    for server in sides.values():
        ask = Asker(server)
        documents = servers.upload_corpus(ask)
        for name in names:
            ask.check(name, answer, documents)
    (folder / "ledger reads").write_text("".join(f"/api/v1/sessions/{name}/ledger\n" for name in names))
    (folder / "source packing").write_text(json.dumps(found(), ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / "durable appends").write_text(json.dumps(CALL) + "\n")
    return [ask.json("GET", f"/sessions/{name}/ledger") for name in names]


def agree(sides: dict[str, Server]) -> None:
    """The service gives what dalil gives, or there is nothing to compare."""
    _, dalil, service = (Asker(server) for server in sides.values())
    for what in (("GET", "/sessions/ses_0/ledger", None), ("POST", "/sources", found())):
        ours, theirs = dalil.json(*what), service.json(*what)
        if ours != theirs:
            raise SystemExit(f"error: the two sides made different things of {what[1]}:\n{ours}\n{theirs}")
    ours, theirs = (ask.json("POST", "/tool-calls", {**CALL, "tool_call_id": "first"}) for ask in (dalil, service))
    if ours.keys() != theirs.keys():
        raise SystemExit(f"error: the two sides answer appends differently:\n{ours}\n{theirs}")


def found() -> dict:
    """What retrieval finds for one answer."""
    return inputs.sources(random.Random("serve"), CANDIDATES, CHUNKS)


def in_turn(sides: dict[str, Server], folder: pathlib.Path) -> Taken:
    """The median of each figure over the turns, and the highest memory."""
    turns: dict[tuple[str, str, int], list[Figures]] = {}
    for turn in range(TURNS):
        for work in WORKS:
            for connections in CONNECTIONS:
                for side, server in sides.items():
                    server.forget_peak()
                    before, run = server.worked(), f"{turn}-{connections}-"
                    figures = drive(server, work, connections, folder / work, run)
                    figures["work"] = (server.worked() - before) / max(1, figures["requests"])
                    figures["peak_kb"] = server.memory("VmHWM")
                    turns.setdefault((work, side, connections), []).append(figures)
    medians = {
        key: {figure: statistics.median(turn[figure] for turn in taken) for figure in FIGURES}
        for key, taken in turns.items()
    }
    for key, taken in turns.items():
        medians[key]["peak_kb"] = max(turn["peak_kb"] for turn in taken)
        failed = sum(turn["failed"] for turn in taken)
        if failed:
            raise SystemExit(f"error: expected success only, found {failed:.0f} failures of {key}")
    return medians


def drive(server: Server, work: str, connections: int, given: pathlib.Path, run: str) -> Figures:
    """One thread of `wrk`: connections that each wait for their answer."""
    how, path, _ = WORKS[work]
    command = ["wrk", "-t1", f"-c{connections}", f"-d{SECONDS}s", "--timeout", "30s", "-s", HERE / "load.lua"]
    command += [f"{server.base}{path}", "--", server.key, how, given, run]
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    figures = json.loads(said.splitlines()[-1])
    return {**figures, "per_second": figures["requests"] / figures["seconds"]}


def check_all(server: Server) -> dict[int, Figures]:
    return {connections: check(server, connections) for connections in CONNECTIONS}


def check(server: Server, connections: int) -> Figures:
    """Clients that open a session, check it and wait for its ledger, again and again."""
    answer = "Employees are entitled to 15 days of annual leave. Maximum carryover is 5 days."
    documents = servers.upload_corpus(Asker(server))
    taken: list[float] = []
    begun = time.monotonic()

    def work(n: int) -> None:
        ask, round = Asker(server), 0
        while round == 0 or time.monotonic() - begun < CHECK_SECONDS:
            start = time.monotonic()
            ask.check(f"check-{connections}-{n}-{round}", answer, documents)
            taken.append(time.monotonic() - start)
            round += 1

    threads = [threading.Thread(target=work, args=(n,)) for n in range(connections)]
    server.forget_peak()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(taken) < connections:
        raise SystemExit("error: expected a check of every client, found fewer")
    rate = len(taken) / (time.monotonic() - begun)
    cuts = statistics.quantiles(taken, n=100, method="inclusive") if len(taken) > 1 else taken * 99
    return {"per_second": rate, "p50": cuts[49], "p99": cuts[98], "peak_kb": server.memory("VmHWM")}


def table(taken: Taken, sides: dict[str, Server]) -> str:
    lines = head("Work | Server", "processor time of the server for each")
    for work in WORKS:
        for side in sides:
            own = {n: taken[work, side, n] for n in CONNECTIONS}
            spent = own[CONNECTIONS[-1]]["work"] * 1e6
            lines.append(f"| {work} | {side} | {cells(own)} | {spent:.0f} µs |")
    return "\n".join(lines)


def ratios(taken: Taken) -> str:
    """What the goals are about: the best number of connections of each side, and each number by itself."""
    lines = ["| Work | Server | most a second | goal | of the service's most, goal ≥ 10× | "
             + " | ".join(f"at {n}" for n in CONNECTIONS) + " |", "|---" * (5 + len(CONNECTIONS)) + "|"]
    for work, (_, _, goal) in WORKS.items():
        rate = {(side, n): figures["per_second"] for (one, side, n), figures in taken.items() if one == work}
        most = {side: max(rate[side, n] for n in CONNECTIONS) for side, _ in rate}
        for side in most:
            if side != PEER:
                each = " | ".join(f"{rate[side, n] / rate[PEER, n]:.1f}×" for n in CONNECTIONS)
                lines.append(f"| {work} | {side} | {most[side]:,.0f} | ≥ {goal:,} | {most[side] / most[PEER]:.1f}× | {each} |")
    return "\n".join(lines)


def check_table(checks: dict[str, dict[int, Figures]]) -> str:
    lines = head("Checks of two claims | Server", "")
    lines += [f"| a session, its check, its ledger | {side} | {cells(figures)} |" for side, figures in checks.items()]
    return "\n".join(lines)


def head(first: str, last: str) -> list[str]:
    heads = [first, *(f"{n} connection{'s' if n > 1 else ''}: a second | p50 | p99" for n in CONNECTIONS)]
    heads += ["peak memory", *([last] if last else [])]
    line = "| " + " | ".join(heads) + " |"
    return [line, "|---" * (line.count("|") - 1) + "|"]


def cells(by_connections: dict[int, Figures]) -> str:
    each = [f"{f['per_second']:,.0f} | {ms(f['p50'])} | {ms(f['p99'])}" for f in by_connections.values()]
    peak = max(figures["peak_kb"] for figures in by_connections.values())
    return " | ".join(each) + f" | {peak / 1024:.0f} MiB"


def ms(seconds: float) -> str:
    return f"{seconds * 1e3:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"


CALL = {
    "phase": "intended", "tool_call_id": "call-@", "tool_name": "erp.payment_terms", "decision_id": "dec_7",
    "intended_action": {"action": "set_terms", "supplier": "V-204", "days": 20, "state": "draft"},
    "inputs": {"supplier": "V-204", "days": 20, "reason": "Terms agreed in the amendment of March"},
}
