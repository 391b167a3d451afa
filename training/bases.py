"""Turns the starting weights (ONNX graphs, MPNet) into this folder's file layout, Arabic rows appended.

    python bases.py --bert gte=model.onnx --vocab vocab.txt --use RESOURCES --mpnet model.safetensors --out DIR
"""
import argparse
import re
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper
from safetensors.numpy import load_file, save_file

import arabic
import layout

PARTS = {"attention.self.query": "query", "attention.self.key": "key", "attention.self.value": "value",
         "attention.output.dense": "attention", "intermediate.dense": "up", "output.dense": "down",
         "attention.output.LayerNorm": "attention_norm", "output.LayerNorm": "output_norm"}
TOP = {"embeddings.word_embeddings.weight": "word.weight", "embeddings.position_embeddings.weight": "position.weight",
       "embeddings.token_type_embeddings.weight": "segment.weight", "embeddings.LayerNorm.weight": "norm.weight", "embeddings.LayerNorm.bias": "norm.bias"}
MPNET = {"attention.attn.q": "query", "attention.attn.k": "key", "attention.attn.v": "value", "attention.attn.o": "attention",
         "attention.LayerNorm": "attention_norm", "intermediate.dense": "up", "output.dense": "down", "output.LayerNorm": "output_norm"}


def bert(path: str) -> dict[str, np.ndarray]:
    """The parameters of an exported BERT graph, plain or dynamically quantised."""
    graph = onnx.load(path).graph
    init = {i.name: numpy_helper.to_array(i) for i in graph.initializer}

    def wide(name):
        if name in init and init[name].dtype == np.float32:
            return init[name]
        base = name.removesuffix("_quantized")
        return (init[name].astype(np.float32) - init[base + "_zero_point"].astype(np.float32)) * init[base + "_scale"]

    out = {}
    for node in graph.node:
        m = re.search(r"layer\.(\d+)/(attention/self/(?:query|key|value)|attention/output/dense|intermediate/dense|output/dense)/MatMul", node.name)
        if m and node.op_type in ("MatMul", "MatMulInteger"):
            out[f"layer.{m[1]}.{PARTS[m[2].replace('/', '.')]}.weight"] = wide(node.input[1]).T.copy()
    for name in init:
        short = name.removeprefix("bert.").removesuffix("_quantized")
        m = re.fullmatch(r"encoder\.layer\.(\d+)\.(.+)\.(weight|bias)", short)
        if short in TOP:
            out[TOP[short]] = wide(name)
        elif m and m[2] in PARTS and init[name].ndim == 1:
            out[f"layer.{m[1]}.{PARTS[m[2]]}.{m[3]}"] = init[name]
    return out


def mpnet(path: str) -> dict[str, np.ndarray]:
    out = {"segment.weight": np.zeros((2, 768), np.float32)}
    for name, w in load_file(path).items():
        m = re.fullmatch(r"encoder\.layer\.(\d+)\.(.+)\.(weight|bias)", name)
        if m:
            out[f"layer.{m[1]}.{MPNET[m[2]]}.{m[3]}"] = w
        elif name in TOP:
            out[TOP[name]] = w
        elif name == "encoder.relative_attention_bias.weight":
            out["relative.weight"] = w
    out["position.weight"] = out["position.weight"][2:]  # its first two rows are for padding
    return out


def write(state: dict[str, np.ndarray], path: Path, kind: str) -> None:
    hidden = state["word.weight"].shape[1]
    assert len(state) == 5 + 16 * 12 + (kind == "mpnet"), len(state)
    save_file(layout.pack(state), path, {"hidden": str(hidden), "layers": "12", "heads": "12", "kind": kind})


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--bert", action="append", default=[], help="NAME=model.onnx")
    ap.add_argument("--vocab", type=Path)
    ap.add_argument("--use", type=Path)
    ap.add_argument("--mpnet")
    ap.add_argument("--out", type=Path)
    a = ap.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    english = a.vocab.read_text(encoding="utf-8").split("\n")[:30522]
    pieces, vectors, table = arabic.pieces(a.use, set(english))
    (a.out / "vocab.txt").write_text("\n".join(english + pieces) + "\n", encoding="utf-8")
    for name, path in (b.split("=") for b in a.bert):
        state = bert(path)
        rows = arabic.rows(state["word.weight"], english, vectors, table)
        state["word.weight"] = np.concatenate([state["word.weight"], rows])
        write(state, a.out / f"{name}.safetensors", "bert")
        print(name, state["word.weight"].shape)
    if a.mpnet:
        write(mpnet(a.mpnet), a.out / "teacher.safetensors", "mpnet")


if __name__ == "__main__":
    main()
