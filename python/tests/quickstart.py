"""The blocks of docs/python.md, to be run."""

from __future__ import annotations

import ast
import asyncio
import inspect
import os
import re
from pathlib import Path
from typing import Any


def blocks(heading: str) -> list[str]:
    """The blocks of Python under a heading; an empty heading is the beginning of the page."""
    text = (Path(os.environ["DALIL_REPOSITORY"]) / "docs" / "python.md").read_text(encoding="utf-8")
    parts = re.split(r"^#+ (.*)$", text, flags=re.MULTILINE)
    found = [body for name, body in zip(parts[1::2], parts[2::2], strict=True) if name == heading]
    if len(found) != 1:
        raise LookupError(f"expected one part `{heading}` in docs/python.md, found {len(found)}")
    return re.findall(r"^```python\n(.*?)^```$", found[0], flags=re.MULTILINE | re.DOTALL)


def headings() -> list[str]:
    """The parts of the page that have blocks of Python."""
    text = (Path(os.environ["DALIL_REPOSITORY"]) / "docs" / "python.md").read_text(encoding="utf-8")
    names = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    return [name for name in names if blocks(name)]


def run(block: str, names: dict[str, Any]) -> dict[str, Any]:
    """Runs a block, which may await, and returns what it has named."""
    code = compile(block, "docs/python.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    if code.co_flags & inspect.CO_COROUTINE:
        asyncio.run(eval(code, names))
    else:
        exec(code, names)
    return names
