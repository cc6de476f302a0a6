"""The ops for JAX. Rendered by opgen."""

from ._adamw_ import adamw_
from ._apply_rotary import apply_rotary
from ._conv2d import conv2d
from ._conv2d_dgrad import conv2d_dgrad
from ._conv2d_wgrad import conv2d_wgrad
from ._cross_entropy import cross_entropy
from ._cross_entropy_bwd import cross_entropy_bwd
from ._dropout import dropout
from ._embedding import embedding
from ._embedding_bag import embedding_bag
from ._embedding_bag_bwd import embedding_bag_bwd
from ._embedding_bwd import embedding_bwd
from ._embedding_bwd_bwd import embedding_bwd_bwd
from ._fused_add_rms_norm import fused_add_rms_norm
from ._fused_add_rms_norm_quant import fused_add_rms_norm_quant
from ._geglu import geglu
from ._geglu_bwd import geglu_bwd
from ._gelu_and_mul import gelu_and_mul
from ._gelu_and_mul_bwd import gelu_and_mul_bwd
from ._grouped_gemm import grouped_gemm
from ._grouped_gemm_wgrad import grouped_gemm_wgrad
from ._int4_linear import int4_linear
from ._int4_linear_dgrad import int4_linear_dgrad
from ._int8_linear import int8_linear
from ._int8_linear_dgrad import int8_linear_dgrad
from ._layer_norm import layer_norm
from ._layer_norm_bwd import layer_norm_bwd
from ._linear_cross_entropy import linear_cross_entropy
from ._linear_cross_entropy_bwd import linear_cross_entropy_bwd
from ._moe_permute import moe_permute
from ._moe_unpermute import moe_unpermute
from ._moe_unpermute_dgrad import moe_unpermute_dgrad
from ._moe_unpermute_wgrad import moe_unpermute_wgrad
from ._nms import nms
from ._paged_cache_write import paged_cache_write
from ._quantize_fp8 import quantize_fp8
from ._relu import relu
from ._relu_bwd import relu_bwd
from ._rms_layer_norm import rms_layer_norm
from ._rms_layer_norm_bwd import rms_layer_norm_bwd
from ._rms_norm import rms_norm
from ._rms_norm_bwd import rms_norm_bwd
from ._rotary import rotary
from ._rotary_ import rotary_
from ._silu_and_mul import silu_and_mul
from ._silu_and_mul_bwd import silu_and_mul_bwd
from ._soft_cross_entropy import soft_cross_entropy
from ._soft_cross_entropy_bwd import soft_cross_entropy_bwd
from ._swiglu import swiglu
from ._swiglu_bwd import swiglu_bwd
from ._tensor_add import tensor_add
from ._tensor_negate import tensor_negate
from ._topk_softmax import topk_softmax
from ._topk_softmax_bwd import topk_softmax_bwd
from ._varlen_attention import varlen_attention
from ._varlen_attention_bwd import varlen_attention_bwd
from ._weighted_cross_entropy import weighted_cross_entropy
from ._weighted_cross_entropy_bwd import weighted_cross_entropy_bwd
from ._adamw_jax import adamw

__all__ = [
    "adamw",
    "adamw_",
    "apply_rotary",
    "conv2d",
    "conv2d_dgrad",
    "conv2d_wgrad",
    "cross_entropy",
    "cross_entropy_bwd",
    "dropout",
    "embedding",
    "embedding_bag",
    "embedding_bag_bwd",
    "embedding_bwd",
    "embedding_bwd_bwd",
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
    "linear_cross_entropy",
    "linear_cross_entropy_bwd",
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
    "rotary",
    "rotary_",
    "silu_and_mul",
    "silu_and_mul_bwd",
    "soft_cross_entropy",
    "soft_cross_entropy_bwd",
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
]
