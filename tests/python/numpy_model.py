"""What the fuzzer's calls come to in NumPy, and the numbers they are made on."""

from __future__ import annotations

from typing import Optional

import numpy as np

from hostile_arrays import guarded
from support import INDEX_TYPES

AT = {"add": np.add, "max": np.maximum, "min": np.minimum}


def places(ids: np.ndarray, slots: int, oob: str, gathers: bool = False) -> np.ndarray:
    """Where indices lead; -1 where nowhere."""
    if slots == 0 and oob in ("clamp", "wrap"):  # a scatter has nowhere to write, a gather no answer
        oob = "raise" if gathers else "skip"
    out = []
    for index in ids.reshape(-1).tolist():
        least = 0 if ids.dtype.kind == "u" else -(2**31)
        if not least <= index < 2**32 or (oob == "raise" and not 0 <= index < slots):
            raise IndexError
        index %= 2**32
        out.append(min(index, slots - 1) if oob == "clamp" else index % slots if oob == "wrap" else
                   index if index < slots else -1)
    return np.array(out, np.int64).reshape(ids.shape)


def drawn_ids(rng, shape, slots: int, share_outside: float) -> np.ndarray:
    kind = INDEX_TYPES[int(rng.integers(4))]
    ids = rng.integers(0, max(slots, 1), shape).astype(kind)
    outside = [slots, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, -1, -(2**31), -(2**31) - 1]
    outside = [each for each in outside if np.iinfo(kind).min <= each <= np.iinfo(kind).max]
    for at in np.flatnonzero(rng.random(ids.size) < share_outside):
        ids.reshape(-1)[at] = outside[int(rng.integers(len(outside)))]
    return ids


def put(memory: np.ndarray, ids, rows, atomic: Optional[str]) -> np.ndarray:
    out = memory.copy()
    flat = out.reshape(-1) if rows.ndim == ids.ndim else out
    live = ids.reshape(-1) >= 0
    where, what = ids.reshape(-1)[live], rows.reshape((ids.size,) + flat.shape[1:])[live]
    if atomic:
        AT[atomic].at(flat, where, what)
    else:
        for to, row in zip(where, what):
            flat[to] = row
    return out


def take(table: np.ndarray, ids: np.ndarray) -> np.ndarray:
    out = np.zeros(ids.shape + table.shape[1:], table.dtype)
    out[ids >= 0] = table[ids[ids >= 0]]
    return out


def into_guarded(rng, array: np.ndarray) -> np.ndarray:
    memory = guarded(rng, array.shape, array.dtype)
    memory[...] = array
    return memory


def numbers(rng, shape, dtype) -> np.ndarray:
    return rng.integers(1, 100, shape).astype(dtype)
