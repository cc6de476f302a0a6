"""`conv2d_wgrad` for PyTorch.

Rendered by opgen from conv2d.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from . import _runtime

_op = _runtime.register(
    "conv2d_wgrad",
    rule=(
        "op conv2d_wgrad -> dweight dbias",
        "let h input:x sizes 2 item",
        "let w input:x sizes 3 item",
        "call conv2d input:x cotangent:dweight cotangent?:dbias input:stride input:padding input:dilation input:groups -> dy",
        "call conv2d_dgrad input:dy cotangent:dweight input:stride input:padding input:dilation input:groups let:h let:w -> x",
    ),
)
_runtime.shard(
    _op,
    split=("n",),
    inputs={"dy": "n k p q", "x": "n groups*cg h w"},
    results={"dweight": "k cg r s", "dbias": "k"},
    reduce={"dweight": {"n": "sum"}, "dbias": {"n": "sum"}},
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def conv2d_wgrad(
    dy: Tensor,
    x: Tensor,
    *,
    stride: Sequence[int] = (1, 1),
    padding: Sequence[int] = (0, 0),
    dilation: Sequence[int] = (1, 1),
    groups: int = 1,
    r: int,
    s: int,
    wanted: Collection[str] = ("dweight", "dbias"),
) -> tuple[Tensor | None, Tensor | None]:
    """Gradient of `conv2d` with respect to `weight` and `bias`.

    dy: T[n k p q].
    x: T[n groups*cg h w].
    stride: int[2], at least 1.
    padding: int[2], at least 0.
    dilation: int[2], at least 1.
    groups: int, at least 1.
    r: int.
    s: int.
    wanted: the results to compute; the others are None.
    Returns dweight: T[k cg r s], dbias: T[k].
    T: float32, bfloat16 or float16.

    Raises TypeError for a dtype, rank or kind, ValueError for a size, value or device.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            dy,
            x,
            stride,
            padding,
            dilation,
            groups,
            r,
            s,
            _runtime.wanted_bits("conv2d_wgrad", wanted),
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "conv2d_wgrad", error, dy, x, stride, padding, dilation, groups, r, s
        ) from None
