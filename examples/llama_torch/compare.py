"""The model of rendered ops next to that of native ones: moved bytes, and the losses."""

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
    """Both, in as many processes as the layout takes."""
    return Pair(*(_run(ops, layout) for ops in (OURS, NATIVE)))


def no_more(pair: Pair) -> bool:
    """True if ours moves at most the bytes of native ops, in at most as many collectives."""
    ours, native = pair
    return ours.bytes <= native.bytes and ours.collectives.total() <= native.collectives.total()


def agree(pair: Pair, exact: list[float]) -> bool:
    """True if our losses differ from those of float64 as native ones do."""
    return small_llama.agree(pair.ours.losses, pair.native.losses, exact)


def _run(ops: str, layout: Layout) -> Trained:
    """The mean losses of all parts of the batch, and what the process that moves most moves."""
    found = everywhere(layout.processes, train, ops, layout)
    losses = [sum(own) / len(found) for own in zip(*(each.losses for each in found))]
    return max(found, key=lambda each: each.bytes)._replace(losses=losses)
