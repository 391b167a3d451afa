"""Checks the vectors of packs from `spec/pack.md` alone.

Replies of `policy` and `pack assemble` are computed again from their requests;
every refusal is shown to be deserved; every sealed pack is opened with an own
reader of DSSE, receipts and commitments.
"""

import base64
import datetime
import hashlib
import json
import pathlib
import re
import unicodedata

import jcs
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

PAYLOAD_TYPE = "application/vnd.dalil.pack+json"
TEXTS = ["title", "body", "executive_summary"]
OWN = {
    "llm", "model", "assistant", "agent", "completion", "generation", "reasoner", "gpt", "chatgpt", "chatbot", "copilot",
    "anthropic", "openai", "claude", "gemini", "gemma", "llama", "mistral", "mixtral", "deepseek", "qwen", "grok",
    "المساعد", "اصطناعي",
}  # fmt: skip
EITHER = {"ai", "نموذج", "النموذج", "ذكاء", "الذكاء"}
SAID = {
    "answer", "chat", "generated", "output", "response", "summary",
    "إجابة", "رد", "ملخص", "لغوي", "اللغوي", "الاصطناعي", "الذكاء",
}  # fmt: skip
WORDS = {"executive_summary": 120, "body": 600, "title": 600}
CHARACTERS = {"executive_summary": 1200, "body": 6000, "title": 300}
ARABIC = re.compile("[\u0620-\u064a\u0671-\u06d3]")
ELIGIBLE = [
    set(),
    {"manager", "department_head", "executive", "board"},
    {"department_head", "legal", "finance"},
    {"executive", "board"},
]
LOOKS = {
    "a": "аАαΑɑᴀ",
    "b": "ВвЬьΒβʙ",
    "c": "сСϲϹᴄ",
    "d": "ԁԀđĐɗᴅ",
    "e": "еЕΕεєЄᴇ",
    "f": "ſꜰƒ",
    "g": "ɡցɢԍ",
    "h": "һҺНнΗհħĦʜ",
    "i": "іІιıɩɪ",
    "j": "јЈϳᴊ",
    "k": "кКκΚᴋ",
    "l": "ӏӀΙI1łŁʟ",
    "m": "мМΜᴍ",
    "n": "пηΝոɴ",
    "o": "оОοΟσօ0øØᴏ",
    "p": "рРρΡᴘ",
    "q": "ԛԚգ",
    "r": "гʀ",
    "s": "ѕЅꜱ",
    "t": "тТτΤᴛ",
    "u": "υսᴜ",
    "v": "νѵѴᴠ",
    "w": "ԝԜωᴡ",
    "x": "хХχΧ",
    "y": "уУΥүҮγʏ",
    "z": "Ζᴢ",
}
VARIANTS = {
    "ا": "ٱٲٳٵ",
    "ي": "ىیېے",
    "ه": "ةہھەۃۀۂ",
    "ك": "کڪ",
    "ن": "ں",
    "ف": "ڡ",
    "ق": "ٯ",
} | {str(n): chr(0x660 + n) + chr(0x6F0 + n) for n in range(10)}
CITE = re.compile(r"\[cite:([0-9A-Fa-f]{8,64})\]")


def check(folder: pathlib.Path) -> list[str]:
    checks = {"policy": check_policy, "pack": check_assemble, "verify": check_verify}
    problems = []
    for path in sorted(folder.glob("*.json")):
        vector = json.loads(path.read_text())
        found = checks[vector["args"][0]](vector)
        problems += [f"{path.name}: {problem}" for problem in found]
    return problems


# --- policy ---------------------------------------------------------------


def check_policy(vector: dict) -> list[str]:
    if vector["exit"] != 0:
        return [] if vector["output"]["refused"] else ["refused without a fault"]
    decision, output = vector["input"], vector["output"]
    classes = [decision.get(f"{name}_class") for name in ("approval", "reversibility", "sensitivity")]
    if None in classes and "action_type" in decision:
        return []
    names = ["approval", "reversibility", "sensitivity"]
    missing = [
        f"{name} class is missing and counts as {strictest}"
        for name, strictest, value in zip(names, ["A3", "R3", "S3"], classes)
        if value is None
    ]
    classes = [value or strictest for value, strictest in zip(classes, ["A3", "R3", "S3"])]
    requirement, reasons = need(classes, decision.get("confidence"))
    expected = {
        "requirement": "mandatory" if missing else requirement,
        "reasons": missing + reasons,
        "high_stakes": high_stakes(classes),
        "approvers": {"A0": 0, "A1": 1, "A2": 2, "A3": 2}[classes[0]],
    }
    return differences(expected, output)


