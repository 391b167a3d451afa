"""Writes claims about passages with the base model, without the adapter: material for the fast judge to learn from.

    python generate.py WORK PASSAGES.jsonl.gz OUT.jsonl.gz --minutes 8

A passage is {"p": text, "k": "en" | "ar" | "both", "a": its Arabic}. One thing is asked at a time, about one sentence, with
examples. Nothing is said about whether a claim is true: the deep judge labels them afterwards.
"""
import argparse
import gzip
import json
import random
import re
import time

import torch
import torch.nn.functional as F

import qwen

ASK = {
    "say": ("Say the statement in other words. Keep every fact.", [
        ("Employees must submit receipts within 30 days of the expense.", "Receipts have to be handed in no later than a month after the money was spent."),
        ("The Supplier shall not assign this Agreement without the prior written consent of the Buyer.", "Unless the Buyer agrees in writing beforehand, the Supplier cannot transfer the contract to anyone."),
        ("Backups are kept for 14 days and then deleted automatically.", "After two weeks, backup copies are erased without anyone having to do it.")]),
    "change": ("Say the statement in other words, but change one detail so that it becomes false.", [
        ("Employees must submit receipts within 30 days of the expense.", "Staff have 60 days after spending the money to hand in receipts."),
        ("The Supplier shall not assign this Agreement without the prior written consent of the Buyer.", "The Supplier may transfer the contract freely, without asking the Buyer."),
        ("Backups are kept for 14 days and then deleted automatically.", "Backup copies are kept for two weeks and must then be deleted by hand.")]),
    "less": ("Say the statement in other words, but leave out a condition or make it broader than it is.", [
        ("Full-time staff may work from home on two days a week with their manager's approval.", "Staff may work from home two days a week."),
        ("If the fee is not paid within 15 days of a reminder, the account may be suspended.", "Accounts are suspended when the fee is not paid."),
        ("Most invoices are usually paid within 20 working days.", "All invoices are paid within 20 working days.")]),
    "beyond": ("Write a statement about the same subject that the text does not mention.", [
        ("Employees must submit receipts within 30 days of the expense.", "Receipts in a foreign currency are converted at the rate of the central bank."),
        ("The library opens at nine on weekdays.", "The library has a café on the ground floor."),
        ("Backups are kept for 14 days and then deleted automatically.", "Backups are stored in a second data centre abroad.")]),
    "arabic": ("Say the statement in Arabic, in other words.", [
        ("Employees must submit receipts within 30 days of the expense.", "على الموظفين تقديم الإيصالات في مدة لا تتجاوز ثلاثين يوماً من تاريخ الصرف."),
        ("The contract may be ended by either party on two months' notice.", "يحق لأي من الطرفين إنهاء العقد بعد إشعار مدته شهران."),
        ("Backups are kept for 14 days and then deleted automatically.", "تُحفظ النسخ الاحتياطية أسبوعين ثم تُحذف تلقائياً.")]),
    "قل": ("أعد صياغة العبارة بكلمات أخرى مع الحفاظ على كل ما فيها.", [
        ("يجب على الموظف تقديم الإيصالات خلال ثلاثين يوماً من تاريخ الصرف.", "لا تتجاوز المهلة المتاحة للموظف لتسليم الإيصالات شهراً واحداً بعد الصرف."),
        ("لا يجوز للمورد التنازل عن العقد إلا بموافقة خطية من المشتري.", "تنازل المورد عن العقد لغيره مشروط بأن يوافق المشتري كتابةً.")]),
    "غير": ("أعد صياغة العبارة بكلمات أخرى، وغيّر فيها تفصيلاً واحداً لتصبح غير صحيحة.", [
        ("يجب على الموظف تقديم الإيصالات خلال ثلاثين يوماً من تاريخ الصرف.", "للموظف ستون يوماً بعد الصرف ليسلّم الإيصالات."),
        ("لا يجوز للمورد التنازل عن العقد إلا بموافقة خطية من المشتري.", "يستطيع المورد أن يتنازل عن العقد دون الرجوع إلى المشتري.")]),
}


def prompt(kind: str, sentence: str) -> str:
    task, shots = ASK[kind]
    shown = "".join(f"Statement: {a}\nAnswer: {b}\n\n" for a, b in shots)
    return f"{task}\n\n{shown}Statement: {sentence}\nAnswer:"


def tasks(passages, rng):
    """One sentence of a passage and one thing to ask, over and over."""
    while True:
        p = rng.choice(passages)
        arabic = p["k"] == "ar" or (p["k"] == "both" and rng.random() < 0.15)
        text = p.get("a") if arabic and p["k"] == "both" else p["p"]
        said = [s.strip(" -•") for s in re.split(r"(?<=[.!?؟؛])\s+|\n", text) if 35 < len(s) < 330 and not s.rstrip().endswith(":")]
        if not said:
            continue
        kind = rng.choice(["قل", "غير"]) if arabic else rng.choice(["say", "say", "change", "change", "less", "beyond", "arabic"])
        shown = p["p"]
        if p["k"] == "both" and not arabic and rng.random() < 0.45:
            shown = p["a"]
        elif arabic:
            shown = text
        yield {"p": shown, "k": kind, "s": rng.choice(said)}


