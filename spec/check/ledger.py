"""Recomputes every ledger vector from spec/ledger.md alone."""

import datetime
import hashlib
import json
import pathlib
import re
import unicodedata
import uuid
from fractions import Fraction

import jcs

VERDICTS = ("supported", "weak", "contradicted", "not_found")
IMPORTANCES = ("critical", "material", "minor")
BANDS = ((8500, "high"), (7000, "good"), (5000, "moderate"), (3000, "low"), (0, "very_low"))
SEVERITY = {
    "missing_evidence": "high",
    "contradiction": "high",
    "low_confidence": "medium",
    "outdated_source": "medium",
    "ambiguous_evidence": "medium",
    "conflicting_sources": "high",
    "unresolved_citation": "high",
    "unrelated_citation": "medium",
}
FINDINGS = (
    "unresolved_citation",
    "unrelated_citation",
    "conflicting_sources",
    "may_conflict",
    "hidden_evidence",
    "missing_part",
)
CITE = r"\[cite:([0-9a-fA-F]{8,64})\]"
UNAVAILABLE = "Citation references deleted or unavailable chunk"


def check(folder: pathlib.Path) -> list[str]:
    problems = []
    for path in sorted(folder.glob("*.json")):
        vector = json.loads(path.read_text(encoding="utf-8"))
        problems += [f"{path.name}: {problem}" for problem in check_vector(path.stem, vector)]
    return problems


def check_vector(name: str, vector: dict) -> list[str]:
    if name.startswith("refused-"):
        return refusal(vector)
    if "output_text" in vector:
        return view(vector["output_text"])
    output = dict(vector["output"])
    report = output.pop("gate", None)
    if "runs" in output:
        return sarif(vector["input"], output)
    if "ledger_id" in output:
        return export(vector["input"], output)
    problems = ledger(vector["input"], output)
    exit_code = {"pass": 0, "fail": 1, "incomplete": 2}[report["verdict"] if report else "pass"]
    if vector["exit"] != exit_code:
        problems.append(f"expected exit {exit_code}, found {vector['exit']}")
    return problems + (gate(vector, output, report) if report else [])


def refusal(vector: dict) -> list[str]:
    problems = [] if vector["exit"] == 1 else [f"expected exit 1, found {vector['exit']}"]
    faults = vector["output"].get("refused", [])
    if not faults or any({"rule", "path", "message"} - set(fault) for fault in faults):
        problems.append("expected faults with rule, path and message")
    if "input_text" in vector:
        try:
            jcs.loads(vector["input_text"])
            problems.append("expected text that cannot be read")
        except ValueError:
            pass
    return problems


def ledger(request: dict, output: dict) -> list[str]:
    problems = []
    same(problems, "id", output["id"], name_of({k: v for k, v in output.items() if k != "id"}))
    same(problems, "updated_at", output["updated_at"], output["created_at"])
    same(problems, "session_id", output["session_id"], request["session"]["id"])
    for claim, entry in zip(request["claims"], output["entries"], strict=True):
        problems += check_entry(request, claim, entry, output)
    same(problems, "summary", output["summary"], summary(output["entries"]))
    flags = [(flag["type"], flag["affected_claim_ids"]) for flag in output["risk_flags"]]
    same(problems, "risk_flags", flags, risks(request, output["entries"]))
    for flag in output["risk_flags"]:
        same(problems, "severity", flag["severity"], SEVERITY[flag["type"]])
        same(problems, "flag id", flag["id"], part_id(request, output, "flag", flag))
    asked = [e for e in output["entries"] if e["verdict"] in ("weak", "not_found")]
    asked = [e for e in asked if e["claim_importance"] != "minor"]
    for entry, question in zip(asked, output["follow_up_questions"], strict=True):
        if entry["claim_text"].strip().rstrip(".") not in question:
            problems.append(f"the question {question!r} is about another claim")
    for field in ("judge", "documents", "not_claims"):
        same(problems, field, output.get(field), request.get(field))
    return problems + citations(request, output.get("citations", []))


