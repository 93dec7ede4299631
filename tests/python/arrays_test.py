"""Arrays of every kind are taken without a copy, and given back."""

import array
import ctypes
import gc
import sys
import unittest

import numpy as np

import ptojit
from producers import BFLOAT, CUDA, INT, Producer, new_capsule
from support import Case, in_tile

class DlpackTest(Case):
    def setUp(self) -> None:
        self.table = np.arange(64, dtype=np.float32).reshape(16, 4)
        self.ids = np.array([3, 0, 15], np.int32)

    def test_memory_is_read_and_written_where_it_lies(self):
        table, ids = Producer(self.table), Producer(self.ids, code=INT)
        self.assert_same_bits(ptojit.gather_rows(table, ids), self.table[self.ids])
        ptojit.scatter_rows(table, ids, np.full((3, 4), -1, np.float32))
        self.assertEqual(self.table[15, 3], -1)
        self.assertEqual((table.given, table.returned, ids.returned), (2, 2, 2))

    def test_strides_and_byte_offset_are_honoured(self):
        offset = Producer(self.table, shape=(15, 4), offset=16, strides=(4, 1))
        self.assert_same_bits(ptojit.gather_rows(offset, self.ids[:2]), self.table[1:][self.ids[:2]])
        strided = Producer(self.table, shape=(8, 4), strides=(8, 1))
        self.assert_refused("call.strides", ValueError, lambda: ptojit.gather_rows(strided, self.ids))
        self.assertEqual(strided.returned, 1)

    def test_bf16_is_moved(self):
        memory = np.arange(32, dtype=np.uint16).reshape(8, 4)
        table = Producer(memory, code=BFLOAT, bits=16)
        got = ptojit.gather_rows(table, np.array([7, 1]))
        self.assert_same_bits(got, memory[[7, 1]])
        kernel = ptojit.compile(
            "a5:mscatter.row.atomic_add src=bf16[8x16|?x4] idx=i32[1x8|1x?] table=bf16[?x4]")
        one = np.full((8, 4), 0x3F80, np.uint16)
        kernel(src=in_tile(one[:2], "bf16"), idx=np.array([2, 2], np.int32),
               table=Producer(one, code=BFLOAT, bits=16))
        self.assertEqual(one[2, 0], 0x4040)  # 3.0

    def test_a_capsule_is_consumed_once(self):
        producer = Producer(self.table)
        capsule = producer.__dlpack__()
        self.assert_same_bits(ptojit.gather_rows(capsule, self.ids), self.table[self.ids])
        self.assert_refused("call.dlpack", ValueError, lambda: ptojit.gather_rows(capsule, self.ids))
        other = new_capsule(ctypes.addressof(producer.managed), b"something", None)
        self.assert_refused("call.dlpack", ValueError, lambda: ptojit.gather_rows(other, self.ids))
        self.assertEqual(producer.returned, 1)

    def test_what_is_refused_is_given_back(self):
        wide = np.zeros((4, 4))
        for producer, id in (
                (Producer(wide, bits=64), "call.dtype"),
                (Producer(self.table, lanes=4), "call.dtype"),
                (Producer(self.table, bits=4), "call.dtype"),
                (Producer(self.table, strides=(8, 2)), "call.strides"),
                (Producer(self.table, shape=(1,) * 9), "call.shape")):
            self.assert_refused(id, ValueError, lambda: ptojit.gather_rows(producer, self.ids))
            self.assertEqual((producer.given, producer.returned), (1, 1), id)
        table = Producer(self.table)
        self.assert_refused(
            "index.range", IndexError, lambda: ptojit.gather_rows(table, np.array([16])))
        self.assertEqual(table.returned, 1)
        kernel = ptojit.compile("a5:mgather.row dst=f32[8x8|?x4] idx=i32[1x8|1x?] table=f32[?x4]")
        dst = in_tile(np.zeros((3, 4), np.float32), "f32")
        self.assert_refused("call.dtype", ValueError, lambda: kernel(
            table=table, dst=dst, idx=self.ids.astype(np.float32)))
        self.assertEqual(table.returned, 2)

    def test_another_device_is_refused_by_its_name_and_nothing_is_taken(self):
        producer = Producer(self.table, device=CUDA)
        problem = self.assert_refused(
            "call.device", ValueError, lambda: ptojit.gather_rows(producer, self.ids))
        self.assertIn("CUDA", str(problem))
        self.assertEqual(producer.given, 0)

    def test_a_producer_that_fails_is_quoted(self):
        class Broken(Producer):
            def __dlpack__(self, stream=None):
                raise BufferError("no export today")

        problem = self.assert_refused(
            "call.dlpack", ValueError, lambda: ptojit.gather_rows(Broken(self.table), self.ids))
        self.assertIn("no export today", str(problem))

    def test_a_bound_kernel_keeps_it(self):
        kernel = ptojit.compile("a5:mgather.row dst=f32[8x8|?x4] idx=i32[1x8|1x?] table=f32[?x4]")
        table, dst = Producer(self.table), in_tile(np.zeros((3, 4), np.float32), "f32")
        bound = kernel.bind(table=table, dst=dst, idx=self.ids)
        self.assertEqual(table.returned, 0)
        bound()
        self.assert_same_bits(dst, self.table[self.ids])
        del bound
        gc.collect()
        self.assertEqual(table.returned, 1)


