"""Checks that an op's PyTorch, JAX and C++ functions agree: result bits, descriptors and shapes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from opgen.ir.nodes import Field
from opgen.targets.torch import TORCH_NAMES
from opgen.testing import oracle
from opgen.testing.arrays import flat, from_torch, mapped
from opgen.testing.calls import inferred as expected_of
from opgen.testing.draw import draw
from opgen.testing.environment import Case
from opgen.testing.op_under_test import OpUnderTest
from opgen.testing.same import same

# For each type of a descriptor field: a valid value, and the smallest integer that does not fit.
VALUES = {
    "i32": 2**31 - 1,
    "i64": 2**63 - 1,
    "f32": 0.5,
    "f64": 1e-5,
    "c128": 0.5 - 1e-5j,
    "bool": True,
    "dtype": "f16",
}
LIMITS = {"i32": 2**31, "i64": 2**63}


def bits(subject: OpUnderTest, case: Case) -> None:
    """Check that the same kernel returns the same bits through PyTorch and through JAX."""
    pytest.importorskip("torch"), pytest.importorskip("jax")
    import jax

    from opgen.testing import jax_checks, torch_checks

    arrays = draw(subject.op, case)
    ours = torch_checks.call(subject, case, torch_checks.tensors(subject, arrays))
    with jax_checks.precision(subject, case):
        theirs = subject.filled(jax_checks.call(subject, case, mapped(jax.device_put, arrays)))
        for n, (a, b) in enumerate(zip(flat(ours), flat(theirs), strict=True)):
            found = None if a is None else from_torch(a)
            other = None if b is None else np.asarray(b)
            oracle.agree(subject, case, found, other, f"result {n} of PyTorch")


def descriptor(subject: OpUnderTest) -> None:
    """Check that Python and C++ pack equal descriptors, and that `unpack` restores the values."""
    core = subject.core
    fields = subject.op.descriptor.fields
    values = {field.name: _value(field) for field in fields}
    data = core.pack(**values)
    same(len(data), subject.op.descriptor.size, "the size of the descriptor")
    same(core.unpack(data), values, "what the descriptor holds")
    native = pytest.importorskip(
        f"{subject.project.package}.lib.bindings",
        reason="the bindings are not built",
        exc_type=ImportError,
    )
    create = getattr(native, f"create_{subject.name}_descriptor")
    native_values = {name: _native(native, value) for name, value in values.items()}
    same(create(**native_values), data, "the descriptor of C++")
    for field in fields:
        if field.type in LIMITS and not field.count:
            _refuses(core.pack, subject.name, values, field)
            _refuses(create, subject.name, native_values, field)


def _value(field: Field) -> Any:
    value = VALUES[field.type]
    return (value,) * field.count if field.count else value


def _native(native: Any, value: Any) -> Any:
    """Convert a dtype's name to a member of the C++ enum. Return any other value unchanged."""
    return getattr(native.ElementType, value.upper()) if isinstance(value, str) else value


def _refuses(pack: Any, op: str, values: dict[str, Any], field: Field) -> None:
    too_large = LIMITS[field.type]
    try:
        pack(**{**values, field.name: too_large})
    except (ValueError, TypeError, OverflowError) as error:
        text = str(error)
        # If a value exceeds every C integer, the bindings reject it without naming the field.
        if too_large <= 2**63 - 1:
            assert op in text and field.name in text and str(too_large) in text, text
    else:
        raise AssertionError(f"{op}.{field.name} took {too_large}")


def inferred(subject: OpUnderTest, case: Case) -> None:
    """Check that the results have the shapes, dtypes and dim orders that `infer` predicts."""
    pytest.importorskip("torch")
    from opgen.testing import torch_checks

    arrays = draw(subject.op, case)
    by_torch = {torch: name for name, torch in TORCH_NAMES.items()}
    wanted = expected_of(subject, case, arrays)
    found = torch_checks.call(subject, case, torch_checks.tensors(subject, arrays))
    for (tensor, expected), y in zip(wanted, flat(found), strict=True):
        assert (y is None) == (expected is None), tensor.name
        if y is not None:
            whole, cut = tuple(expected.shape), tuple(y.shape)
            if tensor.length:  # such a result may be shorter than `infer` predicts
                assert cut[0] <= whole[0], f"{tensor.name} is longer than inferred: {cut} {whole}"
                whole, cut = whole[1:], cut[1:]
            same(cut, whole, f"the shape of {tensor.name}")
            same(by_torch[str(y.dtype)[6:]], expected.dtype, f"the dtype of {tensor.name}")
            if y.numel() and tensor.role == "output" and expected.like is None:
                order = expected.order or tuple(range(y.ndim))
                strides = [y.stride(dim) for dim in order if y.shape[dim] > 1]
                assert strides == sorted(strides, reverse=True), f"{tensor.name}: {y.stride()}"
