"""Exceptions, diagnostics and findings go from one process to another."""

import concurrent.futures
import copy
import multiprocessing
import pickle
import unittest

import numpy as np

import ptojit
from support import Case

UNREADABLE = "a5:mscatter.row src=f32[8y32]"
REFUSED = "a2a3:mscatter.row.atomic_max src=f32[8x32] idx=i32[1x8] table=f32[64x32]"
AUDITED = "a5:mgather.row.zero.audit dst=f32[8x8] idx=i32[1x8] table=f32[64x8]"
FIELDS = ("id", "message", "rule", "from_", "try_", "but", "is_error")


def misuse(number: int):
    table, ids = np.zeros((4, 8), np.float32), np.array([0, -1, 7])
    (lambda: ptojit.compile(UNREADABLE), lambda: ptojit.compile(REFUSED),
     lambda: ptojit.gather_rows(table[:, ::2], ids), lambda: ptojit.gather_rows(table, ids))[number]()


def audit(first: int) -> ptojit.Findings:
    return ptojit.audit(AUDITED, dst=np.zeros((8, 8), np.float32), table=np.zeros((64, 8), np.float32),
                        idx=np.arange(first, first + 8, dtype=np.int32))


def caught(number: int) -> ptojit.Error:
    try:
        misuse(number)
    except ptojit.Error as problem:
        return problem
    raise AssertionError("nothing was refused")


class ErrorsTest(Case):
    def assert_same_error(self, got: ptojit.Error, expected: ptojit.Error) -> None:
        self.assertIs(type(got), type(expected))
        self.assertEqual((str(got), got.args), (str(expected), expected.args))
        self.assertEqual((got.id, got.rule, got.try_), (expected.id, expected.rule, expected.try_))
        self.assertEqual(len(got.diagnostics), len(expected.diagnostics))
        for a, b in zip(got.diagnostics, expected.diagnostics):
            self.assertEqual([getattr(a, each) for each in FIELDS], [getattr(b, each) for each in FIELDS])
            self.assertEqual((str(a), repr(a)), (str(b), repr(b)))

    def test_exceptions_are_pickled_and_copied_with_all_they_carry(self):
        kinds = set()
        for number in range(4):
            problem = caught(number)
            problem.remark = "mine"
            kinds.add(type(problem))
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                got = pickle.loads(pickle.dumps(problem, protocol))
                self.assert_same_error(got, problem)
                self.assertEqual(got.remark, "mine")
            self.assert_same_error(copy.copy(problem), problem)
            self.assert_same_error(copy.deepcopy(problem), problem)
        self.assertEqual(kinds, {ptojit.SpecError, ptojit.ArrayError, ptojit.RangeError})

    def test_verdicts_and_findings_are_pickled(self):
        for spec, is_error in ((REFUSED, True), (AUDITED.replace("64x8", "?x8"), False)):
            verdict = ptojit.check(spec)
            got = pickle.loads(pickle.dumps(verdict))
            self.assertEqual((got.spec, str(got)), (verdict.spec, str(verdict)))
            self.assertEqual([each.is_error for each in got.diagnostics],
                             [is_error] * len(verdict.diagnostics))
            self.assertTrue(verdict.diagnostics)
        for name in ("out_of_bounds", "first_out_of_bounds", "collisions", "first_collision"):
            found = audit(60)
            self.assertEqual(getattr(copy.deepcopy(found), name), getattr(found, name))
        self.assertEqual(pickle.loads(pickle.dumps(found)).first_out_of_bounds, 4)

    def test_a_pool_of_processes_raises_them_where_their_result_is_asked_for(self):
        spawn = multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(1, mp_context=spawn) as pool:
            for number in range(4):
                with self.assertRaises(ptojit.Error) as there:
                    pool.submit(misuse, number).result()
                self.assert_same_error(there.exception, caught(number))
            self.assertEqual(pool.submit(audit, 60).result().out_of_bounds, 4)


if __name__ == "__main__":
    unittest.main()
