"""Specs can describe ops of other libraries, with their original arguments and results.

The first line of each spec names the library and the function. Tests of values run references.
Tests of what kernels receive run stub kernels (`stubs.py`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opgen.compiler import pipeline
from opgen.ir.nodes import Tensor
from opgen.output.render import render
from opgen.targets.backwards import has_reference
from opgen.targets.tests.render import properties
from opgen.testing.arrays import LAYOUTS, flat, from_torch, mapped, named, to_torch
from opgen.testing.draw import draw, draw_cotangents
from opgen.testing.environment import Case
from opgen.testing.op_under_test import OpUnderTest
from tests.signatures import signatures, stubs

BARE = signatures.load(signatures.config(Path("nowhere"), "signatures"))
CALLS = [(op.name, case) for op, case in signatures.calls(BARE)]
IDS = [f"{name}-{case}" for name, case in CALLS]
# Calls of ops that have a gradient.
TAUGHT = [
    (name, case)
    for name, case in CALLS
    if any(grad.kind != "none" for grad in BARE.op(name).grad.values())
]
# Calls of ops whose gradient is another op with a kernel.
PULLED = [
    (name, case)
    for name, case in TAUGHT
    if any(grad.kind == "rules" for grad in BARE.op(name).grad.values())
]
PULLED_IDS = [f"{name}-{case}" for name, case in PULLED]
# Calls of ops without gradient formulas whose backward can run without a kernel.
RUN = [
    (name, case)
    for name, case in TAUGHT
    if all(has_reference(BARE, BARE.op(call.op)) for call in BARE.op(name).backward_calls)
    and not any(grad.formulas for grad in BARE.op(name).grad.values())
]
RUN_IDS = [f"{name}-{case}" for name, case in RUN]
# Only one call of each op, since a compilation takes seconds.
FIRST = list({name: (name, case) for name, case in reversed(CALLS)}.values())
every = pytest.mark.parametrize("name, case", CALLS, ids=IDS)
pulled = pytest.mark.parametrize("name, case", PULLED, ids=PULLED_IDS)
run = pytest.mark.parametrize("name, case", RUN, ids=RUN_IDS)


@pytest.mark.parametrize("path", signatures.SPECS, ids=lambda path: path.stem)
def test_each_lints_clean_by_itself(path: Path) -> None:
    specs, found, _ = pipeline.load([path], signatures.config(Path("nowhere"), "signatures"))
    assert specs is not None and not found, [f.message for f in found]


def test_there_are_thirty_five() -> None:
    assert len(signatures.SPECS) == 35
    for path in signatures.SPECS:
        assert path.read_text().startswith("# "), f"{path.name} does not say whose it is"


def test_all_render() -> None:
    files = {file.path for file in render(BARE)}
    for op in BARE.ops:
        assert files >= {f"torch/_{op.name}.py", f"jax/_{op.name}.py"}, op.name


def test_gradients_are_checked_without_a_kernel() -> None:
    """Rendered tests check gradients of ops without a kernel, unless the backward reads a residual.

    Only a kernel computes a residual.
    """
    checked = {op.name for op in BARE.ops if "grad" in properties(BARE, op)}
    assert {"three_interpolate", "upfirdn2d", "gaussian_conv"} <= checked
    assert not {"fused_ssim", "swoosh_l", "moe_res_matmul"} & checked


# -- what kernels receive -------------------------------------------------------------


def told(subject: OpUnderTest, got: Any, wanted: list[Any], what: str) -> None:
    """Assert that the NumPy arrays `got` equal the results `wanted` of the stub, bit by bit."""
    for name, y, exact in named(subject.op.results, got, wanted):
        assert (y is None) == (exact is None), f"{what}: {name}"
        if exact is not None:
            assert (y.dtype, y.shape) == (exact.dtype, exact.shape), f"{what}: {name}"
            assert y.tobytes() == exact.tobytes(), f"{what}: {name}: {y} instead of {exact}"


def as_given(tensor: Tensor, x: Any) -> bool:
    """Return True if a kernel gets the caller's tensor, False if it gets a contiguous copy."""
    layout = tensor.layout.alone
    if x is None or not layout.startswith("..."):
        return False
    return layout == "..." or x.stride(-1) == 1 or x.shape[-1] <= 1


