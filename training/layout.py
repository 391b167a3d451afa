"""The weights' file: the names in it, and matrices as int8 with one scale a row, or in four bits. Needs no torch."""
import numpy as np

TOP = {"word.weight": "embeddings.word", "position.weight": "embeddings.position", "segment.weight": "embeddings.type",
       "norm.weight": "embeddings.norm.weight", "norm.bias": "embeddings.norm.bias", "relative.weight": "relative"}
GROUP = 32  # weights that share a step


def least(key: str) -> int:
    """The least number that a weight in four bits has. Word pieces use half of the sixteen, so that they compress to three bits."""
    return -4 if key == "word.weight" else -8


def name(key: str) -> str:
    """The file's name for a parameter."""
    return TOP.get(key, key)


def scale_of(name: str) -> str:
    return name + ".scale" if name == "embeddings.word" else name.removesuffix("weight") + "scale"


def steps_of(name: str) -> str:
    return scale_of(name).removesuffix("scale") + "steps"


def rows8(w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A matrix as int8 and one scale a row."""
    scale = np.maximum(np.abs(w).max(1), 1e-12).astype(np.float32) / np.float32(127)
    return np.rint(w / scale[:, None]).clip(-127, 127).astype(np.int8), scale


def rows4(w: np.ndarray, low: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A matrix as numbers from `low` to `-low - 1`, two in a byte; for each `GROUP` of them a step from 1 to 15, two in a byte;
    and one scale a row. Number times step is an integer of eight bits."""
    x = w.astype(np.float32).reshape(len(w), -1, GROUP)
    wide = np.abs(x).max(-1) / np.float32(-low - 0.25)
    scale = np.maximum(wide.max(1), np.float32(1e-12)) / np.float32(15)
    steps = np.rint(wide / scale[:, None]).clip(1, 15)
    numbers = np.rint(x / (steps * scale[:, None])[..., None]).clip(low, -low - 1).astype(np.int8).reshape(w.shape)
    return pairs(numbers & 15), pairs(steps.astype(np.int8)), scale


def pairs(x: np.ndarray) -> np.ndarray:
    """Two numbers of four bits in each byte, the first in the lower half."""
    x = x.astype(np.uint8)
    return x[:, 0::2] | x[:, 1::2] << 4


def halves(x: np.ndarray) -> np.ndarray:
    return np.stack([x & 15, x >> 4], -1).reshape(len(x), -1)


def wide4(numbers: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """The integers of eight bits that `rows4` stands for."""
    signed = (halves(numbers) ^ 8).astype(np.int8) - 8
    return signed * np.repeat(halves(steps).astype(np.int8), GROUP, 1)


def is_matrix(key: str) -> bool:
    return key == "word.weight" or (key.startswith("layer.") and key.endswith(".weight") and "norm" not in key)


def pack(state: dict[str, np.ndarray], bits: int = 8) -> dict[str, np.ndarray]:
    """Parameters as they stand in the file; with 32 bits as floats, to go on from."""
    out = {}
    for key, w in state.items():
        at = name(key)
        if is_matrix(key) and bits == 8:
            out[at], out[scale_of(at)] = rows8(w)
        elif is_matrix(key) and bits == 4:
            out[at], out[steps_of(at)], out[scale_of(at)] = rows4(w, least(key))
        else:
            out[at] = np.ascontiguousarray(w, dtype=np.float32)
    return out


def unpack(tensors: dict[str, np.ndarray], keys) -> dict[str, np.ndarray]:
    """Parameters from the file, as floats; those it lacks are left out."""
    out = {}
    for key in keys:
        if (at := name(key)) in tensors:
            w = tensors[at]
            if w.dtype == np.uint8:
                w = wide4(w, tensors[steps_of(at)])
            out[key] = w.astype(np.float32) * (tensors[scale_of(at)][:, None] if w.dtype == np.int8 else 1)
    return out
