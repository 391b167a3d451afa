"""Trains the deep judge's adapter, or scores packs with it.

    python train.py train WORK MIXTURE.jsonl.gz OUT --minutes 12 [--measure FILES.jsonl.gz …]
    python train.py score WORK ADAPTER FILES.jsonl.gz … --out OUT

A line of a mixture is a pack: {"p": passage, "c": [{"t": claim, "x": context?, "y": labels as bits, "w": weight?}, …]};
a context with "m" beside it misleads and is for the fast judge alone (contexts.py). The bits are 1 supported, 2 partly
supported, 4 contradicted, 8 not mentioned, so a two-way label has several. Scores are written
as {"f": file, "i": line, "z": [[four logits], …]}.
"""
import argparse
import gzip
import json
import math
import os
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import qwen  # noqa: E402

PROMPTS = None
TEACH, READ = 512, 900  # tokens of a passage while training, while scoring


def start(work):
    global PROMPTS
    PROMPTS = qwen.Prompts(work)
    os.environ["TOKENIZERS_PARALLELISM"] = "false"


def encode(task):
    pack, most = task
    claims = pack["c"]
    passage = PROMPTS.passage(pack["p"], " ".join(c["t"] for c in claims[:1]), most)
    return passage, [PROMPTS.asked(c["t"], None if c.get("m") else c.get("x")) for c in claims]


