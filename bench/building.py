"""From a fresh clone to the first ledger, by the README's own command, and the size of the program."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import time


def measure(root: pathlib.Path, folder: pathlib.Path) -> str:
    """Clones what is committed, runs the README's first command with nothing built before, and prints a table."""
    shutil.rmtree(folder, ignore_errors=True)
    clone, target = folder / "clone", folder / "target"
    subprocess.run(["git", "clone", "--quiet", root, clone], check=True)
    command = first_command((clone / "README.md").read_text(encoding="utf-8"))
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target), "XDG_DATA_HOME": str(folder / "data")}
    # Downloads depend on the line, not on the project.
    subprocess.run(["cargo", "fetch", "--quiet", "--locked"], cwd=clone, env=environment, check=True)
    start = time.perf_counter()
    subprocess.run(command, shell=True, cwd=clone, env=environment, check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - start
    program = target / "release" / "dalil"
    weights = sum((clone / "crates/dalil-judge/model" / name).stat().st_size for name in os.listdir(clone / "crates/dalil-judge/model"))
    size = program.stat().st_size
    disk = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    lines = [
        "| Fresh clone to the first ledger | measured | goal |",
        "|---|---|---|",
        f"| `{command}` | {seconds / 60:.1f} min on {len(os.sched_getaffinity(0))} cores | ≤ 8 min |",
        f"| the program without the weights of the judges | {(size - weights) / 1e6:.0f} MB of {size / 1e6:.0f} MB | ≤ 60 MB |",
        f"| disk that the build takes | {disk / 1e9:.1f} GB | |",
    ]
    return "\n".join(lines)


def first_command(readme: str) -> str:
    """The first command of the README's first block."""
    block = re.search(r"```sh\n(.+?)\n```", readme, re.DOTALL)
    if block is None:
        raise SystemExit("error: expected a command in README.md, found none")
    commands = [line for line in block.group(1).splitlines() if line and not line.startswith("#")]
    return commands[0].strip()
