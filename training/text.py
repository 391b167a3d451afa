"""Text to word pieces, sentences and windows: what the judge sees of a document.

The Rust judge does the same; `reference.json` beside the weights pins the ids.
"""
import math
import re
import unicodedata
from pathlib import Path

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

CLS, SEP, UNK = 101, 102, 100
WINDOW, COMPOSED, CLAIM = 192, 256, 128  # word pieces
FOLD = {0x640: None, 0x649: 0x64A}
FOLD |= {0x660 + i: 0x30 + i for i in range(10)} | {0x6F0 + i: 0x30 + i for i in range(10)}


def tokenizer(vocab: Path) -> Tokenizer:
    """The fast tokenizer; feed it `fold(text)`."""
    pieces = {p: i for i, p in enumerate(vocab.read_text(encoding="utf-8").split("\n")[:-1])}
    tok = Tokenizer(models.WordPiece(pieces, unk_token="[UNK]", max_input_chars_per_word=100))
    tok.normalizer = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=True, lowercase=True)
    tok.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tok


def fold(text: str) -> str:
    """Arabic letters and digits that are one for the judge; no other change."""
    return text if text.isascii() else text.translate(FOLD)


def normalise(text: str) -> str:
    """The rule in full, slow and plain: the tests hold the fast tokenizer to it."""
    out = []
    for c in text:
        if c in "\0\ufffd" or (unicodedata.category(c) in ("Cc", "Cf") and c not in "\t\n\r"):
            continue
        out.append(" " if c in "\t\n\r" or unicodedata.category(c) == "Zs" else c)
    text = unicodedata.normalize("NFD", "".join(out).lower())
    return "".join(c for c in text if unicodedata.category(c) != "Mn").translate(FOLD)


def encode(tok: Tokenizer, text: str) -> list[int]:
    return tok.encode(fold(text), add_special_tokens=False).ids


SENTENCE = re.compile(r"(?<=[.!?؟])[\"')\]]*\s+(?=[^\sa-z])|\n+")


def scores(doc: list[list[int]], claim: list[int]) -> list[float]:
    """For each sentence, the summed weight of the claim's word pieces it holds."""
    seen: dict[int, int] = {}
    wanted = set(claim)
    held = [wanted & set(s) for s in doc]
    for h in held:
        for t in h:
            seen[t] = seen.get(t, 0) + 1
    weight = {t: math.log(1 + len(doc) / n) for t, n in seen.items()}
    return [sum(weight[t] for t in sorted(h)) for h in held]


def contiguous(doc: list[list[int]], score: list[float], centre: int, budget: int = WINDOW) -> range:
    """Whole sentences around `centre`, grown towards the better neighbour while they fit."""
    lo, hi, used = centre, centre + 1, len(doc[centre])
    while True:
        left = score[lo - 1] if lo > 0 and used + len(doc[lo - 1]) <= budget else -1.0
        right = score[hi] if hi < len(doc) and used + len(doc[hi]) <= budget else -1.0
        if left < 0 and right < 0:
            return range(lo, hi)
        if left > right:
            lo -= 1
            used += len(doc[lo])
        else:
            used += len(doc[hi])
            hi += 1


def composed(doc: list[list[int]], score: list[float], budget: int = COMPOSED) -> list[int]:
    """The best sentences from anywhere, in document order, while they fit."""
    chosen, used = [], 0
    for i in sorted(range(len(doc)), key=lambda i: (-score[i], i)):
        if score[i] <= 0 and chosen:
            break
        if used + len(doc[i]) <= budget:
            chosen.append(i)
            used += len(doc[i])
    return sorted(chosen)


def join(premise: list[int], claim: list[int]) -> tuple[list[int], int]:
    """The pair's ids, and where the claim's part (type 1) begins."""
    claim = claim[:CLAIM]
    return [CLS, *premise, SEP, *claim, SEP], len(premise) + 2
