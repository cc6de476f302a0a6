"""Check which types of arguments the rendered PyTorch wrapper accepts and rejects."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from opgen.targets.torch import TORCH_NAMES
from opgen.testing import kinds
from opgen.testing.calls import simple
from opgen.testing.draw import draw
from opgen.testing.op_under_test import OpUnderTest
from opgen.testing.torch_checks import call, keywords, same_results, tensors

MATRIX = torch.ones(2, 2)
# For each type, a value that PyTorch's schema matching would misread. For any other type, PyTorch
# itself rejects wrong values.
CONVERTED = {"bool": float("nan"), "int": torch.float32, "float": True, "dtype": 6}


def foreign() -> kinds.Foreign:
    """Return PyTorch values of a wrong type, for each type of parameter."""
    with warnings.catch_warnings(action="ignore"):  # some layouts are beta, and warn
        sparse = MATRIX.to_sparse(), MATRIX.to_sparse_csr()
        ragged = [
            torch.nested.nested_tensor([MATRIX, MATRIX[:1]], layout=layout)
            for layout in (torch.strided, torch.jagged)
        ]
    never = (torch.float32, torch.strided, torch.tensor(1j), torch.ones(2))
    gradient = torch.tensor(1.0, requires_grad=True)
    return {
        "float": (*never, gradient, torch.tensor(True)),
        "int": (*never, gradient, torch.tensor(1e-5), torch.tensor(True)),
        "bool": (*never, gradient, torch.tensor(1)),
        "str": never,
        "dtype": (*never[1:], np.float32, "float32", "f32"),
        "tensor": (*sparse, *ragged, np.ones(2)),
        "seed": (*sparse, *ragged, np.ones(2)),
        "complex": (MATRIX.to(torch.complex64),),
        "list": (MATRIX, *([each] for each in (*sparse, *ragged))),
    }


def refused(subject: OpUnderTest) -> None:
    """Check that parameters reject values of a wrong type, in eager calls and with fake tensors."""
    case, wrapper = simple(subject), subject.wrapper("torch")
    given, good = keywords(subject, case), tensors(subject, draw(subject.op, case))

    def traced(attrs: Mapping[str, Any]) -> Any:
        with FakeTensorMode(allow_non_fake_inputs=True):
            return wrapper(*good, **attrs)

    kinds.all_refused(subject.op, wrapper, good, given, foreign(), traced)
    if subject.op.options["torch"]["out"]:
        outs: tuple[object, ...] = ("text", 5, [None], MATRIX.to_sparse(), {})
        for out in outs:
            kinds.refused(subject.name, "out", lambda: wrapper(*good, **given, out=out))


def compiled(subject: OpUnderTest) -> None:
    """Check that compiled programs reject values that PyTorch's schema matching would misread."""
    case = simple(subject)
    wrapper, given = subject.wrapper("torch"), keywords(subject, case)
    good = tensors(subject, draw(subject.op, case))
    for attr in subject.op.options_given:
        attrs = {**given, attr.name: CONVERTED.get(attr.type, b"none")}
        run: Callable[..., Any] = torch.compile(wrapper, backend="eager")
        kinds.refused(subject.name, attr.name, lambda: run(*good, **attrs))
        torch.compiler.reset()  # otherwise Dynamo would skip the wrapper from now on


def taken(subject: OpUnderTest) -> None:
    """Check that attrs accept NumPy scalars and 0-dim tensors in place of Python numbers."""
    case = simple(subject)
    arrays, given = draw(subject.op, case), keywords(subject, case)
    wanted = call(subject, case, tensors(subject, arrays))
    for name, value in kinds.right_attrs(subject.op, dict(case.attrs)):
        for right in kinds.alike(value, torch.tensor, _dtype):
            got = subject.wrapper("torch")(*tensors(subject, arrays), **{**given, name: right})
            same_results(got, wanted, f"with {name}={right!r}")


def _dtype(name: str) -> list[Any]:
    return [getattr(torch, TORCH_NAMES[name])]
