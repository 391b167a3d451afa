"""What `dalil check` does, in Python: `python pipeline ANSWER DOCS OUTPUT`.

PyMuPDF reads, BM25 in numpy ranks, the judge's own weights in ONNX Runtime score. Everything is made
afresh, as a script would do it. Prints one line of JSON: seconds of each step.
"""

from __future__ import annotations

import json
import pathlib
import re
import sys
import time

import numpy as np
import pymupdf

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "baseline"))
import judges  # noqa: E402
from measure import report  # noqa: E402

TOP = 8
K1, B = 1.2, 0.75
VERDICTS = ("supported", "partly_supported", "contradicted", "not_mentioned")


def main(answer: pathlib.Path, docs: pathlib.Path, output: pathlib.Path) -> None:
    clock = time.perf_counter()
    marks = [clock]
    chunks = [chunk for path in sorted(docs.iterdir()) for chunk in read(path)]
    marks.append(time.perf_counter())
    rank = Bm25(chunks)
    claims = [claim for claim in answer.read_text(encoding="utf-8").split("\n\n") if claim.strip()]
    pairs = [{"premise": chunks[n], "claim": claim} for claim in claims for n in rank.best(claim, TOP)]
    marks.append(time.perf_counter())
    model, tokens = judges.sessions()["int8"], judges.tokenizer()
    marks.append(time.perf_counter())
    logits = np.array(judges.score(model, *judges.batches(judges.tokens(tokens, pairs))))
    marks.append(time.perf_counter())
    best = logits.reshape(len(claims), -1, len(VERDICTS))
    verdicts = [VERDICTS[int(np.unravel_index(one.argmax(), one.shape)[1])] for one in best]
    output.write_text(json.dumps(verdicts))
    names = ("read", "rank", "load", "score")
    report(**{name: end - start for name, start, end in zip(names, marks, marks[1:])}, chunks=len(chunks))


def read(path: pathlib.Path) -> list[str]:
    """The blocks of a document that have some text."""
    if path.suffix == ".pdf":
        with pymupdf.open(path) as document:
            blocks = [block[4] for page in document for block in page.get_text("blocks")]
    else:
        blocks = path.read_text(encoding="utf-8").split("\n\n")
    return [" ".join(block.split()) for block in blocks if len(block) > 40]


class Bm25:
    """Okapi's weights over words."""

    def __init__(self, texts: list[str]) -> None:
        words = [re.findall(r"\w+", text.lower()) for text in texts]
        self.ids = {word: n for n, word in enumerate(sorted({word for one in words for word in one}))}
        self.postings: list[dict[int, int]] = [{} for _ in self.ids]
        for n, one in enumerate(words):
            for word in one:
                posting = self.postings[self.ids[word]]
                posting[n] = posting.get(n, 0) + 1
        lengths = np.array([len(one) for one in words], np.float32)
        self.norm = K1 * (1 - B + B * lengths / lengths.mean())

    def best(self, text: str, count: int) -> list[int]:
        scores = np.zeros(len(self.norm), np.float32)
        for word in set(re.findall(r"\w+", text.lower())) & self.ids.keys():
            posting = self.postings[self.ids[word]]
            rows, times = np.array(list(posting)), np.array(list(posting.values()), np.float32)
            weight = np.log(1 + (len(scores) - len(rows) + 0.5) / (len(rows) + 0.5))
            scores[rows] += weight * times * (K1 + 1) / (times + self.norm[rows])
        return np.argsort(-scores, kind="stable")[:count].tolist()


if __name__ == "__main__":
    main(*map(pathlib.Path, sys.argv[1:]))