def check_entry(request: dict, claim: dict, entry: dict, output: dict) -> list[str]:
    problems = []
    verdict, confidence, evidence, told, ruling = assign(request, claim)
    place = claim["claim_id"]
    same(problems, f"{place} verdict", entry["verdict"], verdict)
    same(problems, f"{place} confidence", units(entry["confidence_score"]), confidence)
    band = next(name for least, name in BANDS if confidence >= least)
    same(problems, f"{place} band", entry["confidence_band"], band)
    ids = list(dict.fromkeys(match["chunk_id"] for match in evidence))
    same(problems, f"{place} chunks", entry["evidence_chunk_ids"], ids)
    best = evidence[0] if evidence else {"snippet": "", "document": None}
    same(problems, f"{place} snippet", entry["evidence_snippet"], best["snippet"])
    offsets = best.get("snippet_offsets")
    same(problems, f"{place} offsets", entry.get("evidence_offsets"), offsets)
    same(problems, f"{place} document", entry["source_document"], best["document"])
    passages = [passage(match, stance) for match, stance in told]
    same(problems, f"{place} passages", entry.get("evidence_passages", []), passages)
    found = [{k: v for k, v in one.items() if k != "message"} for one in entry.get("findings", [])]
    expected = findings(request, claim, verdict, evidence, told, ruling)
    same(problems, f"{place} findings", found, expected)
    if not all(one["message"] for one in entry.get("findings", [])):
        problems.append(f"{place} has a finding without a message")
    judge = best.get("judge") or claim.get("judge")
    same(problems, f"{place} judge", entry.get("judge"), judge)
    same(problems, f"{place} id", entry["id"], part_id(request, output, "entry", entry))
    if components := best.get("components"):
        formula = units(entry["calculated_confidence"])
        same(problems, f"{place} formula", formula, calculate(components))
    if verdict == "not_found" and request.get("truncated"):
        if "not found in what was kept" not in entry["notes"]:
            problems.append(f"{place} does not say that documents were cut")
    return problems


def stance(match: dict, floor: int) -> str | None:
    seen, similarity = "hidden" not in match, units(match["similarity"])
    if match.get("contradicts"):
        if seen and match.get("reason"):
            return "contradicts"
        return "may_conflict" if similarity >= floor else None
    if match["support"] == "full" and seen and similarity > 8500:
        return "supports"
    in_part = match["support"] in ("full", "partial") and similarity >= floor
    return "supports_in_part" if in_part else None


def is_for(one: tuple[dict, str]) -> bool:
    return one[1] in ("supports", "supports_in_part")


def document_of(one: tuple[dict, str]) -> str:
    return one[0]["document"]["id"]


def disagree(sides: list) -> bool:
    backing = {document_of(one) for one in sides if is_for(one)}
    against = {document_of(one) for one in sides if one[1] == "contradicts"}
    return any(a != b for a in backing for b in against)


def amends(later: tuple[dict, str], earlier: tuple[dict, str]) -> bool:
    new, old = later[0]["document"], earlier[0]["document"]
    if new["id"] == old["id"] or old["id"] not in later[0].get("amends", []):
        return False
    return not ("date" in new and "date" in old and day(new["date"]) < day(old["date"]))


def prevailing(told: list) -> tuple[list, str | None]:
    """What is heard where documents disagree, and the ruling."""
    sides = [one for one in told if one[1] == "contradicts" or is_for(one) and "hidden" not in one[0]]
    if not disagree(sides):
        return told, None
    named = {document_of(one) for one in sides if one[0].get("named")}
    left = [one for one in sides if document_of(one) in named] if named else sides
    by_name = not disagree(left)
    current = [one for one in left if not any(amends(other, one) for other in left)] or left
    ruling = "named" if by_name else "open" if disagree(current) else "amended"
    ids = {document_of(one) for one in current}
    return [one for one in told if document_of(one) in ids], ruling


