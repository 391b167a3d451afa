"""Makes the service's tables, with a key and with ledgers: `python seed.py URL GIVEN`."""

from __future__ import annotations

import asyncio
import hmac
import json
import pathlib
import sys

import asyncpg

TABLES = """
CREATE TABLE api_keys (mac bytea PRIMARY KEY, tenant text NOT NULL, owner text NOT NULL, scopes text[] NOT NULL,
    revoked_at timestamptz);
CREATE TABLE members (tenant text, name text, role text NOT NULL, PRIMARY KEY (tenant, name));
CREATE TABLE sessions (tenant text, id text, query text, mode text, PRIMARY KEY (tenant, id));
CREATE TABLE ledgers (idx bigserial, tenant text, id text, session_id text NOT NULL, body jsonb NOT NULL,
    PRIMARY KEY (tenant, id));
CREATE INDEX ON ledgers (tenant, session_id, idx);
CREATE TABLE evidence_ledger (tenant text, ledger_id text, ord int, entry jsonb NOT NULL,
    PRIMARY KEY (tenant, ledger_id, ord));
CREATE TABLE tool_calls (idx bigserial PRIMARY KEY, tenant text NOT NULL, call_id text NOT NULL, phase text NOT NULL,
    id text NOT NULL, leaf text NOT NULL, body jsonb NOT NULL, at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (tenant, call_id, phase));
"""


async def main(url: str, given: dict) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute(TABLES)
    mac = hmac.digest(given["pepper"].encode(), given["key"].encode(), "sha256")
    await connection.execute("INSERT INTO members VALUES ('acme', 'amal', 'admin')")
    await connection.execute("INSERT INTO api_keys VALUES ($1, 'acme', 'amal', $2)", mac, ["view", "record"])
    for told in given["ledgers"]:
        session, ledger = told["session"], told["ledger"]
        entries = ledger.pop("entries")
        await connection.execute(
            "INSERT INTO sessions VALUES ('acme', $1, $2, $3)", session["id"], session["query"], session["mode"]
        )
        await connection.execute(
            "INSERT INTO ledgers (tenant, id, session_id, body) VALUES ('acme', $1, $2, $3)",
            ledger["id"], session["id"], json.dumps(ledger),
        )
        await connection.executemany(
            "INSERT INTO evidence_ledger VALUES ('acme', $1, $2, $3)",
            [(ledger["id"], ord, json.dumps(entry)) for ord, entry in enumerate(entries)],
        )
    await connection.execute("ANALYZE")
    await connection.close()


asyncio.run(main(sys.argv[1], json.loads(pathlib.Path(sys.argv[2]).read_bytes())))
