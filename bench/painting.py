"""How soon pages of the viewer are painted, and how large they are: a ledger of many claims, a trail of many records.

    bench/run paint [RECORDS [CLAIMS]]

The browser is Chromium, driven as in `suite/viewer`, whose `npm ci` must have run. Nothing here looks at a clock of
its own: the time of the first paint is the browser's, from the moment that it begins to open the address.
"""

from __future__ import annotations

import itertools
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
from collections.abc import Iterator

import servers
from growing import CHUNKS_A_DOCUMENT, write_corpus
from servers import Asker, Server

VIEWER = servers.HERE.parent / "suite" / "viewer"
TURNS = 15
GOAL_MS = 300.0
GOAL_BYTES = 300_000
# Records of obligations in a package: one entry of the store.
PACKAGE = 500
SESSION = "ses_paint"


def measure(program: pathlib.Path, records: int, claims: int) -> tuple[str, bool]:
    """The table, and whether every page keeps to both goals."""
    # Not a temporary file system: disks are part of what is measured.
    with tempfile.TemporaryDirectory(prefix="dalil-paint-", dir="/var/tmp") as name:
        folder = pathlib.Path(name)
        with servers.dalil(program, folder / "store") as server:
            check(server, folder, claims)
        fill(program, folder / "store", records)
        with servers.again(program, folder / "store", server) as server:
            ask = Asker(server)
            size = ask.json("GET", "/trail/records?limit=1&order=newest")["items"][0]["index"] + 1
            measured = [paint(server, page) for page in pages(claims, size)]
    return table(measured, size, claims)


def check(server: Server, folder: pathlib.Path, claims: int) -> None:
    """An answer of so many claims, checked against one document."""
    known = write_corpus(folder / "docs", CHUNKS_A_DOCUMENT)
    stated = itertools.islice(itertools.cycle(claim for claim, _ in known), claims)
    answer = "\n\n".join(one.replace("shall deliver", f"shall under order {n} deliver") for n, one in enumerate(stated))
    ask = Asker(server)
    documents = [servers.upload(ask, path.name, path.read_bytes()) for path in sorted((folder / "docs").iterdir())]
    ask.check(SESSION, answer, documents)
    found = ask.json("GET", f"/sessions/{SESSION}")["ledger"]["summary"]["total_claims"]
    if found != claims:
        raise SystemExit(f"error: expected a ledger of {claims} claims, found {found}")


def fill(program: pathlib.Path, folder: pathlib.Path, records: int) -> None:
    """Obligations with their evidence, many in a line, until there are so many."""
    command = [program, "record", "append", "-", "--lines", "--tenant", "acme", "--actor", "agent:importer", "--json"]
    # What it logs of each package would fill a pipe that nobody reads.
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        for line in packages(records):
            running.stdin.write(line)
        running.stdin.close()
        if running.wait() != 0:
            raise SystemExit("error: expected obligations that are appended, found a refusal")


def packages(records: int) -> Iterator[bytes]:
    for first in range(0, records, PACKAGE):
        numbers = range(first, min(first + PACKAGE, records))
        obligations = {
            f"ob-{n:07}": {
                "obligation_id": f"ob-{n:07}", "doc_id": "doc-1", "extraction_model": "extractor-2026-02",
                "source_clause": f"Order {n} is delivered within {n % 60 + 1} days of its date.", "confidence": 0.91,
            }
            for n in numbers
        }
        verifications = {
            name: {"verification_model": "verifier-2026-02", "verified": True, "confidence": 0.93} for name in obligations
        }
        documents = {"doc-1": {"doc_id": "doc-1", "filename": "orders-2026.pdf"}}
        request = {"obligations": list(obligations.values()), "documents": documents, "verifications": verifications}
        yield json.dumps({"kind": "package", "request": request}).encode() + b"\n"


def pages(claims: int, size: int) -> list[tuple[str, str]]:
    """What is opened: a name, and an address."""
    ledger = f"/sessions/{SESSION}"
    return [
        (f"a ledger of {claims:,} claims", ledger),
        ("the same, claims that are not supported", f"{ledger}?show=not_found"),
        (f"a trail of {size:,} records", "/trail"),
        ("the same, one kind of record", "/trail?kind=session.opened"),
        ("the same, what one person did", "/trail?who=amal"),
        ("the same, from its middle", f"/trail?from={size // 2}"),
        ("obligations", "/obligations"),
        ("home", "/"),
    ]


def paint(server: Server, page: tuple[str, str]) -> tuple[str, dict]:
    """One page, opened again and again, each time in a browser window that knows nothing."""
    name, address = page
    given = {"origin": f"http://127.0.0.1:{server.port}", "key": server.key, "address": address, "turns": TURNS}
    done = subprocess.run(
        ["node", VIEWER / "painting.mjs"], cwd=VIEWER, input=json.dumps(given).encode(), stdout=subprocess.PIPE,
        env=os.environ, check=True,
    )
    return name, json.loads(done.stdout)


def table(measured: list[tuple[str, dict]], size: int, claims: int) -> tuple[str, bool]:
    lines = ["| Page | first paint, median | slowest | answered by the server after | page | with styles, scripts and icons |",
             "|---|---|---|---|---|---|"]
    held = True
    for name, found in measured:
        painted, bytes_of_page = found["paint"], found["page"]
        held &= statistics.median(painted) <= GOAL_MS and bytes_of_page <= GOAL_BYTES
        lines.append(
            f"| {name} | {statistics.median(painted):.0f} ms | {max(painted):.0f} ms | {statistics.median(found['reply']):.0f} ms "
            f"| {bytes_of_page / 1000:.0f} kB | {found['all'] / 1000:.0f} kB |"
        )
    lines.append(f"| goal | ≤ {GOAL_MS:.0f} ms | | | ≤ {GOAL_BYTES // 1000} kB | |")
    return "\n".join(lines), held
