"""The shapes and dtypes of a reference's results equal those of the op's rendered `infer`."""

from __future__ import annotations

import importlib
import sys
from functools import partial

import jax
import numpy as np
import pytest
from array_api_compat import torch as torch_namespace

from opgen.compiler.pipeline import parse_all, resolve
from opgen.language.dtypes import DTYPES
from opgen.output.render import render
from opgen.source.source_file import SourceFile
from opgen.spec.config import Config
from opgen.targets.torch import TORCH_NAMES
from opgen.testing.arrays import to_torch
from opgen.testing.environment import numpy_dtype
from opgen.testing.namespaces import jax_namespace, numpy_namespace

from .calls import SPECS, convert, integers, normal, offsets, reference

PACKAGE = "inferred_families"


@pytest.fixture(scope="module")
def project():
    """The project of all specs, with its rendered core on the import path."""
    paths = sorted(SPECS.glob("*.toml"))
    sources = {file.path: file for file in map(SourceFile.read, paths)}
    specs, mistakes = parse_all(sources)
    assert not mistakes
    return resolve(specs, sources, Config(SPECS, package=PACKAGE, namespace=PACKAGE))


@pytest.fixture(scope="module")
def core(project, tmp_path_factory):
    root = tmp_path_factory.mktemp("rendered")
    for file in render(project, ["core"]):
        path = root / PACKAGE / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text)
    sys.path.insert(0, str(root))
    yield importlib.import_module(f"{PACKAGE}.core")
    sys.path.remove(str(root))


def of(dtype: str, *shape: int) -> np.ndarray:
    return normal(*shape).astype(numpy_dtype(dtype))


def slots(*values: int) -> np.ndarray:
    return np.array(values, "int32")


def adam(params: str, grads: str, moments: str, amsgrad: bool) -> list:
    shapes = [(3, 2), (), (4,)]
    p, g, m, v, u = (
        [np.abs(of(dtype, *shape)) for shape in shapes]
        for dtype in (params, grads, moments, moments, moments)
    )
    return [p, g, m, v, of("f32"), of("f32"), u if amsgrad else None]


def attention(dtype: str) -> list:
    sizes = offsets(2, 3), offsets(4, 1)
    return [of(dtype, 5, 4, 3), of(dtype, 5, 2, 3), of(dtype, 5, 2, 6), *sizes]


