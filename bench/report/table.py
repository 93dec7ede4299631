"""Figures as a table for people, and two runs held against each other."""

import math

from figures import LEVEL, machine_text, mean, quantile, ratios_to

ROWS_MEAN = 1.05  # goal 1, over all of its cells
STEADY = 0.05  # spread
LEAST_SPREAD = 0.01  # clocks have steps, and a handful of repetitions can agree by chance
LETTERS = "SRLKG"

HEADER = """ns are per index (per element where there is none, per call where nothing moves). xS, xR, xL, xK, xG: how
many times the kernel's time is that of S (static C++), R (dispatched loop), L (limit), K (sibling
kernel), G (the kernel that reads its extents). Goals: number, least ratio and opponent, or most ns.
"""


def cell(form, value, width):
    return form % value if value is not None else "%*s" % (width, "-")


def line_of(figure):
    def ns(letter):
        other = figure.opponent(letter)
        return other and other["ns"]

    goals = ", ".join("%d:%.4g %s %s" % (goal["number"], goal["wanted"], goal["against"],
                                         "met" if goal["met"] else "MISSED")
                      for goal in figure.goals)
    columns = ["%-12s %9.3f" % (figure.family, figure.ns / figure.units),
               cell("%8.2f", figure.bytes / figure.ns if figure.bytes else None, 8)]
    columns += [cell("%9.3f", ns(letter) and ns(letter) / figure.units, 9) for letter in "SR"]
    columns += [cell("%7.2f", ns(letter) and ns(letter) / figure.ns, 7) for letter in LETTERS]
    columns.append("%5.1f%%  %-30s %s" % (figure.spread * 100, goals, figure.name))
    return " ".join(columns)


def family_lines(name, figures):
    to_static, to_dispatched = ratios_to(figures, "S"), ratios_to(figures, "R")
    if not to_static:
        return
    yield "%-12s %7d %12.2f %9.2f %12.2f %9.2f" % (
        name, len(figures), mean(to_static), min(to_static), mean(to_dispatched),
        quantile(to_dispatched, 0))
    if name == "rows":
        yield "%-12s goal 1 over all of them: wanted %.2f of the best, found %.2f" % (
            "", ROWS_MEAN, mean([figure.value() for figure in figures]))


def goal_lines(figures):
    goals = {}
    for goal in (goal for figure in figures for goal in figure.goals):
        goals.setdefault(goal["number"], []).append(goal["met"])
    for number, met in sorted(goals.items()):
        yield "goal %2d: %d of %d met" % (number, sum(met), len(met))


def table(results):
    """A line a figure; per family the geometric means, per goal how often it was met, how many
    figures are steady and how many cells are behind."""
    figures = results.figures
    yield machine_text(results.machine)
    yield "\n" + HEADER
    yield "%-12s %9s %8s %9s %9s %7s %7s %7s %7s %7s %6s  %-30s %s" % (
        "family", "ns", "B/ns", "S ns", "R ns", *("x" + letter for letter in LETTERS), "spread",
        "goals", "case")
    yield from map(line_of, figures)
    yield "\n%-12s %7s %12s %9s %12s %9s" % (
        "family", "figures", "geomean xS", "least xS", "geomean xR", "least xR")
    for name, family in results.families().items():
        yield from family_lines(name, family)
    yield "\n%d of %d figures have a spread of at most %.0f %%" % (
        sum(figure.spread <= STEADY for figure in figures), len(figures), 100 * STEADY)
    yield "%d cells are below %.2f of their best opponent by more than their spread" % (
        sum(figure.is_behind() for figure in figures), LEVEL)
    yield from goal_lines(figures)


class Move:
    """What became of a figure. Where both runs have opponents the ratio to the best of them is
    compared, else nanoseconds."""

    def __init__(self, before, now):
        self.before, self.now = before, now
        self.has_ratios = bool(before.best() and now.best())
        self.faster = now.value() / before.value() if self.has_ratios else before.ns / now.ns
        self.allowed = max(before.spread, LEAST_SPREAD) + max(now.spread, LEAST_SPREAD)

    def is_beyond_spread(self):
        return abs(math.log(self.faster)) > self.allowed

    def line(self):
        ratios = [cell("%8.2f", figure.value() if self.has_ratios else None, 8)
                  for figure in (self.before, self.now)]
        return "%-12s %10.4g %10.4g %s %s %+7.1f%% %7.1f%%  %s" % (
            self.now.family, self.before.ns, self.now.ns, *ratios, 100 * (self.faster - 1),
            100 * self.allowed, self.now.name)


def moves_between(before, now):
    """Figures that both have, in the order of `now`."""
    known = {(figure.family, figure.name): figure for figure in before.figures}
    pairs = ((known.get((figure.family, figure.name)), figure) for figure in now.figures)
    return [Move(old, new) for old, new in pairs if old]


def machine_lines(before, now):
    """What strategies depend on. Measurements at start-up can fall either way where it is close."""
    for name, words in (("processor", "processor"), ("gathers", "gather instructions"),
                        ("string_move", "rep movsb"), ("large_pages", "large pages")):
        if before["processor"] and before[name] != now[name]:
            yield (f"{words}: {before[name]} before, {now[name]} now: "
                   "kernels may not be the same")


def comparison(before, now):
    yield from machine_lines(before.machine, now.machine)
    moves = moves_between(before, now)
    moved = [move for move in moves if move.is_beyond_spread()]
    if moved:
        yield "%-12s %10s %10s %8s %8s %8s %8s  %s" % (
            "family", "ns before", "ns now", "x before", "x now", "faster", "spreads", "case")
    yield from (move.line() for move in moved)
    faster = sum(move.faster > 1 for move in moved)
    yield (f"{len(moves)} figures in both, {len(moved)} moved beyond the spread: {faster} faster, "
           f"{len(moved) - faster} slower; {len(before.figures) - len(moves)} only before, "
           f"{len(now.figures) - len(moves)} only now")
