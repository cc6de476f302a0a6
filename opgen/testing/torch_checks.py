"""What the rendered PyTorch face must do, whatever the op."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from opgen.dtypes import DTYPES
from opgen.testing import oracle
from opgen.testing.arrays import LAYOUTS, from_torch, to_torch
from opgen.testing.cases import Case, cases
from opgen.testing.draw import draw, draw_cotangents
from opgen.testing.environment import numpy_dtype
from opgen.testing.subject import Subject


def tensors(arrays: list, *, layout: str = "contiguous", grad: bool = False) -> list:
    """Torch tensors of the arrays' values in a memory layout; lists stay lists."""
    made = []
    for array in arrays:
        if isinstance(array, list):
            made.append(tensors(array, layout=layout, grad=grad))
            continue
        tensor = to_torch(array)
        if tensor is not None and layout != "contiguous":
            tensor = _relaid(tensor, layout)
        if grad and tensor is not None and tensor.is_floating_point():
            tensor.requires_grad_()
        made.append(tensor)
    return made


def _relaid(tensor: torch.Tensor, layout: str) -> torch.Tensor:
    if layout == "transposed":
        return tensor.mT.contiguous().mT if tensor.ndim > 1 else tensor
    wide = torch.empty(*tensor.shape[:-1], 2 * tensor.shape[-1], dtype=tensor.dtype) if tensor.ndim else tensor  # fmt: skip
    if tensor.ndim:
        wide[..., ::2] = tensor
        return wide[..., ::2]
    return tensor


def call(subject: Subject, case: Case, inputs: list) -> tuple:
    """The results of a call, always as a tuple."""
    given = subject.face("torch")(*inputs, **keywords(subject, case))
    return given if isinstance(given, tuple) else (given,)


def keywords(subject: Subject, case: Case) -> dict:
    """The attrs that the case gives, for the face."""
    dtypes = {attr.name for attr in subject.op.attrs if attr.type == "dtype"}
    return {n: _dtype(v) if n in dtypes else v for n, v in case.attrs}


def values(subject: Subject, case: Case) -> None:
    """Values agree with the reference, whatever the memory layout of the inputs."""
    arrays = draw(subject.op, case)
    wanted = oracle.results(subject, case, arrays)
    for layout in LAYOUTS:
        with torch.no_grad():
            got = call(subject, case, tensors(arrays, layout=layout))
        for tensor, y, exact in zip(subject.op.results, got, wanted):
            oracle.close(from_torch(y), exact, case, what=f"{subject.name}.{tensor.name} ({layout})")  # fmt: skip


def gradients(subject: Subject, case: Case) -> None:
    """Gradients agree with autodiff of the reference, also for a cotangent that is not contiguous."""
    arrays = draw(subject.op, case)
    cotangents = draw_cotangents(subject.op, case)
    wanted = oracle.gradients(subject, case, arrays, cotangents)
    size = oracle.largest(cotangents)
    for layout in LAYOUTS:
        inputs = tensors(arrays, layout=layout, grad=True)
        active = {
            t.name: x for t, x in zip(subject.op.inputs, inputs) if t.name in wanted
        }
        results = call(subject, case, inputs)
        pulled = tensors(cotangents, layout=layout)
        found = torch.autograd.grad(results, tuple(active.values()), pulled)
        for (name, x), grad in zip(active.items(), found):
            assert grad.dtype == x.dtype and grad.shape == x.shape
            oracle.close(from_torch(grad), wanted[name], case, what=f"d{name} ({layout})", k=64, scale=size)  # fmt: skip


def gradcheck(subject: Subject, case: Case) -> None:
    """`torch.autograd.gradcheck`, and `gradgradcheck` where the op says how."""
    arrays = draw(subject.op, case)
    inputs = tensors(arrays, grad=True)

    def function(*xs):
        return call(subject, case, list(xs))

    assert torch.autograd.gradcheck(function, inputs)
    if twice_differentiable(subject):
        assert torch.autograd.gradgradcheck(function, inputs)


def twice_differentiable(subject: Subject) -> bool:
    """Whether every backward of the op has a gradient of its own."""
    return all(
        subject.project.op(c.op).grad.kind != "none" for c in subject.op.grad.calls
    )


def opcheck(subject: Subject, case: Case) -> None:
    """`torch.library.opcheck`, all four utilities, on the raw op."""
    attrs = attributes(subject, case)
    for layout in LAYOUTS:
        inputs = tensors(
            draw(subject.op, case), layout=layout, grad=subject.differentiable
        )
        torch.library.opcheck(raw(subject), (*inputs, *attrs))


