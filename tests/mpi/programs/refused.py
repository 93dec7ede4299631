"""Arguments that one rank cannot have: every rank gets an exception of the same type, and nothing moves."""

import gc

import numpy as np
from mpi4py import MPI

import ptojit
import ptojit.mpi

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
ODD = 1


def fails(kind, word, culprit, call):
    """The culprit's own error on every rank; the others are told whose it is. None: everybody's."""
    try:
        call()
    except kind as problem:
        assert word in problem.id, problem
        told = f"rank {culprit} " in str(problem)
        assert told == (culprit not in (None, rank)), problem
        return
    raise AssertionError(f"rank {rank}: no {kind.__name__} {word}")


class Interrupts:
    """A number, or values by name, that is interrupted while it is read."""

    def __index__(self):
        raise KeyboardInterrupt

    def keys(self):
        raise KeyboardInterrupt


def interrupted(call):
    try:
        call()
    except KeyboardInterrupt:
        assert rank == ODD
    except ptojit.Error as problem:
        assert rank != ODD and "KeyboardInterrupt" in str(problem), problem
    else:
        raise AssertionError("nobody was told")


def odd(bad, good):
    return bad if rank == ODD else good


def groups():
    def group(dtype="f32", shape=(4, 8), **named):
        return lambda: ptojit.mpi.Group(comm, odd(dtype, "f32"), odd(shape, (4, 8)),
                                        **(named if rank == ODD else {}))

    for dtype in ("f33", None):
        fails(ptojit.Error, "", ODD, group(dtype))
    for shape in ((2**33, 8), (2**70, 8), (), ("x", 8)):
        fails(ptojit.Error, "", ODD, group(shape=shape))
    for strides in ((8,), (0, 1), (2**62, 2**62)):
        fails(ptojit.Error, "", ODD, group(strides=strides))
    fails(ptojit.ArrayError, "call.argument", ODD, group(root="0"))
    interrupted(group(shape=(4, Interrupts())))
    fails(ptojit.SpecError, "group.shape", ODD, group(shape=(4, 2**31)))
    fails(ptojit.SpecError, "group.differs", None, group(shape=(4, 9)))


def strange(rows, cols, dtype=np.float32):
    """Arrays that no kernel can be given as they lie, each with its word."""
    size_of = np.dtype(dtype).itemsize
    packed = np.zeros((rows, cols), dtype)
    record = np.zeros((rows, cols), [("a", dtype), ("b", "u1")])
    return {
        "call.dtype": [packed.astype(np.dtype(dtype).newbyteorder(">")), np.zeros((rows, cols), [])],
        "call.strides": [record["a"], packed[::-1]],
        "call.array": [None],
        "call.alignment": [np.zeros(rows * cols * size_of + 1, "u1")[1:].view(dtype)
                           .reshape(rows, cols)],
    }


def scatters():
    group = ptojit.mpi.Group(comm, "f32", (4, 8), root=ODD)
    spec = f"a5:comm.tscatter src=f32[{4 * size}x8] dst=f32[4x8] stage=f32[2x8] ranks={size} root={ODD}"
    good = np.ones((4 * size, 8), np.float32)

    def attempt(kind, word, *arguments, **named):
        if rank == ODD:
            fails(kind, word, None, lambda: group.scatter(*arguments, **named))
        fails(kind, word, ODD, group.wait)

    for word, sources in strange(4 * size, 8).items():
        for source in sources:
            attempt(ptojit.ArrayError, word, spec, source)
    attempt(ptojit.ArrayError, "call.", spec, np.asfortranarray(good))
    attempt(ptojit.ArrayError, "call.", spec, good[:-1])
    attempt(ptojit.SpecError, "", "nonsense", good)
    attempt(ptojit.ArrayError, "call.argument", None, good)
    for bind in ({"nonsense": 3}, 5):
        attempt(ptojit.ArrayError, "", spec, good, bind=bind)
    if rank == ODD:
        interrupted(lambda: group.scatter(spec, good, bind=Interrupts()))
    fails(ptojit.Error, "call.argument", ODD, group.wait)
    assert (group.array == 0).all()
    group.wait()  # all have looked
    if rank == ODD:
        group.scatter(spec, good)
    group.wait()
    assert (group.array == 1).all()


GATHER = "a5:mgather.row.zero dst=f32[8x8|?x8] idx=i32[1x8|1x?] table=f32[?x8]"
SCATTER = "a5:mscatter.row.skip src=f32[8x8|?x8] idx=i32[1x8|1x?] table=f32[?x8]"


