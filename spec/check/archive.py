"""Checks the vectors of archives.

Written from `spec/archive.md` alone. The ZIP is read by walking it, and written again to see
that it has its one spelling; no library for ZIP or BagIt is used.
"""

import base64
import hashlib
import json
import pathlib
import re
import struct
import zlib

import checkpoint
import jcs
import pack
import record

NAME = re.compile(r"(?!\.)[a-z0-9\-_.]+(/(?!\.)[a-z0-9\-_.]+)*\Z")
FIXED = {
    "bag-info.txt", "bagit.txt", "data/checkpoint.txt", "data/keys.json", "data/pack.json",
    "data/records.jsonl", "data/report.ar.txt", "data/report.en.txt", "data/report.json",
    "manifest-sha256.txt", "tagmanifest-sha256.txt",
}  # fmt: skip
KNOWN = re.compile(
    r"data/(previous\.json|versions/\d{8}\.json|receipts/\d{16}\.txt|objects/[0-9a-f]{64})\Z"
)
BAGIT = b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
WORST = ["pass", "incomplete", "fail"]
INTENDED = ["tool_name", "agent_name", "intended_action", "inputs"]
REPORTED = ["actual_action", "outcome", "outputs", "side_effects"]
CHANGES = {"key.added": "added", "key.retired": "retired", "key.revoked": "revoked"}


def check(folder: pathlib.Path) -> list[str]:
    problems = []
    for path in sorted(folder.glob("*.json")):
        vector = json.loads(path.read_text(encoding="utf-8"))
        problems += [f"{path.name}: {problem}" for problem in check_vector(vector)]
    return problems


def check_vector(vector: dict) -> list[str]:
    if "output" not in vector:  # A table says the same as the JSON of another vector.
        return [] if "output_text" in vector else ["no output"]
    stated = {}
    for finding in vector["output"]["findings"]:
        before = stated.get(finding["part"], "pass")
        stated[finding["part"]] = max(before, finding["verdict"], key=WORST.index)
    found = verify(base64.b64decode(vector["input_base64"], validate=True), vector["args"])
    problems = [
        f"{part}: found {verdict}, the vector says {stated.get(part)}"
        for part, verdict in found.items()
        if stated.get(part) != verdict
    ]
    worst = max(stated.values(), key=WORST.index)
    exits = {"pass": 0, "fail": 1, "incomplete": 2}
    if exits[worst] != vector["exit"] or vector["output"]["verdict"] != worst:
        problems.append(f"its parts are {worst}, its exit code {vector['exit']}")
    return problems


def verify(data: bytes, args: list[str]) -> dict:
    """The verdict of each part that this implementation looks at."""
    files = unzipped(data)
    if files is None:
        return {"archive": "fail"}
    known = all(name in FIXED or KNOWN.match(name) for name in files)
    whole = FIXED <= set(files)
    found = {"format": known and whole, "bag": bag(files)}
    if "manifest-sha256.txt" in files or "tagmanifest-sha256.txt" in files:
        found["manifest"] = manifests(files)
    if not whole:
        return verdicts(found)
    archive = Archive(files, pack.trusted(args))
    found |= {
        "records": archive.ordered(),
        "receipts": archive.receipts(),
        "lineage": archive.lineage(),
        "checkpoint": archive.one_checkpoint(),
        "key history": archive.keys(),
    }
    try:
        payload_of(files["data/pack.json"])
    except ValueError:
        return verdicts(found | {"format": False})
    found |= {
        "versions": archive.versions(),
        "objects": archive.objects(),
        "signature": archive.signed(),
    }
    found = verdicts(found) | {"decision": archive.decision(), "excerpts": archive.excerpts()}
    found |= {"review": archive.review()} | archive.ledger() | archive.calls()
    # What others take of a ledger has no id, and cannot be computed again.
    ledgers = [payload_of(sealed).get("ledger") for sealed in archive.sealed[:-1]]
    if found["versions"] == "pass" and any(one is not None and "id" not in one for one in ledgers):
        found["versions"] = "incomplete"
    if archive.key is None:
        found |= {"signature": "incomplete", "versions": "incomplete"}
    if "data/previous.json" in files:
        found["consistency"] = "pass" if archive.grew() else "fail"
    return found


