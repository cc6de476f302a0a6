"""`conv2d` for PyTorch.

Rendered by opgen from conv2d.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from . import _runtime

_op = _runtime.register(
    "conv2d",
    rule=(
        "op conv2d -> y",
        "let h input:x sizes 2 item",
        "let w input:x sizes 3 item",
        "let r input:weight sizes 2 item",
        "let s input:weight sizes 3 item",
        "call conv2d_dgrad cotangent:y input:weight input:stride input:padding input:dilation input:groups let:h let:w -> x",
        "call conv2d_wgrad cotangent:y input:x input:stride input:padding input:dilation input:groups let:r let:s wanted -> weight bias",
    ),
)
_runtime.shard(
    _op,
    split=("n",),
    inputs={"x": "n groups*cg h w", "weight": "k cg r s", "bias": "k"},
    results={"y": "n k p q"},
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def conv2d(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    stride: Sequence[int] = (1, 1),
    padding: Sequence[int] = (0, 0),
    dilation: Sequence[int] = (1, 1),
    groups: int = 1,
) -> Tensor:
    """2-D convolution of NCHW images.

    x: T[n groups*cg h w].
    weight: T[k cg r s].
    bias: T[k].
    stride: int[2], at least 1.
    padding: int[2], at least 0.
    dilation: int[2], at least 1.
    groups: int, at least 1.
    Returns y: T[n k p q].
    T: float32, bfloat16 or float16.

    Raises TypeError for a dtype, rank or kind, ValueError for a size, value or device.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            x, weight, bias, stride, padding, dilation, groups
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "conv2d", error, x, weight, bias, stride, padding, dilation, groups
        ) from None
