"""The same work as a service of the usual kind does it: FastAPI, pydantic, asyncpg, PostgreSQL.

Every request is authenticated, every body is validated, every append is committed before it is answered, and a
ledger is read from its rows and validated before it leaves. What a good service does for speed is done: uvloop and
httptools, a pool of connections, prepared statements, orjson, models written straight to bytes, credentials
remembered for a second.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import pathlib
import secrets
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

import asyncpg
import orjson
from fastapi import Depends, FastAPI, Header, HTTPException, Request, Response
from pydantic import TypeAdapter

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "baseline"))
import sources  # noqa: E402
from shape import Call, Entry, Ledger, Recorded, Session, Told  # noqa: E402

PEPPER = os.environ["SERVICE_PEPPER"].encode()
HELD_SECONDS = 1.0
CALL: TypeAdapter[Call] = TypeAdapter(Call)


class Caller:
    def __init__(self, tenant: str, scopes: frozenset[str]) -> None:
        self.tenant, self.scopes = tenant, scopes


known: dict[bytes, tuple[float, Caller]] = {}


async def connected(connection: asyncpg.Connection) -> None:
    await connection.set_type_codec("jsonb", schema="pg_catalog", format="binary", encoder=written, decoder=read)


def written(value: object) -> bytes:
    return b"\x01" + orjson.dumps(value)


def read(value: bytes) -> object:
    return orjson.loads(value[1:])


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    app.state.pool = await asyncpg.create_pool(os.environ["SERVICE_DATABASE"], min_size=4, max_size=16, init=connected)
    yield
    await app.state.pool.close()


app = FastAPI(lifespan=lifespan, openapi_url=None)


async def caller(request: Request, authorization: Annotated[str, Header()] = "") -> Caller:
    mac = hmac.digest(PEPPER, authorization.removeprefix("Bearer ").encode(), "sha256")
    held = known.get(mac)
    if held is not None and time.monotonic() - held[0] < HELD_SECONDS:
        return held[1]
    row = await request.app.state.pool.fetchrow(
        "SELECT k.tenant, k.scopes FROM api_keys k JOIN members m ON m.tenant = k.tenant AND m.name = k.owner "
        "WHERE k.mac = $1 AND k.revoked_at IS NULL",
        mac,
    )
    if row is None:
        raise HTTPException(401)
    found = Caller(row["tenant"], frozenset(row["scopes"]))
    known[mac] = (time.monotonic(), found)
    return found


def needs(scope: str):  # noqa: ANN201
    async def allowed(who: Annotated[Caller, Depends(caller)]) -> Caller:
        if scope not in who.scopes:
            raise HTTPException(403)
        return who

    return Depends(allowed)


def json(body: bytes, status: int = 200) -> Response:
    return Response(body, status, {"etag": f'"{hashlib.sha256(body).hexdigest()}"'}, "application/json")


@app.get("/api/v1/sessions/{session_id}/ledger")
async def ledger(request: Request, session_id: str, who: Annotated[Caller, needs("view")]) -> Response:
    async with request.app.state.pool.acquire() as connection:
        row = await connection.fetchrow(
            "SELECT s.query, s.mode, l.id, l.body FROM sessions s JOIN ledgers l ON l.tenant = s.tenant AND "
            "l.session_id = s.id WHERE s.tenant = $1 AND s.id = $2 ORDER BY l.idx DESC LIMIT 1",
            who.tenant, session_id,
        )
        if row is None:
            raise HTTPException(404)
        rows = await connection.fetch(
            "SELECT entry FROM evidence_ledger WHERE tenant = $1 AND ledger_id = $2 ORDER BY ord", who.tenant, row["id"]
        )
    entries = [Entry.model_validate(row["entry"]) for row in rows]
    told = Told(
        ledger=Ledger.model_validate({**row["body"], "entries": entries}),
        session=Session(id=session_id, query=row["query"], mode=row["mode"]),
    )
    return json(told.model_dump_json(exclude_unset=True).encode())


@app.post("/api/v1/sources")
async def choose(request: Request, who: Annotated[Caller, needs("view")]) -> Response:
    asked = parsed(lambda body: sources.Request.model_validate_json(body), await request.body())
    chosen = [source.model_dump() for source in sources.pack_indexed(asked, asked.options)]
    return json(orjson.dumps({"type": "rag.sources", "payload": {"sources": chosen}}))


@app.post("/api/v1/tool-calls")
async def tool(request: Request, who: Annotated[Caller, needs("record")]) -> Response:
    call = parsed(CALL.validate_json, await request.body())
    body = call.model_dump(exclude_unset=True)
    leaf = hashlib.sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS)).hexdigest()
    name = f"rec_{secrets.token_hex(8)}"
    async with request.app.state.pool.acquire() as connection:
        if call.phase == "reported" and not await connection.fetchval(
            "SELECT true FROM tool_calls WHERE tenant = $1 AND call_id = $2 AND phase = 'intended'",
            who.tenant, call.tool_call_id,
        ):
            raise HTTPException(422)
        try:
            # One statement is one transaction, durable before the answer.
            index = await connection.fetchval(
                "INSERT INTO tool_calls (tenant, call_id, phase, id, leaf, body) VALUES ($1, $2, $3, $4, $5, $6) "
                "RETURNING idx",
                who.tenant, call.tool_call_id, call.phase, name, leaf, body,
            )
        except asyncpg.UniqueViolationError:
            raise HTTPException(409) from None
    done = Recorded(tool_call_id=call.tool_call_id, phase=call.phase, index=index, id=name, leaf=f"sha256:{leaf}")
    return json(done.model_dump_json().encode(), 201)


def parsed(parse, body: bytes):  # noqa: ANN001, ANN201
    try:
        return parse(body)
    except ValueError as error:
        raise HTTPException(422, str(error)) from None
