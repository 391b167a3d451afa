"""Exceptions: `Refused` for an input that breaks rules, `Failure` for an operation that could not run."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dalil._openapi import Fault as FaultJson
    from dalil._openapi import Problem as ProblemJson

__all__ = ["DalilError", "Failure", "Fault", "MissingExtra", "Problem", "Refused"]

_EXPECTED = re.compile(r"expected (?P<expected>.*), found (?P<found>.*)", re.DOTALL)


class DalilError(Exception):
    """Any failure of Dalil."""


@dataclass(frozen=True)
class Fault:
    """One fault of an input."""

    rule: str
    """The rule that was broken, a short and stable name: `unknown_field`."""
    path: str
    """The place in the input: `candidates[0].id`; `$` is the whole input."""
    message: str
    """A sentence for people: `expected …, found …`."""
    hint: str | None = None
    """The next step, if there is one."""

    @property
    def expected(self) -> str | None:
        """The expected half of the message, if it has one."""
        parts = _EXPECTED.fullmatch(self.message)
        return parts["expected"] if parts else None

    @property
    def found(self) -> str | None:
        """The found half of the message, if it has one."""
        parts = _EXPECTED.fullmatch(self.message)
        return parts["found"] if parts else None

    def __str__(self) -> str:
        hint = f"\nhint: {self.hint}" if self.hint else ""
        return f"`{self.path}`: {self.message}{hint}"

    @classmethod
    def of(cls, fault: FaultJson) -> Fault:
        """Reads a fault from its JSON."""
        return cls(fault["rule"], fault["path"], fault["message"], fault.get("hint"))


class Refused(DalilError, ValueError):
    """An input that breaks rules, with every fault found in it."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults: Sequence[Fault] = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))

    @classmethod
    def of_json(cls, text: bytes) -> Refused:
        """The exception for `{"refused": […]}`."""
        refused = cast("dict[str, list[FaultJson]]", json.loads(text))
        return cls(Fault.of(fault) for fault in refused["refused"])

    @classmethod
    def of_one(cls, rule: str, path: str, expected: str, found: str) -> Refused:
        """The exception for one fault."""
        return cls([Fault(rule, path, f"expected {expected}, found {found}")])

    def __reduce__(self) -> tuple[type[Refused], tuple[tuple[Fault, ...]]]:
        return (type(self), (tuple(self.faults),))


class Failure(DalilError, RuntimeError):
    """An operation failed: documents are missing, a judge does not answer."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        self.hint = hint
        super().__init__(message if hint is None else f"{message}\nhint: {hint}")


class Problem(DalilError):
    """An error reply of a server (RFC 9457), with every fault of the request."""

    def __init__(self, status: int, problem: ProblemJson | None, body: str) -> None:
        self.status = status
        self.title = problem["title"] if problem else f"HTTP {status}"
        self.detail = problem["detail"] if problem else body
        self.type = problem["type"] if problem else "about:blank"
        self.request_id = problem.get("request_id") if problem else None
        faults = (problem.get("faults") or []) if problem else []
        self.faults: Sequence[Fault] = tuple(Fault.of(fault) for fault in faults)
        lines = [str(fault) for fault in self.faults] or [self.detail]
        super().__init__("\n".join([f"{status} {self.title}", *lines]))


class MissingExtra(DalilError, ImportError):
    """A package that an adapter needs is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            f"expected the package `{package}`, found none\nhint: pip install 'dalil[{extra}]'"
        )
