"""Files of results: what is written is read again, Google Benchmark's are understood, passes are
put together and judged, and two runs are told apart by more than their spread."""

import json
import sys
import tempfile
import unittest
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/report"))

import measure
from figures import Figure, Results, quantile
from results import (MOST_PASSES, UNKNOWN, Problem, as_json, figures_of_google, results_from_json,
                     together)
from table import comparison, moves_between

MACHINE = {"processor": "a processor", "cores": 2, "l1": 32768, "l2": 1048576, "l3": 33554432,
           "gathers": "fast", "string_move": "never", "large_pages": "madvise", "effort": "quick",
           "load": 0.5}


def opponent(letter, ns, name="", does_the_same=True):
    return {"letter": letter, "is": name or letter, "ns": ns, "does_the_same": does_the_same}


def figure(name, ns, spread=0.0, *opponents, **more):
    return Figure("rows", name, ns, spread, opponents=list(opponents), **more)


def results_of(*figures, **machine):
    return Results(MACHINE | machine, list(figures))


def repetition(name, cpu, unit="ns", **more):
    return {"name": name, "real_time": 9.0, "cpu_time": cpu, "time_unit": unit} | more


class ResultsTest(unittest.TestCase):
    def test_are_read_as_they_were_written(self):
        cell = figure('L1 "x"', 12.5, 0.02, opponent("S", 25.0, "g++ 12.2.0"),
                      opponent("L", 10.0, "stores", False), home="L1", units=8.0, bytes=1024.0,
                      spec="a5:mgather.row dst=f32[8x32] idx=i32[1x8] table=f32[64x32]")
        cell.goals.append({"number": 5, "against": "S", "wanted": 1.25, "found": 2.0, "met": True})
        results = results_of(cell, figure("plain", 3.0))
        self.assertEqual(results_from_json(as_json(results)), results)

    def test_of_the_kept_files_are_written_as_they_are(self):
        for path in (ROOT / "bench/results").glob("*.json"):
            kept = path.read_text()
            written = as_json(results_from_json(kept))
            self.assertEqual(len(written.splitlines()), len(kept.splitlines()))
            for now, before in zip(json.loads(written)["figures"], json.loads(kept)["figures"]):
                self.assertEqual(json.dumps(now), json.dumps(before))

    def test_of_something_else_are_refused(self):
        entry = {"family": "a", "name": "b", "ns": 1, "spread": 0}
        for wrong in ({"ns": "1"}, {"ns": 0}, {"units": 0}, {"spread": float("nan")},
                      {"name": None}, {"goals": [{}]}, {"opponents": {}}):
            text = json.dumps({"machine": MACHINE, "figures": [entry | wrong]})
            self.assertRaisesRegex(Problem, "^not a file of results: ", results_from_json, text)
        for text in ("", "[1]", '{"figures": []}', '{"benchmarks": [{}]}', '{"benchmarks": 1}',
                     '{"benchmarks": [{"name": "a", "real_time": 1, "cpu_time": 0}]}'):
            self.assertRaisesRegex(Problem, "^not a file of results: ", results_from_json, text)

    def test_best_opponent_is_the_fastest_that_does_the_same(self):
        """A limit that does less is nobody to be held against, a sibling only without another."""
        rivals = [opponent("S", 20), opponent("R", 15), opponent("L", 5, does_the_same=False),
                  opponent("K", 8)]
        one = figure("x", 10, 0, *rivals)
        self.assertEqual(one.best()["letter"], "R")
        self.assertEqual(one.value(), 1.5)
        self.assertEqual(figure("x", 10, 0, rivals[3]).best()["letter"], "K")
        self.assertEqual(figure("x", 10).value(), 10)

    def test_quantiles_are_members_of_the_sample(self):
        values = [5, 1, 4, 2, 3]
        self.assertEqual([quantile(values, at) for at in (0, 0.25, 0.5, 1)], [1, 2, 3, 5])
        self.assertEqual(quantile([], 0.5), 0)

    def test_of_google_benchmark_are_figures_too(self):
        """Repetitions, their mean; a counter in place of the time; a clock of its own; an error."""
        google = [repetition("calls/a", cpu, run_name="calls/a", run_type="iteration")
                  for cpu in (2.0, 4.0, 3.0)]
        google += [repetition("calls/a_mean", 99.0, run_name="calls/a", run_type="aggregate"),
                   repetition("llvm/b_stddev", 0, run_name="llvm/b", run_type="aggregate", ns=0.0),
                   repetition("llvm/b/iterations:1", 1.0, "ms", ns=50.0, K=40.0),
                   repetition("lookups/c/10/manual_time", 7.0, "us", real_time=2.0),
                   repetition("d", 1.0, "s"),
                   repetition("calls/e", 0, error_occurred=True, error_message="no")]
        read = results_from_json(json.dumps({"context": {}, "benchmarks": google}))
        self.assertEqual(len(read.figures), 4)
        self.assertEqual(read.find("calls", "a").ns, 2)
        self.assertAlmostEqual(read.find("calls", "a").spread, 2 / 3)
        self.assertEqual(read.find("llvm", "b").value(), 0.8)
        self.assertEqual(read.find("lookups", "c/10").ns, 2000)
        self.assertEqual(read.find("benchmark", "d").ns, 1e9)

    def test_of_many_repetitions_count_by_the_fastest_of_each_pass(self):
        """Two dozen repetitions are twelve pairs, of which the faster counts."""
        times = [slow + 10 + at for slow in (1000, 0) for at in range(MOST_PASSES)]
        (one,) = figures_of_google([repetition("calls/a", time) for time in times])
        self.assertEqual(one.ns, 10)
        self.assertTrue(0 < one.spread < 1)


