"""Checks the vectors of trail exports, custody and erasures.

Written from `spec/trail.md` alone. The whole file is in memory, and roots are
computed from all leaves by recursion where they can be.
"""

import base64
import binascii
import datetime
import hashlib
import json
import pathlib

import checkpoint
import jcs
import record

MAX_LINE = 1 << 24
SHOWN = 20
KEPT = {
    "apikey.added", "apikey.revoked", "approval.given", "approval.used", "checkpoint.timestamped", "checkpoint.witnessed",
    "hold.lifted", "hold.placed", "key.added", "key.redated", "key.retired", "key.revoked", "member.added",
    "member.removed",
    "payload.erased", "tenant.created",
}  # fmt: skip
CHANGES = {"key.added": "added", "key.retired": "retired", "key.revoked": "revoked"}
BASES = ("retention_expired", "data_subject_request", "court_order")
WORST = ["pass", "incomplete", "fail"]


class Refused(Exception):
    """Bytes that break a rule of the format."""


def check(folder: pathlib.Path) -> list[str]:
    problems = []
    for path in sorted(folder.glob("*.json")):
        vector = json.loads(path.read_text(encoding="utf-8"))
        problem = check_command(vector, folder) if "args" in vector else None
        problems += [f"{path.name}: {problem}"] if problem else []
        for case in vector.get("chains", []):
            if custody(case["exports"]) != [tuple(one) for one in case["findings"]]:
                problems.append(f"{path.name}: {case['why']}: found {custody(case['exports'])}")
        for case in vector.get("erasures", []):
            found = decide(case)
            if found != {key: case[key] for key in ("refused", "erasure") if key in case}:
                problems.append(f"{path.name}: {case['why']}: found {found}")
    return problems


def check_command(vector: dict, folder: pathlib.Path) -> str | None:
    args = vector["args"]
    trust = folder.parent.parent.parent / args[args.index("--trust") + 1]
    trust = checkpoint.Trust(json.loads(trust.read_text(encoding="utf-8")))
    now = checkpoint.millis(args[args.index("--at") + 1])
    export = Export(vector["input_text"].encode(), trust, now)
    found = export.findings
    said = [(finding["part"], finding["verdict"]) for finding in vector["output"]["findings"]]
    if found != said:
        return f"found {found}, the vector says {said}"
    counted = [one["message"] for one in vector["output"]["findings"] if one["part"] == "payloads"]
    if counted and counted[0] != export.counted():
        return f"counted {export.counted()}, the vector says {counted[0]}"
    worst = max((verdict for _, verdict in found), key=WORST.index)
    exits = {"pass": 0, "fail": 1, "incomplete": 2}
    return None if vector["exit"] == exits[worst] else f"found {worst}"


def canonical(data: bytes) -> object:
    try:
        value = jcs.loads(data)
    except ValueError as error:
        raise Refused(str(error)) from None
    if jcs.dumps(value) != data:
        raise Refused("another spelling")
    return value


def need(holds: object, why: str) -> None:
    if not holds:
        raise Refused(why)


def is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= jcs.MAX_INTEGER


def line_value(line: bytes) -> object:
    need(line.endswith(b"\n") and len(line) <= MAX_LINE, "no whole line")
    return canonical(line[:-1])


# The lines.


def parse_header(line: bytes) -> dict:
    value = line_value(line)
    need(isinstance(value, dict) and set(value) == {"trail"}, "no header")
    header = value["trail"]
    names = {"v", "origin", "first", "size", "checkpoint", "frontier", "previous", "keys"}
    need(isinstance(header, dict) and set(header) == names and header["v"] == 1, "fields")
    try:
        header["note"] = checkpoint.Note(header["checkpoint"])
        origin, size, header["root"] = checkpoint.checkpoint(header["note"].text)
    except checkpoint.Refused as error:
        raise Refused(str(error)) from None
    need((origin, size) == (header["origin"], header["size"]), "origin or size")
    need(is_whole(header["first"]) and is_whole(size) and header["first"] <= size, "first")
    frontier = header["frontier"]
    need(isinstance(frontier, list) and all(map(record.is_digest, frontier)), "frontier")
    need(len(frontier) == header["first"].bit_count(), "frontier")
    previous = header["previous"]
    if previous is not None:
        need(set(previous) == {"size", "root", "proof"} and is_whole(previous["size"]), "previous")
        need(all(map(record.is_digest, [previous["root"], *previous["proof"]])), "previous")
        need(len(previous["proof"]) <= 64, "previous")
    check_history(header["keys"])
    return header


