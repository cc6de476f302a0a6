"""`dropout` for PyTorch.

Rendered by opgen from dropout.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from . import _runtime

_reference = _runtime.reference("dropout", "dropout")
_op = _runtime.register(
    "dropout",
    gradient=(
        _runtime.Backward("dropout", ("x",), cotangents={"x": "y"}, saved=("seed", "offset", "p")),
    ),
    reference=_reference,
)
_runtime.shard(_op, split=(), inputs={"x": "*s", "seed": "", "offset": ""}, results={"y": "*s"})
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def dropout(x: Tensor, seed: Tensor, offset: Tensor, *, p: float = 0.5) -> Tensor:
    """Zeroes elements of `x` with probability `p` and scales the others by `1/(1-p)`; Philox at
    (`seed`, `offset`).

    Args:
        x (Tensor): shape `(*s)`, float32, bfloat16 or float16.
        seed (Tensor): scalar, int64.
        offset (Tensor): scalar, the dtype of `seed`.
        p (float): at least 0. Default: 0.5.

    Returns:
        Tensor: shape `(*s)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            x, _runtime.number(seed, "i64", x), _runtime.number(offset, "i64", x), p
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "dropout",
            error,
            x,
            _runtime.number(seed, "i64", x),
            _runtime.number(offset, "i64", x),
            p,
        ) from None
