"""Qwen2.5-Coder-1.5B-Instruct as a judge: its layers, a low-rank adapter, a head of four outputs, and packed prompts.

A pack is one passage and the claims asked about it. Its tokens stand in one row: the passage once, then each claim,
which sees the passage and itself and nothing of the other claims, at the positions it would have alone.
"""
import glob
import json
import math
import os
import re

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

HIDDEN, INNER, LAYERS, HEADS, GROUPS, HEAD, EPS, THETA = 1536, 8960, 28, 12, 2, 128, 1e-6, 1e6
OUTPUTS = 4  # supported, partly supported, contradicted, not mentioned
LINEAR = {"attn_q": "q", "attn_k": "k", "attn_v": "v", "attn_output": "o", "ffn_gate": "gate", "ffn_up": "up", "ffn_down": "down"}
TEMPLATE = 2
BEFORE, CONTEXT, CLAIM = "Document: ", "\n\nContext: ", "\n\nClaim: "
AFTER = "\nSupported, partly supported, contradicted or not mentioned? Answer:"
MAX_CLAIM = 200  # tokens
FAST = os.environ.get("EAGER") is None


def optional_compile(f):
    return torch.compile(f, dynamic=True) if FAST and torch.cuda.is_available() else f


@optional_compile
def rms(x, w):
    y = x.float()
    return (y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + EPS)).to(x.dtype) * w


@optional_compile
def rotate(x, cos, sin):
    a, b = x.float().chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1).to(x.dtype)


@optional_compile
def gated(g, u):
    return F.silu(g) * u


class Linear(nn.Module):
    """A frozen matrix with a low-rank change beside it."""

    def __init__(self, weight, bias, rank: int, alpha: float):
        super().__init__()
        self.register_buffer("weight", weight)
        self.register_buffer("bias", bias)
        self.a = nn.Parameter(torch.randn(rank, weight.shape[1], device=weight.device) / math.sqrt(weight.shape[1]))
        self.b = nn.Parameter(torch.zeros(weight.shape[0], rank, device=weight.device))
        self.scale, self.on = alpha / rank, True

    def forward(self, x):
        y = F.linear(x, self.weight, self.bias)
        return y + F.linear(F.linear(x, self.a.to(x.dtype)), self.b.to(x.dtype)) * self.scale if self.on else y


