"""Unit costs, each measured once: what `bench/run scale` takes to larger loads.

    bench/run costs [POSTGRES_URL]

Writes docs/performance/costs.json: the costs, and the limits of the machine that they were measured on.
"""

from __future__ import annotations

import datetime
import json
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile
from collections.abc import Callable

import growing
import marking
import storing
from storing import Work

# A group of so many records of one tenant, and one of so many tenants with a record each.
RECORDS, TENANTS = 512, 64
CHUNKS = 10_000
# Name, what it is, its unit and scale.
LIMITS = (
    ("sha256_bytes_a_second", "SHA-256 of 64 MiB, one core", "MB/s", 1e-6),
    ("leaf", "SHA-256 of a leaf of 1 KiB", "µs", 1e6),
    ("node", "SHA-256 of a node of the tree", "µs", 1e6),
    ("sign", "an Ed25519 signature", "µs", 1e6),
    ("verify_signature", "checking one", "µs", 1e6),
    ("sync", "4 KiB at the end of a file, synced", "µs", 1e6),
    ("copy_bytes_a_second", "copying 64 MiB, one core", "GB/s", 1e-9),
    ("fresh_copy_bytes_a_second", "the same into memory that is new", "GB/s", 1e-9),
    ("int8_products_a_second", "products of 8-bit integers by the kernel, one core", "billion/s", 1e-9),
    ("int8_products_a_second_2", "the same on two", "billion/s", 1e-9),
)
FILLED = 20_000


def measure(program: pathlib.Path, bench: pathlib.Path, url: str | None, into: pathlib.Path) -> str:
    """Measures, writes the file, and says what is in it."""
    with tempfile.TemporaryDirectory(prefix="dalil-costs-", dir="/var/tmp") as name:
        folder = pathlib.Path(name)
        work = Work(bench, folder)
        given = folder / "limits.json"
        given.write_text(json.dumps(name), encoding="utf-8")
        limits = storing.said([bench, "limits", given, folder / "made.json"])
        own = url is None
        server = storing.started(folder) if own else url
        try:
            costs = measured(program, work, folder, server)
        finally:
            if own:
                subprocess.run([storing.SERVER, "remove", folder / "postgres"], check=True)
    found = {"date": datetime.date.today().isoformat(), "cores": os.cpu_count(), "limits": limits, "costs": costs}
    into.parent.mkdir(parents=True, exist_ok=True)
    into.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    tables = {"limits": limit_table(limits), "costs": cost_table(costs, limits)}
    for name, table in tables.items():
        marking.put(into.parent.with_suffix(".md"), f"bench/run costs: {name}", table)
    return "\n\n".join(tables.values())


def limit_table(limits: dict[str, float]) -> str:
    """What the machine allows, in units that a person reads."""
    lines = ["| Limit of the machine | measured |", "|---|---|"]
    for name, what, unit, scale in LIMITS:
        lines.append(f"| {what} | {limits[name] * scale:,.4g} {unit} |")
    return "\n".join(lines)


def cost_table(costs: dict, limits: dict[str, float]) -> str:
    """What one of each costs, with the limit that it cannot go below and how far it is from it."""
    lines = ["| One | costs | its limit | cost over limit |", "|---|---|---|---|"]
    leaf, sign, sync = limits["leaf"], limits["sign"], limits["sync"]
    # A record's leaf, its commitment and two nodes of the tree; a group's sync; a tenant's signature.
    hashes = 2 * leaf + 2 * limits["node"]
    rows = [
        ("record in a group: processor time", costs["append_cpu_seconds"], "two hashes of 1 KiB and two nodes", hashes),
        ("small record checked by `fsck`: processor time", costs["fsck_cpu_seconds"], "four nodes", 4 * limits["node"]),
    ]
    for engine, name in (("sqlite", "SQLite"), ("postgres", "PostgreSQL")):
        group = costs[engine]
        rows += [
            (f"group on {name}: time", group["group"], "a sync", sync),
            (f"one more record in it, on {name}: time", group["record"], "two hashes of 1 KiB and two nodes", hashes),
            (f"one more tenant in it, on {name}: time", group["tenant"], "a signature", sign),
        ]
    for what, cost, limit, floor in rows:
        lines.append(f"| {what} | {cost * 1e6:,.1f} µs | {limit}: {floor * 1e6:,.1f} µs | {cost / floor:,.1f}× |")
    claim = costs["claim_cpu_seconds"]
    lines.append(f"| claim checked by the fast judge: processor time | {claim * 1e3:,.1f} ms | | |")
    lines.append(f"| chunk read and indexed: processor time | {costs['chunk_index_cpu_seconds'] * 1e6:,.1f} µs | | |")
    lines.append(f"| record of 1 KiB on disk | {costs['record_bytes']:,.0f} B | its payload: 1,024 B | {costs['record_bytes'] / 1024:,.1f}× |")
    lines.append(f"| chunk in the index | {costs['chunk_index_bytes']:,.0f} B | | |")
    return "\n".join(lines)


