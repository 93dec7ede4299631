"""What NumPy does otherwise, or not at all, is what the interpreter does, bit for bit."""

import unittest

import numpy as np

import ptojit
from support import TYPES, Case, any_bits, in_tile, padded

SLOTS = 7
BEYOND = np.array([0, -1, 6, 7, 8, 13, 14, 2**31 - 1, -(2**31), -7, 3], np.int32)


def interpreted(mnemonic: str, dtype: str, rows, ids, table) -> None:
    """By the interpreter, in place."""
    count, width = rows.shape
    cols, name = padded(dtype, width), "dst" if "gather" in mnemonic else "src"
    spec = (f"{mnemonic} {name}={dtype}[{count}x{cols}|{count}x{width}] "
            f"idx=i32[1x{-(-count // 8) * 8}|1x{count}] table={dtype}[?x{width}]")
    kernel = ptojit.compile(spec, backend="interpreter")
    assert kernel.backend == "interpreter"
    kernel(**{name: rows}, idx=ids, table=table)


class DifferencesTest(Case):
    def setUp(self) -> None:
        self.rng = np.random.default_rng(5)

    def test_indices_out_of_range_go_where_the_policy_says(self):
        for dtype in ("f32", "i16", "u8"):
            for width in (1, 8, 33):
                table = any_bits(self.rng, (SLOTS, width), dtype)
                for oob in ("clamp", "wrap", "zero"):
                    expected = in_tile(any_bits(self.rng, (len(BEYOND), width), dtype), dtype)
                    interpreted(f"a5:mgather.row.{oob}", dtype, expected, BEYOND, table)
                    for ids in (BEYOND, BEYOND.view(np.uint32), BEYOND.astype(np.int64)):
                        got = ptojit.gather_rows(table, ids, oob=oob)
                        self.assert_same_bits(got, expected, f"{dtype} {width} {oob} {ids.dtype}")
                rows = any_bits(self.rng, (len(BEYOND), width), dtype)
                for oob in ("clamp", "wrap", "skip"):
                    got, expected = table.copy(), table.copy()
                    ptojit.scatter_rows(got, BEYOND, rows, oob=oob)
                    interpreted(f"a5:mscatter.row.{oob}", dtype, in_tile(rows, dtype), BEYOND, expected)
                    self.assert_same_bits(got, expected, f"{dtype} {width} {oob}")

    def test_a_negative_index_is_a_large_one_unlike_in_numpy(self):
        table = np.arange(SLOTS, dtype=np.float32)
        ids = np.array([-1, -8], np.int64)
        self.assertEqual(list(ptojit.gather(table, ids, oob="clamp")), [6, 6])
        self.assertEqual(list(table.take(ids, mode="clip")), [0, 0])
        wrapped = [(2**32 - 1) % SLOTS, (2**32 - 8) % SLOTS]
        self.assertEqual(list(ptojit.gather(table, ids, oob="wrap")), wrapped)
        self.assertNotEqual(list(table.take(ids, mode="wrap")), wrapped)

    def test_maxima_and_minima_keep_the_table_where_it_ties_or_is_no_number(self):
        special = np.array([np.nan, 0.0, -0.0, 1.0, -np.inf, np.inf], np.float32)
        table, rows = (np.ascontiguousarray(a) for a in np.meshgrid(special, special))
        table = table.reshape(-1, 1)
        rows = rows.reshape(-1, 1)
        ids = np.arange(len(rows), dtype=np.int32)
        for atomic in ("max", "min"):
            got, expected = table.copy(), table.copy()
            ptojit.scatter_rows(got, ids, rows, atomic=atomic)
            interpreted(f"a5:mscatter.row.atomic_{atomic}", "f32", in_tile(rows, "f32"), ids, expected)
            self.assert_same_bits(got, expected, atomic)
            numpys = table.copy()
            (np.maximum if atomic == "max" else np.minimum).at(numpys, ids, rows)
            self.assertNotEqual(got.tobytes(), numpys.tobytes())

    def test_bf16_sums_are_rounded_after_every_addition(self):
        table = np.full((3, 16), 0x3F80, np.uint16)  # 1.0
        rows = np.full((200, 16), 0x3B80, np.uint16)  # 2^-8, half of the last place of 1.0
        ids = np.full(200, 1, np.int32)
        kernel = ptojit.compile(
            "a5:mscatter.row.atomic_add src=bf16[256x16|?x16] idx=i32[1x256|1x?] table=bf16[?x16]")
        got, expected = table.copy(), table.copy()
        kernel(src=rows, idx=ids, table=got)
        interpreted("a5:mscatter.row.atomic_add", "bf16", rows, ids, expected)
        self.assert_same_bits(got, expected)
        self.assertEqual(got[1, 0], 0x3F80)  # each sum falls back to 1.0

    def test_elements_meet_the_interpreter_too(self):
        for oob in ("skip", "clamp", "wrap"):
            for dtype in TYPES:
                if dtype == "hif8":
                    continue
                table, values = any_bits(self.rng, 50, dtype), any_bits(self.rng, 11, dtype)
                got, expected = table.copy(), table.copy()
                spec = (f"a5:mscatter.elem.{oob} src={dtype}[1x32|1x11] idx=i32[1x16|1x11] "
                        f"table={dtype}[50]")
                ptojit.compile(spec)(src=values, idx=BEYOND, table=got)
                ptojit.compile(spec, backend="interpreter")(src=values, idx=BEYOND, table=expected)
                self.assert_same_bits(got, expected, spec)
                self.assertNotEqual(got.tobytes(), table.tobytes(), spec)


if __name__ == "__main__":
    unittest.main()
