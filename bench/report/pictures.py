"""The pictures that are made of a file of results, readable in light and in dark. A mark carries
the figure it stands for as its title, which browsers show under the pointer."""

import html
import math

from figures import quantile

WIDTH = 860
STYLE = """<style>
text { font-family: system-ui, "DejaVu Sans", sans-serif; fill: currentColor }
circle { fill: currentColor; fill-opacity: 0.45 }
line, path { stroke: currentColor; fill: none } path { stroke-width: 2 }
.paper { fill: #ffffff } .text { color: #1f2328 } .faint { color: #656d76 } line.faint { color: #d0d7de }
.kernel { color: #0a5fd0 } .static { color: #bc4c00 } .copy { color: #6e7781 }
@media (prefers-color-scheme: dark) {
.paper { fill: #0d1117 } .text { color: #e6edf3 } .faint { color: #9198a1 } line.faint { color: #30363d }
.kernel { color: #58a6ff } .static { color: #f0883e } .copy { color: #8b949e }
}
</style>
"""


def escape(text):
    return html.escape(text).replace("&#x27;", "&#39;")


class Scale:
    """Values to places, which are as far apart as the values' quotients; outside values go to the
    ends."""

    def __init__(self, least, most, start, end):
        self.least, self.most, self.start, self.end = least, most, start, end

    def __call__(self, value):
        share = math.log(min(max(value, self.least), self.most) / self.least)
        return self.start + (self.end - self.start) * share / math.log(self.most / self.least)

    def holds(self, value):
        return self.least <= value <= self.most


class Svg:
    """Colours are named by what they stand for: text, faint, kernel, static, copy."""

    def __init__(self, height, description, title, subtitle):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" role="img">'
            f"\n<title>{escape(description)}</title>\n{STYLE}"
            f'<rect class="paper" width="{WIDTH}" height="{height:g}"/>\n']
        self.words((16, 24), title, size=16)
        self.words((16, 42), subtitle, "faint")

    def words(self, at, text, ink="text", anchor="start", size=12):
        self.parts.append(
            f'<text class="{ink}" x="{at[0]:.1f}" y="{at[1]:.1f}" font-size="{size:g}" '
            f'text-anchor="{anchor}">{escape(text)}</text>\n')

    def line(self, start, end, ink="faint", width=1.0, dashes="none"):
        self.parts.append(
            f'<line class="{ink}" x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" '
            f'y2="{end[1]:.1f}" stroke-width="{width:g}" stroke-dasharray="{dashes}"/>\n')

    def dot(self, at, title, ink="kernel", radius=3):
        self.parts.append(f'<circle class="{ink}" cx="{at[0]:.2f}" cy="{at[1]:.2f}" r="{radius:g}">'
                          f"<title>{escape(title)}</title></circle>\n")

    def path(self, points, ink):
        steps = " L".join(f"{x:.2f} {y:.2f}" for x, y in points)
        self.parts.append(f'<path class="{ink}" d="M{steps}"/>\n')

    def text(self, y, machine):
        """All of it, with where the figures were taken as the last line."""
        self.words((16, y), f"{machine['processor']}, {machine['cores']} cores; load "
                   f"{machine['load']:.1f} at the start", "faint", size=11)
        return "".join(self.parts) + "</svg>\n"


MOST = 16  # dots beyond lie at the end
SHIFTS = (0, 6, -6, 3, -3, 9, -9, 12, -12)  # dots of near ratios lie above and below each other


def ratios(results):
    """A dot a cell, a row a family: how many times as fast as its best opponent."""
    top, row, left = 62, 36, 150
    families = {name: [one for one in family if one.best()]
                for name, family in results.families().items()}
    families = {name: family for name, family in families.items() if family}
    least = min([0.5] + [one.value() for family in families.values() for one in family])
    bottom = top + row * len(families)
    x = Scale(least * 0.95, MOST, left, WIDTH - 90)
    svg = Svg(bottom + 42, "Kernels against their best opponents",
              "Times as fast as the best opponent that does the same",
              "a dot a cell, right of 1 the kernel is faster; the stroke is the family's median, "
              "at the right in figures with the count")
    for tick in filter(x.holds, (0.25, 0.5, 0.7, 1, 1.4, 2, 4, 8, MOST)):
        ink, width = ("static", 2) if tick == 1 else ("faint", 1)
        svg.line((x(tick), top - 8), (x(tick), bottom), ink, width)
        words = f"{tick:g} and more" if tick == MOST else f"{tick:g}"
        svg.words((x(tick), bottom + 16), words, "faint", "middle")
    for at, (name, family) in enumerate(families.items()):
        add_family(svg, x, (left - 14, top + row / 2 + row * at), name, family)
    return svg.text(bottom + 34, results.machine)


def add_family(svg, x, at, name, family):
    left, y = at
    for number, one in enumerate(sorted(family, key=lambda one: one.value())):
        svg.dot((x(one.value()), y + SHIFTS[number % len(SHIFTS)]),
                f"{one.value():.5g} {one.name}, against {one.best()['is']}")
    median = quantile([one.value() for one in family], 0.5)
    svg.line((x(median), y - 14), (x(median), y + 14), "kernel", 2.5)
    svg.words((left, y + 4), name, anchor="end", size=13)
    svg.words((WIDTH - 16, y + 4), f"{median:.{2 if median < 10 else 0}f} ({len(family)})",
              anchor="end")


CURVES = (("L", "copy", "copy"), ("S", "static C++", "static"), ("", "kernel", "kernel"))


def rate(figure, letter):
    """B/ns of an opponent, or of the kernel; nothing where there is no such opponent."""
    other = figure.opponent(letter) if letter else {"ns": figure.ns}
    return other and figure.bytes / other["ns"]


