"""Makes the pool of training pairs and the pairs to measure on, as word piece ids, from the labelled sets.

    python pool.py --data CLAIMS --vocab vocab.txt --dictionary dict.json.gz --out DIR [--copies 2] [--limit N]

Deterministic: the same data, seed and copies give the same pool on every machine, whatever the number of processes.
"""
import argparse
import glob
import gzip
import hashlib
import json
import multiprocessing as mp
import random
import re
import zlib
from pathlib import Path

import numpy as np

import arabic
import compose
import edits
import text as T

LABEL = {"supported": 0, "neutral": 1, "contradicted": 2, "unsupported": 3}
UNLICENSED = {"climatefever", "healthver", "covidfact", "ar_nli", "ar_en_nli_cross", "ar_stance"}  # and fib_*
RESTRICTED = {"sick"}  # not for commercial use
CAPTIONS = {"snli", "mpe", "joci", "add_one_rte"}  # distractors from documents only
LESS = {"joci": 0.4, "mpe": 0.5, "add_one_rte": 0.5, "conjnli": 0.8, "ar_stance": 1.0}
DOCUMENTS = {"rte", "contractnli", "docnli_fever", "halueval_qa", "cg2c_doc", "cg2c_musique", "docnli_mctest", "begin", "wice_tokens", "foolmetwice"}
SKIP = {"qnli"}  # its premise is a question
LONG = ("bump", "summedits", "wice", "attributionbench")
# how an example was made
PLAIN, EDITED, MADE, ABSENT, UNLABELLED, SWITCHED, AGREED, JOINT, TEMPLATE = range(9)
COUNT = {"bundles": 45000, "templates": 9000}  # a copy

S: dict = {}  # what the worker processes share


def unlicensed(name: str) -> bool:
    return name in UNLICENSED or name.startswith("fib_")


def read(folder: Path) -> dict[str, list[dict]]:
    out = {}
    for path in sorted(glob.glob(str(folder / "*.jsonl.gz"))):
        name = Path(path).name[:-9]
        if name in SKIP:
            continue
        with gzip.open(path, "rt", encoding="utf-8") as f:
            out[name] = [json.loads(line) for line in f]
        for r in out[name]:
            if name == "mpe":
                r["premise"] = re.sub(r"\s*\d+jpg\d", ". ", r["premise"]).lstrip(". ")
            if name == "add_one_rte":
                r["premise"], r["claim"] = (re.sub(r"\s+", " ", re.sub(r"</?[bu]>", "", r[k])) for k in ("premise", "claim"))
    return out


def held(premise: str) -> bool:
    """Whether a training premise is kept for validation."""
    return zlib.crc32(premise.encode()) % 33 == 0


def pieces_of(rows: list[tuple[str, str]]) -> list[tuple[list[list[int]], list[int]]]:
    claims = S["tok"].encode_batch([T.fold(c) for _, c in rows], add_special_tokens=False)
    return [(T.encode_sentences(S["tok"], p), c.ids[: T.CLAIM]) for (p, _), c in zip(rows, claims)]


def tokenise(procs, rows: list[dict]) -> None:
    said = [(r["premise"], r["claim"]) for r in rows]
    found = procs.map(pieces_of, [said[i : i + 1000] for i in range(0, len(said), 1000)], chunksize=1)
    for r, (doc, ids) in zip(rows, (f for part in found for f in part)):
        r["doc"], r["ids"] = doc, ids


class Examples:
    """Pairs as flat arrays."""

    def __init__(self):
        self.ids, self.n, self.split, self.label, self.weight, self.set, self.kind, self.source = [], [], [], [], [], [], [], []

    def add(self, premise, claim, label, weight, name, kind, source=-1):
        x, t = T.join(premise[:320], claim)
        self.ids.append(np.array(x, np.uint16))
        self.n.append(len(x))
        self.split.append(t)
        self.label.append(label)
        self.weight.append(weight)
        self.set.append(name)
        self.kind.append(kind)
        self.source.append(source)

    def arrays(self):
        return dict(ids=np.concatenate(self.ids), n=np.array(self.n, np.int32), split=np.array(self.split, np.int32), label=np.array(self.label, np.int8),
                    weight=np.array(self.weight, np.float32), set=np.array(self.set, np.int16), kind=np.array(self.kind, np.int8), source=np.array(self.source, np.int64))


def distractors(row, rng, room: int) -> list[list[int]]:
    """Sentences of one to three other documents, up to `room` word pieces."""
    out = []
    while room > 10:
        _, doc = S["docs"][rng.randrange(len(S["docs"]))]
        start = rng.randrange(len(doc))
        for s in doc[start : start + rng.randint(1, 6)]:
            if len(s) <= room and doc is not row["doc"]:
                out.append(s)
            room -= max(8, len(s))
    return out


