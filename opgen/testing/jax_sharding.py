"""Check an op on sharded JAX arrays: its results, and the bytes that it moves.

The bytes are compared with those of the reference, which uses plain `jax.numpy`. By default, the
checks try a few placements. With `OPGEN_SHARDING=full`, they try many.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding, PartitionSpec

from opgen.ir.op import Op
from opgen.testing import jax_checks, oracle
from opgen.testing.arrays import mapped
from opgen.testing.cases import cases
from opgen.testing.collectives import moved
from opgen.testing.draw import draw
from opgen.testing.environment import Case
from opgen.testing.excuses import excuse
from opgen.testing.namespaces import jax_namespace
from opgen.testing.op_under_test import OpUnderTest
from opgen.testing.placements import MESHES, Placement, placements, wide_cases
from opgen.testing.rows import Row, narrow, table
from opgen.testing.same import none_of

FULL = os.environ.get("OPGEN_SHARDING") == "full"
# The number of placements per case, and the number of cases per op.
COUNT, CASES = (60, 12) if FULL else (4, 2)
Chosen = Callable[[Op, Case], list[Placement]]
# With these options, XLA compiles the same partitioned program in a third of the time.
QUICK: dict[str, Any] = {
    "xla_backend_optimization_level": 0,
    "xla_cpu_parallel_codegen_split_count": 1,
}
OLDER = {"xla_cpu_use_fusion_emitters": False}  # this option does not exist since jax 0.12


def conformance(subject: OpUnderTest) -> None:
    """Check the values and the moved bytes under each placement.

    The op must not move more bytes than the reference, which XLA partitions. Placements with an
    excuse are printed, but do not fail the test.
    """
    if len(jax.devices()) < 8:
        pytest.skip("fewer than 8 devices")
    found = list(rows(subject, cases(subject.op)))
    print(table(found, "jnp"), *(row for row in found if row.verdict), sep="\n")
    none_of([row for row in found if row.wrong or row.error], "placements are wrong")
    none_of([row for row in found if row.more], "placements move more than the reference")


def rows(
    subject: OpUnderTest, given: list[Case], chosen: Chosen | None = None
) -> Iterator[Row[Placement]]:
    """Measure the op and its gradient. Yield a `Row` for each case, placement and program.

    `chosen` returns the placements to try for a case.
    """
    chosen = chosen or partial(placements, count=COUNT)
    # The values of an op that reads residuals are not compared, because random residuals do not
    # match the other inputs. The stages of the op may also use residuals differently. The gradient
    # of the op's forward checks these ops.
    compared = subject.name not in subject.project.residual_readers
    for case in wide_cases(subject.op, given)[:CASES]:
        case = replace(case, dtypes=narrow(subject, case))
        arrays = draw(subject.op, case)
        with jax_checks.precision(subject, case):
            inputs = mapped(jax.device_put, arrays)
            for what, make in _programs(subject, case, inputs).items():
                for placement in chosen(subject.op, case):
                    named, alike = placement.named, placement.alike
                    reason = excuse(subject.op, case, named, alike)
                    row = Row(subject.name, what, case, placement, excuse=reason)
                    yield _row(row, make, inputs, compared)


def _programs(
    subject: OpUnderTest, case: Case, inputs: list[Any]
) -> dict[str, tuple[Callable[..., Any], Callable[..., Any] | None]]:
    """Return the programs to compare, by name: "forward" and, if the op has one, "gradient".

    Each value is a pair: the op's function, and the reference's function or None.
    """
    attrs = oracle.all_attributes(subject, case)

    def ours(*xs: Any) -> Any:
        return jax_checks.call_traced(subject, case, xs)

    def plain(*xs: Any) -> Any:
        return subject.results_of(subject.reference(jax_namespace(), *xs, **attrs))

    reference = None if subject.op.reference is None else plain
    found: dict[str, tuple[Callable[..., Any], Callable[..., Any] | None]]
    found = {"forward": (ours, reference)}
    active = [
        n
        for n, (x, tensor) in enumerate(zip(inputs, subject.op.inputs))
        if isinstance(x, jax.Array) and jax_checks.floating(x) and tensor.differentiable
    ]
    if active and subject.differentiable(case):
        gradient = _gradient(reference, active) if reference else None
        found["gradient"] = (_gradient(ours, active), gradient)
    return found


def _gradient(function: Callable[..., Any], active: list[int]) -> Callable[..., Any]:
    """Return a function that computes the gradient of the sum of the squared results.

    The gradient is taken with respect to the inputs at the indices `active`.
    """

    def loss(chosen: Any, *xs: Any) -> Any:
        full = list(xs)
        for place, x in zip(active, chosen):
            full[place] = x
        results = filter(jax_checks.floating, jax.tree.leaves(function(*full)))
        return sum(jnp.sum(y.astype(jnp.float32) ** 2) for y in results)

    return lambda *xs: jax.grad(loss)([xs[n] for n in active], *xs)


def _row(
    row: Row[Placement],
    programs: tuple[Callable[..., Any], Callable[..., Any] | None],
    inputs: list[Any],
    compared: bool,
) -> Row[Placement]:
    """Return the row with the moved bytes. If `compared` is true, also report wrong values."""
    ours, plain = programs
    mesh = _mesh(row.placement)
    specs = iter(row.placement.specs)
    wanted = jax.block_until_ready(jax.jit(ours)(*inputs))
    with jax.set_mesh(mesh):

        def place(x: Any) -> Any:
            spec = PartitionSpec(*(axes or None for axes in next(specs)))
            return jax.device_put(np.asarray(x), NamedSharding(mesh, spec))

        placed = mapped(place, inputs)
        try:
            compiled = jax.jit(ours).lower(*placed).compile(_options())
            got = jax.block_until_ready(compiled(*placed))
        except Exception as error:  # any error becomes part of the row
            return replace(row, error=f"{type(error).__name__}: {error}".splitlines()[0])
        wrong = _wrong(got, wanted, row.case) if compared else ""
        row = replace(row, ours=moved(compiled.as_text() or ""), wrong=wrong)
        if plain is None:
            return row
        try:
            text = jax.jit(plain).lower(*placed).compile(_options()).as_text()
        except Exception:  # on explicit meshes, plain jnp rejects code with an ambiguous sharding
            return row
    return replace(row, plain=moved(text or ""))


@functools.cache
def _options() -> dict[str, Any]:
    """Return the XLA options for fast compilation that the installed version accepts."""
    try:
        jax.jit(lambda: 0).lower().compile({**QUICK, **OLDER})
    except jax.errors.JaxRuntimeError:
        return QUICK
    return {**QUICK, **OLDER}


def _mesh(placement: Placement) -> jax.sharding.Mesh:
    auto, explicit = AxisType.Auto, AxisType.Explicit
    first = auto if placement.kind == "auto" else explicit
    rest = explicit if placement.kind == "explicit" else auto
    axes = placement.axes
    return jax.make_mesh(MESHES[axes], (*axes,), (first, *[rest] * (len(axes) - 1)))


def _wrong(got: object, wanted: object, case: Case) -> str:
    """Describe the first result that differs from the call without sharding, or return ""."""
    for n, (y, full) in enumerate(zip(flat_leaves(got), flat_leaves(wanted), strict=True)):
        exact = np.asarray(full)
        exact = exact.astype(np.float64) if exact.dtype.kind not in "iub" else exact
        try:
            oracle.close(
                np.asarray(y), exact, case, what=f"result {n}", k=64, scale=oracle.largest([exact])
            )
        except AssertionError as error:
            return str(error).splitlines()[0]
    return ""


def flat_leaves(tree: object) -> list[Any]:
    return [x for x in jax.tree.leaves(tree) if x is not None]


__all__ = ["conformance", "rows", "table"]
