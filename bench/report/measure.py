"""A run of the benchmarks: passes over everything that is asked for, each a process of its own, and
the goals of what they say together."""

import json
import os
import subprocess
import sys
from pathlib import Path

from figures import Figure, Results
from results import Problem, figures_of_google, together

PROGRAM = str(Path(__file__).resolve().parents[2] / "build/bin/ptojit_bench")

EMPTY = "call_empty_kernel"
LLVM = 0.87  # of the x86-64 backend, in every family
# Number, figure, what its time is over, nanoseconds at most.
CALL_GOALS = (
    (12, "llvm", "", 2.2e6),
    (13, "new/static_shape/p50", "", 4000.0),
    (13, "new/static_shape/p99", "", 9000.0),
    (13, "new/runtime_shape/p50", "", 12000.0),
    (13, "new/runtime_shape/p99", "", 30000.0),
    (14, "borrow/10/threads:1", EMPTY, 4.0),
    (14, "borrow_in_random_order/1000", EMPTY, 25.0),
    (14, "borrow_in_random_order/10000", EMPTY, 50.0),
    (14, "hit_owning", "", 25.0),
    (15, EMPTY, "", 2.5),
)


def program():
    if not os.access(PROGRAM, os.X_OK):
        raise Problem(f"there is no '{PROGRAM}': `./dev build` makes it where the x86-64 backend "
                      "and Google Benchmark are")
    return PROGRAM


def run(options, *more, **how):
    more += ("--filter", options.filter) * bool(options.filter) + ("--quick",) * options.quick
    try:
        return subprocess.run([program(), *more], check=True, timeout=1800, **how).stdout
    except (OSError, subprocess.SubprocessError) as problem:
        raise Problem(f"a pass did not come to its end: {problem}") from problem


def check(options):
    """Tables in DRAM are left out, as by --quick: others of their shape are there."""
    options.quick = True
    run(options, "--check")


def left_out(benchmarks):
    """What this build cannot run."""
    return [f"left out: {one['name']}: {one['error_message']}"
            for one in benchmarks if one.get("error_occurred")]


def take_pass(options):
    """One pass, and what it had to leave out. Goals come as what is wanted."""
    taken = json.loads(run(options, stdout=subprocess.PIPE))
    benchmarks = (taken["calls"] or {"benchmarks": []})["benchmarks"]
    calls = sorted(figures_of_google(benchmarks), key=lambda one: (one.family, one.name))
    figures = [Figure(**one) for one in taken["figures"]] + calls
    return Results(taken["machine"], figures), left_out(benchmarks)


def measured(options):
    run(options, "--check", stdout=subprocess.DEVNULL)
    passes, left = [], []
    for number in range(1, options.passes + 1):
        if sys.stderr.isatty():
            print(f"pass {number} of {options.passes}", file=sys.stderr)
        one, left = take_pass(options)
        passes.append(one)
    for line in dict.fromkeys(left):
        print(line, file=sys.stderr)
    out = together(passes)
    for figure in out.figures:
        figure.goals = [judged(goal, figure) for goal in figure.goals]
    add_call_goals(out)
    return out


def judged(goal, figure):
    """Met when the opponent's time is at least so many times the kernel's, or the limit's so many
    times `or_limit`; some goals give way by the spread, at most 5 %."""
    against, least = goal["against"], goal["wanted"]
    other = figure.best() if against == "best" else figure.opponent(against)
    limit = figure.opponent("L") if goal["or_limit"] else None
    found = other["ns"] / figure.ns if other else 0.0
    met = found >= least - (min(figure.spread, 0.05) if goal["allows_spread"] else 0)
    if goal["or_limit"]:
        against += " or %.2f L" % goal["or_limit"]
        met = met or bool(limit) and limit["ns"] / figure.ns >= goal["or_limit"]
    return {"number": goal["number"], "against": against, "wanted": least, "found": found,
            "met": met}


def add_call_goals(results):
    named = {}
    for figure in results.figures:
        named.setdefault(figure.name, figure)
    for number, name, over, most in CALL_GOALS:
        if name not in named or over and over not in named:
            continue
        found = named[name].ns - (named[over].ns if over else 0)
        named[name].goals.append({"number": number, "against": f"ns over {over}" if over else "ns",
                                  "wanted": most, "found": found, "met": found <= most})
    for figure in results.figures:
        if figure.family == "llvm":
            figure.goals.append({"number": 12, "against": "K", "wanted": LLVM,
                                 "found": figure.value(), "met": figure.value() >= LLVM})
