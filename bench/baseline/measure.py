"""Times a step, and says how much memory this process has held."""

from __future__ import annotations

import gc
import json
import pathlib
import statistics
import time
from collections.abc import Callable
from typing import Any


def median(step: Callable[[], Any], rounds: int) -> tuple[float, Any]:
    """The median of `rounds` runs in seconds, after one that is not counted, and what the step gave."""
    result = step()
    taken = []
    for _ in range(rounds):
        del result
        gc.collect()
        start = time.perf_counter()
        result = step()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken), result


def report(**figures: Any) -> None:
    """Prints one line of JSON: the figures, and the peak of resident memory in kB."""
    # Not `getrusage`: what it says of a child counts the parent's memory at the fork.
    status = pathlib.Path("/proc/self/status").read_text()
    peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))
    print(json.dumps({**figures, "peak_kb": peak}))
