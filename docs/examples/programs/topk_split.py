"""Top-k split and merge: values and their indices come in pairs from a sort, and go apart.

Splitting gathers every second element. Merging spreads each half over the pairs by a mask pattern,
which leaves zeros in the other lanes, so that the two halves are put together by an or.
"""

import numpy as np

import ptojit

ROWS, PAIRS = 4, 128

spread_values = ptojit.compile(f"a5:tscatter.p0101 src=f32[{ROWS}x{PAIRS}] dst=f32[{ROWS}x{2 * PAIRS}]")
spread_indices = ptojit.compile(f"a5:tscatter.p1010 src=u32[{ROWS}x{PAIRS}] dst=u32[{ROWS}x{2 * PAIRS}]")


def split(pairs: np.ndarray) -> "tuple[np.ndarray, np.ndarray]":
    even = 2 * np.arange(ROWS * PAIRS, dtype=np.int32).reshape(ROWS, PAIRS)
    values = ptojit.gather(pairs, even)
    return values, ptojit.gather(pairs.view(np.uint32), even + 1)


def merge(values: np.ndarray, indices: np.ndarray) -> np.ndarray:
    first = np.empty((ROWS, 2 * PAIRS), np.float32)
    second = np.empty((ROWS, 2 * PAIRS), np.uint32)
    spread_values(src=values, dst=first)
    spread_indices(src=indices, dst=second)
    return (first.view(np.uint32) | second).view(np.float32)


def main() -> None:
    scores = np.random.default_rng(0).random((ROWS, 2048), dtype=np.float32)
    order = np.argsort(-scores, axis=1)[:, :PAIRS]
    pairs = np.empty((ROWS, PAIRS, 2), np.float32)
    pairs[..., 0] = np.take_along_axis(scores, order, axis=1)
    pairs[..., 1] = order.astype(np.uint32).view(np.float32)
    pairs = pairs.reshape(ROWS, 2 * PAIRS)

    values, indices = split(pairs)
    assert np.array_equal(np.take_along_axis(scores, indices.astype(int), axis=1), values)
    assert merge(values, indices).tobytes() == pairs.tobytes()
    print(f"{ROWS} x {PAIRS} pairs split and merged; the best is {values[0, 0]:.4f}")


if __name__ == "__main__":
    main()
