"""Plots as SVG: panels with sizes from left to right, on a logarithmic scale, and a cost upwards from zero."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass

WIDTH, HEIGHT, COLUMNS = 300, 190, 3
LEFT, RIGHT, TOP, BOTTOM = 58, 14, 34, 26
# Legible on a white page and on a dark one.
INK, LINE, FAINT = "#6e7781", "#1f6feb", "#8c959f55"


@dataclass(frozen=True)
class Panel:
    """One figure at several sizes."""

    title: str
    unit: str
    points: tuple[tuple[float, float], ...]


def svg(panels: list[Panel]) -> str:
    """The panels side by side, three in a row."""
    rows = -(-len(panels) // COLUMNS)
    columns = min(len(panels), COLUMNS)
    body = [
        f'<g transform="translate({n % COLUMNS * WIDTH} {n // COLUMNS * HEIGHT})">{drawn(panel)}</g>'
        for n, panel in enumerate(panels)
    ]
    width, height = columns * WIDTH, rows * HEIGHT
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return "\n".join([head + ' font-family="sans-serif" font-size="10">', *body, "</svg>", ""])


def drawn(panel: Panel) -> str:
    first, last = panel.points[0][0], panel.points[-1][0]
    top = nice(max(y for _, y in panel.points))
    decades = max(math.log10(last / first), 1e-9)
    # One size alone stands in the middle.
    across = lambda x: LEFT + (WIDTH - LEFT - RIGHT) * (math.log10(x / first) / decades if last > first else 0.5)
    up = lambda y: HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * y / top
    parts = [f'<text x="{LEFT}" y="16" fill="{INK}" font-size="11">{html.escape(panel.title)}</text>']
    for share in (0.0, 0.5, 1.0):
        y = up(top * share)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{FAINT}"/>')
        label = f"{number(top * share)} {panel.unit}".strip()
        parts.append(f'<text x="{LEFT - 5}" y="{y + 3:.1f}" fill="{INK}" text-anchor="end">{html.escape(label)}</text>')
    for x, _ in panel.points:
        parts.append(f'<text x="{across(x):.1f}" y="{HEIGHT - 9}" fill="{INK}" text-anchor="middle">{short(x)}</text>')
    path = "L".join(f"{across(x):.1f} {up(y):.1f}" for x, y in panel.points)
    parts.append(f'<path d="M{path}" fill="none" stroke="{LINE}" stroke-width="1.5"/>')
    parts += [
        f'<circle cx="{across(x):.1f}" cy="{up(y):.1f}" r="2.5" fill="{LINE}"><title>{short(x)}: {number(y)} {html.escape(panel.unit)}</title></circle>'
        for x, y in panel.points
    ]
    return "".join(parts)


def nice(most: float) -> float:
    """The next 1, 2 or 5 times a power of ten; 1 where everything is zero."""
    if most <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(most))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= most * (1 - 1e-9))


def number(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def short(size: float) -> str:
    for unit, scale in (("M", 1_000_000), ("k", 1_000)):
        if size >= scale:
            return f"{size / scale:g}{unit}"
    return f"{size:g}"
