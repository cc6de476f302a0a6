"""Checks of the rendered PyTorch wrapper, for any op."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from opgen.ir.nodes import Attr, Tensor
from opgen.targets.torch import TORCH_NAMES
from opgen.testing import oracle, same
from opgen.testing.apart import refuse_crashed
from opgen.testing.arrays import (
    LAYOUTS,
    applied,
    flat,
    from_torch,
    mapped,
    named,
    replaced,
    to_torch,
    tupled,
)
from opgen.testing.calls import batches, inferred, stacked, twice_differentiable
from opgen.testing.draw import draw, draw_cotangents
from opgen.testing.environment import Case, gradient_of
from opgen.testing.exact import Gradients, Results
from opgen.testing.op_under_test import OpUnderTest

# The tests that `torch.library.opcheck` can run.
UTILITIES = (
    "test_schema",
    "test_autograd_registration",
    "test_faketensor",
    "test_aot_dispatch_dynamic",
)


def tensors(
    subject: OpUnderTest,
    arrays: list[Any],
    *,
    layout: str = "contiguous",
    grad: bool = False,
    device: str = "cpu",
) -> list[Any]:
    """Convert `arrays` to torch tensors with a memory layout and on a device. Lists stay lists.

    Inputs that the op updates are contiguous for every `layout`, unless the op accepts any dense
    memory order. With `grad`, all differentiable floating-point inputs require a gradient.
    """

    def make(array: np.ndarray, tensor: Tensor) -> torch.Tensor:
        made: torch.Tensor = to_torch(array).to(device)
        if not tensor.update or layout == "transposed" and _takes_any_order(tensor):
            made = _relaid(made, layout)
        if grad and tensor.differentiable and floating(made):
            made.requires_grad_()
        return made

    return [
        applied(lambda x, t=tensor: make(x, t), array)
        for tensor, array in zip(subject.op.inputs, arrays, strict=True)
    ]


def _takes_any_order(tensor: Tensor) -> bool:
    layout = tensor.layout.alone or ""
    return layout == "dense" or layout.startswith("like ")


def _relaid(tensor: torch.Tensor, layout: str) -> torch.Tensor:
    if layout == "contiguous":
        return tensor
    if layout == "expanded":
        return _expanded(tensor)
    if layout == "transposed":
        return tensor.mT.contiguous().mT if tensor.ndim > 1 else tensor
    wide = tensor.new_empty(*tensor.shape[:-1], 2 * tensor.shape[-1]) if tensor.ndim else tensor
    if tensor.ndim:
        wide[..., ::2] = tensor
        return wide[..., ::2]
    return tensor


def _expanded(tensor: torch.Tensor) -> torch.Tensor:
    """Return a tensor in which each row repeats one element, because its last stride is 0.

    Tensors that are not floating-point are returned unchanged.
    """
    if not tensor.is_floating_point() or tensor.ndim == 0:
        return tensor
    return tensor[..., :1].expand_as(tensor)


def call(subject: OpUnderTest, case: Case, inputs: list[Any]) -> tuple[Any, ...]:
    """Call the op and return its results as a tuple. A result is a tensor, a list or None."""
    return tupled(subject.wrapper("torch")(*inputs, **keywords(subject, case)))


def keywords(subject: OpUnderTest, case: Case) -> dict[str, Any]:
    """Return the attrs of the case as keyword arguments of the wrapper."""
    dtypes = {attr.name for attr in subject.op.attrs if attr.type == "dtype"}
    return {n: _dtype(v) if n in dtypes else v for n, v in case.attrs}


def values(subject: OpUnderTest, case: Case, device: str = "cpu") -> None:
    """Check that values agree with the reference, for each memory layout of the inputs."""
    arrays = draw(subject.op, case)
    exact = Results(subject, case, arrays)
    for layout in LAYOUTS:
        with torch.no_grad():
            inputs = tensors(subject, arrays, layout=layout, device=device)
            got = call(subject, case, inputs)
        _share_nothing(subject, inputs, got)
        exact.check(mapped(from_torch, got), f" ({layout})")


def _share_nothing(subject: OpUnderTest, inputs: list[Any], results: tuple[Any, ...]) -> None:
    """Check that new results do not share memory with an input."""
    given = {x.untyped_storage().data_ptr() for x in flat(inputs) if x is not None and x.numel()}
    for name, y in named(subject.op.outputs, results[: len(subject.op.outputs)]):
        if y is not None and y.numel():
            place = y.untyped_storage().data_ptr()
            assert place not in given, f"{subject.name}.{name} shares memory with an argument"
            given.add(place)


def gradients(subject: OpUnderTest, case: Case, device: str = "cpu") -> None:
    """Check that the op's gradients agree with autodiff of the reference.

    The check tries each memory layout, for the inputs and for the cotangents.
    """
    arrays = draw(subject.op, case)
    cotangents = draw_cotangents(subject.op, case)
    exact = Gradients(subject, case, arrays, cotangents)
    for layout in LAYOUTS:
        inputs = tensors(subject, arrays, layout=layout, grad=True, device=device)
        active = {name: x for name, x in named(subject.op.inputs, inputs) if name in exact.names}
        pairs = [
            (y, _relaid(to_torch(c).to(device), layout))
            for y, c in zip(flat(call(subject, case, inputs)), flat(cotangents))
            if floating(y) and y.requires_grad
        ]
        results, pulled = zip(*pairs)
        found = torch.autograd.grad(results, tuple(active.values()), pulled)
        for (name, x), grad in zip(active.items(), found):
            same.same(grad.dtype, x.dtype, f"the dtype of d{name}")
            same.same(grad.shape, x.shape, f"the shape of d{name}")
            exact.check(name, from_torch(grad), f" ({layout})")


def gradcheck(subject: OpUnderTest, case: Case) -> None:
    """Run `torch.autograd.gradcheck`, in reverse mode and, if the op supports it, forward mode.

    If the op is twice differentiable, also run `gradgradcheck`.
    """
    arrays = draw(subject.op, case)
    inputs = tensors(subject, arrays, grad=True)

    def function(*xs: Any) -> Any:
        results = call(subject, case, replaced(inputs, xs))
        return tuple(filter(floating, flat(results)))

    forward = subject.forward_mode
    torch.autograd.gradcheck(function, flat(inputs), check_forward_ad=forward)
    if twice_differentiable(subject):
        torch.autograd.gradgradcheck(function, flat(inputs))


def floating(result: torch.Tensor | None) -> bool:
    """Return whether a result exists and has a floating-point or complex dtype."""
    return result is not None and (result.is_floating_point() or result.is_complex())


def opcheck(subject: OpUnderTest, case: Case) -> None:
    """Run all four tests of `torch.library.opcheck` on the raw op, `torch.ops.<namespace>.<op>`.

    If an input has an 8-bit float dtype, `test_schema` is skipped. It compares the input before and
    after the call, and PyTorch does not support this for 8-bit floats.
    """
    attrs = attributes(subject, case)
    dtypes = dict(case.dtypes)
    read = [d for t in subject.op.inputs for d in t.dtype.values()]
    narrow = any(dtypes.get(d, d) in oracle.STEPS for d in read)
    utilities = UTILITIES[narrow:]
    for layout in (*LAYOUTS, "expanded"):
        inputs = tensors(
            subject, draw(subject.op, case), layout=layout, grad=subject.differentiable(case)
        )
        given = (*for_raw(subject, inputs), *attrs)
        torch.library.opcheck(raw(subject), given, test_utils=utilities)


def compiles(subject: OpUnderTest, case: Case) -> None:
    """Check that `torch.compile(fullgraph=True)` gives the same bits as the eager call.

    The check compares both the results and the gradients.
    """
    arrays = draw(subject.op, case)
    compiled: Callable[..., Any] = torch.compile(
        subject.wrapper("torch"), fullgraph=True, dynamic=True, backend="aot_eager"
    )
    grad = subject.differentiable(case)
    eager, traced = (tensors(subject, arrays, grad=grad) for _ in range(2))
    wanted = call(subject, case, eager)
    got = tupled(compiled(*traced, **keywords(subject, case)))
    same_results(got, wanted, "of the compiled op")
    active = [x for x in flat(eager) if x is not None and x.requires_grad]
    if grad and active:
        for results in (wanted, got):
            # A constant result does not require a gradient. If another result does not require a
            # gradient by mistake, the comparison below fails.
            results = tuple(y for y in flat(results) if floating(y) and y.requires_grad)
            torch.autograd.backward(results, [torch.ones_like(y) for y in results])
        for name, a, b in named(subject.op.inputs, traced, eager):
            if b is None or not b.requires_grad:
                continue
            if b.grad is None:  # the spec defines this gradient as zero
                zero = a.grad is None or not a.grad.any()
                assert zero, f"d{name} of the compiled op is not zero, as in the eager call"
            else:
                same_gradient(subject, case, a.grad, b.grad, f"d{name} of the compiled op")


def same_bits(found: torch.Tensor | None, wanted: torch.Tensor | None, what: str) -> None:
    """Assert that two results have the same bits, including NaNs."""
    a, b = (None if x is None else from_torch(x) for x in (found, wanted))
    same.same_bits(a, b, what)


def same_results(found: Any, wanted: Any, what: str) -> None:
    """Assert that two calls have the same results, bit for bit. `what` describes the first call."""
    for n, pair in enumerate(zip(flat(tupled(found)), flat(tupled(wanted)), strict=True)):
        same_bits(*pair, f"result {n} {what}")


def same_gradient(
    subject: OpUnderTest, case: Case, found: torch.Tensor, wanted: torch.Tensor, what: str
) -> None:
    """Assert that two gradients of the same input agree.

    If a kernel computes the gradients, their bits must be equal. If PyTorch differentiates the
    reference instead, the gradients may differ by rounding.
    """
    if gradient_of(subject.op, case).kind == "reference":
        torch.testing.assert_close(found, wanted, equal_nan=True, msg=lambda m: f"{what}: {m}")
    else:
        same_bits(found, wanted, what)


def vmap(subject: OpUnderTest, case: Case) -> None:
    """Check that `torch.func.vmap` over each set of inputs gives the same results as a loop."""
    arrays = [draw(subject.op, replace(case, seed=case.seed + n)) for n in range(3)]
    for batched in batches(subject, arrays[0], in_place=True):
        rows = [tensors(subject, row) for row in arrays]
        inputs = stacked(torch.stack, rows, batched)
        in_dims = tuple(0 if b else None for b in batched)
        # An op may update its inputs in place, so each call gets its own copy.
        given = mapped(torch.clone, inputs)
        got = torch.func.vmap(lambda *xs: there(call(subject, case, list(xs))), in_dims)(*given)
        for index in range(3):
            one = [
                applied(lambda x: x[index].clone(), x) if b else x for x, b in zip(inputs, batched)
            ]
            pairs = zip(got, there(call(subject, case, one)), strict=True)
            for n, (y, wanted) in enumerate(pairs):
                what = f"row {index} of result {n} under vmap"
                oracle.agree(subject, case, from_torch(y[index]), from_torch(wanted), what)


def there(results: tuple[Any, ...]) -> tuple[torch.Tensor, ...]:
    """Return the results that are not None, with lists flattened."""
    return tuple(y for y in flat(results) if y is not None)


def fake(subject: OpUnderTest, case: Case) -> None:
    """Check that the raw op on fake tensors returns the shapes and dtypes that `infer` predicts."""
    from torch._subclasses.fake_tensor import FakeTensorMode

    arrays = draw(subject.op, case)
    wanted = [spec for _, spec in inferred(subject, case, arrays, of=subject.op.written)]
    with FakeTensorMode() as mode:
        inputs = mapped(mode.from_tensor, tensors(subject, arrays))
        found = raw(subject)(*for_raw(subject, inputs), *attributes(subject, case))
        results = () if found is None else tupled(found)
        for n, (y, spec) in enumerate(zip(flat(results), wanted, strict=True)):
            given = None if y is None else (tuple(y.shape), y.dtype)
            expected = None if spec is None else (spec.shape, _dtype(spec.dtype))
            same.same(given, expected, f"result {n} of the fake kernel")


def raw(subject: OpUnderTest) -> Any:
    """Return the raw op that the wrapper calls: `torch.ops.<namespace>.<op>.default`."""
    refuse_crashed(subject.project.package, subject.name)
    subject.module("torch")  # registers the ops
    return getattr(getattr(torch.ops, subject.project.namespace), subject.name).default


def for_raw(subject: OpUnderTest, inputs: list[Any]) -> list[Any]:
    """Return `inputs` for the raw op, which needs an empty list for an absent list."""
    return [[] if x is None and t.list else x for x, t in zip(inputs, subject.op.inputs)]


def attributes(subject: OpUnderTest, case: Case) -> list[Any]:
    """Return the attrs of the raw op as positional arguments, in the order of its schema.

    An attr of type dtype becomes a `torch.dtype`.
    """
    values = oracle.all_attributes(subject, case)
    return [_encoded(attr, values[attr.name]) for attr in subject.op.attrs]


def _encoded(attr: Attr, value: object) -> object:
    if value is None:
        return None
    return _dtype(str(value)) if attr.type == "dtype" else attr.kind.encoded(value)


def _dtype(name: str) -> torch.dtype:
    dtype: torch.dtype = getattr(torch, TORCH_NAMES[name])
    return dtype
