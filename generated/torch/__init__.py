"""The ops for PyTorch. Rendered by opgen.

The kernels check their arguments; the functions only explain errors. The ops themselves are
`torch.ops.generated.<op>`.
"""

from . import _class_top as _class_top
from . import _class_total as _class_total
from . import _cross_entropy_bwd_part as _cross_entropy_bwd_part
from . import _cross_entropy_loss as _cross_entropy_loss
from . import _cross_entropy_terms as _cross_entropy_terms
from . import _cross_entropy_top as _cross_entropy_top
from . import _embedding_bwd_rows as _embedding_bwd_rows
from . import _embedding_rows as _embedding_rows
from . import _layer_norm_bwd_apply as _layer_norm_bwd_apply
from . import _layer_norm_bwd_means as _layer_norm_bwd_means
from . import _layer_norm_mean as _layer_norm_mean
from . import _layer_norm_scale as _layer_norm_scale
from . import _layer_norm_variance as _layer_norm_variance
from . import _linear_cross_entropy_bwd_part as _linear_cross_entropy_bwd_part
from . import _linear_cross_entropy_loss as _linear_cross_entropy_loss
from . import _linear_cross_entropy_terms as _linear_cross_entropy_terms
from . import _rms_norm_bwd_apply as _rms_norm_bwd_apply
from . import _rms_norm_bwd_products as _rms_norm_bwd_products
from . import _rms_norm_scale as _rms_norm_scale
from . import _rms_norm_squares as _rms_norm_squares
from . import _soft_cross_entropy_bwd_part as _soft_cross_entropy_bwd_part
from . import _soft_cross_entropy_part as _soft_cross_entropy_part
from . import _weighted_cross_entropy_bwd_part as _weighted_cross_entropy_bwd_part
from . import _weighted_cross_entropy_part as _weighted_cross_entropy_part
from . import _weighted_cross_entropy_total as _weighted_cross_entropy_total
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
from .._opgen.torch import Patch, patch, register_patch
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
from ._adamw_torch import AdamW
from . import _conv2d_torch as _conv2d_torch
from . import _cross_entropy_torch as _cross_entropy_torch
from ._embedding_torch import Embedding
from ._layer_norm_torch import LayerNorm
from . import _relu_torch as _relu_torch
from ._rms_layer_norm_torch import RMSLayerNorm
from ._rms_norm_torch import RMSNorm
from . import _silu_and_mul_torch as _silu_and_mul_torch
from . import _weighted_cross_entropy_torch as _weighted_cross_entropy_torch

__all__ = [
    "AdamW",
    "Embedding",
    "LayerNorm",
    "Patch",
    "RMSLayerNorm",
    "RMSNorm",
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
    "patch",
    "quantize_fp8",
    "register_patch",
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
