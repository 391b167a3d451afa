"""The tools for agents, by the official client of the protocol: `agent.py PROGRAM BASE KEY`.

Over standard input and over HTTP, in the protocol with a handshake and in the one without; then the
quickstarts of docs/agents.md, as they stand there.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

PROGRAM, BASE, KEY = sys.argv[1:]
PAGE = Path(__file__).resolve().parents[2] / "docs" / "agents.md"
TOOLS = ["build_bundle", "find_sources", "check_answer", "record_decision", "record_tool_call", "verify_evidence"]
CHUNK = {"id": "kb-42", "text": "All employees receive 15 days of leave."}
ANSWER = "Employees receive 15 days of leave. They may work from the moon."
DECISION = {
    "tenant_id": "acme", "entity_id": "case-1", "agent_name": "clerk", "action_type": "internal_note",
    "approval_class": "A0", "reversibility_class": "R1", "sensitivity_class": "S2", "confidence": 0.9,
    "created_at": "2026-01-03T12:00:00Z", "objective": "Answer a question about leave",
    "rationale": "The policy says so.", "recommendation": {"days": 15}, "options_considered": ["ask a person"],
    "prompts": [{"template_name": "leave"}], "next_actions": [],
    "evidence": [{"source": "hr.policy", "uri": "lake://hr/leave.md", "confidence": 0.9,
                  "excerpt": "15 days of leave", "retrieved_at": "2026-01-03T10:00:00Z"}],
}  # fmt: skip


def same(found: object, expected: object) -> None:
    if found != expected:
        raise SystemExit(f"error: expected {expected!r}, found {found!r}")


async def tour(client: Client, tenant: str, way: str) -> None:
    """Every tool and resource once, and what each refuses."""
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    same(list(tools), TOOLS)
    same(all(tool.input_schema["type"] == "object" and tool.description for tool in tools.values()), True)

    async def call(name: str, **arguments: object) -> dict:
        result = await client.call_tool(name, arguments)
        if result.is_error:
            raise SystemExit(f"error: {name}: {result.content}")
        same(json.loads(result.content[0].text), result.structured_content)
        return result.structured_content

    session = f"ses-{way}"
    checked = await call("check_answer", answer=ANSWER, session_id=session, chunks=[CHUNK])
    same([entry["verdict"] for entry in checked["ledger"]["entries"]], ["supported", "not_found"])
    part = {"document_id": "leave.md", "chunk_index": 0, "text": CHUNK["text"]}
    built = await call("build_bundle", created_utc="2026-01-03T14:30:00Z", evidence_refs={"doc_chunks": [part]})
    anchor = built["bundle"]["items"][0]["anchor"]
    cited = await call(
        "check_answer", answer=f"Employees receive 15 days of leave [cite:{anchor}].",
        bundle_id=built["saved"]["bundle_id"],
    )  # fmt: skip
    same(cited["ledger"]["entries"][0]["verdict"], "supported")
    candidate = {"item_id": "doc_1", "title": "Leave policy", "score": 0.9}
    found = await call("find_sources", candidates=[candidate], evidence_chunks=[], options={"max_sources": 2})
    same(found["payload"]["sources"][0]["title"], "Leave policy")
    # Before it acts, and after: what it decided, what it means to do, what came of it.
    decided = await call("record_decision", **{**DECISION, "tenant_id": tenant, "decision_id": f"dec-{way}"})
    same(decided["decision_id"], f"dec-{way}")
    tool = {"tool_call_id": f"call-{way}", "tool_name": "hr.lookup", "decision_id": f"dec-{way}"}
    await call("record_tool_call", phase="intended", intended_action="look up leave", inputs={"case": 1}, **tool)
    reported = {"phase": "reported", "tool_call_id": f"call-{way}", "outcome": "succeeded"}
    told = await call("record_tool_call", actual_action={"looked_up": "leave"}, side_effects=[], **reported)
    same(told["phase"], "reported")
    report = await call("verify_evidence", evidence=checked["ledger"])
    same(report["verdict"] in ("pass", "incomplete"), True)
    wrong = {**checked["ledger"], "session_id": "another"}
    same((await call("verify_evidence", evidence=wrong))["verdict"], "fail")

    listed = [resource.uri for resource in (await client.list_resources()).resources]
    same(str(listed[0]).startswith("dalil://sessions/"), True)
    templates = (await client.list_resource_templates()).resource_templates
    same([one.uri_template for one in templates], ["dalil://sessions/{session_id}/ledger", "dalil://packs/{pack_id}"])
    read = await client.read_resource(f"dalil://sessions/{session}/ledger")
    same(json.loads(read.contents[0].text), checked)

    # What is wrong is a result that the model can read, with the path of each fault.
    refused = await client.call_tool("check_answer", {"answer": "", "chunks": [{"id": "a"}]})
    same(refused.is_error, True)
    same([fault["path"] for fault in refused.structured_content["faults"]], ["answer", "chunks[0].text"])
    same(refused.content[0].text.splitlines()[1], "answer: expected some text, found ``")
    refused = await client.call_tool("verify_evidence", {"evidence": 7})
    same((refused.is_error, refused.structured_content["faults"][0]["path"]), (True, "evidence"))
    for unknown in (client.call_tool("erase", {}), client.read_resource("dalil://sessions/none/ledger")):
        try:
            await unknown
        except MCPError:
            continue
        raise SystemExit("error: expected an error of the protocol, found none")


def over_http(key: str) -> tuple[httpx2.AsyncClient, object]:
    http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=60)
    return http, streamable_http_client(f"{BASE}/mcp", http_client=http)


async def official() -> None:
    modes = ("legacy", "auto", "2026-07-28")
    for mode in modes:
        args = ["mcp", "--actor", "agent:clerk", "--temporary"]
        # The client hands on little of its environment; the verdicts are those of the program alone.
        program = StdioServerParameters(command=PROGRAM, args=args, env={"XDG_DATA_HOME": "/nowhere"})
        async with Client(program, mode=mode) as client:
            same(client.protocol_version, "2025-11-25" if mode == "legacy" else "2026-07-28")
            await tour(client, "temporary", f"stdio-{mode}")
        http, transport = over_http(KEY)
        async with http, Client(transport, mode=mode) as client:
            await tour(client, "acme", f"http-{mode}")
    # Without a key there is nothing.
    http, transport = over_http("none")
    try:
        async with http, Client(transport) as client:
            await client.list_tools()
    except Exception:  # noqa: BLE001: the client has no one exception for it
        return
    raise SystemExit("error: expected a refusal of an unknown key, found none")


def quickstarts() -> None:
    """The code of the page, run as it stands there; what it says is printed is printed."""
    page = PAGE.read_text(encoding="utf-8")
    local, remote = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (expected,) = re.findall(r"It prints:\n\n```text\n(.*?)```", page, re.DOTALL)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "dalil").symlink_to(Path(PROGRAM).resolve())
        path = f"{folder}{os.pathsep}{os.environ['PATH']}"
        # A home without a deep judge.
        env = {**os.environ, "PATH": path, "HOME": folder, "DALIL_URL": BASE, "DALIL_KEY": KEY}
        said = [
            subprocess.run([sys.executable, "-c", code], env=env, check=True, stdout=subprocess.PIPE, text=True).stdout
            for code in (local, remote)
        ]
    same(said, [expected, f"{TOOLS}\n"])


asyncio.run(official())
quickstarts()
print("agents: six tools, two resources, over standard input and HTTP, in both protocols")
