"""Compare the Llama with opgen's ops and the Llama with native ops: moved bytes, and losses."""

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
    """Train both models in as many processes as the layout needs, and return their results."""
    return Pair(*(_run(ops, layout) for ops in (OURS, NATIVE)))


def no_more(pair: Pair) -> bool:
    """Return whether our model moves no more bytes than the native one, in no more collectives."""
    ours, native = pair
    return ours.bytes <= native.bytes and ours.collectives.total() <= native.collectives.total()


def agree(pair: Pair, exact: list[float]) -> bool:
    """Return whether our losses are about as close to those in float64 (`exact`) as the native ones
    are.
    """
    return small_llama.agree(pair.ours.losses, pair.native.losses, exact)


def _run(ops: str, layout: Layout) -> Trained:
    """Train one model. Return the mean of the losses over all processes, and the largest bytes that
    a process receives.
    """
    found = everywhere(layout.processes, train, ops, layout)
    losses = [sum(own) / len(found) for own in zip(*(each.losses for each in found))]
    return max(found, key=lambda each: each.bytes)._replace(losses=losses)
