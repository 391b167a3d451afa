"""Checks the vectors of in-toto statements, written from `spec/in-toto.md` alone.

Envelopes are read and their signatures checked by securesystemslib, the library of the in-toto
project; the pack in a statement is opened as `pack.py` opens a sealed one.
"""

import base64
import hashlib
import json
import pathlib

import jcs
import pack
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import SSlibKey

PAYLOAD_TYPE = "application/vnd.in-toto+json"
STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "https://github.com/dalil/dalil/spec/in-toto/pack/v1"
HEX = set("0123456789abcdef")


def check(folder: pathlib.Path) -> list[str]:
    problems = []
    for path in sorted(folder.glob("*.json")):
        found = check_vector(json.loads(path.read_text(encoding="utf-8")))
        problems += [f"{path.name}: {problem}" for problem in found]
    return problems


def check_vector(vector: dict) -> list[str]:
    said, order = {}, ["pass", "incomplete", "fail"]
    for one in vector["output"]["findings"]:
        said[one["part"]] = max(said.get(one["part"], "pass"), one["verdict"], key=order.index)
    worst = max(said.values(), key=order.index)
    problems = []
    if (vector["output"]["verdict"], vector["exit"]) != (worst, {"pass": 0, "fail": 1, "incomplete": 2}[worst]):
        problems.append("the verdict is not the worst of its findings")
    for part, verdict in verified(vector["input"], vector["args"]).items():
        if said.get(part) != verdict:
            problems.append(f"{part}: {said.get(part)} is stated, {verdict} was found")
    return problems


def verified(envelope: dict, args: list[str]) -> dict:
    payload = base64.b64decode(envelope["payload"])
    statement = json.loads(payload)
    if envelope["payloadType"] != PAYLOAD_TYPE or not envelope["signatures"] or not sound(statement, payload):
        return {"format": "fail"}
    predicate = statement["predicate"]
    bytes_of_pack = jcs.dumps(predicate["pack"])
    sealed = {
        "envelope": {
            "payload": base64.b64encode(bytes_of_pack).decode(),
            "payloadType": pack.PAYLOAD_TYPE,
            "signatures": predicate["signatures"],
        }
    } | {name: predicate[name] for name in ("receipt", "salt") if name in predicate}
    found = pack.opened({"input": sealed, "args": args})
    subject = {"name": predicate["pack"]["pack_id"], "digest": {"sha256": hashlib.sha256(bytes_of_pack).hexdigest()}}
    late = pack.moment(predicate["made_at"]) > pack.moment(args[args.index("--at") + 1])
    about = "fail" if statement["subject"] != [subject] else "incomplete" if late else "pass"
    return found | {"statement": about, "statement signature": signature(envelope, args)}


def sound(statement: dict, payload: bytes) -> bool:
    """Whether a statement has its fields and no others, in the one spelling."""
    if set(statement) != {"_type", "subject", "predicateType", "predicate"} or jcs.dumps(statement) != payload:
        return False
    if (statement["_type"], statement["predicateType"]) != (STATEMENT_TYPE, PREDICATE_TYPE):
        return False
    predicate, subjects = statement["predicate"], statement["subject"]
    needed = {"made_at", "pack", "signatures"}
    if not needed <= set(predicate) <= needed | {"receipt", "salt"} or len(subjects) != 1:
        return False
    digits = subjects[0]["digest"]["sha256"]
    return len(digits) == 64 and set(digits) <= HEX


def signature(envelope: dict, args: list[str]) -> str:
    trusted = pack.trusted(args)
    if trusted is None:
        return "incomplete"
    name, short, point = trusted
    key = SSlibKey(f"{name}+{short}", "ed25519", "ed25519", {"public": point.hex()})
    try:
        Envelope.from_dict(envelope).verify([key], 1)
    except VerificationError:
        return "fail"
    return "pass"
