"""Tables that benchmarks write into documents."""

from __future__ import annotations

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import costing  # noqa: E402
import growing  # noqa: E402
import marking  # noqa: E402
import scaling  # noqa: E402

DOCS = pathlib.Path(__file__).resolve().parent.parent.parent / "docs"
LIMITS = {name: 1e-6 if scale == 1e6 else 1e9 for name, _, _, scale in costing.LIMITS}
COSTS = {
    "claim_cpu_seconds": 0.1,
    "append_cpu_seconds": 4e-5,
    "record_bytes": 2048.0,
    "chunk_index_bytes": 900.0,
    "chunk_index_cpu_seconds": 2e-4,
    "fsck_cpu_seconds": 8e-5,
    "sqlite": {"group": 3e-4, "record": 2e-5, "tenant": 1e-4},
    "postgres": {"group": 4e-4, "record": 3e-5, "tenant": 2e-4},
}


class Documents(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.page = pathlib.Path(self.folder.name) / "page.md"

    def test_a_table_takes_the_place_of_the_one_before(self) -> None:
        self.page.write_text("a\n<!-- x -->\nold\n<!-- end -->\nb\n<!-- y -->\n<!-- end -->\n", encoding="utf-8")
        marking.put(self.page, "x", "| \\1 |")
        marking.put(self.page, "y", "new")
        marking.put(self.page, "y", "newer")
        expected = "a\n<!-- x -->\n| \\1 |\n<!-- end -->\nb\n<!-- y -->\nnewer\n<!-- end -->\n"
        self.assertEqual(self.page.read_text(encoding="utf-8"), expected)

    def test_a_page_without_the_place_is_refused(self) -> None:
        self.page.write_text("<!-- x -->\n", encoding="utf-8")
        with self.assertRaises(SystemExit) as refused:
            marking.put(self.page, "x", "new")
        self.assertEqual(str(refused.exception), "error: page.md: expected `<!-- x -->` and `<!-- end -->` once")

    def test_every_table_has_its_place(self) -> None:
        pages = {page: (DOCS / page).read_text(encoding="utf-8") for page in ("performance.md", "scale.md")}
        names = [f"bench/run growth {kind}" for kind in growing.KINDS] + ["bench/run costs: limits", "bench/run costs: costs"]
        self.assertEqual([name for name in names if f"<!-- {name} -->\n" not in pages["performance.md"]], [])
        names = [f"bench/run scale: {name}" for name in ("load", "machines", "most", "under")]
        self.assertEqual([name for name in names if f"<!-- {name} -->\n" not in pages["scale.md"]], [])

    def test_costs_stand_beside_their_limits(self) -> None:
        self.assertEqual(costing.limit_table(LIMITS), LIMIT_TABLE)
        self.assertEqual(costing.cost_table(COSTS, LIMITS), COST_TABLE)

    def test_what_is_measured_is_what_scale_reads(self) -> None:
        self.assertEqual(sorted(COSTS), sorted(field.name for field in scaling.dataclasses.fields(scaling.Costs)))


LIMIT_TABLE = """\
| Limit of the machine | measured |
|---|---|
| SHA-256 of 64 MiB, one core | 1,000 MB/s |
| SHA-256 of a leaf of 1 KiB | 1 µs |
| SHA-256 of a node of the tree | 1 µs |
| an Ed25519 signature | 1 µs |
| checking one | 1 µs |
| 4 KiB at the end of a file, synced | 1 µs |
| copying 64 MiB, one core | 1 GB/s |
| the same into memory that is new | 1 GB/s |
| products of 8-bit integers by the kernel, one core | 1 billion/s |
| the same on two | 1 billion/s |"""
COST_TABLE = """\
| One | costs | its limit | cost over limit |
|---|---|---|---|
| record in a group: processor time | 40.0 µs | two hashes of 1 KiB and two nodes: 4.0 µs | 10.0× |
| small record checked by `fsck`: processor time | 80.0 µs | four nodes: 4.0 µs | 20.0× |
| group on SQLite: time | 300.0 µs | a sync: 1.0 µs | 300.0× |
| one more record in it, on SQLite: time | 20.0 µs | two hashes of 1 KiB and two nodes: 4.0 µs | 5.0× |
| one more tenant in it, on SQLite: time | 100.0 µs | a signature: 1.0 µs | 100.0× |
| group on PostgreSQL: time | 400.0 µs | a sync: 1.0 µs | 400.0× |
| one more record in it, on PostgreSQL: time | 30.0 µs | two hashes of 1 KiB and two nodes: 4.0 µs | 7.5× |
| one more tenant in it, on PostgreSQL: time | 200.0 µs | a signature: 1.0 µs | 200.0× |
| claim checked by the fast judge: processor time | 100.0 ms | | |
| chunk read and indexed: processor time | 200.0 µs | | |
| record of 1 KiB on disk | 2,048 B | its payload: 1,024 B | 2.0× |
| chunk in the index | 900 B | | |"""

if __name__ == "__main__":
    unittest.main()
