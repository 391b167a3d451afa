"""Makes the packs that the deep judge learns from and is measured on.

    python mixture.py --written DIR [DIR …] --claims CLAIMS --parallel DIR --arabic DIR --out DIR [--seed 1]

`train.jsonl.gz` is the mixture, `held.jsonl.gz` the written pairs kept apart by passage, `dev.jsonl.gz` 300 pairs of each
labelled set kept for measuring. The format is that of train.py. `writer.jsonl.gz` has the learnt written pairs for writer.py.
"""
import argparse
import collections
import glob
import gzip
import hashlib
import json
import math
import os
import random
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import edits  # noqa: E402

BITS = {"supported": 1, "weak": 2, "contradicted": 4, "not_found": 8, "neutral": 2 | 8, "unsupported": 2 | 4 | 8}
# No licence, or not for commercial use: never behind weights that ship.
LEFT_OUT = ("sick", "climatefever", "healthver", "covidfact", "ar_nli", "ar_en_nli_cross", "ar_stance", "fib_", "qnli")
NAMED = re.compile(r"\b(it|they|this|these|those|he|she|its|their|here|above|below|following|you|your|we|our)\b", re.I)


def read(path):
    with gzip.open(path, "rt", encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def is_held(row) -> bool:
    """A tenth of the passages, told by their words alone."""
    return hashlib.sha256(row["premise"].encode()).digest()[0] % 10 == 0


def shown(title, heading, text) -> str:
    """A passage as the judge reads it: title and headings on the first line."""
    first = " > ".join(part for part in (title, heading) if part)
    return f"{first}\n{text}" if first else text


def words(text):
    return {w for w in re.sub(r"[\W_]+", " ", text.lower()).split() if len(w) > 2}


def written(folders):
    """The written pairs by file and passage."""
    files = {}
    for path in sorted(path for folder in folders for path in glob.glob(folder + "/*.jsonl.gz")):
        passages = collections.OrderedDict()
        for r in read(path):
            passages.setdefault(r["premise"], []).append(r)
        files[os.path.basename(path)] = list(passages.values())
    return files


def claim_of(r, weight=None):
    c = {"t": r["claim"], "y": BITS[r["label"]]}
    if r.get("context"):
        c["x"] = r["context"]
    if weight:
        c["w"] = weight
    return c


def for_writer(passages):
    """The claims of a passage that stand by themselves, with what a writer is asked for."""
    r = passages[0]
    claims = [{"t": x["claim"], "k": [x["label"], x.get("change") or "other", x["lang"].split("-")[-1]]} for x in passages if not x.get("context")]
    return {"p": shown(r["doc"], r["heading"], r["premise"]), "c": claims}


def strangers(passages, index, rng, count):
    """Claims of other passages of the same file, the most alike first: this passage does not mention them."""
    here = passages[index]
    own, doc = words(here[0]["premise"]), here[0]["doc"]
    found = []
    for other in rng.sample(passages, min(40, len(passages))):
        if other is here or doc and other[0]["doc"] == doc:
            continue
        found += [(len(words(r["claim"]) & own) / (1 + len(words(r["claim"]))), r) for r in other if "context" not in r and r["label"] != "not_found"]
    found.sort(key=lambda f: -f[0])
    return [{"t": r["claim"], "y": 8, "w": 0.7} for _, r in found[:count]]


def one_line(rows, rng):
    """One line of a passage under its headings, as the judge reads lines to quote one: the line with the deciding words
    answers, another line of the passage says part of it or nothing."""
    r = rows[0]
    lines = [line.strip() for line in re.split(r"(?<=[.!?؟؛])\s+|\n+", r["premise"]) if len(line.strip()) > 25]
    claims, line = [], rng.choice(lines) if len(lines) > 2 else None
    for x in rows if line else []:
        why = x.get("why") or ""
        if why and why in line and x["label"] in ("supported", "contradicted"):
            claims.append(claim_of(x, 0.5) | {"y": 1 | 2 if x["label"] == "supported" else 4})
        elif why and why not in line and why in r["premise"] and x["label"] == "supported":
            claims.append(claim_of(x, 0.3) | {"y": 2 | 8})
        elif x["label"] == "not_found":
            claims.append(claim_of(x, 0.3))
    return [{"p": shown(r["doc"], r["heading"], line), "c": claims}] if len(claims) > 1 else []


def written_packs(files, rng, epochs):
    """Each passage once an epoch: as it is, without its title, or among others; with claims of other passages."""
    out = []
    for _ in range(epochs):
        for passages in files.values():
            for index, rows in enumerate(passages):
                r = rows[0]
                claims = [claim_of(x) for x in rows] + strangers(passages, index, rng, 3)
                rng.shuffle(claims)
                title, heading, text = r["doc"], r["heading"], r["premise"]
                chance = rng.random()
                if chance < 0.12:
                    title = None
                elif chance < 0.2:
                    title = heading = None
                if rng.random() < 0.3:
                    other = rng.choice(passages)[0]
                    if other is not r and not (r["doc"] and other["doc"] == r["doc"]):
                        extra = other["heading"] + "\n" + other["premise"][: rng.randint(150, 600)]
                        text = f"{text}\n{extra}" if rng.random() < 0.5 else f"{extra}\n{heading or ''}\n{text}"
                out += one_line(rows, rng) if rng.random() < 0.5 else []
                half = (len(claims) + 1) // 2  # two packs, so that a batch holds many passages
                out += [{"p": shown(title, heading, text), "c": claims[:half]}, {"p": shown(title, heading, text), "c": claims[half:]}]
    return out


def labelled(folder, total, rng):
    """The labelled sets, sampled by the square root of their size, premises shared where they are."""
    sets = {}
    for path in sorted(glob.glob(folder + "/train/*.jsonl.gz")):
        name = os.path.basename(path).split(".jsonl")[0]
        if not name.startswith(LEFT_OUT):
            sets[name] = read(path)
    long = lambda v: sum(len(r["premise"]) for r in v[:200]) / min(200, len(v)) > 300
    weight = {k: math.sqrt(len(v)) * (2.0 if long(v) else 1.0) for k, v in sets.items()}
    every, rows = sum(weight.values()), []
    for name, all_rows in sets.items():
        n = min(int(total * weight[name] / every), 2 * len(all_rows))
        some = []
        while len(some) < n:
            copy = all_rows[:]
            rng.shuffle(copy)
            some += copy[: n - len(some)]
        rows += some
    short = [r["premise"] for r in rows if 60 < len(r["premise"]) < 400]
    packs = collections.OrderedDict()
    for r in rows:
        premise = r["premise"]
        if name_is_caption(premise) is False and len(premise) < 400 and rng.random() < 0.25:
            around = [rng.choice(short) for _ in range(rng.randint(1, 4))]
            around.insert(rng.randint(0, len(around)), premise)
            premise = " ".join(around)
        packs.setdefault(premise[:6000], []).append({"t": r["claim"], "y": BITS["weak"] if r.get("partial") else BITS[r["label"]]})
    return [{"p": p, "c": c[i : i + 6]} for p, c in packs.items() for i in range(0, len(c), 6)]


def name_is_caption(premise):
    return bool(re.search(r"\d+jpg\d", premise))


def sentences(text):
    return [s.strip() for s in re.split(r"(?<=[.!?؟])\s+", text) if 40 < len(s.strip()) < 300]


def plain(text):
    """Without the marks of Markdown that the documents carry."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\s+", " ", re.sub(r"[*`_>#]+", "", text)).strip()


def changed_number(text, rng):
    found = list(re.finditer(r"(?<![\w.,-])\d{1,4}(?![\w.,-])", text))
    if not found:
        return None
    m = rng.choice(found)
    new = str(int(m[0]) + rng.choice([-3, -2, -1, 1, 2, 3, 5, 10]))
    return None if int(new) <= 0 else text[: m.start()] + new + text[m.end() :]


def across(folder, total, rng):
    """Passages of parallel text: the claim in the other language, true, spoilt by rule, or of another place."""
    out = []
    for path in sorted(glob.glob(folder + "/*.jsonl.gz")):
        rows = [{k: plain(v) for k, v in r.items()} for r in read(path)]
        rows = [r for r in rows if 30 < len(r["en"]) < 500 and 20 < len(r["ar"]) < 600]
        share = max(60, int(total * math.sqrt(len(rows)) / 640))
        for _ in range(share):
            at, n = rng.randrange(max(1, len(rows) - 8)), rng.randint(2, 6)
            some = rows[at : at + n]
            far = rng.choice(rows)
            premise, claim = rng.choice([("en", "ar"), ("ar", "en"), ("ar", "ar"), ("ar", "en")])
            text, claims = "\n".join(r[premise] for r in some)[:1800], []
            for r in rng.sample(some, min(2, len(some))):
                said = r[claim].rstrip()
                if len(said) > 260 or r[premise] not in text:
                    continue
                claims.append({"t": said, "y": 1, "w": 0.6})
                spoilt = edits.spoil(r["en"], r["en"], rng) if claim == "en" else None
                if spoilt and r["en"] != spoilt[0]:
                    claims.append({"t": spoilt[0], "y": 4 if spoilt[1] == 2 else 14, "w": 0.6})
                elif claim == "ar" and (new := changed_number(r["ar"], rng)):
                    claims.append({"t": new, "y": 4, "w": 0.6})
            if far not in some and len(far[claim]) < 260 and len(words(far["en"]) & words(" ".join(r["en"] for r in some))) < 5:
                claims.append({"t": far[claim], "y": 8, "w": 0.6})
            if len(claims) > 1:
                out.append({"p": text, "c": claims})
    rng.shuffle(out)
    return out[:total]


def arabic_laws(folder, total, rng):
    """Passages of Arabic laws with a sentence of theirs, one with another number, and one of another law."""
    lines = []
    for path in sorted(glob.glob(folder + "/*.txt.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as f:
            lines += [line.strip() for line in f if 80 < len(line) < 900]
    out = []
    while len(out) < total:
        at = rng.randrange(len(lines) - 4)
        some = lines[at : at + rng.randint(1, 3)]
        said = [s for line in some for s in re.split(r"(?<=[.؛])\s+", line) if 50 < len(s) < 260]
        claims = []
        for s in rng.sample(said, min(2, len(said))):
            claims.append({"t": s, "y": 1, "w": 0.4})
            if new := changed_number(s, rng):
                claims.append({"t": new, "y": 4, "w": 0.5})
        far = rng.randrange(len(lines))
        if abs(far - at) > 200:
            other = [s for s in re.split(r"(?<=[.؛])\s+", lines[far]) if 50 < len(s) < 260]
            claims += [{"t": s, "y": 8, "w": 0.5} for s in other[:1]]
        if len(claims) > 1:
            out.append({"p": "\n".join(some)[:1800], "c": claims})
    return out


def put(path, packs):
    with gzip.open(path, "wt", encoding="utf-8") as f:
        for p in packs:
            f.write(json.dumps(p, ensure_ascii=False) + "\n")
    print(os.path.basename(path), len(packs), "packs", sum(len(p["c"]) for p in packs), "claims")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--written", nargs="+", required=True)
    ap.add_argument("--claims", required=True)
    ap.add_argument("--parallel", required=True)
    ap.add_argument("--arabic", required=True)
    ap.add_argument("--out", required=True)
    ap.add_argument("--epochs", type=int, default=5)
    ap.add_argument("--labelled", type=int, default=80000)
    ap.add_argument("--across", type=int, default=9000)
    ap.add_argument("--laws", type=int, default=2500)
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    os.makedirs(a.out, exist_ok=True)
    rng = random.Random(a.seed)
    files = written(a.written)
    learnt = {k: [p for p in v if not is_held(p[0])] for k, v in files.items()}
    held = [{"p": shown(p[0]["doc"], p[0]["heading"], p[0]["premise"]), "s": p[0]["lang"], "c": [claim_of(r) for r in p]} for v in files.values() for p in v if is_held(p[0])]
    put(a.out + "/held.jsonl.gz", held)
    put(a.out + "/writer.jsonl.gz", [w for v in learnt.values() for p in v if (w := for_writer(p))["c"]])
    parts = {"written": written_packs(learnt, rng, a.epochs), "labelled": labelled(a.claims, a.labelled, rng), "across": across(a.parallel, a.across, rng), "laws": arabic_laws(a.arabic, a.laws, rng)}
    for name, packs in parts.items():
        print(name, len(packs), "packs", sum(len(p["c"]) for p in packs), "claims", sum(len(p["p"]) for p in packs) // 4, "tokens of passages, about")
    every = [p for packs in parts.values() for p in packs]
    rng.shuffle(every)
    put(a.out + "/train.jsonl.gz", every)
    dev = []
    for path in sorted(glob.glob(a.claims + "/dev/*.jsonl.gz")):
        rows = read(path)
        rows = rows if len(rows) <= 300 else [rows[int(i * len(rows) / 300)] for i in range(300)]
        dev += [{"p": r["premise"], "s": os.path.basename(path).split(".jsonl")[0], "c": [{"t": r["claim"], "y": BITS[r["label"]]}]} for r in rows]
    put(a.out + "/dev.jsonl.gz", dev)


if __name__ == "__main__":
    main()