def wrapped(row, rng, small: bool) -> tuple[list[list[int]], range]:
    """The premise as a passage of a longer document of mixed matter, and where it stands there."""
    room = rng.randint(30, 200) if small else rng.randint(250, 1500)
    other = distractors(row, rng, room)
    at = rng.randint(0, len(other))
    return other[:at] + row["doc"] + other[at:], range(at, at + len(row["doc"]))


def chosen(doc, claim, rng):
    """The sentences of one of the windows the judge would read."""
    if sum(map(len, doc)) <= T.COMPOSED:
        return range(len(doc))
    score = T.scores(doc, claim)
    if rng.random() < 0.55:
        return T.composed(doc, score)
    return T.contiguous(doc, score, max(range(len(doc)), key=lambda i: (score[i], -i)))


def seen(doc, claim, rng) -> list[int]:
    return T.flat(doc, chosen(doc, claim, rng))


def words_of(ids) -> list[str]:
    out = []
    for i in ids:
        p = S["pieces"][i]
        if p.startswith("##") and out:
            out[-1] += p[2:]
        else:
            out.append(p)
    return out


def switched(ex: Examples, premise, claim, label, weight, name, source, rng) -> None:
    """The pair with words in Arabic: both sides, or one."""
    side = rng.random()
    share = rng.choice([0.3, 0.6, 0.85, 1.0, 1.0])
    if side < 0.75:
        premise = T.encode(S["tok"], arabic.switch(words_of(premise), S["dictionary"], share, rng))
    if side < 0.5 or side >= 0.75:
        claim = T.encode(S["tok"], arabic.switch(words_of(claim), S["dictionary"], share, rng))
    if premise and claim:
        ex.add(premise, claim, label, weight, name, SWITCHED, source)


def make(task) -> dict:
    """The examples of one slice of rows in one copy; sources are numbered within the slice."""
    copy, name, lo, hi = task
    ex = Examples()
    if name in COUNT:
        for i in range(lo, hi):
            composed(ex, name, S["index"][name], random.Random(f"{S['seed']} {copy} {name} {i}"))
        return ex.arrays()
    k, share, weights = S["index"][name], S["share"][name], S["weights"][name]
    for i in range(lo, hi):
        r = S["rows"][name][i]
        rng = random.Random(f"{S['seed']} {copy} {name} {r['id']} {i}")
        for _ in range(int(share + rng.random())):
            one(ex, r, name, k, weights, rng)
    return ex.arrays() if ex.n else {}


def composed(ex: Examples, name: str, k: int, rng) -> None:
    """A pair that is no row of a set: several rows together, or a template."""
    text, claim, y = compose.template(rng) if name == "templates" else compose.bundle(S["rows"], S["supported"], S["groups"], rng)
    ids = T.encode(S["tok"], claim)
    if not ids or len(ids) > T.CLAIM:
        return
    row = {"doc": T.encode_sentences(S["tok"], text)}
    doc = wrapped(row, rng, True)[0] if rng.random() < (0.3 if name == "templates" else 0.15) else row["doc"]
    premise = seen(doc, ids, rng)
    ex.add(premise, ids, y, 0.6, k, TEMPLATE if name == "templates" else JOINT)
    if rng.random() < (0.3 if name == "templates" else 0.08):
        switched(ex, premise, ids, y, 0.6, k, len(ex.n) - 1, rng)


