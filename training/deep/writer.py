"""Writes claims about passages: learns how from the written pairs, then samples.

    python writer.py train WORK WRITTEN.jsonl.gz OUT --minutes 1.4
    python writer.py sample WORK OUT PASSAGES.jsonl.gz CLAIMS.jsonl.gz --minutes 5

WRITTEN has a pack a line, {"p": passage, "c": [{"t": claim, "k": [label, change, language]}, …]}; `mixture.py --writer` makes it.
A passage to write about is {"p": passage, "l": "en" or "ar", "table": whether it is one}. Each claim is asked for by label,
kind of change and language, so that a sample has the kinds that people wrote. What a claim was meant to be is kept as "g"
(bits, as in train.py); whether it is that, the judge says.
"""
import argparse
import collections
import gzip
import json
import math
import os
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor

import torch
import torch.nn.functional as F

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import qwen  # noqa: E402

END = 151643  # the base's end of text
LABELS = {"supported": 1, "weak": 2, "contradicted": 4, "not_found": 8}
SAID = {"supported": "supported", "weak": "partly supported", "contradicted": "contradicted", "not_found": "not mentioned"}
SHARES = (0.40, 0.14, 0.34, 0.12)  # of the labels, in their order
ACROSS = 0.12  # of the claims are in the other language
MAX_PASSAGE, MAX_NEW = 320, 88  # tokens


def ask(kind) -> str:
    label, change, language = kind
    return f"\n\nClaim, {SAID[label]} ({change.replace('_', ' ')}), in {'Arabic' if language == 'ar' else 'English'}:"


TOK = None


def start(work):
    global TOK
    TOK = qwen.Prompts(work)
    os.environ["TOKENIZERS_PARALLELISM"] = "false"


def encode(pack):
    ids = TOK.before + TOK.tok.encode(pack["p"]).ids[:MAX_PASSAGE]
    claims = []
    for c in pack["c"]:
        before = TOK.tok.encode(ask(c["k"])).ids
        claims.append((before, TOK.tok.encode(" " + c["t"]).ids[:120] + [END] if "t" in c else []))
    return ids, claims


