"""Indices that another thread changes during a call never lead out of the table."""

import threading
import unittest

import numpy as np

import ptojit
from support import Case

ROWS, WIDTH, COUNT, CALLS = 4096, 32, 1 << 15, 60
OUTSIDE = np.float32(-777)  # what lies behind the table


class Changing:
    """Indices in range, of which another thread makes some lead behind the table, and back."""

    def __init__(self, type) -> None:
        self.ids = (np.arange(COUNT) * 7 % ROWS).astype(type)
        self.is_over = False
        self.thread = threading.Thread(target=self.change)

    def change(self) -> None:
        good = self.ids.copy()
        while not self.is_over:
            self.ids[::3] = ROWS + 11
            self.ids[::3] = good[::3]

    def __enter__(self) -> np.ndarray:
        self.thread.start()
        return self.ids

    def __exit__(self, *_) -> None:
        self.is_over = True
        self.thread.join()


class ChangingIndicesTest(Case):
    def setUp(self) -> None:
        self.memory = np.full((2 * ROWS, WIDTH), OUTSIDE, np.float32)
        self.table = self.memory[:ROWS]
        self.table[:] = 1

    def each_call(self, call, types=(np.int32, np.int64)) -> int:
        """How many calls were not refused."""
        done = 0
        for type in types:
            with Changing(type) as ids:
                for _ in range(CALLS):
                    try:
                        call(ids)
                        done += 1
                    except IndexError:
                        pass
        return done

    def test_gathers_read_the_table_alone(self):
        def gather(ids, oob, threads):
            rows = ptojit.gather_rows(self.table, ids, oob=oob, threads=threads)
            self.assertFalse((rows == OUTSIDE).any(), f"{oob}, {threads} threads")

        for oob in ("raise", "zero", "clamp", "wrap"):
            for threads in (1, 2):
                self.each_call(lambda ids: gather(ids, oob, threads))

    def test_gathers_of_elements_read_the_table_alone(self):
        flat = self.table.reshape(-1)[:ROWS]
        self.memory.reshape(-1)[ROWS:] = OUTSIDE
        for oob in ("raise", "zero", "clamp", "wrap"):
            self.each_call(lambda ids: self.assertFalse(
                (ptojit.gather(flat, ids, oob=oob) == OUTSIDE).any(), oob))

    def test_scatters_write_to_the_table_alone_and_nothing_when_they_refuse(self):
        rows = np.full((COUNT, WIDTH), 2, np.float32)

        def scatter(ids, oob, threads):
            self.table[:] = 1
            try:
                ptojit.scatter_rows(self.table, ids, rows, oob=oob, threads=threads)
            except IndexError:
                self.assertTrue((self.table == 1).all(), "written and refused")
                raise
            finally:
                self.assertTrue((self.memory[ROWS:] == OUTSIDE).all(), oob)

        for oob in ("raise", "skip", "clamp", "wrap"):
            for threads in (1, 2):
                self.each_call(lambda ids: scatter(ids, oob, threads), types=(np.int32,))

    def test_kernels_read_the_table_alone(self):
        dst = np.zeros((COUNT, WIDTH), np.float32)
        for suffix in ("", ".zero", ".clamp", ".wrap", ".audit"):
            kernel = ptojit.compile(f"a5:mgather.row{suffix} dst=f32[{COUNT}x{WIDTH}] "
                                    f"idx=i32[1x{COUNT}] table=f32[?x{WIDTH}]")

            def gather(ids):
                found = kernel(dst=dst, idx=ids, table=self.table)
                self.assertFalse((dst == OUTSIDE).any(), suffix)
                if suffix == ".audit":
                    self.assertEqual(found.out_of_bounds, (dst[:, 0] == 0).sum())

            dst[:] = 0
            self.each_call(lambda ids: (dst.fill(0), gather(ids)), types=(np.int32,))


if __name__ == "__main__":
    unittest.main()
