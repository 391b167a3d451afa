"""How long a soak goes on, and when memory is flat."""

from __future__ import annotations

import pathlib
import sys
import unittest
from collections.abc import Callable

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import soaking  # noqa: E402

COUNT, PERIOD = 20, 6.0
# In MiB: a run that dips when the warm-up is over.
DIPPING = [151, 155, 151, 149, 147, 146, 148, 146, 147, 148, 150, 152, 155, 155, 156, 157, 157, 156, 157, 158]


def taken(size: Callable[[int], float]) -> tuple[int, bool]:
    """How many samples are taken of memory that has this size in MiB at each, and whether it was flat."""
    samples: list[tuple[float, int]] = []
    while soaking.goes_on(samples, COUNT):
        n = len(samples)
        samples.append(((n + 1) * PERIOD, int(size(n) * 1024)))
    return len(samples), soaking.is_flat(samples)


class Soaks(unittest.TestCase):
    def test_memory_that_stays_ends_with_the_run(self) -> None:
        self.assertEqual(taken(lambda n: 150), (20, True))

    def test_a_dip_after_the_warm_up_is_no_growth_when_the_run_goes_on(self) -> None:
        first = [((n + 1) * PERIOD, size * 1024) for n, size in enumerate(DIPPING)]
        self.assertFalse(soaking.is_flat(first))
        self.assertEqual(taken(lambda n: DIPPING[n] if n < COUNT else 156), (60, True))

    def test_memory_that_grows_is_not_flat_however_long_it_is_watched(self) -> None:
        # A little more than a run may grow, and a dip in it just before each end.
        for dip in (0, 2):
            self.assertEqual(taken(lambda n, dip=dip: 150 + 0.65 * n - dip * (n % COUNT == COUNT - 1)), (60, False))

    def test_the_rise_is_that_of_the_line_after_the_warm_up(self) -> None:
        steady = [(float(n), 1_000_000 + (n >= 5) * n * 100) for n in range(20)]
        growth, allowed = soaking.rise(steady)
        self.assertAlmostEqual(growth, 1_400.0)
        self.assertAlmostEqual(allowed, (1_000_000 + 1_200) * 0.05)


if __name__ == "__main__":
    unittest.main()
