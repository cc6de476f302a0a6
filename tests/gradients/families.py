"""The op families of `specs/`, with references instead of kernels, and calls to differentiate."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from opgen.compiler.pipeline import load
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.spec.config import Config
from opgen.targets.backwards import has_reference
from opgen.testing.cases import cases
from opgen.testing.draw import draw
from opgen.testing.environment import Case, environment

SPECS = Path(__file__).parents[2] / "specs"
# Least number of elements to normalize. With fewer, the derivatives are too sensitive for f32.
SMALLEST = 8


def project(package: str = "generated", *, fallback: bool = False) -> Project:
    """Return the project of all families. With `fallback` no op has a kernel, so references run."""
    config = Config(SPECS.parent, package=package, namespace=package, kernels="runtime/kernels")
    found, _, _ = load(sorted(SPECS.glob("*.toml")), config)
    assert found is not None
    if not fallback:
        return found
    families = (
        dataclasses.replace(
            family,
            ops=tuple(dataclasses.replace(op, kernels=(), fallback=True) for op in family.ops),
        )
        for family in found.families
    )
    return dataclasses.replace(found, families=tuple(families))


def differentiable() -> Iterator[tuple[Op, Case]]:
    """Yield each op that has a gradient and a reference, with one or two calls in f32.

    Ops whose backward cannot run without its kernel are left out. Ops that read residuals are also
    left out, since their inputs would be drawn at random. The tests reach them by differentiating
    their forward twice.
    """
    every = project()
    for op in every.ops:
        if op.name in every.residual_readers:
            continue
        if op.reference is None or any(g.kind == "none" for g in op.grad.values()):
            continue
        called = [every.op(call.op) for call in op.backward_calls]
        if not all(has_reference(every, each) for each in called):
            continue
        count = 2 if any(each.on_request for each in called) else 1
        plain = (case for case in cases(op, floating=True) if _fits(op, case))
        yield from ((op, case) for case, _ in zip(plain, range(count)))


def _fits(op: Op, case: Case) -> bool:
    sizes = [int(np.prod(size)) for _, size in case.sizes]
    narrow = any(dtype in ("bf16", "f16") for _, dtype in case.dtypes)
    values = environment(op, case)
    norm = values.get("norm", values.get("normalized_shape", ()))
    return not narrow and 0 not in sizes and (not norm or np.prod(norm) >= SMALLEST)


@dataclasses.dataclass(frozen=True)
class Call:
    """A call of an op: input arrays, given attrs, and all attrs that the reference takes."""

    op: Op
    arrays: list
    given: dict[str, object]
    attrs: dict[str, object]

    @property
    def active(self) -> list[int]:
        """The positions of the inputs that have a gradient in this call."""
        return [
            place
            for place, (tensor, array) in enumerate(zip(self.op.inputs, self.arrays))
            if tensor.differentiable
            and array is not None
            and np.issubdtype(array.dtype, np.floating)
        ]

    def reference(self, package: str):
        file, _, function = str(self.op.reference).partition(".py:")
        return getattr(importlib.import_module(f"{package}.reference.{file}"), function)


def call_of(op: Op, case: Case) -> Call:
    values = environment(op, case)
    # Make 8-bit weights smaller. Else their sums are so large that the sine of a sum is imprecise.
    arrays = [a // 32 if a is not None and a.dtype == np.int8 else a for a in draw(op, case)]
    return Call(op, arrays, dict(case.attrs), {a.name: values[a.name] for a in op.attrs})


def needs(active: list[int]) -> list[list[int]]:
    """Return sets of inputs that need a gradient: all of `active`, then each one alone."""
    return [active, *([place] for place in active if len(active) > 1)]


def close(found, wanted, what: str) -> None:
    """Assert that two f32 results differ by at most 2e-3 of the largest expected element."""
    found, wanted = np.asarray(found, np.float64), np.asarray(wanted, np.float64)
    size = np.abs(wanted).max(initial=0) + 1e-3
    assert np.abs(found - wanted).max(initial=0) <= 2e-3 * size, what