def need(classes: list[str], confidence: float | None) -> tuple[str, list[str]]:
    a, r, s = classes
    reasons = []
    if a in ("A2", "A3"):
        reasons.append(f"approval class {a} makes a pack mandatory")
    if r == "R3":
        reasons.append("reversibility class R3 makes a pack mandatory")
    if s == "S3":
        reasons.append("sensitivity class S3 makes a pack mandatory")
    if high_stakes(classes) and confidence is not None and confidence < 0.7:
        reasons.append(f"confidence {confidence} is below 0.7 on a high-stakes decision")
    if reasons:
        return "mandatory", reasons
    if classes == ["A0", "R0", "S0"]:
        return "skip", ["A0 R0 S0 is routine"]
    if a == "A1":
        return "recommended", ["approval class A1: a manager may want to audit it"]
    return "recommended", [f"{a} {r} {s} is more than routine"]


def high_stakes(classes: list[str]) -> bool:
    return classes[0] in ("A2", "A3") or classes[1] == "R3" or classes[2] == "S3"


# --- pack assemble --------------------------------------------------------


def check_assemble(vector: dict) -> list[str]:
    request, output = vector["input"], vector["output"]
    if vector["exit"] == 0:
        return differences(computed(request), output)
    problems = []
    for fault in output["refused"]:
        deserved = DESERVED.get(fault["rule"])
        if deserved is None:
            problems.append(f"no check for the rule {fault['rule']}")
        elif not deserved(request, fault["path"]):
            problems.append(f"{fault['rule']} at {fault['path']} is not deserved")
    return problems


def computed(request: dict) -> dict:
    """What follows from a request, as the pack must state it."""
    decision = request["decision"]
    decided = decision.get("created_at", request["created_at"])
    window = decision.get("data_freshness_window_hours", 24) * 3600
    age = lambda source: (moment(decided) - moment(source["retrieved_at"])).total_seconds()
    classes = [decision[f"{name}_class"] for name in ("approval", "reversibility", "sensitivity")]
    requirement, reasons = need(classes, decision.get("confidence"))
    calls = []
    for call in request.get("tool_calls", []):
        found = sorted(contradictions(call["intended_action"], call["actual_action"]))
        calls.append((bool(found), found))
    matter = ("objective", "options_considered", "rationale", "recommendation")
    decided_matter = {name: decision[name] for name in matter if decision.get(name)}
    return decided_matter | {
        "decision_hash": "sha256:" + hashlib.sha256(jcs.dumps(decision)).hexdigest(),
        "requirement": requirement,
        "reasons": reasons,
        "status": "resolved" if request.get("reviewer_id") else "unresolved",
        "memo": request.get("memo") or drafted(request),
        "prompts": request.get("prompts", decision.get("prompts", [])),
        "sources": [source | {"stale": age(source) > window, "retrieved_at": stamp(source["retrieved_at"])} for source in decision["evidence"]],
        "tool_calls": lambda stated: [
            (call["contradiction_flag"], call.get("contradictions", [])) for call in stated
        ] == calls,
        "memo cites the top three": lambda _: "memo" not in request or not uncited(request),
    }


def drafted(request: dict):
    """A memo that was drafted: every rule of memos holds, and it quotes no evidence."""

    def keeps_the_rules(memo: dict) -> bool:
        whole = request | {"memo": memo}
        texts = {f"{text}_{language}" for text in TEXTS for language in ("ar", "en")}
        if set(memo) != texts or uncited(whole):
            return False
        quoted = [one[name] for one in request["decision"]["evidence"] for name in ("source", "excerpt")]
        return all(
            words(memo[name]) <= WORDS[name[:-3]]
            and size(memo[name]) <= CHARACTERS[name[:-3]]
            and spoken(memo[name], name)
            and not any(one in memo[name] for one in quoted)
            for name in texts
        )

    return keeps_the_rules


