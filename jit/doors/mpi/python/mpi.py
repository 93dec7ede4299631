"""Scatters between processes and tables spread over them, on mpi4py's communicators.

    group = ptojit.mpi.Group(MPI.COMM_WORLD, "f32", (16, 32))          # all ranks
    if group.rank == group.root:
        group.scatter(spec, source)                                    # the root alone
    group.wait()                                                       # all ranks, before they read
    group.array                                                        # what this rank was given

Making and dropping a Group or a SpreadTable is collective. What one rank is refused, every rank gets
an exception for, of the same type. A rank that drops a group, leaves its `with` block by an exception
or ends ends the others' waits by an error too. `import ptojit` loads none of this.
"""

from __future__ import annotations

import sys
import weakref
from typing import Any, Mapping, Optional, Sequence, TypeVar

import numpy as np
from mpi4py import MPI

import ptojit  # registers what its exceptions carry
from ptojit import _mpi

__all__ = ["Group", "SpreadTable"]

# bf16 and the 8-bit floats are bits.
_NUMPY = {
    "i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16, "i32": np.int32,
    "u32": np.uint32, "f16": np.float16, "f32": np.float32, "bf16": np.uint16,
    "f8e4m3": np.uint8, "f8e5m2": np.uint8, "hif8": np.uint8,
}

_Self = TypeVar("_Self", bound="_Collective")


def _leave(held: Any, problem: Optional[BaseException] = None) -> None:
    # At the end of a process: the exception that ends it.
    if problem is None:
        problem = getattr(sys, "last_value", None)
    held.leave("" if problem is None else f"{type(problem).__name__}: {problem}")


class _Collective:
    """What ranks hold together. One that lets go of it tells the others."""

    def _hold(self, held: Any) -> None:
        self._held = held
        self._finalizer = weakref.finalize(self, _leave, held)

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, kind: object, problem: Optional[BaseException], trace: object) -> None:
        """Collective; the last use on this rank."""
        if self._finalizer.detach():
            _leave(self._held, problem)

    @property
    def rank(self) -> int:
        return self._held.rank

    @property
    def size(self) -> int:
        return self._held.size


class Group(_Collective):
    """The ranks of a communicator, each with a destination for what a root scatters."""

    def __init__(self, comm: MPI.Comm, dtype: str, shape: Sequence[int], *, root: int = 0,
                 strides: Optional[Sequence[int]] = None, ranks_per_host: int = 0) -> None:
        """Collective; all ranks state the same. strides count elements."""
        self._hold(_mpi.Group(MPI._handleof(comm), dtype, shape, strides, root, ranks_per_host))
        element = np.dtype(_NUMPY[self._held.dtype])
        steps = [stride * element.itemsize for stride in self._held.strides]
        self.array = np.ndarray(self._held.shape, element, self._held.memory(), 0, steps)
        """This rank's destination; it must not outlive MPI."""

    @property
    def root(self) -> int:
        return self._held.root

    def scatter(self, spec: str, source: object, *,
                bind: Optional[Mapping[str, int]] = None) -> None:
        """The root's alone: hands each rank its rows of the source."""
        self._held.scatter(spec, source, bind)

    def wait(self) -> None:
        """Collective; afterwards every rank has what was scattered before."""
        self._held.wait()


class SpreadTable(_Collective):
    """A table whose rows are spread over ranks: row q lives on rank q // rows_per_rank."""

    def __init__(self, comm: MPI.Comm, local: object, rows_per_rank: int, *,
                 dtype: str = "") -> None:
        """Collective; local are this rank's rows, two-dimensional. dtype: what uint16 or uint8 hold."""
        self._hold(_mpi.SpreadTable(MPI._handleof(comm), local, rows_per_rank, dtype))

    @property
    def rows(self) -> int:
        """Of all ranks."""
        return self._held.rows

    def gather_rows(self, spec: str, *, dst: object, idx: object,
                    bind: Optional[Mapping[str, int]] = None) -> None:
        """Collective; rows of the whole table by a mgather.row, into the array of its tile."""
        self._held.gather_rows(spec, dst, idx, bind)

    def scatter_rows(self, spec: str, *, src: object, idx: object,
                     bind: Optional[Mapping[str, int]] = None) -> None:
        """Collective; rows to where a mscatter.row puts them in the whole table."""
        self._held.scatter_rows(spec, src, idx, bind)
