"""The reference results of a call, and their differences from the kernel's results.

This module is independent of frameworks. An `Engine` computes the results. If a backward has no
reference, the engine differentiates the reference of the forward.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from ..core.references import Reference
from ..core.runtime import DTYPES, CoreOp, TensorSpec, accum
from .replay_file import Stored, Value
from .tolerance import EPS, ROUNDED, Departure, departure, errors, overflows, tolerance

FLOATING = ("float", "complex")
# If an error exceeds its tolerance, the reference also runs in single precision, `RUNS[0]` times.
# If these runs do not explain an error of at most `FAR` tolerances, it runs `RUNS[1]` times,
# because few runs may not show the effect of rounding on a difference of two numbers. The kernel's
# error may be `OWN` times the error of these runs.
RUNS, FAR, OWN = (4, 32), 64, 4


class Engine(Protocol):
    """The functions of a framework that are needed to run references on recorded tensors."""

    @property
    def xp(self) -> Any:
        """Return the array namespace for references."""

    def array(self, values: np.ndarray) -> Any:
        """Convert a NumPy array to a framework array on the host."""

    def values(self, array: Any) -> np.ndarray:
        """Convert a framework array to NumPy."""

    def decode(self, stored: Stored) -> np.ndarray:
        """Return the values of a tensor, with floats converted to float64 or complex128."""

    def pull_back(self, function: Callable[..., Any], xs: Sequence[Any], dys: Sequence[Any]) -> Any:
        """Return the gradients of `function` with respect to `xs`. A cotangent of None is zero."""


def mapped(function: Callable[[Any], Any], value: Any) -> Any:
    """Apply `function` to a tensor, or to each tensor of a list. An absent tensor stays None."""
    if isinstance(value, list):
        return [function(each) for each in value]
    return None if value is None else function(value)


def departures(
    engine: Engine,
    reference: Reference,
    op: CoreOp,
    inputs: Mapping[str, Value],
    attrs: Mapping[str, Any],
    results: Mapping[str, Value],
    wanted: Sequence[str] | None = None,
) -> list[tuple[str, Departure]]:
    """Return the name and the worst error of each result with an error above its tolerance.

    `wanted` lists the requested results of the call. If an error exceeds the tolerance, this
    function also runs the reference in single precision. If the reference then has a similar error,
    or overflows too, the kernel is not at fault, and the result is left out.
    """
    specs = [mapped(_spec, value) for value in inputs.values()]
    options = {} if wanted is None else {"wanted": wanted}
    completed = op.complete(*specs, **attrs, **options)
    attrs = {name: value for name, value in completed.items() if name not in options}
    decoded = {name: mapped(engine.decode, value) for name, value in inputs.items()}
    computed = {
        accum(each.dtype)
        for value in inputs.values()
        for each in (value if isinstance(value, list) else [value])
        if each is not None and DTYPES[each.dtype].kind in FLOATING
    }
    scale = _largest(decoded[name] for name in reference.cotangents if name is not None)
    # The order of a sum of inf and NaN decides which of them is the result.
    infinite = not all(map(_is_finite, decoded.values()))

    lengths = reference.lengths or {}

    def compared(given: Mapping[str, Any]) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        with np.errstate(all="ignore"):
            made = _computed(engine, reference, op, given, specs, attrs, options)
        named = dict(zip(reference.results, made))
        return dict(_pairs(results, named, lengths, engine))

    def singly(seed: int) -> dict[str, np.ndarray]:
        given = {n: _narrow(inputs[n], x, seed) for n, x in decoded.items()}
        return {label: pair[1] for label, pair in compared(given).items()}

    own: list[dict[str, np.ndarray]] = []
    found = []
    for label, (got, exact) in compared(decoded).items():
        dtype = _dtype_of(results, label)
        allowed = tolerance(exact, dtype, computed & {*ROUNDED}, scale=scale)
        exact = np.where(overflows(got, exact, allowed, dtype), got, exact)
        if infinite:
            exact = np.where(np.isfinite(got) | np.isfinite(exact), exact, got)
        worst = departure(got, exact, allowed)
        for runs in RUNS if worst is not None else ():
            own += map(singly, range(len(own), runs))
            theirs = [each[label] for each in own[:runs]]
            worst = _beside(got, exact, theirs, allowed, "f64" in computed)
            if worst is None or not worst.error <= FAR * worst.allowed:
                break
        if worst is not None:
            found.append((label, worst))
    return found


def _beside(
    got: np.ndarray,
    wanted: np.ndarray,
    own: Sequence[np.ndarray],
    allowed: np.ndarray | None,
    double: bool,
) -> Departure | None:
    """Return the worst error of a result, or None if the reference in single precision has a
    similar error.

    `own` has the results of several runs of the single-precision reference. The first run has the
    original inputs, and the others have inputs with random rounding errors. The distance between
    `own` and `wanted` is the expected error of an element. For a kernel in double precision, the
    distance is scaled by the ratio of the precisions.
    """
    with np.errstate(all="ignore"):
        plain = own[0]
        same = (got == plain) | (np.isnan(got) & np.isnan(plain))
        if allowed is None:
            return departure(np.where(same, wanted, got), wanted, None)
        error = np.max([errors(each, wanted) for each in own], axis=0)
        error = np.where(np.isfinite(error), error, 0.0)
        error *= EPS["f64"] / EPS["f32"] if double else 1
        allowed = allowed + OWN * (error + error.mean())
        if not double:  # a kernel may overflow for other numbers in single precision
            kinds = np.isnan(got) == np.isnan(plain)
            allowed = np.where(same | (~np.isfinite(plain) & kinds), np.inf, allowed)
    return departure(got, wanted, allowed)


def _pairs(
    results: Mapping[str, Value],
    made: Mapping[str, Any],
    lengths: Mapping[str, str],
    engine: Engine,
) -> Iterator[tuple[str, tuple[np.ndarray, np.ndarray]]]:
    """Yield, for each tensor, its label, the kernel's result and the reference's result."""
    for name, wanted in made.items():
        value = results.get(name)
        if value is None or wanted is None:
            continue
        lists = isinstance(value, list)
        items = [*zip(value, wanted)] if isinstance(value, list) else [(value, wanted)]
        for n, (got, exact) in enumerate(items):
            pair = engine.decode(got), np.asarray(engine.values(exact))
            if name in lengths:
                count = int(np.asarray(engine.values(made[lengths[name]])))
                pair = pair[0][:count], pair[1][:count]
            if pair[0].shape == pair[1].shape:
                yield f"{name}[{n}]" if lists else name, pair


def _dtype_of(results: Mapping[str, Value], label: str) -> str:
    name, bracket, n = label.partition("[")
    value = results[name]
    if isinstance(value, list):
        return value[int(n[:-1])].dtype
    assert value is not None
    return value.dtype


def _computed(
    engine: Engine,
    reference: Reference,
    op: CoreOp,
    inputs: Mapping[str, Any],
    specs: Sequence[Any],
    attrs: Mapping[str, Any],
    options: Mapping[str, Any],
) -> Sequence[Any]:
    """Run the reference on a recorded call and return its results."""
    arrays = {name: mapped(engine.array, value) for name, value in inputs.items()}
    if not reference.gradients:
        return reference(engine.xp, *arrays.values(), **attrs)
    made = op.infer(*specs, **attrs, **options)

    def zeros(result: int) -> Any:
        return mapped(lambda spec: engine.array(np.zeros(spec.shape)), made[result])

    return reference.differentiate(engine.xp, arrays, attrs, zeros, engine.pull_back)


def _spec(stored: Stored) -> TensorSpec:
    return TensorSpec(stored.shape, stored.dtype)


def _narrow(stored: Value, values: Any, seed: int) -> Any:
    """Return decoded floats in single precision. With a seed other than 0, add a random rounding
    error to each float.
    """
    if isinstance(stored, list):
        return [_narrow(*each, seed) for each in zip(stored, values)]
    if stored is None or DTYPES[stored.dtype].kind not in FLOATING:
        return values
    with np.errstate(all="ignore"):
        if seed:
            off = np.random.default_rng([seed, values.size]).uniform(-1, 1, values.shape)
            values = values * (1 + EPS["f32"] * off)
        return values.astype(np.complex64 if values.dtype.kind == "c" else np.float32)


def _is_finite(value: Any) -> bool:
    """Return whether a tensor, or each tensor of a list, is free of inf and NaN."""
    arrays = value if isinstance(value, list) else [value]
    return all(x is None or bool(np.isfinite(x).all()) for x in arrays)


def _largest(values: Any) -> float:
    """Return the largest magnitude among the finite elements."""
    arrays = [x for value in values for x in (value if isinstance(value, list) else [value])]
    sizes = [np.abs(x[np.isfinite(x)]).max(initial=0.0) for x in arrays if x is not None]
    return float(max(sizes, default=0.0))
