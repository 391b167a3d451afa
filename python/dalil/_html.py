"""Results as HTML, for notebooks. Every text is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dalil.results import Bundle, Claim, Ledger, Report, Sources, Verdict

WORDS: dict[Verdict, str] = {
    "contradicted": "✗ Contradicted",
    "not_found": "○ Not found",
    "weak": "? Weak",
    "supported": "✓ Supported",
}
_STYLE = """
.dalil{font:14px/1.5 system-ui,sans-serif;color:#1c1f24;background:#fff;max-width:70em}
.dalil table{border-collapse:collapse;width:100%;margin:.5em 0}
.dalil th,.dalil td{border-bottom:1px solid #d9dde3;padding:.4em .6em;text-align:start;vertical-align:top}
.dalil .note{color:#59616d;font-size:.92em}
.dalil .contradicted{color:#a3121f}.dalil .not_found{color:#8a4b00}
.dalil .weak{color:#6b5900}.dalil .supported{color:#12643a}
.dalil .fail{color:#a3121f}.dalil .incomplete{color:#6b5900}.dalil .pass{color:#12643a}
.dalil .verdict{white-space:nowrap;font-weight:600}
.dalil .problems{border:1px solid #c98a00;background:#fff8e6;padding:.4em .8em}
.dalil mark{background:#ffd9d9;color:inherit}
"""

def ledger(one: Ledger) -> str:
    """A ledger for a notebook: documents that could not be read, the counts, a row for each claim."""
    return _block(_head(one) + _table(one.claims))


def bundle(one: Bundle) -> str:
    """A bundle for a notebook."""
    rows = "".join(
        f"<tr><td>{_text(item['evidence_type'])}</td><td>{_text(item['content'])}</td></tr>"
        for item in one.items
    )
    cut = f"<p class=note>{len(one.cuts)} cut · {len(one.problems)} problems</p>"
    return _block(f"<p>Bundle {_text(one.id)}</p>{cut}<table>{rows}</table>")


def sources(one: Sources) -> str:
    """Sources for a notebook."""
    rows = "".join(
        f"<tr><td>{_text(item['title'] or '')}</td><td>{_text(item['snippet'] or '')}</td></tr>"
        for item in one.items
    )
    return _block(f"<table><tr><th>Source</th><th>Words</th></tr>{rows}</table>")


def verification(one: Report) -> str:
    """A verification for a notebook: the verdict first."""
    rows = "".join(
        f'<tr><td class="verdict {part.status}">{part.status}</td><td>{_text(part.part)}</td>'
        f"<td>{_text(part.message)}</td></tr>"
        for part in one.parts
    )
    return _block(f'<p class="verdict {one.status}">{one.status.upper()}</p><table>{rows}</table>')


def _head(one: Ledger) -> str:
    unread = "".join(f"<div>{_text(problem)}</div>" for problem in one.problems)
    problems = f'<div class="problems">Not read:{unread}</div>' if unread else ""
    counts = " · ".join(f"{count} {word.replace('_', ' ')}" for word, count in one.counts.items())
    coverage = "–" if one.coverage is None else f"{one.coverage:.0%}"
    flags = "".join(f"<div>! {_text(flag.description)}</div>" for flag in one.risk_flags)
    return f"{problems}<p>{counts} · coverage {coverage}</p><div class=note>{flags}</div>"


def _table(claims: Iterable[Claim]) -> str:
    rows = "".join(
        f"<tr><td>{_text(claim.text)}</td><td>{_verdict(claim)}</td><td>{_why(claim)}</td>"
        f"<td>{_text(str(claim.source)) if claim.source else '–'}</td></tr>"
        for claim in claims
    )
    head = "<tr><th>Claim</th><th>Verdict</th><th>Why</th><th>Source</th></tr>"
    return f"<table>{head}{rows}</table>"


def _verdict(claim: Claim) -> str:
    word = escape(WORDS[claim.verdict])
    return f'<span class="verdict {claim.verdict}">{word}</span> <span class=note>{claim.confidence:.0%}</span>'


def _why(claim: Claim) -> str:
    """The decisive words of the evidence, with those that contradict the claim marked."""
    conflict = next((one.conflict for one in claim.evidence if one.conflict), None)
    findings = "".join(f"<div class=note>{_text(one.message)}</div>" for one in claim.findings)
    if conflict is None or not claim.snippet:
        return (_text(claim.snippet) or f'<span class="note">{_text(claim.notes)}</span>') + findings
    words = _text(conflict[1])
    snippet = _text(claim.snippet).replace(words, f"<mark>{words}</mark>", 1)
    claimed = f"<div class=note>the claim says <mark>{_text(conflict[0])}</mark></div>"
    return snippet + claimed + findings


def _text(text: str) -> str:
    """Escapes a text; characters that change the text direction are written as `\\u{…}`."""
    return escape("".join(f"\\u{{{ord(ch):x}}}" if _turns(ch) else ch for ch in text))


def _turns(ch: str) -> bool:
    return "\u202a" <= ch <= "\u202e" or "\u2066" <= ch <= "\u2069"


def _block(inside: str) -> str:
    return f'<div class="dalil" dir="auto"><style>{_STYLE}</style>{inside}</div>'
