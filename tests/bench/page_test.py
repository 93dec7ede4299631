"""Pages and pictures say what the file of results says that they name."""

import math
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/report"))

from figures import Figure, Results
from page import filled_page
from pictures import PICTURES
from results import UNKNOWN, Problem, read_results
from table import table

PAGE = (ROOT / "docs/performance.md").read_text()
SOURCE = re.search(r"bench/results/[^`]*\.json", PAGE).group()
KEPT = read_results(ROOT / SOURCE)
FAMILIES = {"rows", "dram_rows", "elem_gather", "elem_scatter", "byte_offsets", "small_tables",
            "adds", "masks", "last_wins", "extents", "groups", "layouts", "workloads", "sizes",
            "calls", "lookups", "compiles"}


class PageTest(unittest.TestCase):
    maxDiff = None

    def test_names_a_file_of_results_with_every_family(self):
        names = [(one.family, one.name) for one in KEPT.figures]
        self.assertEqual(len(names), len(set(names)))
        self.assertLessEqual(FAMILIES, KEPT.families().keys())
        self.assertEqual(KEPT.machine["effort"], "full")

    def test_is_what_the_generator_makes_of_the_results(self):
        for path in ("docs/performance.md", "README.md"):
            page = (ROOT / path).read_text()
            self.assertIn("<!-- figures: ", page)
            self.assertEqual(filled_page(page, KEPT, SOURCE), page)

    def test_refuses_a_place_it_does_not_know(self):
        def filled(page):
            return filled_page(page, Results(UNKNOWN, []), "x.json")

        for page in ("<!-- figures: moon -->\n<!-- end -->", "<!-- figures: rows -->\n",
                     "<!-- figures: rows",
                     "<!-- figures: rows -->\n<!-- figures: rows --><!-- end -->"):
            self.assertRaises(Problem, filled, page)
        made = filled("a\n<!-- figures: rows -->\nold\n<!-- end -->\nb")
        self.assertNotIn("old", made)
        self.assertTrue(made.startswith("a\n") and made.endswith("<!-- end -->\nb"))
        self.assertEqual(filled("no places"), "no places")
        odd = Results(UNKNOWN, [Figure("rows", "x", 1.0, spec="a5:mgather.row dst=f32[?x]")])
        self.assertEqual(filled_page("<!-- figures: rows --><!-- end -->", odd, "").count("|"), 12)


def dots_of(file):
    """x, y, the value and the words behind it, of every dot."""
    for circle in ElementTree.parse(ROOT / "docs/pictures" / file).findall(".//{*}circle"):
        value, words = re.fullmatch(r"([0-9.e+-]+) ?(.*)", circle[0].text).groups()
        yield float(circle.get("cx")), float(circle.get("cy")), float(value), words


