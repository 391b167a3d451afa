"""A request of the API, independent of the client that sends it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from urllib.parse import quote


class ReplyKind(Enum):
    """The type of the body of a reply."""

    JSON = "json"
    TEXT = "text"
    BYTES = "bytes"


@dataclass(frozen=True)
class ApiRequest:
    """A call before it is sent."""

    method: str
    path: str
    reply: ReplyKind
    inside: Mapping[str, str] = field(default_factory=dict[str, str])
    query: Mapping[str, object] = field(default_factory=dict[str, object])
    headers: Mapping[str, object] = field(default_factory=dict[str, object])
    json: object | None = None
    content: bytes | None = None
    media_type: str = "application/octet-stream"
    """The media type of `content`."""

    def url_path(self) -> str:
        """The path with its parameters; none of them can add a segment to it."""
        path = self.path
        for name, value in self.inside.items():
            path = path.replace("{" + name + "}", quote(value, safe=""))
        return path

    def query_items(self) -> tuple[tuple[str, str], ...]:
        """The given query parameters, as text."""
        return tuple((name, written(value)) for name, value in self.query.items() if value is not None)

    def header_items(self) -> dict[str, str]:
        """The given headers, as text."""
        return {name: written(value) for name, value in self.headers.items() if value is not None}


def written(value: object) -> str:
    """A parameter as text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
