"""KV-cache write: each step puts the keys of a few tokens into their slots of a paged cache.

A slot beyond the end means that the token is not kept. The cache is bf16, which NumPy holds as
uint16. The kernel is bound once and called at every step.
"""

import numpy as np

import ptojit

SLOTS, WIDTH, TOKENS = 16384, 512, 8
NOT_KEPT = SLOTS

kernel = ptojit.compile(
    f"a5:mscatter.row.skip.default src=bf16[{TOKENS}x{WIDTH}] idx=i32[1x{TOKENS}] "
    f"table=bf16[{SLOTS}x{WIDTH}]"
)
cache = np.zeros((SLOTS, WIDTH), np.uint16)
keys = np.empty((TOKENS, WIDTH), np.uint16)
slots = np.empty(TOKENS, np.int32)
write = kernel.bind(src=keys, idx=slots, table=cache)


def bf16(values: np.ndarray) -> np.ndarray:
    """The upper halves of f32: rounded towards zero."""
    return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def main() -> None:
    rng = np.random.default_rng(0)
    free = rng.permutation(SLOTS)
    expected = cache.copy()
    for step in range(100):
        keys[:] = bf16(rng.standard_normal((TOKENS, WIDTH)))
        slots[:] = free[step * TOKENS : (step + 1) * TOKENS]
        slots[step % TOKENS] = NOT_KEPT
        write()  # the bound call: nothing is looked at again
        kept = slots < SLOTS
        expected[slots[kept]] = keys[kept]
    assert np.array_equal(cache, expected)
    found = kernel.audit(src=keys, idx=slots, table=cache)
    print(f"100 steps written; in the last one {found.out_of_bounds} token was not kept, "
          f"{found.collisions} collided")


if __name__ == "__main__":
    main()