class PicturesTest(unittest.TestCase):
    def assert_on_one_scale(self, dots):
        """Places are as far apart as the logarithms of their values: what the first and the last
        dot say holds for all between them. Dots are values and places."""
        dots = sorted(dots)
        self.assertGreaterEqual(len(dots), 3)
        (least, start), (most, end) = dots[0], dots[-1]
        for value, place in dots:
            share = math.log(value / least) / math.log(most / least)
            self.assertAlmostEqual(place, start + share * (end - start), delta=0.05)

    def assert_same_numbers(self, shown, values):
        """To five digits, which the titles have."""
        self.assertEqual(len(shown), len(values))
        for one, value in zip(sorted(shown), sorted(values)):
            self.assertAlmostEqual(one, value, delta=value * 6e-5)

    def test_are_drawn_from_the_results_and_well_formed(self):
        for file, draw in PICTURES.items():
            drawn = draw(KEPT)
            self.assertEqual(drawn, (ROOT / "docs/pictures" / file).read_text(), file)
            ElementTree.fromstring(drawn)
            self.assertIn("prefers-color-scheme: dark", drawn)
            self.assertIn(f"](pictures/{file})", PAGE)

    def test_hold_any_words_and_no_figures(self):
        for draw in PICTURES.values():
            for family in ("<&>", "sizes", "rows"):
                one = Figure(family, '"\'</title>', 1.0, spec="a5:mgather", opponents=[
                    {"letter": "S", "is": "<b>", "ns": 2.0, "does_the_same": True}])
                ElementTree.fromstring(draw(Results(UNKNOWN, [one])))
            ElementTree.fromstring(draw(Results(UNKNOWN, [])))

    def test_ratios_are_those_of_the_results(self):
        dots = list(dots_of("ratios.svg"))
        values = [one.best()["ns"] / one.ns for one in KEPT.figures if one.best()]
        self.assert_same_numbers([value for _, _, value, _ in dots], values)
        # Those from 16 on are all at the end.
        self.assert_on_one_scale([(value, x) for x, _, value, _ in dots if value < 16])

    def test_bandwidths_are_those_of_the_results(self):
        dots = list(dots_of("bandwidth.svg"))
        self.assertGreaterEqual(len(dots), 60)
        values = [one.bytes / ns for one in KEPT.figures if one.family == "sizes"
                  for ns in (one.ns, one.opponent("S")["ns"], one.opponent("L")["ns"])]
        self.assert_same_numbers([value for _, _, value, _ in dots], values)
        self.assert_on_one_scale([(value, y) for _, y, value, _ in dots])

    def test_calls_are_those_of_the_results(self):
        dots = list(dots_of("calls.svg"))
        self.assertGreaterEqual(len(dots), 14)
        self.assert_on_one_scale([(value, x) for x, _, value, _ in dots])
        for _, _, value, words in dots:
            ns = next(one.ns for one in KEPT.figures if one.name == words.removeprefix("ns, "))
            self.assertAlmostEqual(value, ns, delta=ns * 6e-5)


class CommandTest(unittest.TestCase):
    def run_report(self, *arguments):
        return subprocess.run([sys.executable, "-B", "bench/report", *arguments], cwd=ROOT,
                              capture_output=True, text=True)

    def test_prints_compares_and_keeps_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            kept, page = Path(folder, "kept.json"), Path(folder, "page.md")
            page.write_text("<!-- figures: summary --><!-- end -->")
            done = self.run_report("--from", SOURCE, "--compare", SOURCE, "--out", str(kept),
                                   "--markdown", str(page), "--svg", folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(read_results(kept), KEPT)
            self.assertIn("finds rows at", page.read_text())
            self.assertTrue(all(Path(folder, file).exists() for file in PICTURES))
        self.assertTrue(done.stdout.startswith("\n".join(table(KEPT))))
        self.assertTrue(done.stdout.endswith("0 only before, 0 only now\n"))
        self.assertEqual(self.run_report("--from", SOURCE, "--json").stdout.count("\n"),
                         len(KEPT.figures) + 3)

    def test_says_what_is_wrong(self):
        for arguments, words in ((["--from", "none.json"], "cannot read 'none.json'"),
                                 (["--from", "dev"], "not a file of results"),
                                 (["--from", SOURCE, "--svg", "/none"], "cannot write '/none/"),
                                 (["--from", SOURCE, "--markdown", "none.md"], "cannot read 'none"),
                                 (["--passes", "13"], "argument --passes: invalid choice: 13"),
                                 (["--bogus"], "unrecognized arguments: --bogus")):
            done = self.run_report(*arguments)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(words, done.stderr)
            self.assertNotIn("Traceback", done.stderr)
        with open("/dev/full", "w") as full, tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-B", "bench/report", "--from", SOURCE, "--out",
                                   f"{folder}/kept"], cwd=ROOT, stdout=full,
                                  stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr, "error: the output cannot be written: No space left on "
                             "device\n")
            self.assertEqual(read_results(f"{folder}/kept"), KEPT)


if __name__ == "__main__":
    unittest.main()