class BufferTest(Case):
    def test_buffers_are_taken_as_they_are(self):
        table = bytearray(range(96))
        self.assertEqual(bytes(ptojit.gather(table, array.array("i", [5, 95]))), bytes([5, 95]))
        ptojit.scatter(table, memoryview(array.array("q", [7])), array.array("B", [200]))
        self.assertEqual(table[7], 200)
        table.append(1)  # nothing holds on to it
        self.assert_refused("call.readonly", ValueError, lambda: ptojit.scatter(
            bytes(8), array.array("i", [1]), bytes(1)))
        self.assert_refused("call.dtype", ValueError, lambda: ptojit.gather(
            array.array("d", [1.0]), array.array("i", [0])))

    def test_arrays_are_given_back(self):
        table, ids, rows = np.zeros((9, 3), np.float32), np.arange(4), np.ones((4, 3), np.float32)
        before = [sys.getrefcount(each) for each in (table, ids, rows)]
        for _ in range(100):
            ptojit.scatter_rows(table, ids, rows)
            result = ptojit.gather_rows(table, ids)
            for wrong in ({"oob": "no"}, {"ids": ids + 9}, {"rows": rows[:2]}):
                with self.assertRaises(ptojit.Error):
                    ptojit.scatter_rows(**{"table": table, "ids": ids, "rows": rows, **wrong})
        del result, wrong
        self.assertEqual([sys.getrefcount(each) for each in (table, ids, rows)], before)

    def test_ml_dtypes_are_known_by_their_names(self):
        try:
            import ml_dtypes
        except ImportError:
            self.skipTest("ml_dtypes is not installed")
        for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
            table = np.arange(32).astype(getattr(ml_dtypes, name)).reshape(8, 4)
            self.assert_same_bits(ptojit.gather_rows(table, np.array([7, 1])), table[[7, 1]])


class ShapeTest(Case):
    def test_a_gather_has_the_shape_of_its_indices_and_rows(self):
        table = np.arange(5 * 3 * 7, dtype=np.int16).reshape(5, 3, 7)
        for ids in (np.array([[4, 0], [1, 1]]), np.array(3), np.zeros((2, 0), np.int32)):
            self.assert_same_bits(ptojit.gather_rows(table, ids), table[ids.astype(int)])
            got = table.copy()
            ptojit.scatter_rows(got, ids, np.zeros_like(table[ids.astype(int)]))
            self.assertEqual(got[np.unique(ids)].sum() if ids.size else 0, 0)

    def test_rows_of_no_multiple_of_32_bytes_come_as_a_view_of_a_padded_array(self):
        table = np.arange(60, dtype=np.float32).reshape(12, 5)
        got = ptojit.gather_rows(table, np.array([11, 2]))
        self.assertEqual(got.strides, (32, 4))
        self.assertEqual(got.base.shape, (2, 8))
        ptojit.scatter_rows(table, np.array([0, 1]), got)  # taken as it lies
        self.assert_same_bits(table[:2], got.copy())
        whole = ptojit.gather_rows(np.zeros((4, 8), np.float32), np.array([1]))
        self.assertTrue(whole.flags.c_contiguous and whole.base is None)

    def test_rows_without_elements_and_tables_of_one_dimension(self):
        self.assertEqual(ptojit.gather_rows(np.zeros((3, 0), np.int8), np.array([1])).shape, (1, 0))
        self.assertEqual(list(ptojit.gather_rows(np.arange(4, dtype=np.int32), np.array([2, 0]))), [2, 0])


if __name__ == "__main__":
    unittest.main()
