"""Checks the vectors of completeness statements.

Written from `spec/record.md`, "Completeness", alone; exports are read by `trail.py`.
"""

import base64
import binascii
import hashlib
import json
import pathlib

import checkpoint
import jcs
import trail

TYPE = "application/vnd.dalil.completeness+json"
CAUSES = [
    ("obligation.skipped", "skipped"),
    ("obligation.status_changed", "status_only"),
]


def check(folder: pathlib.Path) -> list[str]:
    problems = []
    for path in sorted(folder.glob("*.json")):
        problem = check_vector(json.loads(path.read_text(encoding="utf-8")), folder)
        problems += [f"{path.name}: {problem}"] if problem else []
    return problems


def check_vector(vector: dict, folder: pathlib.Path) -> str | None:
    root = folder.parent.parent.parent

    def given(name: str) -> bytes | None:
        args = vector["args"]
        return (root / args[args.index(name) + 1]).read_bytes() if name in args else None

    trust = checkpoint.Trust(json.loads(given("--trust")))
    now = checkpoint.millis(vector["args"][vector["args"].index("--at") + 1])
    found = verify(vector["input"], (given("--trail"), given("--expected")), trust, now)
    said = [(one["part"], one["verdict"]) for one in vector["output"]["findings"]]
    if found != said:
        return f"found {found}, the vector says {said}"
    worst = max((verdict for _, verdict in found), key=trail.WORST.index)
    exits = {"pass": 0, "fail": 1, "incomplete": 2}
    return None if vector["exit"] == exits[worst] else f"found {worst}"


def verify(envelope: dict, files: tuple, trust: checkpoint.Trust, now: int) -> list:
    payload = payload_of(envelope)
    if payload is None or not sound(statement := json.loads(payload), payload):
        return [("format", "fail")]
    found = [("format", "pass"), *signature(envelope, payload, statement, trust, now)]
    note = checkpoint.Note(statement["checkpoint"])
    found.append(checkpoint.checkpoint_part(note, trust))
    found += trust.related(checkpoint.checkpoint(note.text)[1:])
    found += checkpoint.signers(note, None, trust, now)
    export, expected = files
    if expected is None:
        found.append(("expected", "incomplete"))
    else:
        ids = json.loads(expected)["expected_obligation_ids"]
        found.append(("expected", "pass" if digest(ids) == statement["expected"] else "fail"))
    if export is None:
        return found + [("completeness", "incomplete")]
    return found + looked_up(statement, trail.Export(export, trust, now))


def payload_of(envelope: dict) -> bytes | None:
    """The payload of an envelope that is one: these fields, and each key once."""
    if set(envelope) != {"payload", "payloadType", "signatures"} or envelope["payloadType"] != TYPE:
        return None
    signatures = envelope["signatures"]
    keys = [one.get("keyid") for one in signatures]
    is_sound = all(set(one) == {"keyid", "sig"} and one["keyid"].strip() for one in signatures)
    if not signatures or not is_sound or len(set(keys)) != len(keys):
        return None
    texts = [envelope["payload"], *(one["sig"] for one in signatures)]
    try:
        decoded = [base64.b64decode(text, validate=True) for text in texts]
    except binascii.Error:
        return None
    is_canonical = [base64.b64encode(one).decode() for one in decoded] == texts
    return decoded[0] if is_canonical else None


def sound(statement: dict, payload: bytes) -> bool:
    """Whether the parts of a statement belong together."""
    lists = [[one["obligation_id"] for one in statement[name]] for name in ("found", "missing")]
    ids = [*lists[0], *lists[1]]
    _, size, root = checkpoint.checkpoint(checkpoint.Note(statement["checkpoint"]).text)
    return (
        all(one == sorted(set(one)) for one in lists)
        and len(set(ids)) == len(ids)
        and digest(ids) == statement["expected"]
        and (statement["size"], statement["root"]) == (size, "sha256:" + root.hex())
        and jcs.dumps(statement) == payload
    )


def digest(ids: list[str]) -> dict:
    ids = sorted(set(ids))
    return {"count": len(ids), "sha256": "sha256:" + hashlib.sha256(jcs.dumps(ids)).hexdigest()}


def signature(envelope: dict, payload: bytes, statement: dict, trust: checkpoint.Trust, now: int) -> list:
    if not trust.keys:
        return [("signature", "incomplete")]
    head = f"DSSEv1 {len(TYPE)} {TYPE} {len(payload)} ".encode()
    for key in trust.keys:
        for one in envelope["signatures"]:
            if key.verifies(head + payload, base64.b64decode(one["sig"])):
                made = checkpoint.millis(statement["made_at"])
                later = [("time", "incomplete")] if made > now else []
                standing = trust.standing(key, made, None)
                return [("signature", "pass"), *later, ("statement key", standing)]
    return [("signature", "fail")]


def looked_up(statement: dict, export: trail.Export) -> list:
    size = statement["size"]
    bad = [
        ("trail", verdict)
        for part, verdict in export.findings
        if verdict != "pass" and (part, verdict) != ("payloads", "incomplete")
    ]
    records = [(envelope, index, payload) for envelope, index, payload, *_ in export.records]
    whole = [index for _, index, _ in records] == list(range(len(records)))
    if not whole or len(records) < size:
        return bad + [("trail", "incomplete"), ("completeness", "incomplete")]
    if "sha256:" + export.root_at(size).hex() != statement["root"]:
        return bad + [("trail", "fail"), ("completeness", "incomplete")]
    wrong = []
    for one in [*statement["found"], *statement["missing"]]:
        about = [
            (envelope["type"], index, payload)
            for envelope, index, payload in records[:size]
            if envelope["subject"] == one["obligation_id"]
        ]
        if outcome(about, size) != one.get("index", one.get("why")):
            wrong.append(("completeness", "fail"))
    return (bad or [("trail", "pass")]) + (wrong or [("completeness", "pass")])


def outcome(about: list, size: int):
    """The newest record of the evidence, or why there is none."""

    def is_erased(payload: dict) -> bool:
        return any(field.get("by", size) < size for field in payload.values())

    evidence = [one for one in about if one[0] == "obligation.recorded"]
    kept = [index for _, index, payload in evidence if not is_erased(payload)]
    if kept:
        return max(kept)
    if evidence:
        return "erased"
    kinds = {kind for kind, _, _ in about}
    return next((cause for kind, cause in CAUSES if kind in kinds), "never_recorded")
