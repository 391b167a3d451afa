"""Durable appends of dalil's store beside a raw file, PostgreSQL and pymerkle; receipts, proofs and opening."""

from __future__ import annotations

import json
import pathlib
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Callable

HERE = pathlib.Path(__file__).resolve().parent
SERVER = HERE.parent / "suite" / "servers" / "postgres"
CLIENTS = (1, 16, 256)
TURNS = 3
SECONDS = 3
SMALL = 10_000
DATABASE = "dalil_bench"
Figures = dict[str, float]


def measure(python: pathlib.Path, program: pathlib.Path, url: str | None, records: int) -> str:
    """Every side in turn with as many clients, several times; then a large trail in a folder."""
    # Not a temporary file system: what is measured is a disk.
    with tempfile.TemporaryDirectory(prefix="dalil-bench-", dir="/var/tmp") as name:
        folder = pathlib.Path(name)
        if url is not None:
            return measured(python, program, folder, url, records)
        try:
            return measured(python, program, folder, started(folder), records)
        finally:
            subprocess.run([SERVER, "remove", folder / "postgres"], check=True)


def started(folder: pathlib.Path) -> str:
    """A PostgreSQL of our own that lets 256 clients in; all else is as it comes."""
    said = subprocess.run([SERVER, "start", folder / "postgres"], check=True, capture_output=True, text=True).stdout
    url = said.split("'")[1]
    sql(url, "ALTER SYSTEM SET max_connections = 300")
    subprocess.run([SERVER, "stop", folder / "postgres"], check=True)
    subprocess.run([SERVER, "start", folder / "postgres"], check=True, capture_output=True)
    return url


def sql(url: str, statement: str) -> None:
    subprocess.run(["psql", "--quiet", "--no-psqlrc", "--set", "ON_ERROR_STOP=1", "-c", statement, url], check=True)


def measured(python: pathlib.Path, program: pathlib.Path, folder: pathlib.Path, url: str, records: int) -> str:
    sql(url, f"DROP DATABASE IF EXISTS {DATABASE}")
    sql(url, f"CREATE DATABASE {DATABASE}")
    own = f"{url.partition('?')[0].rpartition('/')[0]}/{DATABASE}"
    work = Work(program, folder)
    try:
        appends = in_turn(sides(work, python, folder, own))
        receipts = {
            "SQLite": work("receipts", folder / "store", 16, SECONDS),
            "PostgreSQL": work("receipts", own, 16, SECONDS),
        }
    finally:
        sql(url, f"DROP DATABASE IF EXISTS {DATABASE}")
    shutil.rmtree(folder / "store")
    return "\n\n".join((append_table(appends), other_table(receipts, large(work, folder, records), records)))


class Work:
    """One piece of work in a process of its own."""

    def __init__(self, program: pathlib.Path, folder: pathlib.Path) -> None:
        self.program, self.given, self.made = program, folder / "given.json", folder / "made.json"

    def __call__(self, name: str, place: pathlib.Path | str, clients: int, amount: int) -> Figures:
        self.given.write_text(json.dumps([name, str(place), clients, amount]), encoding="utf-8")
        return said([self.program, "store", self.given, self.made])


def said(command: list[pathlib.Path | str]) -> Figures:
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def sides(work: Work, python: pathlib.Path, folder: pathlib.Path, url: str) -> dict[str, Callable[[int], Figures]]:
    tree, append = folder / "tree.sqlite", HERE / "merkle" / "append.py"
    return {
        "raw file, one fdatasync for all that wait": lambda clients: work("raw", folder / "raw", clients, SECONDS),
        "dalil on SQLite": lambda clients: work("append", folder / "store", clients, SECONDS),
        "dalil on PostgreSQL": lambda clients: work("append", url, clients, SECONDS),
        "PostgreSQL, plain inserts": lambda clients: work("plain", url, clients, SECONDS),
        "PostgreSQL, hash chain by trigger": lambda clients: work("chain", url, clients, SECONDS),
        "pymerkle, SqliteTree": lambda clients: said([python, append, tree, str(clients), str(SECONDS)]),
    }


