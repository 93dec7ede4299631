"""The Python package beside NumPy: what a call costs, and how long moves of 10^2 to 10^7 indices take.

    PYTHONPATH=build/python /usr/bin/python3 bench/python_bench.py [LARGEST_POWER_OF_TEN]

NumPy's time is that of the faster of `take` and indexing. Contestants take turns; the fastest round
of each counts.
"""

from __future__ import annotations

import sys
import time

import numpy as np

import ptojit

WIDTH, ROWS, ELEMENTS = 32, 1 << 16, 1 << 20


def fastest(contestants, seconds: float = 0.3) -> "list[float]":
    """Nanoseconds of one call of each."""
    best = [float("inf")] * len(contestants)
    began = time.perf_counter()
    contestants[0]()
    first = time.perf_counter() - began
    times = max(1, min(1000, int(2e-4 / max(first, 1e-7))))
    until = time.perf_counter() + seconds
    rounds = 0
    while rounds < 5 or time.perf_counter() < until:
        rounds += 1
        for at, call in enumerate(contestants):
            began = time.perf_counter()
            for _ in range(times):
                call()
            best[at] = min(best[at], (time.perf_counter() - began) / times * 1e9)
    return best


def moves(count: int, index: type):
    """Name, ours, NumPy's: of each family."""
    rng = np.random.default_rng(7)
    rows = rng.random((ROWS, WIDTH), dtype=np.float32)
    flat = rng.random(ELEMENTS, dtype=np.float32)
    ids = rng.integers(0, ROWS, count).astype(index)
    idx = rng.integers(0, ELEMENTS, count).astype(index)
    yield "row gather", lambda: ptojit.gather_rows(rows, ids), (
        lambda: rows.take(ids, axis=0), lambda: rows[ids])
    yield "elem gather", lambda: ptojit.gather(flat, idx), (
        lambda: flat.take(idx), lambda: flat[idx])
    values = rng.random(count, dtype=np.float32)
    yield "add.at", lambda: ptojit.scatter(flat, idx, values, atomic="add"), (
        lambda: np.add.at(flat, idx, values),)
    yield "elem scatter", lambda: ptojit.scatter(flat, idx, values), (
        lambda: flat.__setitem__(idx, values),)
    source = rows.take(ids, axis=0)
    yield "row scatter", lambda: ptojit.scatter_rows(rows, ids, source), (
        lambda: rows.__setitem__(ids, source),)


def compare(largest: int) -> None:
    print(f"{'':14}{'indices':>10} {'ids':>6}{'ptojit us':>13}{'NumPy us':>13}{'times':>8}")
    for power in range(2, largest + 1):
        for index in (np.int32, np.int64):
            for name, ours, theirs in moves(10**power, index):
                mine, *others = fastest([ours, *theirs])
                other = min(others)
                print(f"{name:14}{10**power:10} {index.__name__:>6}{mine / 1e3:13.2f}"
                      f"{other / 1e3:13.2f}{other / mine:8.2f}", flush=True)


def overheads() -> None:
    kernel = ptojit.compile("a5:mscatter.row src=f32[8x8|?x8] idx=i32[1x8|1x?] table=f32[?x8]")
    table, src = np.zeros((64, 8), np.float32), np.ones((1, 8), np.float32)
    idx = np.zeros(1, np.int32)
    bound = kernel.bind(src=src, idx=idx, table=table)
    checked, unchecked, again = fastest([
        lambda: kernel(src=src, idx=idx, table=table),
        lambda: kernel.unchecked(src=src, idx=idx, table=table), bound])
    print(f"one row of 32 bytes: checked call {checked:.0f} ns, without the look at the indices "
          f"{unchecked:.0f} ns, bound call {again:.0f} ns")


if __name__ == "__main__":
    overheads()
    compare(int(sys.argv[1]) if len(sys.argv) > 1 else 6)
