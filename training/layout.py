"""The weights' file: the names in it, and matrices as int8 with one scale a row. Needs no torch."""
import numpy as np

TOP = {"word.weight": "embeddings.word", "position.weight": "embeddings.position", "segment.weight": "embeddings.type",
       "norm.weight": "embeddings.norm.weight", "norm.bias": "embeddings.norm.bias", "relative.weight": "relative"}


def name(key: str) -> str:
    """The file's name for a parameter."""
    return TOP.get(key, key)


def scale_of(name: str) -> str:
    return name + ".scale" if name == "embeddings.word" else name.removesuffix("weight") + "scale"


def rows8(w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A matrix as int8 and one scale a row."""
    scale = np.maximum(np.abs(w).max(1), 1e-12).astype(np.float32) / np.float32(127)
    return np.rint(w / scale[:, None]).clip(-127, 127).astype(np.int8), scale


def pack(state: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Parameters as they stand in the file."""
    out = {}
    for key, w in state.items():
        at = name(key)
        if key == "word.weight" or (key.startswith("layer.") and key.endswith(".weight") and "norm" not in key):
            out[at], out[scale_of(at)] = rows8(w)
        else:
            out[at] = np.ascontiguousarray(w, dtype=np.float32)
    return out


def unpack(tensors: dict[str, np.ndarray], keys) -> dict[str, np.ndarray]:
    """Parameters from the file, as floats; those it lacks are left out."""
    out = {}
    for key in keys:
        if (at := name(key)) in tensors:
            w = tensors[at].astype(np.float32)
            out[key] = w * tensors[scale_of(at)][:, None] if tensors[at].dtype == np.int8 else w
    return out
