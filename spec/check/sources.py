"""Recomputes every sources vector from spec/sources.md alone."""

import hashlib
import json
import pathlib
import re
import unicodedata

import jcs

DEFAULTS = {
    "max_sources": 6,
    "prefer_chunk_snippets": True,
    "max_snippet_chars": 360,
    "include_metadata_keys": None,
    "exclude_metadata_keys": None,
    "order_by": "score",
    "debug": False,
    "max_snippets": None,
    "anchors": False,
    "envelope": None,
}
LONGEST = 4096
SECRETS = (
    "password passwd passphrase passcode pwd secret token apikey accesskey privatekey signingkey "
    "encryptionkey credential authorization cookie bearer connectionstring كلمةالمرور كلمةالسر"
).split()


def check(folder: pathlib.Path) -> list[str]:
    problems = []
    for path in sorted(folder.glob("*.json")):
        vector = json.loads(path.read_text(encoding="utf-8"))
        problems += [f"{path.name}: {problem}" for problem in check_vector(path.stem, vector)]
    return problems


def check_vector(name: str, vector: dict) -> list[str]:
    output = vector["output"]
    if name.startswith("refused-"):
        return refusal(vector)
    if vector["exit"] != 0:
        return [f"expected exit 0, found {vector['exit']}"]
    request = vector["input"]
    if name.startswith("empty-faulty"):
        return [] if output["payload"]["sources"] == [] else ["expected no sources"]
    sources = select(request)
    if "--format" in vector["args"]:
        problems = [] if len(output) <= max(len(sources), 1) else ["more citations than sources"]
        return problems + convert(vector["args"][-1], request, sources, output)
    return differences(request, sources, output)


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


def differences(request: dict, sources: list[dict], output: dict) -> list[str]:
    expected = {"type": "rag.sources", "payload": {"sources": sources}}
    options = {**DEFAULTS, **request.get("options", {})}
    if envelope := options["envelope"]:
        expected |= {**envelope, "ts": output["ts"]}
    found = {key: value for key, value in output.items() if key != "debug"}
    problems = []
    if jcs.dumps(found) != jcs.dumps(expected):
        problems.append(f"expected {expected}, found {found}")
    if options["debug"]:
        debug = output["debug"]
        if debug["kept"] + len(debug["left_out"]) != len(request["candidates"]):
            problems.append("kept and left out are not what was offered")
        unusable = [n for n, one in enumerate(request["candidates"]) if not is_usable(one)]
        invalid = [one["index"] for one in debug["left_out"] if one["reason"] == "invalid_input"]
        if invalid != unusable or debug["ignored_fields"] != ignored_fields(request):
            problems.append(f"expected {unusable} and {ignored_fields(request)}, found {debug}")
    return problems


def select(request: dict) -> list[dict]:
    options = {**DEFAULTS, **request.get("options", {})}
    chunks = [one for one in request.get("evidence_chunks") or [] if is_usable_chunk(one)]
    kept, seen = [], set()
    usable = [one for one in request["candidates"] if is_usable(one)]
    for candidate in ordered(usable, options["order_by"]):
        if candidate["item_id"] not in seen and len(kept) < options["max_sources"]:
            kept.append(candidate)
        seen.add(candidate["item_id"])
    return [source(n + 1, one, chunks, options) for n, one in enumerate(kept)]


def is_usable(one: object) -> bool:
    """The vectors' faulty candidates have a wrong id or title; that is all this looks at."""
    if not isinstance(one, dict) or not isinstance(one.get("item_id"), str) or not one["item_id"]:
        return False
    title = one.get("title")
    return title is None or (isinstance(title, str) and len(title) <= LONGEST)


def is_usable_chunk(one: dict) -> bool:
    offsets = one.get("offsets") or [0, 0]
    return isinstance(offsets, dict) or offsets[0] <= offsets[1]


def ignored_fields(request: dict) -> dict:
    known = {
        "candidates": "item_id kind source source_ref title summary snippet snippet_from score "
        "score_text score_vec rank_text rank_vec metadata",
        "evidence_chunks": "item_id chunk_id text score heading_path start_idx end_idx offsets "
        "token_count score_text score_vec anchors",
    }
    counts: dict = {key: {} for key in known}
    for key, names in known.items():
        for one in request.get(key) or []:
            for name in set(one) - set(names.split()) if isinstance(one, dict) else ():
                counts[key][name] = counts[key].get(name, 0) + 1
    return counts


def ordered(candidates: list[dict], order: str) -> list[dict]:
    def rank(one: dict) -> tuple:
        ranks = [one[key] for key in ("rank_text", "rank_vec") if one.get(key) is not None]
        return (not ranks, min(ranks, default=0))

    def score(one: dict) -> float:
        return -(one.get("score") or 0)

    keys = {
        "input": lambda one: 0,
        "score": lambda one: (score(one), rank(one), one["item_id"]),
        "rank": lambda one: (rank(one), score(one), one["item_id"]),
    }
    return sorted(candidates, key=keys[order])


