"""Makes the fast judge: its pool of pairs, its training from the deep judge's opinions, and the scores to measure it by.

    python fast.py base --mpnet all-mpnet-base-v2 --vocab VOCAB --rows GTE.safetensors JUDGE.safetensors --out BASE.safetensors
    python fast.py made --passages PASSAGES.jsonl.gz --out MADE.jsonl.gz
    python fast.py beside --claims CLAIMS.jsonl.gz … --out BESIDE.jsonl.gz
    python fast.py spoilt --claims CLAIMS.jsonl.gz … --out SPOILT.jsonl.gz
    python fast.py pool --vocab VOCAB --packs MIXTURE.jsonl.gz MADE.jsonl.gz … --out POOL.jsonl.gz
    python deep/train.py score WORK ADAPTER POOL.jsonl.gz --out OPINIONS.jsonl.gz
    python fast.py train --vocab VOCAB --base BASE.safetensors --pool POOL.jsonl.gz … --opinions OPINIONS.jsonl.gz … --out OUT --measure FILES.jsonl.gz …

A pool has packs in the format of deep/train.py whose passages fit the fast judge, so that both judges read the same words.
near.py makes pools with contexts and near passages.
"""
import argparse
import functools
import gzip
import json
import math
import random
import re
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

import edits
import text as T

PASSAGE, CLAIM, CONTEXT = 256, 96, 64  # word pieces
PACK = 12  # claims
WARM_UP, AVERAGE_EVERY = 300, 10  # steps
MAX_AVERAGE_WEIGHT = 0.01
LABEL_NOT_MENTIONED = 8
LINE = re.compile(r"(?<=[.!?؟؛])[\"')\]]*\s+|\n+")


def read(path):
    with gzip.open(path, "rt", encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def write(path, packs):
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=3) as f:
        for p in packs:
            f.write(json.dumps(p, ensure_ascii=False) + "\n")


def split(packs: dict[str, dict]) -> list[dict]:
    """Packs of a few claims each, from the claims of each passage."""
    return [{"p": p, "c": list(c.values())[i : i + PACK]} for p, c in packs.items() for i in range(0, len(c), PACK)]


@functools.lru_cache(4096)
def pieces(tok, passage: str) -> int:
    return len(T.encode(tok, passage))


def fitting(tok, passage: str, claim: str, rng: random.Random, most: int = PASSAGE) -> str:
    """The passage, or of a long one its first line and the sentences that the judge would show for the claim."""
    if pieces(tok, passage) <= most:
        return passage
    first, _, rest = passage.partition("\n")
    if not rest or len(first) > 200:
        first, rest = "", passage
    parts = [p for p in LINE.split(rest) if p and p.strip()]
    ids = [T.encode(tok, p)[:128] for p in parts]
    room = most - (len(T.encode(tok, first)) if first else 0)
    share = T.scores(ids, T.encode(tok, claim))
    if rng.random() < 0.5:
        best = max(range(len(ids)), key=lambda i: share[i])
        kept = T.contiguous(ids, share, best, room)
    else:
        kept = T.composed(ids, share, room)
    return "\n".join(([first] if first else []) + [parts[i] for i in kept])