def check_history(keys: list) -> None:
    """A history that can have happened: `ends` has the changes to each key."""
    ends, last = {}, ""
    for entry in keys:
        need(set(entry) - {"redated"} == {"at", "change", "key"}, "entry")
        need(entry["at"] == record.canonical_time(entry["at"]) and time_of(entry) >= last, "time")
        need(time_of(entry) == record.canonical_time(time_of(entry)), "time")
        need(time_of(entry) <= entry["at"] or entry["at"] < last, "a later time that nothing asks for")
        last = time_of(entry)
        try:
            key = checkpoint.Key(entry["key"])
        except checkpoint.Refused as error:
            raise Refused(str(error)) from None
        need(key.scheme == checkpoint.PLAIN, "a witness")
        if entry["change"] == "added":
            clash = any(one.public == key.public or (one.name, one.id) == (key.name, key.id)
                        for one, _ in ends.values())  # fmt: skip
            need(not clash, "added twice")
            ends[entry["key"]] = (key, set())
            continue
        need(entry["change"] in ("retired", "revoked") and entry["key"] in ends, "change")
        changes = ends[entry["key"]][1]
        need("revoked" not in changes and entry["change"] not in changes, "changed twice")
        changes.add(entry["change"])


def time_of(entry: dict) -> str:
    """When a change of a key happened: its own date, or the one it is taken as of."""
    return entry.get("redated", entry["at"])


def parse_record(line: bytes) -> tuple[dict, int, dict, bytes]:
    """The envelope, index, payload, and the envelope's bytes."""
    value = line_value(line)
    need(isinstance(value, dict) and set(value) == {"envelope", "index", "payload"}, "no record")
    data = jcs.dumps(value["envelope"])
    try:
        envelope = record.parse(data)
    except record.Refused as error:
        raise Refused(str(error)) from None
    need(is_whole(value["index"]) and isinstance(value["payload"], dict), "index or payload")
    for name, field in value["payload"].items():
        need(record.matches(r"[a-z0-9_.]{1,64}", name) and isinstance(field, dict), "name")
        check_field(field)
    return envelope, value["index"], value["payload"], data


def check_field(field: dict) -> None:
    shapes = {
        "present": {"bytes", "salt", "state"},
        "lake": {"salt", "sha256", "state"},
        "erased": {"by", "state"},
        "withheld": {"state"},
    }
    need(set(field) == shapes.get(field.get("state")), "state")
    need("salt" not in field or record.matches("[0-9a-f]{64}", field["salt"]), "salt")
    need("by" not in field or is_whole(field["by"]), "by")
    need("sha256" not in field or record.is_digest(field["sha256"]), "digest")
    if "bytes" in field:
        shown(field)


def shown(field: dict) -> bytes:
    """The bytes that a shown field was committed with."""
    if field["state"] == "lake":
        return field["sha256"].encode()
    try:
        data = base64.b64decode(field["bytes"], validate=True)
    except (binascii.Error, ValueError, TypeError):
        raise Refused("base64") from None
    need(base64.b64encode(data).decode() == field["bytes"], "base64")
    return data


def opens(name: str, field: dict, envelope: dict) -> bool | None:
    """Whether a field opens its commitment; None when it is not shown."""
    if field["state"] not in ("present", "lake"):
        return None
    made = record.commitment(name, bytes.fromhex(field["salt"]), shown(field))
    return made == envelope["commitments"].get(name)


def own_field(name: str, one: tuple) -> bytes | None:
    """The bytes of a field that this format reads, when they are shown and open."""
    envelope, _, payload, _ = one
    field = payload.get(name)
    good = field is not None and field["state"] == "present" and opens(name, field, envelope)
    return shown(field) if good else None


# The parts of a verification.


