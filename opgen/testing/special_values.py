"""Check that a kernel treats NaN, infinities, and huge or tiny numbers like its reference.

Each call has one such value, in one element of one floating-point input. All other elements are
random, so that the results show which elements a NaN affects. Inputs with a `values` condition are
left unchanged. The checks ignore the sign of a zero, because a sum does not define this sign.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from opgen.ir.op import Op
from opgen.language.dtypes import accum
from opgen.testing import oracle
from opgen.testing.arrays import flat, from_torch, mapped, named, replaced
from opgen.testing.cases import cases, tolerance_of
from opgen.testing.draw import draw, draw_cotangents
from opgen.testing.environment import Case, dtype_in, environment, gradient_of, numpy_dtype
from opgen.testing.op_under_test import OpUnderTest

FLOATS = {numpy_dtype(name): name for name in oracle.EPS}


def special_cases(op: Op) -> list[Case]:
    """Return cases in which each dtype variable takes each of its dtypes at least once.

    Each case has a non-empty floating-point input. Cases with a gradient come first.
    """
    found, seen = list[Case](), set[tuple[str, str]]()
    for case in [*cases(op, limit=200, floating=True), *cases(op, limit=200)]:
        if set(case.dtypes) <= seen or not any(_places(op, draw(op, case))):
            continue
        seen |= set(case.dtypes)
        found.append(case)
    return found


def torch_values(subject: OpUnderTest, case: Case) -> None:
    """Check the results of the PyTorch wrapper for inputs with one special value."""
    from opgen.testing import torch_checks

    for what, arrays in planted(subject.op, draw(subject.op, case), specials):
        made = torch_checks.call(subject, case, torch_checks.tensors(subject, arrays))
        compare(subject, case, what, arrays, mapped(from_torch, made))


def jax_values(subject: OpUnderTest, case: Case) -> None:
    """Check the results of the JAX wrapper for inputs with one special value."""
    import jax

    from opgen.testing import jax_checks

    with jax_checks.precision(subject, case):
        for what, arrays in planted(subject.op, draw(subject.op, case), specials):
            made = jax_checks.call(subject, case, mapped(jax.device_put, arrays))
            compare(subject, case, what, arrays, mapped(np.asarray, made))


def torch_gradients(subject: OpUnderTest, case: Case) -> None:
    """Check which elements of PyTorch's gradients are NaN if an input or cotangent has a NaN."""
    import torch

    from opgen.testing import torch_checks
    from opgen.testing.arrays import to_torch

    for what, arrays, cotangents, wanted in _planted_gradients(subject, case):
        inputs = torch_checks.tensors(subject, arrays, grad=True)
        active = [x for name, x in named(subject.op.inputs, inputs) if name in wanted]
        results = flat(torch_checks.call(subject, case, inputs))
        pairs = [
            (y, c)
            for y, c in zip(results, flat(cotangents))
            if torch_checks.floating(y) and y.requires_grad
        ]
        outputs, pulled = zip(*pairs)
        found = torch.autograd.grad(outputs, active, [to_torch(c) for c in pulled])
        _same_nans(subject, what, wanted, map(from_torch, found))


def jax_gradients(subject: OpUnderTest, case: Case) -> None:
    """Check which elements of JAX's gradients are NaN if an input or cotangent has a NaN."""
    import jax

    from opgen.testing import jax_checks

    with jax_checks.precision(subject, case):
        for what, arrays, cotangents, wanted in _planted_gradients(subject, case):
            inputs = mapped(jax.device_put, arrays)
            function, active = jax_checks.of_floats(subject, case, inputs, wanted)
            _, pull = jax.vjp(function, *active.values())
            pulled = [c for c in flat(cotangents) if c is not None and c.dtype.kind != "i"]
            found = pull(tuple(map(jax.device_put, pulled)))
            # JAX differentiates the reference itself, so JAX also computes the expected gradients.
            if gradient_of(subject.op, case).kind == "reference":
                wanted = oracle.gradients_by_jax(subject, case, arrays, cotangents)
            _same_nans(subject, what, wanted, map(np.asarray, found))


def specials(dtype: np.dtype) -> dict[str, float]:
    """Return the special values of a dtype, by name."""
    import ml_dtypes

    info = ml_dtypes.finfo(dtype)
    # A sum of a few values of this size does not overflow.
    huge, tiny = float(info.max) / 1024, float(info.smallest_subnormal)
    named = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf, "-0": -0.0}
    return {
        **named,
        "a huge number": huge,
        "a huge negative number": -huge,
        "the smallest number": tiny,
    }


def _nan(dtype: np.dtype) -> dict[str, float]:
    return {"nan": np.nan}


