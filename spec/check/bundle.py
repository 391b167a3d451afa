"""Rebuilds every bundle in the vectors from its request and lake, by spec/bundle.md alone.

What is masked is taken from the masks; that masking them gives the content, and
that the keyed digests are right, is recomputed. Where a text is cut into chunks
is taken from the offsets; that the chunks cover it is checked.
"""

import hashlib
import hmac
import json
import pathlib
import re

import jcs

# The white space of JavaScript, by which anchors are folded.
SPACE = re.compile("[\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]+")
DEFAULTS = {
    "max_items": 50,
    "max_total_bytes": 100000,
    "max_item_bytes": 10000,
    "max_sql_rows": 100,
    "max_sql_cols": 20,
    "chunk_size": 5000,
    "chunk_overlap": 200,
    "sampling_strategy": "first_last",
    "enable_redaction": False,
    "version": "1.0",
}


def check(folder: pathlib.Path) -> list[str]:
    problems = []
    for path in sorted(folder.glob("*.json")):
        vector = json.loads(path.read_text(encoding="utf-8"))
        if path.name.startswith("refused-"):
            found = refused(vector)
        elif "output_text" in vector:
            found = prompt(vector)
        else:
            keyed = "--mask-key" in vector["args"]
            found = bundle(vector, (folder.parent / "mask.key").read_bytes() if keyed else None)
        problems += [f"{path.name}: {problem}" for problem in found]
    return problems