def in_turn(sides: dict[str, Callable[[int], Figures]]) -> dict[str, dict[int, Figures]]:
    """The median of each figure over the turns."""
    taken: dict[str, dict[int, list[Figures]]] = {side: {clients: [] for clients in CLIENTS} for side in sides}
    for _ in range(TURNS):
        for clients in CLIENTS:
            for side, run in sides.items():
                taken[side][clients].append(run(clients))
    return {
        side: {
            clients: {figure: statistics.median(turn[figure] for turn in turns) for figure in ("per_second", "p50", "p99")}
            for clients, turns in by_clients.items()
        }
        for side, by_clients in taken.items()
    }


def large(work: Work, folder: pathlib.Path, records: int) -> dict[str, Figures]:
    """A short trail and a long one in folders: what a proof costs in each, and opening the long one."""
    places = {"short": (folder / "short", SMALL), "long": (folder / "long", records)}
    filled = {name: work("fill", place, 8, size) for name, (place, size) in places.items()}
    proofs: dict[str, list[float]] = {name: [] for name in places}
    for _ in range(TURNS):
        for name, (place, _) in places.items():
            proofs[name].append(work("receipts", place, 1, SECONDS)["p50"])
    opened = [work("open", folder / "long", 1, 0) for _ in range(TURNS)]
    return {
        "fill": filled["long"],
        "proof": {name: statistics.median(turns) for name, turns in proofs.items()},
        "open": {figure: max(turn[figure] for turn in opened) for figure in ("seconds", "peak_kb")},
    }


def append_table(appends: dict[str, dict[int, Figures]]) -> str:
    heads = [f"{clients} client{'s' if clients > 1 else ''}: appends/s | p50 | p99" for clients in CLIENTS]
    lines = ["| Durable appends of 1 KiB | " + " | ".join(heads) + " |", "|---" * (1 + 3 * len(CLIENTS)) + "|"]
    for side, by_clients in appends.items():
        cells = [f"{f['per_second']:,.0f} | {ms(f['p50'])} | {ms(f['p99'])}" for f in by_clients.values()]
        lines.append(f"| {side} | " + " | ".join(cells) + " |")
    most = CLIENTS[-1]
    rate = {side: by_clients[most]["per_second"] for side, by_clients in appends.items()}
    lines += ["", f"| {most} clients | appends/s, goal ≥ 15,000 | of the raw file | plain inserts | hash chain, goal ≥ 40× | pymerkle |", "|---" * 6 + "|"]
    raw, plain, chain, merkle = (rate[side] for side in rate if not side.startswith("dalil"))
    for side in (side for side in rate if side.startswith("dalil")):
        own = rate[side]
        lines.append(f"| {side} | {own:,.0f} | {own / raw:.2f}× | {own / plain:.1f}× | {own / chain:.1f}× | {own / merkle:.1f}× |")
    return "\n".join(lines)


def other_table(receipts: dict[str, Figures], large: dict[str, Figures], records: int) -> str:
    short, long = large["proof"]["short"], large["proof"]["long"]
    lines = ["| Receipts, proofs, opening | measured | goal |", "|---|---|---|"]
    for engine, figures in receipts.items():
        lines.append(f"| receipts a second on {engine}, 16 clients | {figures['per_second']:,.0f} | ≥ 20,000 |")
    lines.append(f"| a receipt at {records:,} records, against one at {SMALL:,} ({ms(short)}) | {ms(long)}, {long / short:.2f}× | ≤ 3× |")
    lines.append(f"| opening {records:,} records, slowest of {TURNS} | {large['open']['seconds']:.2f} s | < 2 s |")
    lines.append(f"| peak memory of that process | {large['open']['peak_kb'] / 1024:.0f} MiB | < 200 MB |")
    lines.append(f"| filling that trail, 64 small records an entry | {large['fill']['seconds']:.0f} s | |")
    return "\n".join(lines)


def ms(seconds: float) -> str:
    return f"{seconds * 1e3:.2f} ms"
