"""Check an op on DTensors: its results, and the bytes that it moves.

The bytes are compared with those of the reference, which runs as plain PyTorch ops on DTensors.

By default, the checks try a few placements on 4 processes. With `OPGEN_SHARDING=full`, they try
many placements on 4 and 8 processes.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from opgen.ir.op import Op
from opgen.testing import oracle, torch_checks
from opgen.testing.arrays import flat, from_torch, mapped
from opgen.testing.cases import cases
from opgen.testing.draw import draw
from opgen.testing.environment import Case
from opgen.testing.excuses import excuse
from opgen.testing.gloo import doing, everywhere
from opgen.testing.op_under_test import OpUnderTest
from opgen.testing.placements import wide_cases
from opgen.testing.rows import Row, narrow, table
from opgen.testing.same import none_of
from opgen.testing.torch_placements import (
    MESHES,
    PART,
    Place,
    Placement,
    has_empty_shards,
    placements,
    uneven,
)

FULL = os.environ.get("OPGEN_SHARDING") == "full"
# The number of placements per case and mesh, and the number of cases per op.
COUNT, CASES = (16, 3) if FULL else (3, 1)
# Dim sizes to try. The meshes divide the first sizes evenly. The last sizes are for ops whose
# requirements reject the first.
SIZES = (8, 4, 16, 32, 64, 2, 1, 3)
PROCESSES = (4, 8) if FULL else (4,)
LARGEST = 300  # the largest size of a dim
# Reasons for which any op may move more bytes than its reference. SUMMED: an op may not be linear
# in an input that is a partial sum. Such an input must be reduced before the call. LEFT: the op
# leaves a partial sum. Its later reduction may cost more or less, because the caller may need the
# result sharded.
SUMMED = "a sum of parts is made before the call"
EMPTY = "the loss is DTensor's, which gathers what has fewer elements than processes"
LEFT = "a result is left a sum of parts, which the reference makes"

Chosen = Callable[[Op, Case, tuple[int, ...]], list[Placement]]
Function = Callable[[list[Any]], tuple[Any, ...]]


def conformance(subject: OpUnderTest) -> None:
    """Check the values and the moved bytes under each placement.

    The values must equal those of the call without DTensors. If the spec allows all dims of a
    placement to be split, the op must not move more bytes than its reference on DTensors.
    """
    given = cases(subject.op)
    found = [row for count in PROCESSES for row in rows(subject, given, count)]
    print(table(found, "torch"), *(row for row in found if row.verdict), sep="\n")
    none_of([row for row in found if row.wrong or row.error], "placements are wrong")
    more = [row for row in found if row.more and not _of_parts(subject, row)]
    none_of(more, "placements move more than the reference")


def _of_parts(subject: OpUnderTest, row: Row[Placement]) -> bool:
    """Return whether a row measures the gradient of a backward op.

    The cotangents of such a gradient may be partial sums.
    """
    return row.what == "gradient" and subject.name in subject.project.backwards


def rows(
    subject: OpUnderTest,
    given: list[Case],
    processes: int,
    native: Callable[..., Any] | None = None,
    chosen: Chosen | None = None,
) -> list[Row[Placement]]:
    """Measure the op and its gradient. Return a `Row` for each case, placement and program.

    `native` replaces the reference. It must be a function at module level, and is called with the
    inputs and the attrs. `chosen` returns the placements to try for a case on a mesh.
    """
    chosen = chosen or partial(placements, count=COUNT)
    found = []
    for case in _cases(subject, given):
        work = [
            Row(subject.name, "", case, placement, excuse=_excuse(subject, case, placement))
            for mesh in MESHES[processes]
            for placement in chosen(subject.op, case, mesh)
        ]
        ranks = everywhere(processes, _measured, subject, work, native)
        found += [_agreed(each) for each in zip(*ranks, strict=True)]
    return found


def _excuse(subject: OpUnderTest, case: Case, placement: Placement) -> str:
    """Return the reason why the op may move more bytes than its reference, or an empty string."""
    if placement.parts:
        return SUMMED
    odd = uneven(subject.op, case, placement)
    return excuse(subject.op, case, placement.named, placement.alike, odd)


def _cases(subject: OpUnderTest, given: list[Case]) -> list[Case]:
    """Return cases whose sizes split evenly over the processes, and some cases of other sizes."""
    even = wide_cases(subject.op, given, SIZES)[:CASES]
    uneven = [case for case in given if 1 < max(case.numbers, default=0) < LARGEST]
    uneven.sort(key=lambda case: min(case.numbers) < 2)
    chosen = [*even, *uneven[: max(1, CASES // 2)]]
    return [replace(case, dtypes=narrow(subject, case)) for case in chosen]


def _agreed(found: tuple[Row[Placement], ...]) -> Row[Placement]:
    """Return the first row with an error or a wrong result, or else any of the processes' rows."""
    return next((row for row in found if row.error or row.wrong), found[0])