@pytest.mark.slow
@every
def test_torch_kernels_receive_the_call(by_stub: signatures.Find, name: str, case: Case) -> None:
    torch = pytest.importorskip("torch")
    from opgen.testing import torch_checks

    subject = by_stub(name)
    arrays = draw(subject.op, case)
    for layout in LAYOUTS:
        tensors = torch_checks.tensors(subject, arrays, layout=layout)
        strides = {t.name: x.stride() for t, x in zip(subject.op.inputs, tensors) if as_given(t, x)}
        wanted = subject.filled(stubs.results(subject, case, arrays, strides))
        with torch.no_grad():
            got = torch_checks.call(subject, case, tensors)
        told(subject, mapped(from_torch, got), wanted, layout)


@pytest.mark.slow
@every
def test_jax_kernels_receive_the_call(by_stub: signatures.Find, name: str, case: Case) -> None:
    jax = pytest.importorskip("jax")
    from opgen.testing import jax_checks

    subject = by_stub(name)
    arrays = draw(subject.op, case)
    wanted = stubs.results(subject, case, arrays)
    with jax_checks.precision(subject, case):
        given = mapped(jax.device_put, arrays)
        eager = jax_checks.call(subject, case, given)
        jitted = jax.jit(lambda *xs: jax_checks.call_traced(subject, case, xs))(*given)
        told(subject, mapped(np.asarray, eager), wanted, "eager")
        told(subject, mapped(np.asarray, jitted), wanted, "jit")


@pytest.mark.slow
@pulled
def test_backward_kernels_receive_the_same(by_stub: signatures.Find, name: str, case: Case) -> None:
    torch, jax = pytest.importorskip("torch"), pytest.importorskip("jax")
    from opgen.testing import jax_checks, torch_checks

    subject = by_stub(name)
    arrays, cotangents = draw(subject.op, case), draw_cotangents(subject.op, case)
    tensors = torch_checks.tensors(subject, arrays, grad=True)
    leaves = {n: x for n, x in named(subject.op.inputs, tensors) if x is not None}
    active = {n: x for n, x in leaves.items() if x.requires_grad}
    results = flat(torch_checks.call(subject, case, tensors))
    pairs = ((y, c) for y, c in zip(results, flat(cotangents)) if y is not None and y.requires_grad)
    ys, cs = zip(*pairs)
    ours = torch.autograd.grad(ys, tuple(active.values()), tuple(map(to_torch, cs)))
    with jax_checks.precision(subject, case):
        given = mapped(jax.device_put, arrays)
        function, by = jax_checks.of_floats(subject, case, given, active)
        made, pull = jax.vjp(function, *by.values())
        pulled = [jax_checks.conjugate(c) for c in flat(cotangents) if jax_checks.floating(c)]
        theirs = pull(tuple(map(jax.device_put, pulled)))
    for n, a, b in zip(active, ours, theirs, strict=True):
        b = jax_checks.conjugate(np.asarray(b))
        np.testing.assert_array_equal(from_torch(a), b, err_msg=f"d{n}")


@pytest.mark.slow
@pytest.mark.parametrize("name, case", FIRST, ids=[name for name, _ in FIRST])
def test_torch_compiles(by_stub: signatures.Find, name: str, case: Case) -> None:
    pytest.importorskip("torch")
    from opgen.testing import torch_checks

    if name == "multi_cast_transpose":  # the op updates a list, and its results are lists
        with pytest.raises(Exception, match="whose output has alias annotations"):
            torch_checks.compiles(by_stub(name), case)
        return
    torch_checks.compiles(by_stub(name), case)


# -- values ---------------------------------------------------------------------------


@pytest.mark.slow
@every
def test_torch_values(by_reference: signatures.Find, name: str, case: Case) -> None:
    pytest.importorskip("torch")
    from opgen.testing import torch_checks

    torch_checks.values(by_reference(name), case)


@pytest.mark.slow
@every
def test_jax_values(by_reference: signatures.Find, name: str, case: Case) -> None:
    pytest.importorskip("jax")
    from opgen.testing import jax_checks

    jax_checks.values(by_reference(name), case)


@pytest.mark.slow
@run
def test_torch_gradients(by_reference: signatures.Find, name: str, case: Case) -> None:
    pytest.importorskip("torch")
    from opgen.testing import torch_checks

    torch_checks.gradients(by_reference(name), case)


@pytest.mark.slow
@run
def test_jax_gradients(by_reference: signatures.Find, name: str, case: Case) -> None:
    pytest.importorskip("jax")
    from opgen.testing import jax_checks

    jax_checks.gradients(by_reference(name), case)
