"""Batches of the text to learn: Python's own help, half a megabyte that each installation contains."""

from __future__ import annotations

from pydoc_data.topics import topics

import numpy as np

from examples.small_llama import VOCAB

Batch = tuple[np.ndarray, np.ndarray]
ROWS, TOKENS = 8, 64
HELD_OUT = 1 / 16  # of the text, at its end
TESTS = 8  # batches of it


def text() -> np.ndarray:
    """Return the text as an array of bytes. Each byte is a token."""
    whole = "\n".join(topics[name] for name in sorted(topics))
    tokens = np.frombuffer(whole.encode(), np.uint8).astype(np.int32)
    assert tokens.max() < VOCAB
    return tokens


def batches(steps: int) -> list[Batch]:
    """Return a batch of random parts of the text for each step, the same in each call.

    A batch is a pair of arrays: tokens, and for each token the next one.
    """
    tokens, rng = text(), np.random.default_rng(0)
    return [_batch(tokens, rng.integers(0, _end(tokens) - TOKENS, ROWS)) for _ in range(steps)]


def tests() -> list[Batch]:
    """Return batches from the end of the text, which no training batch contains."""
    tokens = text()
    places = np.linspace(_end(tokens), len(tokens) - TOKENS - 1, TESTS * ROWS).astype(int)
    return [_batch(tokens, each) for each in places.reshape(TESTS, ROWS)]


def _end(tokens: np.ndarray) -> int:
    return int(len(tokens) * (1 - HELD_OUT))


def _batch(tokens: np.ndarray, places: np.ndarray) -> Batch:
    found = tokens[places[:, None] + np.arange(TOKENS + 1)]
    return found[:, :-1], found[:, 1:]
