"""The encoder (BERT, or MPNet for the teacher), its head, its file, and its int8 arithmetic simulated."""
import json
import math
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors import safe_open
from safetensors.numpy import save_file
from torch import nn

import layout

LINEAR = ("query", "key", "value", "attention", "up", "down")


def rounded(x: torch.Tensor) -> torch.Tensor:
    """Each row to 255 levels of its own largest magnitude and back, gradients passing through."""
    scale = x.detach().abs().amax(-1, keepdim=True).clamp(min=1e-12) / 127
    return x + (torch.round(x / scale) * scale - x).detach()


class Linear(nn.Linear):
    quant = False

    def forward(self, x):
        if not self.quant:
            return super().forward(x)
        with torch.autocast(x.device.type, enabled=False):
            return F.linear(rounded(x.float()), rounded(self.weight), self.bias)


class Layer(nn.Module):
    def __init__(self, hidden: int, heads: int, eps: float):
        super().__init__()
        self.heads = heads
        for name in ("query", "key", "value", "attention"):
            setattr(self, name, Linear(hidden, hidden))
        self.up, self.down = Linear(hidden, 4 * hidden), Linear(4 * hidden, hidden)
        self.attention_norm, self.output_norm = nn.LayerNorm(hidden, eps), nn.LayerNorm(hidden, eps)

    def forward(self, x, mask, drop: float):
        b, n, d = x.shape
        q, k, v = (f(x).view(b, n, self.heads, d // self.heads).transpose(1, 2) for f in (self.query, self.key, self.value))
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=drop)
        a = self.attention(a.transpose(1, 2).reshape(b, n, d))
        x = self.attention_norm(x + F.dropout(a, drop, self.training))
        y = self.down(F.gelu(self.up(x)))
        return self.output_norm(x + F.dropout(y, drop, self.training))


class Judge(nn.Module):
    """[CLS; mean of the last layer] to one logit for each label."""

    def __init__(self, vocab: int, hidden: int, layers: int, heads: int, eps: float, mpnet: bool, drop: float = 0.1, outputs: int = 3):
        super().__init__()
        self.mpnet, self.drop, self.quant = mpnet, drop, False
        self.word = nn.Embedding(vocab, hidden)
        self.position = nn.Embedding(512, hidden)
        self.segment = nn.Embedding(2, hidden)
        self.norm = nn.LayerNorm(hidden, eps)
        self.layer = nn.ModuleList(Layer(hidden, heads, eps) for _ in range(layers))
        self.relative = nn.Embedding(32, heads) if mpnet else None
        self.head = nn.Linear(2 * hidden, outputs)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)

    def forward(self, ids, types, mask):
        """`mask` may be `None` where nothing is padded."""
        drop = self.drop if self.training else 0.0
        n = ids.shape[1]
        at = torch.arange(n, device=ids.device)
        word = F.embedding(ids, rounded(self.word.weight)) if self.quant else self.word(ids)
        x = word + self.position(at) + self.segment(types)
        x = F.dropout(self.norm(x), drop, self.training)
        bias = None if mask is None else mask[:, None, None, :].bool()
        if self.mpnet:
            # As it was pretrained: kernels for attention give a bias no gradient.
            rel = self.relative(buckets(at)).detach().permute(2, 0, 1)[None]
            bias = (rel if bias is None else rel.masked_fill(~bias, -1e4)).to(torch.bfloat16 if ids.is_cuda else x.dtype)
        for layer in self.layer:
            x = layer(x, bias, drop)
        if mask is None:
            mean = x.mean(1)
        else:
            m = mask.unsqueeze(-1).to(x.dtype)
            mean = (x * m).sum(1) / m.sum(1)
        pooled = torch.cat([x[:, 0], mean], -1)
        with torch.autocast(x.device.type, enabled=False):
            return self.head(F.dropout(pooled.float(), drop, self.training))

    def quantised(self, on: bool = True) -> "Judge":
        """Switches the simulated int8 arithmetic on or off."""
        self.quant = on
        for m in self.modules():
            if isinstance(m, Linear):
                m.quant = on
        return self


def buckets(at: torch.Tensor) -> torch.Tensor:
    """MPNet's 32 relative position buckets."""
    far = at[None, :] - at[:, None]
    n = -far
    out = (n < 0).long() * 16
    n = n.abs()
    large = 8 + (torch.log(n.clamp(min=1).float() / 8) / math.log(128 / 8) * 8).long()
    return out + torch.where(n < 8, n, large.clamp(max=15))


def save(model: Judge, path: Path, meta: dict[str, str]) -> None:
    save_file(layout.pack({k: p.detach().float().cpu().numpy() for k, p in model.named_parameters()}), path, meta)


def load(path: Path, drop: float = 0.1, outputs: int = 3) -> Judge:
    """Reads either our file or a base in the same layout; a missing head stays fresh."""
    with safe_open(path, "numpy") as f:
        meta, t = f.metadata(), {k: f.get_tensor(k) for k in f.keys()}
    mpnet = meta.get("kind") == "mpnet"
    model = Judge(t["embeddings.word"].shape[0], int(meta["hidden"]), int(meta["layers"]), int(meta["heads"]), 1e-12, mpnet, drop, outputs)
    params = dict(model.named_parameters())
    with torch.no_grad():
        for key, w in layout.unpack(t, params).items():
            params[key].copy_(torch.from_numpy(w))
    return model



def about(model: Judge) -> dict[str, str]:
    """What the file of a judge with four outputs says about itself."""
    labels = ["supported", "partly_supported", "contradicted", "not_mentioned"]
    sizes = {"layers": len(model.layer), "heads": model.layer[0].heads, "hidden": model.word.embedding_dim}
    return {"format": "dalil-judge/2", "kind": "mpnet" if model.mpnet else "bert", "labels": json.dumps(labels)} | {k: str(v) for k, v in sizes.items()}
