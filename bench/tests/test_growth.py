"""Plots and tables of growth: whole outputs for small figures."""

from __future__ import annotations

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import growing  # noqa: E402
from plotting import Panel, nice, svg  # noqa: E402

TENANTS = {
    "1": {"create_seconds": 0.004, "append_seconds": 0.0005, "fsck_seconds": 0.01},
    "10": {"create_seconds": 0.004, "append_seconds": 0.0004, "fsck_seconds": 0.03},
}


class Plots(unittest.TestCase):
    def test_a_panel_is_drawn_from_zero_on_a_logarithmic_scale(self) -> None:
        self.assertEqual(svg([Panel("`a` < b", "µs", ((1_000, 30.0), (10_000, 40.0), (1_000_000, 45.0)))]), PLOT)

    def test_one_size_stands_in_the_middle_and_nothing_is_nothing(self) -> None:
        for value, place in ((1.0, 'cx="172.0" cy="34.0"'), (0.0, 'cx="172.0" cy="164.0"')):
            self.assertIn(f"<circle {place}", svg([Panel("a", "", ((10, value),))]))

    def test_panels_stand_three_in_a_row(self) -> None:
        places = [line.split('"')[1] for line in svg([Panel("a", "", ((1, 1.0),))] * 4).splitlines()[1:-1]]
        self.assertEqual(places, ["translate(0 0)", "translate(300 0)", "translate(600 0)", "translate(0 190)"])

    def test_scales_end_at_round_numbers(self) -> None:
        found = [nice(most) for most in (0, 0.03, 1, 1.1, 2, 4.5, 7, 99, 100)]
        self.assertEqual([f"{one:g}" for one in found], ["1", "0.05", "1", "2", "2", "5", "10", "100", "100"])


class Tables(unittest.TestCase):
    def test_what_grows_faster_than_the_size_is_marked(self) -> None:
        self.assertEqual(growing.table("tenants", TENANTS), TABLE)

    def test_figures_of_other_runs_stay(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            into = pathlib.Path(name)
            growing.write({"tenants": TENANTS}, into)
            self.assertEqual(growing.read(into / "growth.json"), {"tenants": TENANTS})
            self.assertEqual(sorted(path.name for path in into.iterdir()), ["growth.json", "tenants.svg"])
            self.assertEqual((into / "tenants.svg").read_text(encoding="utf-8"), growing.plot("tenants", TENANTS))

    def test_a_kind_that_is_not_known_is_refused(self) -> None:
        with self.assertRaises(SystemExit) as refused:
            growing.measure(None, None, ["tenant"], pathlib.Path("nowhere"))
        expected = "error: expected kinds among corpora, trails, ledgers, tenants, found tenant"
        self.assertEqual(str(refused.exception), expected)


class Corpora(unittest.TestCase):
    def test_a_corpus_has_so_many_paragraphs_and_every_fact_in_its_file(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name) / "docs"
            known = growing.write_corpus(folder, 450)
            texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())}
            self.assertEqual({name: text.count("\n\n") + 1 for name, text in texts.items()}, {
                "agreement-00000.txt": 200, "agreement-00001.txt": 200, "agreement-00002.txt": 50,
            })
            self.assertTrue(known)
            for fact, name in known:
                self.assertEqual([other for other, text in texts.items() if fact in text], [name])


TABLE = """\
| tenants | 1 | 10 | grows with |
|---|---|---|---|
| creating one | 4 ms | 4 ms | n^1.00 |
| appending to all at once, each | 500 µs | 400 µs | n^0.90 |
| one receipt |  |  |  |
| opening the store |  |  |  |
| peak memory of opening |  |  |  |
| `fsck`, each tenant | 10 ms | 30 ms | n^1.48 (!) |"""
PLOT = """\
<svg xmlns="http://www.w3.org/2000/svg" width="300" height="190" viewBox="0 0 300 190" font-family="sans-serif" font-size="10">
<g transform="translate(0 0)"><text x="58" y="16" fill="#6e7781" font-size="11">`a` &lt; b</text><path d="M58 164.0H286" stroke="#8c959f55"/><text x="53" y="167.0" fill="#6e7781" text-anchor="end">0 µs</text><path d="M58 99.0H286" stroke="#8c959f55"/><text x="53" y="102.0" fill="#6e7781" text-anchor="end">25 µs</text><path d="M58 34.0H286" stroke="#8c959f55"/><text x="53" y="37.0" fill="#6e7781" text-anchor="end">50 µs</text><text x="58.0" y="181" fill="#6e7781" text-anchor="middle">1k</text><text x="134.0" y="181" fill="#6e7781" text-anchor="middle">10k</text><text x="286.0" y="181" fill="#6e7781" text-anchor="middle">1M</text><path d="M58.0 86.0L134.0 60.0L286.0 47.0" fill="none" stroke="#1f6feb" stroke-width="1.5"/><circle cx="58.0" cy="86.0" r="2.5" fill="#1f6feb"><title>1k: 30 µs</title></circle><circle cx="134.0" cy="60.0" r="2.5" fill="#1f6feb"><title>10k: 40 µs</title></circle><circle cx="286.0" cy="47.0" r="2.5" fill="#1f6feb"><title>1M: 45 µs</title></circle></g>
</svg>
"""

if __name__ == "__main__":
    unittest.main()
