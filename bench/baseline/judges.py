"""The judge's model in ONNX Runtime: the same weights, in floats and in dynamic 8-bit integers."""

from __future__ import annotations

import json
import pathlib
import tempfile

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper, save
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

MODEL = pathlib.Path(__file__).resolve().parents[2] / "crates" / "dalil-judge" / "model"
HEAD, THREADS, BATCH = 32, 2, 8
KINDS = {"I8": np.int8, "F32": np.float32}
FOLD = {0x640: None, 0x649: 0x64A} | {start + n: 0x30 + n for start in (0x660, 0x6F0) for n in range(10)}

Batch = dict[str, np.ndarray]


def sessions() -> dict[str, onnxruntime.InferenceSession]:
    """One session with float weights and one with integers, both on two threads."""
    with tempfile.TemporaryDirectory() as folder:
        plain, small = (str(pathlib.Path(folder) / name) for name in ("float.onnx", "int8.onnx"))
        save(Graph(*tensors(MODEL / "judge.safetensors")).model(), plain)
        quantize_dynamic(
            plain, small, per_channel=True, weight_type=QuantType.QInt8, op_types_to_quantize=["MatMul"],
            extra_options={"DefaultTensorType": TensorProto.FLOAT},
        )
        return {"float": session(plain), "int8": session(small)}


def session(path: str) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def tokenizer() -> Tokenizer:
    pieces = {piece: n for n, piece in enumerate((MODEL / "vocab.txt").read_text(encoding="utf-8").split("\n")[:-1])}
    made = Tokenizer(models.WordPiece(pieces, unk_token="[UNK]", max_input_chars_per_word=100))
    made.normalizer = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=True, lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return made


def tokens(made: Tokenizer, pairs: list[dict[str, str]]) -> list[tuple[list[int], list[int]]]:
    texts = [pair[part].translate(FOLD) for pair in pairs for part in ("premise", "claim")]
    ids = [one.ids for one in made.encode_batch(texts, add_special_tokens=False)]
    return list(zip(ids[::2], ids[1::2]))


def batches(pairs: list[tuple[list[int], list[int]]]) -> tuple[list[int], list[Batch]]:
    """Pairs of like length together, so that little is padded; and their order."""
    order = sorted(range(len(pairs)), key=lambda n: -sum(map(len, pairs[n])))
    groups = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
    return order, [batch([pairs[n] for n in group]) for group in groups]


def batch(pairs: list[tuple[list[int], list[int]]]) -> Batch:
    width = max(len(premise) + len(claim) for premise, claim in pairs) + 3
    made = {name: np.zeros((len(pairs), width), np.int64) for name in ("ids", "types")}
    made["mask"] = np.zeros((len(pairs), width), np.float32)
    for row, (premise, claim) in enumerate(pairs):
        ids = [101, *premise, 102, *claim, 102]
        made["ids"][row, : len(ids)] = ids
        made["types"][row, len(premise) + 2 : len(ids)] = 1
        made["mask"][row, : len(ids)] = 1
    return made


def score(model: onnxruntime.InferenceSession, order: list[int], groups: list[Batch]) -> list[list[float]]:
    rows = np.concatenate([model.run(["logits"], group)[0] for group in groups])
    made: list[list[float]] = [[] for _ in order]
    for place, row in zip(order, rows.tolist()):
        made[place] = row
    return made


def tensors(path: pathlib.Path) -> tuple[dict[str, str], dict[str, np.ndarray]]:
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    metadata = header.pop("__metadata__")
    made = {}
    for name, at in header.items():
        start, end = (8 + length + offset for offset in at["data_offsets"])
        made[name] = np.frombuffer(data[start:end], KINDS[at["dtype"]]).reshape(at["shape"])
    return metadata, made


