"""Checks the vectors of records: envelopes, commitments, lineages, and the evidence of obligations.

Written from `spec/record.md` alone.
"""

import datetime
import hashlib
import json
import pathlib
import re

import jcs

KINDS = {
    "access.refused", "apikey.added", "apikey.revoked", "approval.asked", "approval.given",
    "approval.used", "bundle.built", "checkpoint.timestamped", "checkpoint.witnessed", "claim.reviewed",
    "decision.recorded", "document.added", "export.made", "hold.lifted", "hold.placed",
    "invitation.made", "invitation.used", "invitation.withdrawn",
    "job.accepted", "job.ended", "key.added", "key.redated", "key.retired", "key.revoked", "ledger.closed",
    "member.added", "member.removed", "obligation.recorded", "obligation.skipped",
    "obligation.status_changed", "pack.reviewed", "pack.sealed", "payload.erased",
    "question.replied", "run.recorded", "session.opened", "tenant.created", "tool.intended", "tool.reported",
}  # fmt: skip
OUTCOMES = ("CONFIRMED", "DISPUTED", "UNVERIFIED")
STATUSES = ("ACTIVE", "SUPERSEDED", "TERMINATED", "UNRESOLVED")
ACTIONS = {"REPLACE": "SUPERSEDED", "DELETE": "TERMINATED", "MODIFY": None, "UNCHANGED": None}
MINIMAL_KEYS = {"clause", "doc_id", "status"}
ORIGIN_KEYS = {"action", "amendment_number", "amendment_source_clause", "doc_id"}
CHANGE_KEYS = {"changed_by_doc_id", "new_status", "old_status", "reason"}


class Refused(Exception):
    """An envelope that breaks rules, with the path of each."""

    def __init__(self, faults: list[str]):
        super().__init__(", ".join(faults))
        self.faults = faults


def check(folder: pathlib.Path) -> list[str]:
    problems = []
    for path in sorted(folder.glob("*.json")):
        vector = json.loads(path.read_text(encoding="utf-8"))
        problem = check_vector(vector)
        if problem:
            problems.append(f"{path.name}: {problem}")
    return problems


def check_vector(vector: dict) -> str | None:
    if "args" in vector:
        return check_command(vector)
    for case in vector.get("envelopes", []):
        problem = check_envelope(case)
        if problem:
            return problem
    for case in vector.get("refused_envelopes", []):
        try:
            parse(case["text"].encode())
        except Refused as error:
            if error.faults != case["paths"]:
                return f"{case['why']}: found {error.faults}"
        else:
            return f"read: {case['why']}"
    for case in vector.get("lineages", []):
        found = lineage([text.encode() for text in case["records"]])
        if found != case["verdict"]:
            return f"{case['why']}: found {found}"
    return None


# Envelopes, leaves, commitments, lineages.


def parse(data: bytes) -> dict:
    """The envelope in canonical bytes; Refused names the path of every fault."""
    if len(data) > 4095:
        raise Refused(["$"])
    try:
        value = jcs.loads(data)
    except ValueError:
        raise Refused(["$"]) from None
    faults = envelope_faults(value)
    if faults:
        raise Refused(faults)
    if jcs.dumps(value) != data or value["at"] != canonical_time(value["at"]):
        raise Refused(["$"])
    return value


def envelope_faults(value: object) -> list[str]:
    if not isinstance(value, dict):
        return ["$"]
    rules = {
        "v": lambda v: v == 1,
        "type": lambda kind: kind in KINDS,
        "id": lambda text: matches(r"rec_[0-9a-f]{16}", text),
        "at": lambda text: canonical_time(text) is not None,
        "actor": is_actor,
        "subject": is_given,
        "lineage": is_lineage,
        "commitments": is_commitments,
    }
    faults = [name for name, rule in rules.items() if name not in value or not rule(value[name])]
    return faults + [name for name in value if name not in rules]


def is_actor(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    if value.get("kind") == "system":
        return set(value) == {"kind"}
    named = value.get("kind") in ("agent", "person")
    return named and set(value) == {"kind", "id"} and is_given(value["id"])


def is_lineage(value: object) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("sequence"), int):
        return False
    if value["sequence"] == 0:
        return set(value) == {"sequence"}
    return set(value) == {"sequence", "previous"} and is_digest(value["previous"])


