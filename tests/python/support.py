"""What the tests of the Python package share."""

from __future__ import annotations

import unittest

import numpy as np

import ptojit

# NumPy's type for each dtype of specs; unsigned integers stand for what NumPy does not have.
TYPES = {
    "i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16, "i32": np.int32,
    "u32": np.uint32, "f16": np.float16, "bf16": np.uint16, "f32": np.float32,
    "f8e4m3": np.uint8, "f8e5m2": np.uint8, "hif8": np.uint8,
}
INDEX_TYPES = (np.int32, np.uint32, np.int64, np.uint64)


def padded(dtype: str, width: int) -> int:
    """Columns of a tile that holds rows of that width."""
    step = 32 // np.dtype(TYPES[dtype]).itemsize
    return -(-width // step) * step


def any_bits(rng: np.random.Generator, shape, dtype: str) -> np.ndarray:
    """Every bit pattern there is, NaN and its payloads included."""
    return np.frombuffer(
        rng.bytes(int(np.prod(shape)) * np.dtype(TYPES[dtype]).itemsize), TYPES[dtype]
    ).reshape(shape).copy()


def numbers(rng: np.random.Generator, shape, dtype: str) -> np.ndarray:
    """Without NaN and zeros of either sign, which NumPy combines in its own way."""
    if dtype == "bf16":
        return (rng.uniform(1, 2, shape).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return (rng.uniform(1, 100, shape) * rng.choice([1, -1] if dtype[0] != "u" else [1], shape)
            ).astype(TYPES[dtype])


def in_tile(array: np.ndarray, dtype: str) -> np.ndarray:
    """The same rows, as far apart as those of a padded tile."""
    out = np.zeros((array.shape[0], padded(dtype, array.shape[1])), array.dtype)
    out[:, : array.shape[1]] = array
    return out[:, : array.shape[1]]


def bits(array: np.ndarray) -> bytes:
    return np.ascontiguousarray(array).tobytes()


class Case(unittest.TestCase):
    def assert_same_bits(self, got: np.ndarray, expected: np.ndarray, message: str = "") -> None:
        self.assertEqual(got.shape, expected.shape, message)
        self.assertEqual(got.dtype, expected.dtype, message)
        self.assertEqual(bits(got), bits(expected), message)

    def assert_refused(self, id: str, kind: type, call, untouched: np.ndarray = None) -> ptojit.Error:
        """Refused by that diagnostic as that kind of exception, and nothing written."""
        before = None if untouched is None else bits(untouched)
        with self.assertRaises(kind) as caught:
            call()
        self.assertIsInstance(caught.exception, ptojit.Error)
        self.assertEqual(caught.exception.id, id, str(caught.exception))
        self.assertIn(id, str(caught.exception))
        if untouched is not None:
            self.assertEqual(bits(untouched), before)
        return caught.exception