class Judge(nn.Module):
    def __init__(self, state: dict, rank: int = 16, alpha: float = 32.0):
        super().__init__()
        self.register_buffer("embed", state["token_embd.weight"])
        self.register_buffer("norm", state["output_norm.weight"])
        self.layers = nn.ModuleList()
        for n in range(LAYERS):
            layer = nn.ModuleDict({short: Linear(state[f"blk.{n}.{long}.weight"], state.get(f"blk.{n}.{long}.bias"), rank, alpha) for long, short in LINEAR.items()})
            layer.register_buffer("attn_norm", state[f"blk.{n}.attn_norm.weight"])
            layer.register_buffer("ffn_norm", state[f"blk.{n}.ffn_norm.weight"])
            self.layers.append(layer)
        self.head = nn.Linear(HIDDEN, OUTPUTS, device=self.embed.device)
        nn.init.normal_(self.head.weight, std=0.01)
        nn.init.zeros_(self.head.bias)

    def states(self, ids, at, mask):
        """The last states of rows of tokens, at their positions, under a mask (true: may look)."""
        x = F.embedding(ids, self.embed)
        b, n = ids.shape
        turn = at[..., None].float() * THETA ** (-torch.arange(0, HEAD, 2, device=ids.device).float() / HEAD)
        cos, sin = turn.cos()[:, None], turn.sin()[:, None]
        for layer in self.layers:
            h = rms(x, layer.attn_norm)
            q = rotate(layer["q"](h).view(b, n, HEADS, HEAD).transpose(1, 2), cos, sin)
            k = rotate(layer["k"](h).view(b, n, GROUPS, HEAD).transpose(1, 2), cos, sin)
            v = layer["v"](h).view(b, n, GROUPS, HEAD).transpose(1, 2)
            k, v = (t.repeat_interleave(HEADS // GROUPS, 1) for t in (k, v))
            y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
            x = x + layer["o"](y.transpose(1, 2).reshape(b, n, HIDDEN))
            h = rms(x, layer.ffn_norm)
            x = x + layer["down"](gated(layer["gate"](h), layer["up"](h)))
        return rms(x, self.norm)

    def forward(self, packs):
        """Logits of every claim of every pack, in order."""
        ids, at, mask, rows, cols = batch(packs, self.embed.device)
        x = self.states(ids, at, mask)
        with torch.autocast(x.device.type, enabled=False):
            return self.head(x[rows, cols].float())


def batch(packs, device):
    """Packs `(passage, [claim, …])` of token ids as padded rows; where each claim's last token is."""
    most = -(-max(len(p) + sum(map(len, c)) for p, c in packs) // 16) * 16
    ids, at = np.zeros((len(packs), most), np.int64), np.zeros((len(packs), most), np.int64)
    part = np.full((len(packs), most), -1, np.int32)  # 0: the passage, k: the k-th claim, -1: nothing
    rows, cols = [], []
    for r, (p, claims) in enumerate(packs):
        ids[r, : len(p)], at[r, : len(p)], part[r, : len(p)] = p, np.arange(len(p)), 0
        n = len(p)
        for k, c in enumerate(claims):
            ids[r, n : n + len(c)], at[r, n : n + len(c)], part[r, n : n + len(c)] = c, len(p) + np.arange(len(c)), k + 1
            n += len(c)
            rows.append(r)
            cols.append(n - 1)
    ids, at, part = (torch.from_numpy(x).to(device) for x in (ids, at, part))
    order = torch.arange(most, device=device)
    mask = (order[:, None] >= order) & ((part[:, None, :] == 0) | (part[:, None, :] == part[:, :, None]))
    mask |= torch.eye(most, dtype=torch.bool, device=device)
    # Finite, so that no row of the attention is nothing but infinities.
    mask = torch.zeros(mask.shape, dtype=torch.bfloat16 if torch.device(device).type == "cuda" else torch.float32, device=device).masked_fill_(~mask, -1e4)
    return ids, at, mask[:, None], torch.tensor(rows, device=device), torch.tensor(cols, device=device)


def load(work: str, device: str, rank: int = 16) -> Judge:
    """The base from `unpack.py`'s blob, widened to bfloat16."""
    import gguf
    from concurrent.futures import ThreadPoolExecutor

    blob = np.memmap(work + "/blob", mode="r", dtype=np.uint8)

    def one(t):
        raw = np.array(blob[t["off"] : t["off"] + t["n"]]).view(np.dtype(t["dtype"])).reshape(t["data_shape"])
        w = gguf.quants.dequantize(raw, gguf.GGMLQuantizationType(t["type"])).reshape(t["shape"][::-1])
        return t["name"], torch.from_numpy(np.ascontiguousarray(w, dtype=np.float32)).to(torch.bfloat16).to(device)

    with ThreadPoolExecutor(14) as pool:
        state = dict(pool.map(one, json.load(open(work + "/index.json"))))
    return Judge(state, rank)


def save(judge: Judge, out: str, limit: int = 15_000_000) -> None:
    """The adapter and the head in parts of at most `limit` bytes."""
    state = {n: p.detach().to(torch.bfloat16).cpu() for n, p in judge.named_parameters() if n.endswith((".a", ".b"))}
    state |= {n: p.detach().float().cpu() for n, p in judge.head.state_dict(prefix="head.").items()}
    part, size, n = {}, 0, 0
    for key in sorted(state):
        b = state[key].numel() * state[key].element_size()
        if part and size + b > limit:
            torch.save(part, f"{out}/adapter-{n}.pt")
            part, size, n = {}, 0, n + 1
        part[key] = state[key]
        size += b
    torch.save(part, f"{out}/adapter-{n}.pt")


def attach(judge: Judge, folder: str) -> None:
    state = {}
    for path in sorted(glob.glob(folder + "/adapter-*.pt")):
        state |= torch.load(path)
    missing = judge.load_state_dict({k: v.float() for k, v in state.items()}, strict=False)
    assert not missing.unexpected_keys, missing.unexpected_keys


@torch.no_grad()
def merge(judge: Judge) -> None:
    """The adapter into the weights: a sixth less work where nothing is learnt."""
    for layer in judge.layers:
        for name in LINEAR.values():
            one = layer[name]
            one.weight += (one.scale * (one.b @ one.a)).to(one.weight.dtype)
            one.on = False


class Prompts:
    """Texts to token ids."""

    def __init__(self, work: str):
        from tokenizers import Tokenizer

        self.tok = Tokenizer.from_file(work + "/tokenizer.json")
        ids = lambda text: self.tok.encode(text).ids
        self.before, self.context, self.claim, self.after = map(ids, (BEFORE, CONTEXT, CLAIM, AFTER))

    def passage(self, text: str, claim: str, most: int) -> list[int]:
        ids = self.tok.encode(text).ids
        return self.before + (ids if len(ids) <= most else self.chosen(text, claim, most))

    def asked(self, claim: str, context: str | None = None) -> list[int]:
        before = self.context + self.tok.encode(context).ids[:MAX_CLAIM] if context else []
        return before + self.claim + self.tok.encode(claim).ids[:MAX_CLAIM] + self.after

    def chosen(self, text: str, claim: str, most: int) -> list[int]:
        """Of a long text the sentences that share most with the claim, in their order."""
        parts = re.split(r"(?<=[.!?؟\n])\s+", text)
        words = lambda t: {w for w in re.sub(r"[\W_]+", " ", t.lower()).split() if len(w) > 2}
        wanted = words(claim)
        ids = [self.tok.encode(p + " ").ids for p in parts]
        share = [len(words(p) & wanted) / (1 + math.log(2 + len(words(p)))) for p in parts]
        near = [s + 0.3 * (share[i - 1] if i else 0) + 0.3 * (share[i + 1] if i + 1 < len(share) else 0) for i, s in enumerate(share)]
        kept, used = set(), 0
        for i in sorted(range(len(parts)), key=lambda i: -near[i]):
            if used + len(ids[i]) <= most:
                kept.add(i)
                used += len(ids[i])
            elif not kept:
                return ids[i][:most]
        return [t for i in sorted(kept) for t in ids[i]]
