"""References: functions of `reference/`, and gradients of such functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .project import reference, references

PullBack = Callable[[Callable[..., Any], Sequence[Any], Sequence[Any]], Sequence[Any]]


@dataclass(frozen=True)
class Reference:
    """A function of `reference/`, or the gradient of such a function.

    `results` has the result names. For a gradient, `primals` maps the function's inputs to inputs
    of the op. `cotangents` maps the cotangents of the function's results to inputs of the op.
    `attrs` maps attrs of the function to attrs of the op. `gradients` has, for each result, the
    position of the input whose gradient it is. `lengths` maps a result to the result that counts
    its valid rows.
    """

    module: str
    function: str
    results: tuple[str, ...]
    primals: tuple[str | None, ...] = ()
    cotangents: tuple[str | None, ...] = ()
    gradients: tuple[int, ...] = ()
    attrs: Mapping[str, str] | None = None
    lengths: Mapping[str, str] | None = None

    def __call__(self, xp: Any, *inputs: Any, **attrs: Any) -> tuple[Any, ...]:
        """Call the function, and return its results as a tuple. The first call imports it."""
        results = reference(self.module, self.function)(xp, *inputs, **attrs)
        return results if isinstance(results, tuple) else (results,)

    def differentiate(
        self,
        xp: Any,
        inputs: Mapping[str, Any],
        attrs: Mapping[str, Any],
        zeros: Callable[[int], Any],
        pull_back: PullBack,
    ) -> list[Any]:
        """Return the results of a backward op by autodiff of the function.

        `inputs` and `attrs` are those of the backward op. Inputs of the function that do not affect
        the gradient may be unknown. `zeros(n)` then replaces the input whose gradient is result
        `n`. `pull_back` is the framework's autodiff.
        """
        xs = [None if name is None else inputs[name] for name in self.primals]
        for result, position in enumerate(self.gradients):
            if self.primals[position] is None:
                xs[position] = zeros(result)
        by = [position for position in self.gradients if xs[position] is not None]
        dys = [None if name is None else inputs[name] for name in self.cotangents]
        keywords = {theirs: attrs[ours] for theirs, ours in (self.attrs or {}).items()}

        def forward(*some: Any) -> tuple[Any, ...]:
            given = dict(enumerate(xs)) | dict(zip(by, some))
            return self(xp, *given.values(), **keywords)

        found = dict(zip(by, pull_back(forward, [xs[position] for position in by], dys)))
        return [found.get(position) for position in self.gradients]


def reference_of(op: str) -> Reference:
    """Return the reference of an op, or of the forward that its results are gradients of."""
    return Reference(**references()[op])
