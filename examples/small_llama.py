"""Sizes, batches and comparisons for the Llamas of `examples/llama_jax` and `examples/llama_torch`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

LAYERS, VOCAB, WIDTH, HEADS, KV_HEADS, HEAD = 4, 256, 128, 16, 8, 8
# The hidden dims of the MLP are in blocks. Each block contains gates and the values that they
# multiply. So one matrix product computes both, and a split over devices keeps them together.
BLOCKS, BLOCK = 8, 48


@dataclass(frozen=True)
class Sizes:
    """The sizes of a Llama. The default is a small model; `bench.devices` uses larger sizes."""

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

# Our losses may differ from those in float64 by TIMES the difference of the plain losses, plus
# ROUNDINGS roundings in f32. Losses are f32, whatever the dtype of the model.
TIMES, ROUNDINGS = 3, 8


def batch(step: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the tokens of a training step, and their labels, as int32 arrays of `ROWS TOKENS`.

    A model can learn the tokens, because each token determines the next. Some rows end early:
    tokens after the end have the label `IGNORED`.
    """
    rng = np.random.default_rng(step)
    first = rng.integers(0, VOCAB, (ROWS, 1))
    places = np.arange(TOKENS + 1)
    tokens = ((first + 7 * places) % VOCAB).astype(np.int32)
    ends = rng.integers(TOKENS // 2, TOKENS, (ROWS, 1))
    labels = np.where(places[1:] <= ends, tokens[:, 1:], IGNORED)
    return tokens[:, :-1], labels.astype(np.int32)


def distance(a: list[float], b: list[float]) -> float:
    """Return the largest difference between two lists of losses, in nats."""
    return max(abs(x - y) for x, y in zip(a, b, strict=True))


def agree(ours: list[float], plain: list[float], exact: list[float]) -> bool:
    """Return whether our losses are about as close to those in float64 (`exact`) as the plain ones
    are.
    """
    rounding = ROUNDINGS * np.finfo(np.float32).eps * max(exact)
    return distance(ours, exact) <= TIMES * distance(plain, exact) + rounding
