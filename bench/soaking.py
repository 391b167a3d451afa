"""A server under constant mixed load: does its memory stay flat?"""

from __future__ import annotations

import json
import pathlib
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable

import servers
from servers import Asker, Server

# What is asked for, and how often a second.
RATES = {"read": 20.0, "append": 10.0, "sources": 5.0, "list": 2.0, "check": 0.5, "upload": 0.5, "export": 0.5}
# Before the first minute: appends, which are then all read, to fill the page caches of the store, which have a bound
# and fill once; and some of the work that is seldom, so that every thread has had its largest piece.
FILLING, SELDOM = 20_000, 24
CLIENTS = 8
# The first part of the run does not count.
WARM = 0.25
# A run that seems to grow goes on to so many times its length, and is judged again as a whole: what leaks goes on
# growing, and what a few samples happened to show does not.
LONGEST = 3
# How much memory may grow from the end of the warm-up to the end of the run, whichever is more.
GROWTH, LEAST_KB = 0.05, 8 * 1024
ANSWER = "Employees are entitled to 15 days of annual leave. Maximum carryover is 5 days."


def measure(program: pathlib.Path, minutes: float) -> tuple[str, bool]:
    """Runs for so many minutes, tells memory as it goes, and says whether it was flat."""
    with tempfile.TemporaryDirectory(prefix="dalil-soak-", dir="/var/tmp") as name:
        with servers.dalil(program, pathlib.Path(name) / "store") as server:
            soak = Soak(server)
            soak.fill()
            print("| minute | resident | without the program's file | requests | late |\n|---|---|---|---|---|", flush=True)
            samples = soak.run(minutes * 60)
    return verdict(samples, soak)