def read(path):
    with gzip.open(path, "rt", encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def encode_all(work, packs):
    with ProcessPoolExecutor(14, initializer=start, initargs=(work,)) as pool:
        return list(pool.map(encode, packs, chunksize=64))


def train(a):
    packs = read(a.written)
    # Claims of a passage in runs of eight, so that a batch has many passages.
    packs = [{"p": p["p"], "c": p["c"][i : i + 8]} for p in packs for i in range(0, len(p["c"]), 8)]
    encoded = encode_all(a.work, packs)
    net = qwen.load(a.work, "cuda", a.rank)
    began, rng = time.time(), random.Random(a.seed)
    adapter = [p for n, p in net.named_parameters() if n.endswith((".a", ".b"))]
    opt = torch.optim.AdamW(adapter, lr=a.lr, weight_decay=0.01, betas=(0.9, 0.98), fused=True)
    size = lambda e: len(e[0]) + sum(len(q) + len(c) for q, c in e[1])
    plan = []
    for _ in range(a.epochs):
        order = sorted(range(len(encoded)), key=lambda i: size(encoded[i]) + rng.random() * 40)
        some, here = [], []
        for i in order:
            if some and (len(some) + 1) * size(encoded[i]) > a.batch:
                here.append(some)
                some = []
            some.append(i)
        here.append(some)
        rng.shuffle(here)
        plan += here
    net.train()
    print("packs", len(packs), "steps", len(plan), flush=True)
    for step, some in enumerate(plan):
        done = max(step / len(plan), (time.time() - began) / (60 * a.minutes))
        if done >= 1:
            break
        for g in opt.param_groups:
            g["lr"] = a.lr * min(1, (step + 1) / 20) * max(0.05, 1 - done)
        rows = [(encoded[i][0], [q + c for q, c in encoded[i][1]]) for i in some]
        ids, at, mask, _, _ = qwen.batch(rows, "cuda")
        wanted = torch.full(ids.shape, -100)
        for r, i in enumerate(some):
            n = len(encoded[i][0])
            for q, c in encoded[i][1]:
                wanted[r, n + len(q) - 1 : n + len(q) + len(c) - 1] = torch.tensor(c)
                n += len(q) + len(c)
        wanted = wanted.cuda()
        told = wanted >= 0
        with torch.autocast("cuda", torch.bfloat16):
            x = net.states(ids, at, mask)[told]
            loss = F.cross_entropy(F.linear(x, net.embed).float(), wanted[told])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(adapter, 1.0)
        opt.step()
        opt.zero_grad(set_to_none=True)
        if step % 20 == 0:
            print(f"step {step}/{len(plan)} loss {loss.item():.3f} {time.time() - began:.0f} s", flush=True)
    os.makedirs(a.out, exist_ok=True)
    qwen.save(net, a.out)
    print("trained", step, "of", len(plan), f"{time.time() - began:.0f} s", flush=True)


def asked(passage, kinds, count, shares, rng):
    """What is asked of one passage: labels in their shares, changes as often as people made them."""
    out = []
    for _ in range(count):
        label = rng.choices(list(LABELS), shares)[0]
        some = kinds["table" if passage.get("table") else "prose"][label]
        change = rng.choices(list(some), list(some.values()))[0]
        other = rng.random() < ACROSS
        out.append([label, change, {"en": "ar", "ar": "en"}[passage["l"]] if other else passage["l"]])
    return out


def kinds_of(packs):
    """How often each change was made, by kind of passage and label; rare ones are left out."""
    kinds = {which: {label: collections.Counter() for label in LABELS} for which in ("table", "prose")}
    for p in packs:
        for c in p["c"]:
            label, change, _ = c["k"]
            kinds["table" if " | " in p["p"] else "prose"][label][change] += 1
    for which in kinds.values():
        for label, some in which.items():
            kept = {k: math.sqrt(n) * math.sqrt(50) if n > 50 else n for k, n in some.items() if n >= 5}
            which[label] = kept or dict(some.most_common(3))
    return kinds


@torch.no_grad()
def written(net, rows, count, temperature, most):
    """Samples `count` claims for each row `(passage ids, [ask ids, …])`; token ids, or nothing where one did not end."""
    device = net.embed.device
    b, p = len(rows), -(-max(len(r[0]) for r in rows) // 16) * 16
    n, wide = b * count, max(len(q) for r in rows for q in r[1])
    slots = -(-(p + wide + most) // 16) * 16
    ids = torch.zeros(b, p, dtype=torch.long)
    for r, (passage, _) in enumerate(rows):
        ids[r, : len(passage)] = torch.tensor(passage)
    length = torch.tensor([len(r[0]) for r in rows], device=device)
    ids = ids.to(device)
    keys = torch.zeros(qwen.LAYERS, n, qwen.GROUPS, slots, qwen.HEAD, dtype=torch.bfloat16, device=device)
    values = torch.zeros_like(keys)
    valid = torch.zeros(n, slots, dtype=torch.bool, device=device)
    valid[:, :p] = (torch.arange(p, device=device)[None] < length[:, None]).repeat_interleave(count, 0)

    def turned(at):
        turn = at[..., None].float() * qwen.THETA ** (-torch.arange(0, qwen.HEAD, 2, device=device).float() / qwen.HEAD)
        return turn.cos()[:, None], turn.sin()[:, None]

    def heads(layer, h, cos, sin, rows, steps):
        q = qwen.rotate(layer["q"](h).view(rows, steps, qwen.HEADS, qwen.HEAD).transpose(1, 2), cos, sin)
        k = qwen.rotate(layer["k"](h).view(rows, steps, qwen.GROUPS, qwen.HEAD).transpose(1, 2), cos, sin)
        return q, k, layer["v"](h).view(rows, steps, qwen.GROUPS, qwen.HEAD).transpose(1, 2)

    share = qwen.HEADS // qwen.GROUPS
    x = F.embedding(ids, net.embed)
    cos, sin = turned(torch.arange(p, device=device)[None].expand(b, p))
    for at, layer in enumerate(net.layers):
        h = qwen.rms(x, layer.attn_norm)
        q, k, v = heads(layer, h, cos, sin, b, p)
        keys[at, :, :, :p] = k.repeat_interleave(count, 0)
        values[at, :, :, :p] = v.repeat_interleave(count, 0)
        y = F.scaled_dot_product_attention(q, k.repeat_interleave(share, 1), v.repeat_interleave(share, 1), is_causal=True)
        x = x + layer["o"](y.transpose(1, 2).reshape(b, p, qwen.HIDDEN))
        h = qwen.rms(x, layer.ffn_norm)
        x = x + layer["down"](qwen.gated(layer["gate"](h), layer["up"](h)))

    def step(ids, at, first, mask):
        """New tokens from slot `first` on; the states of the last of them. `mask`: rows, tokens, slots so far."""
        steps, end = ids.shape[1], -(-(first + ids.shape[1]) // 16) * 16
        x = F.embedding(ids, net.embed)
        cos, sin = turned(at)
        mask = mask[:, None].repeat(1, 1, share, 1) if steps > 1 else mask[:, None].expand(n, 1, share, end)
        bias = torch.zeros(mask.shape, dtype=torch.bfloat16, device=device).masked_fill_(~mask, -1e4)
        for place, layer in enumerate(net.layers):
            h = qwen.rms(x, layer.attn_norm)
            q, k, v = heads(layer, h, cos, sin, n, steps)
            keys[place, :, :, first : first + steps], values[place, :, :, first : first + steps] = k, v
            q = q.reshape(n, qwen.GROUPS, share * steps, qwen.HEAD)
            y = F.scaled_dot_product_attention(q, keys[place, :, :, :end], values[place, :, :, :end], attn_mask=bias)
            y = y.reshape(n, qwen.HEADS, steps, qwen.HEAD)
            x = x + layer["o"](y.transpose(1, 2).reshape(n, steps, qwen.HIDDEN))
            h = qwen.rms(x, layer.ffn_norm)
            x = x + layer["down"](qwen.gated(layer["gate"](h), layer["up"](h)))
        return qwen.rms(x[:, -1], net.norm)

    def chosen(h):
        best, which = F.linear(h, net.embed).float().topk(40, -1)
        return which.gather(1, torch.multinomial(F.softmax(best / temperature, -1), 1))

    # What is asked is laid to the right, so that every row goes on at one slot.
    asks = [q for _, qs in rows for q in qs]
    ids, lead = torch.zeros(n, wide, dtype=torch.long), torch.tensor([wide - len(q) for q in asks], device=device)
    for r, q in enumerate(asks):
        ids[r, wide - len(q) :] = torch.tensor(q)
    order = torch.arange(wide, device=device)
    valid[:, p : p + wide] = order[None] >= lead[:, None]
    base = length.repeat_interleave(count)
    at = (base[:, None] + order[None] - lead[:, None]).clamp(min=0)
    end = -(-(p + wide) // 16) * 16
    place = torch.arange(end, device=device)
    mask = valid[:, None, :end] & (place[None, None] <= p + order[None, :, None])
    mask |= (place[None, None] == p + order[None, :, None])
    h = step(ids.to(device), at, p, mask)
    at = base + torch.tensor([len(q) for q in asks], device=device)
    said = torch.full((n, most), END, device=device)
    ended = torch.zeros(n, dtype=torch.bool, device=device)
    for t in range(most):
        token = chosen(h)
        said[:, t] = torch.where(ended, END, token[:, 0])
        ended |= token[:, 0] == END
        if t + 1 == most or t % 8 == 7 and ended.float().mean() > 0.98:
            break
        slot = p + wide + t
        valid[:, slot] = True
        end = -(-(slot + 1) // 16) * 16
        h = step(token, (at + t)[:, None], slot, valid[:, None, :end])
    out = []
    for row, whole in zip(said.tolist(), ended.tolist()):
        out.append(row[: row.index(END)] if whole else [])
    return out


def sample(a):
    kinds, rng = kinds_of(read(a.written)), random.Random(a.seed)
    torch.manual_seed(a.seed)
    passages = read(a.passages)
    packs = [{"p": p["p"], "c": [{"k": k} for k in asked(p, kinds, a.count, a.shares, rng)]} for p in passages]
    encoded = encode_all(a.work, packs)
    net = qwen.load(a.work, "cuda", a.rank).eval()
    qwen.attach(net, a.adapter)
    qwen.merge(net)
    start(a.work)
    # Like lengths together, then the batches in a random order: a run that is cut short is still a fair sample.
    order = sorted(range(len(packs)), key=lambda i: (passages[i]["l"], len(encoded[i][0]) // 48, rng.random()))
    batches = [order[i : i + a.rows] for i in range(0, len(order), a.rows)]
    rng.shuffle(batches)
    began, made, lost = time.time(), 0, 0
    with gzip.open(a.out, "wt", encoding="utf-8", compresslevel=3) as f:
        for done, some in enumerate(batches):
            if time.time() - began > 60 * a.minutes:
                break
            with torch.autocast("cuda", torch.bfloat16):
                rows = written(net, [(encoded[i][0], [q for q, _ in encoded[i][1]]) for i in some], a.count, a.temperature, MAX_NEW)
            texts = iter(TOK.tok.decode_batch(rows))
            for i in some:
                claims = {}
                for c in packs[i]["c"]:
                    text = next(texts).strip()
                    if 12 < len(text) < 420 and "\n" not in text:
                        claims.setdefault(text, {"t": text, "g": LABELS[c["k"][0]], "k": c["k"][1]})
                    else:
                        lost += 1
                made += len(claims)
                f.write(json.dumps(passages[i] | {"c": list(claims.values())}, ensure_ascii=False) + "\n")
            if done % 10 == 0:
                print(f"batch {done}/{len(batches)} claims {made} lost {lost} {time.time() - began:.0f} s", flush=True)
    print("written", made, "claims,", lost, "lost", f"{time.time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    top = argparse.ArgumentParser()
    sub = top.add_subparsers(dest="do", required=True)
    p = sub.add_parser("train")
    p.add_argument("work")
    p.add_argument("written")
    p.add_argument("out")
    p.add_argument("--minutes", type=float, default=1.5)
    p.add_argument("--epochs", type=int, default=4)
    p.add_argument("--lr", type=float, default=3e-4)
    p.add_argument("--batch", type=int, default=16384, help="tokens a step")
    p.add_argument("--rank", type=int, default=16)
    p.add_argument("--seed", type=int, default=1)
    p = sub.add_parser("sample")
    p.add_argument("work")
    p.add_argument("adapter")
    p.add_argument("written")
    p.add_argument("passages")
    p.add_argument("out")
    p.add_argument("--minutes", type=float, default=5)
    p.add_argument("--count", type=int, default=8, help="claims for each passage")
    p.add_argument("--shares", type=float, nargs=4, default=SHARES, help="how often each label is asked for")
    p.add_argument("--rows", type=int, default=160, help="passages at a time")
    p.add_argument("--temperature", type=float, default=0.8)
    p.add_argument("--rank", type=int, default=16)
    p.add_argument("--seed", type=int, default=1)
    a = top.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cuda.enable_cudnn_sdp(False)
    {"train": train, "sample": sample}[a.do](a)
