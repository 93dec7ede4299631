"""The fuzzer's calls, drawn from a seed, beside what NumPy makes of them."""

from __future__ import annotations

import threading
from typing import Callable, List, Optional

import numpy as np

import ptojit
from hostile_arrays import Fate, Given, Producer, give, guarded
from numpy_model import drawn_ids, into_guarded, numbers, places, put, take

DTYPES = (np.float32, np.int32, np.uint32, np.int16, np.uint8, np.float16)


class Finding(Exception):
    """A call did what it must not."""


def expect(holds: bool, what: str) -> None:
    if not holds:
        raise Finding(what)


class Call:
    """One call and what it was given. `outcome` says how it ended."""

    def __init__(self, given: List[Given], written: Given) -> None:
        self.given, self.written = given, written
        self.before = written.memory.copy()
        self.is_free = any(each.fate is Fate.ANY for each in given)
        self.outcome = ""

    def make(self, call: Callable[[], object], model: Callable[[], Optional[np.ndarray]],
             must_pass: bool = True) -> None:
        """`model` gives what the call returns or leaves; IndexError where it says so."""
        result = problem = None
        try:
            result = call()
        except ptojit.Error as error:
            problem = error
        except BaseException as error:
            expect(type(error) in {each.raises for each in self.given}, f"raised {error!r}")
            problem = error
        if problem is None:
            self.see_result(result, model)
        else:
            self.see_refusal(problem, model, must_pass)
        for each in self.given:
            if each.producer:
                expect(each.producer.returned <= each.producer.given, "given back twice")
                expect(each.producer.disturbed == 0, "a deleter met an exception")

    def see_result(self, result, model) -> None:
        wrong = [each.name for each in self.given if each.fate is Fate.REFUSED]
        expect(not wrong, f"took {wrong}")
        self.outcome = "taken"
        if self.is_free:
            return
        try:
            expected = model()
        except IndexError:
            raise Finding(f"took an index out of range; gave {result!r}") from None
        got = self.written.memory if result is None else result
        expect((got.shape, got.dtype) == (expected.shape, expected.dtype),
               f"{got.dtype} {got.shape}, NumPy {expected.dtype} {expected.shape}")
        expect(got.tobytes() == expected.tobytes(), f"got {got!r}, NumPy {expected!r}")

    def see_refusal(self, problem, model, must_pass: bool) -> None:
        self.outcome = type(problem).__name__
        expect(bool(str(problem)) or not isinstance(problem, ptojit.Error), "no reason is given")
        expect(self.written.memory.tobytes() == self.before.tobytes(), "refused, and written")
        if not must_pass or any(each.fate is not Fate.TAKEN for each in self.given):
            return
        try:
            model()
        except IndexError:
            expect(isinstance(problem, ptojit.RangeError), f"not an index error: {problem}")
            return
        raise Finding(f"refused what is legal: {problem}")


def array_function(rng) -> Call:
    """gather, gather_rows, scatter, scatter_rows."""
    by_rows, gathers = rng.random() < 0.5, rng.random() < 0.5
    dtype = DTYPES[int(rng.integers(len(DTYPES)))]
    slots, width = int(rng.choice([0, 1, 2, 7, 64])), int(rng.choice([1, 3, 8, 16, 33]))
    shape = [(), (0,), (1,), (3, 2), (17,), (64,), (4097,)][int(rng.integers(7))]
    row = [(), (width,), (2, width)][int(rng.integers(3))]
    table = into_guarded(rng, numbers(rng, (slots,) + row, dtype))
    count = slots if by_rows else table.size
    ids = into_guarded(rng, drawn_ids(rng, shape, count, float(rng.choice([0, 0, 0.1]))))
    oob = str(rng.choice(["raise", "clamp", "wrap", "zero" if gathers else "skip"]))
    share = float(rng.choice([0, 0, 0.4]))
    named = {"oob": oob} if oob != "raise" or rng.random() < 0.5 else {}
    if rng.random() < 0.3:
        named["threads"] = [0, 1, 2, np.int64(2), True][int(rng.integers(5))]
    gives = [give(rng, table, share), give(rng, ids, share)]
    name = ("gather" if gathers else "scatter") + ("_rows" if by_rows else "")
    function, atomic = getattr(ptojit, name), None

    def where():
        return places(ids, count, oob, gathers)

    if gathers:
        def model():
            return take(table if by_rows else table.reshape(-1), where())
    else:
        rows = into_guarded(rng, numbers(rng, shape + (row if by_rows else ()), dtype))
        gives.append(give(rng, rows, share))
        atomic = [None, None, "add", "max"][int(rng.integers(4))]
        if atomic:
            named["atomic"] = atomic

        def model():
            if by_rows and row:
                return put(before, where(), rows, atomic)
            return put(before.reshape(-1), where(), rows, atomic).reshape(before.shape)
    call = Call(gives, gives[0])
    before = call.before
    call.make(lambda: function(*[each.object for each in gives], **named), model,
              must_pass=atomic is None and bool(slots or gathers))
    return call


