"""Converts Python values to JSON for the extension module; a value without JSON is refused with its path."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import cast

from dalil.errors import Fault, Refused

__all__ = ["as_text", "written"]

# Deeper values are refused by the reader as well; here they would be an exception of the interpreter.
_MAX_DEPTH = 120
_MAX_PATH = 60


def written(value: object) -> bytes:
    """Returns the JSON of a value; raises `Refused` with every part that has none."""
    faults: list[Fault] = []
    plain = _plain(value, "$", faults, 0)
    if faults:
        raise Refused(faults)
    return json.dumps(plain, ensure_ascii=False).encode()


def as_text(value: object, path: str) -> str:
    """Returns a text that can be encoded; other values and half surrogate pairs are refused."""
    if not isinstance(value, str):
        raise Refused.of_one("type", path, "a text", f"`{type(value).__name__}`")
    if not _is_whole(value):
        raise Refused.of_one("type", path, *_HALF)
    return value


def _plain(value: object, path: str, faults: list[Fault], depth: int) -> object:
    """Converts mappings and tuples to dictionaries and lists."""
    expected, found = "a value of JSON", f"`{type(value).__name__}`"
    if depth > _MAX_DEPTH:
        # It may hold itself: its path has no end that somebody could look at.
        path = f"{path[:_MAX_PATH]}…"
        expected, found = "a value that is not nested as deep", f"more than {_MAX_DEPTH} levels"
    elif value is None or isinstance(value, (bool, int)):
        return value
    elif isinstance(value, float):
        if math.isfinite(value):
            return float(value)
        expected, found = "a number of JSON", f"`{value}`"
    elif isinstance(value, str):
        if _is_whole(value):
            return value
        expected, found = _HALF
    elif isinstance(value, (list, tuple)):
        items = cast("list[object] | tuple[object, ...]", value)
        start = "" if path == "$" else path
        return [_plain(one, f"{start}[{n}]", faults, depth + 1) for n, one in enumerate(items)]
    elif isinstance(value, Mapping):
        members = cast("Mapping[object, object]", value)
        start = "" if path == "$" else f"{path}."
        plain: dict[str, object] = {}
        for name, one in members.items():
            if isinstance(name, str) and _is_whole(name):
                plain[name] = _plain(one, f"{start}{name}", faults, depth + 1)
            else:
                faults.append(_fault(path, "names that are texts", f"`{ascii(name)}`"))
        return plain
    faults.append(_fault(path, expected, found))
    return None


def _fault(path: str, expected: str, found: str) -> Fault:
    return Fault("type", path, f"expected {expected}, found {found}")


def _is_whole(text: str) -> bool:
    """Whether a text has no half of a surrogate pair, which no encoding has."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


_HALF = ("a text in whole characters", "half of a surrogate pair")
