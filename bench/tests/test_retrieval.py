"""Retrieval: the corpus that is made, and what is counted."""

from __future__ import annotations

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import retrieving  # noqa: E402


class Retrieval(unittest.TestCase):
    def test_a_corpus_has_its_chunks_and_the_same_claims_each_time(self) -> None:
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            made = [retrieving.write_corpus(pathlib.Path(folder) / "docs", 450) for folder in (one, other)]
            self.assertEqual(made[0], made[1])
            texts = [path.read_text(encoding="utf-8") for path in sorted(pathlib.Path(one, "docs").iterdir())]
        self.assertEqual([text.count("\n\n") + 1 for text in texts], [100, 100, 100, 100, 50])
        self.assertEqual(len(made[0]), retrieving.CLAIMS)
        for claim, (name, chunk) in made[0][::4]:
            self.assertIn(claim, texts[int(name[10:16])].split("\n\n")[chunk])

    def test_what_is_missed_counts(self) -> None:
        exact = [[("a", 1), ("b", 2)], [("c", 3)], []]
        found = [[("b", 2), ("a", 1)], [("d", 4)], []]
        self.assertAlmostEqual(retrieving.recall(found, exact), 2 / 3)
        self.assertAlmostEqual(retrieving.first(found, exact), 1 / 3)
        self.assertAlmostEqual(retrieving.hits(found, [("x", ("a", 1)), ("y", ("c", 3)), ("z", ("e", 5))]), 1 / 3)
        self.assertEqual(retrieving.recall([], []), 0)

    def test_sizes_stand_side_by_side(self) -> None:
        side = {"p50": 0.01, "p99": 0.02, "open": 1.0, "index": 20.0, "bytes": 1 << 20, "peak_kb": 2048.0, "found": 1.0}
        measured = {"20000": {"files": side, "database": side | {"recall": 0.99, "first": 1.0}}}
        lines = retrieving.table(measured).splitlines()
        self.assertEqual(lines[0], "| chunks | 20,000 in files | 20,000 pgvector |")
        self.assertEqual(lines[2], "| candidates of the exact search |  | 99 % |")
        self.assertEqual(lines[5], "| one claim, median | 10 ms | 10 ms |")


if __name__ == "__main__":
    unittest.main()
