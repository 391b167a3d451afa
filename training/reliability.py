#!/usr/bin/env python3
"""Draws how often verdicts are right beside how sure they are: reliability.py ROWS.json OUT.svg.

ROWS.json is what `score.py` of the set of real documents leaves in its output folder. Verdicts *supported* and
*contradicted* count; a confidence is what the ledger states. Prints the expected calibration error in ten bins.
"""

from __future__ import annotations

import json
import pathlib
import sys

BINS = 10
SIDE, EDGE = 300, 46


def main(rows: pathlib.Path, out: pathlib.Path) -> None:
    read = json.loads(rows.read_text(encoding="utf-8"))
    stated = [row for row in read if row["got"] in ("supported", "contradicted")]
    bins: list[list[dict]] = [[] for _ in range(BINS)]
    for row in stated:
        bins[min(BINS - 1, int(row["conf"] * BINS))].append(row)
    points = [(mean(rows, "conf"), mean(rows, "ok"), len(rows)) for rows in bins if rows]
    error = sum(count * abs(sure - right) for sure, right, count in points) / max(1, len(stated))
    print(f"{len(stated)} verdicts, calibration error {error:.3f}")
    for sure, right, count in points:
        print(f"  said {sure:.2f}  right {right:.2f}  of {count}")
    out.write_text(drawn(points, error, len(stated)), encoding="utf-8")


def mean(rows: list[dict], name: str) -> float:
    return sum(float(row[name]) for row in rows) / len(rows)


def drawn(points: list[tuple[float, float, int]], error: float, count: int) -> str:
    at = lambda share: EDGE + share * SIDE
    down = lambda share: EDGE + (1 - share) * SIDE
    whole = SIDE + 2 * EDGE
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}" font-family="sans-serif" font-size="11">',
        f"<title>Reliability of {count} verdicts, calibration error {error:.3f}</title>",
        f'<rect width="{whole}" height="{whole}" fill="#fff"/>',
        f'<path d="M{at(0)} {down(0)}H{at(1)}M{at(0)} {down(0)}V{down(1)}" stroke="#333" fill="none"/>',
        f'<path d="M{at(0)} {down(0)}L{at(1)} {down(1)}" stroke="#999" stroke-dasharray="4 4"/>',
    ]
    for tick in (0, 0.5, 1):
        lines.append(f'<text x="{at(tick)}" y="{down(0) + 16}" text-anchor="middle">{tick:g}</text>')
        lines.append(f'<text x="{at(0) - 8}" y="{down(tick) + 4}" text-anchor="end">{tick:g}</text>')
    for sure, right, many in points:
        radius = 3 + 12 * (many / count) ** 0.5
        lines.append(f'<circle cx="{at(sure):.1f}" cy="{down(right):.1f}" r="{radius:.1f}" fill="#1f6f8b" fill-opacity="0.65"/>')
        lines.append(f'<text x="{at(sure):.1f}" y="{down(right) - radius - 3:.1f}" text-anchor="middle">{many}</text>')
    lines.append(f'<text x="{at(0.5)}" y="{whole - 8}" text-anchor="middle">confidence that the ledger states</text>')
    lines.append(f'<text x="14" y="{down(0.5)}" text-anchor="middle" transform="rotate(-90 14 {down(0.5)})">share that is right</text>')
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: reliability.py ROWS.json OUT.svg")
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
