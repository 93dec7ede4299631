"""Embedding lookup: rows of a table by token ids, forwards; their gradients added up, backwards.

No spec is written here: the array functions make one for the arrays at hand, and find its kernel
again whatever the number of tokens is.
"""

import numpy as np

import ptojit

VOCABULARY, WIDTH, PADDING = 32000, 100, -1


def main() -> None:
    rng = np.random.default_rng(0)
    weights = rng.standard_normal((VOCABULARY, WIDTH)).astype(np.float32)
    tokens = rng.zipf(1.3, (16, 128)) % VOCABULARY  # int64: converted, and checked
    tokens[:, 100:] = PADDING

    # A negative id is out of range, as is one beyond the end: both become rows of zeros.
    vectors = ptojit.gather_rows(weights, tokens, oob="zero")
    assert vectors.shape == (16, 128, WIDTH)
    assert np.array_equal(vectors[:, :100], weights[tokens[:, :100]])
    assert not vectors[:, 100:].any()

    gradient = np.ones((16, 128, WIDTH), np.float32)
    total = np.zeros_like(weights)
    ptojit.scatter_rows(total, tokens, gradient, oob="skip", atomic="add")
    assert total.sum() == 16 * 100 * WIDTH

    # By default an index out of range is an IndexError that says where it stands.
    try:
        ptojit.gather_rows(weights, tokens)
    except IndexError as problem:
        print(str(problem).splitlines()[0])
    print(f"{tokens.size} tokens looked up, their gradients added to {VOCABULARY} rows")


if __name__ == "__main__":
    main()
