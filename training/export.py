"""Writes the model folder: weights with their calibration, vocabulary, and the reference the Rust encoder is held to.

    python export.py --weights FILE --vocab vocab.txt --calibration calibration.json --out DIR
"""
import argparse
import json
import random
import shutil
import unicodedata
from pathlib import Path

import numpy as np
import torch
from safetensors import safe_open
from safetensors.numpy import save_file

import model as M
import text as T

CLAIM = 96  # word pieces of a claim, as fast.py reads them
LONG = "The parties agree as follows. " + " ".join(f"Clause {i} sets the fee for lot {i} at {100 + 7 * i} riyals, payable within {10 + i % 20} days of the invoice." for i in range(1, 40))
PAIRS = [
    ("Employees are entitled to 15 days of paid leave per year.", "Employees get 15 days of paid leave."),
    ("Employees are entitled to 15 days of paid leave per year.", "Employees get 20 days of paid leave."),
    ("Employees are entitled to 15 days of paid leave per year.", "Employees may carry leave over to the next year."),
    ("The tenant may end the lease with 30 days' notice.", "The tenant must end the lease with 30 days' notice."),
    ("The tenant may end the lease with 30 days' notice.", "The lease can be ended by the tenant on thirty days' notice."),
    ("Revenue rose 12% to $4.5 million in 2023.", "Revenue fell 12% in 2023."),
    ("Revenue rose 12% to $4.5 million in 2023.", "Revenue grew by 12 percent."),
    ("A man is playing a guitar on stage.", "A person performs music."),
    ("A man is playing a guitar on stage.", "Nobody is playing music."),
    ("", "The sky is blue."), ("The sky is blue.", ""), ("", ""), ("...", "!?"), ("The sky is blue.", "—"),
    ("Café Zürich naïve façade", "The cafe is in Zurich."), ("It was 😀 great 👍🏽!", "It was great 😀"),
    ("東京は日本の首都です。", "Tokyo is the capital of Japan."), ("ΑΒΓ Ünïcödé ǅ ß ﬁ", "abg"), ("x" * 120, "A very long word"),
    (LONG, "Clause 7 sets the fee at 149 riyals."), (LONG, "The fee for lot 30 is 500 riyals."), (LONG[:900], LONG[100:700]),
    ("يحق للموظف إجازة سنوية مدفوعة مدتها 15 يوماً.", "مدة الإجازة السنوية المدفوعة ١٥ يوما."),
    ("يحق للموظف إجازة سنوية مدفوعة مدتها 15 يوماً.", "مدة الإجازة السنوية ٢٠ يوما."),
    ("يجوز للمستأجر إنهاء العقد بإشعار مدته ثلاثون يوماً.", "يجب على المستأجر إنهاء العقد."),
    ("يجوز للمستأجر إنهاء العقد بإشعار مدته ثلاثون يوماً.", "لا يجوز للمستأجر إنهاء العقد."),
    ("ارتفعت أسعار النفط بنسبة ٣٪ يوم الأحد.", "انخفضت أسعار النفط."), ("ارتفعت أسعار النفط بنسبة ٣٪ يوم الأحد.", "صعدت أسعار النفط يوم الأحد."),
    ("عاصمة المملكة العربية السعودية هي الرياض.", "Riyadh is the capital of Saudi Arabia."), ("The capital of Saudi Arabia is Riyadh.", "الرياض عاصمة السعودية."),
    ("The capital of Saudi Arabia is Riyadh.", "جدة عاصمة السعودية."), ("مُـــحَمَّدٌ ذَهَبَ إلى المَدرَسَةِ", "ذهب محمد الى المدرسه"),
    ("على متن الطائرة ى ي ئ ؤ أ إ آ ٱ", "علي"), ("۱۲۳ ٤٥٦ ،؛؟ ٪", "123 456"), ("The fee is 5\u00a0000\u200b\u200f SAR\tonly.\r\n", "Fee: 5 000 SAR"),
    ("Receiving Party shall not disclose Confidential Information to any third party.", "Receiving Party may share Confidential Information with consultants."),
    ("The study found no link between the vaccine and the illness.", "The vaccine causes the illness."),
    ("Smith joined the board in March 2019 and left in May 2021.", "Smith left the board in 2021."),
    ("Smith joined the board in March 2019 and left in May 2021.", "Jones joined the board in March 2019."),
    ("All visitors must sign in at reception.", "Some visitors need not sign in."), ("Only members may vote.", "Everyone may vote."),
]
TEXTS = ["", " ", "\t\n", "Hello, World!", "don't", "U.S.A.", "e-mail@example.com", "https://example.org/a?b=c#d", "$1,234.56", "3.14159", "10%", "A/B", "C++", "naïve café", "Ångström", "İstanbul", "ǆ", "ẞ ß", "ﬁne", "½ ²",
         "zero\u200bwidth", "soft\u00adhyphen", "nul\0byte", "bad\ufffdchar", "tab\there", "nbsp\u00a0here", "line\u2028sep", "\u3000wide", "你好world", "日本語テキスト", "한국어", "emoji 😀👩‍👩‍👧", "«quote» “smart” ‘x’ …", "— – ‐", "`code` ^ ~ | < > = + $", "a" * 100, "a" * 101,
         "الله", "السلام عليكم", "مُحَمَّد", "محـــمد", "إلى أن آمن ؤئ ى", "٠١٢٣٤٥٦٧٨٩", "۰۱۲۳۴۵۶۷۸۹", "٣٫١٤ ٪ ٬", "،؛؟", "لا يجوز", "والمستأجرين", "فسيكفيكهم", "ﷺ ﻻ ﷲ", "یک کتاب", "پاکستان", "الـ15", "١٥يوما", "Dalil دليل mixed نص", "ْ ً ٌ", "ء", "۔"]


