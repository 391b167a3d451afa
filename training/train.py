"""Trains the teacher or the judge on a pool, labels the pool, and scores the pairs to measure on.

    python train.py --pool DIR --base FILE --out NAME [--teacher LOGITS] [--label LOGITS] ...
"""
import argparse
import hashlib
import json
import random
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

import evaluate
import model as M
import pool as P

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class Pairs:
    """Pairs of a pool on the device, gathered into padded batches there."""

    def __init__(self, path: Path, mpnet: bool):
        a = np.load(path)
        self.n, self.split, self.mpnet = a["n"], torch.tensor(a["split"], device=DEVICE).long(), mpnet
        self.ids = torch.tensor(a["ids"].astype(np.int32), device=DEVICE)
        self.start = torch.tensor(np.concatenate([[0], np.cumsum(a["n"])[:-1]]).astype(np.int64), device=DEVICE)
        self.len = torch.tensor(a["n"], device=DEVICE).long()

    def batch(self, idx: np.ndarray):
        i = torch.tensor(idx, device=DEVICE)
        n = self.len[i]
        at = torch.arange(-(-int(self.n[idx].max()) // 8) * 8, device=DEVICE)
        mask = at < n[:, None]
        ids = self.ids[(self.start[i][:, None] + at).clamp(max=len(self.ids) - 1)].long().masked_fill(~mask, 0)
        if self.mpnet:  # its vocabulary is BERT's after four marks of its own
            ids = torch.where(ids == 101, 0, torch.where(ids == 102, 2, torch.where(ids >= 30522, 3, ids + 4))).masked_fill(~mask, 1)
        return ids, ((at >= self.split[i][:, None]) & mask).long(), mask.long()


def batches(n: np.ndarray, which: np.ndarray, budget: int, rng: random.Random | None) -> list[np.ndarray]:
    """Pairs of like length together, up to `budget` word pieces, in random order."""
    noise = np.random.default_rng(rng.randrange(2**32)).random(len(which)) * 12 if rng else np.zeros(len(which))
    order = which[np.argsort(n[which] + noise, kind="stable")]
    out, lo, longest = [], 0, 0
    for hi, i in enumerate(order):
        longest = max(longest, n[i])
        if (hi + 1 - lo) * longest > budget and hi > lo:
            out.append(order[lo:hi])
            lo, longest = hi, n[i]
    out.append(order[lo:])
    if rng:
        rng.shuffle(out)
    return out


def logits(net: M.Judge, pairs: Pairs, which: np.ndarray, exact: bool = False) -> np.ndarray:
    net.eval()
    out = np.full((len(pairs.n), 3), np.nan, np.float32)
    with torch.no_grad(), torch.autocast(DEVICE, dtype=torch.bfloat16, enabled=not exact):
        for idx in batches(pairs.n, which, 65536 if exact else 131072, None):
            out[idx] = net(*pairs.batch(idx)).float().cpu().numpy()
    return out


def losses(z, y, w, soft, a):
    """Cross entropy that accepts two-way labels (3) and none (-1), and the divergence from the teacher where it has spoken."""
    lp = F.log_softmax(z, -1)
    two = torch.logsumexp(lp[:, 1:], -1)
    hard = torch.where(y == 3, -two, -lp.gather(1, y.clamp(0, 2).unsqueeze(1)).squeeze(1))
    hard = (1 - a.smooth) * hard - a.smooth * lp.mean(-1)
    has = ~torch.isnan(soft[:, 0])
    t = a.temperature
    kl = F.kl_div(F.log_softmax(z / t, -1), F.softmax(torch.nan_to_num(soft) / t, -1), reduction="none").sum(-1) * t * t
    share = torch.where(has, torch.where(y < 0, 1.0, a.alpha), 0.0)
    keep = ((y >= 0) | has).float()
    return (w * keep * ((1 - share) * hard + share * kl)).sum() / (w * keep).sum().clamp(min=1e-6)


def select(pool, sets: list[str], a) -> np.ndarray:
    """The pairs this run may learn from."""
    drop = np.array([s in a.drop for s in sets])[pool["set"]]
    if a.english:
        drop |= pool["kind"] == P.SWITCHED
    if not a.teacher:
        drop |= pool["label"] < 0
    return np.flatnonzero(~drop)


def compiled(net: M.Judge, on: bool) -> None:
    for layer in net.layer:
        layer._compiled_call_impl = None
        if on:
            layer.compile(dynamic=True)


def train(net, pairs, pool, which, soft, a) -> None:
    rng = random.Random(a.seed)
    y_all = torch.tensor(pool["label"], device=DEVICE).long()
    w_all = torch.tensor(pool["weight"], device=DEVICE)
    soft = torch.tensor(soft, device=DEVICE)
    if net.mpnet:
        net.relative.requires_grad_(False)  # its gradient is the dearest part of a step
    plain = [p for k, p in net.named_parameters() if p.requires_grad and p.ndim == 1]
    heavy = [p for k, p in net.named_parameters() if p.requires_grad and p.ndim > 1]
    opt = torch.optim.AdamW([{"params": heavy, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}], lr=a.lr, betas=(0.9, 0.98), fused=DEVICE == "cuda")
    total, step, run, begin, tokens = None, 0, 0.0, time.time(), 0
    epochs = [batches(pairs.n, which, a.batch, rng) for _ in range(int(np.ceil(a.epochs)))]
    plan = [b for e in epochs for b in e][: int(len(epochs[0]) * a.epochs)] if epochs else []
    total = len(plan)
    net.train()
    for idx in plan:
        done = max(step / total, (time.time() - begin) / (a.minutes * 60))
        if done >= 1:
            break
        if a.qat and done > 1 - a.qat and not net.quant:
            net.quantised(True)
        for g in opt.param_groups:
            g["lr"] = a.lr * min(1, (step + 1) / (0.06 * total)) * max(0.0, 1 - done)
        i = torch.tensor(idx, device=DEVICE)
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            z = net(*pairs.batch(idx))
        loss = losses(z, y_all[i], w_all[i], soft[i], a)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        step += 1
        tokens += int(pairs.n[idx].sum())
        if step % 100 == 0 or step < 3:
            run = loss.item()
            print(f"{a.out.name} step {step}/{total} loss {run:.3f} {tokens / (time.time() - begin) / 1000:.0f}k tokens/s {time.time() - begin:.0f} s", flush=True)
    net.quantised(False)
    print(a.out.name, "trained", step, "of", total, "steps in", round(time.time() - begin), "s", flush=True)


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--pool", type=Path, required=True)
    ap.add_argument("--base", type=Path, required=True)
    ap.add_argument("--out", type=Path, required=True, help="path without suffix: .safetensors, .scores.npz")
    ap.add_argument("--teacher", type=Path, nargs="*", help="teachers' logits over the pool, averaged")
    ap.add_argument("--label", type=Path, help="write this model's logits over the pool here")
    ap.add_argument("--epochs", type=float, default=1.0)
    ap.add_argument("--minutes", type=float, default=8.0, help="the schedule ends here at the latest")
    ap.add_argument("--lr", type=float, default=1e-4)
    ap.add_argument("--batch", type=int, default=32768, help="word pieces a step")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--alpha", type=float, default=0.6, help="weight of the teacher against the label")
    ap.add_argument("--temperature", type=float, default=1.5)
    ap.add_argument("--smooth", type=float, default=0.03)
    ap.add_argument("--qat", type=float, default=0.0, help="share of the schedule, at its end, with int8 arithmetic simulated")
    ap.add_argument("--english", action="store_true", help="no Arabic at all")
    ap.add_argument("--drop", nargs="*", default=[], help="sets to leave out")
    ap.add_argument("--eager", action="store_true", help="no compiled layers")
    ap.add_argument("--parts", nargs="*", default=["val", "cal", "dev"])
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    info = json.loads((a.pool / "info.json").read_text())
    pool = dict(np.load(a.pool / "pool.npz"))
    net = M.load(a.base).to(DEVICE)
    pairs = Pairs(a.pool / "pool.npz", net.mpnet)
    soft = np.full((len(pool["n"]), 3), np.nan, np.float32)
    if a.teacher:
        said = [np.load(path) for path in a.teacher]
        assert all(str(t["digest"]) == info["digest"] for t in said), "labels of another pool"
        soft = np.mean([t["logits"].astype(np.float32) for t in said], 0)
        soft = np.where(pool["source"][:, None] >= 0, soft[pool["source"]], soft)
    which = select(pool, info["sets"], a)
    print(a.out.name, len(which), "pairs", int(pool["n"][which].sum()), "tokens", flush=True)
    compiled(net, not a.eager and DEVICE == "cuda")
    train(net, pairs, pool, which, soft, a)
    config = {k: str(v) for k, v in sorted(vars(a).items()) if k not in ("out", "pool", "label", "minutes", "parts", "eager")} | {"pool": info["digest"]}
    learned = sorted({info["sets"][k] for k in np.unique(pool["set"][which])})
    if not net.mpnet:
        M.save(net, Path(f"{a.out}.safetensors"), M.META | {"trained_on": ",".join(learned), "seed": str(a.seed), "created_by": "training/train.py " + hashlib.sha256(json.dumps(config).encode()).hexdigest()[:16]})
    if a.label:
        english = np.flatnonzero(pool["kind"] != P.SWITCHED)
        np.savez(a.label, logits=logits(net, pairs, english).astype(np.float16), digest=info["digest"])
        print(a.out.name, "labelled", len(english), flush=True)
    out = {}
    compiled(net, False)
    for part in a.parts:
        some = Pairs(a.pool / f"{part}.npz", net.mpnet)
        every = np.arange(len(some.n))
        out[part] = logits(net, some, every).astype(np.float16)
        if not net.mpnet:
            torch.backends.cuda.matmul.allow_tf32 = False
            out[part + "_int8"] = logits(net.quantised(True), some, every, exact=True).astype(np.float16)
            net.quantised(False)
        print(a.out.name, part, "scored", flush=True)
    np.savez(f"{a.out}.scores.npz", **out)
    for key in out:
        evaluate.report(a.out.name + " " + key, a.pool, key.split("_")[0], out[key].astype(np.float32))


if __name__ == "__main__":
    main()
