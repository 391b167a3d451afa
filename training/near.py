"""Makes pools of pairs as the program meets them: claims with their own passage and with passages that are near, about half of
them with a context (contexts.py). The deep judge is asked about every pair.

    python near.py --passages PASSAGES.jsonl.gz --claims CLAIMS.jsonl.gz --vocab VOCAB --out POOL.jsonl.gz
    python near.py --rule --passages PASSAGES.jsonl.gz --claims SOME.jsonl.gz --vocab VOCAB --out POOL.jsonl.gz

A passage is {"p": text, "d": document, "s": source}. CLAIMS are passages with what deep/writer.py wrote about them; with `--rule`
SOME are passages alone, and the claims are sentences of theirs. A pool is as in fast.py; "k" says what kind of pair a claim is.
"""
import argparse
import math
import multiprocessing
import os
import random
import re
import zlib
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import contexts
import edits
import fast
import text as T

CONTEXT_SHARE, LINE_CONTEXT_SHARE, BOTH_SHARE = 0.5, 0.3, 0.08  # pairs with a context; pairs with and without one
SHORT_SHARE, SHORT = 0.5, 600  # passages that are cut, and letters of a piece
MAX_OTHER_CLAIM = 260  # letters of a claim or sentence that may stand beside another
MAX_NEAR, MAX_NEAR_OF_DOCUMENT, MIN_NEAR_SCORE = 5, 3, 4.0
MAX_LOOKED_AT, RARE_WORDS, MAX_HOLDERS = 60, 6, 400  # passages of a document or with a word; words looked up; passages with such a word

Pair = tuple[str, dict]  # a passage as shown, and a claim of a pack


class Corpus:
    """All passages, by document and by the rarer words of a source."""

    def __init__(self, passages: list[dict]):
        self.passages = passages
        self.words = [words_of(p["p"]) for p in passages]
        held = Counter(w for words in self.words for w in words)
        self.weights = {w: math.log(1 + len(passages) / n) for w, n in held.items()}
        self.of_document: dict[str, list[int]] = {}
        self.holding: dict[tuple[str, str], list[int]] = {}
        for i, p in enumerate(passages):
            self.of_document.setdefault(p["d"], []).append(i)
            for w in self.words[i]:
                if held[w] <= MAX_HOLDERS:
                    self.holding.setdefault((p["s"], w), []).append(i)

    def weigh(self, words: frozenset[str]) -> float:
        return sum(self.weights.get(w, 6.0) for w in words)

    def near(self, claim: str, own: dict, rng: random.Random) -> list[str]:
        """The passages of the claim's document, and then of its source, that share the most informative words with it."""
        words, score = words_of(claim), {}

        def look(some: list[int]) -> None:
            for i in some:
                if i not in score and self.passages[i]["p"] != own["p"]:
                    score[i] = self.weigh(words & self.words[i]) / (1 + 0.08 * len(self.words[i]) ** 0.5)

        document = self.of_document.get(own["d"], [])
        look(document if len(document) <= MAX_LOOKED_AT else rng.sample(document, MAX_LOOKED_AT))
        first = sorted(score, key=lambda i: -score[i])[:MAX_NEAR_OF_DOCUMENT]
        for w in sorted(words, key=lambda w: -self.weights.get(w, 0))[:RARE_WORDS]:
            look(self.holding.get((own["s"], w), [])[:MAX_LOOKED_AT])
        rest = [i for i in sorted(score, key=lambda i: -score[i]) if i not in first][: MAX_NEAR - len(first)]
        return [self.passages[i]["p"] for i in first + rest if score[i] > MIN_NEAR_SCORE]

    def piece(self, passage: str, claim: str) -> str:
        """Of a long passage its first line and the run of lines that shares most with the claim. Every claim has the same runs, so
        that a pack has many claims."""
        if len(passage) <= SHORT + 80:
            return passage
        first, _, rest = passage.partition("\n")
        if not rest or len(first) > 200:
            first, rest = "", passage
        pieces, some, letters = [], [], 0
        for line in (line.strip() for line in fast.LINE.split(rest) if line and line.strip()):
            if some and letters + len(line) > SHORT - len(first):
                pieces.append(some)
                some, letters = [], 0
            some.append(line)
            letters += len(line) + 1
        pieces += [some] if some else []
        words = words_of(claim)
        best = max(pieces, key=lambda lines: self.weigh(words & words_of(" ".join(lines))))
        return "\n".join(([first] if first else []) + best)


def words_of(text: str) -> frozenset[str]:
    return frozenset(w for w in re.findall(r"\w+", T.fold(text).lower()) if len(w) > 2 or w.isdigit())


CORPUS: Corpus  # in the workers too, which are forked
TOK = None


def start(vocab: Path) -> None:
    global TOK
    TOK = T.tokenizer(vocab)
    os.environ["TOKENIZERS_PARALLELISM"] = "false"


def shown(passage: str, claim: str, rng: random.Random) -> str:
    """The passage as the judge reads it; most claims of a passage see it in one form, so that a pack has many claims."""
    cut = (zlib.crc32(passage.encode()) % 1000 < 1000 * SHORT_SHARE) != (rng.random() < 0.12)
    return fast.fitting(TOK, CORPUS.piece(passage, claim) if cut else passage, claim, rng)