def passes_of(*times):
    return [results_of(figure("x", own, 0, opponent("S", gcc, "g++ 12.2.0"),
                              opponent("S", clang, "clang++ 19"))) for own, gcc, clang in times]


class PassesTest(unittest.TestCase):
    def test_together_have_the_best_of_each_contestant(self):
        """Fast and slow states of a machine stay for a process: the best of several repeats."""
        (one,) = together(passes_of((10, 40, 30), (30, 20, 90), (20, 60, 60), (30, 60, 25))).figures
        self.assertEqual(one.ns, 10)
        self.assertEqual(one.opponents, [opponent("S", 20, "g++ 12.2.0")])

    def test_spread_is_how_far_halves_of_them_differ(self):
        def spread(*slow):
            passes = passes_of(*((90 if is_slow else 10, 20, 30) for is_slow in slow))
            return together(passes).figures[0].spread

        self.assertEqual(spread(0), 0)
        self.assertEqual(spread(0, 0, 0, 0), 0)
        # One slow pass of four never hides the others; two of them are a half, and fill it once.
        self.assertEqual(spread(0, 1, 0, 0), 0)
        self.assertGreater(spread(1, 0, 1, 1), 0.4)

    def test_that_find_another_machine_say_so(self):
        passes = [results_of(figure("x", 1), gathers="slow") for _ in range(3)]
        self.assertEqual(together(passes).machine["gathers"], "slow")
        passes[1].machine["gathers"] = "fast"
        self.assertEqual(together(passes).machine["gathers"], "slow, fast")

    def test_are_processes_whose_cells_and_calls_are_put_together_and_judged(self):
        goal = {"number": 4, "against": "S", "wanted": 1.25, "or_limit": 0, "allows_spread": False}
        cell = {"family": "rows", "name": "x", "ns": 10.0, "goals": [goal],
                "opponents": [opponent("S", 20.0)]}
        calls = {"benchmarks": [repetition("calls/hit_owning", 30.0), repetition(
            "calls/no", 0, error_occurred=True, error_message="lacks LLVM")]}
        text = json.dumps({"machine": MACHINE, "figures": [cell], "calls": calls})
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder, "program")
            program.write_text(f"#!/bin/sh\necho $@ >>{folder}/asked\ncat <<'END'\n{text}\nEND\n")
            program.chmod(0o700)
            options = Namespace(filter="row s", quick=True, passes=2)
            with mock.patch("measure.PROGRAM", str(program)), mock.patch("sys.stderr") as said:
                rows, hit = measure.measured(options).figures
            asked = Path(folder, "asked").read_text().splitlines()
        self.assertEqual(asked, ["--check --filter row s --quick"] + 2 * ["--filter row s --quick"])
        self.assertEqual([rows.goals[0][key] for key in ("found", "met")], [2, True])
        self.assertEqual([hit.goals[0][key] for key in ("found", "wanted", "met")], [30, 25, False])
        self.assertIn("left out: calls/no: lacks LLVM",
                      "".join(call.args[0] for call in said.write.call_args_list))

    def test_that_end_early_are_an_error(self):
        options = Namespace(filter="", quick=False, passes=1)
        for program, words in (("/bin/false", "not come to its end"), ("/no/file", "./dev build")):
            with mock.patch("measure.PROGRAM", program):
                self.assertRaisesRegex(Problem, words, measure.measured, options)

    def test_goals_give_way_by_the_spread_or_to_the_limit(self):
        one = figure("x", 10, 0.04, opponent("S", 9.4), opponent("L", 9.6, does_the_same=False))
        goal = {"number": 8, "against": "S", "wanted": 0.97, "or_limit": 0, "allows_spread": False}

        def met(over=one, **changed):
            return measure.judged(goal | changed, over)["met"]

        self.assertFalse(met())
        self.assertTrue(met(allows_spread=True))
        self.assertTrue(met(or_limit=0.95))
        self.assertFalse(met(or_limit=0.97))
        self.assertFalse(met(against="R"))
        self.assertTrue(met(against="best", wanted=0.94))
        self.assertFalse(met(replace(one, spread=0.5), wanted=1, allows_spread=True))  # at most 5 %


