"""Finds every passage of a ledger in its chunk, by spec/chunks.md alone."""

import hashlib
import json
import pathlib
import re

import jcs


def check(folder: pathlib.Path) -> list[str]:
    problems = []
    for path in sorted(folder.glob("*.json")):
        vector = json.loads(path.read_text(encoding="utf-8"))
        found = refused(vector) if path.name.startswith("refused-") else ledger(vector)
        problems += [f"{path.name}: {problem}" for problem in found]
    return problems


def refused(vector: dict) -> list[str]:
    faults = vector["output"].get("refused", [])
    wrong = [] if vector["exit"] == 1 else [f"expected exit 1, found {vector['exit']}"]
    if not faults or any({"rule", "path", "message"} - set(fault) for fault in faults):
        wrong.append("expected faults with rule, path and message")
    rules = vector["about"].partition(":")[0].split(", ")
    found = list(dict.fromkeys(fault["rule"] for fault in faults))
    if sorted(rules) != sorted(found):
        wrong.append(f"expected the rules {rules}, found {found}")
    if not all(fault["path"].startswith(("chunks", "items")) for fault in faults):
        wrong.append("expected paths into the set")
    return wrong


def ledger(vector: dict) -> list[str]:
    output = vector["output"]
    chunks = read(vector)
    wrong = []

    def same(what, actual, expected):
        if actual != expected:
            wrong.append(f"{what}: expected {expected!r}, found {actual!r}")

    same("exit", vector["exit"], 0)
    digest = hashlib.sha256(jcs.dumps({"chunks": chunks})).hexdigest()
    (document,) = output["documents"]
    same("sha256", document["sha256"], f"sha256:{digest}")
    same("id", document["id"], f"doc_{digest[:16]}")
    same("filename", document["filename"], f"chunks-{digest[:8]}.json")
    same("chunks", document["chunks"], len(chunks))
    by_id = {chunk["id"]: chunk for chunk in chunks}
    for entry in output["entries"]:
        for chunk_id in entry["evidence_chunk_ids"]:
            same("evidence_chunk_ids", chunk_id in by_id, True)
        for passage in entry.get("evidence_passages", []):
            chunk = by_id[passage["chunk_id"]]
            start, end = passage["offsets"]["start"], passage["offsets"]["end"]
            # Which words are not seen is not known here: anything may be in their place.
            seen = ".*".join(map(re.escape, passage["snippet"].split("[…]")))
            same("snippet", bool(re.fullmatch(seen, chunk["text"][start:end], re.DOTALL)), True)
            place(passage["document"], chunk, same)
    for citation in output["citations"]:
        if citation.get("chunk"):
            chunk = by_id[citation["chunk"]["chunk_id"]]
            same("cited text", citation["chunk"]["text"] in chunk["text"], True)
    return wrong


def place(document: dict, chunk: dict, same) -> None:
    """What the evidence says of the document of a chunk."""
    names = [chunk.get("title"), chunk.get("uri"), chunk["id"]]
    ids = [chunk.get("uri"), chunk.get("title"), chunk["id"]]
    same("document.id", document["id"], next(filter(None, ids)))
    same("document.filename", document["filename"], next(filter(None, names)))
    for theirs, ours in (("uri", "uri"), ("metadata", "metadata"), ("page_number", "page")):
        same(f"document.{theirs}", document.get(theirs), chunk.get(ours))


def read(vector: dict) -> list[dict]:
    """The chunks of a vector, without what is absent."""
    if "--chunks" in vector["args"]:
        given = json.loads(vector["lake"]["retrieved.json"])["chunks"]
    else:
        bundle = json.loads(vector["lake"]["bundle.json"])
        given = [item(bundle["bundle_id"], one) for one in bundle["items"]]
    return [{name: value for name, value in chunk.items() if value} for chunk in given]


def item(bundle_id: str, one: dict) -> dict:
    source, metadata = one["source_ref"], one["metadata"]
    kept = {"bundle_id": bundle_id, "evidence_type": one["evidence_type"]}
    if "heading_path" in metadata:
        kept["heading_path"] = metadata["heading_path"]
    return {
        "id": one["evidence_id"],
        "text": one["content"],
        "title": source.get("document_id") or source.get("url"),
        "uri": source.get("source_uri") or source.get("lake_uri"),
        "page": metadata.get("page_number"),
        "metadata": kept,
    }