def verdicts(found: dict) -> dict:
    return {part: "pass" if holds else "fail" for part, holds in found.items()}


# The ZIP.


def unzipped(data: bytes) -> dict | None:
    """The files of an archive; None if it is not spelled as one."""
    files, at = {}, 0
    while data[at : at + 4] == b"PK\3\4":
        if len(data) < at + 30:
            return None
        size, length = struct.unpack_from("<I", data, at + 22)[0], data[at + 26] + 256 * data[at + 27]
        name, at = data[at + 30 : at + 30 + length], at + 30 + length
        files[name.decode("latin-1")] = data[at : at + size]
        at += size
    return files if zipped(files) == data else None


def zipped(files: dict) -> bytes | None:
    local, central = b"", b""
    for name in sorted(files):
        if not NAME.match(name) or len(name) > 100:
            return None
        size = len(files[name])
        both = struct.pack(
            "<HHHHHIIIHH", 10, 0, 0, 0, 33, zlib.crc32(files[name]), size, size, len(name), 0
        )
        central += b"PK\1\2" + struct.pack("<H", 10) + both
        central += struct.pack("<HHHII", 0, 0, 0, 0, len(local)) + name.encode()
        local += b"PK\3\4" + both + name.encode() + files[name]
    count = len(files)
    end = struct.pack("<HHHHIIH", 0, 0, count, count, len(central), len(local), 0)
    return local + central + b"PK\5\6" + end


# The bag.


def manifest(files: dict, payload: bool) -> bytes:
    lines = [
        f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n"
        for name in sorted(files)
        if name.startswith("data/") == payload and name != "tagmanifest-sha256.txt"
    ]
    return "".join(lines).encode()


def manifests(files: dict) -> bool:
    named = (("manifest-sha256.txt", True), ("tagmanifest-sha256.txt", False))
    return all(files.get(name, manifest(files, payload)) == manifest(files, payload) for name, payload in named)


def info(files: dict) -> bytes:
    data = [files[name] for name in files if name.startswith("data/")]
    times = [one["envelope"]["at"] for one in lines(files)]
    day = max(times)[:10] if times else ""
    try:
        name = payload_of(files["data/pack.json"])["pack_id"]
    except (KeyError, ValueError):
        name = ""
    text = f"Bagging-Date: {day}\nExternal-Identifier: {name}\n"
    return f"{text}Payload-Oxum: {sum(map(len, data))}.{len(data)}\n".encode()


def bag(files: dict) -> bool:
    said = files.get("bag-info.txt", info(files)) == info(files)
    return said and files.get("bagit.txt", BAGIT) == BAGIT


def lines(files: dict) -> list[dict]:
    found = []
    for line in files.get("data/records.jsonl", b"").split(b"\n")[:-1]:
        try:
            value = jcs.loads(line)
        except ValueError:
            continue
        if jcs.dumps(value) == line and set(value) == {"envelope", "index", "payload"}:
            found.append(value)
    return found


def payload_of(sealed: bytes) -> dict:
    """What a sealed file says, in its one spelling."""
    if jcs.dumps(jcs.loads(sealed)) != sealed:
        raise ValueError("another spelling")
    return json.loads(base64.b64decode(json.loads(sealed)["envelope"]["payload"]))


# The evidence.


