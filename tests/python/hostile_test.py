"""Objects that lie, raise, or change what holds them while they are read."""

import array
import concurrent.futures
import ctypes
import gc
import unittest
import weakref

import numpy as np

import ptojit
from producers import INT, Producer
from support import Case

DEAL = "a5:comm.tscatter src=f32[4x8] dst=f32[2x8] stage=f32[2x8] ranks=2 root=0"
AUDITED = "a5:mgather.row.zero.audit dst=f32[16384x8|?x8] idx=i32[1x16384|1x?] table=f32[?x8]"
FARTHEST = 2**63 - 1


class KeepingTest(Case):
    def setUp(self) -> None:
        self.src = np.arange(32, dtype=np.float32).reshape(4, 8)
        self.parts = [np.zeros((2, 8), np.float32) for _ in range(2)]

    def test_a_bound_kernel_keeps_the_arrays_of_a_list_that_is_cleared(self):
        seen = [weakref.ref(part) for part in self.parts]
        bound = ptojit.compile(DEAL).bind(src=self.src, dst=self.parts)
        self.parts.clear()
        gc.collect()
        self.assertTrue(all(ref() is not None for ref in seen))
        bound()
        self.assert_same_bits(np.vstack([ref() for ref in seen]), self.src)
        del bound
        gc.collect()
        self.assertEqual([ref() for ref in seen], [None, None])

    def test_a_list_that_changes_while_it_is_read_is_taken_as_it_was(self):
        for change in (lambda: self.parts.clear(), lambda: self.parts.pop(),
                       lambda: self.parts.insert(0, None), lambda: self.parts.reverse()):
            class Changing(Producer):
                def __dlpack__(self, stream=None):
                    change()
                    gc.collect()
                    return super().__dlpack__(stream)

            self.setUp()
            first = Changing(np.zeros((2, 8), np.float32))
            second = self.parts[1]
            self.parts[0] = first
            ptojit.compile(DEAL)(src=self.src, dst=self.parts)
            self.assert_same_bits(np.vstack([first.memory, second]), self.src)

    def test_bound_values_that_change_their_dictionary_are_taken_as_they_were(self):
        class Changing:
            def __index__(self):
                values.clear()
                return 1

        values = {"src.vr": Changing(), "idx.vc": 1}
        table = np.zeros((4, 8), np.float32)
        ptojit.compile("a5:mscatter.row.skip src=f32[8x8|?x8] idx=i32[1x8|1x?] table=f32[?x8]")(
            src=np.ones((8, 8), np.float32), idx=np.arange(8, dtype=np.int32), table=table, bind=values)
        self.assertEqual(table.sum(), 8)


