"""Ranking: is the document that supports a claim found among all the others?

The pool is every premise of the development sets that Dalil ranks for, cut at sentences into chunks of
at most 1,000 bytes. A claim is found when a chunk of its own premise is among the first 1, 5 or 10.
"""

from __future__ import annotations

import gzip
import json
import pathlib
import random
import re

ASKED = ("wice", "attributionbench", "fever_symmetric", "healthver", "bump", "ar_xnli", "ar_nli", "ar_en_nli_cross")
BESIDE = ("contractnli", "conjnli", "ar_stance", "summedits_ectsum", "summedits_samsum")
MOST = 200


class Pool:
    def __init__(self, claims: pathlib.Path) -> None:
        self.chunks: list[str] = []
        self.owners: list[int] = []
        documents: dict[str, int] = {}
        asked: dict[str, list[tuple[str, int]]] = {name: [] for name in ASKED}
        for name in ASKED + BESIDE:
            for line in gzip.open(claims / "dev" / f"{name}.jsonl.gz", "rt"):
                row = json.loads(line)
                if row["premise"] not in documents:
                    documents[row["premise"]] = len(documents)
                    for chunk in cut(row["premise"]):
                        self.chunks.append(chunk)
                        self.owners.append(documents[row["premise"]])
                if row["label"] == "supported" and name in asked:
                    asked[name].append((row["claim"], documents[row["premise"]]))
        for pairs in asked.values():
            random.Random(3).shuffle(pairs)
        self.queries = [(name, *pair) for name in ASKED for pair in asked[name][:MOST]]

    def grow(self, least: int) -> None:
        """Adds chunks that nobody asks for: those of the pool with their words in another order."""
        order, originals = random.Random(7), len(self.chunks)
        while len(self.chunks) < least:
            words = self.chunks[len(self.chunks) % originals].split()
            order.shuffle(words)
            self.chunks.append(" ".join(words[: len(words) // 2] + [f"n{len(self.chunks)}"]))
            self.owners.append(-1)

    def given(self) -> list[list[str]]:
        return [self.chunks, [claim for _, claim, _ in self.queries]]

    def text(self, found: list[list[list[int]]]) -> str:
        """Recall at 1, 5 and 10 in hundredths, by set, for terms, vectors and both."""
        lines = ["| set | claims | terms | vectors | both |", "|---|---|---|---|---|"]
        for name in ASKED:
            own = [(row, target) for row, (of, _, target) in zip(found, self.queries) if of == name]
            cells = (" / ".join(f"{self.recall(own, way, top):.0f}" for top in (1, 5, 10)) for way in range(3))
            lines.append(f"| {name} | {len(own)} | {' | '.join(cells)} |")
        return "\n".join(lines)

    def recall(self, own: list[tuple[list[list[int]], int]], way: int, top: int) -> float:
        hits = sum(any(self.owners[chunk] == target for chunk in row[way][:top]) for row, target in own)
        return 100 * hits / max(len(own), 1)


def cut(text: str, most: int = 1000) -> list[str]:
    parts: list[str] = []
    run = ""
    for sentence in re.split(r"(?<=[.!?؟])\s+|\n+", text):
        if run and len(f"{run} {sentence}".encode()) > most:
            parts.append(run)
            run = sentence
        else:
            run = f"{run} {sentence}".strip()
    return parts + [run] if run else parts