def _places(op: Op, arrays: list[Any]) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the name and array of each non-empty floating-point input without `values`."""
    for tensor, given in zip(op.inputs, arrays):
        if tensor.values:
            continue
        for array in flat([given]):
            if array is not None and array.size and array.dtype in FLOATS:
                yield tensor.name, array
                break


def planted(
    op: Op, arrays: list[Any], values: Callable[[np.dtype], dict[str, float]]
) -> Iterator[tuple[str, list[Any]]]:
    """Yield a description of a change, and the arrays with one element replaced by a value."""
    rng = np.random.default_rng()
    for name, array in _places(op, arrays):
        for what, value in values(array.dtype).items():
            at = tuple(int(rng.integers(size)) for size in array.shape)
            changed = array.copy()
            changed[at] = value
            swapped = mapped(lambda a: changed if a is array else a.copy(), arrays)
            yield f"{what} at {name}{list(at)}", swapped


def _planted_gradients(subject: OpUnderTest, case: Case) -> Iterator[tuple[Any, ...]]:
    """Yield tuples: the NaN's position as text, inputs, cotangents, and expected gradients."""
    op = subject.op
    arrays, cotangents = draw(op, case), draw_cotangents(op, case)
    rows = []
    if not _rounds_to_integers(subject, case):
        rows += [(what, changed, cotangents) for what, changed in planted(op, arrays, _nan)]
    leaves = flat(cotangents)
    for place, (name, given) in enumerate(named(op.outputs, cotangents)):
        if given is not None and given.size and given.dtype in FLOATS:
            changed = given.copy()  # several elements, because some may have no gradient
            changed.flat[np.random.default_rng().integers(given.size, size=4)] = np.nan
            pulled = replaced(cotangents, [*leaves[:place], changed, *leaves[place + 1 :]])
            rows.append((f"nan in the cotangent of {name}", arrays, pulled))
    for what, inputs, pulled in rows:
        wanted = oracle.gradients(subject, case, inputs, pulled)
        yield what, inputs, pulled, wanted


def _rounds_to_integers(subject: OpUnderTest, case: Case) -> bool:
    """Return whether the backward ops read only integers to which the forward rounded its inputs.

    Rounding to an integer loses a NaN. A tolerance of a backward op shows that it reads rounded
    values. Without a tolerance, the integers may be indices, and an index can point to a NaN.
    """
    called = [(call, subject.project.op(call.op)) for call in gradient_of(subject.op, case).calls]
    read = [
        tensor
        for call, op in called
        for argument, tensor in zip(call.arguments, op.inputs)
        if argument.source != "cotangent"
    ]
    inexact = any(tolerance_of(op) for _, op in called)
    return inexact and not any(tensor.floating for tensor in read)


def _same_nans(
    subject: OpUnderTest, what: str, wanted: dict[str, Any], found: Iterable[np.ndarray]
) -> None:
    for (name, exact), got in zip(wanted.items(), found, strict=True):
        due, there = np.isnan(exact), np.isnan(got)
        assert np.array_equal(due, there), (
            f"{subject.name}, {what}: d{name} is NaN at {_some(there)}, "
            f"by the reference at {_some(due)}{_advice(due, there)}"
        )


def _advice(due: np.ndarray, there: np.ndarray) -> str:
    """Return advice if the reference has NaNs that the kernel does not have, else ""."""
    if not (due & ~there).any():
        return ""
    return (
        ". A reference that drops elements after it computed them, `where(keep, f(x), 0)`, has a"
        " gradient of 0*NaN there: drop them before, `f(where(keep, x, 0))`, too"
    )


def compare(subject: OpUnderTest, case: Case, what: str, arrays: list[Any], got: list[Any]) -> None:
    """Check that NaNs and infinities are in the same elements as in the reference.

    The reference runs in float64 and in the op's precision. Each element must agree with at least
    one of the two runs. If the special value is finite, only NaNs are compared, since a kernel may
    choose which intermediate results overflow. If the result overflows too, it may also be a
    NaN, because infinities of different signs cancel.
    """
    finite = not what.startswith(("nan", "inf", "-inf"))
    exact = oracle.results(subject, case, arrays)
    own = oracle.results(subject, case, arrays, widen=_computed)
    for name, y, *references in named(subject.op.results, got, exact, own):
        if y is None or y.dtype not in FLOATS:
            continue
        found, wide, narrow = (_kinds(x, y.dtype) for x in (y, *references))
        overflows = finite & ((abs(wide) == 1) | (abs(narrow) == 1))
        if finite:
            found, wide, narrow = found == 2, wide == 2, narrow == 2
        wrong = (found != wide) & (found != narrow) & ~overflows
        assert not wrong.any(), (
            f"{subject.name}, {what}: {name}{_some(wrong)} is {y[wrong][:4]}, "
            f"by the reference {references[0][wrong][:4]}"
        )


def fits(subject: OpUnderTest, case: Case, arrays: list[Any]) -> bool:
    """Return whether all results of the reference are finite in the op's dtypes."""
    own = oracle.results(subject, case, arrays, widen=_computed)
    return all(
        np.isfinite(
            np.asarray(y)
            .astype(numpy_dtype(dtype_in(t, environment(subject.op, case))), copy=False)
            .astype(np.complex128)
        ).all()
        for t, given in zip(subject.op.results, own)
        for y in flat([given])
        if y is not None
    )


def _computed(array: np.ndarray) -> np.ndarray:
    """Convert a floating-point array to the accumulation dtype of its own dtype."""
    name = FLOATS.get(array.dtype)
    return array if name is None else array.astype(numpy_dtype(accum(name)))


def _kinds(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Return a class for each element, after conversion to `dtype`.

    The class of a finite number is 0, that of an infinity is its sign, and that of NaN is 2.
    """
    with np.errstate(all="ignore"):
        x = np.asarray(array).astype(dtype).astype(np.float64)
    return np.where(np.isnan(x), 2, np.where(np.isinf(x), np.sign(x), 0))


def _some(mask: np.ndarray) -> object:
    return np.argwhere(mask)[:4].tolist()