def contradictions(intended, actual, at: str = "") -> list[str]:
    if isinstance(intended, dict) and isinstance(actual, dict):
        found = []
        for key in {*intended, *actual}:
            path = f"{at}.{key}" if at else key
            if key not in intended or key not in actual:
                found.append(path)
            else:
                found += contradictions(intended[key], actual[key], path)
        return found
    if isinstance(intended, list) and isinstance(actual, list):
        found = []
        for n in range(max(len(intended), len(actual))):
            if n >= min(len(intended), len(actual)):
                found.append(f"{at}[{n}]")
            else:
                found += contradictions(intended[n], actual[n], f"{at}[{n}]")
        return found
    if isinstance(intended, str) and isinstance(actual, str):
        return [] if folded(intended) == folded(actual) else [at or "$"]
    return [] if intended == actual else [at or "$"]


def folded(text: str) -> str:
    return " ".join(text.split()).lower()


def anchor(text: str) -> str:
    return hashlib.sha256(folded(text).encode()).hexdigest()


def top_three(evidence: list[dict]) -> list[dict]:
    readable = [one for one in evidence if isinstance(one.get("confidence"), (int, float))]
    return sorted(readable, key=lambda one: -one["confidence"])[:3]


def uncited(request: dict) -> list[str]:
    """The bodies that do not cite one of the top three sources, and summaries that cite none."""
    bodies = []
    for language in ("ar", "en"):
        named = [names for text in TEXTS for names in citations(request, f"memo.{text}_{language}")]
        cited = {one for names in named if len(names) == 1 for one in names}
        for source in top_three(request["decision"]["evidence"]):
            if anchor(source["excerpt"]) not in cited:
                bodies.append(f"memo.body_{language}")
        summary = f"memo.executive_summary_{language}"
        if request["decision"]["evidence"] and not citations(request, summary):
            bodies.append(summary)
    return bodies


def citations(request: dict, path: str) -> list[set[str]]:
    """The digests of excerpts that each citation at a path names."""
    evidence = request["decision"]["evidence"]
    digests = {anchor(one["excerpt"]) for one in evidence if "excerpt" in one}
    found = CITE.findall(at(request, path) or "")
    return [{digest for digest in digests if digest.startswith(one.lower())} for one in found]


def at(value, path: str):
    """The value at a path of a request; None when there is nothing."""
    for step in re.findall(r"[^.\[\]]+", path):
        try:
            value = value[int(step)] if isinstance(value, list) else value[step]
        except (KeyError, IndexError, TypeError, ValueError):
            return None
    return value


def own_prose(source: dict, decision: dict) -> bool:
    parts = [re.split(r"\d", part)[0] for part in re.findall(r"[^\W_]+", source["source"])] + [""]
    authors = [decision[name] for name in ("agent_name", "model", "model_version") if decision.get(name)]
    alike = lambda word, known: any(looks_like(word, one) for one in known)
    first, second = parts[0], parts[1] if len(parts) > 1 else ""
    said = alike(first, EITHER) and (not second or alike(second, OWN | SAID))
    return said or alike(first, OWN) or alike(source["source"], authors)


def looks_like(one: str, other: str) -> bool:
    """Whether a reader could take two names for one."""
    variants = {ord(form): letter for letter, forms in VARIANTS.items() for form in forms}
    looks = {ord(form): letter for letter, forms in LOOKS.items() for form in forms}
    blank = "\u0640\u115f\u1160\u17b4\u17b5"

    def letters(name: str) -> str:
        kept = (ch for ch in unicodedata.normalize("NFKD", name) if not unicodedata.combining(ch))
        return "".join(ch for ch in kept if ch.isalnum() and ch not in blank)

    plain = lambda name: letters(name).lower().translate(variants)
    shape = lambda name: letters(name).translate(looks).lower().translate(variants)
    same = lambda key: key(one) == key(other) != ""
    return one.strip() == other.strip() or same(plain) or same(shape)


def words(text: str) -> int:
    """Words of plain Latin and Arabic text, which is all that the vectors hold."""
    return len(re.findall(r"[^\W_]+(?:['’][^\W_]+)*", CITE.sub(" ", text)))


def size(text: str) -> int:
    """Characters outside citations, marks not counted."""
    return sum(not unicodedata.combining(ch) for ch in CITE.sub("", text))


def spoken(text: str, name: str) -> bool:
    """Whether half of the letters are of the language's script; in a title, one."""
    letters = [ch for ch in CITE.sub("", text) if ch.isalpha()]
    own = sum(bool(re.match(ARABIC if name.endswith("_ar") else "[A-Za-z\u00c0-\u024f]", ch)) for ch in letters)
    return own > 0 and ("title" in name or 2 * own >= len(letters))