def tables():
    good = np.zeros((4, 8), np.float32)

    def table(local=good, per_rank=4, **named):
        return lambda: ptojit.mpi.SpreadTable(comm, odd(local, good), odd(per_rank, 4),
                                              **(named if rank == ODD else {}))

    for word, locals_ in strange(4, 8).items():
        for local in locals_:
            fails(ptojit.Error, "", ODD, table(local))
    fails(ptojit.ArrayError, "call.dtype", ODD, table(good.astype(np.int64)))
    fails(ptojit.ArrayError, "call.dtype", ODD, table(dtype="bf16"))
    fails(ptojit.Error, "", ODD, table(np.asfortranarray(good)))
    fails(ptojit.ArrayError, "call.argument", ODD, table(per_rank="4"))
    fails(ptojit.SpecError, "spread.shape", ODD, table(per_rank=0))
    interrupted(table(per_rank=Interrupts()))


def rows():
    local = np.full((4, 8), rank, np.float32)
    table = ptojit.mpi.SpreadTable(comm, local, 4)
    ids = np.array([0, 4 * size - 1, 4 * size], np.int32)
    dst = np.full((3, 8), 9, np.float32)

    def gather(to=dst, idx=ids, spec=GATHER, **named):
        return lambda: table.gather_rows(odd(spec, GATHER), dst=odd(to, dst), idx=odd(idx, ids),
                                         **(named if rank == ODD else {}))

    for word, arrays in strange(3, 8).items():
        for array in arrays:
            fails(ptojit.ArrayError, word, ODD, gather(array))
    for to in (np.zeros((8, 33), np.float32), np.zeros(24, np.float32)):
        fails(ptojit.ArrayError, "call.shape", ODD, gather(to))
    fails(ptojit.ArrayError, "call.strides", ODD, gather(np.asfortranarray(dst)))
    fails(ptojit.ArrayError, "call.dtype", ODD, gather(idx=ids.astype(">i4")))
    fails(ptojit.ArrayError, "call.strides", ODD, gather(idx=np.zeros(6, np.int32)[::2]))
    fails(IndexError, "index.range", ODD, gather(idx=np.array([0, 2**40, 0])))
    fails(IndexError, "index.range", ODD, gather(spec=GATHER.replace(".zero", "")))
    fails(ptojit.SpecError, "", ODD, gather(spec="nonsense"))
    fails(ptojit.Error, "", ODD, gather(spec=SCATTER))
    for bind in ({"nonsense": 3}, {"dst.vr": 7}):
        fails(ptojit.Error, "", ODD, gather(bind=bind))
    read_only = np.zeros((3, 8), np.float32)
    read_only.flags.writeable = False
    fails(ptojit.ArrayError, "call.readonly", ODD, gather(read_only))
    interrupted(gather(bind=Interrupts()))
    assert (dst == 9).all() and (local == rank).all()
    table.gather_rows(GATHER, dst=dst, idx=odd(ids.astype(np.int64), ids), bind={})
    assert dst[:, 0].tolist() == [0, size - 1, 0], dst
    local.flags.writeable = False
    kept = ptojit.mpi.SpreadTable(comm, local, 4)
    kept.gather_rows(GATHER, dst=dst, idx=ids)
    fails(ptojit.ArrayError, "call.const", None,
          lambda: kept.scatter_rows(SCATTER, src=np.ones((3, 8), np.float32), idx=ids))
    assert (local == rank).all()


# --- ranks that leave ---------------------------------------------------------------------------


def told(problem, *words):
    assert problem.id == "mpi.left" and f"rank {ODD} left" in str(problem), problem
    for word in words:
        assert word in str(problem), problem


def leaves(make, use):
    """By a block that ends in an exception, without a word, and in peace."""
    try:
        with make() as shared:
            if rank == ODD:
                raise ValueError("no source")
            use(shared)
            raise AssertionError("the others went on")
    except ValueError as problem:
        assert rank == ODD or isinstance(problem, ptojit.Error), problem
        if rank != ODD:
            told(problem, "ValueError: no source")
            fails(ptojit.Error, "mpi.left", ODD, lambda: use(shared))
        else:
            fails(ptojit.Error, "mpi.left", None, lambda: use(shared))
    del shared
    gc.collect()
    shared = make()
    if rank != ODD:
        try:
            use(shared)
            raise AssertionError("the others went on")
        except ptojit.Error as problem:
            told(problem)
    del shared
    with make() as shared:
        use(shared)


groups()
scatters()
tables()
rows()
leaves(lambda: ptojit.mpi.Group(comm, "f32", (4, 8)), lambda group: group.wait())
leaves(lambda: ptojit.mpi.Group(comm, "f32", (4, 8), ranks_per_host=1), lambda group: group.wait())
leaves(lambda: ptojit.mpi.SpreadTable(comm, np.zeros((4, 8), np.float32), 4),
       lambda table: table.gather_rows(GATHER, dst=np.zeros((1, 8), np.float32),
                                       idx=np.zeros(1, np.int32)))
comm.Barrier()
if rank == 0:
    print("all is well")