def base(a):
    """MPNet with our vocabulary, some of its layers left out. Its English rows are found by their piece; those of Arabic
    pieces are mapped from encoders that have both, by ridge regression over the English pieces."""
    from safetensors.numpy import load_file, save_file

    import bases
    import layout

    state = bases.mpnet(str(a.mpnet / "model.safetensors"))
    theirs = {p: i for i, p in enumerate((a.mpnet / "vocab.txt").read_text(encoding="utf-8").split("\n")[:-1])}
    theirs |= {"[CLS]": theirs["<s>"], "[SEP]": theirs["</s>"], "[PAD]": theirs["<pad>"]}
    ours = a.vocab.read_text(encoding="utf-8").split("\n")[:-1]
    known = np.array([theirs.get(p, -1) for p in ours])
    files = [load_file(p) for p in a.rows]
    wide = [f["embeddings.word"].astype(np.float32) * f["embeddings.word.scale"][:, None] for f in files]
    x = np.concatenate([w / w.std() for w in wide] + [np.ones((len(ours), 1), np.float32)], 1)
    seen = [i for i in np.flatnonzero(known >= 0) if ours[i].strip("#").isalpha()]
    y = state["word.weight"][known[seen]]
    map_ = np.linalg.solve(x[seen].T @ x[seen] + 30 * np.eye(x.shape[1]), x[seen].T @ y).astype(np.float32)
    rows = x @ map_
    rows *= np.linalg.norm(y, axis=1).mean() / np.linalg.norm(rows, axis=1, keepdims=True)
    state["word.weight"] = np.where((known >= 0)[:, None], state["word.weight"][known], rows)
    kept = [n for n in range(12) if n not in a.without]
    for n in range(12):
        for key in [k for k in state if k.startswith(f"layer.{n}.")]:
            value = state.pop(key)
            if n in kept:
                state[key.replace(f"layer.{n}.", f"kept.{kept.index(n)}.")] = value
    state = {k.replace("kept.", "layer."): v for k, v in state.items()}
    save_file(layout.pack(state), a.out, {"hidden": "768", "layers": str(len(kept)), "heads": "12", "kind": "mpnet"})
    print("base", len(kept), "layers", (known >= 0).sum(), "rows of its own", (known < 0).sum(), "mapped", flush=True)


def made(a):
    """Claims by rule about passages `{"p": text}`: a sentence of it, two that are spoilt, one of another passage. The deep
    judge labels them."""
    rng = random.Random(a.seed)
    passages = [r["p"] for r in read(a.passages)]
    said = [[s.strip(" -•*") for s in LINE.split(p) if s and 40 < len(s) < 260] for p in passages]
    with gzip.open(a.out, "wt", encoding="utf-8", compresslevel=3) as f:
        for n, (p, own) in enumerate(zip(passages, said)):
            far = rng.choice(said)
            claims = rng.sample(own, min(1, len(own))) + (rng.sample(far, 1) if far and far is not own else [])
            for s in rng.sample(own, min(2, len(own))):
                spoilt = edits.spoil(s, p, rng)
                claims += [spoilt[0]] if spoilt else []
            if claims:
                f.write(json.dumps({"p": p, "c": [{"t": c, "w": 0.5} for c in dict.fromkeys(claims)]}, ensure_ascii=False) + "\n")


def beside(a):
    """Packs of the claims that deep/writer.py wrote: with the claims about other passages of the same document that share most
    words with this one, as a search would bring them together, and a line of the passage by itself, as the judge reads them.
    The deep judge labels them."""
    rng = random.Random(a.seed)
    rows = [r for path in a.claims for r in read(path) if r["c"]]
    words = lambda t: {w for w in re.findall(r"\w+", T.fold(t)) if len(w) > 2}
    near: dict[str, list] = {}
    for r in rows:
        near.setdefault(r["d"], []).append(r)
    for d in near.values():
        for r in d:
            r["words"] = words(r["p"])
            for c in r["c"]:
                c["words"] = words(c["t"])
    rare = {}
    for r in rows:
        for w in r["words"]:
            rare[w] = rare.get(w, 0) + 1
    rare = {w: math.log(1 + len(rows) / n) for w, n in rare.items()}
    weigh = lambda some: sum(rare.get(w, 6.0) for w in some)
    with gzip.open(a.out, "wt", encoding="utf-8", compresslevel=3) as f:
        put = lambda pack: f.write(json.dumps(pack, ensure_ascii=False) + "\n")
        for r in rows:
            others = [o for o in near[r["d"]] if o is not r] or rng.sample(rows, 8)
            far = [c for o in rng.sample(others, min(40, len(others))) for c in o["c"]]
            far = sorted(far, key=lambda c: -weigh(c["words"] & r["words"]) / (weigh(c["words"]) + 8))
            strange = [{"t": c["t"]} for c in far[: a.near] + far[a.near :][-1:]]
            own = [{"t": c["t"], "g": c["g"]} for c in r["c"]]
            put({"p": r["p"], "c": strange if a.alone else own + strange})
            first, _, rest = r["p"].partition("\n")
            lines = [line.strip() for line in LINE.split(rest) if line and len(line.strip()) > 25]
            if not a.alone and len(lines) > 1 and rng.random() < a.lines:
                put({"p": f"{first}\n{rng.choice(lines)}", "c": [{"t": c["t"]} for c in rng.sample(own, min(4, len(own)))]})


