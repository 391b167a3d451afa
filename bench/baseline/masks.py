"""The masking rules: patterns, each with its own check where the kind has one."""

from __future__ import annotations

import re

DIGITS = str.maketrans("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹", "01234567890123456789")


def findings(text: str) -> list[str]:
    """The rules that match anywhere in `text`."""
    plain = text.translate(DIGITS)
    return [name for name, pattern, holds in RULES if any(holds(m.group()) for m in pattern.finditer(plain))]


def luhn(text: str) -> bool:
    digits = [int(ch) for ch in text if ch.isdigit()]
    folded = [d if n % 2 == 0 else sum(divmod(2 * d, 10)) for n, d in enumerate(reversed(digits))]
    return 13 <= len(digits) <= 19 and sum(folded) % 10 == 0


def mod97(text: str) -> bool:
    compact = re.sub(r"\s", "", text).upper()
    return int("".join(str(int(ch, 36)) for ch in compact[4:] + compact[:4])) % 97 == 1


def saudi_id(text: str) -> bool:
    folded = [int(ch) if n % 2 else sum(divmod(2 * int(ch), 10)) for n, ch in enumerate(text)]
    return sum(folded) % 10 == 0


def octets(text: str) -> bool:
    return all(int(part) <= 255 for part in text.split("."))


def always(_: str) -> bool:
    return True


RULES = [
    ("email", re.compile(r"\b[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+"), always),
    ("jwt", re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}"), always),
    ("api_key", re.compile(r"\b(?:sk-[\w-]{16,}|AKIA[0-9A-Z]{16}|gh[pousr]_\w{36,}|xox[abprs]-[\w-]{10,})"), always),
    ("private_key", re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----"), always),
    ("password", re.compile(r"(?i)\b(?:password|passwd|pwd|secret|token)\s*[:=]\s*\S+"), always),
    ("iban", re.compile(r"\b(?:SA|AE|KW|BH|OM|QA)\d{2}(?: ?[0-9A-Z]{4}){4,6}[0-9A-Z]{0,3}\b"), mod97),
    ("card", re.compile(r"\b(?:\d[ -]?){12,18}\d\b"), luhn),
    ("emirates_id", re.compile(r"\b784-?\d{4}-?\d{7}-?\d\b"), luhn),
    ("saudi_id", re.compile(r"\b[12]\d{9}\b"), saudi_id),
    ("saudi_vat", re.compile(r"\b3\d{13}3\b"), always),
    ("saudi_cr", re.compile(r"\b[1-7]0\d{8}\b"), always),
    ("ssn", re.compile(r"\b(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}\b"), always),
    ("ip", re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b"), octets),
    ("phone", re.compile(r"(?:\+|\b00)\d{1,3}[ -]?\d{1,4}(?:[ -]?\d{2,4}){2,3}\b"), always),
    ("phone", re.compile(r"\b05\d{8}\b|\(\d{3}\) ?\d{3}-\d{4}\b|\b\d{3}-\d{3}-\d{4}\b"), always),
]
