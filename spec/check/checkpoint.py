"""Checks the vectors of trees, keys, notes, checkpoints and receipts.

Written from `spec/checkpoint.md` alone. Trees are recomputed by recursion, as
RFC 6962 defines them, and proofs are undone by recursion too, so that nothing
here shares a shape with the program.
"""

import base64
import binascii
import datetime
import hashlib
import json
import pathlib
import re

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

import record
import timestamp

PLAIN, COSIGNATURE = 0x01, 0x04
VERSION = "c2sp.org/tlog-proof@v1"
MAX_NOTE = 1 << 20
MAX_RECEIPT = (1 << 20) + (1 << 14)


class Refused(Exception):
    """Bytes that break a rule of the format."""


def check(folder: pathlib.Path) -> list[str]:
    problems = []
    for path in sorted(folder.glob("*.json")):
        vector = json.loads(path.read_text(encoding="utf-8"))
        for name, checker in CHECKERS.items():
            for case in cases(vector, name):
                problem = checker(case, folder)
                if problem:
                    problems.append(f"{path.name}: {name}: {problem}")
    return problems


def cases(vector: dict, name: str) -> list:
    if name == "args":
        return [vector] if "args" in vector else []
    if name == "leaves":
        return [vector] if "leaves" in vector else []
    return vector.get(name, [])


# Trees.


def leaf(data: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + data).digest()


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def split(size: int) -> int:
    """The largest power of two below `size`."""
    return 1 << ((size - 1).bit_length() - 1)


def root(leaves: list[bytes]) -> bytes:
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    k = split(len(leaves))
    return node(root(leaves[:k]), root(leaves[k:]))


def inclusion(index: int, leaves: list[bytes]) -> list[bytes]:
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if index < k:
        return inclusion(index, leaves[:k]) + [root(leaves[k:])]
    return inclusion(index - k, leaves[k:]) + [root(leaves[:k])]


def consistency(old: int, leaves: list[bytes], whole: bool = True) -> list[bytes]:
    if old == 0:
        return []
    if old == len(leaves):
        return [] if whole else [root(leaves)]
    k = split(len(leaves))
    if old <= k:
        return consistency(old, leaves[:k], whole) + [root(leaves[k:])]
    return consistency(old - k, leaves[k:], False) + [root(leaves[:k])]


def included(leaf_hash: bytes, index: int, size: int, path: list[bytes]) -> bytes | None:
    """The root that a path leads to; None when it has the wrong length."""
    if index >= size:
        return None
    if size == 1:
        return None if path else leaf_hash
    if not path:
        return None
    k = split(size)
    if index < k:
        left = included(leaf_hash, index, k, path[:-1])
        return left and node(left, path[-1])
    right = included(leaf_hash, index - k, size - k, path[:-1])
    return right and node(path[-1], right)


def extends(old: tuple[int, bytes], new: tuple[int, bytes], path: list[bytes]) -> bool:
    if old[0] > new[0]:
        return False
    if old[0] == 0:
        return not path and old[1] == hashlib.sha256(b"").digest()
    roots = grown(old[0], new[0], path, old[1])
    return roots == (old[1], new[1])


def grown(old: int, new: int, path: list[bytes], known: bytes | None):
    """The roots of both sizes that a path leads to; `known` is the old root while it is whole."""
    if old == new:
        if known is not None:
            return None if path else (known, known)
        return (path[0], path[0]) if len(path) == 1 else None
    if not path:
        return None
    k = split(new)
    if old <= k:
        below = grown(old, k, path[:-1], known)
        return below and (below[0], node(below[1], path[-1]))
    below = grown(old - k, new - k, path[:-1], None)
    return below and (node(path[-1], below[0]), node(path[-1], below[1]))


def digest(text: str) -> bytes:
    if not re.fullmatch(r"sha256:[0-9a-f]{64}", text):
        raise Refused(f"no digest: {text}")
    return bytes.fromhex(text[7:])


