"""How far the judge moves the model's log odds for whole documents and for windows: the constants WHOLE and WINDOWED
of crates/dalil-judge/src/judge/weigh.rs, from pairs that the whole judge has judged.

    dalil eval CLAIMS/train/{climatefever,covidfact,healthver,fib_factcc,fib_fib,fib_fir,fib_mfma}.jsonl.gz \
        --limit 300 --pairs pairs.jsonl
    python weigh.py pairs.jsonl

Only sets that the model did not learn from. Each set weighs the same; half of its weight is spread evenly over its
pairs, which makes probabilities true, and half over its two classes, which makes even odds the place to decide.
"""
import argparse
import json
from pathlib import Path

import numpy as np

SOURCE = Path(__file__).parent / "../crates/dalil-judge/src/judge/weigh.rs"


def constant(name: str) -> float:
    line = next(line for line in SOURCE.read_text().splitlines() if line.startswith(f"const {name}: f64"))
    return float(line.split("=")[1].strip(" ;"))


def weights(rows: list[dict]) -> np.ndarray:
    out = np.zeros(len(rows))
    for name in {row["set"] for row in rows}:
        here = np.array([row["set"] == name for row in rows])
        so = here & np.array([row["label"] == "supported" for row in rows])
        out[here] += 0.5 / here.sum()
        for one in (so, here & ~so):
            if one.any():
                out[one] += 0.25 / one.sum()
    return out


def shift(odds: np.ndarray, so: np.ndarray, weight: np.ndarray) -> float:
    """What added to the log odds makes the weighted log loss least."""
    at = np.linspace(-2, 2, 401)
    loss = [np.sum(weight * np.logaddexp(0, np.where(so, -1, 1) * (odds + move))) for move in at]
    return float(at[int(np.argmin(loss))])


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("pairs", type=Path)
    rows = [json.loads(line) for line in ap.parse_args().pairs.read_text().splitlines()]
    p = np.clip([row["support"] for row in rows], 1e-4, 1 - 1e-4)
    odds, weight = np.log(p / (1 - p)), weights(rows)
    so = np.array([row["label"] == "supported" for row in rows])
    windowed = np.array([row["is_windowed"] for row in rows])
    for name, which in (("WHOLE", ~windowed), ("WINDOWED", windowed)):
        move = shift(odds[which], so[which], weight[which])
        print(f"const {name}: f64 = {constant(name) + move:.2f};  # {which.sum()} pairs, moved by {move:+.2f}")


if __name__ == "__main__":
    main()