class Soak:
    """Threads that each ask for one kind of thing, at a constant rate."""

    def __init__(self, server: Server) -> None:
        self.server, self.done, self.late = server, Counter(), 0
        self.faults: list[str] = []
        self.over = threading.Event()
        ask = Asker(server)
        self.documents = servers.upload_corpus(ask)
        ask.check("ses_soak", ANSWER, self.documents)
        self.request = json.loads((servers.EXAMPLES / "requests" / "sources.json").read_text())

    def fill(self) -> None:
        def some(client: int) -> None:
            ask = Asker(self.server)
            for n in range(FILLING // CLIENTS):
                self.append(ask, f"fill-{client}-{n}")
            self.browse(ask)
            for n in range(SELDOM // CLIENTS):
                for work in (self.check, self.upload, self.export):
                    work(ask, f"fill-{client}-{n}")

        together([lambda client=client: some(client) for client in range(CLIENTS)])

    def browse(self, ask: Asker) -> None:
        cursor = ""
        while cursor is not None:
            cursor = ask.json("GET", f"/trail/records?limit=200{cursor}").get("next_cursor")
            cursor = cursor and f"&cursor={cursor}"

    def run(self, seconds: float) -> list[tuple[float, int]]:
        """Time and memory, once a minute, or twenty times in a short run."""
        threads = [threading.Thread(target=self.repeat, args=(what, rate)) for what, rate in RATES.items()]
        for thread in threads:
            thread.start()
        begun, samples, period = time.monotonic(), [], min(60.0, seconds / 20)
        while not self.faults and goes_on(samples, round(seconds / period)):
            n = len(samples) + 1
            self.over.wait(max(0.0, begun + n * period - time.monotonic()))
            whole, own = resident(self.server)
            samples.append((n * period, own))
            shown = f"{n * period / 60:.1f} | {whole / 1024:.1f} MiB | {own / 1024:.1f} MiB"
            print(f"| {shown} | {self.done.total():,} | {self.late} |", flush=True)
        self.over.set()
        for thread in threads:
            thread.join()
        if self.faults:
            raise SystemExit(self.faults[0])
        return samples

    def repeat(self, what: str, rate: float) -> None:
        """Asks at each tick; a tick that is already over is late, and is made up for."""
        ask, work, begun, n = Asker(self.server), getattr(self, what), time.monotonic(), 0
        try:
            while not self.over.is_set():
                n += 1
                left = begun + n / rate - time.monotonic()
                self.late += left < -1.0
                if self.over.wait(max(0.0, left)):
                    break
                work(ask, f"{what}-{n}")
                self.done[what] += 1
        except (SystemExit, OSError) as fault:
            self.faults.append(f"{what}: {fault}")
            self.over.set()

    def read(self, ask: Asker, _: str) -> None:
        ask("GET", "/sessions/ses_soak/ledger")

    def list(self, ask: Asker, _: str) -> None:
        ask("GET", "/documents?limit=50")

    def sources(self, ask: Asker, _: str) -> None:
        ask("POST", "/sources", self.request)

    def append(self, ask: Asker, name: str) -> None:
        call = {"phase": "intended", "tool_call_id": name, "tool_name": "erp.terms", "intended_action": "set the terms"}
        ask("POST", "/tool-calls", call)

    def check(self, ask: Asker, name: str) -> None:
        ask.check(name, ANSWER, self.documents)

    def upload(self, ask: Asker, name: str) -> None:
        text = f"# Notice {name}\n\nThe office is closed on day {name} of the year.\n"
        servers.upload(ask, f"{name}.md", text.encode())

    def export(self, ask: Asker, name: str) -> None:
        format = ("json", "markdown", "pdf")[int(name.rpartition("-")[2]) % 3]
        order = {"format": format, "reason": f"Sent to the auditor as {name}"}
        matter = {"action": "export_ledger", "object": "ses_soak", **order}
        Asker(self.server, self.server.approver_key)("POST", "/approvals", matter)
        link = ask.json("POST", "/sessions/ses_soak/ledger/export", order)["download_url"]
        ask("GET", link.partition("/api/v1")[2])


def goes_on(samples: list[tuple[float, int]], count: int) -> bool:
    """Whether a run of so many samples takes another: at its end, where memory was not flat, all of a longer run."""
    if len(samples) == count:
        return not is_flat(samples)
    return len(samples) < LONGEST * count


def is_flat(samples: list[tuple[float, int]]) -> bool:
    growth, allowed = rise(samples)
    return growth <= allowed


def rise(samples: list[tuple[float, int]]) -> tuple[float, float]:
    """By how much memory grew after the warm-up, along a line through the samples, and by how much it may."""
    times, sizes = zip(*warm(samples), strict=True)
    slope, _ = statistics.linear_regression(times, sizes)
    return slope * (times[-1] - times[0]), max(statistics.mean(sizes) * GROWTH, LEAST_KB)


def warm(samples: list[tuple[float, int]]) -> list[tuple[float, int]]:
    return samples[int(len(samples) * WARM):]


def verdict(samples: list[tuple[float, int]], soak: Soak) -> tuple[str, bool]:
    growth, allowed = rise(samples)
    (begun, size), (ended, _) = warm(samples)[0], warm(samples)[-1]
    each = ", ".join(f"{count:,} {what}" for what, count in sorted(soak.done.items()))
    return (
        f"\n{each}; {soak.late} late.\nAfter the warm-up memory grew by {growth / 1024:.1f} MiB in "
        f"{(ended - begun) / 60:.1f} minutes, from {size / 1024:.1f} MiB; at most "
        f"{allowed / 1024:.1f} MiB is flat: {'flat' if is_flat(samples) else 'not flat'}."
    ), is_flat(samples)


def resident(server: Server) -> tuple[int, int]:
    """In kB, of the server alone: all of it, and without the pages of its file, which come as they are first used."""
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    figures = dict(line.split(":", 1) for line in status.splitlines())
    whole, own = (int(figures[name].split()[0]) for name in ("VmRSS", "RssAnon"))
    return whole, own


def together(works: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