def check_tree(vector: dict, _folder) -> str | None:
    leaves = [leaf(bytes.fromhex(text)) for text in vector["leaves"]]
    for head in vector["roots"]:
        if root(leaves[: head["size"]]) != digest(head["root"]):
            return f"root at size {head['size']}"
    for proof in vector["inclusion"]:
        path = list(map(digest, proof["path"]))
        size, index = proof["size"], proof["index"]
        if path != inclusion(index, leaves[:size]):
            return f"inclusion of {index} at size {size}"
        if included(leaves[index], index, size, path) != root(leaves[:size]):
            return f"inclusion of {index} at size {size} does not lead to the root"
    for proof in vector["consistency"]:
        path = list(map(digest, proof["path"]))
        old, new = proof["old"], proof["new"]
        if path != consistency(old, leaves[:new]):
            return f"consistency of {old} and {new}"
        if not extends((old, root(leaves[:old])), (new, root(leaves[:new])), path):
            return f"consistency of {old} and {new} does not lead to the roots"
    return None


def check_refused_inclusion(case: dict, _folder) -> str | None:
    path = list(map(digest, case["path"]))
    found = included(digest(case["leaf"]), case["index"], case["size"], path)
    return f"proved: {case['why']}" if found == digest(case["root"]) else None


def check_refused_consistency(case: dict, _folder) -> str | None:
    old, new = ((head["size"], digest(head["root"])) for head in (case["old"], case["new"]))
    proved = extends(old, new, list(map(digest, case["path"])))
    return f"proved: {case['why']}" if proved else None


# Keys.


