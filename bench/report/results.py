"""Files of results, ours and Google Benchmark's, and the passes of a run put together.

Every pass is a process of its own: where code and operands happen to lie makes some cells a third
faster or slower, differs from process to process, and stays for the whole of one.
"""

import json
import math
from collections import Counter
from dataclasses import replace
from itertools import combinations

from figures import Figure, Results, quantile

MOST_PASSES = 12  # a spread looks at all halves of them

NUMBER = (int, float)
MACHINE = {"processor": str, "cores": int, "l1": int, "l2": int, "l3": int, "gathers": str,
           "string_move": str, "large_pages": str, "effort": str, "load": NUMBER}
FIGURE = {"family": str, "name": str, "ns": NUMBER, "spread": NUMBER}
CELL = {"spec": str, "home": str, "units": NUMBER, "bytes": NUMBER}  # what only cells have
OPPONENT = {"letter": str, "is": str, "ns": NUMBER, "does_the_same": bool}
GOAL = {"number": int, "against": str, "wanted": NUMBER, "found": NUMBER, "met": bool}
REPETITION = {"name": str, "real_time": NUMBER, "cpu_time": NUMBER}
MAY_BE = {"run_name": str, "time_unit": str, "ns": NUMBER, "K": NUMBER}
UNITS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
UNKNOWN = {name: "" if kind is str else 0 for name, kind in MACHINE.items()}


class Problem(Exception):
    """What the user is told in place of an answer."""


def taken(entry, kinds):
    """The members of a JSON object that are wanted, all of them there and as they should be."""
    if not isinstance(entry, dict):
        raise ValueError(f"{entry!r} is no object")
    for name, kind in kinds.items():
        if name not in entry:
            raise ValueError(f"'{name}' is missing")
        value = entry[name]
        is_number = kind is NUMBER and isinstance(value, kind) and math.isfinite(value)
        if not (is_number or kind is not NUMBER and isinstance(value, kind)):
            raise ValueError(f"'{name}' is {value!r}")
        if name in ("ns", "K", "units") and value <= 0:
            raise ValueError(f"'{name}' is {value}, not above 0")
    return {name: entry[name] for name in kinds}


def entries(entry, name, default=None):
    out = entry.get(name, default)
    if not isinstance(out, list):
        raise ValueError(f"'{name}' is no list")
    return out


def figure_from(entry):
    cell = {name: kind for name, kind in CELL.items() if name in entry}
    return Figure(**taken(entry, FIGURE | cell),
                  opponents=[taken(one, OPPONENT) for one in entries(entry, "opponents", [])],
                  goals=[taken(one, GOAL) for one in entries(entry, "goals", [])])


def case_of(name):
    """Without what only says how it was run."""
    words = name.split("/")
    how = ("iterations:", "manual_time", "real_time")
    return "/".join(words[:1] + [word for word in words[1:] if not word.startswith(how)])


def figure_of_repetition(one):
    """A benchmark that measures by itself says so by counters: `ns` in place of the time, and `K`
    for a sibling."""
    name = one["run_name"]
    is_real = "/manual_time" in name or "/real_time" in name
    time = one["real_time" if is_real else "cpu_time"] * UNITS.get(one["time_unit"], 1)
    family, slash, case = name.partition("/")
    out = Figure(family if slash else "benchmark", case_of(case or name), one.get("ns", time))
    if out.ns <= 0:
        raise ValueError(f"'{name}' takes no time")
    if "K" in one:
        out.opponents = [
            {"letter": "K", "is": "x86-64 backend", "ns": one["K"], "does_the_same": True}]
    return out


def figures_of_google(benchmarks):
    """A figure a name. Where there are more repetitions than passes the fastest of each counts."""
    met = Counter()
    passes = [{} for _ in range(MOST_PASSES)]
    for entry in benchmarks:
        one = taken(entry, {"name": str})
        if entry.get("run_type", "iteration") != "iteration" or entry.get("error_occurred"):
            continue
        may_be = {name: kind for name, kind in MAY_BE.items() if name in entry}
        one = {"run_name": one["name"], "time_unit": "ns"} | taken(entry, REPETITION | may_be)
        figure = figure_of_repetition(one)
        fastest = passes[met[one["run_name"]] % MOST_PASSES]
        met[one["run_name"]] += 1
        key = (figure.family, figure.name)
        if key not in fastest or figure.ns < fastest[key].ns:
            fastest[key] = figure
    return together([Results(UNKNOWN, list(one.values())) for one in passes]).figures


def best_of(passes):
    """One figure of several passes: the best time of each, and for each letter the best."""
    out = replace(passes[0], ns=min(one.ns for one in passes))
    fastest = {}
    for at, one in enumerate(passes[0].opponents):
        one = one | {"ns": min(figure.opponents[at]["ns"] for figure in passes)}
        if one["ns"] < fastest.get(one["letter"], {"ns": math.inf})["ns"]:
            fastest[one["letter"]] = one
    out.opponents = list(fastest.values())
    return out


def spread_of(passes):
    """How far what half of the passes say is from what others of them do: the middle eight tenths
    of all ways to take a half."""
    if len(passes) < 2:
        return 0.0
    values = [best_of(half).value() for half in combinations(passes, len(passes) // 2)]
    return (quantile(values, 0.9) - quantile(values, 0.1)) / quantile(values, 0.5)


def together(passes):
    """What is alike in all passes is taken from the first. What they found at their start is
    "slow", or "fast, slow" where they differ."""
    figures = {}
    for figure in (figure for one in passes for figure in one.figures):
        figures.setdefault((figure.family, figure.name), []).append(figure)
    machine = dict(passes[0].machine)
    for name in ("gathers", "string_move"):
        machine[name] = ", ".join(dict.fromkeys(one.machine[name] for one in passes))
    return Results(machine, [replace(best_of(all_of_it), spread=spread_of(all_of_it))
                             for all_of_it in figures.values()])


def rounded(entry, *names):
    """More digits than a measurement has would only make the file larger."""
    return entry | {name: float("%.5g" % entry[name]) for name in names}


def json_of(figure):
    out = rounded(vars(figure), "ns", "spread")
    out["opponents"] = [rounded(one, "ns") for one in figure.opponents]
    out["goals"] = [rounded(one, "wanted", "found") for one in figure.goals]
    absent = [name for name in CELL if not figure.spec]
    absent += [name for name in ("opponents", "goals") if not out[name]]
    return {name: value for name, value in out.items() if name not in absent}


def as_json(results):
    """A line a figure, so that files of results can be told apart by lines."""
    def text(value):
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)

    machine = rounded(results.machine, "load")
    lines = ",\n".join(text(json_of(figure)) for figure in results.figures)
    return f'{{"machine": {text(machine)},\n "figures": [\n{lines}\n]}}\n'


def results_from_json(text):
    try:
        entry = json.loads(text)
        if not isinstance(entry, dict):
            raise ValueError("it is no object")
        if "benchmarks" in entry:
            return Results(dict(UNKNOWN), figures_of_google(entries(entry, "benchmarks")))
        return Results(taken(entry.get("machine"), MACHINE),
                       [figure_from(one) for one in entries(entry, "figures")])
    except (ValueError, OverflowError) as problem:
        raise Problem(f"not a file of results: {problem}; take one that --out or Google Benchmark "
                      "wrote") from problem


def read_results(path):
    return results_from_json(read_text(path))


def read_text(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeError) as problem:
        raise Problem(f"cannot read '{path}': {problem}") from problem
