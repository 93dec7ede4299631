"""A rank of a group and of a spread table, from Python: started by mpirun."""

import numpy as np
from mpi4py import MPI

import ptojit
import ptojit.mpi

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()


def fails(kind, word, call, *arguments, **named):
    try:
        call(*arguments, **named)
    except kind as problem:
        assert word in problem.id, problem
        return
    raise AssertionError(f"rank {rank}: no {kind.__name__} {word}")


def scatter(ranks_per_host):
    group = ptojit.mpi.Group(comm, "f32", (4, 8), strides=(10, 1), root=size - 1,
                             ranks_per_host=ranks_per_host)
    spec = (f"a5:comm.tscatter src=f32[{4 * size}x8] dst=f32[4x8@10x1] stage=f32[2x8] "
            f"ranks={size} root={size - 1}")
    source = np.arange(32 * size, dtype=np.float32).reshape(4 * size, 8)
    if rank == group.root:
        group.scatter(spec, source)
    group.wait()
    assert (group.array == source[4 * rank:4 * rank + 4]).all(), group.array
    if rank == group.root:
        fails(ptojit.ArrayError, "call.dtype", group.scatter, spec, source.astype(np.int32))
    fails(ptojit.ArrayError, "call.dtype", group.wait)


def spread():
    local = np.full((4, 8), rank, np.float32)
    table = ptojit.mpi.SpreadTable(comm, local, 4)
    assert table.rows == 4 * size
    idx = np.array([0, 4 * size - 1, 4 * size], np.int32)
    dst = np.full((3, 8), 9, np.float32)
    table.gather_rows("a5:mgather.row.zero dst=f32[8x8|?x8] idx=i32[1x8|1x?] table=f32[?x8]",
                      dst=dst, idx=idx)
    assert dst[:, 0].tolist() == [0, size - 1, 0], dst
    table.scatter_rows("a5:mscatter.row.skip.atomic_add src=f32[8x8|?x8] idx=i32[1x8|1x?] "
                       "table=f32[?x8]", src=np.ones((3, 8), np.float32), idx=idx)
    assert local[0, 0] == rank + (size if rank == 0 else 0), local
    assert local[3, 7] == rank + (size if rank == size - 1 else 0), local
    idx = np.array([4 * size if rank == 0 else 0], np.int32)
    fails(IndexError, "index.range", table.gather_rows,
          "a5:mgather.row dst=f32[8x8|?x8] idx=i32[1x8|1x?] table=f32[?x8]", dst=dst[:1], idx=idx)


scatter(0)
scatter(1)
spread()
fails(ptojit.SpecError, "group.differs", ptojit.mpi.Group, comm, "f32", (4, 8 + rank))
fails(ptojit.SpecError, "group.shape", ptojit.mpi.Group, comm, "f32", (2**33, 8))
comm.Barrier()
if rank == 0:
    print("all is well")
