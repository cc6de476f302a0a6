"""What the target adds to the language, and that nothing else knows it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from opgen.compiler.project_sources import platform_of
from opgen.spec.extensions import extensions, imported

ROOT = Path(__file__).parents[2]
WORD = re.compile(r"\b(neuron|nki)\b", re.IGNORECASE)


def test_it_is_named_in_its_own_folder_only() -> None:
    files = [f for top in ("opgen", "scripts", "bench") for f in (ROOT / top).rglob("*")]  # fmt: skip
    texts = {f: f.read_text() for f in files if f.suffix in (".py", ".j2", ".cpp", ".json", ".txt")}  # fmt: skip
    naming = {f.relative_to(ROOT).parts[:3] for f, text in texts.items() if WORD.search(text)}  # fmt: skip
    assert naming == {("opgen", "targets", "neuron")}


@pytest.mark.parametrize(
    ("file", "platform"),
    [
        ("relu_neuron.cpp", "neuron"),
        ("relu_neuron.cc", "neuron"),
        ("neuron_relu.cpp", "cpu"),
        ("relu.cxx", "cpu"),
        ("relu_neuron.cu", "cuda"),
        ("nki_relu.py", None),
    ],
)
def test_the_platform_of_a_source(file: str, platform: str | None) -> None:
    assert platform_of(Path(file)) == platform


def test_the_keys_of_kernels_have_a_model() -> None:
    """The declaration names them, so that a linter need not load the models."""
    for name, extension in extensions().items():
        keys = {key for platform in extension.platforms for key in platform.keys}
        if keys:
            assert {*imported(extension.models, name).Kernel.__annotations__} == keys
        assert {p.function for p in extension.platforms} - {""} <= keys
