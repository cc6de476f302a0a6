"""The checks of calls to each op, without any framework. Rendered by opgen.

`<op>.infer` checks a call and returns the shapes and dtypes of its results. `<op>.pack` and
`<op>.unpack` convert the kernel's descriptor.
"""

from __future__ import annotations

from importlib import import_module

from .._opgen.core.runtime import CoreOp, TensorSpec

__all__ = [
    "CoreOp",
    "TensorSpec",
    "adamw_",
    "apply_rotary",
    "class_top",
    "class_total",
    "conv2d",
    "conv2d_dgrad",
    "conv2d_wgrad",
    "cross_entropy",
    "cross_entropy_bwd",
    "cross_entropy_bwd_part",
    "cross_entropy_loss",
    "cross_entropy_terms",
    "cross_entropy_top",
    "dropout",
    "embedding",
    "embedding_bag",
    "embedding_bag_bwd",
    "embedding_bwd",
    "embedding_bwd_bwd",
    "embedding_bwd_rows",
    "embedding_rows",
    "fused_add_rms_norm",
    "fused_add_rms_norm_quant",
    "geglu",
    "geglu_bwd",
    "gelu_and_mul",
    "gelu_and_mul_bwd",
    "grouped_gemm",
    "grouped_gemm_wgrad",
    "int4_linear",
    "int4_linear_dgrad",
    "int8_linear",
    "int8_linear_dgrad",
    "layer_norm",
    "layer_norm_bwd",
    "layer_norm_bwd_apply",
    "layer_norm_bwd_means",
    "layer_norm_mean",
    "layer_norm_scale",
    "layer_norm_variance",
    "linear_cross_entropy",
    "linear_cross_entropy_bwd",
    "linear_cross_entropy_bwd_part",
    "linear_cross_entropy_loss",
    "linear_cross_entropy_terms",
    "moe_permute",
    "moe_unpermute",
    "moe_unpermute_dgrad",
    "moe_unpermute_wgrad",
    "nms",
    "paged_cache_write",
    "quantize_fp8",
    "relu",
    "relu_bwd",
    "rms_layer_norm",
    "rms_layer_norm_bwd",
    "rms_norm",
    "rms_norm_bwd",
    "rms_norm_bwd_apply",
    "rms_norm_bwd_products",
    "rms_norm_scale",
    "rms_norm_squares",
    "rotary",
    "rotary_",
    "silu_and_mul",
    "silu_and_mul_bwd",
    "soft_cross_entropy",
    "soft_cross_entropy_bwd",
    "soft_cross_entropy_bwd_part",
    "soft_cross_entropy_part",
    "swiglu",
    "swiglu_bwd",
    "tensor_add",
    "tensor_negate",
    "topk_softmax",
    "topk_softmax_bwd",
    "varlen_attention",
    "varlen_attention_bwd",
    "weighted_cross_entropy",
    "weighted_cross_entropy_bwd",
    "weighted_cross_entropy_bwd_part",
    "weighted_cross_entropy_part",
    "weighted_cross_entropy_total",
]


def __getattr__(name: str) -> CoreOp:
    """Return an op. The first use imports the module of the op."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    op: CoreOp = getattr(import_module(f"._{name}", __name__), name)
    globals()[name] = op
    return op


def __dir__() -> list[str]:
    return __all__
