"""A kernel from its spec to its call, and what can be asked of it on the way."""

import inspect
import threading
import time
import unittest

import numpy as np

import ptojit
from support import Case

SCATTER = "a5:mscatter.row.skip.atomic_add src=f32[4096x32|?x32] idx=i32[1x4096|1x?] table=f32[?x32]"


class KernelTest(Case):
    def setUp(self) -> None:
        rng = np.random.default_rng(3)
        self.table = rng.random((100, 32), dtype=np.float32)
        self.grad = rng.random((50, 32), dtype=np.float32)
        self.ids = rng.integers(0, 100, 50)

    def test_runtime_dimensions_come_from_the_arrays_or_by_name(self):
        kernel = ptojit.compile(SCATTER)
        expected = self.table.copy()
        np.add.at(expected, self.ids, self.grad)
        for ids in (self.ids, self.ids.astype(np.int32), self.ids.reshape(1, -1)):
            table = self.table.copy()
            self.assertIsNone(kernel(src=self.grad, idx=ids, table=table))
            self.assert_same_bits(table, expected)
        kernel(src=self.grad, idx=self.ids, table=self.table, bind={"src.vr": 1, "idx.vc": 1})
        self.assertNotEqual(self.table[self.ids[0], 0], expected[self.ids[0], 0])

    def test_shapes_seen_often_get_kernels_of_their_own(self):
        kernel = ptojit.compile(SCATTER.replace(".atomic_add", ""), backend="auto")
        before = ptojit.cache_statistics()
        call = kernel.bind(src=self.grad, idx=self.ids.astype(np.int32), table=self.table)
        for _ in range(1000):
            call()
        after = ptojit.cache_statistics()
        has_own = 1 if kernel.backend == "xbyak" else 0
        self.assertEqual(after["bindings"] - before["bindings"], has_own)
        self.assertEqual(after["declined_bindings"], before["declined_bindings"])

    def test_tiles_lie_in_their_layout(self):
        by_columns = ptojit.compile("a5:mgather.elem dst=f32[8x4]:cm idx=i32[8x4]:cm table=f32[99]")
        table = np.arange(99, dtype=np.float32)
        idx = np.asfortranarray(np.arange(32, dtype=np.int32).reshape(8, 4) * 3)
        dst = np.zeros((8, 4), np.float32, order="F")
        by_columns(dst=dst, idx=idx, table=table)
        self.assert_same_bits(dst, table[idx])
        by_columns(dst=dst, idx=np.asarray(idx, np.int64, order="C") // 3, table=table)
        self.assert_same_bits(dst, table[idx // 3])
        self.assert_refused("call.strides", ValueError, lambda: by_columns(
            dst=np.zeros((8, 4), np.float32), idx=idx, table=table))
        blocks = ptojit.compile(
            "a2a3:mgather.row dst=f16[16x32]:nz idx=i32[1x16] table=f16[1x2x3x16x16]:nz")
        nz = np.arange(1536, dtype=np.float16).reshape(1, 2, 3, 16, 16)
        out = np.zeros((2, 16, 16), np.float16)
        blocks(dst=out, idx=np.arange(16, dtype=np.int32)[::-1].copy(), table=nz)
        self.assert_same_bits(out, nz[0, :, 0, ::-1].copy())

    def test_a_table_may_step_as_its_spec_says(self):
        kernel = ptojit.compile(
            "a2a3:mgather.row dst=f32[8x32|?x32] idx=i32[1x8|1x?] table=f32[?x32@?x1]")
        wide = np.arange(400, dtype=np.float32).reshape(10, 40)
        dst = np.zeros((2, 32), np.float32)
        kernel(dst=dst, idx=np.array([9, 1], np.int32), table=wide[:, :32])
        self.assert_same_bits(dst, wide[[9, 1], :32])

    def test_tile_to_tile_and_groups(self):
        spread = ptojit.compile("a5:tscatter.p0101 src=f32[4x8] dst=f32[4x16]")
        src, dst = np.arange(32, dtype=np.float32).reshape(4, 8), np.ones((4, 16), np.float32)
        spread(src=src, dst=dst)
        self.assert_same_bits(dst[:, ::2].copy(), src)
        self.assertEqual(dst[:, 1::2].sum(), 0)
        group = ptojit.compile(
            "a5:comm.tscatter src=f32[4x8] dst=f32[2x8] stage=f32[2x8] ranks=2 root=0")
        parts = [np.zeros((2, 8), np.float32) for _ in range(2)]
        group(src=src, dst=parts)
        self.assert_same_bits(np.vstack(parts), src)
        self.assert_refused("call.buffer", ValueError, lambda: group(src=src, dst=parts[:1]))
        self.assert_refused("call.buffer", ValueError, lambda: group(src=src, dst=parts[0]))

    def test_a_bound_kernel_is_called_on_the_same_memory_again(self):
        kernel = ptojit.compile(SCATTER)
        ids = self.ids.astype(np.int32)
        bound = kernel.bind(src=self.grad, idx=ids, table=self.table)
        expected = self.table.copy()
        for _ in range(3):
            self.assertIsNone(bound())
            np.add.at(expected, ids, self.grad)
        self.assert_same_bits(self.table, expected)
        keeps = kernel.bind(src=np.ones((1, 32), np.float32), idx=np.zeros(1, np.int32),
                            table=self.table)
        keeps()
        self.assertEqual(self.table[0, 0], expected[0, 0] + 1)

    def test_calls_come_back_to_shapes_and_are_checked_again(self):
        kernel = ptojit.compile(SCATTER)
        for count in [*range(1, 41), *range(40, 0, -3), 7, 7]:
            ids, grad = self.ids[:count].astype(np.int32), self.grad[:count].copy()
            table, expected = self.table.copy(), self.table.copy()
            np.add.at(expected, ids, grad)
            kernel(src=grad, idx=ids, table=table)
            self.assert_same_bits(table, expected)
            with self.assertRaises(ptojit.Error):
                kernel(src=table[:count], idx=ids, table=table)
            self.assert_same_bits(table, expected)

    def test_an_unchecked_call_does_the_same_on_good_indices(self):
        kernel = ptojit.compile(SCATTER.replace(".skip", ""))
        checked, unchecked = self.table.copy(), self.table.copy()
        kernel(src=self.grad, idx=self.ids, table=checked)
        kernel.unchecked(src=self.grad, idx=self.ids, table=unchecked)
        self.assert_same_bits(unchecked, checked)
        for call in (ptojit.Kernel.unchecked, ptojit.BoundKernel.__call__, ptojit.Kernel.bind):
            self.assertIn("indices", call.__doc__)

    def test_audits_find_and_move_nothing(self):
        ids = np.array([1, 100, 1, 5, -1], np.int32)
        before = self.table.copy()
        found = ptojit.audit(SCATTER, src=self.grad[:5], idx=ids, table=self.table)
        self.assertEqual((found.out_of_bounds, found.first_out_of_bounds), (2, 1))
        self.assertEqual((found.collisions, found.first_collision), (1, 2))
        self.assertTrue(found)
        self.assert_same_bits(self.table, before)
        self.assertFalse(ptojit.audit(SCATTER, src=self.grad[:1], idx=ids[:1], table=self.table))
        audited = ptojit.compile(SCATTER.replace("atomic_add", "atomic_add.audit"))
        self.assertEqual(audited(src=self.grad[:5], idx=ids, table=self.table).out_of_bounds, 2)
        bound = audited.bind(src=self.grad[:5], idx=ids, table=self.table)
        bound()
        self.assertEqual(bound.findings.collisions, 1)
        self.assert_refused("audit.index", ptojit.SpecError, lambda: ptojit.audit(
            "a5:tscatter.p0101 src=f32[4x8] dst=f32[4x16]", src=self.grad[:4, :8].copy(),
            dst=np.zeros((4, 16), np.float32)))

    def test_the_lock_is_given_back_during_a_call(self):
        table = np.zeros((1 << 16, 32), np.float32)
        ids = np.random.default_rng(1).integers(0, len(table), 1 << 20)
        ticks, stop = [], threading.Event()

        def tick() -> None:
            while not stop.is_set():
                ticks.append(time.perf_counter())
                time.sleep(0.0005)

        thread = threading.Thread(target=tick)
        thread.start()
        time.sleep(0.01)
        began = time.perf_counter()
        ptojit.gather_rows(table, ids)
        ended = time.perf_counter()
        stop.set()
        thread.join()
        inside = sum(began < at < ended for at in ticks)
        self.assertGreater(inside, 3, f"ticks in {1e3 * (ended - began):.1f} ms")

    def test_several_threads_do_one_call_with_the_same_bits(self):
        rng = np.random.default_rng(5)
        table = rng.random((1 << 16, 64), dtype=np.float32)  # 16 MB: beyond one core's caches
        rows = rng.random((1 << 13, 64), dtype=np.float32)
        for index in (np.int32, np.int64):
            ids = rng.integers(0, 1 << 16, 1 << 13).astype(index)
            ids[::3] = 7
            self.assertTrue(np.array_equal(ptojit.gather_rows(table, ids, threads=2), table[ids]))
            whole, shared = table.copy(), table.copy()
            ptojit.scatter_rows(whole, ids, rows, atomic="add")
            ptojit.scatter_rows(shared, ids, rows, atomic="add", threads=3)
            self.assert_same_bits(shared, whole, f"by {index.__name__}")
        spec = "a5:mscatter.row.atomic_add src=f32[8192x64] idx=i32[1x8192] table=f32[65536x64]"
        shared = table.copy()
        ids = ids.astype(np.int32)
        ptojit.compile(spec, threads=0)(src=rows, idx=ids, table=shared)
        self.assert_same_bits(shared, whole, "by a kernel")

    def test_numbers_of_threads_are_checked(self):
        table, ids = np.zeros((4, 8), np.float32), np.zeros(2, np.int32)
        for wrong in (-1, 5000, "two"):
            with self.assertRaises(ptojit.Error):
                ptojit.gather_rows(table, ids, threads=wrong)
        with self.assertRaises(ptojit.Error):
            ptojit.compile("a5:mgather.row dst=f32[8x8] idx=i32[1x8] table=f32[64x8]", threads=-1)

    def test_threads_call_at_the_same_time(self):
        table = np.random.default_rng(1).random((997, 24), dtype=np.float32)
        wrong = []

        def work(seed: int) -> None:
            rng = np.random.default_rng(seed)
            for _ in range(50):
                ids = rng.integers(0, 997, int(rng.integers(1, 6000)))
                if not np.array_equal(ptojit.gather_rows(table, ids), table[ids]):
                    wrong.append(seed)

        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class AskingTest(Case):
    def test_a_verdict_is_true_or_says_why_not(self):
        verdict = ptojit.check(SCATTER)
        self.assertTrue(verdict)
        self.assertEqual(verdict.spec, SCATTER)
        self.assertIn("a5.dynub", [note.id for note in verdict.diagnostics])
        refused = ptojit.check("a5:mscatter.row src=f32[8x31] idx=i32[1x8] table=f32[64x31]")
        self.assertFalse(refused)
        self.assertEqual(refused.diagnostics[0].id, "a5.scatter.width")
        self.assertTrue(ptojit.check(refused.diagnostics[0].try_))
        self.assertIn("error[a5.scatter.width]", str(refused))

    def test_a_refused_spec_is_an_exception_with_its_diagnostics(self):
        problem = self.assert_refused(
            "a2a3.scatter.atomic", ptojit.SpecError, lambda: ptojit.compile(
                "a2a3:mscatter.row.atomic_max src=f32[8x32] idx=i32[1x8] table=f32[64x32]"))
        self.assertIsInstance(problem, ValueError)
        self.assertIn("maximum", problem.rule)
        self.assertTrue(problem.try_.startswith("a5:mscatter.row.atomic_max"))
        self.assert_refused("text.target", ptojit.SpecError, lambda: ptojit.compile("b5:mscatter"))
        self.assert_refused("option.backend", ptojit.SpecError,
                            lambda: ptojit.compile(SCATTER, backend="gpu"))

    def test_plan_strategy_and_code_are_texts(self):
        kernel = ptojit.compile(SCATTER)
        self.assertEqual(kernel.spec, SCATTER)
        self.assertIn("resolve   skip, capacity table.d3", kernel.plan)
        self.assertIn(kernel.backend, ("xbyak", "llvm", "interpreter"))
        if kernel.backend != "interpreter":
            self.assertIn("ret", kernel.asm)
            self.assertIn("indices", kernel.strategy)
        self.assertIn("a5.dynub", [note.id for note in kernel.notes])
        self.assertEqual(repr(kernel), f"<Kernel {SCATTER}>")

    def test_text_for_devices_is_emitted_and_checked(self):
        spec = "a5:mscatter.row.clamp src=f32[8x16] idx=i32[1x8] table=f32[64x16]"
        self.assertIn("MSCATTER<Coalesce::Row", ptojit.emit(spec))
        self.assertIn("my_name", ptojit.emit(spec, form="expanded", name="my_name"))
        self.assertIn("// Checked: ", ptojit.emit(spec, form="expanded", check=True))
        self.assert_refused("a5.scatter.width", ptojit.SpecError, lambda: ptojit.emit(
            "a5:mscatter.row src=f32[8x31] idx=i32[1x8] table=f32[64x31]"))
        problem = self.assert_refused(
            "option.form", ptojit.SpecError, lambda: ptojit.emit(spec, form="poem"))
        self.assertIn("poem", problem.diagnostics[0].message)

    def test_everything_public_is_documented(self):
        for name in ptojit.__all__:
            self.assertTrue(inspect.getdoc(getattr(ptojit, name)), name)
        for name in ("gather", "gather_rows", "scatter", "scatter_rows"):
            parameters = inspect.signature(getattr(ptojit, name)).parameters
            self.assertEqual(parameters["oob"].default, "raise")
            self.assertEqual(next(iter(parameters)), "table")


if __name__ == "__main__":
    unittest.main()
