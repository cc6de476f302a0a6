"""A valid spec with one wrong place is refused by the rule for that mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from opgen.lint import lint
from opgen.source.source_file import SourceFile
from opgen.spec.parse import parse_spec

SPECS = Path(__file__).parents[2] / "specs"
# Family, replaced text, new text, and the rule that must find the mistake.
MUTANTS = {
    "dweight without reduce": ("rms_norm", ', reduce = { batch = "sum" }', "", "missing-reduce"),
    "dweight with the wrong shape": (
        "rms_norm",
        'shape = "*norm", reduce',
        'shape = "*batch", reduce',
        "gradient-shape",
    ),
    "split of the d in 2*d": (
        "silu_and_mul",
        'sharding.split = ["batch"]',
        'sharding.split = ["d"]',
        "split-in-expression",
    ),
    "split of the inner factor": (
        "varlen_attention",
        '"tq hk*g d"',
        '"tq g*hk d"',
        "split-in-expression",
    ),
    "h cannot be told from dy": (
        "conv2d",
        'attrs.h       = { type = "int" }\n',
        "",
        "unknown-name",
    ),
    "weight and bias without a gradient": (
        "conv2d",
        '["conv2d_dgrad", "conv2d_wgrad"]',
        '["conv2d_dgrad"]',
        "missing-gradient",
    ),
    "cos_sin: floating, no gradient, not said": (
        "rotary",
        ", differentiable = false",
        "",
        "missing-gradient",
    ),
    "unbound group in one combination": (
        "layer_norm",
        'attrs.normalized_shape = { type = "int[]" }\n',
        "",
        "unbound-group",
    ),
    "rows unbound where weight is absent": (
        "embedding_bag",
        'attrs.rows      = { type = "int" }\n',
        "",
        "absent-name",
    ),
    "count of the mean is not reduced": (
        "cross_entropy",
        """when = "reduction == 'mean'", reduce = { batch = "sum" } }""",
        """when = "reduction == 'mean'" }""",
        "missing-reduce",
    ),
    "da of the wrong shape": (
        "grouped_gemm",
        ', trans_b = "not trans_b" }, grads = { a = "c" } },\n    "grouped',
        ' }, grads = { a = "c" } },\n    "grouped',
        "argument-shape",
    ),
    "unknown name in a case": (
        "paged_cache_write",
        'else = "nb h bs d"',
        '"order == \'NHD\' or true_" = "nb h bs d"',
        "unknown-name",
    ),
    "step lacks s": ("adamw", ', reduce = { s = "same" }', "", "missing-reduce"),
    "y without gradient": ("relu", ', y = "0"', "", "missing-gradient"),
    "backward attr that binds to nothing": (
        "topk_softmax",
        'attrs.renormalize = { type = "bool" }',
        'attrs.renormalise = { type = "bool" }',
        "unbound-argument",
    ),
    "unknown backward argument": (
        "dropout",
        'args = { x = "dy" }',
        'args = { xx = "dy" }',
        "unknown-argument",
    ),
    "a backward that exists nowhere": (
        "layer_norm",
        '= "layer_norm_bwd"',
        '= "layer_norm_bwdd"',
        "unknown-backward",
    ),
    "a residual of the wrong shape": (
        "rms_norm",
        'residuals.invvar = { dtype = "Acc", shape = "*batch" }',
        'residuals.invvar = { dtype = "Acc", shape = "*batch 1" }',
        "argument-shape",
    ),
    "a residual of the wrong dtype": (
        "layer_norm",
        'residuals.mean = { dtype = "Acc"',
        'residuals.mean = { dtype = "f64"',
        "argument-dtype",
    ),
    "a condition on a size": (
        "rotary",
        '"present(k)" = "*lead t hk*g d"',
        '"present(k) and d > 8" = "*lead t hk*g d"',
        "case-sees-size",
    ),
    "one case twice": (
        "cross_entropy",
        'shape = { "reduction == \'none\'" = "*batch", else = "" }, reduce',
        'shape = { "reduction == \'none\'" = "*batch", "reduction != \'mean\'" = "", else = "" }, reduce',
        "two-cases",
    ),
    "a case that is missing": ("paged_cache_write", ', else = "nb h bs d"', "", "no-case"),
    "a fifth dtype that never was": (
        "paged_cache_write",
        "C == T or C == f8e4m3",
        "C == T or C == f8e5m2",
        "unknown-choice",
    ),
    "a misspelt function": ("tensor_add", "ceildiv(m*n", "celdiv(m*n", "unknown-function"),
    "a length that counts nothing": ("nms", 'length = "count"', 'length = "boxes"', "bad-length"),
    "an optional input before required ones": (
        "embedding_bag",
        'inputs.indices = { dtype = "I", shape = "n",',
        'inputs.indices = { dtype = "I", shape = "n", optional = true,',
        "required-after-optional",
    ),
    "an updated input with a gradient": (
        "silu_and_mul",
        'inputs.x       = { dtype = "T", shape = "*batch 2*d" }\noutputs.y',
        'inputs.x       = { dtype = "T", shape = "*batch 2*d", update = true }\noutputs.y',
        "unneeded-gradient",
    ),
    "a remainder for a condition": (
        "fused_add_rms_norm",
        '"d % 8 == 0"',
        '"d % 8"',
        "expression-type",
    ),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_mutant_is_refused(mutant: str) -> None:
    family, good, bad, rule = MUTANTS[mutant]
    text = (SPECS / f"{family}.toml").read_text()
    assert good in text
    file = SourceFile("mutant.toml", text.replace(good, bad))
    spec, refused = parse_spec(file)
    assert spec is not None and refused == []
    found = lint([spec])
    assert rule in {d.name for d in found}
    for finding in found:
        start, end = file.resolve(finding.where)
        assert 0 <= start < end <= len(file.text)