def spoilt(a):
    """Packs of the claims that deep/writer.py wrote with a value, a name or a duty changed, so that a paraphrase has a wrong twin.
    The deep judge labels them."""
    rng = random.Random(a.seed)
    with gzip.open(a.out, "wt", encoding="utf-8", compresslevel=3) as f:
        for r in (r for path in a.claims for r in read(path)):
            changed = [edits.spoil(c["t"], r["p"], rng) for c in r["c"] if c["g"] != LABEL_NOT_MENTIONED]
            claims = list(dict.fromkeys(c[0] for c in changed if c))
            if claims:
                f.write(json.dumps({"p": r["p"], "c": [{"t": c} for c in claims]}, ensure_ascii=False) + "\n")


def consistent(a):
    """Packs for the deep judge to go on with: claims whose writer and judge agree, the more so where the judge was not sure;
    and a few that it is sure the writer got wrong."""
    opinions, kept = {o["i"]: o["z"] for o in read(a.opinions)}, 0
    with gzip.open(a.out, "wt", encoding="utf-8", compresslevel=3) as f:
        for i, pack in enumerate(read(a.pool)):
            claims = []
            for c, z in zip(pack["c"], opinions.get(i, [])):
                if "g" not in c:
                    continue
                odds = np.exp(np.array(z) - max(z))
                odds /= odds.sum()
                meant, best = odds[c["g"].bit_length() - 1], int(odds.argmax())
                if meant >= 0.25:
                    claims.append({"t": c["t"], "y": c["g"], "w": 0.6 if meant < 0.7 else 0.3})
                elif odds[best] > 0.95 and best in (0, 2):
                    claims.append({"t": c["t"], "y": 1 << best, "w": 0.2})
            if claims:
                kept += len(claims)
                f.write(json.dumps({"p": pack["p"], "c": claims}, ensure_ascii=False) + "\n")
    print("consistent", kept, "claims", flush=True)


def fitted(task):
    """The claims of some packs, each with the passage that it is read with."""
    vocab, packs, seed, most = task
    tok, rng, out = T.tokenizer(vocab), random.Random(seed), []
    for p in packs:
        for c in p["c"]:
            shown = fitting(tok, p["p"], c["t"], rng, rng.choice(most))
            out.append((shown, {k: v for k, v in c.items() if k != "y" or shown == p["p"]}))
    return out


def pool(a):
    packs: dict[str, dict[str, dict]] = {}
    read_all = [p for path in a.packs for p in read(path)]
    tasks = [(a.vocab, read_all[i : i + 2000], a.seed + i, a.most) for i in range(0, len(read_all), 2000)]
    with ProcessPoolExecutor() as workers:
        for shown, c in (one for some in workers.map(fitted, tasks) for one in some):
            if a.opinions or "y" in c:
                packs.setdefault(shown, {}).setdefault(c["t"], c)
    out = split(packs)
    write(a.out, out)
    print("pool", len(out), "packs", sum(len(p["c"]) for p in out), "claims", flush=True)


