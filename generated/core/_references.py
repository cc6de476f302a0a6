"""The reference of each op, for the runtime. Rendered by opgen."""

from __future__ import annotations

from typing import Any

REFERENCES: dict[str, dict[str, Any]] = {
    "adamw_": dict(
        module="adamw",
        function="adamw",
        results=("params", "exp_avgs", "exp_avg_sqs", "step", "max_exp_avg_sqs"),
    ),
    "apply_rotary": dict(module="rotary", function="apply_rotary", results=("q_out", "k_out")),
    "class_top": dict(module="weighted_cross_entropy", function="class_top", results=("top",)),
    "class_total": dict(
        module="weighted_cross_entropy", function="class_total", results=("total",)
    ),
    "conv2d": dict(module="conv2d", function="conv2d", results=("y",)),
    "conv2d_dgrad": dict(
        module="conv2d",
        function="conv2d",
        results=("dx",),
        primals=(None, "weight", None),
        cotangents=("dy",),
        gradients=(0,),
        attrs={
            "stride": "stride",
            "padding": "padding",
            "dilation": "dilation",
            "groups": "groups",
        },
    ),
    "conv2d_wgrad": dict(
        module="conv2d",
        function="conv2d",
        results=("dweight", "dbias"),
        primals=("x", None, None),
        cotangents=("dy",),
        gradients=(1, 2),
        attrs={
            "stride": "stride",
            "padding": "padding",
            "dilation": "dilation",
            "groups": "groups",
        },
    ),
    "cross_entropy": dict(module="cross_entropy", function="cross_entropy", results=("loss",)),
    "cross_entropy_bwd": dict(
        module="cross_entropy",
        function="cross_entropy",
        results=("dlogits",),
        primals=("logits", "labels"),
        cotangents=("dloss",),
        gradients=(0,),
        attrs={
            "ignore_index": "ignore_index",
            "label_smoothing": "label_smoothing",
            "reduction": "reduction",
        },
    ),
    "cross_entropy_bwd_part": dict(
        module="cross_entropy", function="cross_entropy_bwd_part", results=("dlogits",)
    ),
    "cross_entropy_loss": dict(
        module="cross_entropy", function="cross_entropy_loss", results=("loss", "rest", "count")
    ),
    "cross_entropy_terms": dict(
        module="cross_entropy", function="cross_entropy_terms", results=("total", "missed", "below")
    ),
    "cross_entropy_top": dict(
        module="cross_entropy", function="cross_entropy_top", results=("top",)
    ),
    "dropout": dict(module="dropout", function="dropout", results=("y",)),
    "embedding": dict(module="embedding", function="embedding", results=("y",)),
    "embedding_bag": dict(
        module="embedding_bag", function="embedding_bag", results=("y", "argmax")
    ),
    "embedding_bag_bwd": dict(
        module="embedding_bag", function="embedding_bag_bwd", results=("dweight", "dsample_weights")
    ),
    "embedding_bwd": dict(module="embedding", function="embedding_bwd", results=("dweight",)),
    "embedding_bwd_bwd": dict(module="embedding", function="embedding_bwd_bwd", results=("ddy",)),
    "embedding_bwd_rows": dict(
        module="embedding", function="embedding_bwd_rows", results=("dweight",)
    ),
    "embedding_rows": dict(module="embedding", function="embedding_rows", results=("y",)),
    "fused_add_rms_norm": dict(
        module="fused_add_rms_norm", function="fused_add_rms_norm", results=("y", "residual")
    ),
    "fused_add_rms_norm_quant": dict(
        module="fused_add_rms_norm",
        function="fused_add_rms_norm_quant",
        results=("y", "y_scale", "residual"),
    ),
    "geglu": dict(module="gelu_and_mul", function="geglu", results=("y",)),
    "geglu_bwd": dict(
        module="gelu_and_mul",
        function="geglu",
        results=("dgate", "dup"),
        primals=("gate", "up"),
        cotangents=("dy",),
        gradients=(0, 1),
        attrs={"approximate": "approximate"},
    ),
    "gelu_and_mul": dict(module="gelu_and_mul", function="gelu_and_mul", results=("y",)),
    "gelu_and_mul_bwd": dict(
        module="gelu_and_mul",
        function="gelu_and_mul",
        results=("dx",),
        primals=("x",),
        cotangents=("dy",),
        gradients=(0,),
        attrs={"approximate": "approximate"},
    ),
    "grouped_gemm": dict(module="grouped_gemm", function="grouped_gemm", results=("c",)),
    "grouped_gemm_wgrad": dict(
        module="grouped_gemm",
        function="grouped_gemm",
        results=("db",),
        primals=("a", None, "offsets"),
        cotangents=("dc",),
        gradients=(1,),
        attrs={"trans_b": "trans_b"},
    ),
    "int4_linear": dict(module="quantized_linear", function="int4_linear", results=("y",)),
    "int4_linear_dgrad": dict(
        module="quantized_linear", function="int4_linear_dgrad", results=("dx",)
    ),
    "int8_linear": dict(module="quantized_linear", function="int8_linear", results=("y",)),
    "int8_linear_dgrad": dict(
        module="quantized_linear", function="int8_linear_dgrad", results=("dx",)
    ),
    "layer_norm": dict(module="layer_norm", function="layer_norm", results=("y",)),
    "layer_norm_bwd": dict(
        module="layer_norm", function="layer_norm_bwd", results=("dx", "dweight", "dbias")
    ),
    "layer_norm_bwd_apply": dict(
        module="layer_norm", function="layer_norm_bwd_apply", results=("dx", "dweight", "dbias")
    ),
    "layer_norm_bwd_means": dict(
        module="layer_norm", function="layer_norm_bwd_means", results=("g_mean", "gh_mean")
    ),
    "layer_norm_mean": dict(module="layer_norm", function="layer_norm_mean", results=("mean",)),
    "layer_norm_scale": dict(
        module="layer_norm", function="layer_norm_scale", results=("y", "rstd")
    ),
    "layer_norm_variance": dict(
        module="layer_norm", function="layer_norm_variance", results=("variance",)
    ),
    "linear_cross_entropy": dict(
        module="linear_cross_entropy", function="linear_cross_entropy", results=("loss",)
    ),
    "linear_cross_entropy_bwd": dict(
        module="linear_cross_entropy",
        function="linear_cross_entropy",
        results=("dhidden", "dweight"),
        primals=("hidden", "weight", "labels"),
        cotangents=("dloss",),
        gradients=(0, 1),
        attrs={"ignore_index": "ignore_index", "reduction": "reduction"},
    ),
    "linear_cross_entropy_bwd_part": dict(
        module="linear_cross_entropy",
        function="linear_cross_entropy_bwd_part",
        results=("dhidden", "dweight"),
    ),
    "linear_cross_entropy_loss": dict(
        module="linear_cross_entropy",
        function="linear_cross_entropy_loss",
        results=("loss", "log_sum", "count"),
    ),
    "linear_cross_entropy_terms": dict(
        module="linear_cross_entropy",
        function="linear_cross_entropy_terms",
        results=("top", "total", "at_label"),
    ),
    "moe_permute": dict(
        module="moe", function="moe_permute", results=("rows", "offsets", "places")
    ),
    "moe_unpermute": dict(module="moe", function="moe_unpermute", results=("y",)),
    "moe_unpermute_dgrad": dict(module="moe", function="moe_unpermute_dgrad", results=("drows",)),
    "moe_unpermute_wgrad": dict(
        module="moe", function="moe_unpermute_wgrad", results=("dweights",)
    ),
    "nms": dict(module="nms", function="nms", results=("keep", "count"), lengths={"keep": "count"}),
    "paged_cache_write": dict(
        module="paged_cache_write", function="paged_cache_write", results=("k_cache", "v_cache")
    ),
    "quantize_fp8": dict(module="quantize_fp8", function="quantize_fp8", results=("q", "scale")),
    "relu": dict(module="relu", function="relu", results=("y",)),
    "rms_layer_norm": dict(module="rms_layer_norm", function="rms_layer_norm", results=("y",)),
    "rms_layer_norm_bwd": dict(
        module="rms_layer_norm", function="rms_layer_norm_bwd", results=("dx", "dweight")
    ),
    "rms_norm": dict(module="rms_norm", function="rms_norm", results=("y",)),
    "rms_norm_bwd": dict(
        module="rms_norm",
        function="rms_norm",
        results=("dx", "dweight"),
        primals=("x", "weight"),
        cotangents=("dy",),
        gradients=(0, 1),
        attrs={"eps": "eps"},
    ),
    "rms_norm_bwd_apply": dict(
        module="rms_norm", function="rms_norm_bwd_apply", results=("dx", "dweight")
    ),
    "rms_norm_bwd_products": dict(
        module="rms_norm", function="rms_norm_bwd_products", results=("products",)
    ),
    "rms_norm_scale": dict(module="rms_norm", function="rms_norm_scale", results=("y", "invvar")),
    "rms_norm_squares": dict(module="rms_norm", function="rms_norm_squares", results=("squares",)),
    "rotary": dict(module="rotary", function="rotary", results=("q_out", "k_out")),
    "rotary_": dict(module="rotary", function="rotary", results=("q", "k")),
    "silu_and_mul": dict(module="silu_and_mul", function="silu_and_mul", results=("y",)),
    "silu_and_mul_bwd": dict(
        module="silu_and_mul",
        function="silu_and_mul",
        results=("dx",),
        primals=("x",),
        cotangents=("dy",),
        gradients=(0,),
        attrs={},
    ),
    "soft_cross_entropy": dict(
        module="weighted_cross_entropy", function="soft_cross_entropy", results=("loss",)
    ),
    "soft_cross_entropy_bwd": dict(
        module="weighted_cross_entropy",
        function="soft_cross_entropy_bwd",
        results=("dlogits", "dtarget"),
    ),
    "soft_cross_entropy_bwd_part": dict(
        module="weighted_cross_entropy",
        function="soft_cross_entropy_bwd_part",
        results=("dlogits", "dtarget"),
    ),
    "soft_cross_entropy_part": dict(
        module="weighted_cross_entropy",
        function="soft_cross_entropy_part",
        results=("loss", "rest", "mass"),
    ),
    "swiglu": dict(module="silu_and_mul", function="swiglu", results=("y",)),
    "swiglu_bwd": dict(
        module="silu_and_mul",
        function="swiglu",
        results=("dgate", "dup"),
        primals=("gate", "up"),
        cotangents=("dy",),
        gradients=(0, 1),
        attrs={},
    ),
    "tensor_add": dict(module="tensor_add", function="tensor_add", results=("c",)),
    "tensor_negate": dict(module="tensor_negate", function="tensor_negate", results=("y",)),
    "topk_softmax": dict(
        module="topk_softmax", function="topk_softmax", results=("weights", "ids")
    ),
    "topk_softmax_bwd": dict(
        module="topk_softmax",
        function="topk_softmax",
        results=("dlogits",),
        primals=("logits",),
        cotangents=("dweights", None),
        gradients=(0,),
        attrs={"k": "k", "renormalize": "renormalize"},
    ),
    "varlen_attention": dict(
        module="varlen_attention", function="varlen_attention", results=("out",)
    ),
    "varlen_attention_bwd": dict(
        module="varlen_attention",
        function="varlen_attention",
        results=("dq", "dk", "dv"),
        primals=("q", "k", "v", "cu_q", "cu_k", None, "alibi", "seed", "offset"),
        cotangents=("dout",),
        gradients=(0, 1, 2),
        attrs={
            "max_q": "max_q",
            "max_k": "max_k",
            "scale": "scale",
            "causal": "causal",
            "window": "window",
            "dropout": "dropout",
        },
    ),
    "weighted_cross_entropy": dict(
        module="weighted_cross_entropy", function="weighted_cross_entropy", results=("loss",)
    ),
    "weighted_cross_entropy_bwd": dict(
        module="weighted_cross_entropy",
        function="weighted_cross_entropy",
        results=("dlogits",),
        primals=("logits", "labels", "weight"),
        cotangents=("dloss",),
        gradients=(0,),
        attrs={
            "label_smoothing": "label_smoothing",
            "reduction": "reduction",
            "classes": "classes",
            "ignore_index": "ignore_index",
        },
    ),
    "weighted_cross_entropy_bwd_part": dict(
        module="weighted_cross_entropy",
        function="weighted_cross_entropy_bwd_part",
        results=("dlogits",),
    ),
    "weighted_cross_entropy_part": dict(
        module="weighted_cross_entropy",
        function="weighted_cross_entropy_part",
        results=("loss", "rest", "mass"),
    ),
    "weighted_cross_entropy_total": dict(
        module="weighted_cross_entropy",
        function="weighted_cross_entropy_total",
        results=("total", "count"),
    ),
}