def source(rank: int, one: dict, chunks: list[dict], options: dict) -> dict:
    snippets = choose(one, chunks, options)
    first = snippets[0] if snippets else {"text": None, "snippet_from": "unknown"}
    item = {
        "source_id": one["item_id"],
        "kind": one.get("kind", "doc"),
        "title": one.get("title"),
        "url": one.get("source_ref"),
        "snippet": first["text"],
        "snippet_from": first["snippet_from"],
        "score": one.get("score") or 0,
        "rank": rank,
        "metadata": metadata(one.get("metadata", {}), options),
    }
    item |= {key: first[key] for key in ("anchor", "span") if key in first}
    if options["max_snippets"]:
        item["snippets"] = snippets
    return item


def choose(one: dict, chunks: list[dict], options: dict) -> list[dict]:
    limit = options["max_snippet_chars"]
    mine = [c for c in chunks if c["item_id"] == one["item_id"] and c["text"].strip()]
    mine.sort(key=lambda chunk: -(chunk.get("score") or 0))
    snippets = []
    for chunk in mine[: options["max_snippets"] or 1] if options["prefer_chunk_snippets"] else []:
        if text := cut(chunk["text"], limit):
            snippets.append(of_chunk(chunk, text, chunks, options))
    whole = next((t for t in (one.get("summary"), one.get("snippet")) if t and t.strip()), "")
    if not snippets and (text := cut(whole, limit)):
        snippets.append({"text": text, "snippet_from": "doc"})
    return snippets


def of_chunk(chunk: dict, text: str, chunks: list[dict], options: dict) -> dict:
    snippet = {"text": text, "snippet_from": "chunk"}
    snippet |= {key: chunk[key] for key in ("chunk_id", "heading_path") if chunk.get(key)}
    if options["anchors"]:
        snippet["anchor"] = shortest(chunk["text"], [other["text"] for other in chunks])
        start = chunk.get("start_idx", (chunk.get("offsets") or [None])[0])
        if start is not None:
            snippet["span"] = {"start": start, "end": start + len(text)}
    return snippet


def digest(text: str) -> str:
    folded = re.sub(r"\s+", " ", text.lower()).strip()
    return hashlib.sha256(folded.encode("utf-8")).hexdigest()


def shortest(text: str, texts: list[str]) -> str:
    own, length = digest(text), 8
    others = {digest(other) for other in texts} - {own}
    while any(other.startswith(own[:length]) for other in others):
        length += 1
    return own[:length]


def cut(text: str, limit: int) -> str:
    """The vectors' graphemes are a letter and its marks; that is all this knows of graphemes."""
    if len(text) <= limit:
        return text
    while 0 < limit and unicodedata.combining(text[limit]):
        limit -= 1
    kept = text[:limit]
    if text[limit].isspace():
        return kept.rstrip()
    spaces = [at for at in range(max(0, limit - 20), limit) if kept[at].isspace()]
    words = kept[: spaces[-1]].rstrip() if spaces else ""
    return words or kept


def metadata(pairs: dict, options: dict) -> dict:
    include, exclude = options["include_metadata_keys"], options["exclude_metadata_keys"]
    if include is None:
        shown = {k: v for k, v in pairs.items() if is_small(v) and not looks_secret(k)}
    else:
        shown = {k: v for k, v in pairs.items() if k in include and content(v) <= LONGEST}
    return {k: v for k, v in shown.items() if k not in (exclude or [])}


def content(value: object) -> int:
    if isinstance(value, str):
        return 1 + len(value)
    if isinstance(value, list):
        return 1 + sum(map(content, value))
    if isinstance(value, dict):
        return 1 + sum(len(name) + content(one) for name, one in value.items())
    return 1


def is_small(value: object) -> bool:
    return not isinstance(value, (list, dict)) and (not isinstance(value, str) or len(value) <= 256)


def looks_secret(name: str) -> bool:
    folded = "".join(char for char in name.lower() if char.isalnum())
    return any(secret in folded for secret in SECRETS)


def convert(form: str, request: dict, sources: list[dict], output: list[dict]) -> list[str]:
    """The rules of each shape that can be told from the reply."""
    by_id = {one["source_id"]: one for one in sources}
    problems = []
    for part in output:
        kind = part["type"]
        if form == "ai-sdk":
            one = by_id[part["sourceId"]]
            web = (one["url"] or "").startswith(("http://", "https://"))
            wanted = {"source-url": {"type", "sourceId", "url"}}.get(
                kind, {"type", "sourceId", "mediaType", "title"}
            )
            if (kind == "source-url") != web or wanted - set(part):
                problems.append(f"wrong part {part}")
        elif form == "anthropic":
            index = part.get("document_index", part.get("search_result_index"))
            if part["cited_text"] != sources[index]["snippet"]:
                problems.append(f"wrong words in {part}")
            if kind == "char_location":
                length = part["end_char_index"] - part["start_char_index"]
                if length != len(part["cited_text"]):
                    problems.append(f"wrong place in {part}")
        else:
            problems += annotation(request.get("answer"), part)
    return problems


def annotation(answer: str | None, part: dict) -> list[str]:
    start = part["start_index"] if part["type"] == "url_citation" else part["index"]
    if answer is None:
        return [] if start == 0 else [f"a place without an answer: {part}"]
    found = re.match(r"\[cite:[0-9a-fA-F]{8,64}\]", answer[start:])
    if not found or part.get("end_index", start + found.end()) != start + found.end():
        return [f"no citation at the place of {part}"]
    return []