class Export:
    def __init__(self, data: bytes, trust: checkpoint.Trust, now: int):
        self.trust, self.now, self.findings, self.names = trust, now, [], {}
        lines = split(data)
        try:
            self.header = parse_header(lines[0] if lines else b"")
        except (Refused, TypeError, KeyError):
            self.findings.append(("format", "fail"))
            return
        self.lines = lines[1:]
        self.read()
        note, size = self.header["note"], self.header["size"]
        empty = size == 0 and self.header["root"] != hashlib.sha256(b"").digest()
        of = "fail" if self.header["origin"] != trust.origin or empty else "pass"
        self.findings += [("format", "pass"), ("checkpoint", of)]
        for part in (self.records_part, self.order, self.lineage, self.root, self.payloads):
            part()
        self.erasures()
        self.keys()
        self.end()
        latest = max((checkpoint.millis(self.at(one)) for one in self.records), default=None)
        self.findings += checkpoint.signers(note, latest, trust, now)

    def at(self, one: tuple) -> str:
        """The date of a record, or the one that the key history corrects it to."""
        change, text = CHANGES.get(one[0]["type"]), own_field("key", one)
        for entry in self.header["keys"]:
            same = (entry["at"], entry["change"]) == (one[0]["at"], change)
            if same and "redated" in entry and (text is None or text.decode() == entry["key"]):
                return entry["redated"]
        return one[0]["at"]

    def add(self, part: str, verdicts: list[str], otherwise: str | None = "pass") -> None:
        """The findings of a part, at most 20 and one that counts the rest."""
        found = verdicts[:SHOWN]
        if len(verdicts) > SHOWN:
            found.append(max(verdicts, key=WORST.index))
        if not found and otherwise:
            found = [otherwise]
        self.findings += [(part, verdict) for verdict in found]

    def read(self) -> None:
        """Sorts the lines: records in `records`, their places in `places`, and the end."""
        self.records, self.places, self.unread = [], [], 0
        self.ends, self.after, self.hashed = [], 0, len(self.lines)
        for n, line in enumerate(self.lines):
            if any(end for end in self.ends):
                self.after += 1
            elif line.startswith(b'{"end":'):
                self.ends.append(self.closing(line))
                self.hashed = n if self.ends[-1] else self.hashed
            else:
                self.read_record(line)

    def read_record(self, line: bytes) -> None:
        try:
            self.records.append(parse_record(line))
            self.places.append(self.records[-1][1])
        except Refused:
            self.unread += 1
            self.places.append(None)

    def closing(self, line: bytes) -> dict | None:
        try:
            end = line_value(line)["end"]
            need(set(end) == {"records", "sha256"} and is_whole(end["records"]), "end")
            need(record.is_digest(end["sha256"]), "end")
        except Refused:
            return None
        return end

    def records_part(self) -> None:
        future = any(checkpoint.millis(self.at(one)) > self.now for one in self.records)
        self.add("records", ["fail"] * self.unread, "incomplete" if future else "pass")

    def order(self) -> None:
        first, size = self.header["first"], self.header["size"]
        come, latest, wrong = set(), first, 0
        for place in self.places:
            if place is None:
                come.add(latest)
                latest = min(latest + 1, size)
            elif not first <= place < size or place in come or place < latest:
                wrong += 1
                come.add(place)
            else:
                come.add(place)
                latest = place + 1
        absent = [place for place in range(first, size) if place not in come]
        runs = sum(1 for place in absent if place - 1 not in absent)
        self.add("order", ["fail"] * (wrong + runs))

    def lineage(self) -> None:
        last, broken, before = {}, 0, False
        for envelope, _, _, data in self.records:
            link, subject = envelope["lineage"], envelope["subject"]
            if subject in last:
                sequence, leaf, at = last[subject]
                follows = link["sequence"] == sequence + 1 and link["previous"] == leaf
                broken += not follows or envelope["at"] < at
            elif link["sequence"] > 0:
                before |= self.header["first"] > 0
                broken += self.header["first"] == 0
            last[subject] = (link["sequence"], record.leaf(data), envelope["at"])
        self.add("lineage", ["fail"] * broken + ["incomplete"] * before)

    def root_at(self, count: int) -> bytes:
        """The root over the frontier and the first `count` records."""
        leaves = [checkpoint.leaf(one[3]) for one in self.records[:count]]
        known, start = {}, 0
        for bit in reversed(range(64)):
            if self.header["first"] >> bit & 1:
                known[(start, start + (1 << bit))] = checkpoint.digest(
                    self.header["frontier"][len(known)]
                )
                start += 1 << bit

        def over(low: int, high: int) -> bytes:
            if (low, high) in known:
                return known[(low, high)]
            if high - low == 1:
                return leaves[low - start]
            middle = low + checkpoint.split(high - low)
            return checkpoint.node(over(low, middle), over(middle, high))

        size = start + len(leaves)
        return over(0, size) if size else hashlib.sha256(b"").digest()

    def root(self) -> None:
        size, root, previous = self.header["size"], self.header["root"], self.header["previous"]
        exact = self.header["first"] + len(self.records) == size
        whole = not self.unread and exact and self.root_at(len(self.records)) == root
        self.findings.append(("root", "incomplete" if self.unread else "pass" if whole else "fail"))
        proved = None
        if previous:
            before = (previous["size"], checkpoint.digest(previous["root"]))
            proof = list(map(checkpoint.digest, previous["proof"]))
            proved = before if checkpoint.extends(before, (size, root), proof) else None
            self.findings.append(("consistency", "pass" if proved else "fail"))
        for (seen, expected), _ in self.trust.seen:
            found = None
            if seen == size:
                found = root
            elif self.header["first"] <= seen < size and whole:
                found = self.root_at(seen - self.header["first"])
            elif proved == (seen, expected):
                found = expected
            verdict = "incomplete" if found is None else "pass" if found == expected else "fail"
            self.findings.append(("consistency", verdict))

    def payloads(self) -> None:
        """Every field's verdict; `self.erased` has the record that erased each index."""
        self.erased, self.state, details = {}, {}, 0
        self.counts = dict.fromkeys(("present", "lake", "erased", "withheld", "missing", "altered"), 0)
        for one in self.records:
            details += self.fields(*one[:3]) + self.claims(one)
        came, left = {one[1] for one in self.records}, {}
        for place, by in self.erased.items():
            if by not in came:
                left[by] = left.get(by, 0) + self.names[place]
        self.counts["missing"] += sum(left.values())
        worst = "fail" if details + len(left) else "incomplete" if self.counts["withheld"] else "pass"
        self.findings.append(("payloads", worst))
        self.add("payloads", ["fail"] * (details + len(left)), None)

    def counted(self) -> str:
        return (
            "{present} PRESENT ({lake} in the lake), {erased} ERASED, {withheld} WITHHELD, "
            "{missing} MISSING, {altered} ALTERED"
        ).format(**self.counts)

    def fields(self, envelope: dict, index: int, payload: dict) -> int:
        """Counts the fields of one record; gives how many findings they make."""
        names, counts = envelope["commitments"], self.counts
        states = {name: payload.get(name, {}).get("state") for name in names}
        gone = [name for name, state in states.items() if state == "erased"]
        by = {payload[name]["by"] for name in gone}
        explained = (
            len(by) == 1 and len(gone) == len(names) and envelope["type"] not in KEPT
            and index < min(by) < self.header["size"]
        )  # fmt: skip
        if explained:
            self.erased[index], self.names[index] = min(by), len(names)
        results = {name: opens(name, payload[name], envelope) for name in names if name in payload}
        kept = any(result is not None for result in results.values())
        self.state[index] = "kept" if kept else "hidden" if names else "empty"
        absent = sum(state is None for state in states.values())
        altered = sum(result is False for result in results.values()) + len(set(payload) - set(names))
        unexplained = 0 if explained else len(gone)
        counts["present"] += sum(result is True for result in results.values())
        counts["lake"] += sum(results.get(name) is True and states[name] == "lake" for name in names)
        counts["withheld"] += sum(state == "withheld" for state in states.values())
        counts["missing"] += absent + unexplained
        counts["altered"] += altered
        return absent + altered + bool(unexplained)

    def claims(self, one: tuple) -> int:
        """Counts those that say this record erased them; gives how many findings they make."""
        envelope, index, _, _ = one
        claimed = [place for place, by in self.erased.items() if by == index]
        named = erasure_of(one) if envelope["type"] == "payload.erased" else []
        if named is None:
            self.counts["withheld"] += sum(self.names[place] for place in claimed)
            return 0
        good = sum(self.names[place] for place in claimed if place in named)
        wrong = sum(self.names[place] for place in claimed) - good
        self.counts["erased"] += good
        self.counts["missing"] += wrong
        return bool(wrong)

    def erasures(self) -> None:
        verdicts = []
        for one in self.records:
            envelope, index, _, _ = one
            if envelope["type"] != "payload.erased":
                continue
            named = erasure_of(one)
            if named is None or not named:
                verdicts.append("incomplete" if named is None else "fail")
                continue
            each = [self.judge(place, index) for place in named]
            verdicts.append(max(each, key=WORST.index))
        self.add("erasures", verdicts, None)

    def judge(self, place: int, index: int) -> str:
        if place >= index:
            return "fail"
        if place in self.erased:
            return "pass" if self.erased[place] == index else "fail"
        return {"kept": "fail", "hidden": "incomplete"}.get(self.state.get(place), "pass")

    def keys(self) -> None:
        keys, first = self.header["keys"], self.header["first"]
        changes = [one for one in self.records if one[0]["type"] in CHANGES]
        told, more = changes[: len(keys)], len(changes) > len(keys)
        earlier = len(keys) - len(told)
        texts = [own_field("key", one) for one in told]
        wrong = sum(text is not None and not is_key(text) for text in texts)
        wrong += more + (first == 0 and earlier > 0)
        for one, text, entry in zip(told, texts, keys if first == 0 else keys[earlier:]):
            same = (one[0]["at"], CHANGES[one[0]["type"]]) == (entry["at"], entry["change"])
            other = text is not None and is_key(text) and text.decode() != entry["key"]
            wrong += not same or other
        places = [None] * (earlier if first else 0) + [one[1] for one in told]
        redated, odd = self.redated(places)
        if wrong or odd:
            self.add("key history", ["fail"] * wrong + odd)
        else:
            good = None not in texts and earlier == 0 and self.signer_in_use()
            self.findings.append(("key history", "pass" if good else "incomplete"))
        self.add("key history", ["pass"] * redated, None)

    def redated(self, places: list[int | None]) -> tuple[int, list[str]]:
        """How many corrected dates hold, and what is to be said of the others."""
        keys, records = self.header["keys"], [one for one in self.records if one[0]["type"] == "key.redated"]
        told, odd, by = records[: len(keys)], [], {}
        shown = [own_field("redating", one) for one in told]
        odd += ["fail"] * sum(text is not None and redating(text) is None for text in shown)
        held, hidden = 0, shown.count(None)
        if len(records) > len(told):
            odd.append("fail")
        for (envelope, index, _, _), text in zip(told, shown):
            for change in (redating(text) or {"changes": []})["changes"] if text is not None else []:
                name = (change["change"], change["key"])
                line = next((n for n, one in enumerate(keys) if (one["change"], one["key"]) == name), None)
                if line is None or keys[line].get("redated") != change["at"]:
                    odd.append("fail")
                    continue
                later = line < len(places) and places[line] is not None and places[line] > index
                good = line not in by and not later and needed(keys, line, envelope["at"])
                by[line] = index
                held, odd = (held + 1, odd) if good else (held, [*odd, "fail"])
        for line, entry in enumerate(keys):
            if "redated" in entry and line not in by:
                elsewhere = hidden or line >= len(places) or places[line] is None
                odd.append("incomplete" if elsewhere else "fail")
        return held, odd + (["incomplete"] if hidden else [])

    def signer_in_use(self) -> bool:
        keys = self.header["keys"]
        try:
            signers, _ = self.header["note"].verified(self.trust.keys)
        except checkpoint.Refused:
            return True
        ended = {entry["key"] for entry in keys if entry["change"] != "added"}
        held = {entry["key"] for entry in keys} - ended
        points = {checkpoint.Key(text).public for text in held}
        return not keys or any(key.public in points for key in signers)

    def end(self) -> None:
        unreadable = sum(end is None for end in self.ends)
        said = next((end for end in self.ends if end), None)
        if said is None:
            return self.add("end", ["fail"] * (unreadable + 1))
        bad = [line for line in self.lines[: self.hashed] if line.startswith(b'{"end":')]
        data = jcs.dumps({"trail": {k: self.header[k] for k in HEADER}}) + b"\n"
        data += b"".join(line for line in self.lines[: self.hashed] if line not in bad)
        digest = "sha256:" + hashlib.sha256(data).hexdigest()
        wrong = (said["records"] != len(self.places)) + (said["sha256"] != digest)
        self.add("end", ["fail"] * (unreadable + self.after + wrong))


