"""Public names of rendered packages are ops, but not the stages that compute some ops on shards."""

from __future__ import annotations

import importlib
import pydoc
import re
from pathlib import Path

import pytest

from opgen.compiler.pipeline import load
from opgen.ir.project import Project
from opgen.output.render import render
from opgen.spec.config import Config

ROOT = Path(__file__).parents[1]


def project() -> Project:
    config = Config(ROOT, package="generated", namespace="generated")
    found, _, _ = load(sorted((ROOT / "generated/reference").glob("*.toml")), config)
    return found


def stages() -> frozenset[str]:
    return frozenset().union(*(family.stages for family in project().families))


@pytest.mark.parametrize("framework", ["torch", "jax"])
def test_stages_are_not_public(framework: str) -> None:
    pytest.importorskip(framework)
    package = importlib.import_module(f"generated.{framework}")
    said = pydoc.plain(pydoc.render_doc(package)).partition("\nFUNCTIONS\n")[2]
    assert "rms_norm_squares" in stages() and "rms_norm(" in said
    for name in stages():
        assert name not in package.__all__
        assert f"\n    {name}(" not in said
        module = importlib.import_module(f"generated.{framework}._{name}")
        assert callable(getattr(module, name))


def test_the_operators_are_registered_with_the_package() -> None:
    torch = pytest.importorskip("torch")
    importlib.import_module("generated.torch")
    for name in stages():
        schema = str(getattr(torch.ops.generated, name).default._schema)
        assert schema.startswith(f"generated::{name}(")
        key = torch._C._dispatch_has_kernel_for_dispatch_key
        assert key(f"generated::{name}", "Meta")  # which has its fake kernel


def test_stages_are_not_in_the_index() -> None:
    index = {file.path: file.text for file in render(project(), ["docs"])}["docs/_index.md"]
    listed = {*re.findall(r"\]\((\w+)\.md\)", index)}
    assert "rms_norm" in listed and not listed & stages()
