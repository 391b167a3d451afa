"""The simulation of the sequencers: what can be worked out by hand, and whole outcomes of small runs."""

from __future__ import annotations

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from sequencer import GroupCost, Outcome, Setup, closed_loop, open_loop  # noqa: E402

COST = GroupCost(group=0.004, record=0.001, tenant=0.003)


def told(outcome: Outcome) -> str:
    """An outcome in one line, times in whole milliseconds."""
    delays = "/".join(f"{outcome.delay(part) * 1e3:.0f}" for part in (50, 99))
    return (
        f"asked {outcome.asked} refused {outcome.refused} answered {outcome.answered} waiting {outcome.waiting} "
        f"groups {outcome.groups} tenants {outcome.tenants_in_groups} busy {outcome.busy_seconds:.3f} "
        f"queue {outcome.longest_queue} ms {delays}"
    )


class WorkedOutByHand(unittest.TestCase):
    def test_one_client_has_every_group_for_itself(self) -> None:
        outcome = closed_loop(COST, Setup(servers=1, database_cores=1, tenants=1), clients=1, seconds=0.0801)
        # A group of one record takes 8 ms, so there are ten.
        self.assertEqual(
            told(outcome), "asked 11 refused 0 answered 10 waiting 1 groups 10 tenants 10 busy 0.088 queue 1 ms 8/8"
        )

    def test_clients_who_wait_share_a_group(self) -> None:
        outcome = closed_loop(COST, Setup(servers=1, database_cores=1, tenants=1), clients=93, seconds=1.0001)
        # 93 records of one tenant take 100 ms.
        self.assertEqual(
            told(outcome),
            "asked 1023 refused 0 answered 930 waiting 93 groups 10 tenants 10 busy 1.100 queue 93 ms 100/100",
        )

    def test_a_group_has_at_most_512_records(self) -> None:
        outcome = closed_loop(COST, Setup(servers=1, database_cores=1, tenants=1), clients=600, seconds=0.5191)
        self.assertEqual(
            told(outcome),
            "asked 1112 refused 0 answered 512 waiting 600 groups 1 tenants 1 busy 1.038 queue 600 ms 519/519",
        )

    def test_each_tenant_in_a_group_costs_its_checkpoint(self) -> None:
        outcome = closed_loop(COST, Setup(servers=1, database_cores=1, tenants=24), clients=24, seconds=0.1001)
        # 4 + 24 + 72 ms.
        self.assertEqual(
            told(outcome), "asked 48 refused 0 answered 24 waiting 24 groups 1 tenants 24 busy 0.200 queue 24 ms 100/100"
        )

    def test_a_queue_that_is_full_refuses(self) -> None:
        slow = GroupCost(group=100.0, record=0.0, tenant=0.0)
        outcome = open_loop(slow, Setup(servers=1, database_cores=1, tenants=1), rate=10_000, seconds=1.0)
        self.assertEqual(outcome.refused, outcome.asked - outcome.waiting)
        self.assertEqual(outcome.longest_queue, 4096)

    def test_servers_wait_for_a_tenant_and_for_a_core(self) -> None:
        cases = {
            # One tenant: its lock lets one group through at a time, whatever the cores.
            (1, 2): "asked 26 refused 0 answered 23 waiting 3 groups 20 tenants 20 busy 0.171 queue 2 ms 17/32",
            # Many tenants and one core: groups of several tenants wait for it.
            (1000, 1): "asked 26 refused 0 answered 22 waiting 4 groups 19 tenants 22 busy 0.180 queue 3 ms 19/33",
            (1000, 2): "asked 26 refused 0 answered 26 waiting 0 groups 25 tenants 26 busy 0.204 queue 2 ms 8/16",
        }
        for (tenants, cores), expected in cases.items():
            setup = Setup(servers=2, database_cores=cores, tenants=tenants, skew=0.0, is_tenant_pinned=False)
            with self.subTest(tenants=tenants, cores=cores):
                self.assertEqual(told(open_loop(COST, setup, rate=130, seconds=0.2)), expected)


class Laws(unittest.TestCase):
    def test_equal_seeds_give_equal_outcomes(self) -> None:
        setup = Setup(servers=3, database_cores=2, tenants=50, is_tenant_pinned=False)
        first, second, other = (open_loop(COST, setup, rate=300, seconds=2.0, seed=seed) for seed in (5, 5, 6))
        self.assertEqual(first, second)
        self.assertNotEqual(first.delays, other.delays)

    def test_nothing_is_lost_and_no_lock_is_left(self) -> None:
        for pinned in (True, False):
            setup = Setup(servers=4, database_cores=2, tenants=30, is_tenant_pinned=pinned)
            for rate in (10, 200, 5_000):
                outcome = open_loop(COST, setup, rate=rate, seconds=3.0)
                with self.subTest(pinned=pinned, rate=rate):
                    self.assertEqual(outcome.asked, outcome.answered + outcome.refused + outcome.waiting)
                    self.assertLessEqual(outcome.busy_seconds, 3.0 * 2 + COST.of(512, 30) * 2)
                    self.assertGreater(outcome.answered, 0)


if __name__ == "__main__":
    unittest.main()