def bundle(vector: dict, key: bytes | None) -> list[str]:
    """Everything in which a bundle differs from what its request asks for."""
    request, lake, output = vector["input"], vector.get("lake", {}), vector["output"]
    policy = {**DEFAULTS, **request.get("policy", {})}
    items = output["items"]
    wrong = []

    def same(what, actual, expected):
        if actual != expected:
            wrong.append(f"{what}: expected {expected!r}, found {actual!r}")

    same("exit", vector["exit"], 0)
    same("build_version", output["build_version"], "2.0")
    same("created_utc", output["created_utc"], request["created_utc"].replace("Z", ".000Z"))
    same("policy", output["policy"], policy)
    same("anchors", [i["anchor"] for i in items], anchors([i["content"] for i in items]))
    same("bundle_sha256", output["bundle_sha256"], sealed(output))
    same("bundle_id", output["bundle_id"], uuid(output["bundle_sha256"]))

    offered = offer(request, lake, policy, output)
    broken = [path for path, drafts in offered if drafts is None]
    same("problems", [problem["path"] for problem in output["problems"]], broken)
    drafts = name([draft for _, drafts in offered for draft in drafts or []])
    for draft in drafts:
        draft["artifact"] = lake.get(draft.get("uri"))
    kept, cuts = bounded(drafts, policy)
    same("items", [item["evidence_id"] for item in items], [draft["id"] for draft in kept])
    same("cuts", output["cuts"], cuts)
    for item, draft in zip(items, kept):
        for problem in compare(item, draft, policy, key):
            wrong.append(f"{item['evidence_id']}: {problem}")

    counts = {}
    for item in items:
        counts[item["evidence_type"]] = counts.get(item["evidence_type"], 0) + 1
    total = sum(item["byte_count"] for item in items)
    summary = output["summary"]
    bounding = summary["bundle_bounding"]
    same("item_count", summary["item_count"], len(items))
    same("type_counts", summary["type_counts"], counts)
    same("total_bytes", (summary["total_bytes"], bounding["total_bytes"]), (total, total))
    same("approx_tokens", summary["approx_tokens"], total // 4)
    same("original_count", bounding["original_count"], len(items) + len(cuts))
    same("items_dropped", bounding["items_dropped"], len(cuts))
    same("applied", bounding["applied"], bool(cuts))
    return wrong


def sealed(output: dict) -> str:
    """The digest of a bundle: no time, and digests in the place of contents."""
    heads = [{k: v for k, v in item.items() if k not in ("anchor", "content")} for item in output["items"]]
    parts = {k: output[k] for k in ("policy", "summary", "cuts", "problems")}
    return "sha256:" + sha256(jcs.dumps({"items": heads, **parts}))


def anchors(contents: list[str]) -> list[str]:
    """The first eight digits of each folded text's digest, more where two contents share them."""
    digests = [sha256(" ".join(SPACE.split(text)).strip().lower().encode()) for text in contents]
    shortest = []
    for digest in digests:
        others = {other for other in digests if other != digest}
        length = 8
        while any(other.startswith(digest[:length]) for other in others):
            length += 1
        shortest.append(digest[:length])
    return shortest


def uuid(digest: str) -> str:
    raw = bytearray(bytes.fromhex(digest.removeprefix("sha256:"))[:16])
    raw[6] = raw[6] & 0x0F | 0x80
    raw[8] = raw[8] & 0x3F | 0x80
    text = raw.hex()
    return "-".join([text[:8], text[8:12], text[12:16], text[16:20], text[20:]])


def offer(request: dict, lake: dict, policy: dict, output: dict) -> list[tuple]:
    """Each reference in order: its path, and its drafts or None for a problem."""
    refs = request.get("evidence_refs", {})
    evidence = request.get("job_input", {}).get("extra_params", {}).get("evidence", [])
    offered = []
    for n, given in enumerate(evidence):
        offered.append((None, [{"kind": "inline_text", "chunk": n, "text": given["text"]}]))
    for n, given in enumerate(refs.get("lake_text", [])):
        given = given if isinstance(given, dict) else {"lake_uri": given}
        uri = given["lake_uri"]
        draft = {"kind": "lake_text", "source": uri, "chunk": 0, "text": lake.get(uri), "uri": uri}
        if given.get("chunk"):
            drafts = chunks(draft, policy, output) if uri in lake else None
        else:
            drafts = [draft] if uri in lake else None
        offered.append((f"evidence_refs.lake_text[{n}]", drafts))
    for n, uri in enumerate(refs.get("lake_http", [])):
        artifact = parsed(lake.get(uri))
        text = http_text(artifact) if isinstance(artifact, dict) else None
        draft = {"kind": "lake_http", "source": uri, "chunk": 0, "text": text, "uri": uri}
        draft["body"] = artifact.get("body", "") if isinstance(artifact, dict) else ""
        offered.append((f"evidence_refs.lake_http[{n}]", [draft] if text else None))
    for n, given in enumerate(refs.get("sql_results", [])):
        uri, key = given["lake_uri"], given.get("query_key", f"query_{n}")
        table = parsed(lake.get(uri))
        drafts = None
        if isinstance(table, dict) and isinstance(table.get("rows"), list):
            drafts = [
                {"kind": "sql_result", "source": key, "chunk": i, "uri": uri, "table": table, **part}
                for i, part in enumerate(sql_texts(table, policy, given.get("split", False)))
            ]
        offered.append((f"evidence_refs.sql_results[{n}]", drafts))
    for given in refs.get("sql_queries", []):
        about = f"Description: {given['description']}\n" if given.get("description") else ""
        text = f"Query: {given['query_key']}\n{about}\n{given['query']}"
        draft = {"kind": "sql_query_def", "source": given["query_key"], "chunk": 0, "text": text}
        offered.append((None, [draft]))
    for field, kind in (("doc_chunks", "doc_chunk"), ("transcript_chunks", "transcript_chunk")):
        for given in refs.get(field, []):
            draft = {"kind": kind, "source": given["document_id"], "text": given["text"]}
            offered.append((None, [{**draft, "chunk": given["chunk_index"]}]))
    return offered


def chunks(draft: dict, policy: dict, output: dict) -> list[dict]:
    """The chunks of a text, cut where the offsets say, if they cover it within the sizes."""
    whole = draft["text"].encode()
    size = min(policy["chunk_size"], policy["max_item_bytes"])
    spans = [
        (item["offsets"]["start"], item["offsets"]["end"])
        for item in output["items"]
        if item["source_ref"].get("lake_uri") == draft["uri"] and "offsets" in item
    ]
    assert spans[0][0] == 0 and spans[-1][1] == len(whole), "chunks do not cover the text"
    for (start, end), (after, beyond) in zip(spans, spans[1:]):
        assert start < after <= end < beyond, "chunks leave a gap"
        assert end - after <= policy["chunk_overlap"], "chunks share too much"
    assert all(end - start <= size for start, end in spans), "a chunk is too long"
    note = f"Chunk {{}} of {len(spans)}"
    return [
        {**draft, "chunk": n, "text": whole[start:end].decode(), "note": note.format(n)}
        for n, (start, end) in enumerate(spans)
    ]


def http_text(artifact: dict) -> str:
    code = artifact.get("status_code")
    lines = [
        f"HTTP {'UNKNOWN' if code is None else code} {artifact.get('reason') or ''}",
        f"URL: {artifact.get('url') or 'unknown'}",
    ]
    headers = {name.lower(): value for name, value in artifact.get("headers", {}).items()}
    for name in ("content-type", "content-length", "date"):
        if name in headers:
            lines.append(f"{name}: {headers[name]}")
    return "\n".join(lines) + "\n\n--- Response Body ---\n" + artifact.get("body", "")


def sql_texts(table: dict, policy: dict, split: bool) -> list[dict]:
    rows, columns = table["rows"], table["columns"]
    limit = policy["max_sql_cols"]
    shown = columns if limit is None else columns[:limit]
    columns_note = f"Showing {len(shown)} of {len(columns)} columns"
    columns_note = [columns_note] if len(shown) < len(columns) else []
    if table.get("more"):
        columns_note.append(f"The query gave more than the {len(rows)} rows that were kept")

    def text(numbers, note):
        head = [f"SQL Result Set ({len(rows)} rows, {len(columns)} columns)"]
        head += [f"Columns: {', '.join(shown)}"]
        head += [f"(Note: {note})" for note in columns_note]
        head += ["", f"Sampling: {note}", ""]
        return "\n".join(head + [f"Row {n}: {row_text(rows[n], shown)}" for n in numbers])

    parts = split_rows(len(rows), text, policy) if split else []
    if len(parts) > 1:
        notes = [f"Rows {part[0]} to {part[-1]} of {len(rows)}" for part in parts]
        return [
            {
                "text": text(part, note),
                "range": f":{part[0]}-{part[-1]}",
                "note": "; ".join([note] + columns_note),
            }
            for part, note in zip(parts, notes)
        ]
    numbers, note = sample(len(rows), policy["max_sql_rows"], policy["sampling_strategy"])
    sampled = [f"Sampled {len(numbers)} of {len(rows)} rows"] if len(numbers) < len(rows) else []
    return [{"text": text(numbers, note), "note": "; ".join(sampled + columns_note)}]


def split_rows(total: int, text, policy: dict) -> list[list[int]]:
    """Rows in order, each part as long as its limits let it be."""
    widest = f"Rows {total} to {total} of {total}"
    parts = []
    for n in range(total):
        longer = parts[-1] + [n] if parts else []
        fits = len(text(longer, widest).encode()) <= policy["max_item_bytes"]
        if longer and fits and len(longer) <= policy["max_sql_rows"]:
            parts[-1] = longer
        else:
            parts.append([n])
    return parts


def row_text(row, columns: list[str]) -> str:
    cells = {c: row.get(c) for c in columns} if isinstance(row, dict) else dict(zip(columns, row))
    return json.dumps(cells, ensure_ascii=False)


def sample(total: int, most: int, strategy: str) -> tuple[list[int], str]:
    if total <= most:
        return list(range(total)), "All rows included"
    if strategy == "first_only":
        return list(range(most)), f"First {most} rows of {total}"
    if strategy == "first_last":
        first, last = -(-most // 2), most // 2
        rows = list(range(first)) + list(range(total - last, total))
        return rows, f"First {first} and last {last} rows of {total}"
    rows = [n * (total - 1) // max(most - 1, 1) for n in range(most)]
    return rows, f"{most} rows spread evenly over {total}"


def name(drafts: list[dict]) -> list[dict]:
    """Gives every draft its id: the next free number of its stem."""
    taken = set()
    for draft in drafts:
        stem = {
            "inline_text": "inline",
            "lake_text": "lake",
            "lake_http": "lake",
            "sql_result": "sql",
            "sql_query_def": "sqldef",
        }.get(draft["kind"], "doc")
        if draft["kind"] != "inline_text":
            stem += ":" + sha256(draft["source"].encode())[:12]
        chunk = draft["chunk"]
        while (stem, chunk) in taken:
            chunk += 1
        taken.add((stem, chunk))
        bare = draft["kind"] == "sql_query_def" and chunk == 0
        draft["id"] = (stem if bare else f"{stem}:{chunk}") + draft.get("range", "")
    return drafts


def bounded(drafts: list[dict], policy: dict) -> tuple[list[dict], list[dict]]:
    """First so many items, then each that fits. A draft's size is known once it is masked."""
    kept, cuts, total = [], [], 0
    for n, draft in enumerate(drafts):
        size = len(prefix(draft["text"], policy["max_item_bytes"]).encode())
        reason = None
        if n >= policy["max_items"]:
            reason = "max_items"
        elif total + size > policy["max_total_bytes"]:
            reason = "max_total_bytes"
        if reason:
            cuts.append({"evidence_id": draft["id"], "byte_count": size, "reason": reason})
        else:
            total += size
            kept.append(draft)
    return kept, cuts


def prefix(text: str, limit: int) -> str:
    return text.encode()[:limit].decode("utf-8", errors="ignore")


def compare(item: dict, draft: dict, policy: dict, key: bytes | None) -> list[str]:
    """Everything in which an item differs from its draft."""
    wrong = []

    def same(what, actual, expected):
        if actual != expected:
            wrong.append(f"{what}: expected {expected!r}, found {actual!r}")

    masks = item["metadata"].get("redactions", {}).get("redactions", [])
    same("redactions", "redactions" in item["metadata"], policy["enable_redaction"])
    own = [mask for mask in masks if "field" not in mask]
    whole, digests = masked(draft["text"], own, key)
    same("keyed digests", [mask.get("digest") for mask in own], digests)
    content = prefix(whole, policy["max_item_bytes"])
    same("evidence_type", item["evidence_type"], draft["kind"])
    same("content", item["content"], content)
    same("content_sha256", item["content_sha256"], sha256(content.encode()))
    same("byte_count", item["byte_count"], len(content.encode()))

    cut = content != whole
    notes = [f"Truncated to {policy['max_item_bytes']} byte limit"] if cut else []
    notes += [draft["note"]] if draft.get("note") else []
    sizes = {"original_size": len(whole.encode()), "bounded_size": len(content.encode())}
    bounding = {"applied": bool(notes), **sizes}
    bounding |= {"truncation_point": sizes["bounded_size"]} if cut else {}
    bounding |= {"note": "; ".join(notes)} if notes else {}
    same("bounding", item["metadata"]["bounding"], bounding)
    same("full_ref", item.get("full_ref"), full_ref(draft, whole, bool(notes)))
    return wrong


def masked(text: str, masks: list[dict], key: bytes | None) -> tuple[str, list]:
    raw, parts, digests, at = text.encode(), [], [], 0
    for mask in masks:
        assert at <= mask["start"] < mask["end"] <= len(raw), "masks overlap"
        value = raw[mask["start"] : mask["end"]]
        digest = key and "hmac-sha256:" + hmac.new(key, value, hashlib.sha256).hexdigest()
        digests.append(digest)
        parts += [raw[at : mask["start"]], mask["replacement"].encode()]
        at = mask["end"]
    return b"".join(parts + [raw[at:]]).decode(), digests


def full_ref(draft: dict, whole: str, shortened: bool) -> dict | None:
    if "uri" not in draft:
        if not shortened:
            return None
        digest = sha256(whole.encode())
        size = len(whole.encode())
        return {"lake_uri": f"sha256/{digest}", "full_size": size, "full_sha256": f"sha256:{digest}"}
    artifact = draft["artifact"].encode()
    named = {"lake_uri": draft["uri"]}
    if shortened:
        named |= {"full_size": len(artifact), "full_sha256": "sha256:" + sha256(artifact)}
    if draft["kind"] == "lake_http":
        return named | {"full_size": len(draft["body"].encode())}
    if draft["kind"] == "sql_result":
        table = draft["table"]
        rows = table.get("row_count", len(table["rows"]))
        return named | {"row_count": rows, "col_count": len(table["columns"])}
    return named if shortened else None


def prompt(vector: dict) -> list[str]:
    """The mark follows from the contents, and the prompt reads back as the items."""
    evidence = vector["input"]["job_input"]["extra_params"]["evidence"]
    contents = [given["text"] for given in evidence]
    digest = hashlib.sha256(b"".join(hashlib.sha256(c.encode()).digest() for c in contents))
    mark = digest.hexdigest()[:16]
    if any(mark in content for content in contents):
        return ["the mark occurs in a content: this vector needs a longer one"]
    expected = "".join(
        f"--- {mark} inline:{n} inline_text cite:{anchor}\n{content}\n--- {mark} end\n"
        for n, (content, anchor) in enumerate(zip(contents, anchors(contents)))
    )
    return [] if vector["output_text"] == expected else [f"expected {expected!r}"]


def refused(vector: dict) -> list[str]:
    """A refusal names each fault with rule, path and message, and there is a reason for it."""
    faults = vector["output"].get("refused", [])
    wrong = [] if vector["exit"] == 1 else [f"expected exit 1, found {vector['exit']}"]
    if not faults or not all(f["rule"] and f["path"] and f["message"] for f in faults):
        wrong.append("expected faults, each with rule, path and message")
    messages = [f["message"] for f in faults if f["rule"] == "policy"]
    policy = vector.get("input", {}).get("policy", {}) if "input" in vector else {}
    expected = policy_faults({**DEFAULTS, **policy})
    if sorted(messages) != sorted(expected):
        wrong.append(f"expected {expected}, found {messages}")
    for uri in lake_uris(vector.get("input", {})):
        leaves = not re.fullmatch(r"(?!.:)(?:(?!\.{1,2}(?:/|$))[^/\\\x00-\x1f\x7f]+(?:/(?!$)|$))+", uri)
        if leaves != any(f["rule"] == "lake_uri" for f in faults):
            wrong.append(f"{uri!r}: expected it to be {'refused' if leaves else 'taken'}")
    return wrong


def policy_faults(policy: dict) -> list[str]:
    rules = [
        ("max_items", 1, "max_items must be at least 1"),
        ("max_total_bytes", 1000, "max_total_bytes must be at least 1000 bytes"),
        ("max_item_bytes", 100, "max_item_bytes must be at least 100 bytes"),
        ("max_sql_rows", 1, "max_sql_rows must be at least 1"),
        ("max_sql_cols", 1, "max_sql_cols must be at least 1 if specified"),
        ("chunk_size", 100, "chunk_size must be at least 100 bytes"),
        ("chunk_overlap", 0, "chunk_overlap must be non-negative"),
    ]
    number = {name: value for name, value in policy.items() if type(value) is int}
    faults = [says for name, least, says in rules if number.get(name, least) < least]
    if {"max_item_bytes", "max_total_bytes"} <= number.keys():
        if number["max_item_bytes"] > number["max_total_bytes"]:
            faults.append("max_item_bytes cannot exceed max_total_bytes")
    if number["chunk_overlap"] >= number["chunk_size"]:
        faults.append("chunk_overlap must be less than chunk_size")
    if policy["sampling_strategy"] not in ("first_only", "first_last", "stride"):
        faults.append(f"Invalid sampling_strategy: {policy['sampling_strategy']}")
    return faults


def lake_uris(request: dict) -> list[str]:
    uris = request.get("evidence_refs", {}).get("lake_text", [])
    return uris if isinstance(uris, list) else []


def parsed(text: str | None):
    try:
        return jcs.loads(text, foreign=True)
    except (ValueError, TypeError):
        return None


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
