"""A call of an op that autograd records in Python."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor
from torch.autograd import forward_ad

from ..core.kinds import is_list
from .backward import Backward
from .formulas import evaluate
from .rule import Rule

DEFINE: dict[str, Callable[[str], None]] = {}
"""For each namespace, the function that defines the ops that compute an op's tangents."""
Values = Mapping[str, Any]


class Layout:
    """The positions of tensors in a flat list, by the name of the argument or result.

    A value that is a list has several positions, and an absent value has none.
    """

    def __init__(self, values: Values) -> None:
        self.flat: list[Any] = []
        self.places: dict[str, tuple[int, int, bool]] = {}
        for name, value in values.items():
            first = len(self.flat)
            self.flat += value if is_list(value) else [] if value is None else [value]
            self.places[name] = first, len(self.flat), is_list(value)
        self.size = len(self.flat)

    def clear(self) -> None:
        self.flat = []

    def of(self, name: str, flat: Sequence[Any]) -> Sequence[Any]:
        first, last, _ = self.places[name]
        return flat[first:last]

    def value(self, name: str, flat: Sequence[Any]) -> Any:
        """Return the part of `flat` that belongs to a value, as a tensor, a list or None."""
        found = [*self.of(name, flat)]
        return found if self.places[name][2] else found[0] if found else None


class Recorded:
    """One call of an op whose results have a gradient or tangents."""

    def __init__(self, rule: Rule, keys: Any, values: Values) -> None:
        self.rule, self.keys, self.values = rule, keys, values
        self.modes = torch.is_grad_enabled(), torch._C._is_fwd_grad_enabled()
        self.inputs = Layout({name: values[name] for name in rule.tensors})
        self.results = self.saved = Layout({})
        self.made: Values = {}
        load = arguments(values)
        self.scalars = {f"input:{name}": values[name] for name in rule.scalars}
        self.scalars |= {f"let:{n}": evaluate(program, load) for n, program in rule.lets.items()}

    def run(self) -> list[Any]:
        """Call the op and return its results in a flat list."""
        made = below(self.rule, self.keys, self.values)
        made = made if isinstance(made, tuple) else (made,)
        self.results = Layout(dict(zip(self.rule.results, made)))
        flat, self.made = self.results.flat, dict(zip(self.rule.results, made))
        self.shapes = [x if x is None else (x.shape, x.dtype, x.device) for x in flat]
        kept = {f"input:{name}": self.values[name] for name in self.rule.saved_arguments}
        kept |= {f"result:{name}": self.made[name] for name in self.rule.saved_results}
        self.saved = Layout(kept)
        return flat

    @contextmanager
    def as_called(self) -> Iterator[None]:
        """Return a context with the modes of the original call, for use in an autograd node."""
        recording, forward = self.modes
        with torch.set_grad_enabled(recording), forward_ad._set_fwd_grad_enabled(forward):
            yield

    def forget(self) -> None:
        """Drop this object's references to tensors. The autograd graph keeps the tensors that it
        saves.
        """
        self.values = self.made = {}
        for layout in (self.inputs, self.results, self.saved):
            layout.clear()


# The base class records a call for one functorch transform. `Function` would handle all transforms
# at once, outside of them.
_OneLevel: Any = getattr(torch.autograd.function, "_SingleLevelFunction", torch.autograd.Function)


class Node(_OneLevel):  # type: ignore[misc]
    """An autograd node that records a call."""

    @staticmethod
    def forward(ctx: Any, call: Recorded, *_: Tensor) -> Any:
        with call.as_called():
            results = call.run()
        ctx.call = call
        ctx.set_materialize_grads(False)
        constant = call.rule.constant - call.rule.residuals
        ctx.mark_non_differentiable(*(x for n in constant for x in call.results.of(n, results)))
        ctx.save_for_backward(*call.saved.flat)
        return tuple(results)

    @staticmethod
    def jvp(ctx: Any, *_: Any) -> Any:
        with ctx.call.as_called():
            return tuple(_tangents(ctx.call))

    @staticmethod
    def backward(ctx: Any, *cotangents: Any) -> Any:
        return None, *Backward(ctx, cotangents).run()

    @staticmethod
    def _compiled_autograd_key(ctx: Any) -> Any:
        return (ctx._autograd_function_id,)


def split(rule: Rule, values: Values) -> tuple[list[Any], dict[str, Any]]:
    """Split the arguments into positional and keyword-only ones."""
    keywords = {n: values[n] for n, each in rule.arguments.items() if each.kwarg_only}
    return [value for name, value in values.items() if name not in keywords], keywords


def arguments(values: Values) -> Callable[[str], Any]:
    return lambda word: values[word.removeprefix("input:")]


def below(rule: Rule, keys: torch._C.DispatchKeySet, values: Values) -> Any:
    """Call the op without recording it for autograd."""
    positional, keywords = split(rule, values)
    with torch._C._AutoDispatchBelowAutograd():
        return rule.op.redispatch(keys & torch._C._after_autograd_keyset, *positional, **keywords)


def forward_mode(rule: Rule) -> Any:
    """Return the op that computes the tangents from a reference or from formulas; None if there is
    none.
    """
    namespace, _, name = rule.name.partition(".")
    ops = getattr(torch.ops, namespace)
    jvp = f"{name}_{'reference' if rule.calls else 'formulas'}_jvp"
    if not hasattr(ops, jvp) and namespace in DEFINE:
        DEFINE[namespace](name)
    return getattr(ops, jvp, None)


def _tangents(call: Recorded) -> Iterator[Tensor | None]:
    """Yield the tangents of the results; None for results without one.

    The tangent of a residual is unknown, and NaN is yielded in its place. A function that reads the
    residual raises an error, or returns NaN if a transform hides the tangent from the check.
    """
    rule = call.rule
    found = iter(forward_mode(rule)(*call.values.values()))
    for name, value in call.made.items():
        tensors = call.results.of(name, call.results.flat)
        if name in rule.residuals:
            yield from (torch.full_like(x, math.nan) if _is_real(x) else None for x in tensors)
        elif name in rule.constant:
            yield from (None for _ in tensors)
        elif value is None:
            next(found)
        else:
            yield from (tangent if _is_real(x) else None for x, tangent in zip(tensors, found))


def _is_real(x: Any) -> bool:
    return x is not None and (x.is_floating_point() or x.is_complex())