def texts(seed: int = 7) -> list[str]:
    """The hand-written cases, their pairs' sentences, and random mixtures of both."""
    rng = random.Random(seed)
    base = TEXTS + [s for p in PAIRS for s in p if len(s) < 400]
    parts = [w for s in base for w in s.split()]
    return base + [rng.choice([" ", "", "\n"]).join(rng.choices(parts, k=rng.randint(1, 8)))[:200] for _ in range(max(0, 220 - len(base)))]


def slow_words(text: str) -> list[str]:
    """Words by the plain rule, to check the fast tokenizer with."""
    out, cur = [], ""
    for c in T.normalise(text):
        o = ord(c)
        punct = 33 <= o <= 47 or 58 <= o <= 64 or 91 <= o <= 96 or 123 <= o <= 126 or unicodedata.category(c).startswith("P")
        alone = punct or 0x4E00 <= o <= 0x9FFF or 0x3400 <= o <= 0x4DBF or 0xF900 <= o <= 0xFAFF or 0x20000 <= o <= 0x2CEAF or 0x2F800 <= o <= 0x2FA1F
        if alone or c.isspace():
            out += [cur] if cur else []
            out += [c] if alone else []
            cur = ""
        else:
            cur += c
    return out + ([cur] if cur else [])


def slow_ids(text: str, vocab: dict[str, int]) -> list[int]:
    out = []
    for word in slow_words(text):
        at, ids = 0, []
        while at < len(word) and len(word) <= 100:
            end = next((e for e in range(len(word), at, -1) if ("##" if at else "") + word[at:e] in vocab), None)
            if end is None:
                ids = None
                break
            ids.append(vocab[("##" if at else "") + word[at:end]])
            at = end
        out += ids if ids and len(word) <= 100 else [T.UNK]
    return out


def reference(net: M.Judge, tok, vocab: dict[str, int]) -> dict:
    net.eval().quantised(True)
    pairs, cases = [], []
    for premise, claim in PAIRS:
        p = T.encode(tok, premise)[: 509 - len(T.encode(tok, claim)[:CLAIM])]
        ids, split = T.join(p, T.encode(tok, claim)[:CLAIM])
        types = [int(i >= split) for i in range(len(ids))]
        with torch.no_grad():
            z = net(torch.tensor([ids]), torch.tensor([types]), torch.ones(1, len(ids), dtype=torch.long))[0]
        pairs.append({"premise": premise, "claim": claim, "ids": ids, "types": types, "logits": [round(float(v), 5) for v in z]})
    for text in texts():
        fast, slow = T.encode(tok, text), slow_ids(text, vocab)
        if fast != slow:
            print("tokenizers differ on", ascii(text), fast, slow)
        cases.append({"text": text, "ids": slow})
    return {"pairs": pairs, "tokens": cases}


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--weights", type=Path, required=True)
    ap.add_argument("--vocab", type=Path, required=True)
    ap.add_argument("--calibration", type=Path)
    ap.add_argument("--keep-reference", action="store_true", help="the weights are those of the reference that is there")
    ap.add_argument("--out", type=Path, required=True)
    a = ap.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    with safe_open(a.weights, "numpy") as f:
        meta, tensors = f.metadata(), {k: f.get_tensor(k) for k in f.keys()}
    meta["calibration"] = json.dumps(json.loads(a.calibration.read_text()), sort_keys=True) if a.calibration else "{}"
    save_file({k: np.ascontiguousarray(v) for k, v in tensors.items()}, a.out / "judge.safetensors", meta)
    (a.out / "judge.safetensors").chmod(0o644)
    shutil.copy(a.vocab, a.out / "vocab.txt")
    if a.keep_reference:
        return
    vocab = {p: i for i, p in enumerate(a.vocab.read_text(encoding="utf-8").split("\n")[:-1])}
    ref = reference(M.load(a.out / "judge.safetensors", outputs=4), T.tokenizer(a.vocab), vocab)
    (a.out / "reference.json").write_text(json.dumps(ref, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    for p in ref["pairs"]:
        print([round(v, 2) for v in p["logits"]], p["premise"][:60], "|", p["claim"][:60])


if __name__ == "__main__":
    main()