class Archive:
    def __init__(self, files: dict, key):
        self.files, self.key, self.lines = files, key, lines(files)
        self.note = files["data/checkpoint.txt"].decode()
        _, self.size, self.root = checkpoint.checkpoint(checkpoint.Note(self.note).text)
        names = sorted(name for name in files if name.startswith("data/versions/"))
        self.numbers = [int(name[-13:-5]) for name in names]
        self.sealed = [files[name] for name in names] + [files["data/pack.json"]]

    def shown(self, one: dict, name: str) -> bytes | None:
        """A field of a payload that opens its commitment."""
        field = one["payload"].get(name, {})
        if field.get("state") != "present":
            return None
        data = base64.b64decode(field["bytes"])
        stated = one["envelope"]["commitments"].get(name)
        return data if record.commitment(name, bytes.fromhex(field["salt"]), data) == stated else None

    def versions(self) -> bool:
        """Whether no version is out of place; one that was erased may be missing."""
        said = [payload_of(sealed) for sealed in self.sealed]
        sealed = [one for one in self.lines if one["envelope"]["type"] == "pack.sealed"]
        on_record = {one["envelope"]["subject"] for one in sealed}
        erased = {
            one["envelope"]["subject"]
            for one in sealed
            if one["payload"].get("pack", {}).get("state") == "erased"
        }
        number, before = 0, None
        for one in said:
            gap = one["version"] > number + 1 and one.get("supersedes") in erased
            if not gap and (one["version"], one.get("supersedes")) != (number + 1, before):
                return False
            number, before = one["version"], one["pack_id"]
        return (
            self.numbers == [one["version"] for one in said][:-1]
            and len({(one["decision_id"], one["tenant_id"]) for one in said}) == 1
            and {one["pack_id"] for one in said} <= on_record
        )

    def decision(self) -> str:
        said = payload_of(self.files["data/pack.json"])
        for one in self.lines:
            envelope = one["envelope"]
            if envelope["type"] == "decision.recorded" and envelope["subject"] == said["decision_id"]:
                data = self.shown(one, "decision")
                if data is not None:
                    same = "sha256:" + hashlib.sha256(data).hexdigest() == said["decision_hash"]
                    return "pass" if same else "fail"
        return "incomplete"

    def of_kind(self, *kinds: str) -> list[dict]:
        return [one for one in self.lines if one["envelope"]["type"] in kinds]

    def review(self) -> str:
        said = payload_of(self.files["data/pack.json"])
        for one in self.of_kind("pack.reviewed"):
            vote = self.shown(one, "vote")
            if one["envelope"]["subject"] == said["pack_id"] and vote is not None:
                if json.loads(vote)["outcome"] == "rejected":
                    return "fail"
        return "pass" if said["status"] == "resolved" else "incomplete"

    def ledger(self) -> dict:
        ledger = payload_of(self.files["data/pack.json"]).get("ledger")
        if ledger is None:
            return {}
        closed = [
            one["payload"]["ledger"].get("sha256")
            for one in self.of_kind("ledger.closed")
            if one["envelope"]["subject"] == ledger.get("session_id")
        ]
        if not closed:
            return {"ledger": "incomplete"}
        own = "sha256:" + hashlib.sha256(jcs.dumps(ledger)).hexdigest()
        return {"ledger": "pass" if own in closed else "fail"}

    def calls(self) -> dict:
        """Every call as its records tell it, without what they leave out."""
        said = payload_of(self.files["data/pack.json"])
        of = said.get("supersedes") if "reviewer_id" in said else None
        sealed = [
            one["index"]
            for one in self.of_kind("pack.sealed")
            if one["envelope"]["subject"] == (of or said["pack_id"])
        ]
        if not sealed:
            return {}
        recorded: dict = {}
        for one in self.of_kind("tool.intended", "tool.reported"):
            if one["index"] < sealed[-1]:
                recorded.setdefault(one["envelope"]["subject"], []).append(one)
        if not recorded and not said["tool_calls"]:
            return {}
        known = all(call.get("tool_call_id") in recorded for call in said["tool_calls"])
        verdict = "pass" if known else "incomplete"
        for name, lines in recorded.items():
            own = [call for call in said["tool_calls"] if call.get("tool_call_id") == name]
            told = [self.shown(one, "call") for one in lines]
            if None in told:
                verdict = max(verdict, "incomplete", key=WORST.index)
                continue
            whole = {"actual_action": "nothing was reported"}
            for one in told:
                whole |= json.loads(one)
            # Of a call whose intention is not here, lineage tells that it is missing.
            fields = REPORTED + (INTENDED if "tool_name" in whole else [])
            stated = [{field: call.get(field) or None for field in fields} for call in own]
            if stated != [{field: whole.get(field) or None for field in fields}]:
                verdict = "fail"
        return {"calls": verdict}

    def ordered(self) -> bool:
        places = [one["index"] for one in self.lines]
        written = self.files["data/records.jsonl"].count(b"\n")
        return places == sorted(set(places)) and len(places) == written

    def receipts(self) -> bool:
        names = {name for name in self.files if name.startswith("data/receipts/")}
        for one in self.lines:
            name = f"data/receipts/{one['index']:016}.txt"
            if name not in names:
                return False
            names.discard(name)
            try:
                data, index, path, note = checkpoint.parse_receipt(self.files[name].decode())
            except (checkpoint.Refused, UnicodeDecodeError):
                return False
            same = data == jcs.dumps(one["envelope"]) and index == one["index"]
            under = self.files[name].endswith(b"\n" + self.note.encode())
            leaf = checkpoint.leaf(data)
            if not (same and under and checkpoint.included(leaf, index, self.size, path) == self.root):
                return False
        return not names

    def lineage(self) -> bool:
        last = {}
        for one in self.lines:
            envelope = one["envelope"]
            sequence, previous = last.get(envelope["subject"], (-1, None))
            expected = {"sequence": sequence + 1} | ({"previous": previous} if previous else {})
            if envelope["lineage"] != expected:
                return False
            last[envelope["subject"]] = (sequence + 1, record.leaf(jcs.dumps(envelope)))
        return True

    def objects(self) -> bool:
        said = payload_of(self.files["data/pack.json"])
        named = {source.get("content_hash") for source in said["sources"]}
        named |= {one["sha256"] for one in said.get("ledger", {}).get("documents", [])}
        for one in self.lines:
            named |= {field.get("sha256") for field in one["payload"].values()}
        held = {name[13:]: data for name, data in self.files.items() if name.startswith("data/objects/")}
        return all(
            hashlib.sha256(data).hexdigest() == name and "sha256:" + name in named
            for name, data in held.items()
        )

    def one_checkpoint(self) -> bool:
        return all(json.loads(sealed)["receipt"].endswith("\n\n" + self.note) for sealed in self.sealed)

    def grew(self) -> bool:
        before = json.loads(self.files["data/previous.json"])
        proof = [checkpoint.digest(one) for one in before["proof"]]
        old = (before["size"], checkpoint.digest(before["root"]))
        return checkpoint.extends(old, (self.size, self.root), proof)

    def keys(self) -> bool:
        told = [
            {
                "at": one["envelope"]["at"],
                "change": CHANGES[one["envelope"]["type"]],
                "key": (self.shown(one, "key") or b"").decode(),
            }
            for one in self.lines
            if one["envelope"]["type"] in CHANGES
        ]
        for one in (one for one in self.lines if one["envelope"]["type"] == "key.redated"):
            for change in json.loads(self.shown(one, "redating") or b'{"changes":[]}')["changes"]:
                own = [line for line in told if (line["change"], line["key"]) == (change["change"], change["key"])]
                own[0]["redated"] = change["at"]
        return jcs.dumps(told) == self.files["data/keys.json"]

    def signed(self) -> bool:
        sealed = json.loads(self.files["data/pack.json"])
        payload = base64.b64decode(sealed["envelope"]["payload"])
        if self.key is None:
            return False
        parts = pack.receipt(sealed, payload, self.key) | {
            "signature": pack.signature(sealed["envelope"], payload, self.key)
        }
        return set(parts.values()) == {"pass"}

    def excerpts(self) -> str:
        verdict = "pass"
        for source in payload_of(self.files["data/pack.json"])["sources"]:
            name = "data/objects/" + (source.get("content_hash") or "sha256:").removeprefix("sha256:")
            data = self.files.get(name)
            if data is None or hashlib.sha256(data).hexdigest() != name[13:]:
                verdict = max(verdict, "incomplete", key=WORST.index)
            elif source["excerpt"].encode() not in data:
                verdict = "fail"
        return verdict
