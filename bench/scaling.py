"""Takes measured unit costs to a load past these machines: machines, money, and the sequencers under that load.

    bench/run scale [COSTS] [--NAME VALUE …]

COSTS is the file that `bench/run costs` writes (docs/performance/costs.json). Every line of the load and of the
prices is an option: `--tenants 100`, `--answers-a-day 1e6`, `--core-hour 0.03`.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import pathlib
from dataclasses import dataclass

import marking
from sequencer import GroupCost, Outcome, Setup, closed_loop, open_loop

DAY, YEAR, MONTH_HOURS = 86_400.0, 365 * 86_400.0, 730.0
GIB = float(1 << 30)
# Of the trail's tree, for each record: a tile has 256 hashes and the roots over each 16, and one in 256 is above it.
TILE_BYTES = 32 * (256 + 16) / 255


@dataclass(frozen=True)
class Costs:
    """What one of each thing costs, as it was measured."""

    claim_cpu_seconds: float
    append_cpu_seconds: float
    record_bytes: float
    chunk_index_bytes: float
    chunk_index_cpu_seconds: float
    fsck_cpu_seconds: float
    sqlite: GroupCost
    postgres: GroupCost

    @staticmethod
    def read(path: pathlib.Path) -> Costs:
        """Reads the file of `bench/run costs`; a cost that is missing, or none, is refused."""
        if not path.exists():
            raise SystemExit(f"error: expected the file {path.name} that `bench/run costs` writes, found none")
        given = json.loads(path.read_text(encoding="utf-8"))["costs"]
        names = [field.name for field in dataclasses.fields(Costs)]
        if sorted(given) != sorted(names):
            raise SystemExit(f"error: {path.name}: expected the costs {', '.join(names)}, found {', '.join(given)}")
        engines = {name: GroupCost(**given.pop(name)) for name in ("sqlite", "postgres")}
        return Costs(**given, **engines)


@dataclass(frozen=True)
class Load:
    """What is asked of the service, and the assumptions behind it."""

    tenants: int = 10_000
    records_a_year: float = 1e9
    answers_a_day: float = 1e8
    # Assumptions: nothing measured says them.
    claims_an_answer: float = 4.0
    peak: float = 3.0
    records_a_recorded_answer: float = 4.0
    chunks_a_tenant: float = 20_000.0
    payload_bytes: float = 1024.0
    cores_a_machine: int = 32
    busy_share: float = 0.6
    days_between_fscks: float = 7.0
    # US dollars: list prices of a large cloud in 2026, rounded. Put in your own.
    core_hour: float = 0.045
    disk_gib_month: float = 0.08
    object_gib_month: float = 0.023


def text(costs: Costs, load: Load, seconds: float = 20.0) -> dict[str, str]:
    """Every table of docs/scale.md, by name."""
    most, under = sequencer_tables(costs, load, seconds)
    return {"load": load_table(load), "machines": machine_table(costs, load), "most": most, "under": under}


def load_table(load: Load) -> str:
    rows = (
        ("records", load.records_a_year / YEAR),
        ("answers", load.answers_a_day / DAY),
        ("claims", load.answers_a_day * load.claims_an_answer / DAY),
        ("records, if every answer is recorded", recorded_rate(load)),
    )
    lines = ["| Load | a second, mean | at the peak |", "|---|---|---|"]
    return "\n".join(lines + [f"| {name} | {rate:,.0f} | {rate * load.peak:,.0f} |" for name, rate in rows])


def recorded_rate(load: Load) -> float:
    """Records a second, if a session, its check and its ledger are recorded for every answer."""
    return load.answers_a_day / DAY * load.records_a_recorded_answer


def machine_table(costs: Costs, load: Load) -> str:
    """Cores at the peak with room to spare, machines, bytes, and dollars a month, the dearest first."""
    records, recorded = load.records_a_year, recorded_rate(load) * YEAR
    chunks = load.tenants * load.chunks_a_tenant
    claims = load.answers_a_day * load.claims_an_answer / DAY
    fsck = costs.fsck_cpu_seconds / (load.days_between_fscks * DAY)
    rows = [
        row(load, "judging claims", cores=claims * load.peak * costs.claim_cpu_seconds),
        row(load, "appending the records", cores=records / YEAR * load.peak * costs.append_cpu_seconds),
        row(load, "the records of a year, in PostgreSQL", disk=records * costs.record_bytes),
        row(load, "their tiles, as objects", objects=records * TILE_BYTES),
        row(load, "checking a year of them (`fsck`) every week", cores=records * fsck),
        row(load, "appending, if every answer is recorded", cores=recorded / YEAR * load.peak * costs.append_cpu_seconds),
        row(load, "a year of those, in PostgreSQL", disk=recorded * costs.record_bytes),
        row(load, "indexes of all corpora", disk=chunks * costs.chunk_index_bytes),
        row(load, "indexing all corpora once a month", cores=chunks * costs.chunk_index_cpu_seconds / (30 * DAY)),
    ]
    rows.sort(key=lambda one: -one[0])
    whole, (dearest, line) = sum(price for price, _ in rows), rows[0]
    told = f"The dearest line is {line.split(' | ')[0].lstrip('| ')}: {dearest / whole:.0%} of US$ {whole:,.0f} a month."
    head = f"| Work | cores at the peak, {load.busy_share:.0%} busy | machines of {load.cores_a_machine} | on disk | US$ a month |"
    return "\n".join([head, "|---|---|---|---|---|", *(line for _, line in rows), "", told])


def row(load: Load, name: str, cores: float = 0.0, disk: float = 0.0, objects: float = 0.0) -> tuple[float, str]:
    needed = cores / load.busy_share
    price = needed * load.core_hour * MONTH_HOURS
    price += disk / GIB * load.disk_gib_month + objects / GIB * load.object_gib_month
    machines = f"{max(1, round(needed / load.cores_a_machine + 0.499)):,}" if cores else ""
    held = size(disk + objects) if disk + objects else ""
    return price, f"| {name} | {f'{needed:,.1f}' if cores else ''} | {machines} | {held} | {price:,.0f} |"


def size(count: float) -> str:
    for unit, scale in (("TiB", 1 << 40), ("GiB", 1 << 30)):
        if count >= scale:
            return f"{count / scale:,.1f} {unit}"
    return f"{count / (1 << 20):,.1f} MiB"


def sequencer_tables(costs: Costs, load: Load, seconds: float) -> tuple[str, str]:
    """What one sequencer can do at most, and how the load fares."""
    most = ["| Most that sequencers commit, 4,000 clients | tenants | records a second | records in a group | p50 | p99 |", "|---" * 6 + "|"]
    few, many = 1, load.tenants
    for name, cost, servers, cores, tenants in (
        ("SQLite, one server", costs.sqlite, 1, 1, few),
        ("SQLite, one server", costs.sqlite, 1, 1, many),
        ("PostgreSQL, one server", costs.postgres, 1, 1, few),
        ("PostgreSQL, one server", costs.postgres, 1, 1, many),
        ("PostgreSQL with 8 cores, 8 servers", costs.postgres, 8, 8, many),
        ("PostgreSQL with 32 cores, 32 servers", costs.postgres, 32, 32, many),
    ):
        outcome = closed_loop(cost, Setup(servers, cores, tenants), clients=4_000, seconds=seconds)
        most.append(f"| {name} | {tenants:,} | {outcome.answered / seconds:,.0f} | {in_group(outcome)} | {delays(outcome)} |")
    under = ["| The load on PostgreSQL | servers | requests go | records a second | records in a group | syncs a second | busy | refused | p50 | p99 |", "|---" * 10 + "|"]
    mean, all_recorded = load.records_a_year / YEAR, recorded_rate(load)
    for name, rate, servers, pinned in (
        ("the records, mean", mean, 1, True),
        ("the records, peak", mean * load.peak, 1, True),
        ("the records, ten times the peak", mean * load.peak * 10, 1, True),
        ("every answer recorded, mean", all_recorded, 8, True),
        ("every answer recorded, peak", all_recorded * load.peak, 32, True),
        ("every answer recorded, peak", all_recorded * load.peak, 32, False),
    ):
        setup = Setup(servers, servers, load.tenants, is_tenant_pinned=pinned)
        outcome = open_loop(costs.postgres, setup, rate, seconds)
        where = "to any server" if not pinned else "to their tenant's server" if servers > 1 else ""
        busy = outcome.busy_seconds / (seconds * servers)
        under.append(
            f"| {name} | {servers} | {where} | {rate:,.0f} | {in_group(outcome)} | {outcome.groups / seconds:,.0f} "
            f"| {busy:.0%} | {outcome.refused:,} | {delays(outcome)} |"
        )
    return "\n".join(most), "\n".join(under)


def in_group(outcome: Outcome) -> str:
    return f"{outcome.answered / max(outcome.groups, 1):,.1f}"


def delays(outcome: Outcome) -> str:
    return " | ".join(f"{outcome.delay(part) * 1e3:,.1f} ms" for part in (50, 99))


def run(names: list[str], costs: pathlib.Path, document: pathlib.Path) -> str:
    """The tables; those of the page's own load also go into the page."""
    costs_read, load = arguments(names, costs)
    tables = text(costs_read, load)
    if not names:
        for name, table in tables.items():
            marking.put(document, f"bench/run scale: {name}", table)
    return "\n\n".join(tables.values())


def arguments(names: list[str], costs: pathlib.Path) -> tuple[Costs, Load]:
    parser = argparse.ArgumentParser(prog="bench/run scale")
    parser.add_argument("costs", nargs="?", type=pathlib.Path, default=costs)
    for field in dataclasses.fields(Load):
        # A count may be written as 1e9.
        kind = (lambda word: int(float(word))) if isinstance(field.default, int) else float
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=kind, default=field.default)
    given = vars(parser.parse_args(names))
    return Costs.read(given.pop("costs")), Load(**given)
