"""What does not fit is an exception that says so, and nothing has been written."""

import unittest

import numpy as np

import ptojit
from support import Case

SPEC = "a5:mscatter.row src=f32[8x32|?x32] idx=i32[1x8|1x?] table=f32[?x32]"


class KernelRefusalTest(Case):
    def setUp(self) -> None:
        self.kernel = ptojit.compile(SPEC)
        self.table = np.full((16, 32), -1, np.float32)
        self.src = np.ones((5, 32), np.float32)
        self.idx = np.arange(5, dtype=np.int32)

    def refused(self, id: str, kind: type = ptojit.ArrayError, **changed) -> ptojit.Error:
        arrays = {"src": self.src, "idx": self.idx, "table": self.table, **changed}
        for call in (self.kernel, self.kernel.unchecked, self.kernel.bind):
            if kind is not IndexError or call is self.kernel:
                problem = self.assert_refused(id, kind, lambda: call(**arrays), self.table)
        return problem

    def test_wrong_dtypes(self):
        self.refused("call.dtype", src=self.src.astype(np.float64))
        self.refused("call.dtype", src=self.src.view(np.uint32))
        self.refused("call.dtype", src=self.src.astype(">f4"))
        self.refused("call.dtype", idx=self.idx.astype(np.int16))
        self.refused("call.dtype", table=self.table.astype(np.complex64))

    def test_wrong_shapes(self):
        self.refused("call.shape", src=np.ones((5, 31), np.float32)[:, :].copy())
        self.refused("a5.scatter.valid", ptojit.SpecError, src=np.ones((9, 32), np.float32),
                     idx=np.zeros(9, np.int32))
        self.refused("a5.scatter.index.shape", ptojit.SpecError, idx=np.arange(4, dtype=np.int32))
        self.refused("call.shape", table=np.full((16, 31), -1, np.float32))
        self.refused("call.shape", src=np.ones((5, 2, 16), np.float32))
        self.refused("call.shape", src=np.ones(160, np.float32))

    def test_strided_arrays(self):
        self.refused("call.strides", src=np.ones((5, 64), np.float32)[:, ::2])
        self.refused("call.strides", src=np.ones((10, 32), np.float32)[::2])
        self.refused("call.strides", src=self.src[::-1])
        self.refused("call.strides", table=np.full((16, 40), -1, np.float32)[:, :32])
        self.refused("call.strides", idx=np.arange(10, dtype=np.int32)[::2])

    def test_misaligned_arrays(self):
        for array in (self.src, self.idx, self.idx.astype(np.int64)):
            name = "src" if array is self.src else "idx"
            crooked = np.zeros(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
            for call in (self.kernel, self.kernel.unchecked):
                self.assert_refused("call.alignment", ValueError, lambda: call(
                    **{"src": self.src, "idx": self.idx, "table": self.table, name: crooked}), self.table)

    def test_read_only_and_overlapping_arrays(self):
        self.table.flags.writeable = False
        self.refused("call.readonly")
        self.table.flags.writeable = True
        self.refused("call.overlap", src=self.table[2:7])
        self.refused("call.overlap", idx=self.table[0, :5].view(np.int32))

    def test_what_is_no_array_or_no_operand(self):
        self.refused("call.array", src=[[1.0] * 32] * 5)
        self.refused("call.array", idx=None)
        self.refused("call.buffer", dst=self.src)
        arrays = {"src": self.src, "idx": self.idx}
        self.assert_refused("call.buffer", ValueError, lambda: self.kernel(**arrays), self.table)

    def test_values_of_dimensions(self):
        self.refused("bind.name", bind={"src.d3": 3})
        self.refused("bind.number", bind={"src.vr": "three"})
        self.refused("bind.form", bind=3)
        self.refused("call.size", bind={"src.vr": 8, "idx.vc": 8})

    def test_an_index_out_of_range_is_an_index_error_that_names_its_position(self):
        for wrong in (16, -1, 2**31 - 1):
            for type in (np.int32, np.int64):
                idx = self.idx.astype(type)
                idx[3] = wrong
                problem = self.assert_refused(
                    "index.range", IndexError,
                    lambda: self.kernel(src=self.src, idx=idx, table=self.table), self.table)
                self.assertIn("position 3", str(problem))
                self.assertEqual(problem.try_, SPEC.replace("mscatter.row", "mscatter.row.skip"))

    def test_a_64_bit_index_that_32_bits_do_not_hold(self):
        for wrong in (2**32, 2**32 + 1, -(2**31) - 1, 2**63 - 1):
            idx = self.idx.astype(np.int64)
            idx[4] = wrong
            for call in (self.kernel, self.kernel.unchecked):
                problem = self.assert_refused(
                    "index.range", IndexError,
                    lambda: call(src=self.src, idx=idx, table=self.table), self.table)
                self.assertIn(f"position 4 is {wrong}", str(problem))

    def test_a_bound_call_converts_nothing(self):
        self.assert_refused("call.dtype", ValueError, lambda: self.kernel.bind(
            src=self.src, idx=self.idx.astype(np.int64), table=self.table))


class ArrayRefusalTest(Case):
    def setUp(self) -> None:
        self.table = np.full((16, 8), -1, np.float32)
        self.ids = np.arange(5, dtype=np.int64)
        self.rows = np.ones((5, 8), np.float32)

    def refused(self, id: str, kind: type = ptojit.ArrayError, **changed) -> ptojit.Error:
        given = {"table": self.table, "ids": self.ids, "rows": self.rows, **changed}
        return self.assert_refused(
            id, kind, lambda: ptojit.scatter_rows(**given), self.table)

    def test_wrong_dtypes(self):
        self.refused("call.dtype", table=self.table.astype(np.float64))
        self.refused("call.dtype", table=self.table > 0)
        self.refused("call.dtype", rows=self.rows.astype(np.float16))
        self.refused("call.dtype", ids=self.ids.astype(np.int16))
        self.refused("call.dtype", ids=self.ids.astype(np.float32))

    def test_wrong_shapes(self):
        self.refused("call.shape", rows=self.rows[:4])
        self.refused("call.shape", rows=self.rows[:, :7].copy())
        self.refused("call.shape", rows=self.rows.ravel())
        self.refused("call.shape", table=np.float32(3).reshape(()))

    def test_strided_read_only_overlapping_and_crooked_arrays(self):
        self.refused("call.strides", table=np.full((32, 8), -1, np.float32)[::2])
        self.refused("call.strides", ids=np.arange(10)[::2])
        self.refused("call.strides", rows=np.ones((5, 16), np.float32)[:, ::2])
        self.refused("call.strides", rows=np.ones((5, 9), np.float32)[:, :8])
        self.refused("call.overlap", rows=self.table[3:8])
        self.refused("call.alignment",
                     rows=np.zeros(161, np.uint8)[1:].view(np.uint8).view(np.float32).reshape(5, 8))
        self.table.flags.writeable = False
        self.refused("call.readonly")

    def test_an_index_out_of_range_where_rows_are_empty(self):
        for type in (np.int32, np.uint32, np.int64, np.uint64):
            ids = np.array([0, 5], type)
            empty = np.zeros((5, 0), np.float32)
            for call in (lambda: ptojit.gather_rows(empty, ids),
                         lambda: ptojit.scatter_rows(empty, ids, np.zeros((2, 0), np.float32))):
                problem = self.assert_refused("index.range", IndexError, call)
                self.assertIn("position 1 is 5; the table has 5 rows", str(problem))
            self.assertEqual(ptojit.gather_rows(empty, ids[:1]).shape, (1, 0))
            self.assertEqual(ptojit.gather_rows(empty, ids, oob="zero").shape, (2, 0))
        self.assert_refused("index.range", IndexError, lambda: ptojit.gather_rows(
            empty, np.array([2**32]), oob="clamp"))

    def test_wrong_policies_and_arguments(self):
        self.refused("call.policy", oob="ignore")
        self.refused("call.policy", oob=3)
        self.refused("call.policy", atomic="mul")
        self.refused("call.policy", conflict="first")
        self.refused("a5.scatter.oob", ptojit.SpecError, oob="zero")
        self.refused("call.argument", mode="clip")
        for call in (lambda: ptojit.gather(self.table), lambda: ptojit.gather(),
                     lambda: ptojit.gather(self.table, self.ids, "clamp"),
                     lambda: ptojit.gather(self.table, self.ids, table=self.table)):
            self.assert_refused("call.argument", ptojit.ArrayError, call)

    def test_an_atomic_that_no_target_has_is_its_diagnostic(self):
        problem = self.assert_refused(
            "a5.scatter.atomic", ptojit.SpecError,
            lambda: ptojit.scatter_rows(self.table.astype(np.float16), self.ids,
                                        self.rows.astype(np.float16), atomic="max"))
        self.assertIn("max", problem.rule)
        self.assertTrue(ptojit.check(problem.try_))

    def test_an_index_out_of_range_is_an_index_error_that_names_its_position(self):
        for wrong in (-1, 16, 2**40, -(2**40)):
            self.ids[3] = wrong
            problem = self.refused("index.range", IndexError)
            self.assertIn(f"ids at position 3 is {wrong}; the table has 16 rows", str(problem))
            self.assert_refused(
                "index.range", IndexError, lambda: ptojit.gather_rows(self.table, self.ids))
        ids = np.zeros(20000, np.int32)
        ids[19999] = 16
        rows = np.ones((20000, 8), np.float32)
        self.assertIn("position 19999", str(self.refused("index.range", IndexError, ids=ids, rows=rows)))

    def test_a_table_without_slots(self):
        empty = np.empty((0, 8), np.float32)
        for oob in ("raise", "clamp", "wrap"):
            self.assert_refused(
                "index.range", IndexError, lambda: ptojit.gather_rows(empty, self.ids, oob=oob))
        self.assertEqual(ptojit.gather_rows(empty, self.ids, oob="zero").sum(), 0)
        self.assertEqual(ptojit.gather_rows(empty, self.ids[:0]).shape, (0, 8))


if __name__ == "__main__":
    unittest.main()