def table_bytes(figure):
    extents, size = figure.operand("table")
    return math.prod(extents) * size


def size_text(size):
    power = min(int(math.log2(size)) // 10, 3)
    return f"{size / (1 << 10 * power):g} {('bytes', 'KB', 'MB', 'GB')[power]}"


def bandwidth(results):
    """B/ns against the table's size, with the caches' sizes: family `sizes`."""
    height, top, bottom = 400, 84, 336
    figures = [one for one in results.figures if one.family == "sizes" and one.operand("table")]
    figures.sort(key=table_bytes)
    svg = Svg(height, "Bandwidth against the size of the table",
              "Rows of 64 B: bytes a ns against the size of the table",
              "random rows, 256 a call, other ones each time; copy is libc's, in one piece, from "
              "and to as random a place")
    x = WIDTH - 270
    for _, name, ink in CURVES:
        svg.line((x, 20), (x + 22, 20), ink, 3)
        svg.words((x + 28, 24), name)
        x += 44 + 7 * len(name)
    rates = [rate(one, letter) for one in figures for letter, _, _ in CURVES]
    y = Scale(min([10] + [one for one in rates if one]) * 0.9,
              max([20] + [one for one in rates if one]) * 1.1, bottom, top)
    largest = table_bytes(figures[-1]) if figures else 1 << 20
    for left, direction in ((46, "gather"), (466, "scatter")):
        x = Scale(8 << 10, largest, left, left + 372)
        svg.words((left, top - 12), direction, size=14)
        add_axes(svg, x, y, results.machine)
        same = [one for one in figures if one.is_gather() == (direction == "gather")]
        for curve in CURVES:
            add_curve(svg, x, y, same, curve)
    return svg.text(height - 14, results.machine)


def add_axes(svg, x, y, machine):
    for tick in filter(y.holds, (1, 2, 5, 10, 20, 50, 100, 200, 500)):
        svg.line((x.start, y(tick)), (x.end, y(tick)))
        svg.words((x.start - 6, y(tick) + 4), f"{tick:g}", "faint", "end", 11)
    for tick in filter(x.holds, (8 << power for power in range(10, 64, 3))):
        svg.words((x(tick), y.start + 16), size_text(tick), "faint", "middle", 11)
    for name in filter(lambda name: x.holds(machine[name]), ("l1", "l2", "l3")):
        at = x(machine[name])
        svg.line((at, y.end), (at, y.start), "copy", 1, "3 3")
        svg.words((at + 3, y.end + 11), name.upper(), "faint", size=11)


def add_curve(svg, x, y, figures, curve):
    letter, name, ink = curve
    points = []
    for one in figures:
        if speed := rate(one, letter):
            points.append((x(table_bytes(one)), y(speed)))
            svg.dot(points[-1], f"{speed:.5g} B/ns, {name}, {one.name}", ink)
    if points:
        svg.path(points, ink)


CALLS = (
    ("calls", "call_empty_kernel", "call of an empty kernel"),
    ("lookups", "borrow/10/threads:1", "found among 10 and called"),
    ("lookups", "borrow_in_random_order/1000", "among 1000, in random order"),
    ("lookups", "borrow_in_random_order/10000", "among 10000, in random order"),
    ("lookups", "borrow_for_the_first_time/1000", "for the first time in a thread"),
    ("calls", "call_only", "8 rows of 128 B called"),
    ("calls", "hit_and_call", "found and called, invoke"),
    ("calls", "hit_owning", "found, to keep, compile"),
    ("compiles", "parse_text", "text parsed to a spec"),
    ("compiles", "verify_plan_strategy/static_shape", "spec verified, planned, strategy chosen"),
    ("compiles", "assemble/static_shape", "plan assembled"),
    ("compiles", "new/static_shape/p50", "compile, static shape, median"),
    ("compiles", "new/static_shape/p99", "compile, static shape, 99 of 100"),
    ("compiles", "new/runtime_shape/p50", "compile, runtime shape, median"),
    ("compiles", "llvm_from_disk", "LLVM, object on disk"),
    ("compiles", "llvm", "LLVM, compile"),
)


def time_text(ns):
    power = 0 if ns < 1e3 else 1 if ns < 1e6 else 2
    return f"{ns / 1e3**power:.3g} {('ns', 'us', 'ms')[power]}"


def calls(results):
    """From the call of an empty kernel to a compile by LLVM."""
    top, row, left = 62, 24, 330
    bottom = top + row * len(CALLS)
    x = Scale(0.1, 1e7, left, WIDTH - 90)
    svg = Svg(bottom + 44, "What calls, lookups and compiles take",
              "Before anything moves: calls, lookups and compiles",
              "medians, on a scale of powers of ten")
    for tick in (10.0**power for power in range(-1, 8)):
        svg.line((x(tick), top - 8), (x(tick), bottom))
        svg.words((x(tick), bottom + 16), time_text(tick), "faint", "middle")
    for at, (family, name, words) in enumerate(CALLS):
        y = top + row / 2 + row * at
        svg.words((left - 14, y + 4), words, anchor="end")
        if figure := results.find(family, name):
            svg.dot((x(figure.ns), y), f"{figure.ns:.5g} ns, {name}", radius=5)
            svg.words((x(figure.ns) + 10, y + 4), time_text(figure.ns))
        else:
            svg.words((left + 10, y + 4), "not in these results", "faint")
    return svg.text(bottom + 36, results.machine)


PICTURES = {"ratios.svg": ratios, "bandwidth.svg": bandwidth, "calls.svg": calls}
