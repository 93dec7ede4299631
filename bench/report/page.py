"""Pages whose figures are made from a file of results. A page has places for them,

    <!-- figures: NAME -->
    what is made
    <!-- end -->

and text around them that people write.
"""

import re

from figures import machine_text, mean, quantile, ratios_to
from results import Problem

# What goals are about.
GOALS = dict(enumerate((
    "rows in L1 and L2", "what a policy costs, any share out of range", "rows in DRAM",
    "gathered elements", "scattered elements", "tables in registers, byte offsets", "sums", "masks",
    "NZ elements, column-major tiles", "crowded last-wins rows",
    "runtime extents beside static ones", "LLVM beside the x86-64 backend", "compiles", "lookups",
    "calls"), 1))


def range_of(ratios):
    return ", ".join("%.2f" % quantile(ratios, at) for at in (0, 0.5, 1))


def goals_of(results):
    return ((figure, goal) for figure in results.figures for goal in figure.goals)


def is_time(goal):
    """Rather than times somebody else's."""
    return goal["against"].startswith("ns")


def machine(results, source):
    static = (figure.opponent("S") for figure in results.figures)
    compilers = sorted({one["is"].split(",")[0] for one in static if one})
    yield (f"Taken on {machine_text(results.machine)}; S by {' and '.join(compilers)}. Every "
           f"figure is in `{source}`.")


def families(results, _):
    yield ("| family | cells | times S: mean | least, median, largest | times R: mean | least, "
           "median, largest | spread |")
    yield "|---|---:|---:|---|---:|---|---:|"
    for name, family in results.families().items():
        if not family[0].spec:
            continue
        columns = [name, "%d" % len(family)]
        for letter in "SR":
            ratios = ratios_to(family, letter)
            columns += ["%.2f" % mean(ratios), range_of(ratios)] if ratios else ["", ""]
        spread = quantile([figure.spread for figure in family], 0.5)
        yield "| " + " | ".join(columns) + " | %.1f %% |" % (100 * spread)


def goals(results, _):
    rows = {}
    for _, goal in goals_of(results):
        if not is_time(goal):
            row = (goal["number"], goal["against"], goal["wanted"])
            rows.setdefault(row, []).append(goal)
    yield "| goal | is about | at least | met | least, median, largest |"
    yield "|---:|---|---|---|---|"
    for (number, against, wanted), row in sorted(rows.items()):
        met = sum(goal["met"] for goal in row)
        yield "| %d | %s | %.2f %s | %d of %d | %s |" % (
            number, GOALS.get(number, ""), wanted, against, met, len(row),
            range_of([goal["found"] for goal in row]))


def rows(results, _):
    """By width, home and direction: a figure without a policy, the ratios of all."""
    widths = {}
    for figure in results.figures:
        if figure.family == "rows" and (operand := figure.operand("src|dst")):
            extents, size = operand
            columns = widths.setdefault(extents[-1] * size, {})
            columns.setdefault((figure.home, figure.is_gather()), []).append(figure)
    yield "| row | L1 gather: ns, B/ns, times S | L1 scatter | L2 gather | L2 scatter |"
    yield "|---:|---|---|---|---|"
    for width, columns in sorted(widths.items()):
        yield f"| {width} B |" + "".join(
            rows_column(columns.get((home, is_gather), []))
            for home in ("L1", "L2") for is_gather in (True, False))


def rows_column(figures):
    plain = [one for one in figures if not re.search(r"\.(clamp|wrap|zero|skip)\b", one.spec)]
    if not plain:
        return " |"
    one, ratios = plain[-1], ratios_to(figures, "S")
    return " %.3g, %.0f, %.2f to %.2f |" % (one.ns / one.units, one.bytes / one.ns,
                                            quantile(ratios, 0), quantile(ratios, 1))


def calls(results, _):
    yield "| before anything moves | ns | goal | found | at most | met |"
    yield "|---|---:|---:|---:|---:|---|"
    for figure, goal in goals_of(results):
        if is_time(goal):
            yield "| %s %s | %.4g | %d | %.4g %s | %.4g | %s |" % (
                figure.family, figure.name, figure.ns, goal["number"], goal["found"],
                goal["against"], goal["wanted"], "yes" if goal["met"] else "no")


def summary(results, _):
    """The one paragraph for those who read no tables."""
    families_now = results.families()

    def times_static(family):
        return mean(ratios_to(families_now.get(family, []), "S"))

    compiled = results.find("compiles", "new/static_shape/p50")
    yield ("On one core (%s) `./dev bench` finds rows at %.2f times the speed of C++ with every "
           "shape known (the mean of %d cells), gathered elements at %.2f times, tables of 128 "
           "bytes at %.1f times, and a compile in %.1f us." % (
               results.machine["processor"], times_static("rows"),
               len(families_now.get("rows", [])), times_static("elem_gather"),
               times_static("small_tables"), compiled.ns / 1000 if compiled else 0))


def behind(results, _):
    """Cells that somebody else does faster."""
    yield "| family | behind | case | ns | best opponent | spread |"
    yield "|---|---:|---|---:|---|---:|"
    for one in results.figures:
        if one.is_behind():
            best = one.best()
            yield "| %s | %.2f | `%s` | %.4g | %s, %s | %.1f %% |" % (
                one.family, one.value(), one.name, one.ns, best["letter"], best["is"],
                100 * one.spread)


PLACES = {make.__name__: make for make in (machine, families, goals, rows, calls, summary, behind)}
BEGIN = "<!-- figures: "
END = "<!-- end -->"


def filled_page(page, results, source):
    """The page with every place filled anew; `source` is where the results come from, as the page
    names it."""
    out, *places = page.split(BEGIN)
    for place in places:
        name, _, old = place.partition(" -->")
        _, end, behind_it = old.partition(END)
        if name not in PLACES:
            raise Problem(f"no figures named '{name}'; there are {', '.join(PLACES)}")
        if not end:
            raise Problem(f"the place for figures '{name}' is without its '{END}'")
        made = "\n".join(PLACES[name](results, source))
        out += f"{BEGIN}{name} -->\n\n{made}\n\n{END}{behind_it}"
    return out