def redating(text: bytes) -> dict | None:
    """What a `key.redated` record says, if it is one."""
    try:
        value = jcs.loads(text)
        need(jcs.dumps(value) == text and set(value) == {"changes", "reason"}, "fields")
        need(isinstance(value["reason"], str) and value["reason"].strip() and value["changes"], "empty")
        for change in value["changes"]:
            need(set(change) == {"at", "change", "key"}, "change")
            need(change["at"] == record.canonical_time(change["at"]), "time")
            need(change["change"] in CHANGES.values() and is_key(change["key"].encode()), "change")
    except (Refused, ValueError, TypeError, KeyError, AttributeError):
        return None
    return value


def needed(keys: list, line: int, on: str) -> bool:
    """Whether the own date of a change cannot be, and the corrected one has come."""
    own = keys[line]["at"]
    before = any(time_of(one) > own for one in keys[:line])
    after = any(time_of(one) < own for one in keys[line + 1 :])
    return time_of(keys[line]) <= on and (own > on or before or after)


HEADER = ("v", "origin", "first", "size", "checkpoint", "frontier", "previous", "keys")


def split(data: bytes) -> list[bytes]:
    """Lines by U+000A alone."""
    *whole, rest = data.split(b"\n")
    return [part + b"\n" for part in whole] + ([rest] if rest else [])