def is_commitments(value: object) -> bool:
    named = isinstance(value, dict) and all(matches(r"[a-z0-9_.]{1,64}", name) for name in value)
    return named and all(map(is_digest, value.values()))


def is_digest(text: object) -> bool:
    return matches(r"sha256:[0-9a-f]{64}", text)


def is_given(text: object) -> bool:
    if not isinstance(text, str) or not 1 <= len(text) <= 200:
        return False
    controls = any(ord(char) < 0x20 or 0x7F <= ord(char) <= 0x9F for char in text)
    return text.strip() == text and not controls


def matches(pattern: str, text: object) -> bool:
    return isinstance(text, str) and re.fullmatch(pattern, text) is not None


def canonical_time(text: object) -> str | None:
    try:
        time = datetime.datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    except ValueError:
        return None
    time = time.astimezone(datetime.UTC)
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03}Z"


def leaf(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(b"\x00" + data).hexdigest()


def commitment(name: str, salt: bytes, data: bytes) -> str:
    parts = (b"dalil commitment v1", name.encode(), salt, data)
    framed = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    return "sha256:" + hashlib.sha256(framed).hexdigest()


def check_envelope(case: dict) -> str | None:
    data = case["text"].encode()
    envelope = parse(data)
    if leaf(data) != case["leaf"]:
        return f"{case['why']}: leaf"
    opened = {
        name: commitment(name, bytes.fromhex(field["salt"]), field["text"].encode())
        for name, field in case.get("payload", {}).items()
    }
    return None if opened == envelope["commitments"] else f"{case['why']}: commitments"


def lineage(records: list[bytes]) -> str:
    """`pass` when every subject's records follow one another, `fail` otherwise."""
    subjects: dict[str, list] = {}
    for data in records:
        envelope = parse(data)
        subjects.setdefault(envelope["subject"], []).append((envelope, leaf(data)))
    for chain in subjects.values():
        chain.sort(key=lambda item: item[0]["lineage"]["sequence"])
        before, time = None, ""
        for place, (envelope, own) in enumerate(chain):
            link = envelope["lineage"]
            follows = link["sequence"] == place and link.get("previous") == before
            if not follows or envelope["at"] < time:
                return "fail"
            before, time = own, envelope["at"]
    return "pass" if subjects else "incomplete"


# The evidence of obligations, as the command line gives it.


def check_command(vector: dict) -> str | None:
    action = vector["args"][1]
    output = vector.get("output", {})
    if "refused" in output:
        if vector["exit"] != 1 or not output["refused"]:
            return "a refusal without a fault"
        is_json = any(fault["rule"] in ("json", "duplicate_key") for fault in output["refused"])
        return None if is_json == (not readable(vector)) else "the JSON is not what is refused"
    request = jcs.loads(vector["input_text"]) if "input_text" in vector else vector["input"]
    found = {"package": package, "status": status, "validate": validate, "resolve": resolve}[action](
        request
    )
    if jcs.dumps(found) != jcs.dumps(output):
        return f"found {jcs.dumps(found).decode()}"
    expected = 1 if action == "validate" and not found["valid"] else 0
    return None if vector["exit"] == expected else f"exit {expected} expected"


def readable(vector: dict) -> bool:
    """Whether the request of a vector is JSON as `jcs` reads it."""
    try:
        jcs.loads(vector.get("input_text", "null"))
    except ValueError:
        return False
    return True


def package(request: dict) -> dict:
    records, skipped, findings, said = [], [], [], []
    chains = request.get("amendment_chains") or {}
    for obligation in request["obligations"]:
        name, doc_id = obligation["obligation_id"], obligation["doc_id"]
        document = request["documents"].get(doc_id)
        verification = request["verifications"].get(name)
        if document is None:
            skipped.append({"obligation_id": name, "reason": f"missing document {doc_id}"})
            continue
        if verification is None:
            skipped.append({"obligation_id": name, "reason": "missing verification"})
            continue
        confidence = verification.get("confidence", obligation.get("confidence"))
        if confidence is None:
            findings.append((name, "missing_confidence"))
        records.append({
            "obligation_id": name,
            "doc_id": doc_id,
            "doc_filename": document["filename"],
            "page_number": obligation.get("source_page"),
            "section_reference": obligation.get("section_reference"),
            "source_clause": obligation["source_clause"],
            "extraction_model": obligation["extraction_model"],
            "verification_model": verification["verification_model"],
            "verification_result": outcome(verification),
            "confidence": score(confidence or 0),
            "amendment_history": chains.get(name),
        })  # fmt: skip
        said.append(terms(obligation, document, verification))
    known = {obligation["obligation_id"] for obligation in request["obligations"]}
    findings += [(name, "unused_verification") for name in sorted(set(request["verifications"]) - known)]
    findings += [(name, "unused_chain") for name in sorted(set(chains) - known)]
    found = [{"obligation_id": name, "rule": rule, "message": MESSAGES[rule]} for name, rule in findings]
    said = {"terms": [one for one in said if len(one) > 1]}
    return {"records": records, "skipped": skipped, "findings": found} | (said if said["terms"] else {})


def terms(obligation: dict, document: dict, verification: dict) -> dict:
    """What is said of an obligation beside its evidence; its id alone, where nothing is."""
    said = {name: obligation.get(name) for name in TERMS}
    said |= {name: document.get(name) for name in ("parties", "effective_date", "content_hash")}
    said["verification_reason"] = verification.get("reason")
    said = {name: value for name, value in said.items() if value is not None}
    return {"obligation_id": obligation["obligation_id"]} | said


TERMS = (
    "obligation_type", "obligation_text", "responsible_party", "counterparty", "frequency", "deadline",
)  # fmt: skip


MESSAGES = {
    "missing_confidence": "neither the verifier nor the extractor gave a confidence; 0 stands in",
    "unused_verification": "a verification without an obligation was left out",
    "unused_chain": "an amendment chain without an obligation was left out",
}


def outcome(verification: dict) -> str:
    if verification.get("result"):
        return verification["result"]
    return {True: "CONFIRMED", False: "DISPUTED", None: "UNVERIFIED"}[verification.get("verified")]


def score(value: object) -> float:
    return round(float(value) * 10_000) / 10_000


def status(request: dict) -> dict:
    by = request.get("changed_by_doc_id")
    entry = {key: request[key] for key in ("old_status", "new_status", "reason")}
    change = f"{request['old_status']} to {request['new_status']}: {request['reason']}"
    return {
        "obligation_id": request["obligation_id"],
        "doc_id": by or "SYSTEM",
        "doc_filename": "status_change",
        "page_number": None,
        "section_reference": None,
        "source_clause": f"Status changed from {change}",
        "extraction_model": "SYSTEM",
        "verification_model": "SYSTEM",
        "verification_result": "UNVERIFIED",
        "confidence": 1,
        "amendment_history": [entry | {"changed_by_doc_id": by}],
    }


def validate(request: dict) -> dict:
    gaps = []
    for one in request["records"]:
        is_change = (one["doc_filename"], one["extraction_model"]) == ("status_change", "SYSTEM")
        history = one.get("amendment_history") or ([{}] if is_change else [])
        for place, entry in enumerate(history):
            missing = (CHANGE_KEYS if is_change else required(entry)) - set(entry)
            if missing:
                keys = ", ".join(sorted(missing))
                where = f"obligation {one['obligation_id']}: amendment_history[{place}]"
                gaps.append(f"{where} missing keys {keys}")
    covered = {one["obligation_id"] for one in request["records"]}
    expected = dict.fromkeys(request.get("expected_obligation_ids") or [])
    missing = [name for name in expected if name not in covered]
    return {"valid": not gaps and not missing, "missing_evidence": missing, "gaps": gaps}


def required(entry: dict) -> set:
    origin = set(entry) & (ORIGIN_KEYS - MINIMAL_KEYS)
    return ORIGIN_KEYS if origin and not {"clause", "status"} <= set(entry) else MINIMAL_KEYS


def resolve(request: dict) -> dict:
    chains = request["chains"]
    listed = list(dict.fromkeys(request.get("obligation_ids") or []))
    rest = sorted(set(chains) - set(listed))
    return {"resolved": [stands(name, chains.get(name)) for name in listed + rest]}


def stands(name: str, chain: list | None) -> dict:
    reply = {"obligation_id": name, "status": "UNRESOLVED", "amendment_history": [], "unwalked": 0}
    if chain is None:
        return reply
    reply["status"] = "ACTIVE"
    for entry in chain:
        reply["amendment_history"].append(entry)
        reply["status"] = ACTIONS[entry["action"]] or reply["status"]
        if entry["action"] == "DELETE":
            break
    reply["unwalked"] = len(chain) - len(reply["amendment_history"])
    return reply
