"""`embedding_bag_bwd` for PyTorch.

Rendered by opgen from embedding_bag.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("embedding_bag_bwd")
_runtime.define_gradient(
    "embedding_bag_bwd",
    "(Tensor? ddweight, Tensor? ddsample_weights, Tensor dy, Tensor indices, Tensor offsets, Tensor? sample_weights, Tensor? argmax, Tensor? weight, SymInt rows, str mode, bool[] needed) -> (Tensor, Tensor, Tensor)",
    _reference,
    wanted=("dy", "sample_weights", "weight"),
)
_op = _runtime.register(
    "embedding_bag_bwd",
    rule=(
        "op embedding_bag_bwd -> dweight dsample_weights",
        "call embedding_bag_bwd_reference_vjp cotangent?:dweight cotangent?:dsample_weights "
        "input:dy input:indices input:offsets input:sample_weights input:argmax input:weight "
        "input:rows input:mode needed -> dy sample_weights weight",
    ),
    reference=_reference,
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def embedding_bag_bwd(
    dy: Tensor,
    indices: Tensor,
    offsets: Tensor,
    sample_weights: Tensor | None = None,
    argmax: Tensor | None = None,
    weight: Tensor | None = None,
    *,
    rows: int,
    mode: str,
    wanted: Collection[str] = ("dweight", "dsample_weights"),
) -> tuple[Tensor | None, Tensor | None]:
    """Gradient of `embedding_bag`, dense for `weight`. Only `dsample_weights` needs the values of
    `weight`.

    Args:
        dy (Tensor): shape `(b, d)`, float32, bfloat16, float16 or float64.
        indices (Tensor): shape `(n,)`, int64 or int32.
        offsets (Tensor): shape `(b+1,)`, the dtype of `indices`.
        sample_weights (Tensor, optional): shape `(n,)`, the dtype of `dy`.
        argmax (Tensor, optional): shape `(b, d)`, the dtype of `indices`.
        weight (Tensor, optional): shape `(rows, d)`, the dtype of `dy`.
        rows (int)
        mode (str): one of 'sum', 'mean', 'max'.
        wanted (Collection[str]): results to compute, of "dweight", "dsample_weights". The others
            are None. Default: all.

    Returns:
        A tuple of

        - dweight (Tensor, optional): shape `(rows, d)`, the dtype of `dy`.
        - dsample_weights (Tensor, optional): shape `(n,)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            dy,
            indices,
            offsets,
            sample_weights,
            argmax,
            weight,
            rows,
            mode,
            _runtime.wanted_bits("embedding_bag_bwd", wanted),
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "embedding_bag_bwd",
            error,
            dy,
            indices,
            offsets,
            sample_weights,
            argmax,
            weight,
            rows,
            mode,
        ) from None
