"""Compare the model with generated ops and the model with native ones: moved bytes, and losses."""

from __future__ import annotations

from typing import NamedTuple

from examples import small_llama
from examples.llama_torch.layouts import Layout
from examples.llama_torch.train import NATIVE, OURS, Trained, train
from opgen.testing.gloo import everywhere


class Pair(NamedTuple):
    ours: Trained
    native: Trained


def compare(layout: Layout) -> Pair:
    """Return the results of both models, in as many processes as the layout needs."""
    return Pair(*(_run(ops, layout) for ops in (OURS, NATIVE)))


def no_more(pair: Pair) -> bool:
    """Return whether ours moves at most the bytes of native ops, in at most as many collectives."""
    ours, native = pair
    return ours.bytes <= native.bytes and ours.collectives.total() <= native.collectives.total()


def agree(pair: Pair, exact: list[float]) -> bool:
    """Return whether our losses are as close to those in float64 as the native ones."""
    return small_llama.agree(pair.ours.losses, pair.native.losses, exact)


def _run(ops: str, layout: Layout) -> Trained:
    """Return the mean losses over all parts of the batch, and the largest bytes that a process
    moves.
    """
    found = everywhere(layout.processes, train, ops, layout)
    losses = [sum(own) / len(found) for own in zip(*(each.losses for each in found))]
    return max(found, key=lambda each: each.bytes)._replace(losses=losses)
