"""The signature and docstring of an op's PyTorch function."""

from __future__ import annotations

from collections.abc import Callable

from opgen.ir.nodes import Bundle
from opgen.ir.op import Op
from opgen.targets import docstrings, public_api
from opgen.targets.docstrings import Dtype
from opgen.targets.public_api import Parameter
from opgen.targets.torch import TORCH_NAMES

# The type and the spelling of dtypes in a signature.
DTYPE = Dtype("torch.dtype", lambda name: f"torch.{TORCH_NAMES[name]}")


def parameters(op: Op, bundle: Callable[[Bundle], str] | None = None) -> list[Parameter]:
    """Return the parameters of an op's PyTorch function. Attrs and `out` are keyword-only."""
    items = public_api.parameters(
        op,
        "Tensor",
        *DTYPE,
        op.outputs_on_request,
        seeds=" | int | torch.Generator",
        bundle=bundle,
    )
    if has_out(op):
        items += [] if "*" in items else [Parameter("*")]
        items.append(Parameter("out", f"{returns(op)} | None", "None"))
    return items


def has_out(op: Op) -> bool:
    """Return whether the op's function has a parameter `out`."""
    return bool(op.options["torch"]["out"])


def documentation(op: Op) -> str:
    """Return the docstring of an op's PyTorch function."""
    asked = op.outputs_on_request
    more = [docstrings.wanted(asked)] if asked else []
    if has_out(op):
        names = ", ".join(f"`{t.name}`" for t in op.outputs)
        kind = "Tensor" if len(op.outputs) == 1 else "tuple of Tensor"
        more.append((f"out ({kind}, optional)", f"the destination of {names}."))
    checked = "size, value or device"
    seeds = "If left out, the device's generator draws it. A `torch.Generator` may draw it, too."
    return docstrings.documentation(op, "Tensor", "Tensor", DTYPE, more, checked, seeds)


def returns(op: Op, bundle: Callable[[Bundle], str] | None = None) -> str:
    """Return the return annotation of an op's PyTorch function."""
    kinds = public_api.results(op, "Tensor", "Sequence", bundle)
    return kinds[0] if len(kinds) == 1 else f"tuple[{', '.join(kinds)}]"
