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
}
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
    verdict, confidence, evidence = assign(claim.get("matches", []))
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
    same(problems, f"{place} id", entry["id"], part_id(request, output, "entry", entry))
    if components := best.get("components"):
        formula = units(entry["calculated_confidence"])
        same(problems, f"{place} formula", formula, calculate(components))
    if verdict == "not_found" and request.get("truncated"):
        if "not found in what was kept" not in entry["notes"]:
            problems.append(f"{place} does not say that documents were cut")
    return problems


def assign(matches: list[dict]) -> tuple[str, int, list[dict]]:
    against = best_first([one for one in matches if one.get("contradicts")])
    if against:
        return "contradicted", units(against[0]["similarity"]), against
    evidence = best_first([one for one in matches if one["support"] != "none"])
    if not evidence:
        return "not_found", 0, []
    similarity = units(evidence[0]["similarity"])
    if evidence[0]["support"] == "full" and similarity > 8500:
        return "supported", similarity, evidence
    return "weak", (similarity * 80 + 50) // 100, evidence


def best_first(matches: list[dict]) -> list[dict]:
    support = {"full": 2, "partial": 1, "none": 0}
    return sorted(matches, key=lambda m: (-units(m["similarity"]), -support[m["support"]]))


def calculate(components: dict) -> int:
    weighted = units(components["semantic_similarity"]) * 60
    weighted += units(components["directness"]) * 15 + units(components["source_quality"]) * 10
    bonus = (min(components["evidence_count"], 4) - 1) * 500
    return max(0, min(10_000, (weighted + 50) // 100 + bonus))


def summary(entries: list[dict]) -> dict:
    weighty = [one for one in entries if one["claim_importance"] != "minor"]

    def share(verdicts: tuple, empty: int) -> float:
        count = sum(one["verdict"] in verdicts for one in weighty)
        if not weighty:
            return empty
        return (20_000 * count + len(weighty)) // (2 * len(weighty)) / 10_000

    return {
        "state": "checked" if entries else "no_checkable_claim",
        "total_claims": len(entries),
        "by_verdict": {v: sum(one["verdict"] == v for one in entries) for v in VERDICTS},
        "by_importance": {
            i: sum(one["claim_importance"] == i for one in entries) for i in IMPORTANCES
        },
        "evidence_coverage": share(("supported", "weak"), 1),
        "unsupported_rate": share(("not_found",), 0),
    }


def risks(request: dict, entries: list[dict]) -> list[tuple[str, list[str]]]:
    days = request.get("options", {}).get("outdated_days", 365)
    rows = list(zip(request["claims"], entries, strict=True))

    def touched(test) -> list[str]:
        return [claim["claim_id"] for claim, entry in rows if test(claim, entry)]

    confidences = [units(entry["confidence_score"]) for entry in entries]
    low = bool(entries) and Fraction(sum(confidences), len(entries)) < 6000
    found = {
        "missing_evidence": touched(
            lambda c, e: e["verdict"] == "not_found" and c["importance"] == "critical"
        ),
        "contradiction": touched(lambda c, e: e["verdict"] == "contradicted"),
        "low_confidence": touched(lambda c, e: low and units(e["confidence_score"]) < 6000),
        "outdated_source": touched(lambda c, e: outdated(request, e["source_document"], days)),
        "ambiguous_evidence": touched(lambda c, e: e["verdict"] == "weak" and ambiguous(c)),
        "conflicting_sources": touched(lambda c, e: conflicting(c)),
    }
    return [(kind, ids) for kind, ids in found.items() if ids]


def outdated(request: dict, document: dict | None, days: int) -> bool:
    if not document or "date" not in document:
        return False
    text, now = document["date"], moment(request["created_at"])
    if "T" in text:
        return now - moment(text) > datetime.timedelta(days=days)
    return (now - moment(f"{text}T00:00:00Z")).days > days


def ambiguous(claim: dict) -> bool:
    partial = [m for m in claim["matches"] if m["support"] == "partial"]
    return any(
        a["chunk_id"] != b["chunk_id"]
        and abs(units(a["similarity"]) - units(b["similarity"])) <= 500
        for a in partial
        for b in partial
    )


def conflicting(claim: dict) -> bool:
    matches = claim.get("matches", [])
    against = {m["document"]["id"] for m in matches if m.get("contradicts")}
    backing = [m for m in matches if not m.get("contradicts") and m["support"] != "none"]
    return any(against - {m["document"]["id"]} for m in backing)


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
    covered, total = count["supported"] + count["weak"], len(weighty)
    enough = covered * 10_000 >= units(wanted["min_coverage"]) * total
    few = count["not_found"] * 10_000 <= units(wanted["max_unsupported"]) * total
    word = {True: "pass", False: "fail"}
    expected = [
        ("evidence_coverage", word[enough] if output["entries"] else "incomplete"),
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
    for citation in re.finditer(r"\[cite:([0-9a-fA-F]{8,64})\]", request.get("answer", "")):
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
        verdict, confidence, _ = assign(claim["matches"])
        same(problems, "verdict", entry["verdict"], verdict)
        same(problems, "confidence", units(entry["confidence_score"]), confidence)
    for field in ("judge", "documents", "not_claims"):
        same(problems, field, output.get(field), request.get(field))
    return problems


def sarif(request: dict, log: dict) -> list[str]:
    """One result for each claim that is not supported, in order."""
    problems = []
    verdicts = [(c["claim_id"], assign(c.get("matches", []))[0]) for c in request["claims"]]
    expected = [(claim, verdict) for claim, verdict in verdicts if verdict != "supported"]
    results = log["runs"][0]["results"]
    found = [(one["properties"]["claim"], one["ruleId"]) for one in results]
    same(problems, "results", found, expected)
    rules = [rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]]
    same(problems, "rules", [rules[one["ruleIndex"]] for one in results], [v for _, v in expected])
    return problems


def view(text: str) -> list[str]:
    controls = [ch for ch in text if ch != "\n" and unicodedata.category(ch) == "Cc"]
    problems = ["control characters in a view"] if controls else []
    if text.startswith("┌"):
        widths = {width(line) for line in text.splitlines()}
        same(problems, "widths", len(widths), 1)
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
    folded = re.sub(r"\s+", " ", text.lower()).strip()
    return hashlib.sha256(folded.encode("utf-8")).hexdigest()


def moment(text: str) -> datetime.datetime:
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def units(score: float) -> int:
    return int(Fraction(str(score)) * 10_000 + Fraction(1, 2))


def same(problems: list[str], what: str, found: object, expected: object) -> None:
    if found != expected:
        problems.append(f"{what}: expected {expected}, found {found}")
