"""Fuzzes the Python package: hostile arrays and objects, lists that change, threads that call at once.

    PYTHONPATH=build/python /usr/bin/python3 tests/python/door_fuzzer.py --seconds 60 [--seed N]

Calls are made in a process of their own. When one dies, hangs, or does what it must not, the seed of the call and the
command that makes it again are printed, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import collections
import faulthandler
import gc
import mmap
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import time
import traceback
from typing import Tuple

PATIENCE = 240  # seconds that no call takes, nor the start of a process, on a loaded machine either
PER_PROCESS = 2000  # calls
# Memory that was freed is overwritten, and what Python allocates has guards that are looked at.
FREED_IS_GONE = {"MALLOC_PERTURB_": "165", "PYTHONMALLOC": "malloc_debug"}


def make_calls(first: int, count: int, seconds: float, progress: str) -> int:
    """In the child: writes down the seed of each call before it is made."""
    import door_cases

    faulthandler.enable()
    sys.setswitchinterval(1e-5)
    with open(progress, "r+b") as file:
        place = mmap.mmap(file.fileno(), 8)
    kernels, tally, end = door_cases.Kernels(), collections.Counter(), time.monotonic() + seconds
    for seed in range(first, first + count):
        place[:8] = struct.pack("q", seed)
        try:
            call = door_cases.one_case(seed, kernels)
        except BaseException:
            traceback.print_exc()
            return 1
        tally[call.outcome] += 1
        tally.update({each.name for each in call.given})
        if seed % 500 == 0:
            gc.collect()
        if time.monotonic() > end:
            break
    place[:8] = struct.pack("q", seed + 1)
    print("\n".join(f"{name}\t{number}" for name, number in tally.items()))
    return 0


def watch(child: subprocess.Popen, progress: str) -> Tuple[int, str]:
    """The seed it got to, and what is wrong. A call that takes too long is aborted, which prints where it is."""
    seed, since, late = -1, time.monotonic(), ""
    while True:
        try:
            code = child.wait(timeout=1)
        except subprocess.TimeoutExpired:
            code = None
        now = struct.unpack("q", pathlib.Path(progress).read_bytes())[0]
        if code is not None:
            return now, f"{late}exit code {code}" if code else ""
        if now != seed:
            seed, since = now, time.monotonic()
        elif time.monotonic() - since > PATIENCE and not late:
            late = f"no end after {PATIENCE} s, "
            child.send_signal(signal.SIGABRT)


def run_child(first: int, count: int, seconds: float):
    """Its tally, the seed it got to, and what is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        progress = f"{folder}/progress"
        pathlib.Path(progress).write_bytes(struct.pack("q", first))
        command = [sys.executable, __file__, "--progress", progress, "--seed", str(first), "--count",
                   str(count), "--seconds", str(seconds)]
        with open(f"{folder}/said", "w+b") as said:
            child = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT,
                                     env={**os.environ, **FREED_IS_GONE})
            seed, wrong = watch(child, progress)
        text = pathlib.Path(said.name).read_text(errors="replace")
    if wrong:
        return collections.Counter(), seed, f"{wrong}\n{text[-6000:]}"
    return collections.Counter({name: int(number) for name, number in (
        line.rsplit("\t", 1) for line in text.splitlines() if "\t" in line)}), seed, ""


def fuzz(seed: int, seconds: float, count: int) -> int:
    end, tally, first = time.monotonic() + seconds, collections.Counter(), seed
    print(f"seed {seed}", flush=True)
    while time.monotonic() < end and seed < first + count:
        most = min(PER_PROCESS, first + count - seed)
        found, seed, wrong = run_child(seed, most, end - time.monotonic())
        tally += found
        if wrong:
            print(f"call {seed}: {wrong}\nagain: PYTHONPATH={os.environ.get('PYTHONPATH', '')} "
                  f"{sys.executable} {__file__} --seed {seed} --count 1")
            return 1
    print(f"{seed - first} calls without a finding:",
          ", ".join(f"{number} {name}" for name, number in sorted(tally.items())))
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1e6)
    parser.add_argument("--seed", type=int, default=0, help="of the first call; 0: another one each time")
    parser.add_argument("--count", type=int, default=10**9, help="calls")
    parser.add_argument("--progress", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.progress:
        sys.exit(make_calls(options.seed, options.count, options.seconds, options.progress))
    sys.exit(fuzz(options.seed or time.time_ns() % 10**9 * 1000, options.seconds, options.count))
