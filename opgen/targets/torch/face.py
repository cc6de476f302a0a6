"""The face of an op in PyTorch's words."""

from __future__ import annotations

from opgen.dtypes import DTYPES
from opgen.ir import Op
from opgen.targets import face


def parameters(op: Op) -> list[str]:
    """Inputs by position, attrs by keyword."""
    return face.parameters(
        op,
        "Tensor",
        "torch.dtype",
        lambda name: f"torch.{DTYPES[name].torch}",
        op.outputs_on_request,
    )


def returns(op: Op) -> str:
    """What a call gives, as an annotation."""
    kinds = face.results(op, "Tensor")
    return kinds[0] if len(kinds) == 1 else f"tuple[{', '.join(kinds)}]"