def measured(program: pathlib.Path, work: Work, folder: pathlib.Path, url: str) -> dict[str, object]:
    filled = work("fill", folder / "filled", 8, FILLED)
    checked = work("fsck", folder / "filled", 1, 0)
    appended = work("append", folder / "appended", 256, 3)
    stored = growing.weight(folder / "appended")
    records = work("open", folder / "appended", 1, 0)["records"]
    costs: dict[str, object] = {
        "append_cpu_seconds": appended["cpu"] / records,
        "record_bytes": stored / records,
        "fsck_cpu_seconds": checked["cpu"] / filled["records"],
        **checks(program, folder),
    }
    storing.sql(url, f"DROP DATABASE IF EXISTS {storing.DATABASE}")
    for engine in ("sqlite", "postgres"):
        costs[engine] = group_cost(work, lambda name, engine=engine: place(folder, url, engine, name))
        if engine == "postgres":
            storing.sql(url, f"DROP DATABASE {storing.DATABASE}")
    return costs


def place(folder: pathlib.Path, url: str, engine: str, name: str) -> str:
    """A store that nobody has used: a folder, or the database, made anew."""
    if engine == "sqlite":
        return str(folder / f"groups-{name}")
    storing.sql(url, f"DROP DATABASE IF EXISTS {storing.DATABASE}")
    storing.sql(url, f"CREATE DATABASE {storing.DATABASE}")
    return f"{url.partition('?')[0].rpartition('/')[0]}/{storing.DATABASE}"


def group_cost(work: Work, place: Callable[[str], str]) -> dict[str, float]:
    """The line through three groups: of one record, of many records, of many tenants."""
    alone = work("groups", place("alone"), 1, 1)["seconds"]
    records = work("groups", place("records"), 1, RECORDS)["seconds"]
    tenants = work("groups", place("tenants"), TENANTS, 1)["seconds"]
    record = max(records - alone, 0.0) / (RECORDS - 1)
    tenant = max((tenants - alone) / (TENANTS - 1) - record, 0.0)
    return {"group": max(alone - record - tenant, 0.0), "record": record, "tenant": tenant}


def checks(program: pathlib.Path, folder: pathlib.Path) -> dict[str, float]:
    """Processor time of one more claim, and of a chunk that is indexed; both cores count."""
    place = folder / "checks"
    known = growing.write_corpus(place / "docs", CHUNKS)
    for name, claims in (("one.md", known[:1]), ("many.md", known)):
        (place / name).write_text("\n\n".join(claim for claim, _ in claims) + "\n", encoding="utf-8")
    check = lambda answer: cpu([program, "check", answer, "--against", "docs", "--format", "json", "--judge", "fast"], place)
    cold = check("one.md")
    one = statistics.median(check("one.md") for _ in range(3))
    many = statistics.median(check("many.md") for _ in range(3))
    return {
        "claim_cpu_seconds": (many - one) / (len(known) - 1),
        "chunk_index_cpu_seconds": (cold - one) / CHUNKS,
        "chunk_index_bytes": growing.weight(place / ".dalil") / CHUNKS,
    }


def cpu(command: list[pathlib.Path | str], folder: pathlib.Path) -> float:
    """Processor seconds of a run and of the processes that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    growing.timed(command, folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
