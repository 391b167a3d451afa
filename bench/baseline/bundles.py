"""Bundles: inline items under a policy, as seed 002 describes."""

from __future__ import annotations

import hashlib
import json
import os
import re
import uuid
from datetime import datetime, timezone
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

# The white space of anchors is that of JavaScript.
SPACE = re.compile("[\\t\\n\\v\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]+")
DIGITS = 8


class Policy(BaseModel):
    model_config = ConfigDict(extra="forbid")

    max_items: int = Field(50, ge=1)
    max_total_bytes: int = Field(100_000, ge=1_000)
    max_item_bytes: int = Field(10_000, ge=100)
    max_sql_rows: int = Field(100, ge=1)
    max_sql_cols: int | None = Field(20, ge=1)
    chunk_size: int = Field(5_000, ge=100)
    chunk_overlap: int = Field(200, ge=0)
    sampling_strategy: Literal["first_last", "stride", "first_only"] = "first_last"
    enable_redaction: bool = False
    version: str = "1.0"

    @model_validator(mode="after")
    def consistent(self) -> Policy:
        if self.max_item_bytes > self.max_total_bytes:
            raise ValueError("max_item_bytes cannot exceed max_total_bytes")
        if self.chunk_overlap >= self.chunk_size:
            raise ValueError("chunk_overlap must be less than chunk_size")
        return self


class Item(BaseModel):
    anchor: str = ""
    evidence_id: str
    evidence_type: str
    source_ref: dict[str, Any]
    content: str
    content_sha256: str
    byte_count: int
    metadata: dict[str, Any]


class Bundle(BaseModel):
    bundle_id: str
    bundle_sha256: str
    created_utc: str
    build_version: str = "2.0"
    policy: Policy
    items: list[Item]
    summary: dict[str, Any]
    cuts: list[dict[str, Any]]
    problems: list[dict[str, Any]]


def build(request: dict[str, Any]) -> Bundle:
    """Bounds each item, then the bundle, and names the result by its content."""
    policy = Policy.model_validate(request.get("policy") or {})
    inline = request["job_input"].get("extra_params", {}).get("evidence", [])
    offered = [item(policy, number, one) for number, one in enumerate(inline)]
    kept, cuts = bound(offered, policy)
    anchor(kept)
    summary = summarise(kept, len(offered), policy)
    digest = digest_of(policy, kept, summary, cuts)
    return Bundle(
        bundle_id=str(uuid.UUID(bytes=versioned(digest))), bundle_sha256=f"sha256:{digest.hex()}",
        created_utc=written(request["created_utc"]), policy=policy, items=kept, summary=summary, cuts=cuts,
        problems=[],
    )


def item(policy: Policy, number: int, given: dict[str, Any]) -> Item:
    content, bounding = bounded(given["text"], policy.max_item_bytes)
    encoded = content.encode()
    return Item(
        evidence_id=f"inline:{number}", evidence_type="inline_text",
        source_ref={"source_uri": given.get("source_uri", "job_input"), "index": number}, content=content,
        content_sha256=hashlib.sha256(encoded).hexdigest(), byte_count=len(encoded),
        metadata={"bounding": bounding},
    )


def anchor(kept: list[Item]) -> None:
    """What an answer cites each item by: the shortest prefix of its folded text's digest that names it alone."""
    digests = [hashlib.sha256(" ".join(SPACE.split(one.content.lower())).strip().encode()).hexdigest() for one in kept]
    ordered = sorted(set(digests))
    longest = {one: DIGITS for one in ordered}
    for one, after in zip(ordered, ordered[1:]):
        shared = len(os.path.commonprefix([one, after]))
        longest[one], longest[after] = max(longest[one], shared + 1), max(longest[after], shared + 1)
    for one, digest in zip(kept, digests):
        one.anchor = digest[: longest[digest]]


def bounded(text: str, limit: int) -> tuple[str, dict[str, Any]]:
    encoded = text.encode()
    if len(encoded) <= limit:
        return text, {"applied": False, "original_size": len(encoded), "bounded_size": len(encoded)}
    kept = encoded[:limit].decode(errors="ignore")
    size = len(kept.encode())
    return kept, {
        "applied": True, "original_size": len(encoded), "bounded_size": size, "truncation_point": size,
        "note": f"Truncated to {limit} byte limit",
    }


def bound(offered: list[Item], policy: Policy) -> tuple[list[Item], list[dict[str, Any]]]:
    kept: list[Item] = []
    cuts: list[dict[str, Any]] = []
    total = 0
    for number, one in enumerate(offered):
        if number >= policy.max_items:
            cuts.append({"evidence_id": one.evidence_id, "byte_count": one.byte_count, "reason": "max_items"})
        elif total + one.byte_count > policy.max_total_bytes:
            cuts.append({"evidence_id": one.evidence_id, "byte_count": one.byte_count, "reason": "max_total_bytes"})
        else:
            kept.append(one)
            total += one.byte_count
    return kept, cuts


def summarise(kept: list[Item], offered: int, policy: Policy) -> dict[str, Any]:
    counts: dict[str, int] = {}
    for one in kept:
        counts[one.evidence_type] = counts.get(one.evidence_type, 0) + 1
    total = sum(one.byte_count for one in kept)
    return {
        "item_count": len(kept), "type_counts": counts, "total_bytes": total, "approx_tokens": total // 4,
        "bundle_bounding": {
            "applied": len(kept) < offered, "original_count": offered, "final_count": len(kept),
            "items_dropped": offered - len(kept), "total_bytes": total, "max_total_bytes": policy.max_total_bytes,
        },
    }


def digest_of(policy: Policy, kept: list[Item], summary: dict[str, Any], cuts: list[dict[str, Any]]) -> bytes:
    """SHA-256 over everything but the time; an item's content stands in it by its own digest."""
    members = [one.model_dump(exclude={"anchor", "content"}) for one in kept]
    value = {"policy": policy.model_dump(), "items": members, "summary": summary, "cuts": cuts, "problems": []}
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).digest()


def written(time: str) -> str:
    moment = datetime.fromisoformat(time).astimezone(timezone.utc)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def versioned(digest: bytes) -> bytes:
    """The first 16 bytes with the marks of a version-8 UUID."""
    head = bytearray(digest[:16])
    head[6] = head[6] & 0x0F | 0x80
    head[8] = head[8] & 0x3F | 0x80
    return bytes(head)


def write(bundle: Bundle) -> bytes:
    return bundle.model_dump_json().encode()
