"""Tables of a document that a benchmark writes: each stands between two comments that name its command."""

from __future__ import annotations

import pathlib
import re


def put(path: pathlib.Path, name: str, text: str) -> None:
    """Puts `text` between `<!-- NAME -->` and `<!-- end -->` in a document; one without the comments is an error."""
    whole = path.read_text(encoding="utf-8")
    start = f"<!-- {name} -->\n"
    pattern = re.compile(re.escape(start) + r".*?<!-- end -->", re.DOTALL)
    if len(pattern.findall(whole)) != 1:
        raise SystemExit(f"error: {path.name}: expected `{start.strip()}` and `<!-- end -->` once")
    path.write_text(pattern.sub(lambda _: f"{start}{text}\n<!-- end -->", whole), encoding="utf-8")