def is_key(text: bytes) -> bool:
    try:
        checkpoint.Key(text.decode())
    except (checkpoint.Refused, UnicodeDecodeError):
        return False
    return True


def erasure_of(one: tuple) -> list[int] | None:
    """The indices that a record erased; None when they are not shown, empty when not readable."""
    data = own_field("erasure", one)
    if data is None:
        return None if "erasure" in one[0]["commitments"] else []
    try:
        value = canonical(data)
        need(set(value) == {"approver", "erased", "legal_basis", "scope"}, "fields")
        need(record.is_given(value["approver"]) and value["legal_basis"] in BASES, "approver")
        need(is_scope(value["scope"]) and all(map(is_whole, value["erased"])), "scope")
        need(value["erased"] and sorted(set(value["erased"])) == value["erased"], "erased")
    except (Refused, TypeError):
        return []
    return value["erased"]


# Custody and erasures.


def custody(exports: list[dict]) -> list[tuple[str, str]]:
    found = []
    if exports:
        one = len({export["origin"] for export in exports}) == 1
        found.append(("origin", "pass" if one else "fail"))
        found.append(("custody", "incomplete" if exports[0]["previous"] else "pass"))
    for before, here in zip(exports, exports[1:]):
        head = {"size": before["size"], "root": before["root"]}
        follows = "pass" if here["previous"] == head else "fail"
        found.append(("custody", follows if here["previous"] else "incomplete"))
        found.append(("range", "pass" if here["first"] <= before["size"] else "incomplete"))
    return found