def one(ex: Examples, r: dict, name: str, k: int, weights, rng) -> None:
    y = LABEL[r["label"]]
    size, is_ar = sum(map(len, r["doc"])), name.startswith("ar_")
    doc, own = r["doc"], range(len(r["doc"]))
    if size < 200 and not is_ar and rng.random() < 0.35:
        doc, own = wrapped(r, rng, name in CAPTIONS or rng.random() < 0.5)
    which = chosen(doc, r["ids"], rng)
    premise = T.flat(doc, which)
    if not set(which) & set(own):
        ex.add(premise, r["ids"], 1, 0.5, k, ABSENT)
        return
    ex.add(premise, r["ids"], y, weights[0 if y == 0 else 1], k, PLAIN)
    at = len(ex.n) - 1
    if is_ar:
        return
    if rng.random() < (0.2 if name in CAPTIONS else 0.16):
        switched(ex, premise, r["ids"], y, weights[0 if y == 0 else 1], k, at, rng)
    if y == 0 and rng.random() < (0.12 if name in CAPTIONS else 0.35):
        if out := edits.spoil(r["claim"], r["premise"], rng):
            claim = T.encode(S["tok"], out[0])[: T.CLAIM]
            ex.add(premise, claim, out[1], 0.7, k, EDITED)
            if rng.random() < 0.2:
                switched(ex, premise, claim, out[1], 0.7, k, len(ex.n) - 1, rng)
    if y == 0 and rng.random() < (0.05 if name in CAPTIONS else 0.15) and (claim := edits.agree(r["claim"], rng)):
        ex.add(premise, T.encode(S["tok"], claim)[: T.CLAIM], 0, 0.5, k, AGREED)
    if y == 0 and name not in CAPTIONS and rng.random() < 0.08 and (text := edits.other(r["claim"], r["premise"], S["names"], rng)):
        ex.add(seen(T.encode_sentences(S["tok"], text), r["ids"], rng), r["ids"], 1, 0.5, k, ABSENT)
    if y == 0 and rng.random() < 0.06:
        ex.add(seen(distractors(r, rng, rng.randint(60, 600)) or [[]], r["ids"], rng), r["ids"], 1, 0.5, k, ABSENT)
    if size > T.COMPOSED and rng.random() < 0.3:
        ex.add(T.windows(r["doc"], r["ids"], 3)[rng.randint(1, 2)], r["ids"], -1, 1.0, k, UNLABELLED)
    elif rng.random() < 0.03:
        other = rng.choice(S["rows"][name])
        ex.add(seen(other["doc"], r["ids"], rng), r["ids"], -1, 1.0, k, UNLABELLED)
    if name in DOCUMENTS and rng.random() < (1.0 if size > 400 else 0.25):
        made(ex, r, k, rng)


def made(ex: Examples, r: dict, k: int, rng) -> None:
    """One to four sentences of the document as a claim, and the same with something changed in one of them."""
    every = T.sentences(r["premise"])
    said = [s for s in every if 40 < len(s) < 260]
    if not said:
        return
    doc = wrapped(r, rng, True)[0] if rng.random() < 0.2 else r["doc"]
    at = rng.randrange(len(every))
    if rng.random() < 0.4 and (out := edits.resolve(every, at, r["premise"], rng)):
        claim = T.encode(S["tok"], out[0])[: T.CLAIM]
        ex.add(seen(doc, claim, rng), claim, out[1], 0.5, k, MADE)
    count = min(len(said), rng.choice([1, 1, 1, 2, 2, 3, 4]))
    at = rng.randrange(len(said) - count + 1)
    taken = said[at : at + count] if rng.random() < 0.5 else [said[i] for i in sorted(rng.sample(range(len(said)), count))]
    picked = [edits.restate(s, rng) for s in taken]
    while len(picked) > 1 and len(" ".join(picked)) > 480:
        picked.pop()
    claim = T.encode(S["tok"], " ".join(picked))[: T.CLAIM]
    if rng.random() < 0.7:
        ex.add(seen(doc, claim, rng), claim, 0, 0.5, k, MADE)
    j = rng.randrange(len(picked))
    if out := edits.spoil(picked[j], r["premise"], rng):
        picked[j] = out[0]
        claim = T.encode(S["tok"], " ".join(picked))[: T.CLAIM]
        ex.add(seen(doc, claim, rng), claim, out[1] if len(picked) == 1 else 3, 0.5, k, MADE)


def concat(parts: list[dict]) -> dict:
    parts, base = [p for p in parts if p], 0
    for p in parts:
        p["source"] = np.where(p["source"] >= 0, p["source"] + base, -1)
        base += len(p["n"])
    return {key: np.concatenate([p[key] for p in parts]) for key in parts[0]}


