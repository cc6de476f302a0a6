"""`momentum_` for PyTorch.

Rendered by opgen from optimizers.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_op = _runtime.register("momentum_", rule=("op momentum_ ->", "refuse params grads momenta lr"))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def momentum_(
    params: Sequence[Tensor],
    grads: Sequence[Tensor],
    momenta: Sequence[Tensor],
    lr: Tensor,
    *,
    momentum: float = 0.9,
) -> tuple[Sequence[Tensor], Sequence[Tensor]]:
    """One step of gradient descent with momentum, on lists of tensors, in place.

    Args:
        params (list of Tensor): shape `(*s[i])`, float32 or float64.
        grads (list of Tensor): shape `(*s[i])`, the dtype of `params`.
        momenta (list of Tensor): shape `(*s[i])`, the dtype of `params`.
        lr (Tensor): scalar, float32.
        momentum (float): at least 0. Default: 0.9.

    Returns:
        A tuple of

        - params (list of Tensor): shape `(*s[i])`, float32 or float64.
        - momenta (list of Tensor): shape `(*s[i])`, the dtype of `params`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        (_traced if is_dynamo_compiling() else _eager)(
            params, grads, momenta, _runtime.number(lr, "f32", params), momentum
        )
        return params, momenta
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "momentum_", error, params, grads, momenta, _runtime.number(lr, "f32", params), momentum
        ) from None
