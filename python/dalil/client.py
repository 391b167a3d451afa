"""Clients of a Dalil server, typed from its OpenAPI document: `Client` and `AsyncClient`.

    with dalil.Client("https://dalil.example", api_key=key) as client:
        page = client.list_sessions(limit=10)
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from dalil._operations import AsyncOperations, Operations
from dalil._request import ApiRequest, ReplyKind
from dalil.errors import Failure, MissingExtra, Problem

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from dalil._openapi import Problem as ProblemJson

try:
    import httpx
except ImportError as error:
    raise MissingExtra("httpx", "client") from error

__all__ = ["AsyncClient", "Client"]

_PROBLEM = "application/problem+json"


class Client(Operations):
    """A synchronous client. A reply that is not a success raises `dalil.Problem`."""

    def __init__(
        self,
        address: str,
        *,
        api_key: str | None = None,
        language: str = "en",
        timeout: float = 60.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        headers = _headers(api_key, language)
        self._http = httpx.Client(
            base_url=address, headers=headers, timeout=timeout, transport=transport
        )

    def send(self, request: ApiRequest) -> object:
        try:
            return _read(request, self._http.send(_built(self._http, request)))
        except httpx.TransportError as error:
            raise Failure(_unreached(error), "is the server running at this address?") from error

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class AsyncClient(AsyncOperations):
    """An asynchronous client. A reply that is not a success raises `dalil.Problem`."""

    def __init__(
        self,
        address: str,
        *,
        api_key: str | None = None,
        language: str = "en",
        timeout: float = 60.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        headers = _headers(api_key, language)
        self._http = httpx.AsyncClient(
            base_url=address, headers=headers, timeout=timeout, transport=transport
        )

    async def send(self, request: ApiRequest) -> object:
        try:
            return _read(request, await self._http.send(_built(self._http, request)))
        except httpx.TransportError as error:
            raise Failure(_unreached(error), "is the server running at this address?") from error

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


def _headers(api_key: str | None, language: str) -> dict[str, str]:
    known = {"accept-language": language}
    return known if api_key is None else {**known, "authorization": f"Bearer {api_key}"}


def _built(http: httpx.Client | httpx.AsyncClient, request: ApiRequest) -> httpx.Request:
    headers = request.header_items()
    content = request.content
    if request.json is not None:
        content = json.dumps(request.json, ensure_ascii=False).encode()
        headers["content-type"] = "application/json"
    elif content is not None:
        headers["content-type"] = request.media_type
    query = httpx.QueryParams(request.query_items())
    return http.build_request(
        request.method, request.url_path(), params=query, headers=headers, content=content
    )


def _read(request: ApiRequest, response: httpx.Response) -> object:
    if not response.is_success:
        is_problem = response.headers.get("content-type", "").startswith(_PROBLEM)
        problem = cast("ProblemJson", response.json()) if is_problem else None
        raise Problem(response.status_code, problem, response.text)
    if request.reply is ReplyKind.JSON:
        return cast("object", response.json())
    return response.text if request.reply is ReplyKind.TEXT else response.content


def _unreached(error: httpx.TransportError) -> str:
    return f"expected a reply of the server, found {error or type(error).__name__}"