def pairs_to_measure(sets: dict[str, list[dict]], tok, wrap: bool) -> tuple[dict, list[dict]]:
    """For each row, each claim part (whole, then its sentences) and each window: a pair."""
    ex, rows = Examples(), []
    for name, some in sets.items():
        for i, r in enumerate(some):
            doc = r["doc"]
            if wrap and zlib.crc32(r["id"].encode() if isinstance(r["id"], str) else str(r["id"]).encode()) % 2 and not name.startswith("ar_"):
                rng = random.Random(f"val {name} {i}")
                doc = wrapped(r, rng, name in CAPTIONS or rng.random() < 0.3)[0]
            parts = [r["claim"]] + (said if len(said := T.sentences(r["claim"])) > 1 else [])
            for p, part in enumerate(parts):
                c = T.encode(tok, part)[: T.CLAIM]
                for w, win in enumerate(T.windows(doc, c, 3)):
                    ex.add(win, c, p, w, len(rows), PLAIN)
            rows.append({"set": name, "id": r["id"], "label": r["label"], "chars": len(r["claim"]), "tokens": sum(map(len, doc)), "parts": len(parts), "sentences": len(doc)})
    a = ex.arrays()
    return dict(ids=a["ids"], n=a["n"], split=a["split"], part=a["label"], window=a["weight"].astype(np.int8), row=np.array(ex.set, np.int32)), rows


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", type=Path, required=True)
    ap.add_argument("--vocab", type=Path, required=True)
    ap.add_argument("--dictionary", type=Path, required=True)
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--copies", type=int, default=2)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--limit", type=int, default=0, help="rows a set, for a trial")
    a = ap.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    tok = S["tok"] = T.tokenizer(a.vocab)
    train, dev = read(a.data / "train"), read(a.data / "dev")
    rng, val, cal = random.Random(a.seed), {}, {}
    with mp.get_context("fork").Pool() as procs:
        for group in (train, dev):
            for name in group:
                if a.limit:
                    group[name] = rng.sample(group[name], min(a.limit, len(group[name])))
            tokenise(procs, [r for rows in group.values() for r in rows])
    for name, rows in list(train.items()):
        if unlicensed(name) or name in RESTRICTED:  # never learnt from: strange to the judge, so good to calibrate on
            if not name.startswith("ar_") and name not in RESTRICTED:
                cal[name] = rows[:: max(1, len(rows) // 500)]
            del train[name]
            continue
        val[name] = [r for r in rows if held(r["premise"])][:400]
        train[name] = [r for r in rows if not held(r["premise"])]
    index = {name: i for i, name in enumerate(sorted(train) + sorted(COUNT))}
    share, weights = {}, {}
    for name, rows in train.items():
        n, sup = len(rows), sum(r["label"] == "supported" for r in rows)
        share[name] = min(2.0, max(0.3, 150 / n**0.5)) * LESS.get(name, 1.0)
        weights[name] = (0.5, 0.5) if sup in (0, n) else tuple(min(2.5, max(0.5, 0.5 / p)) for p in (sup / n, 1 - sup / n))
    groups, texts = {}, [r["premise"] for name in sorted(DOCUMENTS - {"contractnli"}) for r in train[name]]
    for name in compose.JOINT:
        by: dict[str, list[dict]] = {}
        for r in train[name]:
            by.setdefault(r["premise"], []).append(r)
        groups[name] = [g for g in by.values() if len(g) > 1]
    edits.ELSEWHERE += sorted({m for t in texts[::3] for m in edits.CIRCUMSTANCE.findall(t) if 8 < len(m) < 50})
    names = sorted({m for t in texts[::5] for m in edits.NAME.findall(t) if " " in m and 8 < len(m) < 30})
    print(len(edits.ELSEWHERE), "circumstances", len(names), "names", sum(map(len, groups.values())), "groups")
    docs = [(name, r["doc"]) for name in sorted(DOCUMENTS & set(train)) for r in train[name] if r["doc"][0]]
    S.update(tok=tok, rows=train, index=index, share=share, weights=weights, docs=docs, groups=groups, names=names, supported={n: [r for r in train[n] if r["label"] == "supported"] for n in compose.JOINT}, seed=a.seed,
             dictionary=json.load(gzip.open(a.dictionary, "rt", encoding="utf-8")), pieces=a.vocab.read_text(encoding="utf-8").split("\n"))
    tasks = [(c, name, lo, min(lo + 500, len(train[name]))) for c in range(a.copies) for name in sorted(train) for lo in range(0, len(train[name]), 500)]
    tasks += [(c, name, lo, min(lo + 500, n)) for c in range(a.copies) for name, n in sorted(COUNT.items()) for lo in range(0, n if not a.limit else a.limit, 500)]
    with mp.get_context("fork").Pool() as procs:
        pool = concat(procs.map(make, tasks, chunksize=4))
    np.savez(a.out / "pool.npz", **pool)
    measured = {}
    for part, sets, wrap in (("val", val, True), ("cal", cal, False), ("dev", dev, False)):
        arrays, measured[part] = pairs_to_measure(sets, tok, wrap)
        np.savez(a.out / f"{part}.npz", **arrays)
        print(part, len(measured[part]), "rows", len(arrays["n"]), "pairs", arrays["n"].sum(), "tokens")
    info = {"sets": sorted(train) + sorted(COUNT), "rows": measured, "digest": hashlib.sha256(pool["ids"].tobytes() + pool["label"].tobytes()).hexdigest()[:16]}
    (a.out / "info.json").write_text(json.dumps(info))
    print("pool", len(pool["n"]), "pairs", int(pool["n"].sum()), "tokens; kinds", np.bincount(pool["kind"]).tolist(), "labels", np.bincount(pool["label"] + 1).tolist(), info["digest"])


if __name__ == "__main__":
    main()
