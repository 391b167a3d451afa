"""A discrete-event simulation of the sequencers of a store: groups, queues, tenants' locks, the database's cores.

A server has one sequencer (`crates/dalil-store/src/sequencer.rs`). It takes what waits, at most 512 records, and
commits it as one group: one transaction, one sync, one signed checkpoint for each tenant in it. On PostgreSQL a
group holds the locks of its tenants, taken in the order of their names, from its first statement to its commit.
The same seed gives the same outcome.
"""

from __future__ import annotations

import bisect
import heapq
import itertools
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

MAX_GROUP_RECORDS = 512
MAX_QUEUE_ENTRIES = 4096


@dataclass(frozen=True)
class GroupCost:
    """Seconds that a group takes: its own with the sync, and more for each record and each tenant in it."""

    group: float
    record: float
    tenant: float

    def of(self, records: int, tenants: int) -> float:
        return self.group + records * self.record + tenants * self.tenant


@dataclass(frozen=True)
class Setup:
    """Servers over one database, and how requests reach them."""

    servers: int
    database_cores: int
    tenants: int
    # The share of a tenant falls with its rank to this power; 0 makes all alike.
    skew: float = 1.0
    # Whether a balancer sends every request of a tenant to one server.
    is_tenant_pinned: bool = True


@dataclass
class Outcome:
    """What was asked, and what became of it."""

    asked: int = 0
    refused: int = 0
    waiting: int = 0
    groups: int = 0
    tenants_in_groups: int = 0
    busy_seconds: float = 0.0
    longest_queue: int = 0
    seconds: float = 0.0
    delays: list[float] = field(default_factory=list)

    @property
    def answered(self) -> int:
        return len(self.delays)

    def delay(self, hundredth: int) -> float:
        """Within which so many hundredths of the answers came."""
        ordered = sorted(self.delays)
        return ordered[min(len(ordered) * hundredth // 100, len(ordered) - 1)] if ordered else float("nan")


def open_loop(cost: GroupCost, setup: Setup, rate: float, seconds: float, seed: int = 1) -> Outcome:
    """Requests that come whether or not others were answered, `rate` a second, one record each."""
    run = _Run(cost, setup, seed)

    def arrive() -> None:
        run.ask(run.random_tenant(), None)
        run.after(run.rng.expovariate(rate), arrive)

    run.after(run.rng.expovariate(rate), arrive)
    return run.until(seconds)


def closed_loop(cost: GroupCost, setup: Setup, clients: int, seconds: float, seed: int = 1) -> Outcome:
    """Clients that ask, wait for the answer, and ask again, each for a tenant of its own while there are enough."""
    run = _Run(cost, setup, seed)

    def client(tenant: int) -> Callable[[], None]:
        return lambda: run.ask(tenant, client(tenant))

    for n in range(clients):
        run.after(0.0, client(n % setup.tenants))
    return run.until(seconds)


@dataclass
class _Group:
    server: int
    entries: list[tuple[float, int, Callable[[], None] | None]]
    tenants: list[int]
    locked: int = 0


class _Run:
    def __init__(self, cost: GroupCost, setup: Setup, seed: int) -> None:
        self.cost, self.setup, self.rng = cost, setup, random.Random(seed)
        self.now, self.order, self.events = 0.0, itertools.count(), []
        self.queues = [deque() for _ in range(setup.servers)]
        self.is_idle = [True] * setup.servers
        self.lock_waiters: dict[int, deque[_Group]] = {}
        self.free_cores, self.core_waiters = setup.database_cores, deque()
        self.shares = list(itertools.accumulate(1 / rank**setup.skew for rank in range(1, setup.tenants + 1)))
        self.outcome = Outcome()

    def until(self, seconds: float) -> Outcome:
        while self.events and self.events[0][0] <= seconds:
            self.now, _, event = heapq.heappop(self.events)
            event()
        self.outcome.seconds = seconds
        self.outcome.waiting = self.outcome.asked - self.outcome.refused - self.outcome.answered
        return self.outcome

    def after(self, delay: float, event: Callable[[], None]) -> None:
        heapq.heappush(self.events, (self.now + delay, next(self.order), event))

    def random_tenant(self) -> int:
        return bisect.bisect(self.shares, self.rng.random() * self.shares[-1])

    def ask(self, tenant: int, then: Callable[[], None] | None) -> None:
        """An entry of one record reaches the queue of a server, or finds it full."""
        setup, outcome = self.setup, self.outcome
        server = tenant % setup.servers if setup.is_tenant_pinned else self.rng.randrange(setup.servers)
        queue = self.queues[server]
        outcome.asked += 1
        if len(queue) >= MAX_QUEUE_ENTRIES:
            outcome.refused += 1
            return
        queue.append((self.now, tenant, then))
        outcome.longest_queue = max(outcome.longest_queue, len(queue))
        if self.is_idle[server]:
            self.is_idle[server] = False
            # Whoever asks in the same moment is in the group: the sequencer gives them one turn of the scheduler.
            self.after(0.0, lambda: self.begin(server))

    def begin(self, server: int) -> None:
        """Takes a group from the queue, and goes for its first lock."""
        queue = self.queues[server]
        entries = [queue.popleft() for _ in range(min(len(queue), MAX_GROUP_RECORDS))]
        self.lock(_Group(server, entries, sorted({tenant for _, tenant, _ in entries})))

    def lock(self, group: _Group) -> None:
        """Takes the locks that are free, in order, and waits at the first that is not."""
        while group.locked < len(group.tenants):
            tenant = group.tenants[group.locked]
            if tenant in self.lock_waiters:
                self.lock_waiters[tenant].append(group)
                return
            self.lock_waiters[tenant] = deque()
            group.locked += 1
        if self.free_cores:
            self.free_cores -= 1
            self.work(group)
        else:
            self.core_waiters.append(group)

    def work(self, group: _Group) -> None:
        seconds = self.cost.of(len(group.entries), len(group.tenants))
        self.outcome.busy_seconds += seconds
        self.after(seconds, lambda: self.commit(group))

    def commit(self, group: _Group) -> None:
        """Answers the group, and passes on its locks, its core and its server."""
        outcome = self.outcome
        outcome.groups += 1
        outcome.tenants_in_groups += len(group.tenants)
        for asked, _, then in group.entries:
            outcome.delays.append(self.now - asked)
            if then is not None:
                self.after(0.0, then)
        if self.core_waiters:
            self.work(self.core_waiters.popleft())
        else:
            self.free_cores += 1
        for tenant in group.tenants:
            waiters = self.lock_waiters.pop(tenant)
            if waiters:
                following = waiters.popleft()
                self.lock_waiters[tenant] = waiters
                following.locked += 1
                self.lock(following)
        # After clients that were answered have asked again.
        self.after(0.0, lambda: self.next(group.server))

    def next(self, server: int) -> None:
        if self.queues[server]:
            self.begin(server)
        else:
            self.is_idle[server] = True