class Pairs:
    """Pairs as padded batches of word pieces: `[CLS] passage [SEP] claim [SEP] context [SEP]`."""

    def __init__(self, tok, packs):
        passages = [e.ids[:PASSAGE] for e in tok.encode_batch([T.fold(p["p"]) for p in packs], add_special_tokens=False)]
        claims = [(n, c) for n, p in enumerate(packs) for c in p["c"]]
        ids = tok.encode_batch([T.fold(c["t"]) for _, c in claims], add_special_tokens=False)
        around = tok.encode_batch([T.fold(c.get("x", "")) for _, c in claims], add_special_tokens=False)
        self.rows, self.split = [], []
        for (n, c), claim, context in zip(claims, ids, around):
            before = context.ids[:CONTEXT] + [T.SEP] if c.get("x") else []
            self.rows.append(np.array([T.CLS, *passages[n], T.SEP, *claim.ids[:CLAIM], T.SEP, *before], np.int32))
            self.split.append(len(passages[n]) + 2)
        self.n = np.array([len(r) for r in self.rows])
        self.y = np.array([c.get("y", 0) for _, c in claims])
        self.w = np.array([c.get("w", 1.0) for _, c in claims], np.float32)
        self.sets = [packs[n].get("s", "all") for n, _ in claims]

    def to(self, device):
        """Moves the word pieces to the device, so that a batch is gathered there."""
        import torch

        self.flat = torch.from_numpy(np.concatenate(self.rows)).to(device)
        self.at = torch.from_numpy(np.concatenate([[0], np.cumsum(self.n)[:-1]])).to(device)
        self.second = torch.tensor(self.split, device=device)
        self.rows = None
        return self

    def batch(self, which, length):
        """The pairs `which` (on the device), all of one length."""
        import torch

        place = torch.arange(length, device=which.device)
        return self.flat[self.at[which, None] + place].long(), (place >= self.second[which, None]).long(), None