def is_scope(text: object) -> bool:
    if text == "all" or not isinstance(text, str):
        return text == "all"
    sort, _, name = text.partition(":")
    return sort == "kind" and name in record.KINDS or sort == "subject" and record.is_given(name)


def covers(scope: str, target: dict) -> bool:
    named = (f"kind:{target['kind']}", f"subject:{target['subject']}")
    return scope == "all" or scope in named


def decide(case: dict) -> dict:
    """The field of an erasure that may be made, or the rules that each record breaks."""
    request, placed = case["request"], {}
    for change, hold in case["holds"]:
        if change == "placed":
            placed[hold["hold_id"]] = hold
        else:
            del placed[hold["hold_id"]]
    refused = []
    for target in case["targets"]:
        broken = [("kind", target["kind"] in KEPT), ("erased", target["erased_by"] is not None)]
        broken.append(("scope", not covers(request["scope"], target)))
        broken += [("hold", covers(placed[name]["scope"], target)) for name in sorted(placed)]
        early = request["legal_basis"] != "retention_expired"
        broken.append(("retention", not early and case["now"] < seven_years(target["at"])))
        refused += [[f"record {target['index']}", rule] for rule, breaks in broken if breaks]
    if refused:
        return {"refused": refused}
    erased = sorted({target["index"] for target in case["targets"]})
    return {"erasure": jcs.dumps({**request, "erased": erased}).decode()}


def seven_years(text: str) -> str:
    time = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    try:
        later = time.replace(year=time.year + 7)
    except ValueError:
        later = time.replace(year=time.year + 7, month=3, day=1)
    return record.canonical_time(later.isoformat())
