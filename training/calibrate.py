"""Fits the two slopes and biases that make 0.5 the threshold, on rows never learnt from.

    python calibrate.py --pool DIR --scores NAME.scores.npz --out calibration.json

Seven tenths of the weight lie on the validation slice of the sets learnt from, three tenths on sets left out whole;
within each, every set weighs the same, and within a set the two classes do.
"""
import argparse
import json
from pathlib import Path

import numpy as np

import evaluate as E

SHARE = {"val": 0.7, "cal": 0.3}
ODD = "fib_factually_consistent-model_generated"  # its labels run against every model's order


def weights(rows: list[dict], label: str) -> tuple[np.ndarray, np.ndarray]:
    y, w, used = np.array([r["label"] == label for r in rows]), np.zeros(len(rows)), 0
    for name in sorted({r["set"] for r in rows}):
        k = np.array([r["set"] == name for r in rows])
        if name.startswith("ar_") or name == ODD or k.sum() < 20 or not y[k].any() or y[k].all():
            continue
        used += 1
        for v in (False, True):
            w[k & (y == v)] = 0.5 / (k & (y == v)).sum()
    return y.astype(float), w / used


def logistic(x: np.ndarray, y: np.ndarray, w: np.ndarray) -> tuple[float, float]:
    f, b = np.stack([x, np.ones_like(x)], 1), np.zeros(2)
    for _ in range(50):
        p = 1 / (1 + np.exp(-f @ b))
        b -= np.linalg.solve((f * (w * p * (1 - p))[:, None]).T @ f, f.T @ (w * (p - y)))
    return round(float(b[0]), 4), round(float(b[1]), 4)


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--pool", type=Path, required=True)
    ap.add_argument("--scores", type=Path, required=True)
    ap.add_argument("--out", type=Path, required=True)
    a = ap.parse_args()
    info, scores = json.loads((a.pool / "info.json").read_text())["rows"], np.load(a.scores)
    out = {"version": 1, "windows": {"whole": 256, "contiguous": 192, "contiguous_count": 1, "composed": 256, "combine": "max"},
           "claim": {"pieces": 128, "split_chars": E.SPLIT_CHARS, "support": "min", "contradiction": "max"}}
    for at, (key, label) in enumerate((("support", "supported"), ("contradiction", "contradicted"))):
        xs, ys, ws = [], [], []
        for part, share in SHARE.items():
            x = E.combine(np.load(a.pool / f"{part}.npz"), scores[part + "_int8"].astype(np.float32), info[part], E.best_of)[at]
            y, w = weights(info[part], label)
            xs.append(x), ys.append(y), ws.append(share * w)
        slope, bias = logistic(*map(np.concatenate, (xs, ys, ws)))
        out[key] = {"slope": slope, "bias": bias}
    a.out.write_text(json.dumps(out, indent=2) + "\n")
    print(json.dumps(out))


if __name__ == "__main__":
    main()
