"""pymerkle's SqliteTree: appends of 1 KiB by threads that share a tree, as its documentation allows.

    append.py FILE CLIENTS SECONDS

Prints one line of JSON: appends per second, and the median and the 99th hundredth of one in seconds.
"""

from __future__ import annotations

import json
import sys
import threading
import time

import pymerkle

WARM = 0.5
PAYLOAD = b"x" * 1024


def main(file: str, clients: int, seconds: int) -> None:
    taken: list[list[float]] = [[] for _ in range(clients)]
    start = time.perf_counter() + WARM
    with pymerkle.SqliteTree(file) as tree:
        threads = [threading.Thread(target=client, args=(tree, own, start, start + seconds)) for own in taken]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    every = sorted(one for own in taken for one in own)
    at = lambda hundredth: every[len(every) * hundredth // 100]  # noqa: E731
    print(json.dumps({"per_second": len(every) / seconds, "p50": at(50), "p99": at(99)}))


def client(tree: pymerkle.SqliteTree, own: list[float], start: float, end: float) -> None:
    while True:
        asked = time.perf_counter()
        tree.append_entry(PAYLOAD)
        answered = time.perf_counter()
        if answered >= end:
            return
        if answered >= start:
            own.append(answered - asked)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
