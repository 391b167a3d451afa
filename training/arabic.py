"""Arabic for an English encoder: word pieces with aligned vectors, and English pairs with words in Arabic."""
import gzip
import json
import random
import re
from pathlib import Path

import numpy as np
import sentencepiece as spm

import text as T

ARABIC = re.compile("[\u0620-\u06ff]")


def use_table(folder: Path) -> np.ndarray:
    """The token vectors of the multilingual sentence encoder, float32."""
    z = np.load(folder / "weights.npz")
    chunks = [z[f"q{i + 1}"].astype(np.float32) * z["scale"][i] + z["lo"][i] for i in range(17)]
    out = np.empty((17 * len(chunks[0]), chunks[0].shape[1]), np.float32)
    for i, c in enumerate(chunks):
        out[i::17] = c
    return out


def pieces(folder: Path, known: set[str]) -> tuple[list[str], np.ndarray, dict[str, np.ndarray]]:
    """New word pieces in the encoder's spelling, their vectors, and the vectors of English words both sides know."""
    sp, table = spm.SentencePieceProcessor(model_file=str(folder / "sp.model")), use_table(folder)
    found: dict[str, list[np.ndarray]] = {}
    shared: dict[str, np.ndarray] = {}
    for i in range(sp.get_piece_size()):
        raw = sp.id_to_piece(i)
        start, word = raw.startswith("▁"), T.normalise(raw.removeprefix("▁"))
        if ARABIC.search(word) and re.fullmatch("[\u0620-\u06ff]+", word) and not re.fullmatch("[،؛؟٪٫٬۔]+", word):
            piece = word if start else "##" + word
            if piece not in known:
                found.setdefault(piece, []).append(table[i])
        elif start and word in known and re.fullmatch("[a-z0-9]+", word):
            shared.setdefault(word, table[i])
    for mark in "؛؟٪":
        if mark not in known:
            found.setdefault(mark, [table[sp.piece_to_id(mark)]])
    names = sorted(found)
    return names, np.stack([np.mean(found[n], 0) for n in names]), shared


def rows(words: np.ndarray, english: list[str], vectors: np.ndarray, shared: dict[str, np.ndarray]) -> np.ndarray:
    """Rows for the new pieces: a ridge map from the aligned space, fitted on the shared words, brought to their spread."""
    at = {w: i for i, w in enumerate(english)}
    x, y = np.stack(list(shared.values())), np.stack([words[at[w]] for w in shared])
    mx, my = x.mean(0), y.mean(0)
    a = x - mx
    fit = np.linalg.solve(a.T @ a + 0.1 * len(a) * np.mean(a.var(0)) * np.eye(a.shape[1]), a.T @ (y - my))
    out = (vectors - mx) @ fit
    spread = np.linalg.norm(y - my, axis=1).mean() / np.linalg.norm(out, axis=1).mean()
    return (out * spread + my).astype(np.float32)


FUNCTION = {
    "is": ["", "هو", "يكون"], "are": ["", "هم", "تكون"], "was": ["كان", "كانت"], "were": ["كانوا", "كانت"], "be": ["يكون", "تكون"], "been": ["كان"],
    "a": [""], "an": [""], "of": ["", "من"], "in": ["في", "ب+"], "on": ["على", "في"], "at": ["في", "عند"], "to": ["الى", "ل+"], "for": ["ل+", "من اجل"],
    "from": ["من"], "with": ["مع", "ب+"], "by": ["من قبل", "ب+"], "and": ["و+"], "or": ["او"], "but": ["لكن", "ولكن"], "not": ["لا", "لم", "ليس", "غير", "لن"],
    "no": ["لا", "لا يوجد", "ليس هناك"], "never": ["ابدا", "لم"], "must": ["يجب", "يلزم"], "shall": ["يجب", "على"], "should": ["ينبغي", "يجب"], "may": ["يجوز", "قد", "يمكن"],
    "can": ["يمكن", "يستطيع"], "cannot": ["لا يمكن", "لا يجوز"], "will": ["سوف", "س+"], "would": ["سوف"], "has": ["لديه", "لديها", "قد"], "have": ["لديهم", "قد"], "had": ["كان لديه", "قد"],
    "he": ["هو"], "she": ["هي"], "it": ["", "هو", "انه"], "they": ["هم"], "we": ["نحن"], "i": ["انا"], "you": ["انت"], "his": ["له", "الخاص به"], "her": ["لها"], "their": ["لهم", "الخاصة بهم"], "its": ["له", "لها"],
    "this": ["هذا", "هذه"], "that": ["ان", "ذلك", "الذي"], "these": ["هذه", "هؤلاء"], "those": ["تلك"], "who": ["الذي", "من"], "which": ["الذي", "التي"], "what": ["ما", "ماذا"], "when": ["عندما", "متى"], "where": ["حيث", "اين"],
    "there": ["هناك", "يوجد"], "all": ["جميع", "كل"], "every": ["كل"], "each": ["كل"], "some": ["بعض"], "any": ["اي"], "none": ["لا احد"], "many": ["العديد من", "كثير من"], "most": ["معظم"], "more": ["اكثر"], "less": ["اقل"], "than": ["من"], "only": ["فقط"],
    "one": ["واحد", "واحدة"], "two": ["اثنان", "اثنين"], "three": ["ثلاثة", "ثلاث"], "four": ["اربعة", "اربع"], "five": ["خمسة", "خمس"], "six": ["ستة"], "seven": ["سبعة"], "eight": ["ثمانية"], "nine": ["تسعة"], "ten": ["عشرة"], "hundred": ["مئة", "مائة"], "thousand": ["الف"], "million": ["مليون"], "billion": ["مليار"],
    "first": ["الاول", "اول"], "second": ["الثاني"], "third": ["الثالث"], "last": ["الاخير", "اخر"], "day": ["يوم"], "days": ["ايام", "يوما"], "month": ["شهر"], "months": ["اشهر", "شهور"], "year": ["سنة", "عام"], "years": ["سنوات", "اعوام"], "week": ["اسبوع"], "weeks": ["اسابيع"], "hour": ["ساعة"], "hours": ["ساعات"], "percent": ["في المئة", "بالمئة"], "dollar": ["دولار"], "dollars": ["دولار", "دولارات"],
    "after": ["بعد"], "before": ["قبل"], "during": ["خلال", "اثناء"], "until": ["حتى"], "about": ["حول", "عن", "حوالي"], "under": ["تحت"], "over": ["فوق", "اكثر من"], "between": ["بين"], "into": ["الى", "في"], "as": ["ك+", "كما"], "if": ["اذا"], "because": ["لان", "بسبب"], "without": ["بدون", "دون"], "against": ["ضد"], "also": ["ايضا"], "near": ["قرب", "بالقرب من"],
    "does": [""], "do": [""], "did": [""], "being": [""], "am": [""], "man": ["رجل"], "men": ["رجال"], "woman": ["امراة"], "women": ["نساء"], "boy": ["صبي", "ولد"], "girl": ["فتاة", "بنت"], "people": ["اشخاص", "ناس"], "person": ["شخص"], "child": ["طفل"], "children": ["اطفال"], "dog": ["كلب"], "company": ["شركة"], "contract": ["عقد"], "agreement": ["اتفاقية", "اتفاق"], "employee": ["موظف"], "employees": ["موظفون", "موظفين"], "party": ["طرف"], "law": ["قانون"], "information": ["معلومات"], "confidential": ["سرية"], "government": ["حكومة"], "president": ["رئيس"], "war": ["حرب"], "city": ["مدينة"], "country": ["دولة", "بلد"], "game": ["لعبة", "مباراة"],
}