class Kernels:
    """Compiled once a process."""

    def __init__(self) -> None:
        tile = "f32[64x32|?x32] idx=i32[1x64|1x?] table=f32[?x32]"
        self.gathers = {oob: ptojit.compile(f"a5:mgather.row{oob} dst={tile}")
                        for oob in ("", ".zero", ".clamp", ".wrap")}
        self.scatters = {oob: ptojit.compile(f"a5:mscatter.row{oob} src={tile}")
                         for oob in ("", ".skip", ".clamp", ".wrap")}
        self.audited = ptojit.compile(f"a5:mgather.row.zero.audit dst={tile}")
        self.deal = ptojit.compile("a5:comm.tscatter src=f32[4x8] dst=f32[2x8] stage=f32[2x8] ranks=2 root=0")


def kernel_call(rng, kernels: Kernels) -> Call:
    """Checked, unchecked, bound and audit calls, with a policy and without."""
    gathers = rng.random() < 0.5
    oob = str(rng.choice(["", ".clamp", ".wrap", ".zero" if gathers else ".skip"]))
    kernel = (kernels.gathers if gathers else kernels.scatters)[oob]
    slots, count = int(rng.choice([1, 2, 7, 64])), int(rng.choice([0, 1, 3, 8, 64]))
    table = into_guarded(rng, numbers(rng, (slots, 32), np.float32))
    tile = into_guarded(rng, numbers(rng, (count, 32), np.float32))
    way = str(rng.choice(["checked", "unchecked", "bound", "audit"]))
    is_looked_at = way in ("checked", "audit")
    outside = float(rng.choice([0, 0.1])) if oob or is_looked_at else 0
    ids = drawn_ids(rng, (count,), slots, outside)
    share = float(rng.choice([0, 0, 0.4]))
    if not is_looked_at and not oob:  # nobody looks at the indices
        ids = ids.astype(np.int32)
        share = 0
    ids = into_guarded(rng, ids)
    given = {"table": give(rng, table, share), "dst" if gathers else "src": give(rng, tile, share),
             "idx": give(rng, ids, share)}
    arrays = {name: each.object for name, each in given.items()}

    if rng.random() < 0.1:
        one = odd_value(rng)
        odd = [one, {"idx.vc": one}, {one: 1} if isinstance(one, str) else {3: 1}][int(rng.integers(3))]
        arrays["bind"] = odd
        given["bind"] = Given(odd, "odd bind", tile, Fate.ANY, raised_by(one))

    def run():
        if way == "audit":
            found = kernel.audit(**arrays)
            is_known = all(each.fate is not Fate.ANY for each in given.values())
            expect(not is_known or found.out_of_bounds == int((places(ids, slots, "skip") < 0).sum()),
                   f"{found} of {ids}")
            return None
        if way != "bound":
            return (kernel if way == "checked" else kernel.unchecked)(**arrays)
        bound = kernel.bind(**arrays)
        arrays.clear()
        bound()
        return bound()

    def model():
        if way == "audit":
            places(ids, slots, "skip")  # which 32 bits must hold
            return before
        where = places(ids, slots, oob[1:] or "raise")
        return take(table, where) if gathers else put(before, where, tile, None)

    call = Call(list(given.values()), given["dst" if gathers else "table"])
    before = call.before
    takes = ids.dtype == np.int32 or (way != "bound" and ids.itemsize == 8)
    call.make(run, model, must_pass=takes and count > 0)
    return call