def read(path):
    with gzip.open(path, "rt", encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def encode_all(work, packs, most):
    with ProcessPoolExecutor(14, initializer=start, initargs=(work,)) as pool:
        return list(pool.map(encode, [(p, most) for p in packs], chunksize=128))


def size(e):
    return len(e[0]) + sum(map(len, e[1]))


def batches(encoded, budget, rng):
    """Packs of like size together, up to `budget` tokens with their padding."""
    order = list(range(len(encoded)))
    if rng:
        rng.shuffle(order)
        runs = [sorted(order[i : i + 2048], key=lambda i: size(encoded[i])) for i in range(0, len(order), 2048)]
    else:
        runs = [sorted(order, key=lambda i: size(encoded[i]))]
    out = []
    for run in runs:
        some = []
        for i in run:
            if some and (len(some) + 1) * size(encoded[i]) > budget:
                out.append(some)
                some = []
            some.append(i)
        out.append(some)
    if rng:
        rng.shuffle(out)
    return out


def losses(z, y):
    """Cross entropy against a set of labels."""
    said = torch.log_softmax(z, -1)
    bits = (y[:, None] >> torch.arange(qwen.OUTPUTS, device=y.device)) & 1
    return -torch.logsumexp(said.masked_fill(bits == 0, -1e4), -1)


@torch.no_grad()
def score(judge, encoded, budget=65536):
    judge.eval()
    out = [None] * len(encoded)
    for some in batches(encoded, budget, None):
        with torch.autocast("cuda", torch.bfloat16):
            z = judge([encoded[i] for i in some]).float().cpu().numpy()
        n = 0
        for i in some:
            k = len(encoded[i][1])
            out[i] = z[n : n + k]
            n += k
    return out


def auc(y, p):
    y, p = np.asarray(y, bool), np.asarray(p)
    if not y.any() or y.all():
        return float("nan")
    order = np.argsort(p, kind="mergesort")
    rank = np.empty(len(p))
    rank[order] = np.arange(1, len(p) + 1)
    return float((rank[y].sum() - y.sum() * (y.sum() + 1) / 2) / (y.sum() * (~y).sum()))


def measure(judge, work, path, file=None):
    """Support and contradiction over one file, by set where its packs name one."""
    packs = read(path)
    z = score(judge, encode_all(work, packs, READ))
    if file:
        for i, rows in enumerate(z):
            file.write(json.dumps({"f": os.path.basename(path), "i": i, "z": [[round(float(v), 3) for v in r] for r in rows]}) + "\n")
    sets = {}
    for p, rows in zip(packs, z):
        for c, r in zip(p["c"], rows):
            if "y" in c:
                sets.setdefault(p.get("s", "all"), []).append((c["y"], r))
    for name, rows in sorted(sets.items()):
        y, r = np.array([a for a, _ in rows]), np.stack([b for _, b in rows])
        q = np.exp(r - r.max(1, keepdims=True))
        q /= q.sum(1, keepdims=True)
        sup = y == 1
        hit = lambda t, s: 50 * (t[s].mean() + (~t[~s]).mean()) if s.any() and (~s).any() else float("nan")
        four = (1 << q.argmax(1) & y > 0).mean() * 100
        told = (y == 4) | ((y & 4) == 0)
        print(f"{os.path.basename(path)} {name:24} n {len(y):5} support bal {hit(q[:, 0] > .5, sup):5.1f} AUC {auc(sup, q[:, 0]):.3f}  contradiction AUC {auc(y[told] == 4, q[told, 2]):.3f} bal {hit(q[told, 2] > .5, y[told] == 4):5.1f}  label held {four:5.1f}", flush=True)


def train(a):
    packs = read(a.mixture)
    began = time.time()
    encoded = encode_all(a.work, packs, TEACH)
    print("packs", len(packs), "claims", sum(len(p["c"]) for p in packs), "tokens", sum(map(size, encoded)), f"{time.time() - began:.0f} s", flush=True)
    judge = qwen.load(a.work, "cuda", a.rank)
    if a.start:
        qwen.attach(judge, a.start)
    print("loaded", f"{time.time() - began:.0f} s", flush=True)
    rng = random.Random(a.seed)
    plan = batches(encoded, a.batch, rng)
    adapter = [p for n, p in judge.named_parameters() if n.endswith((".a", ".b"))]
    opt = torch.optim.AdamW([{"params": adapter, "lr": a.lr}, {"params": judge.head.parameters(), "lr": 5 * a.lr}], weight_decay=0.01, betas=(0.9, 0.98), fused=True)
    first = [g["lr"] for g in opt.param_groups]
    judge.train()
    began, run, tokens, lost = time.time(), None, 0, 0
    for step, some in enumerate(plan):
        done = max((time.time() - began) / (60 * a.minutes), step / len(plan))
        if done >= 1:
            break
        rate = min(1, (step + 1) / 60) * max(0.5 * (1 + math.cos(math.pi * done)), 0.02)
        for g, lr in zip(opt.param_groups, first):
            g["lr"] = lr * rate
        claims = [c for i in some for c in packs[i]["c"]]
        y = torch.tensor([c["y"] for c in claims], device="cuda")
        w = torch.tensor([c.get("w", 1.0) for c in claims], device="cuda")
        with torch.autocast("cuda", torch.bfloat16):
            z = judge([encoded[i] for i in some])
        loss = (losses(z, y) * w).sum() / w.sum()
        loss.backward()
        size_of = torch.nn.utils.clip_grad_norm_(adapter, 1.0)
        if torch.isfinite(size_of):
            opt.step()
        else:
            lost += 1
            assert lost < 20, "gradients are not finite"
        opt.zero_grad(set_to_none=True)
        tokens += sum(size(encoded[i]) for i in some)
        if step % 25 == 0:
            run = loss.item() if run is None else 0.8 * run + 0.2 * loss.item()
            print(f"step {step}/{len(plan)} loss {run:.3f} {tokens / (time.time() - began) / 1000:.0f}k tokens/s {time.time() - began:.0f} s", flush=True)
        if step and step % 1500 == 0:
            os.makedirs(a.out, exist_ok=True)
            qwen.save(judge, a.out)
    os.makedirs(a.out, exist_ok=True)
    qwen.save(judge, a.out)
    print("trained", step, "of", len(plan), f"{time.time() - began:.0f} s", flush=True)
    with gzip.open(a.out + "/scores.jsonl.gz", "wt") as f:
        for path in a.measure:
            measure(judge, a.work, path, f)
    open(a.out + "/done", "w").write("done")


def judged(a):
    judge = qwen.load(a.work, "cuda", a.rank)
    qwen.attach(judge, a.adapter)
    if a.merged:
        qwen.merge(judge)
    with gzip.open(a.out, "wt") as f:
        for path in a.files:
            measure(judge, a.work, path, f)


if __name__ == "__main__":
    top = argparse.ArgumentParser()
    sub = top.add_subparsers(dest="do", required=True)
    p = sub.add_parser("train")
    p.add_argument("work")
    p.add_argument("mixture")
    p.add_argument("out")
    p.add_argument("--minutes", type=float, default=12)
    p.add_argument("--lr", type=float, default=2e-4)
    p.add_argument("--batch", type=int, default=24576, help="tokens a step")
    p.add_argument("--rank", type=int, default=16)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--start", help="an adapter to go on from")
    p.add_argument("--measure", nargs="*", default=[])
    p = sub.add_parser("score")
    p.add_argument("work")
    p.add_argument("adapter")
    p.add_argument("files", nargs="+")
    p.add_argument("--out", required=True)
    p.add_argument("--rank", type=int, default=16)
    p.add_argument("--merged", action="store_true", help="the adapter in the weights: quicker, and a little less exact")
    a = top.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cuda.enable_cudnn_sdp(False)  # its backward pass under a mask gave gradients that are not numbers
    {"train": train, "score": judged}[a.do](a)
