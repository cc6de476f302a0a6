"""Compare the Llama with opgen's ops and the Llama in plain jax.numpy: moved bytes, and losses."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import jax

import generated.jax as ours
from examples import small_llama
from examples.llama_jax import plain
from examples.llama_jax.layouts import Layout
from examples.llama_jax.train import Trained, train
from opgen.testing.collectives import collectives

SHORT = {
    "all-gather": "gather",
    "all-reduce": "reduce",
    "reduce-scatter": "scatter",
    "all-to-all": "exchange",
    "collective-permute": "permute",
}


class Pair(NamedTuple):
    ours: Trained
    plain: Trained


def compare(layout: Layout, dtype: str) -> Pair:
    return Pair(train(ours, layout, dtype), train(plain, layout, dtype))


def exact() -> list[float]:
    """Return the losses of the plain model in float64."""
    with jax.enable_x64(True):
        return train(plain, Layout(data=jax.device_count()), "float64").losses


def moved(run: Trained) -> tuple[Counter[str], int]:
    """Return the number of collectives of each kind in a run's program, and the bytes that each
    device receives.
    """
    found = [*collectives(run.program)]
    return Counter(SHORT[kind] for kind, _ in found), sum(size for _, size in found)


def no_more(pair: Pair) -> bool:
    """Return whether our model moves fewer bytes, or the same bytes in no more collectives.

    Two all-to-alls, an exchange and its reverse, count as one collective, because they replace an
    all-gather of more bytes.
    """
    (ours, bytes), (plain, most) = map(moved, pair)
    fewer = ours.total() - ours["exchange"] // 2 <= plain.total()
    return bytes < most or (bytes == most and fewer)


def agree(pair: Pair, exact: list[float]) -> bool:
    """Return whether our losses are about as close to those in float64 (`exact`) as the plain ones
    are.
    """
    return small_llama.agree(pair.ours.losses, pair.plain.losses, exact)