HEADS = {"max_q": 3, "max_k": 4}
SEED = [np.array(1), np.array(2)]
CONV = {"stride": [1, 2], "padding": [1, 0], "dilation": [1, 1], "groups": 2}
CASES = {
    "relu": lambda: ([of("bf16", 2, 3)], {}),
    "tensor_negate": lambda: ([of("f32", 2, 3)], {}),
    "tensor_add": lambda: ([of("f16", 2, 3), of("f16", 2, 3)], {}),
    "silu_and_mul": lambda: ([of("bf16", 2, 6)], {}),
    "swiglu": lambda: ([of("bf16", 2, 3), of("bf16", 2, 3)], {}),
    "gelu_and_mul": lambda: ([of("f16", 2, 6)], {}),
    "geglu": lambda: ([of("f16", 2, 3), of("f16", 2, 3)], {"approximate": "tanh"}),
    "rms_norm": lambda: ([of("bf16", 2, 6), of("f16", 6)], {}),
    "layer_norm": lambda: ([of("f16", 2, 3, 4), None, of("f32", 4)], {"normalized_shape": [4]}),
    "layer_norm_bwd": lambda: (
        [of("bf16", 2, 3, 4), of("bf16", 2, 3, 4), of("f32", 2, 3), of("f32", 2, 3)]
        + [of("f32", 4)],
        {"eps": 1e-5},
    ),
    "rms_layer_norm": lambda: (
        [of("f16", 2, 6), of("f32", 6)],
        {"normalized_shape": [6], "eps": 0.1},
    ),
    "rms_layer_norm without weight": lambda: (
        [of("bf16", 2, 6)],
        {"normalized_shape": [6], "eps": 0.1},
    ),
    "rms_layer_norm cast first": lambda: (
        [of("bf16", 2, 6), of("f32", 6)],
        {"normalized_shape": [6], "eps": 0.1, "cast_first": True},
    ),
    "rms_layer_norm_bwd": lambda: (
        [of("bf16", 2, 6), of("bf16", 2, 6), of("f32", 2)],
        {"eps": 0.1},
    ),
    "cross_entropy": lambda: (
        [of("bf16", 2, 3, 4), integers(0, 4, 2, 3, dtype="int32")],
        {"reduction": "none"},
    ),
    "cross_entropy mean": lambda: ([of("f16", 5, 4), integers(0, 4, 5)], {}),
    "rms_norm_squares": lambda: ([of("bf16", 2, 6)], {"norm": [6]}),
    "rms_norm_scale": lambda: ([of("bf16", 2, 6), of("f16", 6), np.abs(of("f32", 2))], {}),
    "rms_norm_bwd_products": lambda: (
        [of("f16", 2, 6), of("f32", 2), of("bf16", 2, 6), of("f16", 6)],
        {},
    ),
    "rms_norm_bwd_apply": lambda: (
        [of("f16", 2, 6), of("f32", 2), of("bf16", 2, 6), of("f16", 6), of("f32", 2)],
        {},
    ),
    "layer_norm_mean": lambda: ([of("bf16", 2, 3, 4)], {"normalized_shape": [4]}),
    "layer_norm_variance": lambda: (
        [of("f16", 2, 3, 4), of("f32", 2, 3)],
        {"normalized_shape": [4]},
    ),
    "layer_norm_scale": lambda: (
        [of("bf16", 2, 3, 4), of("f32", 2, 3), np.abs(of("f32", 2, 3)), of("f32", 4)],
        {"normalized_shape": [4]},
    ),
    "layer_norm_bwd_means": lambda: (
        [of("bf16", 2, 4), of("bf16", 2, 4), of("f32", 2), of("f32", 2), of("bf16", 4)],
        {},
    ),
    "layer_norm_bwd_apply": lambda: (
        [of("f16", 2, 4), of("f16", 2, 4), of("f32", 2), of("f32", 2), of("f32", 4)]
        + [of("f32", 2), of("f32", 2)],
        {},
    ),
    "cross_entropy_top": lambda: ([of("bf16", 2, 3, 4)], {}),
    "cross_entropy_terms": lambda: (
        [of("bf16", 5, 4), integers(0, 8, 5, dtype="int32"), of("f32", 5), np.array(4)],
        {"c": 8, "label_smoothing": 0.1},
    ),
    "cross_entropy_loss": lambda: (
        [of("f16", 5, 4), integers(0, 8, 5), 1 + np.abs(of("f32", 5)), of("f32", 5)],
        {"reduction": "none"},
    ),
    "cross_entropy_loss mean": lambda: (
        [of("f16", 5, 4), integers(0, 8, 5), 1 + np.abs(of("f32", 5)), of("f32", 5), of("f32", 5)],
        {"label_smoothing": 0.1},
    ),
    "cross_entropy_bwd_part": lambda: (
        [
            of("f32"),
            of("bf16", 5, 4),
            integers(0, 8, 5),
            of("f32", 5),
            np.abs(of("f32", 5)),
            np.array(4),
            np.array(5.0, "float32"),
        ],
        {"c": 8},
    ),
    "embedding_rows": lambda: ([of("bf16", 4, 3), integers(0, 8, 5), np.array(4)], {"rows": 8}),
    "embedding_bwd_rows": lambda: (
        [of("bf16", 5, 3), integers(0, 8, 5), np.array(4)],
        {"n": 4, "rows": 8},
    ),
    "topk_softmax": lambda: ([of("bf16", 2, 5)], {"k": 3}),
    "dropout": lambda: ([of("bf16", 2, 5), *SEED], {}),
    "rotary": lambda: (
        [of("bf16", 2, 3, 4, 6), integers(0, 7, 3), of("f32", 7, 4), of("bf16", 2, 3, 2, 6)],
        {},
    ),
    "rotary alone": lambda: ([of("f16", 3, 4, 6), integers(0, 7, 3), of("f16", 7, 6)], {}),
    "rotary_": lambda: (
        [of("f16", 3, 4, 6), integers(0, 7, 3), of("bf16", 7, 6), of("f16", 3, 1, 6)],
        {},
    ),
    "weighted_cross_entropy": lambda: (
        [of("bf16", 2, 3), integers(0, 3, 2), of("f32", 3)],
        {},
    ),
    "soft_cross_entropy": lambda: (
        [of("bf16", 2, 3, 4), of("bf16", 2, 3, 4)],
        {"classes": "second", "reduction": "none"},
    ),
    "soft_cross_entropy_bwd": lambda: (
        [of("f32", 2, 4), *(of("bf16", 2, 3, 4),) * 2, *(of("f32", 2, 4),) * 3],
        {"classes": "second", "reduction": "none", "positions": 8},
    ),
    "class_top": lambda: ([of("bf16", 2, 3, 4)], {"classes": "second"}),
    "class_total": lambda: ([of("f16", 2, 3, 4), of("f32", 2, 3)], {}),
    "soft_cross_entropy_part": lambda: (
        [of("bf16", 2, 3, 4), of("bf16", 2, 3, 4), *(1 + np.abs(of("f32", 2, 4)),) * 2],
        {"c": 6, "classes": "second", "reduction": "none"},
    ),
    "soft_cross_entropy_bwd_part": lambda: (
        [of("f32"), *(of("bf16", 2, 3, 4),) * 2, *(np.abs(of("f32", 2, 4)),) * 3, of("f32", 3)],
        {"c": 6, "classes": "second", "positions": 8},
    ),
    "weighted_cross_entropy_total": lambda: (
        [of("bf16", 5, 4), integers(0, 8, 5), of("f32", 5), np.array(4), of("f32", 4)],
        {"c": 8},
    ),
    "weighted_cross_entropy_part": lambda: (
        [
            of("bf16", 5, 4),
            integers(0, 8, 5, dtype="int32"),
            *(1 + np.abs(of("f32", 5)),) * 2,
            np.array(4),
            of("f32"),
        ],
        {"c": 8, "label_smoothing": 0.1},
    ),
    "weighted_cross_entropy_bwd_part": lambda: (
        [
            of("f32", 2, 4),
            of("bf16", 2, 3, 4),
            integers(0, 8, 2, 4),
            *(np.abs(of("f32", 2, 4)),) * 3,
            np.array(3),
        ],
        {"c": 8, "classes": "second", "reduction": "none"},
    ),
    "linear_cross_entropy": lambda: (
        [of("bf16", 2, 3, 4), of("bf16", 6, 4), integers(0, 6, 2, 3, dtype="int32")],
        {},
    ),
    "linear_cross_entropy_terms": lambda: (
        [of("bf16", 2, 3, 4), of("bf16", 6, 4), integers(0, 9, 2, 3), np.array(3)],
        {"c": 9},
    ),
    "linear_cross_entropy_loss": lambda: (
        [of("f16", 2, 4), integers(0, 4, 2), of("f32", 2), np.ones(2, "float32"), of("f32", 2)],
        {},
    ),
    "linear_cross_entropy_bwd_part": lambda: (
        [
            of("f32"),
            of("f16", 2, 4),
            of("f16", 3, 4),
            integers(0, 5, 2),
            of("f32", 2),
            of("f32", 2),
            np.array(2),
            np.array(2.0, "float32"),
        ],
        {"c": 5},
    ),
    "moe_permute": lambda: ([of("bf16", 4, 3), integers(0, 5, 4, 2)], {"e": 5}),
    "moe_unpermute": lambda: (
        [of("bf16", 8, 3), integers(0, 8, 4, 2, dtype="int32"), of("f32", 4, 2)],
        {},
    ),
    "moe_unpermute_dgrad": lambda: (
        [of("bf16", 4, 3), integers(0, 8, 4, 2, dtype="int32"), of("f32", 4, 2)],
        {},
    ),
    "moe_unpermute_wgrad": lambda: (
        [of("bf16", 4, 3), integers(0, 8, 4, 2, dtype="int32"), of("bf16", 8, 3)],
        {},
    ),
    "moe_unpermute plain": lambda: ([of("f16", 8, 3), integers(0, 8, 4, 2, dtype="int32")], {}),
    "apply_rotary": lambda: (
        [of("bf16", 2, 4, 3, 6), of("bf16", 2, 2, 3, 6), of("f32", 3, 4), of("f32", 3, 4)],
        {},
    ),
    "apply_rotary by tokens": lambda: (
        [of("f16", 2, 3, 4, 6), of("f16", 2, 3, 4, 6), of("f16", 2, 3, 4), of("f16", 2, 3, 4)],
        {"order": "SHD", "style": "interleaved"},
    ),
    "embedding": lambda: ([of("bf16", 7, 3), integers(0, 7, 5, dtype="int32")], {}),
    "embedding_bwd": lambda: (
        [of("bf16", 2, 5, 3), integers(0, 7, 2, 5)],
        {"rows": 7, "padding_idx": 2},
    ),
    "embedding_bwd_bwd": lambda: ([of("bf16", 7, 3), integers(0, 7, 2, 5)], {"padding_idx": 2}),
    "embedding_bag": lambda: (
        [of("bf16", 7, 3), integers(0, 7, 5, dtype="int32"), offsets(2, 3)],
        {"mode": "max"},
    ),
    "embedding_bag_bwd": lambda: (
        [of("bf16", 2, 3), integers(0, 7, 5), offsets(2, 3).astype("int64")]
        + [of("bf16", 5), None, of("bf16", 7, 3)],
        {"rows": 7, "mode": "sum"},
    ),
    "embedding_bag sum": lambda: (
        [of("f16", 7, 3), integers(0, 7, 5), offsets(5).astype("int64"), of("f16", 5)],
        {"mode": "sum"},
    ),
    "grouped_gemm": lambda: (
        [of("bf16", 5, 3), of("bf16", 2, 4, 3), offsets(5, 0)],
        {"trans_b": True},
    ),
    "int8_linear": lambda: (
        [of("bf16", 2, 5), integers(-128, 128, 3, 5, dtype="int8"), of("f32", 3)],
        {},
    ),
    "int8_linear_dgrad": lambda: (
        [of("f16", 2, 3), integers(-128, 128, 3, 5, dtype="int8"), of("f16", 3)],
        {},
    ),
    "int4_linear": lambda: (
        [of("bf16", 2, 12), integers(0, 256, 3, 6, dtype="uint8"), of("f32", 3, 2)],
        {},
    ),
    "int4_linear_dgrad": lambda: (
        [of("f16", 2, 3), integers(0, 256, 3, 6, dtype="uint8"), of("f16", 3, 2), of("f16", 3, 2)],
        {},
    ),
    "conv2d": lambda: ([of("f16", 2, 4, 5, 6), of("f16", 6, 2, 3, 2)], CONV),
    "nms": lambda: ([of("f32", 6, 4), of("f32", 6)], {}),
    "adamw_": lambda: (adam("bf16", "f32", "f32", True), {"amsgrad": True}),
    "adamw_ plain": lambda: (adam("f16", "f16", "f32", False), {}),
    "fused_add_rms_norm": lambda: ([of("bf16", 3, 8), of("bf16", 3, 8), of("bf16", 8)], {}),
    "fused_add_rms_norm_quant": lambda: (
        [of("bf16", 3, 8), of("bf16", 3, 8), of("bf16", 8), np.abs(of("f32"))],
        {"out_dtype": "f8e5m2"},
    ),
    "fused_add_rms_norm_quant dynamic": lambda: (
        [of("f16", 3, 8), of("f16", 3, 8), of("f16", 8), None, np.abs(of("f32"))],
        {"dynamic": True},
    ),
    "quantize_fp8": lambda: ([of("bf16", 3, 128)], {"block": 64}),
    "paged_cache_write": lambda: (
        [
            of("f16", 2, 1, 3),
            of("f16", 2, 1, 3),
            *(of("f8e4m3", 2, 1, 4, 3) for _ in range(2)),
            slots(5, -1),
            np.abs(of("f32")),
            np.abs(of("f32")),
        ],
        {"order": "HND"},
    ),
    "varlen_attention": lambda: (
        [*attention("bf16"), None, of("f32", 2, 4), *SEED],
        {**HEADS, "scale": 0.5, "dropout": 0.5},
    ),
    "varlen_attention paged": lambda: (
        [
            of("f16", 5, 4, 3),
            of("f16", 6, 2, 2, 3),
            of("f16", 6, 2, 2, 6),
            offsets(2, 3),
            offsets(4, 1),
            slots(0, 1, 2, 3).reshape(2, 2),
        ],
        {**HEADS, "scale": 0.5},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_inferred(case, project, core) -> None:
    name = case.partition(" ")[0]
    op, (inputs, attrs) = project.op(name), CASES[case]()
    attrs = {a.name: a.default for a in op.attrs if not a.required} | attrs
    spelled = {numpy_dtype(name): name for name in DTYPES if name != "f4e2m1"}
    by_torch = {torch: name for name, torch in TORCH_NAMES.items()}

    def spec(array):
        return core.TensorSpec(array.shape, spelled[np.dtype(array.dtype)])

    def torch_spec(tensor):
        dtype = by_torch[str(tensor.dtype).removeprefix("torch.")]
        return core.TensorSpec(tuple(tensor.shape), dtype)

    specs = convert(spec, inputs)
    inferred = getattr(core, name).infer(*specs, **attrs)
    outputs = [getattr(inferred, tensor.name) for tensor in op.outputs]
    outputs = [y and core.TensorSpec(y.shape, y.dtype) for y in outputs]  # without their layouts
    specs += [None] * (len(op.inputs) - len(specs))
    updated = [each for tensor, each in zip(op.inputs, specs) if tensor.update]
    file, _, function = op.reference.partition(":")
    function = reference(file.removesuffix(".py"), function)
    in_jax = jax.eval_shape(partial(function, jax_namespace(), **attrs), *inputs)
    in_numpy = function(numpy_namespace(), *inputs, **attrs)
    in_torch = function(torch_namespace, *convert(to_torch, inputs), **attrs)
    # Meta tensors: every tensor that a reference creates must be on the device of its inputs.
    meta = convert(lambda array: to_torch(array).to("meta"), inputs)
    in_meta = function(torch_namespace, *meta, **attrs)
    for results, of_result in (
        (in_jax, spec),
        (in_numpy, spec),
        (in_torch, torch_spec),
        (in_meta, torch_spec),
    ):
        results = results if isinstance(results, tuple) else (results,)
        assert convert(of_result, list(results)) == outputs + updated


def test_every_reference_is_covered(project) -> None:
    covered = {case.partition(" ")[0] for case in CASES}
    ops = [op for family in project.families for op in family.ops]
    assert {op.name for op in ops if op.reference} <= covered
