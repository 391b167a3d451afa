"""Writes the inputs that both sides read. The same seed gives the same bytes."""

from __future__ import annotations

import hashlib
import json
import pathlib
import random

SEED = 20260315
WORDS = (
    "contractor client shall deliver report invoice payment term clause agreement notice terminal crane "
    "service maintenance approval department finance director supplier record evidence source amendment "
    "within calendar days working quarter month annual fee discount percent order purchase spare parts"
).split()
ARABIC = (
    "يلتزم المقاول بتوريد قطع الغيار خلال المدة المتفق عليها ويسدد العميل كل فاتورة غير متنازع عليها "
    "ويستلزم التعديل موافقة رئيس الإدارة والمدير المالي وفق لائحة الصلاحيات المعتمدة لدى الشركة"
).split()


def write_all(folder: pathlib.Path) -> None:
    """Writes every input under `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in (("records", records), ("bundle", bundle), ("sources", sources), ("packs", packs), ("judge", judge)):
        value = make(random.Random(f"{SEED} {name}"))
        (folder / f"{name}.json").write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")


def records(rng: random.Random, count: int = 100_000) -> dict:
    """Obligations of 1,000 documents; one in a hundred has no verification, one in ten was amended twice."""
    obligations, verifications, chains = [], {}, {}
    for n in range(count):
        obligation, document = f"ob-{n:06}", f"doc-{n % 1_000:04}"
        clause = sentence(rng, 18)
        obligations.append({
            "obligation_id": obligation, "doc_id": document, "source_clause": clause,
            "extraction_model": "extractor-2026-02", "source_page": n % 40 + 1,
            "section_reference": f"Clause {n % 9 + 1}.{n % 7 + 1}", "confidence": score(rng),
        })
        if n % 100 != 99:
            verifications[obligation] = {
                "verification_model": "verifier-2026-02", "verified": n % 20 != 0, "confidence": score(rng),
            }
        if n % 10 == 0:
            chains[obligation] = [
                {"doc_id": document, "clause": clause, "status": "SUPERSEDED"},
                {"doc_id": f"{document}-a1", "clause": sentence(rng, 18), "status": "ACTIVE"},
            ]
    documents = {f"doc-{n:04}": {"doc_id": f"doc-{n:04}", "filename": f"agreement-{n:04}.pdf"} for n in range(1_000)}
    return {
        "obligations": obligations, "documents": documents,
        "verifications": verifications, "amendment_chains": chains,
    }


def bundle(rng: random.Random, count: int = 2_000, size: int = 9_000) -> dict:
    """Inline items of about 9 kB, one in four of them Arabic, under a policy that keeps them all."""
    items = []
    for n in range(count):
        words = ARABIC if n % 4 == 3 else WORDS
        text = " ".join(rng.choice(words) for _ in range(size // 5))
        items.append({"text": within(text, size), "source_uri": f"notes/{n:05}"})
    return {
        "job_input": {"entity_type": "supplier", "entity_id": "V-204", "extra_params": {"evidence": items}},
        "policy": {"max_items": count, "max_total_bytes": count * 10_000, "max_item_bytes": 10_000},
        "created_utc": "2026-03-15T09:30:00Z",
    }


def sources(rng: random.Random, count: int = 2_000, chunks: int = 10_000) -> dict:
    """Candidates with five chunks each, in no order."""
    candidates = [
        {
            "item_id": f"item-{n:05}", "kind": "documents", "source_ref": f"https://documents.example/{n}",
            "title": sentence(rng, 6), "summary": sentence(rng, 40), "score": rng.random(),
            "rank_text": rng.randrange(1, count), "rank_vec": rng.randrange(1, count),
            "metadata": {
                "language": "en", "pages": n % 60, "signed": "2025-02-01", "api_key": "0" * 20,
                "tags": ["a", "b"], "owner": sentence(rng, 2),
            },
        }
        for n in range(count)
    ]
    evidence = [
        {
            "item_id": f"item-{n % count:05}", "chunk_id": f"chunk-{n:06}", "text": sentence(rng, 110),
            "score": rng.random(), "heading_path": ["3 Maintenance", "3.2 Fault response"],
        }
        for n in range(chunks)
    ]
    rng.shuffle(evidence)
    return {"candidates": candidates, "evidence_chunks": evidence}


def packs(rng: random.Random, count: int = 200) -> list[dict]:
    """Requests for packs of about 10 kB: six sources, four tool calls, a memo in two languages."""
    return [pack(rng, n) for n in range(count)]


def pack(rng: random.Random, n: int) -> dict:
    decision_id = f"dec_{rng.getrandbits(64):016x}"
    evidence = [
        {
            "source": "contracts.agreement", "uri": f"lake:agreement-{n:04}-{k}.md",
            "excerpt": sentence(rng, 30), "content_hash": f"sha256:{rng.getrandbits(256):064x}",
            "retrieved_at": "2026-03-15T08:04:00Z", "confidence": round(0.99 - k / 100, 2),
        }
        for k in range(6)
    ]
    cites = [f"[cite:{anchor(one['excerpt'])}]" for one in evidence[:3]]
    decision = {
        "schema_version": "1.0", "decision_id": decision_id, "tenant_id": "barzamar",
        "entity_id": f"supplier_{n}", "objective": "payment_terms_change", "agent_name": "contract_reviewer",
        "model": "example-model", "model_version": "2026-02", "recommendation": {"action": "approve"},
        "confidence": 0.86, "rationale": sentence(rng, 60), "evidence": evidence,
        "freshness_window_hours": 24, "approval_class": "A2", "reversibility_class": "R2",
        "sensitivity_class": "S2", "created_at": "2026-03-15T09:00:00Z", "locale": "ar",
    }
    return {
        "decision": decision, "tool_calls": [tool_call(rng, decision_id, k) for k in range(4)],
        "prompts": [{"template_name": "contract_review", "template_version": "1.2", "rendered_length": 6120,
                     "system_prompt_present": True}],
        "memo": {
            "title_en": "Approval of new payment terms", "title_ar": "اعتماد شروط السداد الجديدة",
            "executive_summary_en": " ".join([sentence(rng, 70), *cites]),
            "executive_summary_ar": " ".join([sentence(rng, 55, ARABIC), *cites]),
            "body_en": " ".join([sentence(rng, 150), *cites]),
            "body_ar": " ".join([sentence(rng, 130, ARABIC), *cites]),
        },
        "pack_id": f"pack_{rng.getrandbits(64):016x}", "created_at": "2026-03-15T09:30:00Z",
    }


def judge(rng: random.Random, count: int = 64) -> list[dict[str, str]]:
    """Premises of about 130 word pieces and claims of about 20; one claim in three stands in its premise."""
    pairs = []
    for n in range(count):
        sentences = [sentence(rng, 15) for _ in range(rng.randrange(6, 10))]
        sentences.append(f"The annual fee is {rng.randrange(10, 99)} percent of {rng.choice(WORDS)} within 30 days.")
        claim = rng.choice(sentences) if n % 3 == 0 else sentence(rng, 15)
        pairs.append({"premise": " ".join(sentences), "claim": claim})
    return pairs


def tool_call(rng: random.Random, decision_id: str, k: int) -> dict:
    intended: object = sentence(rng, 8)
    actual: object = f"  {str(intended).upper()} "
    if k % 3 == 2:
        intended = {"action": "set_terms", "supplier": "V-204", "days": 20, "state": "draft"}
        actual = {**intended, "state": "posted"}
    return {
        "decision_id": decision_id, "tool_name": "erp.payment_terms", "intended_action": intended,
        "actual_action": actual, "inputs": {"supplier": "V-204", "days": 20}, "outputs": {"entry": f"PT-{k}"},
        "side_effects": ["posted an entry"] if k % 3 == 2 else [], "outcome": "succeeded",
        "contradiction_flag": k % 3 == 2, "invoked_at": "2026-03-15T08:20:00Z",
    }


def sentence(rng: random.Random, words: int, of: list[str] = WORDS) -> str:
    return " ".join(rng.choice(of) for _ in range(words)).capitalize() + "."


def within(text: str, size: int) -> str:
    return text.encode()[:size].decode(errors="ignore")


def score(rng: random.Random) -> float:
    return rng.randrange(5_000, 10_001) / 10_000


def anchor(text: str) -> str:
    return hashlib.sha256(" ".join(text.lower().split()).encode()).hexdigest()[:8]