def _measured(
    subject: OpUnderTest, work: list[Row[Placement]], native: Callable[..., Any] | None
) -> list[Row[Placement]]:
    """Measure the forward and the gradient of each row of `work`. Every process calls this."""
    found = []
    for row in work:
        inputs = torch_checks.tensors(subject, draw(subject.op, row.case))
        programs = _programs(subject, row.case, inputs, native)
        for what, (ours, plain, active) in programs.items():
            named = replace(row, what=what)
            if what == "gradient" and has_empty_shards(subject.op, row.case, row.placement):
                named = replace(named, excuse=row.excuse or EMPTY)
            doing(_named(named))
            found.append(_row(named, subject, ours, plain, inputs, active))
    return found


def _named(row: Row[Placement]) -> str:
    return f"{row.op} {row.what} {row.placement} {row.case}"


def _programs(
    subject: OpUnderTest, case: Case, inputs: list[Any], native: Callable[..., Any] | None
) -> dict[str, tuple[Function, Function | None, list[int]]]:
    """Return the programs to compare, by name: "forward" and, if the op has one, "gradient".

    Each value is a tuple: the op's function, the reference's function, and the indices of the
    inputs with respect to which the gradient is taken.
    """
    import array_api_compat.torch as xp

    attrs = oracle.all_attributes(subject, case)

    def ours(xs: list[Any]) -> tuple[Any, ...]:
        return torch_checks.call(subject, case, xs)

    def reference(xs: list[Any]) -> tuple[Any, ...]:
        given = native(*xs, **attrs) if native else subject.reference(xp, *xs, **attrs)
        return subject.results_of(given)

    plain = reference if native or subject.reference else None
    found: dict[str, tuple[Function, Function | None, list[int]]] = {"forward": (ours, plain, [])}
    active = [
        n
        for n, (x, tensor) in enumerate(zip(inputs, subject.op.inputs))
        if isinstance(x, Tensor) and x.is_floating_point() and tensor.differentiable
    ]
    if active and subject.differentiable(case) and not subject.op.updated:
        gradient = _gradient(plain, active) if plain else None
        found["gradient"] = (_gradient(ours, active), gradient, active)
    return found


def _gradient(function: Function, active: list[int]) -> Function:
    """Return a function that computes the gradient of the sum of the squared results.

    The gradient is taken with respect to the inputs at the indices `active`.
    """

    def gradient(xs: list[Any]) -> tuple[Any, ...]:
        xs = list(xs)
        for n in active:
            xs[n] = xs[n].detach().requires_grad_()
        results = filter(torch_checks.floating, flat(function(xs)))
        loss = sum((y.float() ** 2).sum() for y in results)
        return torch.autograd.grad(loss, [xs[n] for n in active], allow_unused=True)

    return gradient


def _row(
    row: Row[Placement],
    subject: OpUnderTest,
    ours: Function,
    plain: Function | None,
    inputs: list[Any],
    active: list[int],
) -> Row[Placement]:
    """Run the op and its reference under a placement. Return the row with the measured bytes."""
    from torch.distributed.tensor.experimental import implicit_replication

    wanted = ours(mapped(torch.clone, inputs))
    try:
        got, before, moved = _run(ours, row.placement, inputs, active)
    except Exception as error:  # any error becomes part of the row
        # After an error in gloo, the processes are out of step, so all later rows would be wrong.
        if "/gloo/" in str(error):
            raise
        text = f"{type(error).__name__}: {error}".splitlines()[0]
        refused = subject.op.updated and isinstance(error, (NotImplementedError, ValueError))
        return replace(row, refused=text) if refused else replace(row, error=text)
    # The values of an op that reads residuals are not compared, because random residuals do not
    # match the other inputs. The stages of the op may also use residuals differently. The gradient
    # of the op's forward checks these ops.
    compared = subject.name not in subject.project.residual_readers
    wrong = _wrong(got, wanted, row.case) if compared else ""
    row = replace(row, ours=moved, wrong=wrong)
    # A maximum over zero elements fails in the processes with empty shards, while others wait.
    partly = bool(row.excuse) and has_empty_shards(subject.op, row.case, row.placement)
    if plain is None or not moved or partly:
        return row
    doing(f"the reference of {_named(row)}")
    try:
        with implicit_replication():
            _, plain_before, plain_moved = _run(plain, row.placement, inputs, active)
    except Exception as error:  # DTensor has no sharding rule for some torch ops
        if "/gloo/" in str(error):
            raise
        return row
    row = replace(row, plain=plain_moved, before=(before, plain_before))
    return replace(row, excuse=row.excuse or (LEFT if before <= plain_before else ""))