def written_claims(row: dict, rng: random.Random) -> list[tuple[str, float, str]]:
    """Text, weight and kind of the claims that deep/writer.py wrote about a passage, and of changed ones."""
    out = [(c["t"], 1.0, "own") for c in row["c"]]
    for c in row["c"]:
        if c["g"] != fast.LABEL_NOT_MENTIONED and rng.random() < 0.62 and (spoilt := edits.spoil(c["t"], row["p"], rng)):
            out.append((spoilt[0], 1.0, "spoilt"))
    return out


def rule_claims(row: dict, rng: random.Random) -> list[tuple[str, float, str]]:
    """Text, weight and kind of a sentence of a passage, and of two changed ones."""
    sentences = [s.strip(" -•*") for s in fast.LINE.split(row["p"].partition("\n")[2] or row["p"]) if s and 40 < len(s) < MAX_OTHER_CLAIM]
    out = [(s, 0.8, "own") for s in rng.sample(sentences, min(1, len(sentences)))]
    for s in rng.sample(sentences, min(2, len(sentences))):
        if spoilt := edits.spoil(s, row["p"], rng):
            out.append((spoilt[0], 0.8, "spoilt"))
    return out


def pairs_of(row: dict, rule: bool, near_share: float, rng: random.Random) -> list[Pair]:
    """The pairs of one passage's claims: with it, with passages near it, leaning on each other, and with a line of it alone."""
    out: list[Pair] = []
    claims = (rule_claims if rule else written_claims)(row, rng)
    texts = [t for t, _, _ in claims if len(t) < MAX_OTHER_CLAIM]

    def put(passage: str, claim: str, weight: float, kind: str, context_share: float = CONTEXT_SHARE) -> None:
        passage = shown(passage, claim, rng)
        has, both = rng.random() < context_share, rng.random() < BOTH_SHARE
        if not has or both:
            out.append((passage, {"t": claim, "w": weight, "k": kind}))
        if has:
            foreign = rng.choice(CORPUS.passages)["p"]
            context, misleads = contexts.context(row["p"], row["s"], claim, texts, foreign, rng)
            told = {"t": claim, "x": context, "w": 0.8 * weight if misleads else weight, "k": kind}
            out.extend([(passage, told | ({"m": 1} if misleads else {}))] if context else [])

    headings = contexts.headings(row["p"])
    for claim, weight, kind in claims:
        labelled = kind == "own" and headings and rng.random() < 0.04 and contexts.is_arabic(headings[-1]) == contexts.is_arabic(claim)
        put(row["p"], f"{headings[-1]}: {claim}" if labelled else claim, weight, kind)
        if rng.random() < (near_share if kind == "own" else 0.5 * near_share):
            for passage in CORPUS.near(claim, row, rng):
                put(passage, claim, 1.25 * weight, "near")
    for claim, before in contexts.leaning(texts, rng):
        passage = shown(row["p"], claim, rng)
        parts = [before] if rng.random() < 0.5 else [contexts.opening(row["p"], row["s"], claim, rng), before]
        out.append((passage, {"t": claim, "x": contexts.joined(parts), "w": 1.0, "k": "leaning"}))
    if not rule and rng.random() < 0.3:
        first, _, rest = row["p"].partition("\n")
        lines = [line.strip() for line in fast.LINE.split(rest) if line and len(line.strip()) > 25]
        if len(lines) > 1:
            line = f"{first}\n{rng.choice(lines)}"
            for claim in rng.sample(texts, min(3, len(texts))):
                put(line, claim, 0.7, "line", LINE_CONTEXT_SHARE)
    return out


def pairs_of_some(task: tuple[list[dict], bool, float, int]) -> list[Pair]:
    rows, rule, near_share, seed = task
    rng = random.Random(seed)
    return [pair for row in rows for pair in pairs_of(row, rule, near_share, rng)]


def main():
    global CORPUS
    p = argparse.ArgumentParser()
    p.add_argument("--passages", required=True)
    p.add_argument("--claims", required=True)
    p.add_argument("--vocab", type=Path, required=True)
    p.add_argument("--out", required=True)
    p.add_argument("--rule", action="store_true", help="the claims are sentences of the passages, and changed ones")
    p.add_argument("--near", type=float, default=0.4, help="how many claims are read with passages that are near; of changed ones, half as many")
    p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    CORPUS = Corpus(fast.read(a.passages))
    rows = [r for r in fast.read(a.claims) if a.rule or r["c"]]
    tasks = [(rows[i : i + 150], a.rule, a.near, a.seed * 100003 + i) for i in range(0, len(rows), 150)]
    packs: dict[str, dict[tuple, dict]] = {}
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("fork"), initializer=start, initargs=(a.vocab,)) as workers:
        for passage, c in (pair for some in workers.map(pairs_of_some, tasks) for pair in some):
            packs.setdefault(passage, {}).setdefault((c["t"], c.get("x")), c)
    out = fast.split(packs)
    random.Random(a.seed).shuffle(out)
    fast.write(a.out, out)
    claims = [c for pack in out for c in pack["c"]]
    kinds = dict(Counter(c["k"] for c in claims))
    print("pool", len(out), "packs", len(claims), "claims", kinds, "with context", sum("x" in c for c in claims), "misleading", sum("m" in c for c in claims), flush=True)


if __name__ == "__main__":
    main()