def batches(n, budget, rng):
    """Pairs of one length together, so that no batch has padding; the last of a length may be small."""
    order = rng.permutation(len(n))
    order = order[np.argsort(n[order], kind="stable")]
    out = []
    for same in np.split(order, np.flatnonzero(np.diff(n[order])) + 1):
        size = max(8, budget // int(n[same[0]]) // 8 * 8)
        out += [same[i : i + size] for i in range(0, len(same), size)]
    rng.shuffle(out)
    return out


class Average:
    """The average of the weights since the start, from every tenth step. After a thousand steps each counts the same; before, the
    latest counts one hundredth, so that the average leaves the first weights slowly."""

    def __init__(self, net):
        self.live = list(net.parameters())
        self.mean = [p.detach().clone() for p in self.live]

    def add(self, step: int) -> None:
        import torch

        weight = min(MAX_AVERAGE_WEIGHT, AVERAGE_EVERY / (step + AVERAGE_EVERY)) if step else 1.0
        with torch.no_grad():
            torch._foreach_lerp_(self.mean, self.live, weight)

    def save(self, net, path: Path) -> None:
        """Saves the average as the weights of `net`, which goes on with its own."""
        import model as M

        own = [p.data for p in self.live]
        for p, mean in zip(self.live, self.mean):
            p.data = mean
        M.save(net, path, M.about(net))
        for p, data in zip(self.live, own):
            p.data = data


def pools(a, tok):
    """The pairs of all pools, and the deep judge's logits, which are not numbers where a pair has its label alone."""
    packs, said = [], []
    for path, told in zip(a.pool, a.opinions, strict=True):
        some, opinions = read(path), {} if told == "-" else {o["i"]: o["z"] for o in read(told)}
        packs += some
        said += [opinions.get(i, [[math.nan] * 4] * len(p["c"])) for i, p in enumerate(some)]
    pairs, soft = Pairs(tok, packs), np.concatenate([np.array(z, np.float32) for z in said])
    assert len(soft) == len(pairs.n) and ((pairs.y > 0) | ~np.isnan(soft[:, 0])).all(), (len(soft), len(pairs.n))
    return pairs, soft


def plan(n, asked, labels: float, budget: int, rng):
    """Batches without end. Of the pairs that have their label alone each pass takes another part, `labels` of them."""
    while True:
        here = np.flatnonzero(asked | (rng.random(len(n)) < labels))
        for b in batches(n[here], budget, rng):
            yield here[b]


def train(a):
    """Teaches the weights `--base` for some minutes. The rate warms up and then falls straight to nothing at the end."""
    import torch
    import torch.nn.functional as F

    import model as M
    from deep import train as D

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(a.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    tok, rng = T.tokenizer(a.vocab), np.random.default_rng(a.seed)
    pairs, soft = pools(a, tok)
    pairs.to(device)
    asked = ~np.isnan(soft[:, 0])
    soft[~asked] = 0
    print("pairs", len(pairs.n), "tokens", int(pairs.n.sum()), flush=True)
    steps = plan(pairs.n, asked, a.labels, a.batch, rng)
    net = M.load(a.base, outputs=4).to(device)
    for layer in net.layer:
        if device == "cuda" and not a.eager:
            layer.compile(dynamic=True)
    y, w, soft, asked = (torch.tensor(x, device=device) for x in (pairs.y, pairs.w, soft, asked))
    heavy = [p for p in net.parameters() if p.ndim > 1]
    plain = [p for p in net.parameters() if p.ndim == 1]
    opt = torch.optim.AdamW([{"params": heavy, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}], lr=a.lr, betas=(0.9, 0.98), fused=device == "cuda")
    average, unsaved = Average(net), True
    net.train()
    began, tokens = time.time(), 0
    for step, which in enumerate(steps):
        done = (time.time() - began) / (60 * a.minutes)
        if done >= 1:
            break
        for g in opt.param_groups:
            g["lr"] = a.lr * min(1, (step + 1) / WARM_UP) * max(0.01, 1 - done)
        i = torch.from_numpy(which).to(device, non_blocking=True)
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            z = net(*pairs.batch(i, int(pairs.n[which[0]]))).float()
        hard = torch.where(y[i] > 0, D.losses(z, y[i]), 0.0)
        t = a.temperature
        taught = F.kl_div(F.log_softmax(z / t, -1), F.softmax(soft[i] / t, -1), reduction="none").sum(-1) * t * t
        share = torch.where(y[i] > 0, a.alpha, 1.0) * asked[i]
        # Lengths with few pairs make small batches, which must not count as much as whole ones.
        loss = (w[i] * ((1 - share) * hard + share * taught)).sum() / (w[i].sum() if len(which) > 64 else 64)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        tokens += int(pairs.n[which].sum())
        if step % AVERAGE_EVERY == 0:
            average.add(step)
        if unsaved and done >= a.average_at:
            average.save(net, Path(f"{a.out}.average.safetensors"))
            unsaved = False
            print(f"average saved at step {step} {time.time() - began:.0f} s", flush=True)
        if step % 200 == 0:
            print(f"step {step} loss {loss.item():.3f} {tokens / (time.time() - began) / 1000:.0f}k tokens/s {time.time() - began:.0f} s", flush=True)
    print("trained", step, "steps", f"{time.time() - began:.0f} s", flush=True)
    M.save(net, Path(f"{a.out}.safetensors"), M.about(net))
    net.eval()
    for layer in net.layer:
        layer._compiled_call_impl = None
    with gzip.open(f"{a.out}.scores.jsonl.gz", "wt") as f:
        for path in a.measure:
            measure(net, tok, path, f, device)


def measure(net, tok, path, file, device):
    """Scores a file of packs, long passages cut as the judge would, and prints its figures by set."""
    import torch

    from deep import train as D

    rng = random.Random(0)
    packs = [{"p": fitting(tok, p["p"], c["t"], rng), "c": [c], "s": p.get("s", "all")} for p in read(path) for c in p["c"]]
    pairs = Pairs(tok, packs).to(device)
    z = np.zeros((len(pairs.n), 4), np.float32)
    with torch.no_grad(), torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
        for which in batches(pairs.n, 49152, np.random.default_rng(0)):
            z[which] = net(*pairs.batch(torch.from_numpy(which).to(device), int(pairs.n[which[0]]))).float().cpu().numpy()
    for k, row in enumerate(z):
        file.write(json.dumps({"f": Path(path).name, "i": k, "z": [round(float(v), 3) for v in row]}) + "\n")
    q = np.exp(z - z.max(1, keepdims=True))
    q /= q.sum(1, keepdims=True)
    for name in sorted(set(pairs.sets)):
        here = np.array([s == name for s in pairs.sets]) & (pairs.y > 0)
        if not here.any():
            continue
        y, p = pairs.y[here], q[here]
        told = (y == 4) | ((y & 4) == 0)
        balance = lambda t, s: 50 * (t[s].mean() + (~t[~s]).mean()) if s.any() and (~s).any() else math.nan
        print(f"{Path(path).name} {name:24} n {len(y):5} support bal {balance(p[:, 0] > .5, y == 1):5.1f} AUC {D.auc(y == 1, p[:, 0]):.3f}  contradiction AUC {D.auc(y[told] == 4, p[told, 2]):.3f} label held {100 * ((1 << p.argmax(1)) & y > 0).mean():5.1f}", flush=True)


def main():
    top = argparse.ArgumentParser()
    sub = top.add_subparsers(dest="do", required=True)
    p = sub.add_parser("base")
    p.add_argument("--mpnet", type=Path, required=True)
    p.add_argument("--vocab", type=Path, required=True)
    p.add_argument("--rows", type=Path, nargs="+", required=True)
    p.add_argument("--without", type=int, nargs="*", default=[3, 7, 10])
    p.add_argument("--out", type=Path, required=True)
    p = sub.add_parser("made")
    p.add_argument("--passages", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("--seed", type=int, default=1)
    p = sub.add_parser("beside")
    p.add_argument("--claims", nargs="+", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("--near", type=int, default=3, help="claims of other passages that are as near as any")
    p.add_argument("--alone", action="store_true", help="without the claims of the passage itself")
    p.add_argument("--lines", type=float, default=0.5, help="how many passages are read by a line too")
    p.add_argument("--seed", type=int, default=1)
    p = sub.add_parser("spoilt")
    p.add_argument("--claims", nargs="+", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("--seed", type=int, default=1)
    p = sub.add_parser("consistent")
    p.add_argument("--pool", required=True)
    p.add_argument("--opinions", required=True)
    p.add_argument("--out", required=True)
    p = sub.add_parser("pool")
    p.add_argument("--vocab", type=Path, required=True)
    p.add_argument("--packs", nargs="+", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("--most", type=int, nargs="+", default=[PASSAGE], help="word pieces of a passage; of several numbers, each as often")
    p.add_argument("--opinions", action="store_true", help="the deep judge will be asked, so that claims need no label")
    p.add_argument("--seed", type=int, default=1)
    p = sub.add_parser("train")
    p.add_argument("--vocab", type=Path, required=True)
    p.add_argument("--base", type=Path, required=True)
    p.add_argument("--pool", nargs="+", required=True)
    p.add_argument("--opinions", nargs="+", required=True, help="one for each pool; - for a pool that has labels alone")
    p.add_argument("--out", required=True)
    p.add_argument("--measure", nargs="*", default=[])
    p.add_argument("--minutes", type=float, default=6)
    p.add_argument("--average-at", type=float, default=0.6, help="the share of the time after which the average of the weights is saved")
    p.add_argument("--labels", type=float, default=1.0, help="how many of the pairs that have their label alone are in a pass")
    p.add_argument("--lr", type=float, default=2e-4)
    p.add_argument("--batch", type=int, default=49152, help="word pieces a step")
    p.add_argument("--alpha", type=float, default=0.6, help="weight of the deep judge against the label")
    p.add_argument("--temperature", type=float, default=1.5)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--eager", action="store_true")
    a = top.parse_args()
    {"base": base, "made": made, "beside": beside, "spoilt": spoilt, "consistent": consistent, "pool": pool, "train": train}[a.do](a)


if __name__ == "__main__":
    main()
