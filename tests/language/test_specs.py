"""The example families of the language lint clean, alone and together."""

from __future__ import annotations

from pathlib import Path

import pytest

from opgen.compiler.pipeline import examine

SPECS = sorted((Path(__file__).parents[2] / "specs").glob("*.toml"))


FAMILIES = """
    adamw conv2d cross_entropy dropout embedding_bag fused_add_rms_norm gelu_and_mul grouped_gemm layer_norm linear_cross_entropy moe nms paged_cache_write
    quantize_fp8 quantized_linear relu rms_layer_norm rms_norm rotary silu_and_mul tensor_add tensor_negate topk_softmax varlen_attention
    weighted_cross_entropy
"""


def test_all_are_there() -> None:
    assert set(FAMILIES.split()) <= {path.stem for path in SPECS}


@pytest.mark.parametrize("path", SPECS, ids=lambda p: p.stem)
def test_a_family_is_clean(path: Path) -> None:
    specs, found, _ = examine([path])
    assert found == [] and len(specs) == 1


def test_together_they_are_clean() -> None:
    specs, found, _ = examine(SPECS)
    assert found == [] and len(specs) == len(SPECS)


def test_norms_are_short() -> None:
    """The specs of layer_norm and rms_norm, without stages, have at most 122 lines together."""
    norms = [p.read_text() for p in SPECS if p.stem in ("layer_norm", "rms_norm")]
    stages = [text.index("# The steps of both ops when rows are split") for text in norms]
    whole = [text[:end] for text, end in zip(norms, stages, strict=True)]
    assert sum(len(text.splitlines()) for text in whole) <= 122