def compiles(subject: Subject, case: Case) -> None:
    """`torch.compile(fullgraph=True)` gives the bits of the eager call, gradients too."""
    arrays = draw(subject.op, case)
    compiled = torch.compile(
        subject.face("torch"), fullgraph=True, dynamic=True, backend="aot_eager"
    )
    grad = subject.differentiable
    eager, traced = tensors(arrays, grad=grad), tensors(arrays, grad=grad)
    wanted = call(subject, case, eager)
    got = compiled(*traced, **keywords(subject, case))
    got = got if isinstance(got, tuple) else (got,)
    for a, b in zip(got, wanted):
        assert torch.equal(a, b)
    if grad and any(x.requires_grad for x in eager):
        torch.autograd.backward(wanted, [torch.ones_like(y) for y in wanted])
        torch.autograd.backward(got, [torch.ones_like(y) for y in got])
        for a, b in zip(traced, eager):
            if b.grad is None:  # a gradient that the spec says is zero
                assert a.grad is None or not a.grad.any()
            else:
                assert torch.equal(a.grad, b.grad)


def vmap(subject: Subject, case: Case) -> None:
    """`torch.func.vmap` over any operand agrees with a loop."""
    arrays = [draw(subject.op, replace(case, seed=case.seed + n)) for n in range(3)]  # fmt: skip
    count = len(subject.op.inputs)
    for mask in range(1, 2**count):
        batched = [mask >> n & 1 == 1 for n in range(count)]
        rows = [tensors(row) for row in arrays]
        inputs = [torch.stack([row[n] for row in rows]) if b else rows[0][n] for n, b in enumerate(batched)]  # fmt: skip
        in_dims = tuple(0 if b else None for b in batched)
        face = subject.face("torch")
        got = torch.func.vmap(
            lambda *xs: face(*xs, **keywords(subject, case)), in_dims
        )(*inputs)
        got = got if isinstance(got, tuple) else (got,)
        for index in range(3):
            one = [x[index] if b else x for x, b in zip(inputs, batched)]
            for y, wanted in zip(got, call(subject, case, one)):
                assert torch.equal(y[index], wanted), f"batched {batched}"


def fake(subject: Subject, case: Case) -> None:
    """The raw op's fake kernel gives the shapes and dtypes that `infer` gives."""
    from torch._subclasses.fake_tensor import FakeTensorMode

    arrays = draw(subject.op, case)
    wanted = [
        spec for _, spec in inferred(subject, case, arrays, of=subject.op.written)
    ]
    with FakeTensorMode() as mode:
        inputs = [_faked(mode, tensor) for tensor in tensors(arrays)]
        given = [
            [] if x is None and t.list else x for x, t in zip(inputs, subject.op.inputs)
        ]
        found = raw(subject)(*given, *attributes(subject, case))
        found = found if isinstance(found, tuple) else () if found is None else (found,)
        for y, spec in zip(found, wanted, strict=True):
            if spec is None:
                assert y is None
            else:
                assert (tuple(y.shape), y.dtype) == (spec.shape, _dtype(spec.dtype))


def raw(subject: Subject):
    """The op below the face: `torch.ops.<namespace>.<op>.default`."""
    subject.module("torch")  # registers the ops
    return getattr(getattr(torch.ops, subject.project.namespace), subject.name).default


def attributes(subject: Subject, case: Case) -> list:
    """The attrs of the raw op, by position; a dtype is one of torch's."""
    values = oracle.all_attributes(subject, case)
    dtypes = {attr.name for attr in subject.op.attrs if attr.type == "dtype"}
    return [_dtype(v) if name in dtypes else v for name, v in values.items()]


def _faked(mode, tensor):
    if isinstance(tensor, list):
        return [mode.from_tensor(each) for each in tensor]
    return None if tensor is None else mode.from_tensor(tensor)


def _dtype(name: str) -> torch.dtype:
    return getattr(torch, str(DTYPES[name].torch))


def inferred(
    subject: Subject, case: Case, arrays: list, of: tuple | None = None
) -> list[tuple]:
    """(tensor, spec) of what `of` names, else of every result; an updated input keeps its spec."""
    op, make = subject.op, subject.module("core").TensorSpec
    names = {numpy_dtype(name): name for name in DTYPES}

    def spec(array):
        if isinstance(array, list):
            return [spec(each) for each in array]
        return None if array is None else make(array.shape, names[array.dtype])

    specs = [spec(array) for array in arrays]
    found = subject.core.infer(*specs, **dict(case.attrs))
    results = [(t, getattr(found, t.name)) for t in (op.outputs if of is None else of)]
    if of is None:
        results += [(t, s) for t, s in zip(op.inputs, specs) if t.update]
    return [
        (t, each) for t, s in results for each in (s if isinstance(s, list) else [s])
    ]


def refusals(subject: Subject) -> None:
    """What is no tensor, or of a wrong dtype or rank, is refused by name."""
    case = simple(subject)
    good = tensors(draw(subject.op, case))
    for position, tensor in enumerate(subject.op.inputs):
        if not tensor.always or tensor.list:
            continue
        for bad in (None, [1.0, 2.0], "text", good[position].to(torch.complex64)):
            inputs = [*good[:position], bad, *good[position + 1 :]]
            with pytest.raises(
                TypeError, match=rf"{subject.name}.*{tensor.name}"
            ) as caught:
                subject.face("torch")(*inputs, **keywords(subject, case))
            assert ".cpp" not in str(caught.value)


def simple(subject: Subject) -> Case:
    """The first case: everything given, where the requirements allow that."""
    return next(iter(cases(subject.op)))
