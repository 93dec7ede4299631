"""Results are NumPy's, bit for bit, on seeded cases: a failure names its seed."""

import unittest

import numpy as np

import ptojit
from support import INDEX_TYPES, TYPES, Case, any_bits, in_tile, numbers, padded

ADDS = ("i32", "u32", "f16", "f32", "i8", "i16")
EXTREMES = ("i32", "u32", "f32")
AT = {"add": np.add, "max": np.maximum, "min": np.minimum}


class Sample:
    """The arrays of one case: rows to move, a table, and where to."""

    def __init__(self, seed: int, dtypes, values) -> None:
        self.rng = rng = np.random.default_rng(seed)
        self.dtype = str(rng.choice(list(dtypes)))
        self.width = int(rng.integers(1, 301))
        self.slots = int(rng.integers(1, 200))
        most = 20000 // self.width
        self.count = int(rng.integers(4097, 9000)) if seed % 50 == 0 else int(rng.integers(0, most))
        if seed % 50 == 0:
            self.width = int(rng.integers(1, 9))
        index = INDEX_TYPES[int(rng.integers(4))]
        self.ids = rng.integers(0, self.slots, self.count).astype(index)
        self.idx = rng.integers(0, self.slots * self.width, self.count).astype(index)
        self.where, self.place = self.ids.astype(np.int64), self.idx.astype(np.int64)  # for NumPy
        self.table = values(rng, (self.slots, self.width), self.dtype)
        self.rows = values(rng, (self.count, self.width), self.dtype)
        self.line = f"seed {seed}: {self.count} of {self.slots} x {self.width} {self.dtype} " \
                    f"by {self.ids.dtype}"


class NumpyTest(Case):
    def test_rows_gathered_and_scattered_in_500_cases_are_those_of_take_and_assignment(self):
        for seed in range(500):
            case = Sample(seed, [d for d in TYPES if d[:2] not in ("bf", "f8", "hi")], any_bits)
            self.assert_same_bits(
                ptojit.gather_rows(case.table, case.ids), case.table.take(case.where, axis=0), case.line)
            got, expected = case.table.copy(), case.table
            ptojit.scatter_rows(got, case.ids, case.rows)
            expected[case.where] = case.rows
            self.assert_same_bits(got, expected, case.line)

    def test_elements_gathered_and_scattered_in_500_cases_are_those_of_take_and_assignment(self):
        for seed in range(500, 1000):
            case = Sample(seed, [d for d in TYPES if d[:2] not in ("bf", "f8", "hi")], any_bits)
            self.assert_same_bits(
                ptojit.gather(case.table, case.idx), case.table.take(case.place), case.line)
            values = any_bits(case.rng, case.count, case.dtype)
            got, expected = case.table.copy(), case.table
            ptojit.scatter(got, case.idx, values)
            expected.reshape(-1)[case.place] = values
            self.assert_same_bits(got, expected, case.line)

    def test_sums_and_extremes_in_500_cases_are_those_of_ufunc_at(self):
        for seed in range(1000, 1500):
            atomic = ("add", "add", "max", "min")[seed % 4]
            case = Sample(seed, ADDS if atomic == "add" else EXTREMES, numbers)
            got, expected = case.table.copy(), case.table.copy()
            ptojit.scatter_rows(got, case.ids, case.rows, atomic=atomic)
            AT[atomic].at(expected, case.where, case.rows)
            self.assert_same_bits(got, expected, case.line)
            values = numbers(case.rng, case.count, case.dtype)
            got, expected = case.table.copy(), case.table
            ptojit.scatter(got, case.idx, values, atomic=atomic)
            AT[atomic].at(expected.reshape(-1), case.place, values)
            self.assert_same_bits(got, expected, case.line)

    def test_kernels_of_every_dtype_in_500_cases_move_what_numpy_moves(self):
        for seed in range(1500, 2000):
            case = Sample(seed, list(TYPES), any_bits)
            if case.ids.dtype == np.uint32:
                case.ids = case.ids.astype(np.int32)
            d, w, cols = case.dtype, case.width, padded(case.dtype, case.width)
            tiles = f"{d}[32768x{cols}|?x{w}] idx=i32[1x32768|1x?] table={d}[?x{w}]"
            dst = in_tile(np.zeros_like(case.rows), d)
            ptojit.compile(f"a5:mgather.row dst={tiles}")(dst=dst, idx=case.ids, table=case.table)
            self.assert_same_bits(dst, case.table.take(case.where, axis=0), case.line)
            got, expected = case.table.copy(), case.table
            ptojit.compile(f"a5:mscatter.row src={tiles}")(
                src=in_tile(case.rows, d), idx=case.ids, table=got)
            expected[case.where] = case.rows
            self.assert_same_bits(got, expected, case.line)


if __name__ == "__main__":
    unittest.main()