def moved_between(before, now):
    return [move.now.name for move in moves_between(before, now) if move.is_beyond_spread()]


class CompareTest(unittest.TestCase):
    def test_tells_what_moved_beyond_the_spread(self):
        before = results_of(figure("steady", 100, 0.02), figure("rough", 100, 0.1),
                            figure("slower", 100, 0.02), figure("gone", 1))
        now = results_of(figure("steady", 103, 0.02), figure("rough", 115, 0.1),
                         figure("slower", 105, 0.02), figure("new", 1))
        self.assertEqual(moved_between(before, now), ["slower"])
        self.assertEqual(moved_between(now, now), [])
        lines = list(comparison(before, now))
        self.assertEqual(lines[-1], "3 figures in both, 1 moved beyond the spread: 0 faster, 1 "
                         "slower; 1 only before, 1 only now")
        self.assertEqual(lines[-2].split(),
                         ["rows", "100", "105", "-", "-", "-4.8%", "4.0%", "slower"])

    def test_says_when_the_machine_was_found_to_be_another(self):
        """Which code a kernel is depends on what is measured at start-up."""
        one = figure("x", 1)
        before, now = results_of(one, gathers="slow"), results_of(one, gathers="fast")
        first = next(comparison(before, now))
        self.assertTrue(first.startswith("gather instructions: slow before, fast now"), first)
        self.assertTrue(next(comparison(now, now)).startswith("1 figures in both"))
        google = Results(UNKNOWN, [one])  # tells of no machine
        self.assertTrue(next(comparison(google, now)).startswith("1 figures in both"))

    def test_holds_ratios_against_each_other(self):
        """A machine that is slower as a whole moves nothing that was taken in turns."""
        before = results_of(figure("x", 10, 0.01, opponent("S", 20)),
                            figure("y", 10, 0.01, opponent("S", 20)))
        now = results_of(figure("x", 30, 0.01, opponent("S", 60)),
                         figure("y", 15, 0.01, opponent("S", 60)))
        self.assertEqual(moved_between(before, now), ["y"])
        self.assertEqual(moves_between(before, now)[1].faster, 2)


if __name__ == "__main__":
    unittest.main()
