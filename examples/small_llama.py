"""The parts that the Llamas of `llama_jax` and `llama_torch` share: sizes, batches, comparison."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

LAYERS, VOCAB, WIDTH, HEADS, KV_HEADS, HEAD = 4, 256, 128, 16, 8, 8
# The hidden dims of the MLP stand in blocks, each with a gate and what it lets through, so
# that one product makes both and a split keeps them together.
BLOCKS, BLOCK = 8, 48


@dataclass(frozen=True)
class Sizes:
    """The sizes of a model. `bench.devices` has larger ones."""

    layers: int = LAYERS
    vocab: int = VOCAB
    width: int = WIDTH
    heads: int = HEADS
    kv_heads: int = KV_HEADS
    head: int = HEAD
    blocks: int = BLOCKS
    block: int = BLOCK


SMALL = Sizes()
EPS, THETA = 1e-5, 10_000.0

STEPS, ROWS, TOKENS = 4, 8, 64
LR, DECAY = 3e-3, 0.1
IGNORED = -100  # the label of a token that does not count

# Losses may be this many times as far from those of float64 as plain ones, plus this many
# roundings: they are f32 in all dtypes.
TIMES, ROUNDINGS = 3, 8


def batch(step: int) -> tuple[np.ndarray, np.ndarray]:
    """Return tokens that can be learnt, each of which follows from the one before it, and their
    labels.

    Some rows end before the others. Tokens after the end do not count.
    """
    rng = np.random.default_rng(step)
    first = rng.integers(0, VOCAB, (ROWS, 1))
    places = np.arange(TOKENS + 1)
    tokens = ((first + 7 * places) % VOCAB).astype(np.int32)
    ends = rng.integers(TOKENS // 2, TOKENS, (ROWS, 1))
    labels = np.where(places[1:] <= ends, tokens[:, 1:], IGNORED)
    return tokens[:, :-1], labels.astype(np.int32)


def distance(a: list[float], b: list[float]) -> float:
    """Return the largest difference, in nats."""
    return max(abs(x - y) for x, y in zip(a, b, strict=True))


def agree(ours: list[float], plain: list[float], exact: list[float]) -> bool:
    """Return whether our losses are as close to those in float64 as the plain ones."""
    rounding = ROUNDINGS * np.finfo(np.float32).eps * max(exact)
    return distance(ours, exact) <= TIMES * distance(plain, exact) + rounding
