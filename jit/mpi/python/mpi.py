"""Scatters between processes and tables spread over them, on mpi4py's communicators.

    group = ptojit.mpi.Group(MPI.COMM_WORLD, "f32", (16, 32))          # all ranks
    if group.rank == group.root:
        group.scatter(spec, source)                                    # the root alone
    group.wait()                                                       # all ranks, before they read
    group.array                                                        # what this rank was given

Making and dropping a Group or a SpreadTable is collective. `import ptojit` loads none of this.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import Iterator, Mapping, Optional, Sequence

import numpy as np
from mpi4py import MPI

from ptojit import _mpi
from ptojit.errors import error_of, parse_diagnostics

__all__ = ["Group", "SpreadTable"]

# bf16 and the 8-bit floats are bits.
_NUMPY = {
    "i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16, "i32": np.int32,
    "u32": np.uint32, "f16": np.float16, "f32": np.float32, "bf16": np.uint16,
    "f8e4m3": np.uint8, "f8e5m2": np.uint8, "hif8": np.uint8,
}


@contextmanager
def _raising() -> Iterator[None]:
    try:
        yield
    except _mpi.Refusal as refusal:
        text = str(refusal)
        raise error_of(parse_diagnostics(text), text) from None


class Group:
    """The ranks of a communicator, each with a destination for what a root scatters."""

    def __init__(self, comm: MPI.Comm, dtype: str, shape: Sequence[int], *, root: int = 0,
                 strides: Optional[Sequence[int]] = None, ranks_per_host: int = 0) -> None:
        """Collective; all ranks state the same. strides count elements."""
        with _raising():
            self._group = _mpi.Group(MPI._handleof(comm), dtype, list(shape), list(strides or ()),
                                     root, ranks_per_host)
        packed = [int(np.prod(shape[dim + 1:])) for dim in range(len(shape))]
        element = np.dtype(_NUMPY[dtype])
        steps = [stride * element.itemsize for stride in strides or packed]
        self.array = np.ndarray(shape, element, self._group.memory(), 0, steps)
        """This rank's destination; it must not outlive MPI."""

    @property
    def rank(self) -> int:
        return self._group.rank

    @property
    def size(self) -> int:
        return self._group.size

    @property
    def root(self) -> int:
        return self._group.root

    def scatter(self, spec: str, source: np.ndarray, *,
                bind: Optional[Mapping[str, int]] = None) -> None:
        """The root's alone: hands each rank its rows of the source."""
        with _raising():
            self._group.scatter(spec, source, dict(bind or {}))

    def wait(self) -> None:
        """Collective; afterwards every rank has what was scattered before."""
        with _raising():
            self._group.wait()


class SpreadTable:
    """A table whose rows are spread over ranks: row q lives on rank q // rows_per_rank."""

    def __init__(self, comm: MPI.Comm, local: np.ndarray, rows_per_rank: int, *,
                 dtype: str = "") -> None:
        """Collective; local are this rank's rows, two-dimensional. dtype: what uint16 or uint8 hold."""
        with _raising():
            self._table = _mpi.SpreadTable(MPI._handleof(comm), local, rows_per_rank, dtype)

    @property
    def rows(self) -> int:
        """Of all ranks."""
        return self._table.rows

    def gather_rows(self, spec: str, *, dst: np.ndarray, idx: np.ndarray,
                    bind: Optional[Mapping[str, int]] = None) -> None:
        """Collective; rows of the whole table by a mgather.row, into the storage of its tile."""
        with _raising():
            self._table.move_rows(spec, dst, idx, dict(bind or {}))

    def scatter_rows(self, spec: str, *, src: np.ndarray, idx: np.ndarray,
                     bind: Optional[Mapping[str, int]] = None) -> None:
        """Collective; rows to where a mscatter.row puts them in the whole table."""
        with _raising():
            self._table.move_rows(spec, src, idx, dict(bind or {}))
