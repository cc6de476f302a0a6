"""Compare a Llama of generated layers and ops with one of a library's own."""

from __future__ import annotations

from types import ModuleType
from typing import NamedTuple

import jax

from examples import small_llama
from examples.llama_jax.compare import moved
from examples.llama_jax.layouts import Layout
from examples.llama_modules.train import Trained, train
from examples.small_llama import STEPS

# Batches split by four, heads, hidden dims and vocabulary by two.
LAYOUT = Layout(data=4, tensor=2, sequence=False, kind="explicit")


class Pair(NamedTuple):
    ours: Trained
    native: Trained


def compare(library: ModuleType, dtype: str, steps: int = STEPS) -> Pair:
    models = library.RENDERED, library.NATIVE
    return Pair(*(train(library.model, ops, LAYOUT, dtype, steps) for ops in models))


def exact(library: ModuleType) -> list[float]:
    """Return the losses in float64."""
    with jax.enable_x64(True):
        return train(library.model, library.NATIVE, LAYOUT, "float64").losses


def no_more(pair: Pair) -> bool:
    """Return whether ours moves no more than native, in as many collectives, and allocates no more."""
    (ours, bytes), (native, most) = map(moved, pair)
    return ours == native and bytes <= most and pair.ours.temporary <= pair.native.temporary


def agree(pair: Pair, exact: list[float]) -> bool:
    """Return whether our losses are as close to those in float64 as the native ones."""
    return small_llama.agree(pair.ours.losses, pair.native.losses, exact)