def ledger_sum(request: dict, path: str) -> bool:
    """Whether a number of the ledger's summary is not what its entries give."""
    entries = request["ledger"]["entries"]
    weighty = [one for one in entries if one["claim_importance"] != "minor"]
    held = [one for one in weighty if one["verdict"] in ("supported", "weak")]
    weak = sum(one["verdict"] == "weak" for one in weighty)
    # In a ledger of the first edition a weak claim counts whole.
    half = 0.5 if "coverage_any_evidence" in request["ledger"]["summary"] else 0
    sums = {
        "total_claims": len(entries),
        "evidence_coverage": (len(held) - half * weak) / len(weighty) if weighty else 1,
        "coverage_any_evidence": len(held) / len(weighty) if weighty else 1,
    }
    name = path.removeprefix("ledger.summary.")
    if name.startswith("by_verdict."):
        verdict = name.removeprefix("by_verdict.")
        sums[name] = sum(one["verdict"] == verdict for one in entries)
    return abs(at(request, path) - sums[name]) > 0.00006


def says(text: str, excerpt: str) -> bool:
    """Whether words are in a text, and do not begin inside a word or a number, nor end inside a number."""

    def inside(at: int, of: str) -> bool:
        before, after = text[:at], text[at:]
        joined = re.search(r"[^\W_]$", before) and re.match(r"[^\W_]", after)
        # Arabic writes "and" with the next word.
        joined = joined and not re.search(r"(?<![^\W_])[وف]$", before)
        number = re.search(r"\d[.,'٫٬]?$", before) and re.match(r"[.,'٫٬]?\d", after)
        return bool(number or (joined and of == "word"))

    places = (match.start() for match in re.finditer(f"(?={re.escape(excerpt)})", text))
    return any(not inside(at, "word") and not inside(at + len(excerpt), "number") for at in places)


DESERVED = {
    "missing_field": lambda request, path: at(request, path) is None,
    "unknown_field": lambda request, path: at(request, path) is not None,
    "empty": lambda request, path: not at(request, path).strip(),
    "type": lambda request, path: not isinstance(at(request, path), (dict, list)),
    "range": lambda request, path: not 0 <= at(request, path) <= 1,
    "id": lambda request, path: not re.fullmatch("pack_[0-9a-f]{16}", at(request, path)),
    "digest": lambda request, path: not re.fullmatch("(sha256:)?[0-9a-f]{64}", at(request, path)),
    "choice": lambda request, path: at(request, path) not in ("A0", "A1", "A2", "A3"),
    "source_location": lambda request, path: not (
        at(request, path) or at(request, path.removesuffix("uri") + "reference")
    ),
    "excerpt_length": lambda request, path: len(at(request, path)) > 2000,
    "evidence_required": lambda request, path: at(request, path) == []
    and high_stakes([at(request, f"decision.{name}_class") for name in ("approval", "reversibility", "sensitivity")]),
    "own_prose": lambda request, path: all(
        own_prose(source, request["decision"]) for source in at(request, path)
    ),
    "not_verbatim": lambda request, path: not says(
        request["retained"][at(request, path.removesuffix("excerpt") + "content_hash")], at(request, path)
    ),
    "retained_digest": lambda request, path: any(
        "sha256:" + hashlib.sha256(text.encode()).hexdigest() != name
        for name, text in request["retained"].items()
    ),
    "contradiction_flag": lambda request, path: at(request, path)
    != bool(
        contradictions(
            at(request, path.removesuffix("contradiction_flag") + "intended_action"),
            at(request, path.removesuffix("contradiction_flag") + "actual_action"),
        )
    ),
    "duplicate": lambda request, path: [call.get("tool_call_id") for call in request["tool_calls"]].count(at(request, path))
    > 1,
    "foreign_call": lambda request, path: at(request, path) != request["decision"]["decision_id"],
    "memo_language": lambda request, path: not spoken(at(request, path), path),
    "memo_size": lambda request, path: size(at(request, path))
    > CHARACTERS[path.removeprefix("memo.")[:-3]],
    "length": lambda request, path: len(at(request, path))
    > (2048 if path.endswith(("uri", "reference")) else 256),
    "name": lambda request, path: not at(request, path).isprintable()
    or not any(ch.isalnum() for ch in at(request, path)),
    "memo_length": lambda request, path: words(at(request, path))
    > WORDS[path.removeprefix("memo.")[:-3]],
    "missing_citation": lambda request, path: path in uncited(request),
    "unknown_citation": lambda request, path: set() in citations(request, path),
    "ambiguous_citation": lambda request, path: max(map(len, citations(request, path))) > 1,
    "personal_data": lambda request, path: "@" in at(request, path),
    "ledger_sum": ledger_sum,
    "supersedes": lambda request, path: (request.get("version", 1) > 1) != ("supersedes" in request)
    or request["supersedes"] == request["pack_id"],
    "review": lambda request, path: ("reviewer_id" in request) != ("reviewed_at" in request)
    or "supersedes" not in request
    or moment(request["reviewed_at"]) > moment(request["created_at"]),
    "self_review": lambda request, path: looks_like(
        request["reviewer_id"], request["decision"]["agent_name"]
    ),
    "acknowledgement": lambda request, path: bool(request[path]),
    "unacknowledged": lambda request, path: "reviewer_id" in request and not request.get(path),
}


