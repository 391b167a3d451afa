"""Canonical JSON (RFC 8785), written from the RFC alone.

`dumps` gives the canonical bytes of a value. `loads` reads JSON as strictly as
Dalil does: no duplicate key, no half of a surrogate pair, no number that a double
does not hold as it is written, nothing after the value.
"""

import json
import math

MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 127

_SHORT_ESCAPES = {
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\f": "\\f",
    "\r": "\\r",
    '"': '\\"',
    "\\": "\\\\",
}


def dumps(value: object) -> bytes:
    """The canonical bytes of a value made of dict, list, str, int, float, bool and None."""
    return _text(value).encode("utf-8")


def loads(text: str | bytes, foreign: bool = False) -> object:
    """The value that `text` holds; ValueError says why it was refused.

    In the output of a foreign system a number that a double does not hold is the
    string of its spelling.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8")
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_refuse_constant,
            parse_float=_foreign_number if foreign else _number,
            parse_int=_foreign_number if foreign else _number,
        )
    except RecursionError:
        raise ValueError(f"nesting deeper than {MAX_DEPTH} levels") from None
    _check_read(value, 0)
    return value


def number(value: float) -> str:
    """A double as ECMAScript's Number::toString writes it (RFC 8785 §3.2.2.3)."""
    if not math.isfinite(value):
        raise ValueError(f"{value} has no canonical form")
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    digits, point = _digits_and_point(abs(value))
    return sign + _place(digits, point)


def _text(value: object) -> str:
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, int):
        if abs(value) > MAX_INTEGER:
            raise ValueError(f"{value} is not an exact double")
        return str(value)
    if isinstance(value, float):
        return number(value)
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(_text, value)) + "]"
    if isinstance(value, dict):
        members = sorted(value.items(), key=lambda member: _utf16(member[0]))
        return "{" + ",".join(f"{_string(key)}:{_text(item)}" for key, item in members) + "}"
    raise ValueError(f"{type(value).__name__} has no canonical form")


def _string(text: str) -> str:
    return '"' + "".join(map(_escape, text)) + '"'


def _escape(char: str) -> str:
    if char in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[char]
    if char < " ":
        return f"\\u{ord(char):04x}"
    if "\ud800" <= char <= "\udfff":
        raise ValueError("half of a surrogate pair")
    return char


def _utf16(key: str) -> bytes:
    """Keys are compared by UTF-16 code units, which differs from code points above U+FFFF."""
    return key.encode("utf-16-be")


def _digits_and_point(value: float) -> tuple[str, int]:
    """The shortest digits that read back as `value`, and where the point stands in them.

    `repr` finds the digits; they are ECMAScript's too: the fewest, and of those the nearest.
    """
    mantissa, _, exponent = repr(value).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = whole + fraction
    point = len(whole) + int(exponent or 0)
    stripped = digits.lstrip("0")
    point -= len(digits) - len(stripped)
    return stripped.rstrip("0"), point


def _place(digits: str, point: int) -> str:
    """ECMAScript's four layouts: integer, decimal, small decimal, exponent."""
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    mantissa = digits if count == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{mantissa}e{point - 1:+d}"


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members: dict[str, object] = {}
    for key, value in pairs:
        if key in members:
            raise ValueError(f"duplicate key {key!r}")
        members[key] = value
    return members


def _number(text: str) -> int | float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:40]} is larger than any double")
    # From 10^21 on the canonical form has an exponent; below, it is an integer that readers round.
    if MAX_INTEGER < abs(value) < 1e21:
        raise ValueError(f"{text[:40]} is not an exact integer in every reader")
    digits = _significant(text)
    if digits and value == 0:
        raise ValueError(f"{text[:40]} is too small for a double")
    # 17 digits tell every double from every other.
    if len(digits) > 17 and digits != _significant(format(value, f".{len(digits) - 1}e")):
        raise ValueError(f"{text[:40]} says more than a double can")
    return value if any(mark in text for mark in ".eE") or abs(value) >= 1e21 else int(text)


def _significant(text: str) -> str:
    """The digits of a number from the first that is not zero to the last."""
    mantissa = text.lower().partition("e")[0]
    return mantissa.lstrip("-").replace(".", "").strip("0")


def _foreign_number(text: str) -> int | float | str:
    if not math.isfinite(float(text)):
        raise ValueError(f"{text[:40]} is larger than any double")
    try:
        return _number(text)
    except ValueError:
        return text


def _refuse_constant(text: str) -> object:
    raise ValueError(f"{text} is not JSON")


def _check_read(value: object, depth: int) -> None:
    """Refuses half surrogates, which Python's reader lets through, and deep nesting."""
    if isinstance(value, str):
        value.encode("utf-8")
    elif isinstance(value, list):
        _check_depth(depth)
        for item in value:
            _check_read(item, depth + 1)
    elif isinstance(value, dict):
        _check_depth(depth)
        for key, item in value.items():
            key.encode("utf-8")
            _check_read(item, depth + 1)


def _check_depth(depth: int) -> None:
    if depth >= MAX_DEPTH:
        raise ValueError(f"nesting deeper than {MAX_DEPTH} levels")
