"""The examples of the documentation run as they stand."""

import contextlib
import io
import pathlib
import re
import runpy
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "docs/examples/programs").glob("*.py"))


class ExamplesTest(unittest.TestCase):
    def test_programs_run_and_are_short(self):
        self.assertGreaterEqual(len(EXAMPLES), 4)
        for path in EXAMPLES:
            self.assertLess(len(path.read_text().splitlines()), 60, path.name)
            done = subprocess.run([sys.executable, path], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), path.name)
            self.assertTrue(done.stdout, path.name)

    def test_the_lines_of_the_page_do_what_it_says(self):
        page = (ROOT / "docs" / "python.md").read_text()
        blocks = re.findall(r"```python\n(.*?)```", page, re.S)
        self.assertGreaterEqual(len(blocks), 3)
        names = {"__name__": "page"}
        for block in blocks:
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                exec(compile(block, "docs/python.md", "exec"), names)
            promised = re.findall(r"print\(.*\) +# (.*)", block)
            self.assertEqual(said.getvalue().splitlines(), promised)


if __name__ == "__main__":
    unittest.main()