# --- verify ---------------------------------------------------------------


def check_verify(vector: dict) -> list[str]:
    findings = {}
    for finding in vector["output"]["findings"]:
        findings.setdefault(finding["part"], finding["verdict"])
        if finding["verdict"] == "fail":
            findings[finding["part"]] = "fail"
    worst = next((one for one in ("fail", "incomplete") if one in findings.values()), "pass")
    exits = {"pass": 0, "fail": 1, "incomplete": 2}
    problems = []
    if vector["output"]["verdict"] != worst or vector["exit"] != exits[worst]:
        problems.append("the verdict is not the worst of its findings")
    for part, verdict in opened(vector).items():
        if findings.get(part) != verdict:
            problems.append(f"{part}: {findings.get(part)} is stated, {verdict} was found")
    return problems


def opened(vector: dict) -> dict:
    """The verdicts about a file that can be found from its bytes and the trusted key."""
    sealed = vector.get("input")
    if not isinstance(sealed, dict):
        pdf = vector["input_text"].startswith("%PDF")
        return {"attachments" if pdf else "format": "fail"}
    if "pack_id" in sealed:
        rules = {"rules": "pass" if approved(sealed) else "fail"} if "approvals" in sealed else {}
        return rules | {"signature": "incomplete", "inclusion": "incomplete"}
    envelope = sealed.get("envelope", sealed)
    payload = sound_payload(envelope)
    if payload is None:
        return {"format": "fail"}
    key = trusted(vector["args"])
    verdicts = {"signature": "incomplete" if key is None else signature(envelope, payload, key)}
    canonical = jcs.dumps(jcs.loads(payload)) == payload
    verdicts["canonical"] = "pass" if canonical else "fail"
    if "receipt" not in sealed:
        return verdicts | {"inclusion": "incomplete"}
    return verdicts | receipt(sealed, payload, key)


def approved(pack: dict) -> bool:
    """Whether the approvals of a pack are those that its class asks for, the reviewer's last."""
    votes = pack["approvals"]
    last, times = votes[-1], [moment(vote["at"]) for vote in votes]
    if times != sorted(times) or any(vote["outcome"] == "rejected" for vote in votes):
        return False
    if (last["approver"], last["at"], last["outcome"]) != (pack["reviewer_id"], pack["reviewed_at"], "approved"):
        return False
    if any(looks_like(pack["agent_name"], vote["approver"]) for vote in votes):
        return False
    steps = sum(vote["outcome"] == "escalated" for vote in votes)
    level = min(int(pack["approval_class"][1]) + steps, 3)
    people = {}
    for vote in votes:
        if vote["outcome"] == "approved" and (not ELIGIBLE[level] or ELIGIBLE[level] & set(vote["titles"])):
            known = next((name for name in people if looks_like(name, vote["approver"])), vote["approver"])
            people.setdefault(known, set(vote["titles"]))
    held = set().union(*people.values())
    checked = level != 2 or ("department_head" in held and held & {"legal", "finance"})
    return bool(checked) and len(people) >= [1, 1, 2, 2][level]


