"""A figure: how long something takes, and how long others take for the same, in nanoseconds a call.

Every line of the table, every dot of a picture and every entry of a file of results is one.
"""

import math
import re
from dataclasses import dataclass, field

LEVEL = 0.97  # of the best opponent


@dataclass
class Figure:
    family: str
    name: str
    ns: float
    spread: float = 0.0  # distance of the quantiles, relative, of what is compared: see `value`
    spec: str = ""  # of a cell
    home: str = ""  # of a cell
    units: float = 1.0  # indices, or elements where there are none
    bytes: float = 0.0  # moved
    opponents: list = field(default_factory=list)  # letter, is, ns, does_the_same
    goals: list = field(default_factory=list)  # number, against, wanted, found, met

    def opponent(self, letter):
        return next((one for one in self.opponents if one["letter"] == letter), None)

    def best(self):
        """The fastest that does the same and is no kernel of ours; with none the sibling."""
        rivals = [one for one in self.opponents
                  if one["does_the_same"] and one["letter"] not in "KG"]
        return min(rivals, key=lambda one: one["ns"]) if rivals else self.opponent("K")

    def value(self):
        """What runs are compared by: times as fast as the best opponent, as both take turns.
        Without one the nanoseconds."""
        best = self.best()
        return best["ns"] / self.ns if best else self.ns

    def is_behind(self):
        """Whether a cell is slower than its best opponent by more than its spread."""
        return bool(self.spec and self.best()) and self.value() < LEVEL - self.spread

    def is_gather(self):
        return ":mgather" in self.spec

    def operand(self, names):
        """The valid extents of an operand and the bytes of an element, where the spec has them."""
        if found := re.search(rf" (?:{names})=\D+(\d+)\w*\[((?:\d+[x|@])*\d+)\]", self.spec):
            extents = found[2].split("|")[-1].split("@")[0].split("x")
            return [int(extent) for extent in extents], int(found[1]) // 8
        return None


@dataclass
class Results:
    machine: dict
    figures: list

    def find(self, family, name):
        same = (one for one in self.figures if (one.family, one.name) == (family, name))
        return next(same, None)

    def families(self):
        """Figures by family, in the order in which families first come."""
        out = {}
        for figure in self.figures:
            out.setdefault(figure.family, []).append(figure)
        return out


def quantile(values, at):
    """A member of the sample; 0 of nothing."""
    return sorted(values)[int(at * (len(values) - 1) + 0.5)] if values else 0.0


def mean(ratios):
    """The geometric mean; 0 of nothing."""
    return math.exp(sum(math.log(one) for one in ratios) / len(ratios)) if ratios else 0.0


def ratios_to(figures, letter):
    """How many times the kernel's time an opponent takes, over the figures that have it."""
    pairs = ((figure.opponent(letter), figure.ns) for figure in figures)
    return [other["ns"] / ns for other, ns in pairs if other]


def machine_text(machine):
    l1, l2, l3 = (machine[level] >> 10 for level in ("l1", "l2", "l3"))
    return (f"{machine['processor']}, {machine['cores']} cores; caches of {l1} KB, {l2} KB and "
            f"{l3} KB; gather instructions {machine['gathers']}, rep movsb "
            f"{machine['string_move']}, large pages {machine['large_pages']}; "
            f"load {machine['load']:.1f} at the start")
