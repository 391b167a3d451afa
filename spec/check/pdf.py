"""Reads every PDF of the vectors back from spec/pdf.md alone, with nothing but Python's own library.

A vector has what was pressed, as texts: `pack` and `history`, or `ledger` and `answer`; the file beside it is what came of it, and
`sha256` its digest. A vector with `refused` was not pressed, and names every fault of its history.
"""

import hashlib
import json
import pathlib
import re
import zlib

import jcs

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
RELATIONS = {"pack": "Source", "history": "Data", "ledger": "Source", "answer": "Data"}


def check(folder: pathlib.Path) -> list[str]:
    problems = []
    for path in sorted(folder.glob("*.json")):
        vector = json.loads(path.read_text(encoding="utf-8"))
        found = refusal(vector) if "refused" in vector else pages(vector, path.with_suffix(".pdf").read_bytes())
        problems += [f"{path.name}: {problem}" for problem in found]
    return problems


def pages(vector: dict, pdf: bytes) -> list[str]:
    problems = []
    if "sha256:" + hashlib.sha256(pdf).hexdigest() != vector["sha256"]:
        problems.append("the file has another digest")
    objects = {int(n): body for n, body in re.findall(rb"(?s)\n(\d+) 0 obj\n(.*?)\nendobj", pdf)}
    catalog = next(body for body in objects.values() if body.startswith(b"<</Type/Catalog"))
    way = {"en": "L2R", "ar": "R2L"}[vector["language"]]
    for wanted in (f"/Lang({vector['language']})", f"/Direction/{way}", "/Marked true"):
        if wanted.encode() not in catalog:
            problems.append(f"the catalog has no {wanted}")
    if f"/Creator({vector['press']})".encode() not in pdf:
        problems.append("another press")
    given = {f"{name}.json": (relation, vector[name]) for name, relation in RELATIONS.items() if name in vector}
    found = dict(attached(objects))
    if found != given:
        problems.append(f"expected the attachments {sorted(given)} as they were given, found {sorted(found)}")
    for name, (_, text) in given.items():
        if jcs.dumps(jcs.loads(text)) != text.encode("utf-8"):
            problems.append(f"{name} is not canonical")
    if "answer" in vector:
        problems += review_faults(jcs.loads(vector["answer"]).get("reviews", []), jcs.loads(vector["ledger"]))
    made = jcs.loads(vector.get("ledger", "{}")).get("created_at") or payload(vector["pack"])["created_at"]
    stamp = re.sub(r"[-T:]", "", made.split(".")[0])
    if f"/CreationDate(D:{stamp}Z)".encode() not in pdf:
        problems.append(f"not dated {made}")
    return problems


def review_faults(reviews: list[dict], ledger: dict) -> list[str]:
    """Reviews are of claims of the ledger, in order of time, and of each claim those that count."""
    problems = []
    claims = {entry["claim_id"] for entry in ledger["entries"]}
    if [one["at"] for one in reviews] != sorted(one["at"] for one in reviews):
        problems.append("the reviews are not in order of time")
    if len(reviews) > 4_000:
        problems.append("more reviews than two for each claim")
    decided, assigned = set(), set()
    for one in reviews:
        if set(one) != {"action", "at", "claim_id", "reviewer"} or not is_time(one["at"]) or one["claim_id"] not in claims:
            problems.append(f"no review of a claim: {one}")
        kind = assigned if one["action"] == "assigned" else decided
        if one["action"] not in ("agreed", "disagreed", "resolved", "assigned") or one["claim_id"] in kind:
            problems.append(f"a review that does not count: {one}")
        if kind is decided and one["claim_id"] in assigned:
            problems.append(f"an assignment that was answered: {one}")
        kind.add(one["claim_id"])
    return problems


def attached(objects: dict[int, bytes]):
    """Every attached file: its name, its relation to the pages and its text."""
    for body in objects.values():
        spec = re.match(rb"<</Type/Filespec/F\((.*?)\).*?/EF<</F (\d+) 0 R.*?/AFRelationship/(\w+)", body)
        if spec is None:
            continue
        head, _, stream = objects[int(spec[2])].partition(b"stream\n")
        length = int(re.search(rb"/Length (\d+)", head)[1])
        if b"/Subtype/application#2Fjson" in head:
            yield spec[1].decode(), (spec[3].decode(), zlib.decompress(stream[:length]).decode("utf-8"))


def payload(sealed: str) -> dict:
    import base64

    return jcs.loads(base64.b64decode(jcs.loads(sealed)["envelope"]["payload"]))


MAX_ITEMS, MAX_REASON, MAX_LABEL = 1000, 2000, 256


def refusal(vector: dict) -> list[str]:
    """The rules of a history, and that it is about the pack."""
    faults = set()
    history = jcs.loads(vector["history"])
    if jcs.dumps(history) != vector["history"].encode("utf-8"):
        faults.add(("canonical", "$"))
    else:
        faults |= set(history_faults(history))
        names = [version.get("pack_id") for version in history.get("versions", [])]
        if not faults and payload(vector["pack"])["pack_id"] not in names:
            faults.add(("history", "versions"))
    stated = {(fault["rule"], fault["path"]) for fault in vector["refused"]}
    return [] if stated == faults else [f"expected the faults {sorted(faults)}, found {sorted(stated)}"]


def history_faults(history: dict):
    rules = {
        "approvals": {
            "at": ("time", is_time, True), "approver": ("empty", is_filled, True), "reason": ("empty", is_filled, False),
            "role": ("empty", is_filled, False),
            "outcome": ("choice", lambda word: word in ("approved", "escalated", "rejected"), True),
        },
        "versions": {
            "created_at": ("time", is_time, False), "reviewer_id": ("empty", is_filled, False),
            "pack_id": ("id", lambda name: re.fullmatch(r"pack_[0-9a-f]{16}", name) is not None, True),
            "status": ("choice", lambda word: word in ("resolved", "unresolved", "erased", "superseded"), True),
            "version": ("range", lambda number: isinstance(number, int) and number >= 1, True),
        },
    }
    for key in set(history) - set(rules) - {"verify_url"}:
        yield "unknown_field", key
    for key, fields in rules.items():
        if key not in history:
            yield "missing_field", key
        if len(history.get(key, [])) > MAX_ITEMS:
            yield "count", key
            continue
        for n, item in enumerate(history.get(key, [])):
            if key == "versions" and "created_at" not in item and item.get("status") != "superseded":
                yield "missing_field", f"{key}[{n}].created_at"
            for name in set(item) - set(fields):
                yield "unknown_field", f"{key}[{n}].{name}"
            for name, (rule, holds, needed) in fields.items():
                if name not in item:
                    if needed:
                        yield "missing_field", f"{key}[{n}].{name}"
                elif not holds(item[name]):
                    yield rule, f"{key}[{n}].{name}"
                elif rule == "empty" and len(item[name]) > (MAX_REASON if name == "reason" else MAX_LABEL):
                    yield "length", f"{key}[{n}].{name}"


def is_time(text: object) -> bool:
    return isinstance(text, str) and TIME.fullmatch(text) is not None


def is_filled(text: object) -> bool:
    return isinstance(text, str) and bool(text.strip())
