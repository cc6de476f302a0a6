"""Compare a Llama with opgen's layers and ops to a Llama with the library's own layers."""

from __future__ import annotations

from types import ModuleType
from typing import NamedTuple

import jax

from examples import small_llama
from examples.llama_jax.compare import moved
from examples.llama_jax.layouts import Layout
from examples.llama_modules.train import Trained, train
from examples.small_llama import STEPS

# The mesh splits the batch by four, and heads, hidden dims and vocabulary by two.
LAYOUT = Layout(data=4, tensor=2, sequence=False, kind="explicit")


class Pair(NamedTuple):
    ours: Trained
    native: Trained


def compare(library: ModuleType, dtype: str, steps: int = STEPS) -> Pair:
    models = library.RENDERED, library.NATIVE
    return Pair(*(train(library.model, ops, LAYOUT, dtype, steps) for ops in models))


def exact(library: ModuleType) -> list[float]:
    """Return the losses of the native model in float64."""
    with jax.enable_x64(True):
        return train(library.model, library.NATIVE, LAYOUT, "float64").losses


def no_more(pair: Pair) -> bool:
    """Return whether our model has the same collectives as the native one, and moves and allocates
    no more bytes.
    """
    (ours, bytes), (native, most) = map(moved, pair)
    return ours == native and bytes <= most and pair.ours.temporary <= pair.native.temporary


def agree(pair: Pair, exact: list[float]) -> bool:
    """Return whether our losses are about as close to those in float64 (`exact`) as the native ones
    are.
    """
    return small_llama.agree(pair.ours.losses, pair.native.losses, exact)
