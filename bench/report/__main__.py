"""Figures of `ptojit_bench`: taken, kept, printed, compared, drawn, and written into pages.

    python3 bench/report --help
"""

import argparse
import os
import sys
from pathlib import Path

import measure
from page import filled_page
from pictures import PICTURES
from results import MOST_PASSES, Problem, as_json, read_results, read_text
from table import comparison, table


def parsed(arguments):
    parser = argparse.ArgumentParser(
        prog="./dev bench", allow_abbrev=False,
        description="Times kernels, calls and compiles. With --benchmark_* only Google Benchmark "
        "runs, on calls and compiles.")
    add = parser.add_argument
    add("--filter", default="", metavar="TEXT", help="only what holds TEXT in family and case")
    add("--quick", action="store_true",
        help="shorter repetitions; no tables in DRAM unless filtered for")
    add("--passes", type=int, choices=range(1, MOST_PASSES + 1), default=10, metavar="N",
        help=f"processes that measure, one after the other: 1 to {MOST_PASSES}")
    add("--check", action="store_true", help="no figures: only whether all contestants do the same")
    add("--json", action="store_true", help="figures for programs, in place of the table")
    add("--out", metavar="FILE", help="where to keep the figures, as --json has them")
    add("--from", dest="source", metavar="FILE", help="figures to take instead of measuring")
    add("--compare", metavar="FILE",
        help="figures, or Google Benchmark's: what has moved since then")
    add("--markdown", action="append", default=[], metavar="PAGE",
        help="a page whose figures are made anew")
    add("--svg", metavar="FOLDER", help="where to draw the pictures")
    return parser.parse_args(arguments)


def write(path, text):
    """The whole file or nothing: written beside its place, then renamed."""
    place = Path(os.path.realpath(path))
    beside = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        if Path(path).is_symlink() and not place.exists():
            raise Problem(f"cannot write '{path}': it is a link to nothing")
        beside.write_text(text, encoding="utf-8")
        beside.replace(place)
    except OSError as problem:
        beside.unlink(missing_ok=True)
        raise Problem(f"cannot write '{path}': {problem.strerror}") from problem


def report(options):
    """What is needed beside figures is read first, and they are kept first: measuring takes
    minutes."""
    before = read_results(options.compare) if options.compare else None
    pages = {path: read_text(path) for path in options.markdown}
    results = read_results(options.source) if options.source else measure.measured(options)
    if not results.figures:
        raise Problem(f"nothing holds '{options.filter}' in family and case")
    if options.out:
        write(options.out, as_json(results))
    print(as_json(results) if options.json else "\n".join(table(results)) + "\n", end="")
    if before:
        print("\n" + "\n".join(comparison(before, results)))
    sys.stdout.flush()
    for path, page in pages.items():
        write(path, filled_page(page, results, options.source or options.out or ""))
    for name, draw in PICTURES.items() if options.svg else ():
        write(Path(options.svg, name), draw(results))


def main(arguments):
    try:
        if any(argument.startswith("--benchmark_") for argument in arguments):
            os.execv(measure.program(), [measure.PROGRAM, *arguments])
        options = parsed(arguments)
        measure.check(options) if options.check else report(options)
    except Problem as problem:
        sys.exit(f"error: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as problem:  # nothing else is printed to
        sys.stderr.write(f"error: the output cannot be written: {problem.strerror}\n")
        os._exit(2)


if __name__ == "__main__":
    main(sys.argv[1:])