class Graph:
    """The encoder as ONNX nodes, queries, keys and values in one product."""

    def __init__(self, metadata: dict[str, str], weights: dict[str, np.ndarray]) -> None:
        self.weights, self.nodes, self.constants = weights, [], []
        self.layers, self.heads = int(metadata["layers"]), int(metadata["heads"])

    def model(self):
        state = self.embed()
        for layer in range(self.layers):
            state = self.layer(state, f"layer.{layer}.")
        self.classify(state)
        kinds = (("ids", TensorProto.INT64), ("types", TensorProto.INT64), ("mask", TensorProto.FLOAT))
        inputs = [helper.make_tensor_value_info(name, kind, ["pairs", "tokens"]) for name, kind in kinds]
        outputs = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["pairs", 3])]
        graph = helper.make_graph(self.nodes, "judge", inputs, outputs, self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)

    def node(self, kind: str, *inputs: str, name: str | None = None, **attributes) -> str:
        made = name or f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [made], **attributes))
        return made

    def constant(self, value: np.ndarray) -> str:
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(value, order="C"), name))
        return name

    def whole(self, *numbers: int) -> str:
        return self.constant(np.array(numbers, np.int64))

    def norm(self, state: str, name: str) -> str:
        weight, bias = (self.constant(self.weights[f"{name}.{part}"]) for part in ("weight", "bias"))
        return self.node("LayerNormalization", state, weight, bias, epsilon=1e-12)

    def linear(self, state: str, *names: str) -> str:
        rows = [self.weights[f"{name}.weight"] * self.weights[f"{name}.scale"][:, None] for name in names]
        product = self.node("MatMul", state, self.constant(np.concatenate(rows).astype(np.float32).T))
        return self.node("Add", product, self.constant(np.concatenate([self.weights[f"{name}.bias"] for name in names])))

    def embed(self) -> str:
        words = self.weights["embeddings.word"] * self.weights["embeddings.word.scale"][:, None]
        words = self.node("Gather", self.constant(words.astype(np.float32)), "ids")
        count = self.node("Gather", self.node("Shape", "ids"), self.constant(np.array(1)))
        places = self.node("Range", self.constant(np.array(0)), count, self.constant(np.array(1)))
        places = self.node("Gather", self.constant(self.weights["embeddings.position"]), places)
        kinds = self.node("Gather", self.constant(self.weights["embeddings.type"]), "types")
        return self.norm(self.node("Add", self.node("Add", words, places), kinds), "embeddings.norm")

    def layer(self, state: str, prefix: str) -> str:
        mixed = self.linear(state, *(prefix + part for part in ("query", "key", "value")))
        parts = [f"{prefix}{part}" for part in ("q", "k", "v")]
        self.nodes.append(helper.make_node("Split", [mixed], parts, axis=2, num_outputs=3))
        query, key, value = (self.split_heads(part, [0, 2, 3, 1] if part == parts[1] else [0, 2, 1, 3]) for part in parts)
        query = self.node("Mul", query, self.constant(np.array(HEAD**-0.5, np.float32)))
        likeness = self.node("Add", self.node("MatMul", query, key), self.unseen())
        mixed = self.node("MatMul", self.node("Softmax", likeness, axis=-1), value)
        mixed = self.node("Reshape", self.node("Transpose", mixed, perm=[0, 2, 1, 3]), self.whole(0, 0, self.heads * HEAD))
        state = self.norm(self.node("Add", state, self.linear(mixed, prefix + "attention")), prefix + "attention_norm")
        wide = self.node("Gelu", self.linear(state, prefix + "up"))
        return self.norm(self.node("Add", state, self.linear(wide, prefix + "down")), prefix + "output_norm")

    def split_heads(self, part: str, order: list[int]) -> str:
        return self.node("Transpose", self.node("Reshape", part, self.whole(0, 0, self.heads, HEAD)), perm=order)

    def unseen(self) -> str:
        """What is added to the likeness of padding, made once."""
        if not any(node.output[0] == "unseen" for node in self.nodes):
            absent = self.node("Sub", "mask", self.constant(np.array(1, np.float32)))
            absent = self.node("Mul", absent, self.constant(np.array(1e9, np.float32)))
            self.node("Unsqueeze", absent, self.whole(1, 2), name="unseen")
        return "unseen"

    def classify(self, state: str) -> None:
        mask = self.node("Unsqueeze", "mask", self.whole(2))
        total = self.node("ReduceSum", self.node("Mul", state, mask), self.whole(1), keepdims=0)
        mean = self.node("Div", total, self.node("ReduceSum", mask, self.whole(1), keepdims=0))
        first = self.node("Gather", state, self.constant(np.array(0)), axis=1)
        pooled = self.node("Concat", first, mean, axis=1)
        weight, bias = self.constant(self.weights["head.weight"]), self.constant(self.weights["head.bias"])
        self.node("Gemm", pooled, weight, bias, name="logits", transB=1)