class Writer:
    """Samples with a cache of keys and values; prompts padded on the left."""

    def __init__(self, judge, prompts):
        self.judge, self.tok = judge, prompts.tok
        for layer in judge.layers:
            for m in layer.values():
                m.on = False
        self.stop = {i for i in range(self.tok.get_vocab_size()) if "Ċ" in (self.tok.id_to_token(i) or "")}
        self.stop = torch.tensor(sorted(self.stop), device="cuda")

    @torch.no_grad()
    def write(self, texts, most=56, heat=0.7):
        ids = [e.ids for e in self.tok.encode_batch(texts)]
        n, b = max(map(len, ids)), len(ids)
        x = torch.zeros(b, n, dtype=torch.long)
        pad = torch.zeros(b, dtype=torch.long)
        for r, i in enumerate(ids):
            x[r, n - len(i) :] = torch.tensor(i)
            pad[r] = n - len(i)
        x, pad = x.cuda(), pad.cuda()
        cache = [torch.zeros(2, b, qwen.GROUPS, n + most, qwen.HEAD, device="cuda", dtype=torch.bfloat16) for _ in self.judge.layers]
        out, alive = [], torch.ones(b, dtype=torch.bool, device="cuda")
        at, order = torch.arange(n, device="cuda"), torch.arange(n + most, device="cuda")
        token = x
        for step in range(most):
            here = at if step == 0 else torch.tensor([n + step - 1], device="cuda")
            end = int(here[-1]) + 1
            mask = (order[:end] <= here[:, None])[None] & (order[:end] >= pad[:, None])[:, None]
            mask |= (order[:end] == here[:, None])[None]
            h = self.states(token, (here[None] - pad[:, None]).clamp(min=0), mask[:, None], cache, here)
            z = F.linear(h[:, -1], self.judge.embed).float() / heat
            top, which = z.topk(20)
            pick = which.gather(1, torch.multinomial(top.softmax(-1), 1))
            alive &= ~torch.isin(pick[:, 0], self.stop)
            out.append(torch.where(alive, pick[:, 0], -1))
            token = pick
            if step % 8 == 7 and not alive.any():
                break
        said = torch.stack(out, 1).cpu().tolist()
        return [self.tok.decode([t for t in row if t >= 0]).strip() if -1 in row else "" for row in said]

    def states(self, ids, at, mask, cache, here):
        judge, (b, n) = self.judge, ids.shape
        x = F.embedding(ids, judge.embed)
        turn = at[..., None].float() * qwen.THETA ** (-torch.arange(0, qwen.HEAD, 2, device="cuda").float() / qwen.HEAD)
        cos, sin = turn.cos()[:, None], turn.sin()[:, None]
        end = int(here[-1]) + 1
        for layer, kv in zip(judge.layers, cache):
            h = qwen.rms(x, layer.attn_norm)
            q = qwen.rotate(layer["q"](h).view(b, n, qwen.HEADS, qwen.HEAD).transpose(1, 2), cos, sin)
            kv[0][:, :, here] = qwen.rotate(layer["k"](h).view(b, n, qwen.GROUPS, qwen.HEAD).transpose(1, 2), cos, sin)
            kv[1][:, :, here] = layer["v"](h).view(b, n, qwen.GROUPS, qwen.HEAD).transpose(1, 2)
            k, v = (t[:, :, :end].repeat_interleave(qwen.HEADS // qwen.GROUPS, 1) for t in kv)
            y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
            x = x + layer["o"](y.transpose(1, 2).reshape(b, n, qwen.HIDDEN))
            h = qwen.rms(x, layer.ffn_norm)
            x = x + layer["down"](qwen.gated(layer["gate"](h), layer["up"](h)))
        return qwen.rms(x, judge.norm)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("work")
    ap.add_argument("passages")
    ap.add_argument("out")
    ap.add_argument("--minutes", type=float, default=8)
    ap.add_argument("--batch", type=int, default=384)
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    rng = random.Random(a.seed)
    torch.manual_seed(a.seed)
    passages = [json.loads(line) for line in gzip.open(a.passages, "rt", encoding="utf-8")]
    prompts = qwen.Prompts(a.work)
    writer, began, count = Writer(qwen.load(a.work, "cuda"), prompts), time.time(), 0
    source = tasks(passages, rng)
    with gzip.open(a.out, "wt", encoding="utf-8") as f:
        while time.time() - began < 60 * a.minutes:
            some = sorted((next(source) for _ in range(a.batch)), key=lambda t: len(prompt(t["k"], t["s"])))
            for half in (some[: a.batch // 2], some[a.batch // 2 :]):
                for t, said in zip(half, writer.write([prompt(t["k"], t["s"]) for t in half])):
                    if 15 < len(said) < 300 and said != t["s"]:
                        f.write(json.dumps(t | {"t": said}, ensure_ascii=False) + "\n")
                        count += 1
            f.flush()
            print(count, f"{time.time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
