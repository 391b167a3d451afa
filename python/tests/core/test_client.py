"""The client, against a real server."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_check import BAD_CHUNKS

sys.path.insert(0, str(Path(__file__).parent.parent))
import quickstart  # noqa: E402

import dalil  # noqa: E402


@pytest.fixture(scope="module")
def server(
    built_program: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, str]]:
    """The address of a server and a key for it."""
    folder = tmp_path_factory.mktemp("store")

    def dalil_command(*arguments: str) -> str:
        command = [built_program, *arguments, "--json"]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout

    dalil_command("tenant", "create", "acme", "--origin", "dalil.example/acme")
    dalil_command("member", "add", "amal", "--role", "admin", "--actor", "system")
    scopes = ["--scope", "view", "--scope", "record"]
    added = dalil_command("apikey", "add", "--for", "person:amal", *scopes, "--actor", "system")
    with (folder / "log").open("w") as log:
        command = [built_program, "serve", "--listen", "127.0.0.1:0"]
        process = subprocess.Popen(command, cwd=folder, stderr=log)
    try:
        yield _address(folder / "log"), str(json.loads(added)["api_key"])
    finally:
        process.terminate()
        process.wait()


def _address(log: Path) -> str:
    for _ in range(600):
        for line in log.read_text(encoding="utf-8").splitlines():
            if line.startswith("listening on "):
                return line.removeprefix("listening on ")
        time.sleep(0.1)
    raise TimeoutError(log.read_text(encoding="utf-8"))


def test_calls_are_typed(server: tuple[str, str]) -> None:
    address, key = server
    with dalil.Client(address, api_key=key) as client:
        opened = client.open_session({"query": "How many days?", "answer": "15 days."})
        shown = client.show_session(opened["session_id"])
        assert shown["query"] == "How many days?"
        uploaded = client.upload_document(b"Leave is 15 days.", filename="a & b.md")
        original = client.document_original(uploaded["document_id"])
        assert original == b"Leave is 15 days."
        assert client.document_text(uploaded["document_id"]) == "Leave is 15 days."
        assert [one["filename"] for one in client.list_documents(limit=10)["items"]] == ["a & b.md"]


def test_the_claims_of_an_answer_come_as_events(server: tuple[str, str]) -> None:
    address, key = server
    lines = [{"chunks": [{"id": "a", "text": "Leave is 15 days."}]}, {"text": "Leave is 15 "}, {"text": "days."}]
    body = "".join(json.dumps(line) + "\n" for line in lines).encode()
    with dalil.Client(address, api_key=key) as client:
        told = client.check_answer_stream(body)
    names = [line.removeprefix("event: ") for line in told.splitlines() if line.startswith("event: ")]
    assert names == ["claim", "job", "ledger"]


def test_calls_are_awaited(server: tuple[str, str]) -> None:
    address, key = server

    async def calls() -> list[str]:
        async with dalil.AsyncClient(address, api_key=key) as client:
            pages = await asyncio.gather(*(client.list_sessions(limit=1) for _ in range(4)))
            return [str(sorted(page)) for page in pages]

    assert len(set(asyncio.run(calls()))) == 1


def test_a_problem_has_the_faults_of_the_request(server: tuple[str, str]) -> None:
    address, key = server
    with dalil.Client(address, api_key=key) as client:
        with pytest.raises(dalil.Problem) as problem:
            client.open_session({"query": "", "answer": ""})
        assert problem.value.status == 422
        assert {fault.path for fault in problem.value.faults} >= {"answer"}
        assert all(fault.expected and fault.found for fault in problem.value.faults)
        with pytest.raises(dalil.Problem) as missing:
            client.show_session("../healthz")
        assert missing.value.status in (400, 404, 422)
    with dalil.Client(address) as client, pytest.raises(dalil.Problem) as unknown:
        client.list_sessions()
    assert unknown.value.status == 401


@pytest.mark.parametrize("chunks", BAD_CHUNKS)
def test_bad_chunks_have_the_same_faults_here_and_at_a_server(server: tuple[str, str], chunks: list[Any]) -> None:
    address, key = server
    with dalil.Client(address, api_key=key) as client, pytest.raises(dalil.Problem) as problem:
        client.check_answer({"answer": "15 days.", "chunks": chunks}, wait=30)
    with pytest.raises(dalil.Refused) as refused:
        dalil.check("15 days.", chunks=chunks)
    assert problem.value.faults == refused.value.faults


def test_a_server_that_is_not_there_is_a_failure() -> None:
    with dalil.Client("http://127.0.0.1:9") as client, pytest.raises(dalil.Failure):
        client.is_alive()


def test_the_blocks_of_the_page_run(server: tuple[str, str]) -> None:
    address, key = server
    names: dict[str, object] = {
        "dalil": dalil,
        "address": address,
        "key": key,
        "question": "How many days?",
        "answer": "15 days.",
    }
    for block in quickstart.blocks("A server"):
        quickstart.run(block, names)
    assert "page" in names
