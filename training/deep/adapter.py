"""Writes the adapter of the deep judge: the parts that teacher training saved, in eight bits, as one file.

  python adapter.py FOLDER OUT --labels supported,partly_supported,contradicted,not_mentioned [--calibration FILE.json]

FOLDER holds `adapter-*.pt`, as `torch.save` writes them. They are ZIP archives of raw numbers under a pickled index, so numpy
reads them without torch; the index may name nothing but tensors. OUT is safetensors, format `dalil-deep-adapter/1`
(`spec/model.md`): for each layer and part the factors A and B as integers with a scale for each row, the head as floats.
"""
import argparse
import glob
import json
import pickle
import zipfile

import numpy as np

BASE = "sha256:cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
PARTS = {
    "self_attn.q_proj": "query",
    "self_attn.k_proj": "key",
    "self_attn.v_proj": "value",
    "self_attn.o_proj": "attention",
    "mlp.gate_proj": "gate",
    "mlp.up_proj": "up",
    "mlp.down_proj": "down",
    # As qwen.py names them.
    "q": "query",
    "k": "key",
    "v": "value",
    "o": "attention",
    "gate": "gate",
    "up": "up",
    "down": "down",
}
NUMBERS = {"BFloat16Storage": np.uint16, "FloatStorage": np.float32, "HalfStorage": np.float16}


def tensors(path):
    """The named tensors of a file that `torch.save` wrote, as 32-bit floats."""
    archive = zipfile.ZipFile(path)
    index = next(name for name in archive.namelist() if name.endswith("/data.pkl"))
    root = index.removesuffix("data.pkl")

    def rebuild(storage, offset, size, stride, *_):
        kind, numbers = storage
        steps = [int(np.prod(size[place + 1:])) for place in range(len(size))]
        if list(stride) != steps:
            raise ValueError(f"{path}: a tensor whose rows are not one after the other")
        numbers = numbers[offset:offset + int(np.prod(size))]
        if kind == "BFloat16Storage":
            numbers = (numbers.astype(np.uint32) << 16).view(np.float32)
        return numbers.astype(np.float32).reshape(size)

    class Index(pickle.Unpickler):
        def find_class(self, module, name):
            if name == "_rebuild_tensor_v2":
                return rebuild
            if (module, name) == ("collections", "OrderedDict"):
                return dict
            if name in NUMBERS:
                return name
            raise ValueError(f"{path}: expected tensors alone, found {module}.{name}")

        def persistent_load(self, place):
            _, kind, key, _, _ = place
            return kind, np.frombuffer(archive.read(f"{root}data/{key}"), NUMBERS[kind])

    return Index(archive.open(index)).load()


def rounded(matrix):
    """Integers from -127 to 127 and, for each row, what one of them is worth."""
    scale = np.abs(matrix).max(1) / np.float32(127)
    steps = np.where(scale > 0, scale, 1)[:, None]
    return np.round(matrix / steps).astype(np.int8), scale.astype(np.float32)


def packed(parts):
    """The tensors of the file, in a fixed order."""
    made = {}
    for name in sorted(name for name in parts if name.lower().endswith((".a", ".b"))):
        _, layer, *part, factor = name.split(".")
        numbers, scale = rounded(parts[name])
        place = f"layer.{layer}.{PARTS['.'.join(part)]}.{factor.lower()}"
        made[place], made[place + ".scale"] = numbers, scale
    made["head.weight"], made["head.bias"] = (parts["head." + part].astype(np.float32) for part in ("weight", "bias"))
    return made


def write(path, made, metadata):
    header, end = {"__metadata__": metadata}, 0
    for name, numbers in made.items():
        kind = {"int8": "I8", "float32": "F32"}[str(numbers.dtype)]
        header[name] = {"dtype": kind, "shape": list(numbers.shape), "data_offsets": [end, end + numbers.nbytes]}
        end += numbers.nbytes
    header = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    header += b" " * (-len(header) % 8)
    with open(path, "wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        for numbers in made.values():
            file.write(numbers.tobytes())


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folder")
    options.add_argument("out")
    options.add_argument("--labels", required=True, help="the names of the head's outputs, in their order")
    options.add_argument("--calibration", help="a file of JSON; without it, the model says nothing of calibration")
    options.add_argument("--alpha", type=int, default=32)
    given = options.parse_args()
    parts = {}
    for path in sorted(glob.glob(given.folder + "/adapter-*.pt")):
        parts.update(tensors(path))
    made = packed(parts)
    labels = given.labels.split(",")
    if len(labels) != len(made["head.bias"]):
        raise SystemExit(f"expected {len(made['head.bias'])} labels, found {len(labels)}")
    calibration = json.load(open(given.calibration)) if given.calibration else {}
    metadata = {
        "format": "dalil-deep-adapter/1",
        "base": BASE,
        "rank": str(len(made["layer.0.query.a"])),
        "alpha": str(given.alpha),
        "template": "2",
        "labels": ",".join(labels),
        "calibration": json.dumps(calibration, separators=(",", ":"), sort_keys=True),
    }
    write(given.out, made, metadata)


if __name__ == "__main__":
    main()
