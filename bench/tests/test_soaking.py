"""How long a soak goes on, and when memory is flat."""

from __future__ import annotations

import pathlib
import sys
import unittest
from collections import Counter

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import soaking

PERIOD, SECONDS = 6.0, 120.0
START = 150 * 1024


def taken(size) -> tuple[int, bool]:
    """How many samples are taken of memory that has this size at each, and whether it was flat."""
    samples: list[tuple[float, int]] = []
    while soaking.goes_on(samples, PERIOD, SECONDS):
        n = len(samples)
        samples.append(((n + 1) * PERIOD, size(n)))
    return len(samples), soaking.verdict(samples, Counter(), 0)[1]


class SoakTest(unittest.TestCase):
    def test_memory_that_stays_ends_with_the_run(self) -> None:
        self.assertEqual(taken(lambda n: START), (20, True))

    def test_a_dip_after_the_warm_up_is_no_growth_when_the_run_goes_on(self) -> None:
        # In kB; within the first run alone they rise by 9.2 MiB.
        sizes = [151, 155, 151, 149, 147, 146, 148, 146, 147, 148, 150, 152, 155, 155, 156, 157, 157, 156, 157, 158]
        count, is_flat = taken(lambda n: (sizes[n] if n < len(sizes) else 156) * 1024)
        self.assertTrue(is_flat)
        self.assertGreater(count, 20)
        self.assertLess(count, 60)

    def test_memory_that_grows_is_not_flat_however_long_it_is_watched(self) -> None:
        self.assertEqual(taken(lambda n: START + n * 700), (60, False))
        self.assertEqual(taken(lambda n: START + n * 20_000), (60, False))


if __name__ == "__main__":
    unittest.main()
