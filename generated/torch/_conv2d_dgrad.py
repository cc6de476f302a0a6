"""`conv2d_dgrad` for PyTorch.

Rendered by opgen from conv2d.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from . import _runtime

_op = _runtime.register(
    "conv2d_dgrad",
    rule=(
        "op conv2d_dgrad -> dx",
        "let r input:weight sizes 2 item",
        "let s input:weight sizes 3 item",
        "call conv2d cotangent:dx input:weight None input:stride input:padding input:dilation input:groups -> dy",
        "call conv2d_wgrad input:dy cotangent:dx input:stride input:padding input:dilation input:groups let:r let:s wanted -> weight _",
    ),
)
_runtime.shard(
    _op,
    split=("n",),
    inputs={"dy": "n k p q", "weight": "k cg r s"},
    results={"dx": "n groups*cg h w"},
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def conv2d_dgrad(
    dy: Tensor,
    weight: Tensor,
    *,
    stride: Sequence[int] = (1, 1),
    padding: Sequence[int] = (0, 0),
    dilation: Sequence[int] = (1, 1),
    groups: int = 1,
    h: int,
    w: int,
) -> Tensor:
    """Gradient of `conv2d` with respect to `x`, whose size `h` by `w` cannot be told
    from `dy`.

    dy: T[n k p q].
    weight: T[k cg r s].
    stride: int[2], at least 1.
    padding: int[2], at least 0.
    dilation: int[2], at least 1.
    groups: int, at least 1.
    h: int.
    w: int.
    Returns dx: T[n groups*cg h w].
    T: float32, bfloat16 or float16.

    Raises TypeError for a dtype, rank or kind, ValueError for a size, value or device.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            dy, weight, stride, padding, dilation, groups, h, w
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "conv2d_dgrad", error, dy, weight, stride, padding, dilation, groups, h, w
        ) from None
