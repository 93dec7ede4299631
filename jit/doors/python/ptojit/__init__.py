"""Scatter and gather kernels of Ascend NPUs, checked, explained and run on the host.

    k = ptojit.compile("a5:mscatter.row.skip src=f32[64x32|?x32] idx=i32[1x64|1x?] table=f32[?x32]")
    k(src=rows, idx=ids, table=table)                     # in place, everything checked first
    rows = ptojit.gather_rows(table, ids)                 # a spec made for the arrays at hand
    ptojit.scatter_rows(table, ids, rows, atomic="add")

Arrays are NumPy's, buffers, or come through DLPack; none is copied.
"""

from __future__ import annotations

from typing import NamedTuple, Optional, Tuple

from ptojit._ptojit import (
    BoundKernel,
    Diagnostic,
    Findings,
    Kernel,
    cache_statistics,
    gather,
    gather_rows,
    scatter,
    scatter_rows,
)
from ptojit import _ptojit
from ptojit.errors import ArrayError, Error, RangeError, SpecError, error_of, parse_diagnostics

__all__ = [
    "ArrayError", "BoundKernel", "Diagnostic", "Error", "Findings", "Kernel", "RangeError",
    "SpecError", "Verdict", "audit", "cache_statistics", "check", "compile", "emit", "gather",
    "gather_rows", "scatter", "scatter_rows",
]


class Verdict(NamedTuple):
    """What a target says to a spec; true where it takes it."""

    spec: Optional[str]
    """The canonical text; None where the spec is refused."""
    diagnostics: Tuple[Diagnostic, ...]
    """Broken rules, or notes on a legal spec."""
    text: str
    """The diagnostics as the tool prints them."""

    def __bool__(self) -> bool:
        return self.spec is not None

    def __str__(self) -> str:
        return self.text


def check(spec: str) -> Verdict:
    """Whether the target takes a spec, by which rule not, and what it would take."""
    legal, diagnostics, text = _ptojit.check(spec)
    return Verdict(legal, tuple(diagnostics), text)


def compile(spec: str, *, backend: str = "auto", threads: int = 1) -> Kernel:
    """The kernel of a spec: made once, then found. backend: auto, xbyak, llvm or interpreter.

    Large calls are done by up to `threads` threads, 0 for as many as there are, with the same result.
    """
    return Kernel(spec, backend, threads)


def audit(spec: str, **operands: object) -> Findings:
    """Looks through the indices of a call for those out of range and colliding; moves nothing."""
    return compile(spec).audit(**operands)


def emit(spec: str, *, form: str = "intrinsic", check: bool = False, **options: object) -> str:
    """The code or text a spec becomes, as `ptojit emit` writes it.

    form: intrinsic, expanded, pto-as, pto-line, llvm-ir or asm. check compiles a kernel for a
    device and runs it in the emulation; the text then ends in what was done. The tool's other
    options go by name: placement='auto', level='ssa', name='f', out_dir='.', bind={'src.vr': 3}.
    """
    legal, diagnostics, text = _ptojit.check(spec)
    if legal is None:
        raise error_of(diagnostics, text)
    words = ["emit", spec, "--form", form] + ["--check"] * check
    for name, value in options.items():
        if isinstance(value, dict):
            value = ",".join(f"{dim}={number}" for dim, number in value.items())
        words += ["--" + name.replace("_", "-"), str(value)]
    code, out, err = _ptojit.run_tool(words)
    if code != 0:
        raise error_of(parse_diagnostics(err), err)
    return out
