"""MoE combine: what the experts made of each token, weighted and added up where the token stands.

Tokens went to their top-k experts, so each token's row receives k rows. Sums are done in the order
of the rows: the same bits every time, also in half precision.
"""

import numpy as np

import ptojit

TOKENS, EXPERTS, TOP_K, WIDTH = 512, 8, 2, 256


def main() -> None:
    rng = np.random.default_rng(0)
    tokens = rng.standard_normal((TOKENS, WIDTH)).astype(np.float32)
    scores = rng.random((TOKENS, EXPERTS))
    chosen = np.argsort(-scores, axis=1)[:, :TOP_K]
    weight = np.take_along_axis(scores, chosen, axis=1).astype(np.float32)

    # Dispatch: tokens sorted by expert.
    order = np.argsort(chosen, axis=None, kind="stable")
    home = (order // TOP_K).astype(np.int32)
    sent = ptojit.gather_rows(tokens, home)
    scale = 1 + chosen.reshape(-1)[order].astype(np.float32)  # what our experts do: multiply
    made = sent * (scale * weight.reshape(-1)[order])[:, None]

    # Combine.
    out = np.zeros((TOKENS, WIDTH), np.float32)
    ptojit.scatter_rows(out, home, made, atomic="add")

    expected = np.zeros_like(out)
    np.add.at(expected, home, made)
    assert np.array_equal(out, expected)

    half = np.zeros((TOKENS, WIDTH), np.float16)
    ptojit.scatter_rows(half, home, made.astype(np.float16), atomic="add")
    assert np.allclose(half, out, rtol=1e-2, atol=1e-2)

    # What the device would run, compiled and run in the emulation.
    spec = ("a5:mscatter.row.atomic_add src=f32[64x256|?x256] idx=i32[1x64|1x?] table=f32[?x256]")
    assert ptojit.check(spec)
    print(f"{len(home)} rows combined into {TOKENS} tokens; the kernel is\n  {spec}")


if __name__ == "__main__":
    main()