def assign(request: dict, claim: dict) -> tuple:
    """The verdict, its confidence, its evidence, every passage with its stance, the ruling."""
    floor = units(request.get("options", {}).get("min_weak_similarity", 0.5))
    stances = [(match, stance(match, floor)) for match in claim.get("matches", [])]
    told = best_first([one for one in stances if one[1]])
    heard, ruling = prevailing(told)
    against = [one for one in heard if one[1] == "contradicts"]
    own = []
    if against:
        verdict, confidence, own = "contradicted", units(against[0][0]["similarity"]), against
    elif not heard:
        verdict, confidence = "not_found", 0
    elif heard[0][1] == "supports":
        verdict, confidence = "supported", units(heard[0][0]["similarity"])
        own = [one for one in heard if is_for(one)]
    else:
        verdict, own = "weak", heard
        confidence = (units(heard[0][0]["similarity"]) * 80 + 50) // 100
    own = [one for one in own if "hidden" not in one[0]] or own
    rest = [one for one in told if not any(one[0] is other[0] for other in own)]
    return verdict, confidence, [match for match, _ in own], own + rest, ruling


def best_first(told: list) -> list:
    support = {"full": 2, "partial": 1, "none": 0}

    def key(one: tuple[dict, str]) -> tuple:
        rank = support[one[0]["support"]] if is_for(one) else 0
        return ("hidden" in one[0], -units(one[0]["similarity"]), -rank)

    return sorted(told, key=key)


def passage(match: dict, found: str) -> dict:
    kept = {name: match[name] for name in ("chunk_id", "document", "snippet", "similarity")}
    if "snippet_offsets" in match:
        kept["offsets"] = match["snippet_offsets"]
    for name in ("reason", "missing", "hidden", "named", "amends", "judge"):
        if match.get(name):
            kept[name] = match[name]
    return {**kept, "stance": found}


def findings(
    request: dict, claim: dict, verdict: str, evidence: list, told: list, ruling: str | None
) -> list[dict]:
    found = cited_findings(request, claim, told)
    if ruling:
        opposite = [
            one
            for one in told
            if "hidden" not in one[0]
            and (is_for(one) if verdict == "contradicted" else one[1] == "contradicts")
        ]
        own = evidence[0]["document"]["id"]
        others = [one for one in opposite if document_of(one) != own] or opposite
        about = {"document": others[0][0]["document"], "stance": others[0][1], "ruling": ruling}
        found.append({"type": "conflicting_sources", **about})
    for match, word in told:
        about = {"document": match["document"], "stance": word}
        why = {"detail": match["hidden"]} if "hidden" in match else {}
        if word == "may_conflict":
            found.append({"type": "may_conflict", **about, **why})
        if why:
            found.append({"type": "hidden_evidence", **about, **why})
    if verdict == "weak" and "missing" in evidence[0]:
        found.append({"type": "missing_part", "detail": evidence[0]["missing"]})
    once = []
    for one in sorted(found, key=lambda one: FINDINGS.index(one["type"])):
        if one not in once:
            once.append(one)
    return once


def cited_findings(request: dict, claim: dict, told: list) -> list[dict]:
    if "chunks" not in request:
        return []
    found = []
    for anchor in cited_by(request, claim):
        chunks = named_chunks(request, anchor)
        if len(chunks) != 1:
            detail = {"detail": "ambiguous"} if chunks else {}
            found.append({"type": "unresolved_citation", "citation": anchor, **detail})
        elif not bears(claim, anchor, chunks[0], told):
            document = {k: v for k, v in chunks[0].items() if k == "document"}
            found.append({"type": "unrelated_citation", "citation": anchor, **document})
    return found


def cited_by(request: dict, claim: dict) -> list[str]:
    """The anchors of the answer that belong to a claim, then those that it names itself."""
    starts = sorted({c["start_offset"] for c in request["claims"] if "start_offset" in c})
    anchors = []
    for citation in re.finditer(CITE, request.get("answer", "")):
        place = citation.start()
        if any(one["start"] <= place < one["end"] for one in request.get("not_claims", [])):
            continue
        before = [start for start in starts if start <= place]
        if starts and claim.get("start_offset") == (before[-1] if before else starts[0]):
            anchors.append(citation[1].lower())
    return anchors + [anchor.lower() for anchor in claim.get("citation_anchors", [])]


