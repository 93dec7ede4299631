"""Arrays for the fuzzer: the same elements behind every door, and descriptions that are wrong.

Memory ends at a page that nobody may touch, so that generated code that leaves it dies.
"""

from __future__ import annotations

import array
import ctypes
import enum
import mmap
from typing import Callable, NamedTuple, Optional, Tuple

import numpy as np

from producers import FLOAT, INT, UINT, Producer

PAGE = mmap.PAGESIZE
KINDS = {"i": INT, "u": UINT, "f": FLOAT}
libc = ctypes.CDLL(None, use_errno=True)
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


def guarded(rng, shape, dtype) -> np.ndarray:
    """Memory that begins behind or ends before a forbidden page."""
    dtype = np.dtype(dtype)
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    pages = -(-max(size, 1) // PAGE)
    memory = mmap.mmap(-1, (pages + 2) * PAGE)
    whole = np.frombuffer(memory, np.uint8)
    for page in (0, pages + 1):
        if libc.mprotect(whole.ctypes.data + page * PAGE, PAGE, 0) != 0:
            raise OSError(ctypes.get_errno(), "mprotect")
    first = PAGE if rng.random() < 0.5 else (pages + 1) * PAGE - size
    return whole[first:first + size].view(dtype).reshape(shape)


class Fate(enum.Enum):
    """What may become of a call with this in the place of an array."""

    TAKEN = "taken"
    RIGHT = "taken for what it stands for, or refused"
    REFUSED = "refused"
    ANY = "refused, or taken for something else"


class Given(NamedTuple):
    """What a call is given in the place of an array."""

    object: object
    name: str  # of the door or of what is wrong
    memory: np.ndarray  # what a call that takes it reads and writes
    fate: Fate = Fate.TAKEN
    raises: Optional[type] = None  # exactly this goes through
    producer: Optional[Producer] = None


def producer_of(memory: np.ndarray, **more) -> Producer:
    return Producer(memory, code=KINDS[memory.dtype.kind], bits=8 * memory.dtype.itemsize, **more)


# --- doors: the same elements ---

def by_numpy(rng, memory):
    return Given(memory, "ndarray", memory)


def by_subclass(rng, memory):
    class Odd(np.ndarray):
        __array_interface__ = {"shape": (-1,), "typestr": "?", "data": None}

        def __len__(self):
            return -1

    return Given(memory.view(Odd), "subclass of ndarray", memory)


def by_memoryview(rng, memory):
    # A memoryview of some arrays without elements cannot be had.
    return Given(memoryview(memory), "memoryview", memory) if memory.size else by_numpy(rng, memory)


def by_dlpack(rng, memory):
    producer = producer_of(memory, strides=None if rng.random() < 0.5 else
                           [step // memory.itemsize for step in memory.strides])
    return Given(producer, "DLPack", memory, producer=producer)


def by_capsule(rng, memory):
    producer = producer_of(memory)
    return Given(producer.__dlpack__(), "capsule", memory, producer=producer)


def by_ctypes(rng, memory):
    kind = np.ctypeslib.as_ctypes_type(memory.dtype) if memory.dtype != np.float16 else None
    if kind is None or memory.size == 0:
        return by_numpy(rng, memory)
    for extent in reversed(memory.shape):
        kind = kind * extent
    return Given(kind.from_buffer(memory), "ctypes", memory)


DOORS = (by_numpy, by_numpy, by_subclass, by_memoryview, by_dlpack, by_capsule, by_ctypes)


# --- what is wrong ---

def strided(rng, memory):
    """The same elements, lying otherwise."""
    kind = int(rng.integers(6))
    name = "read-only"
    view = memory.copy()
    if kind == 0 and memory.ndim:
        name, view = "backwards", memory[::-1].copy()[::-1]
    elif kind == 1 and memory.ndim:
        name = "every other"
        view = np.repeat(memory, 2, axis=-1)[..., ::2]
    elif kind == 2:
        name, view = "Fortran order", memory.copy(order="F")
    elif kind == 3:
        name, view = "other byte order", memory.astype(memory.dtype.newbyteorder())
    elif kind == 4:
        name = "misaligned"
        view = np.zeros(memory.nbytes + 1, np.uint8)[1:].view(memory.dtype).reshape(memory.shape)
        view[...] = memory
    else:
        view.flags.writeable = False
    return Given(view, name, view, Fate.RIGHT)


def of_no_memory(rng, memory):
    """Shapes and strides that cannot be, in NumPy's words."""
    shape = [max(2, extent) for extent in memory.shape] or [2]
    steps = [int(rng.choice([2**62, -2**62, 2**40, -2**40, 2**61]))] * len(shape)
    view = np.lib.stride_tricks.as_strided(memory, shape, steps)
    return Given(view, "huge strides", memory, Fate.REFUSED)


def of_another_type(rng, memory):
    other = (np.float64, np.bool_, np.complex64, object, "M8[s]", "U3", "V0", "S0", np.longdouble,
             [("a", np.int32), ("b", np.float32)])[int(rng.integers(10))]
    return Given(np.zeros(memory.shape, other), "another dtype", memory, Fate.REFUSED)


def of_another_shape(rng, memory):
    shapes = ((1,) * 9, (1,) * 32, (), memory.shape + (1,), (2**40, 0), memory.shape[:-1],
              (memory.size + 1,))
    other = np.zeros(shapes[int(rng.integers(len(shapes)))], memory.dtype)
    return Given(other, "another shape", memory, Fate.ANY)


NULL = ctypes.POINTER(ctypes.c_int64)()
LIES = ({"ndim": -1}, {"ndim": 2**31 - 1}, {"ndim": -2**31}, {"ndim": 9}, {"shape": NULL},
        {"byte_offset": 2**64 - 1}, {"byte_offset": 2**63}, {"data": 2**64 - 1}, {"lanes": 0},
        {"lanes": 7}, {"bits": 0}, {"bits": 1}, {"bits": 255}, {"code": 3}, {"code": 200},
        {"device": (2, 0)}, {"device": (-5, 0)}, {"device": (2**31 - 1, 0)}, {"byte_offset": 1})
FAR = (-1, -2**63, 2**63 - 1, 2**62, 2**61)


def lying(rng, memory):
    """DLPack that says what cannot be true. Null data is a lie where there are elements."""
    kind = int(rng.integers(5))
    shape, strides, lies = list(memory.shape) or [1], None, {}
    if kind == 0:
        shape[int(rng.integers(len(shape)))] = int(rng.choice(FAR))
        shape += [16]  # so that none of them can be
    elif kind == 1 and memory.size > 1:
        shape = [max(2, extent) for extent in shape]
        strides = [int(rng.choice(FAR[1:])) for _ in shape]
    elif kind == 2 and memory.size:
        lies["data"] = None
    else:
        lies.update(LIES[int(rng.integers(len(LIES)))])
        if lies.get("byte_offset") == 1 and memory.itemsize == 1 or memory.ndim == 0:
            lies = {"ndim": -1}
    producer = producer_of(memory, shape=shape, strides=strides, lies=lies)
    return Given(producer, "lying DLPack", memory, Fate.REFUSED, producer=producer)


PASSING = (KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError)
QUOTED = (ValueError, BufferError, AttributeError, StopIteration, RecursionError, TypeError)


def raising(rng, memory):
    kind = (PASSING + QUOTED)[int(rng.integers(10))]
    method = ("__dlpack__", "__dlpack_device__", "__getattr__")[int(rng.integers(3))]

    def fail(self, *more, **named):
        raise kind("by the fuzzer")

    methods = {method: fail}
    base = (object,) if method == "__getattr__" else (Producer,)
    one = type("Raising", base, methods)
    one = one() if method == "__getattr__" else one(memory)
    return Given(one, "raising " + method, memory, Fate.REFUSED, kind if kind in PASSING else None)


def rubbish(rng, memory):
    """No array, and objects whose methods give back none."""
    what: Callable[[], object] = (
        lambda: None, lambda: 3, lambda: "text", object, lambda: [1, 2], lambda: range(3),
        lambda: np.float32(1), lambda: int, lambda: Exception, lambda: array.array("u", "abc"),
        lambda: memoryview(b"abcdef")[::-2], lambda: b"", lambda: np.ma.masked)[int(rng.integers(13))]
    if rng.random() < 0.5:
        return Given(what(), "rubbish", memory, Fate.ANY)
    given, method = what(), ("__dlpack__", "__dlpack_device__", "__array_interface__")[
        int(rng.integers(3))]
    one = type("Rubbish", (Producer,) if method != "__array_interface__" else (object,),
               {method: lambda self, *more: given})
    one = one(memory) if method != "__array_interface__" else one()
    return Given(one, "rubbish from " + method, memory, Fate.ANY)


WRONGS = (strided, strided, of_no_memory, of_another_type, of_another_shape, lying, lying, lying,
          raising, raising, rubbish)


def give(rng, memory: np.ndarray, share_wrong: float) -> Given:
    """The array through a door, or something in its place."""
    makers: Tuple = WRONGS if rng.random() < share_wrong else DOORS
    return makers[int(rng.integers(len(makers)))](rng, memory)
