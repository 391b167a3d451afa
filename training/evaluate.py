"""From the logits of windows to a verdict on each row, and what that is worth."""
import argparse
import json
from pathlib import Path

import numpy as np

SPLIT_CHARS = 200  # a longer claim is judged by its sentences, the weakest deciding


def softmax(z: np.ndarray) -> np.ndarray:
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def odds(z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Log odds of supported, and of contradicted, against the rest."""
    sup = z[:, 0] - np.logaddexp(z[:, 1], z[:, 2])
    con = z[:, 2] - np.logaddexp(z[:, 0], z[:, 1])
    return sup, con


def balanced(pred: np.ndarray, y: np.ndarray) -> float:
    return 50 * float(pred[y].mean() + (~pred)[~y].mean()) if y.any() and (~y).any() else float("nan")


def auc(q: np.ndarray, y: np.ndarray) -> float:
    if not y.any() or y.all():
        return float("nan")
    _, inverse, count = np.unique(q, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(count) - (count - 1) / 2)[inverse]
    return 100 * float((ranks[y].sum() - y.sum() * (y.sum() + 1) / 2) / (y.sum() * (~y).sum()))


def ece(p: np.ndarray, y: np.ndarray, bins: int = 10) -> float:
    at = np.minimum((p * bins).astype(int), bins - 1)
    return float(sum(abs(p[at == b].mean() - y[at == b].mean()) * (at == b).mean() for b in range(bins) if (at == b).any()))


def combine(a, z: np.ndarray, rows: list[dict], rule) -> tuple[np.ndarray, np.ndarray]:
    """Log odds of support and of contradiction for each row: windows by `rule`, sentences of a long claim by the weakest."""
    sup, con = odds(z)
    by_part: dict[tuple[int, int], list[int]] = {}
    for i, (r, p) in enumerate(zip(a["row"], a["part"])):
        by_part.setdefault((int(r), int(p)), []).append(i)
    out_s, out_c = np.zeros(len(rows)), np.zeros(len(rows))
    for k, row in enumerate(rows):
        parts = [0] if row["parts"] == 1 or row["chars"] <= SPLIT_CHARS else range(1, row["parts"])
        got = [rule(sup[by_part[k, p]], con[by_part[k, p]], row) for p in parts]
        out_s[k], out_c[k] = min(g[0] for g in got), max(g[1] for g in got)
    return out_s, out_c


def best_of(sup, con, row):
    """The best contiguous window and the composed one: the higher of the two."""
    return max(sup[0], sup[-1]), max(con[0], con[-1])


def table(rows: list[dict], s: np.ndarray, c: np.ndarray) -> dict[str, dict]:
    out = {}
    for name in sorted({r["set"] for r in rows}):
        k = np.array([i for i, r in enumerate(rows) if r["set"] == name])
        y = np.array([rows[i]["label"] == "supported" for i in k])
        yc = np.array([rows[i]["label"] == "contradicted" for i in k])
        p = 1 / (1 + np.exp(-s[k]))
        out[name] = {"n": len(k), "balanced": balanced(s[k] > 0, y), "auc": auc(s[k], y), "contradicted": balanced(c[k] > 0, yc), "ece": ece(p, y), "recall": 100 * float((s[k] > 0)[y].mean()) if y.any() else float("nan")}
    return out


def english(t: dict[str, dict]) -> list[str]:
    return [n for n in t if not n.startswith("ar_") and n != "anli_dev"]


def report(title: str, pool: Path, part: str, z: np.ndarray, calibration: dict | None = None) -> dict[str, dict]:
    a = np.load(pool / f"{part}.npz")
    rows = json.loads((pool / "info.json").read_text())["rows"][part]
    s, c = combine(a, z, rows, best_of)
    if calibration:
        s, c = (calibration[k]["slope"] * v + calibration[k]["bias"] for k, v in (("support", s), ("contradiction", c)))
    t = table(rows, s, c)
    for name, v in t.items():
        print(f"{title} {name:38} {v['n']:5} bacc {v['balanced']:5.1f} auc {v['auc']:5.1f} contra {v['contradicted']:5.1f} ece {v['ece']:.3f} recall {v['recall']:5.1f}")
    e = english(t)
    k = np.array([r["set"] in e for r in rows])
    pooled = ece(1 / (1 + np.exp(-s[k])), np.array([r["label"] == "supported" for r in rows])[k])
    print(f"{title} ENGLISH MEAN bacc {np.nanmean([t[n]['balanced'] for n in e]):.2f} auc {np.nanmean([t[n]['auc'] for n in e]):.2f} pooled ece {pooled:.3f}", flush=True)
    return t


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--pool", type=Path)
    ap.add_argument("--scores", type=Path)
    ap.add_argument("--calibration", type=Path)
    a = ap.parse_args()
    how = json.loads(a.calibration.read_text()) if a.calibration else None
    for key, z in np.load(a.scores).items():
        report(key, a.pool, key.split("_")[0], z.astype(np.float32), how)
