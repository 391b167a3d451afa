"""Two builds side by side: what is compared, and what is told as worse."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import table  # noqa: E402

MEASURED = {
    "records": {
        "before": {"rule": 2.0, "whole": 0.010, "gone": 1.0, "cpu": 1.0, "peak_kb": 10_240},
        "now": {"rule": 2.1, "whole": 0.0106, "new": 1.0, "cpu": 9.0, "peak_kb": 20_480},
    },
    "verify": {
        "before": {"hash": 1e-5, "bytes": 1.0, "ratio": 1.0, "peak_kb": 1_024},
        "now": {"hash": 5e-6, "bytes": 9.0, "ratio": 9.0, "peak_kb": 1_024},
    },
}


class Compared(unittest.TestCase):
    def test_each_step_that_both_builds_measure_has_a_row(self):
        self.assertEqual(
            table.compared(MEASURED).splitlines(),
            [
                "| Task | step | before | now | now over before |",
                "|---|---|---|---|---|",
                "| records | `rule` | 2.00 s | 2.10 s | 1.05× |",
                "| records | `whole` | 10.00 ms | 10.60 ms | 1.06× |",
                "| verify | `hash` | 10.0 µs | 5.0 µs | 0.50× |",
                "| records | peak memory | 10 MiB | 20 MiB | 2.00× |",
                "| verify | peak memory | 1 MiB | 1 MiB | 1.00× |",
            ],
        )

    def test_a_twentieth_is_allowed_and_more_is_worse(self):
        self.assertEqual(table.worse(MEASURED), ["records `whole`"])


if __name__ == "__main__":
    unittest.main()