def unbase64(text: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise Refused(f"base64: {error}") from None
    if base64.b64encode(data).decode() != text:
        raise Refused("base64 that is not canonical")
    return data


def is_name(name: str) -> bool:
    barred = any(char.isspace() or char == "+" or is_control(char) for char in name)
    return 1 <= len(name.encode()) <= 200 and not barred


def is_control(char: str) -> bool:
    return ord(char) < 0x20 or 0x7F <= ord(char) <= 0x9F


def key_id(name: str, scheme: int, public: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + bytes([scheme]) + public).digest()[:4]


class Key:
    """A verifier key: `name+hash+base64(type || key)`."""

    def __init__(self, text: str):
        parts = text.split("+", 2)
        if len(parts) != 3 or not is_name(parts[0]):
            raise Refused("no verifier key")
        data = unbase64(parts[2])
        if len(data) != 33 or data[0] not in (PLAIN, COSIGNATURE):
            raise Refused("no Ed25519 key")
        self.name, self.scheme, self.public = parts[0], data[0], data[1:]
        self.id = key_id(self.name, self.scheme, self.public)
        if self.id.hex() != parts[1]:
            raise Refused("another key's hash")
        if not is_strong(self.public):
            raise Refused("a weak or twice spelled point")

    def verifies(self, message: bytes, signature: bytes) -> bool:
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True


P = 2**255 - 19
D = -121665 * pow(121666, P - 2, P) % P


def is_strong(public: bytes) -> bool:
    """Whether 32 bytes are the one spelling of a point whose order is not small."""
    number = int.from_bytes(public, "little")
    sign, y = number >> 255, number & ((1 << 255) - 1)
    if y >= P:
        return False
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P or (x == 0 and sign):
        return False
    x = P - x if x % 2 != sign else x
    point = (x, y)
    for _ in range(3):
        point = add(point, point)
    return point != (0, 1)


def add(a: tuple, b: tuple) -> tuple:
    product = D * a[0] * b[0] * a[1] * b[1] % P
    x = (a[0] * b[1] + b[0] * a[1]) * pow(1 + product, P - 2, P) % P
    y = (a[1] * b[1] + a[0] * b[0]) * pow(1 - product, P - 2, P) % P
    return (x, y)


def check_key(case: dict, _folder) -> str | None:
    key = Key(case["key"])
    same = key.name == case["name"] and key.public.hex() == case["public"]
    return None if same else f"another key: {case['key']}"


def check_refused_key(case: dict, _folder) -> str | None:
    return None if refused(lambda: Key(case["key"])) else f"read: {case['why']}"


def refused(act) -> bool:
    try:
        act()
    except Refused:
        return True
    return False


# Notes and checkpoints.


class Note:
    """A signed note: text, a blank line, signature lines."""

    def __init__(self, text: str):
        if len(text.encode()) > MAX_NOTE:
            raise Refused("size")
        if any(ord(char) < 0x20 and char != "\n" for char in text):
            raise Refused("control character")
        body, blank, lines = text.rpartition("\n\n")
        if not blank or not lines.endswith("\n"):
            raise Refused("no blank line or no whole signature line")
        self.text = body + "\n"
        self.signatures = [signature(line) for line in lines[:-1].split("\n")]
        if len(self.signatures) > 100:
            raise Refused("too many signatures")

    def verified(self, keys: list[Key]) -> tuple[list[Key], list[str]]:
        """The keys that signed, and the names of those not known."""
        known, unknown = [], []
        for name, key, data in self.signatures:
            matching = [
                one for one in keys if one.scheme == PLAIN and (one.name, one.id) == (name, key)
            ]
            signers = [one for one in matching if one.verifies(self.text.encode(), data)]
            if matching and not signers:
                raise Refused(f"forged: {name}")
            known += signers[:1]
            unknown += [] if matching else [name]
        if not known:
            raise Refused("signed by no known key")
        return known, unknown

    def cosigned(self, witnesses: list[Key]) -> list[int]:
        """For each witness that cosigned, its earliest time in seconds."""
        times = []
        for witness in witnesses:
            lines = [data for name, key, data in self.signatures if (name, key) == (witness.name, witness.id)]
            seconds = [self.cosignature(witness, data) for data in lines]
            times += [min(seconds)] if seconds else []
        return times

    def cosignature(self, witness: Key, data: bytes) -> int:
        seconds = int.from_bytes(data[:8], "big")
        message = f"cosignature/v1\ntime {seconds}\n{self.text}".encode()
        if len(data) != 72 or not witness.verifies(message, data[8:]):
            raise Refused(f"forged cosignature: {witness.name}")
        return seconds


def signature(line: str) -> tuple[str, bytes, bytes]:
    match = re.fullmatch(r"\u2014 (\S+) (\S+)", line)
    if not match or not is_name(match[1]):
        raise Refused("signature line")
    data = unbase64(match[2])
    if len(data) < 5:
        raise Refused("signature line without a signature")
    return match[1], data[:4], data[4:]


def checkpoint(text: str) -> tuple[str, int, bytes]:
    """The origin, size and root of a checkpoint's text."""
    lines = text.split("\n")
    if len(lines) < 4 or lines.pop() or not all(lines):
        raise Refused("no checkpoint")
    if any(map(is_control, lines[0])) or not re.fullmatch("0|[1-9][0-9]{0,19}", lines[1]):
        raise Refused("origin or size")
    root_hash = unbase64(lines[2])
    if int(lines[1]) >= 2**64 or len(root_hash) != 32:
        raise Refused("size or root")
    return lines[0], int(lines[1]), root_hash


def check_note(case: dict, _folder) -> str | None:
    keys, unknown = Note(case["note"]).verified(list(map(Key, case["keys"])))
    found = ([key.name for key in keys], unknown)
    return None if found == (case["verified"], case["unknown"]) else f"found {found}"


def check_refused_note(case: dict, _folder) -> str | None:
    return None if refused(lambda: Note(case["note"])) else f"read: {case['why']}"


def check_unopened_note(case: dict, _folder) -> str | None:
    note, keys = Note(case["note"]), list(map(Key, case["keys"]))
    return None if refused(lambda: note.verified(keys)) else f"opened: {case['why']}"


# Receipts and checkpoints, as `dalil verify` reports them.


class Trust:
    def __init__(self, value: dict):
        self.origin = value["origin"]
        self.keys = list(map(Key, value.get("keys", [])))
        self.ends = {}
        self.added = [None] * len(self.keys)
        for line in value.get("key_history", []):
            key = Key(line["key"])
            at = millis(line.get("redated", line["at"]))
            if line["change"] == "added":
                self.keys.append(key)
                self.added.append(at)
            else:
                self.ends.setdefault(line["key"], {})[line["change"]] = at
        self.texts = {key.id + key.public: text for text in self.ends for key in [Key(text)]}
        self.witnesses = list(map(Key, value.get("witnesses", [])))
        self.quorum = value.get("quorum", len(self.witnesses))
        self.authorities = list(map(timestamp.Authority, value.get("timestamp_authorities", [])))
        self.seen = [
            ((head["size"], digest(head["root"])), millis(head["at"])) for head in value.get("seen", [])
        ]

        self.growth = [
            (head(one["old"]), head(one["new"]), list(map(digest, one["proof"]))) for one in value.get("growth", [])
        ]

    def begins(self) -> int | None:
        """When the first key came, if the history tells of every key."""
        return None if None in self.added else min(self.added, default=None)

    def is_early(self, key: Key, now: int) -> bool:
        added = self.added[self.keys.index(key)]
        return added is not None and added > now

    def related(self, signed: tuple[int, bytes]) -> list[tuple[str, str]]:
        """Each head that was seen against a signed one."""
        findings = []
        for seen, _ in self.seen:
            old, new = sorted([seen, signed], key=lambda one: one[0])
            if seen[0] == signed[0]:
                verdict = "pass" if seen == signed else "fail"
            else:
                grown = any(extends(old, new, path) for first, last, path in self.growth if (first, last) == (old, new))
                verdict = "pass" if grown else "incomplete"
            findings.append(("consistency", verdict))
        return findings

    def standing(self, key: Key, claimed: int | None, seen: int | None) -> str:
        ends = self.ends.get(self.texts.get(key.id + key.public), {})
        if "revoked" in ends:
            return "pass" if seen is not None and seen < ends["revoked"] else "incomplete"
        if "retired" in ends:
            if claimed is not None:
                return "pass" if claimed <= ends["retired"] else "fail"
            return "pass" if seen is not None and seen <= ends["retired"] else "incomplete"
        return "pass"


def head(value: dict) -> tuple[int, bytes]:
    return value["size"], digest(value["root"])


def millis(text: str) -> int:
    time = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return int(time.timestamp() * 1000)


def verify(data: str, trust: Trust, now: int) -> list[tuple[str, str]]:
    """Every part that is looked at, with its verdict, in order."""
    if data.startswith("c2sp.org/tlog-proof@"):
        return verify_receipt(data, trust, now)
    try:
        note = Note(data)
    except Refused:
        return [("format", "fail")]
    findings = [("format", "pass"), checkpoint_part(note, trust)]
    try:
        findings += trust.related(checkpoint(note.text)[1:])
    except Refused:
        pass
    return findings + signers(note, None, trust, now)


def verify_receipt(data: str, trust: Trust, now: int) -> list[tuple[str, str]]:
    try:
        envelope, index, path, note = parse_receipt(data)
    except Refused:
        return [("format", "fail")]
    findings = [("format", "pass")]
    claimed = None
    try:
        claimed = millis(record.parse(envelope)["at"])
        early = trust.begins() is not None and claimed < trust.begins()
        findings.append(("record", "fail" if early else "pass" if claimed <= now else "incomplete"))
    except record.Refused as error:
        findings += [("record", "fail")] * len(error.faults)
    findings.append(checkpoint_part(note, trust))
    try:
        _, size, root_hash = checkpoint(note.text)
        proved = included(leaf(envelope), index, size, path) == root_hash
        findings.append(("inclusion", "pass" if proved else "fail"))
        findings += trust.related((size, root_hash))
    except Refused:
        pass
    return findings + signers(note, claimed, trust, now)


def parse_receipt(data: str) -> tuple[bytes, int, list[bytes], Note]:
    if len(data.encode()) > MAX_RECEIPT:
        raise Refused("size")
    head, blank, rest = data.partition("\n\n")
    lines = head.split("\n")
    if not blank or lines[0] != VERSION or len(lines) < 3:
        raise Refused("version or lines")
    extra = re.fullmatch("extra (.*)", lines[1])
    index = re.fullmatch("index (0|[1-9][0-9]{0,19})", lines[2])
    path = [unbase64(line) for line in lines[3:]]
    if not extra or not index or int(index[1]) >= 2**64:
        raise Refused("extra or index")
    if len(path) > 64 or any(len(item) != 32 for item in path):
        raise Refused("path")
    return unbase64(extra[1]), int(index[1]), path, Note(rest)


def checkpoint_part(note: Note, trust: Trust) -> tuple[str, str]:
    try:
        origin, _, _ = checkpoint(note.text)
    except Refused:
        return ("checkpoint", "fail")
    return ("checkpoint", "pass" if origin == trust.origin else "fail")


def signers(note: Note, claimed: int | None, trust: Trust, now: int) -> list[tuple[str, str]]:
    findings, times = [], []
    try:
        times = sorted(1000 * at + 999 for at in note.cosigned(trust.witnesses) if 1000 * at <= now)
        if trust.quorum:
            met = len(times) >= trust.quorum
            findings.append(("witnesses", "pass" if met else "incomplete"))
    except Refused:
        findings.append(("witnesses", "fail"))
    stamped, stamps = timestamp.findings(note, claimed, trust.authorities, now)
    findings += stamped
    seen = trusted_time(note, times, stamps, trust)
    if not trust.keys:
        return findings + [("checkpoint signature", "incomplete")]
    try:
        keys, _ = note.verified(trust.keys)
    except Refused:
        return findings + [("checkpoint signature", "fail")]
    standings = [trust.standing(key, claimed, seen) for key in keys if not trust.is_early(key, now)]
    best = min(standings, key=["pass", "incomplete", "fail"].index, default="incomplete")
    return findings + [("checkpoint signature", "pass"), ("key status", best)]


def trusted_time(note: Note, times: list[int], stamps: list[int], trust: Trust) -> int | None:
    place = max(trust.quorum - 1, 0)
    candidates = times[place : place + 1] + stamps
    try:
        _, size, root_hash = checkpoint(note.text)
        candidates += [at for head, at in trust.seen if head == (size, root_hash)]
    except Refused:
        return None
    return min(candidates, default=None)


def check_command(vector: dict, folder: pathlib.Path) -> str | None:
    args = vector["args"]
    trust = folder.parent.parent.parent / args[args.index("--trust") + 1]
    now = millis(args[args.index("--at") + 1])
    found = verify(vector["input_text"], Trust(json.loads(trust.read_text(encoding="utf-8"))), now)
    said = [(finding["part"], finding["verdict"]) for finding in vector["output"]["findings"]]
    if found != said:
        return f"found {found}, the vector says {said}"
    verdicts = [verdict for _, verdict in found]
    worst = next((one for one in ("fail", "incomplete") if one in verdicts), "pass")
    exits = {"pass": 0, "fail": 1, "incomplete": 2}
    if (worst, exits[worst]) != (vector["output"]["verdict"], vector["exit"]):
        return f"found {worst}, the vector says {vector['output']['verdict']}"
    return None


CHECKERS = {
    "leaves": check_tree,
    "refused_inclusion": check_refused_inclusion,
    "refused_consistency": check_refused_consistency,
    "keys": check_key,
    "refused_keys": check_refused_key,
    "notes": check_note,
    "refused_notes": check_refused_note,
    "unopened_notes": check_unopened_note,
    "args": check_command,
}
