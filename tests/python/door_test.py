"""A short run of the fuzzer, and what it does when a call goes wrong."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

FUZZER = str(pathlib.Path(__file__).with_name("door_fuzzer.py"))


def fuzz(*words: str, path: str = "") -> subprocess.CompletedProcess:
    before = os.environ.get("PYTHONPATH", "")
    return subprocess.run([sys.executable, FUZZER, *words], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": f"{path}:{before}" if path else before})


class DoorTest(unittest.TestCase):
    def test_calls_with_hostile_arrays_are_refused_or_right(self):
        done = fuzz("--seed", "1", "--count", "1000")
        print(done.stdout, end="", file=sys.stderr)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for name in ("taken", "ArrayError", "SpecError", "RangeError", "KeyboardInterrupt", "threads",
                     "changing list", "lying DLPack", "ctypes", "capsule", "every other", "read-only",
                     "huge strides", "another dtype", "raising __dlpack__"):
            self.assertIn(f" {name}", done.stdout)

    def test_a_call_that_kills_or_errs_is_reported_and_made_again_by_the_command_that_is_printed(self):
        for fault, sign in (("os.kill(os.getpid(), signal.SIGSEGV)", "exit code -11"),
                            ("table[...] = 0", "Finding")):
            with tempfile.TemporaryDirectory() as folder:
                pathlib.Path(folder, "sitecustomize.py").write_text(
                    "import os, signal, ptojit\nreal = ptojit.scatter_rows\n"
                    f"def scatter_rows(table, *more, **named):\n    {fault}\n"
                    "    return real(table, *more, **named)\nptojit.scatter_rows = scatter_rows\n")
                found = fuzz("--seed", "1", "--count", "100", path=folder)
                self.assertEqual(found.returncode, 1)
                self.assertIn(sign, found.stdout)
                command = re.search(r"again: (.*)", found.stdout)[1]
                again = subprocess.run(command, shell=True, capture_output=True, text=True)
                self.assertEqual(again.returncode, 1)
                self.assertIn(sign, again.stdout)


if __name__ == "__main__":
    unittest.main()
