"""Figures of both sides as a Markdown table."""

from __future__ import annotations

Measured = dict[str, dict[str, dict[str, float]]]

ROWS = (
    # task, what was done, Python's figure, ours, the goal for the ratio
    ("records", "package 100,000 obligations, already read", "rule", "rule", 20),
    ("records", "the same from JSON to JSON", "whole", "whole", None),
    ("sources", "6 sources of 2,000 candidates and 10,000 chunks", "six", "six", 50),
    ("sources", "all 2,000 sources", "all", "all", 50),
    ("sources", "6 sources; Python with an index", "six_indexed", "six", None),
    ("sources", "all 2,000; Python with an index", "all_indexed", "all", None),
    ("sources", "6 sources from JSON to JSON", "whole", "whole", None),
    ("packs", "read a pack of 10 kB and hold it against every rule", "rule", "rule", 20),
    ("packs", "the same; Python reads the shape alone", "shape", "rule", None),
    ("bundle", "build one bundle of 2,000 items of 9 kB", "rule", "rule", None),
    ("bundle", "the same from JSON to JSON", "whole", "whole", None),
    ("judge", "score 64 pairs of about 160 word pieces; ONNX Runtime in floats", "float", "score", None),
    ("judge", "the same; ONNX Runtime in 8-bit integers", "int8", "score", None),
    ("judge", "the same; the faster of the two", "best", "score", 0.7),
    ("judge", "the same from text", "whole", "whole", None),
)


def text(measured: Measured) -> str:
    lines = ["| Work | Python | dalil | ratio | goal |", "|---|---|---|---|---|"]
    lines += [row(measured[task], *rest) for task, *rest in ROWS if task in measured]
    if "bundle" in measured:
        lines.append(against_sha256(measured["bundle"]["dalil"]))
    lines += ["", "| Peak memory | Python | dalil | ratio |", "|---|---|---|---|"]
    lines += [memory(task, sides) for task, sides in measured.items()]
    return "\n".join(lines)


# What is not a duration: how much was done, and one figure over another.
NOT_SECONDS = {"bytes", "ratio", "peak_kb", "cpu"}
ALLOWED = 1.05


def compared(measured: Measured) -> str:
    """Two builds side by side: each step that both measure, and the memory of each task."""
    lines = ["| Task | step | before | now | now over before |", "|---|---|---|---|---|"]
    for task, step, before, now in steps(measured):
        lines.append(f"| {task} | `{step}` | {duration(before)} | {duration(now)} | {now / before:.2f}× |")
    for task, sides in measured.items():
        before, now = (sides[side]["peak_kb"] for side in ("before", "now"))
        lines.append(f"| {task} | peak memory | {before / 1024:.0f} MiB | {now / 1024:.0f} MiB | {now / before:.2f}× |")
    return "\n".join(lines)


def worse(measured: Measured) -> list[str]:
    return [f"{task} `{step}`" for task, step, before, now in steps(measured) if now > ALLOWED * before]


def steps(measured: Measured) -> list[tuple[str, str, float, float]]:
    return [
        (task, step, before, sides["now"][step])
        for task, sides in measured.items()
        for step, before in sides["before"].items()
        if step in sides["now"] and step not in NOT_SECONDS
    ]


def row(sides: dict[str, dict[str, float]], what: str, theirs: str, ours: str, goal: float | None) -> str:
    python, dalil = sides["python"][theirs], sides["dalil"][ours]
    wanted = "" if goal is None else f"≥ {goal}×"
    return f"| {what} | {duration(python)} | {duration(dalil)} | {python / dalil:.1f}× | {wanted} |"


def against_sha256(dalil: dict[str, float]) -> str:
    ratio = dalil["rule"] / dalil["sha256"]
    return f"| build the bundle, against SHA-256 alone over the same bytes | | {duration(dalil['sha256'])} | {ratio:.2f}× | ≤ 2× |"


def memory(task: str, sides: dict[str, dict[str, float]]) -> str:
    python, dalil = (sides[side]["peak_kb"] for side in ("python", "dalil"))
    return f"| {task} | {python / 1024:.0f} MiB | {dalil / 1024:.0f} MiB | {python / dalil:.1f}× |"


def duration(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.2f} {unit}"
    return f"{seconds * 1e6:.1f} µs"