class LyingTest(Case):
    def setUp(self) -> None:
        self.table = np.arange(64, dtype=np.float32).reshape(16, 4)
        self.ids = np.array([3, 0, 15], np.int32)

    def test_tensors_that_cannot_be_are_refused_and_given_back(self):
        null = ctypes.POINTER(ctypes.c_int64)()
        for id, lie in (
                ("call.shape", {"ndim": -1}), ("call.shape", {"ndim": 9}),
                ("call.shape", {"ndim": -2**31}), ("call.shape", {"ndim": 2**31 - 1}),
                ("call.shape", {"shape": null}), ("call.array", {"data": None}),
                ("call.array", {"data": None, "byte_offset": 64}),
                ("call.size", {"byte_offset": 2**64 - 4}), ("call.size", {"byte_offset": 2**63}),
                ("call.size", {"data": 2**64 - 64}),
                ("call.dtype", {"lanes": 0}), ("call.dtype", {"lanes": 2}),
                ("call.dtype", {"bits": 0}), ("call.dtype", {"bits": 255}),
                ("call.dtype", {"bits": 33}), ("call.dtype", {"code": 3}),
                ("call.dtype", {"code": 255}), ("call.device", {"device": (0, 0)}),
                ("call.device", {"device": (2, 0)})):
            liar = Producer(self.table, lies=lie)
            for wrong in (lambda: ptojit.gather_rows(liar, self.ids),
                          lambda: ptojit.gather_rows(self.table, liar),
                          lambda: ptojit.scatter_rows(self.table, self.ids, liar)):
                with self.assertRaises(ptojit.ArrayError, msg=lie) as caught:
                    wrong()
            self.assertEqual((liar.given, liar.returned), (3, 3), lie)
            self.assert_refused(id, ValueError, lambda: ptojit.gather_rows(liar, self.ids))

    def test_extents_and_strides_that_no_memory_has_are_refused(self):
        for id, shape, strides in (
                ("call.shape", (-1, 4), None), ("call.shape", (16, -2**63), None),
                ("call.size", (2**62, 2**62), None), ("call.size", (FARTHEST, 4), None),
                ("call.size", (2**62, 0, 2**62), None), ("call.size", (16, 4), (2**62, 1)),
                ("call.size", (16, 4), (-2**63, 1)), ("call.size", (16, 4), (2**60, 1)),
                ("call.size", (2, 4), (-2**61, 1)), ("call.strides", (16, 4), (-4, 1)),
                ("call.strides", (16, 4), (0, 0))):
            liar = Producer(self.table, shape=shape, strides=strides)
            self.assert_refused(id, ValueError, lambda: ptojit.gather_rows(liar, self.ids))
            self.assertEqual(liar.returned, 1)
        far = np.lib.stride_tricks.as_strided(self.table, (16, 4), (2**62, 4))
        self.assert_refused("call.size", ValueError, lambda: ptojit.gather_rows(far, self.ids))

    def test_rows_farther_apart_than_a_tile_can_say_are_refused(self):
        table = np.zeros((4, 32), np.uint8)
        far = np.lib.stride_tricks.as_strided(np.zeros((2, 32), np.uint8), (2, 32), (2**32, 1))
        self.assert_refused(
            "call.strides", ValueError, lambda: ptojit.scatter_rows(table, self.ids[:2], far), table)

    def test_rows_without_indices_are_none_however_many(self):
        ids, table = np.zeros((2**40, 0), np.int64), np.zeros((4, 32), np.float32)
        kernel = ptojit.compile("a5:mgather.row.zero dst=f32[8x32|?x32] idx=i32[1x8|1x?] table=f32[?x32]")
        self.assert_refused("call.shape", ValueError, lambda: kernel(
            dst=np.zeros((8, 32), np.float32), idx=ids, table=table))

    def test_no_address_will_do_for_no_elements(self):
        nothing = Producer(np.zeros((0, 4), np.float32), lies={"data": None})
        self.assertEqual(ptojit.gather_rows(nothing, self.ids[:0]).shape, (0, 4))
        no_ids = Producer(np.zeros(0, np.int32), code=INT, lies={"data": None})
        self.assertEqual(ptojit.gather_rows(self.table, no_ids).shape, (0, 4))

    def test_buffers_without_strides_are_packed(self):
        ids = (ctypes.c_int * 3)(3, 0, 15)
        self.assert_same_bits(ptojit.gather_rows(self.table, ids), self.table[self.ids])


class RaisingTest(Case):
    class Odd(Exception):
        def __str__(self):
            raise KeyboardInterrupt

    def setUp(self) -> None:
        self.table = np.zeros((16, 4), np.float32)

    def calls_that_meet(self, raising):
        """Each runs code of an object's, which calls `raising`."""
        class InCapsule(Producer):
            def __dlpack__(self, stream=None):
                raising()

        class InDevice(Producer):
            def __dlpack_device__(self):
                raising()

        class InDeviceNumber(Producer):
            def __dlpack_device__(self):
                return (Number(), 0)

        class InAttribute:
            def __getattr__(self, name):
                raising()

        class Number:
            def __index__(self):
                raising()

        spec = "a5:mgather.row.zero dst=f32[8x8|?x4] idx=i32[1x8|1x?] table=f32[?x4]"
        ids = np.zeros(2, np.int32)
        for each in (InCapsule, InDevice, InDeviceNumber):
            yield lambda each=each: ptojit.gather_rows(each(self.table), ids)
            yield lambda each=each: ptojit.compile(spec)(table=each(self.table), idx=ids, dst=ids)
        yield lambda: ptojit.gather_rows(InAttribute(), ids)
        yield lambda: ptojit.gather_rows(self.table, ids, threads=Number())
        yield lambda: ptojit.compile(spec, threads=Number())
        yield lambda: ptojit.compile(spec)(table=self.table, idx=ids, dst=np.zeros((2, 8), np.float32),
                                           bind={"dst.vr": Number()})

    def test_interrupts_and_exits_pass_through(self):
        for kind in (KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError):
            def raising():
                raise kind("stop")

            for call in self.calls_that_meet(raising):
                with self.assertRaises(kind):
                    call()

    def test_other_exceptions_become_diagnostics(self):
        for kind in (ValueError, BufferError, RecursionError, AttributeError, StopIteration):
            def raising():
                raise kind("nothing today")

            for call in self.calls_that_meet(raising):
                with self.assertRaises(ptojit.Error):
                    call()

    def test_an_interrupt_while_an_exception_is_quoted_passes_through(self):
        def raising():
            raise self.Odd

        quoting = list(self.calls_that_meet(raising))[:4]
        for call in quoting:
            with self.assertRaises(KeyboardInterrupt):
                call()

    def test_deleters_meet_no_exception(self):
        for count in (2**31, 2**34):
            many = Producer(np.zeros(1, np.int32), code=INT, shape=(count, 2**10))
            table = Producer(np.zeros((1, 4), np.float32), shape=(1, 2**27))
            with self.assertRaises((MemoryError, ValueError)):
                ptojit.gather_rows(table, many)
            self.assertEqual((table.returned, table.disturbed), (1, 0))
            self.assertEqual((many.returned, many.disturbed), (1, 0))


