"""What the task `paint` fills a trail with, and when it fails."""

from __future__ import annotations

import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import painting  # noqa: E402


class Painting(unittest.TestCase):
    def test_a_trail_has_as_many_obligations_as_were_asked_for(self) -> None:
        lines = [json.loads(line)["request"] for line in painting.packages(1_001)]
        self.assertEqual([len(one["obligations"]) for one in lines], [500, 500, 1])
        names = [each["obligation_id"] for one in lines for each in one["obligations"]]
        self.assertEqual(len(set(names)), 1_001)
        for one in lines:
            self.assertEqual({each["obligation_id"] for each in one["obligations"]}, set(one["verifications"]))

    def test_a_slow_or_a_large_page_fails(self) -> None:
        fast = {"paint": [200.0, 250.0, 900.0], "reply": [20.0], "page": 299_000, "all": 400_000}
        for found, held in ((fast, True), ({**fast, "paint": [301.0]}, False), ({**fast, "page": 300_001}, False)):
            said, kept = painting.table([("a page", found)], 10, 10)
            self.assertEqual(kept, held)
            self.assertIn("| a page |", said)
