"""From unit costs to machines, money and sequencers: whole tables of a small load, and what is refused."""

from __future__ import annotations

import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import scaling  # noqa: E402

COSTS = {
    "claim_cpu_seconds": 0.1,
    "append_cpu_seconds": 0.0001,
    "record_bytes": 2_000.0,
    "chunk_index_bytes": 1_000.0,
    "chunk_index_cpu_seconds": 0.001,
    "fsck_cpu_seconds": 0.0001,
    "sqlite": {"group": 0.001, "record": 0.0001, "tenant": 0.001},
    "postgres": {"group": 0.002, "record": 0.0001, "tenant": 0.001},
}
OPTIONS = ["--tenants", "100", "--records-a-year", "1e8", "--answers-a-day", "1e6", "--claims-an-answer", "3"]


class Scale(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name) / "costs.json"

    def write(self, costs: dict) -> None:
        self.path.write_text(json.dumps({"costs": costs, "limits": {}}), encoding="utf-8")

    def test_tables_of_a_small_load(self) -> None:
        self.write(COSTS)
        costs, load = scaling.arguments([str(self.path), *OPTIONS], self.path)
        self.assertEqual("\n\n".join(scaling.text(costs, load, seconds=0.3).values()), TABLES)

    def test_costs_that_are_missing_are_refused(self) -> None:
        self.write({name: cost for name, cost in COSTS.items() if name != "record_bytes"})
        with self.assertRaises(SystemExit) as refused:
            scaling.arguments([str(self.path)], self.path)
        self.assertEqual(str(refused.exception), MISSING)

    def test_without_costs_there_is_nothing_to_scale(self) -> None:
        with self.assertRaises(SystemExit) as refused:
            scaling.arguments([], self.path)
        expected = "error: expected the file costs.json that `bench/run costs` writes, found none"
        self.assertEqual(str(refused.exception), expected)


MISSING = (
    "error: costs.json: expected the costs claim_cpu_seconds, append_cpu_seconds, record_bytes, chunk_index_bytes, chunk_index_cpu_seconds, fsck_cpu_seconds, sqlite, postgres"
    ", found claim_cpu_seconds, append_cpu_seconds, chunk_index_bytes, chunk_index_cpu_seconds, fsck_cpu_seconds, sqlite, postgres"
)
TABLES = """\
| Load | a second, mean | at the peak |
|---|---|---|
| records | 3 | 10 |
| answers | 12 | 35 |
| claims | 35 | 104 |
| records, if every answer is recorded | 46 | 139 |

| Work | cores at the peak, 60% busy | machines of 32 | on disk | US$ a month |
|---|---|---|---|---|
| judging claims | 17.4 | 1 |  | 570 |
| a year of those, in PostgreSQL |  |  | 2.7 TiB | 218 |
| the records of a year, in PostgreSQL |  |  | 186.3 GiB | 15 |
| checking a year of them (`fsck`) every week | 0.0 | 1 |  | 1 |
| appending, if every answer is recorded | 0.0 | 1 |  | 1 |
| indexes of all corpora |  |  | 1.9 GiB | 0 |
| their tiles, as objects |  |  | 3.2 GiB | 0 |
| appending the records | 0.0 | 1 |  | 0 |
| indexing all corpora once a month | 0.0 | 1 |  | 0 |

The dearest line is judging claims: 71% of US$ 805 a month.

| Most that sequencers commit, 4,000 clients | tenants | records a second | records in a group | p50 | p99 |
|---|---|---|---|---|---|
| SQLite, one server | 1 | 8,533 | 512.0 | 159.6 ms | 266.0 ms |
| SQLite, one server | 100 | 1,707 | 512.0 | 152.2 ms | 152.2 ms |
| PostgreSQL, one server | 1 | 8,533 | 512.0 | 162.6 ms | 271.0 ms |
| PostgreSQL, one server | 100 | 1,707 | 512.0 | 153.2 ms | 153.2 ms |
| PostgreSQL with 8 cores, 8 servers | 100 | 52,907 | 496.0 | 66.2 ms | 66.2 ms |
| PostgreSQL with 32 cores, 32 servers | 100 | 218,133 | 123.9 | 17.0 ms | 22.0 ms |

| The load on PostgreSQL | servers | requests go | records a second | records in a group | syncs a second | busy | refused | p50 | p99 |
|---|---|---|---|---|---|---|---|---|---|
| the records, mean | 1 |  | 3 | 1.0 | 3 | 1% | 0 | 3.1 ms | 3.1 ms |
| the records, peak | 1 |  | 10 | 1.0 | 10 | 3% | 0 | 3.1 ms | 3.1 ms |
| the records, ten times the peak | 1 |  | 95 | 1.0 | 80 | 26% | 0 | 3.1 ms | 5.9 ms |
| every answer recorded, mean | 8 | to their tenant's server | 46 | 1.0 | 50 | 2% | 0 | 3.1 ms | 5.6 ms |
| every answer recorded, peak | 32 | to their tenant's server | 139 | 1.0 | 127 | 1% | 0 | 3.1 ms | 3.1 ms |
| every answer recorded, peak | 32 | to any server | 139 | 1.0 | 143 | 1% | 0 | 3.1 ms | 6.0 ms |"""

if __name__ == "__main__":
    unittest.main()