def sound_payload(envelope: dict) -> bytes | None:
    """The payload of an envelope in its one spelling; None for any other."""
    if set(envelope) != {"payload", "payloadType", "signatures"}:
        return None
    if envelope["payloadType"] != PAYLOAD_TYPE or not envelope["signatures"]:
        return None
    names = [signature.get("keyid") for signature in envelope["signatures"]]
    if len(names) > 100 or len(set(names)) != len(names):
        return None
    payload = base64.b64decode(envelope["payload"])
    return payload if base64.b64encode(payload).decode() == envelope["payload"] else None


def trusted(args: list[str]) -> tuple[str, str, bytes] | None:
    """The name, hash and bytes of the key that a vector trusts."""
    if "--key" not in args:
        return None
    name, short, encoded = args[args.index("--key") + 1].split("+", 2)
    typed = base64.b64decode(encoded)
    digest = hashlib.sha256(name.encode() + b"\n" + typed).hexdigest()
    assert typed[0] == 1 and digest.startswith(short), "the verifier key is not one"
    return name, short, typed[1:]


def signature(envelope: dict, payload: bytes, key: tuple[str, str, bytes]) -> str:
    name, short, point = key
    kind = PAYLOAD_TYPE.encode()
    signed = b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)
    for one in envelope["signatures"]:
        if one["keyid"] == f"{name}+{short}" and holds(point, base64.b64decode(one["sig"]), signed):
            return "pass"
    return "fail"


def receipt(sealed: dict, payload: bytes, key) -> dict:
    head, note = sealed["receipt"].split("\n\n", 1)
    lines = head.split("\n")
    record = base64.b64decode(lines[1].removeprefix("extra "))
    index = int(lines[2].removeprefix("index "))
    path = [base64.b64decode(line) for line in lines[3:]]
    text, signatures = note.split("\n\n", 1)
    origin, size, root = text.split("\n")[:3]
    included = climb(hashlib.sha256(b"\0" + record).digest(), index, int(size), path)
    verdicts = {"inclusion": "pass" if included == base64.b64decode(root) else "fail"}
    if key is None:
        verdicts["checkpoint signature"] = "incomplete"
    else:
        name, _, point = key
        lines = [line.rsplit(" ", 1) for line in signatures.strip("\n").split("\n")]
        signed = any(
            who == f"\u2014 {name}" and holds(point, base64.b64decode(sig)[4:], (text + "\n").encode())
            for who, sig in lines
        )
        verdicts["checkpoint signature"] = "pass" if signed else "fail"
    return verdicts | {"commitment": commitment(sealed, payload, json.loads(record))}


def commitment(sealed: dict, payload: bytes, record: dict) -> str:
    if record["type"] != "pack.sealed" or record["subject"] != json.loads(payload).get("pack_id"):
        return "fail"
    if "salt" not in sealed:
        return "incomplete"
    parts = [b"dalil commitment v1", b"pack", bytes.fromhex(sealed["salt"]), payload]
    framed = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    stated = record["commitments"].get("pack")
    return "pass" if stated == "sha256:" + hashlib.sha256(framed).hexdigest() else "fail"


def climb(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes | None:
    """The root that an inclusion path of RFC 9162 leads to."""
    node, last = index, size - 1
    for sibling in path:
        if last == 0:
            return None
        if node % 2 or node == last:
            leaf = hashlib.sha256(b"\1" + sibling + leaf).digest()
            while node % 2 == 0 and node:
                node, last = node >> 1, last >> 1
        else:
            leaf = hashlib.sha256(b"\1" + leaf + sibling).digest()
        node, last = node >> 1, last >> 1
    return leaf if last == 0 else None


def holds(point: bytes, signature: bytes, message: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(point).verify(signature, message)
    except InvalidSignature:
        return False
    return True


# --- common ---------------------------------------------------------------


def moment(text: str) -> datetime.datetime:
    return datetime.datetime.fromisoformat(text)


def stamp(text: str) -> str:
    utc = moment(text).astimezone(datetime.timezone.utc)
    return utc.strftime("%Y-%m-%dT%H:%M:%S.") + f"{utc.microsecond // 1000:03}Z"


def differences(expected: dict, stated: dict) -> list[str]:
    """What is not as it was computed; a function is asked about what is stated."""
    problems = []
    for name, value in expected.items():
        found = stated.get(name)
        if not (value(found) if callable(value) else value == found):
            problems.append(f"{name} is {found!r}")
    return problems
