"""Batch dims that join a group are declared once, for explanations and both frameworks."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from opgen.cli.main import main
from opgen.compiler.pipeline import load
from opgen.docs.explain import explain_op
from opgen.ir.batching import foldable, folded_group, leads
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.output.render import render
from opgen.spec.config import Config, load_config

ROOT = Path(__file__).parents[2]
HEAD = """spec = 1
[dtypes]
T = ["f32", "f64"]
[templates.t]
doc            = "An op of a test."
inputs.x       = { dtype = "T", shape = "*s d" }
outputs.y      = { dtype = "T", shape = "*s d" }
grad           = "none"
sharding.split = ["s"]
kernels        = ["reference"]
"""
# The op; the group of dims that a batch joins in every call; groups that it joins in some calls.
OPS = {
    "plain": ("inputs.w = { dtype = 'T', shape = 'd' }", "s", ("s",)),
    "whole": ("sharding = 'replicate'", None, ()),
    "loops": ("vmap = 'loop'", None, ()),
    "refused": ("vmap = 'none'", None, ()),
    "turned": ("inputs.t = { dtype = 'T', shape = 'd *s' }", None, ()),
    "total": ("outputs.z = { dtype = 'T', shape = '', reduce = { s = 'sum' } }", None, ()),
    "at_times": (
        "attrs.total = { type = 'bool', default = false }\noutputs.z = { dtype = 'T', shape = '', "
        "when = 'total', reduce = { s = 'sum' } }",
        None,
        ("s",),
    ),
    "by_form": ("inputs.at = { dtype = 'T', shape = ['*s d', 'd'] }", None, ("s",)),
    "by_case": (
        "attrs.flip = { type = 'bool' }\nsharding.split = { 'flip' = ['s'], else = [] }",
        None,
        ("s",),
    ),
    "by_default": ("attrs.scale = { type = 'float', default = '1.0 / prod(s)' }", None, ()),
    "by_numel": ("attrs.scale = { type = 'float', default = '1.0 / numel(x)' }", None, ()),
    "limited": ("require = ['prod(s) <= 6']", None, ()),
    "derived": ("dims.n = 'prod(s)'\ninputs.w = { dtype = 'T', shape = 'd' }", None, ()),
    "by_init": ("outputs.y = { dtype = 'T', shape = '*s d', init = '1 / prod(s)' }", None, ()),
    "asked": (
        "inputs.b = { dtype = 'T', shape = 'd', optional = true }\nrequire = ['present(b) or d == 1']",
        "s",
        ("s",),
    ),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    folder = tmp_path_factory.mktemp("batching")
    ops = [
        f"[ops.{n}]\nlike = 't'\nreference = 'family.py:f'\n{text}\n"
        for n, (text, *_) in OPS.items()
    ]
    (folder / "family.toml").write_text("\n".join([HEAD, *ops]))
    (folder / "family.py").write_text("def f(xp, x, *others, **attrs):\n    return x\n")
    found, diagnostics, _ = load([folder / "family.toml"], Config(folder))
    assert found is not None, [d.message for d in diagnostics]
    return found


@pytest.mark.parametrize("name", OPS)
def test_the_group_that_a_batch_joins(project: Project, name: str) -> None:
    _, always, sometimes = OPS[name]
    op = project.op(name)
    assert (folded_group(op), foldable(op)) == (always, sometimes)


def repository() -> Project:
    config, *_ = load_config(ROOT)
    found, *_ = load(sorted(config.specs_dir.glob("*.toml")), config)
    assert found is not None
    return found


def test_all_say_the_same() -> None:
    project = repository()
    pages = {file.path: file.text for file in render(project, ["docs"])}
    for op in project.ops:
        group = folded_group(op)
        updates = any(t.update for t in op.inputs)
        joined = [t.name for t in op.inputs if group and leads(t, group)]
        facts = importlib.import_module(f"generated.core._{op.name}").FACTS
        assert facts.fold == foldable(op), op.name
        assert [t.name for t in facts.inputs if t.folds] == ([] if updates else joined), op.name
        _explained(op, group, updates, pages[f"docs/{op.name}.md"])


def _explained(op: Op, group: str | None, updates: bool, page: str) -> None:
    text = explain_op(op)
    for name in foldable(op):
        (said,) = (line.strip() for line in text.split("\n") if f"joins `*{name}`" in line)
        assert said in page
        assert ("In JAX, `vmap`" in said) == (updates or group != name)
    if not foldable(op) and op.vmap != "none":
        assert "`vmap` is a loop." in text


SCALED = HEAD + """
[ops.scaled]
like = "t"
reference = "family.py:scaled"
attrs.scale = { type = "float", default = "1.0 / prod(s)" }

[ops.limited]
like = "t"
reference = "family.py:limited"
require = ["prod(s) <= 6"]
"""
REFERENCES = """
def scaled(xp, x, *, scale):
    return x * scale


def limited(xp, x):
    return x
"""


def test_what_looks_at_sizes_is_not_changed_by_a_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A default that depends on sizes does not change if a batch is added.

    Formerly it was computed from the sizes with the batch, which gave wrong results without an
    error.
    """
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/family.toml").write_text(SCALED)
    (tmp_path / "specs/family.py").write_text(REFERENCES)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.opgen]\nout = "batched_ops"\npackage = "batched_ops"\nnamespace = "batched_ops"\n'
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert main(["render", "--no-cache"]) == 0
    ops = importlib.import_module("batched_ops.jax")
    try:
        x = jax.random.normal(jax.random.key(3), (4, 2, 3, 5))
        np.testing.assert_allclose(jax.vmap(ops.scaled)(x), x / 6, rtol=1e-6)
        assert jnp.array_equal(jax.vmap(ops.limited)(x), x)
    finally:
        for name in [n for n in sys.modules if n.partition(".")[0] == "batched_ops"]:
            del sys.modules[name]