def _run(
    function: Function, placement: Placement, inputs: list[Any], active: list[int]
) -> tuple[list[Any], int, int]:
    """Run `function` on DTensors. Return its full results and two numbers of moved bytes.

    The first number counts only the call. The second number also counts the steps after the call.
    These steps reduce partial sums, and redistribute each gradient to the placements of its input.
    """
    from opgen.testing.torch_collectives import Moved

    mesh, places = _mesh(placement.mesh), iter(placement.arrays)
    given = mapped(lambda x: _placed(x, mesh, next(places)), inputs)
    with Moved() as moved:
        results = flat(function(given))
        before = moved.bytes
        origins = [given[n] for n in active] or results
        results = [_settled(y, x) for y, x in zip(results, origins, strict=True)]
    return [_whole(y) for y in results], before, moved.bytes


def _settled(y: Any, x: Any) -> Any:
    """Redistribute the DTensor `y` to the placements of `x`, with partial sums reduced."""
    from torch.distributed.tensor import DTensor, Replicate

    if not isinstance(y, DTensor):
        return y
    wanted = (Replicate() if p.is_partial() else p for p in x.placements)
    return y.redistribute(placements=[*wanted])


@cache
def _mesh(shape: tuple[int, ...]) -> Any:
    from torch.distributed.device_mesh import init_device_mesh

    return init_device_mesh("cpu", shape)


def _placed(tensor: Tensor, mesh: Any, places: tuple[Place, ...]) -> Any:
    """Turn a full tensor that every process has into a DTensor with the given placements."""
    from torch.distributed.tensor import DTensor, Partial, Replicate, Shard

    local = tensor
    placements: list[Partial | Replicate | Shard] = []
    for dim, place in enumerate(places):
        count, rank = mesh.size(dim), mesh.get_local_rank(dim)
        if isinstance(place, int):
            placements.append(Shard(place))
            parts = local.chunk(count, place)
            local = parts[rank] if rank < len(parts) else local.narrow(place, 0, 0)
        elif place == PART:  # a half, a quarter, and so on; the last two processes' parts are equal
            placements.append(Partial())
            local = local * 0.5 ** min(rank + 1, count - 1)
        else:
            placements.append(Replicate())
    local = local.contiguous().clone()
    return DTensor.from_local(
        local, mesh, placements, shape=tensor.shape, stride=tensor.stride(), run_check=False
    )


def _whole(tensor: Any) -> Any:
    """Return the full tensor of a DTensor."""
    from torch.distributed.tensor import DTensor

    from opgen.testing.torch_collectives import Moved

    if not isinstance(tensor, DTensor):
        return tensor
    with Moved():  # which also sends fp8
        return tensor.detach().full_tensor()  # type: ignore[attr-defined]


def _wrong(got: list[Any], wanted: tuple[Any, ...], case: Case) -> str:
    """Describe the first result that differs from the call without DTensors, or return ""."""
    for n, (y, exact) in enumerate(zip(got, flat(wanted), strict=True)):
        if y is None or exact is None:
            if (y is None) != (exact is None):
                return f"result {n}: one of two is not there"
            continue
        full = from_torch(exact)
        full = full if full.dtype.kind in "iub" else full.astype(np.float64)
        try:
            oracle.close(
                from_torch(y), full, case, what=f"result {n}", k=64, scale=oracle.largest([full])
            )
        except AssertionError as error:
            return str(error).splitlines()[0]
    return ""