def named_chunks(request: dict, anchor: str) -> list[dict]:
    known = {}
    for chunk in request["chunks"]:
        known.setdefault(digest(chunk["text"]), chunk)
    return [chunk for name, chunk in known.items() if name.startswith(anchor)]


def bears(claim: dict, anchor: str, chunk: dict, told: list) -> bool:
    if claim.get("unrelated_citations") is not None:
        return anchor not in [one.lower() for one in claim["unrelated_citations"]]
    for match, _ in told:
        if match["chunk_id"] == chunk["chunk_id"]:
            return True
        if "document" in chunk and chunk["document"]["id"] != match["document"]["id"]:
            continue
        words, text = fold(match["snippet"]), fold(chunk["text"])
        if words and text and (words in text or text in words):
            return True
    return False


def calculate(components: dict) -> int:
    weighted = units(components["semantic_similarity"]) * 60
    weighted += units(components["directness"]) * 15 + units(components["source_quality"]) * 10
    bonus = (min(components["evidence_count"], 4) - 1) * 500
    return max(0, min(10_000, (weighted + 50) // 100 + bonus))


def summary(entries: list[dict]) -> dict:
    weighty = [one for one in entries if one["claim_importance"] != "minor"]

    def share(halves: dict, empty: int | None) -> float | None:
        count = sum(halves.get(one["verdict"], 0) for one in weighty)
        if not weighty:
            return empty
        return (10_000 * count + len(weighty)) // (2 * len(weighty)) / 10_000

    return {
        "state": "checked" if entries else "no_checkable_claim",
        "total_claims": len(entries),
        "by_verdict": {v: sum(one["verdict"] == v for one in entries) for v in VERDICTS},
        "by_importance": {
            i: sum(one["claim_importance"] == i for one in entries) for i in IMPORTANCES
        },
        "evidence_coverage": share({"supported": 2, "weak": 1}, None),
        "coverage_any_evidence": share({"supported": 2, "weak": 2}, None),
        "unsupported_rate": share({"not_found": 2}, 0),
    }


def risks(request: dict, entries: list[dict]) -> list[tuple[str, list[str]]]:
    days = request.get("options", {}).get("outdated_days", 365)
    rows = list(zip(request["claims"], entries, strict=True))

    def touched(test) -> list[str]:
        return [claim["claim_id"] for claim, entry in rows if test(claim, entry)]

    assigned = {claim["claim_id"]: assign(request, claim) for claim in request["claims"]}

    def has(entry: dict, kind: str) -> bool:
        return any(one["type"] == kind for one in entry.get("findings", []))

    confidences = [units(entry["confidence_score"]) for entry in entries]
    low = bool(entries) and Fraction(sum(confidences), len(entries)) < 6000
    found = {
        "missing_evidence": touched(
            lambda c, e: e["verdict"] == "not_found" and c["importance"] == "critical"
        ),
        "contradiction": touched(lambda c, e: e["verdict"] == "contradicted"),
        "low_confidence": touched(lambda c, e: low and units(e["confidence_score"]) < 6000),
        "outdated_source": touched(lambda c, e: outdated(request, e["source_document"], days)),
        "ambiguous_evidence": touched(lambda c, e: e["verdict"] == "weak" and ambiguous(assigned[c["claim_id"]][3])),
        "conflicting_sources": touched(
            lambda c, e: assigned[c["claim_id"]][4] in ("named", "open")
        ),
        "unresolved_citation": touched(lambda c, e: has(e, "unresolved_citation")),
        "unrelated_citation": touched(lambda c, e: has(e, "unrelated_citation")),
    }
    always = {"unresolved_citation"} if unresolved(request) else set()
    return [(kind, ids) for kind, ids in found.items() if ids or kind in always]


def unresolved(request: dict) -> bool:
    """Whether a citation, of a claim or of none, names no chunk or more than one."""
    if "chunks" not in request:
        return False
    cited = [found[1].lower() for found in re.finditer(CITE, request.get("answer", ""))]
    for claim in request["claims"]:
        cited += [anchor.lower() for anchor in claim.get("citation_anchors", [])]
    return any(len(named_chunks(request, anchor)) != 1 for anchor in cited)


def outdated(request: dict, document: dict | None, days: int) -> bool:
    if not document or "date" not in document:
        return False
    text, now = document["date"], moment(request["created_at"])
    if "T" in text:
        return now - moment(text) > datetime.timedelta(days=days)
    return (now - moment(f"{text}T00:00:00Z")).days > days


def ambiguous(told: list) -> bool:
    partial = [match for match, _ in told if match["support"] == "partial"]
    return any(
        a["chunk_id"] != b["chunk_id"]
        and abs(units(a["similarity"]) - units(b["similarity"])) <= 500
        for a in partial
        for b in partial
    )


def gate(vector: dict, output: dict, report: dict) -> list[str]:
    wanted = {"min_coverage": 0.85, "max_unsupported": 0.05, "max_contradicted_critical": 0}
    wanted |= vector["input"].get("options", {}).get("gate", {})
    args = vector["args"]
    for flag in wanted:
        if f"--{flag.replace('_', '-')}" in args:
            wanted[flag] = float(args[args.index(f"--{flag.replace('_', '-')}") + 1])
    weighty = [one for one in output["entries"] if one["claim_importance"] != "minor"]
    count = {v: sum(one["verdict"] == v for one in weighty) for v in VERDICTS}
    critical = [one for one in weighty if one["claim_importance"] == "critical"]
    against = sum(one["verdict"] == "contradicted" for one in critical)
    halves, total = 2 * count["supported"] + count["weak"], len(weighty)
    enough = halves * 10_000 >= units(wanted["min_coverage"]) * 2 * total
    few = count["not_found"] * 10_000 <= units(wanted["max_unsupported"]) * total
    word = {True: "pass", False: "fail"}
    expected = [
        ("evidence_coverage", word[enough] if weighty else "incomplete"),
        ("unsupported_rate", word[few]),
        ("contradicted_critical", word[against <= wanted["max_contradicted_critical"]]),
    ]
    found = [(part["part"], part["verdict"]) for part in report["findings"]]
    verdicts = [verdict for _, verdict in expected]
    worst = next((one for one in ("fail", "incomplete") if one in verdicts), "pass")
    problems = []
    same(problems, "gate", found, expected)
    same(problems, "gate verdict", report["verdict"], worst)
    return problems


def citations(request: dict, found: list[dict]) -> list[str]:
    digests = {}
    for chunk in request.get("chunks", []):
        digests.setdefault(digest(chunk["text"]), chunk)
    expected = []
    for citation in re.finditer(CITE, request.get("answer", "")):
        expected.append((citation[1].lower(), {"position": citation.start()}))
    for claim in request["claims"]:
        for anchor in claim.get("citation_anchors", []):
            expected.append((anchor.lower(), {"claim_id": claim["claim_id"]}))
    problems = []
    given = set()
    for resolution, (anchor, place) in zip(found, expected, strict=True):
        named = sorted(one for one in digests if one.startswith(anchor))
        wanted = {"chunk_hash": anchor, "resolved": len(named) == 1, **place}
        if len(named) == 1:
            if named[0] not in given:
                wanted["chunk"] = digests[named[0]]
            given.add(named[0])
        else:
            ambiguous_error = f"Citation is ambiguous: it could be {' or '.join(named)}"
            wanted["error"] = ambiguous_error if named else UNAVAILABLE
        same(problems, f"citation {anchor}", resolution, wanted)
    return problems


def export(request: dict, output: dict) -> list[str]:
    problems = []
    for claim, entry in zip(request["claims"], output["entries"], strict=True):
        verdict, confidence, evidence, told, ruling = assign(request, claim)
        passages = [passage(match, stance) for match, stance in told]
        same(problems, "passages", entry["evidence"].get("passages", []), passages)
        kinds = [one["type"] for one in entry.get("findings", [])]
        expected = findings(request, claim, verdict, evidence, told, ruling)
        same(problems, "findings", kinds, [one["type"] for one in expected])
        same(problems, "verdict", entry["verdict"], verdict)
        same(problems, "confidence", units(entry["confidence_score"]), confidence)
    for field in ("judge", "documents", "not_claims"):
        same(problems, field, output.get(field), request.get(field))
    return problems


def sarif(request: dict, log: dict) -> list[str]:
    """One result for each claim that is not supported and each wrong citation, in order."""
    problems = []
    expected, prints = [], []
    for claim in request["claims"]:
        verdict, _, evidence, told, ruling = assign(request, claim)
        found = findings(request, claim, verdict, evidence, told, ruling)
        wrong = [one for one in found if one["type"].endswith("_citation")]
        rules = [(verdict, "")] if verdict != "supported" else []
        for rule, cited in rules + [(one["type"], one["citation"]) for one in wrong]:
            expected.append((claim["claim_id"], rule))
            prints.append(fingerprint(request["session"]["id"], rule, claim["claim_text"], cited))
    results = log["runs"][0]["results"]
    found = [(one["properties"]["claim"], one["ruleId"]) for one in results]
    same(problems, "results", found, expected)
    rules = [rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]]
    same(problems, "rules", [rules[one["ruleIndex"]] for one in results], [v for _, v in expected])
    numbered = [f"{one}:{prints[: n + 1].count(one)}" for n, one in enumerate(prints)]
    told = [one["partialFingerprints"] for one in results]
    same(problems, "fingerprints", told, [{"dalilClaim/v1": one} for one in numbered])
    return problems


def fingerprint(*parts: str) -> str:
    # Python counts four separators as white space that Unicode does not.
    folded = [re.sub(r"[^\S\x1c-\x1f]+", " ", part).strip(" ") for part in parts]
    return hashlib.sha256("\n".join(folded).encode("utf-8")).hexdigest()[:16]


def view(text: str) -> list[str]:
    controls = [ch for ch in text if ch != "\n" and unicodedata.category(ch) == "Cc"]
    problems = ["control characters in a view"] if controls else []
    boxes = {width(line) for line in text.splitlines() if line[:1] in tuple("┌│├└")}
    if len(boxes) > 1:
        problems.append(f"lines of {sorted(boxes)} columns in one table")
    return problems


def width(line: str) -> int:
    wide = {"W": 2, "F": 2}
    shown = [ch for ch in line if not unicodedata.combining(ch)]
    return sum(wide.get(unicodedata.east_asian_width(ch), 1) for ch in shown)


def part_id(request: dict, output: dict, kind: str, part: dict) -> str:
    rest = {key: value for key, value in part.items() if key != "id"}
    previous = request.get("previous_ledger_id")
    return name_of([output["session_id"], output["created_at"], previous, kind, rest])


def name_of(value: object) -> str:
    """A version-8 UUID from the first 16 bytes of the digest of the canonical form."""
    start = bytearray(hashlib.sha256(jcs.dumps(value)).digest()[:16])
    start[6] = start[6] & 0x0F | 0x80
    start[8] = start[8] & 0x3F | 0x80
    return str(uuid.UUID(bytes=bytes(start)))


def digest(text: str) -> str:
    return hashlib.sha256(fold(text).encode("utf-8")).hexdigest()


def fold(text: str) -> str:
    return re.sub(r"\s+", " ", text.lower()).strip()


def day(text: str) -> datetime.datetime:
    return moment(text if "T" in text else f"{text}T00:00:00Z")


def moment(text: str) -> datetime.datetime:
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def units(score: float) -> int:
    return int(Fraction(str(score)) * 10_000 + Fraction(1, 2))


def same(problems: list[str], what: str, found: object, expected: object) -> None:
    if found != expected:
        problems.append(f"{what}: expected {expected}, found {found}")