class ThreadsTest(Case):
    def test_numbers_are_what_has_an_index_and_a_refusal_names_them(self):
        table, ids = np.zeros((4, 8), np.float32), np.zeros(2, np.int32)
        spec = "a5:mgather.row dst=f32[8x8] idx=i32[1x8] table=f32[64x8]"
        for given in (0, 1, 2, True, np.int64(2), np.uint8(2), np.array(2)):
            ptojit.gather_rows(table, ids, threads=given)
            ptojit.compile(spec, threads=given)
        for wrong in (2**40, 2**70, -1, 1025, None, "two", 2.0, np.float32(2), [2]):
            for call in (lambda: ptojit.gather_rows(table, ids, threads=wrong),
                         lambda: ptojit.compile(spec, threads=wrong)):
                problem = self.assert_refused("option.threads", ptojit.SpecError, call)
                self.assertIn(f"threads is {wrong!r}; ", str(problem))

    def test_findings_belong_to_the_call_that_made_them(self):
        count = 16384  # long enough for calls to meet
        ids, table = np.arange(count, dtype=np.int32) % 16, np.zeros((8, 8), np.float32)
        bound = ptojit.compile(AUDITED).bind(dst=np.zeros((count, 8), np.float32), idx=ids, table=table)
        self.assertEqual(bound.findings.out_of_bounds, 0)

        def work(_) -> set:
            found = [bound() for _ in range(50)]
            return {(each.out_of_bounds, each.first_out_of_bounds) for each in found}

        with concurrent.futures.ThreadPoolExecutor(4) as threads:
            for found in threads.map(work, range(4)):
                self.assertEqual(found, {(count // 2, 8)})
        self.assertEqual(bound.findings.out_of_bounds, count // 2)


class AdviceTest(Case):
    def test_advice_for_a_table_that_is_written_loses_nothing(self):
        wide = np.zeros((4, 16), np.float32)
        x, ids, rows = wide[:, :8], np.array([3, 0]), np.ones((2, 8), np.float32)
        problem = self.assert_refused(
            "call.strides", ValueError, lambda: ptojit.scatter_rows(x, ids, rows), wide)
        advice = str(problem).split("`")[1]
        self.assertEqual(advice, "copy = x.copy(); ...; x[...] = copy")
        before, after = advice.split("...", 1)
        names = {"x": x}
        exec(before, names)
        ptojit.scatter_rows(names["copy"], ids, rows)
        exec(after.lstrip("; "), names)
        self.assertEqual(wide[[3, 0], :8].sum(), 16)

    def test_advice_for_what_is_only_read_is_a_contiguous_copy(self):
        table, ids = np.zeros((4, 16), np.float32)[:, :8], np.arange(4)
        for call in (lambda: ptojit.gather_rows(table, ids),
                     lambda: ptojit.gather_rows(table.copy(), ids[::2])):
            problem = self.assert_refused("call.strides", ValueError, call)
            self.assertIn("np.ascontiguousarray", str(problem))
        ptojit.gather_rows(np.ascontiguousarray(table), np.ascontiguousarray(ids[::2]))

    def test_several_indices_out_of_range_are_counted_in_a_sentence(self):
        for ids, ending in (([-1, 4, 9], "; 2 more indices are out of range"),
                            ([4, 4], "; 1 more index is out of range"), ([4], "has 4 elements")):
            problem = self.assert_refused("index.range", IndexError, lambda: ptojit.gather(
                array.array("f", [1, 2, 3, 4]), np.array(ids)))
            self.assertTrue(str(problem).endswith(ending), str(problem))


if __name__ == "__main__":
    unittest.main()