def changing_list(rng, kernels: Kernels) -> Call:
    """A list of arrays that changes while or after it is read, by its arrays or by another thread."""
    src = into_guarded(rng, numbers(rng, (4, 8), np.float32))
    parts = [guarded(rng, (2, 8), np.float32) for _ in range(2)]
    listed: List[object] = list(parts)
    changes = (listed.clear, listed.pop, listed.reverse, lambda: listed.append(None),
               lambda: listed.__setitem__(0, 3), lambda: listed.extend([src] * 1000))
    change = changes[int(rng.integers(len(changes)))]

    class Changing(Producer):
        def __dlpack__(self, stream=None):
            change()
            return super().__dlpack__(stream)

    at = int(rng.integers(2))
    if rng.random() < 0.7:
        listed[at] = Changing(parts[at])
    given = Given(listed, "changing list", parts[0])
    call = Call([given], given)

    def run():
        if rng.random() < 0.5:
            return kernels.deal(src=src, dst=listed)
        bound = kernels.deal.bind(src=src, dst=listed)
        listed.clear()
        return bound()

    call.make(run, lambda: src[:2])
    expect(parts[1].tobytes() == src[2:].tobytes(), "the second rank has something else")
    return call


class Raising:
    def __index__(self):
        raise KeyboardInterrupt

    __str__ = __repr__ = __index__


def odd_value(rng):
    odd = (None, 3, -1, 2**40, 2**70, "", "skip\0", "raise\0", "\ud800", b"raise", 1.5, [], Raising(),
           type("Text", (str,), {"__eq__": None, "__hash__": str.__hash__})("mul"), "x" * 10000)
    return odd[int(rng.integers(len(odd)))]


def raised_by(one) -> Optional[type]:
    return KeyboardInterrupt if isinstance(one, Raising) else None


def odd_arguments(rng) -> Call:
    """Policies, numbers and names of any kind."""
    table, ids = numbers(rng, (4, 8), np.float32), np.array([3, 0], np.int32)
    one = odd_value(rng)
    name = str(rng.choice(["oob", "atomic", "conflict", "threads", "out", "table", "ids\0", "\u00fc"]))
    given = Given(one, f"odd {name}", table, Fate.ANY, raised_by(one))
    call = Call([given], given)
    rows = numbers(rng, (2, 8), np.float32)
    call.make(lambda: ptojit.scatter_rows(table, ids, rows, **{name: one}), lambda: table)
    return call


def at_once(rng, kernels: Kernels) -> Call:
    """Threads that call together, and one that changes what they share."""
    table = into_guarded(rng, numbers(rng, (64, 32), np.float32))
    ids = drawn_ids(rng, (64,), 64, 0.2).astype(np.int32)
    outside = int((ids.view(np.uint32) >= 64).sum())
    dst = np.zeros((64, 32), np.float32)
    bound = kernels.audited.bind(dst=dst, idx=ids, table=table)
    parts = [np.zeros((2, 8), np.float32) for _ in range(2)]
    listed, wrong, src = list(parts), [], numbers(rng, (4, 8), np.float32)
    seeds = [int(rng.integers(2**31)) for _ in range(3)]

    def audits():
        for _ in range(20):
            if bound().out_of_bounds != outside or bound.findings is None:
                wrong.append("findings of another call")

    def changes():
        for _ in range(20):
            listed[:] = [] if listed else parts

    def deals():
        for _ in range(20):
            try:
                kernels.deal(src=src, dst=listed)
            except ptojit.ArrayError:
                pass

    def calls(seed):
        one = np.random.default_rng(seed)
        for _ in range(4):
            (array_function if one.random() < 0.5 else lambda r: kernel_call(r, kernels))(one)

    def run(work, *more):
        try:
            work(*more)
        except BaseException as error:
            wrong.append(repr(error))

    threads = [threading.Thread(target=run, args=each) for each in (
        (audits,), (audits,), (changes,), (deals,), *[(calls, seed) for seed in seeds])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expect(not wrong, f"in threads: {wrong[:3]}")
    given = Given(None, "threads", dst)
    call = Call([given], given)
    call.outcome = "taken"
    return call


def one_case(seed: int, kernels: Kernels) -> Call:
    rng = np.random.default_rng(seed)
    draw = float(rng.random())
    if draw < 0.45:
        return array_function(rng)
    if draw < 0.80:
        return kernel_call(rng, kernels)
    if draw < 0.90:
        return changing_list(rng, kernels)
    return odd_arguments(rng) if draw < 0.97 else at_once(rng, kernels)
