"""Test each rule of `opgen diff` with one change of one spec."""

import json
import os
import subprocess

import pytest

from opgen.cli.main import main
from opgen.diff.rules import MODULES, OF_PROJECTS

SPEC = """\
spec = 1

[dtypes]
T = ["f32", "f64"]
W = ["f32", "f64"]

[ops.scale]
doc              = "Scales rows."
reference        = "scale.py:scale"
inputs.x         = { dtype = "T", shape = "*batch n" }
inputs.weight    = { dtype = "W", shape = "n" }
attrs.eps        = { type = "float", default = 1e-5, min = 0.0 }
attrs.mode       = { type = "str", default = "a", choices = ["a", "b"] }
outputs.y        = { dtype = "T", shape = "*batch n" }
outputs.norm     = { dtype = "T", shape = "*batch", differentiable = false }
residuals.stat   = { dtype = "T", shape = "*batch" }
guarantees       = ["deterministic", "invariant", "exact"]
grad.backward    = "scale_bwd"
sharding.split   = ["batch"]
kernels          = ["cpu"]

[ops.scale_bwd]
doc              = "Gradient of `scale`."
inputs.dy        = { dtype = "T", shape = "*batch n" }
inputs.stat      = { dtype = "T", shape = "*batch" }
inputs.x         = { dtype = "T", shape = "*batch n" }
inputs.weight    = { dtype = "W", shape = "n" }
outputs.dx       = { dtype = "T", shape = "*batch n" }
outputs.dweight  = { dtype = "T", shape = "n", reduce = { batch = "sum" } }
grad             = "reference"
sharding.split   = ["batch"]
kernels          = ["cpu"]

[bundles.pair]
left  = { dtype = "T", shape = "n" }
right = { dtype = "T", shape = "n" }

[ops.added]
doc              = "Adds two."
inputs.a_left    = { dtype = "T", shape = "n" }
inputs.a_right   = { dtype = "T", shape = "n" }
outputs.y        = { dtype = "T", shape = "n" }
grad             = "none"
sharding         = "replicate"
kernels          = ["cpu"]

[ops.bump_]
doc              = "Adds one."
inputs.x         = { dtype = "T", shape = "*s", update = true }
grad             = "none"
sharding         = { split = ["s"] }
kernels          = ["cpu"]
"""
TWO = """\
inputs.a_left    = { dtype = "T", shape = "n" }
inputs.a_right   = { dtype = "T", shape = "n" }
"""
REFERENCE = "def scale(xp, x, weight, *_, **__):\n    return x * weight, x[..., 0]\n"

# rule, category, replaced text, new text
CHANGES = [
    (
        "descriptor-layout",
        "ABI",
        "attrs.mode ",
        "attrs.aaa = { type = 'int', default = 0 }\nattrs.mode ",
    ),
    (
        "kernel-arguments",
        "ABI",
        "residuals.stat   =",
        "residuals.more = { dtype = 'T', shape = '*batch' }\nresiduals.stat   =",
    ),
    ("op-removed", "GRAPH", "scale_bwd", "scale_back"),
    (
        "input-order",
        "GRAPH",
        "attrs.eps",
        "inputs.extra = { dtype = 'T', shape = 'n', differentiable = false }\nattrs.eps",
    ),
    ("required-attrs", "GRAPH", 'type = "float", default = 1e-5', 'type = "float"'),
    (
        "required-attrs",
        "GRAPH",
        'attrs.mode       = { type = "str", default = "a", choices = ["a", "b"] }\n',
        "",
    ),
    ("saved-tensors", "GRAPH", "stat ", "kept "),
    ("result-order", "GRAPH", "outputs.norm ", "outputs.length "),
    ("python-names", "SOURCE", "weight ", "gain "),
    ("bundles", "SOURCE", TWO, "inputs.a = { bundle = 'pair' }\n"),
    ("defaults", "SOURCE", "1e-5", "1e-6"),
    ("defaults", "SOURCE", 'choices = ["a", "b"]', 'choices = ["a"]'),
    ("defaults", "SOURCE", "min = 0.0", "min = 1e-9"),
    ("dtypes", "NUMERIC", 'W = ["f32", "f64"]', 'W = ["f64"]'),
    ("dtypes", "NUMERIC", 'outputs.norm     = { dtype = "T"', 'outputs.norm     = { dtype = "W"'),
    (
        "shapes",
        "NUMERIC",
        'outputs.norm     = { dtype = "T", shape = "*batch"',
        'outputs.norm     = { dtype = "T", shape = "*batch 1"',
    ),
    (
        "shapes",
        "NUMERIC",
        'kernels          = ["cpu"]\n\n',
        "kernels          = [\"cpu\"]\nrequire = ['n % 8 == 0']\n\n",
    ),
    ("gradient", "NUMERIC", 'grad             = "reference"', 'grad             = "none"'),
    ("sharding", "NUMERIC", 'sharding.split   = ["batch"]', 'sharding         = "replicate"'),
    ("sharding", "NUMERIC", '{ split = ["s"] }', '"replicate"'),
    (
        "guarantees",
        "NUMERIC",
        'guarantees       = ["deterministic", "invariant", "exact"]',
        'guarantees       = ["invariant", "exact"]',
    ),
    (
        "guarantees",
        "NUMERIC",
        'guarantees       = ["deterministic", "invariant", "exact"]',
        'guarantees       = ["deterministic", "exact"]',
    ),
]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Create a project in a git repository. HEAD contains SPEC."""
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "scale.toml").write_text(SPEC)
    (tmp_path / "specs" / "scale.py").write_text(REFERENCE)
    (tmp_path / "pyproject.toml").write_text("[tool.opgen]\n")
    (tmp_path / "kernels" / "scale").mkdir(parents=True)
    (tmp_path / "kernels" / "scale" / "scale.cpp").write_text("")
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Begin"]):
        identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
        subprocess.run(["git", *identity, *command], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def change(project, old, new):
    assert old in SPEC
    text = SPEC.replace(old, new)
    (project / "specs" / "scale.toml").write_text(text)
    return text


def diff(capsys, against="HEAD"):
    code = main(["diff", "--against", against, "--format", "json"])
    out = capsys.readouterr().out
    return code, json.loads(out) if out else []


def test_the_same_specs_break_nothing(project, capsys):
    assert diff(capsys)[0] == 0


def test_other_words_break_nothing(project, capsys):
    """Renamed dims, another doc and another TOML style of the same table are compatible changes."""
    change(project, "batch", "lead")
    text = (project / "specs" / "scale.toml").read_text().replace("Scales rows", "Scales each row")
    (project / "specs" / "scale.toml").write_text(text)
    code, found = diff(capsys)
    # Dims without their old names may have been split, or named in promises: only that is reported.
    assert {f["name"] for f in found} <= {"sharding", "guarantees", "descriptor-layout"}


@pytest.mark.parametrize(("rule", "category", "old", "new"), CHANGES, ids=lambda v: str(v)[:24])
def test_each_rule_finds_its_change(project, capsys, rule, category, old, new):
    change(project, old, new)
    code, found = diff(capsys)
    assert code == 1
    named = [f for f in found if f["name"] == rule]
    assert named, found
    assert all(f["message"].startswith(f"{category}: ") for f in named)


def test_an_accepted_break_passes_and_a_stale_one_is_told(project, capsys):
    change(project, "1e-5", "1e-6")
    entry = (
        '[[tool.opgen.accepted_break]]\nrule = "defaults"\nop = "scale"\nreason = "the paper\'s"\n'
    )
    (project / "pyproject.toml").write_text(f"[tool.opgen]\n\n{entry}")
    assert diff(capsys)[0] == 0
    (project / "specs" / "scale.toml").write_text(SPEC)
    code, found = diff(capsys)
    assert code == 0 and [f["name"] for f in found] == ["unused-accepted-break"]


def test_against_a_folder_and_against_nothing(project, capsys):
    os.rename(project / "specs", project / "before")
    (project / "specs").mkdir()
    (project / "specs" / "scale.py").write_text(REFERENCE)
    (project / "specs" / "scale.toml").write_text(SPEC.replace("1e-5", "1e-6"))
    assert diff(capsys, "before")[0] == 1
    assert main(["diff", "--against", "no-such-revision"]) == 2
    assert "no-such-revision" in capsys.readouterr().err


def test_every_rule_is_documented(capsys):
    known = {rule.name: rule.id for rule in (*OF_PROJECTS, *(m.RULE for m in MODULES))}
    for name in dict.fromkeys(
        (*(rule for rule, *_ in CHANGES), *(rule.name for rule in OF_PROJECTS))
    ):
        assert main(["explain", known[name]]) == 0
        assert "Why: " in capsys.readouterr().out


def test_a_reduction_is_told_in_words(project, capsys):
    change(project, '{ batch = "sum" }', '{ batch = { "T == f32" = "max", else = "sum" } }')
    code, found = diff(capsys)
    assert code == 1
    (message,) = [f["message"] for f in found if f["name"] == "sharding"]
    assert (
        "`dweight` was reduced by sum over batch, and is by (max if T == f32, else sum) over batch"
        in message
    )


@pytest.mark.parametrize("key", ["namespace", "package"])
def test_another_namespace_or_package(project, capsys, key):
    """Renaming the namespace or the package breaks every op's name."""
    (project / "pyproject.toml").write_text(f'[tool.opgen]\n{key} = "mine"\n')
    code, (found,) = diff(capsys)
    assert code == 1 and found["name"] == key and found["line"] == 2
    assert found["message"].endswith(f"the {key} was `generated`, and is `mine`")
    entry = f'[[tool.opgen.accepted_break]]\nrule = "{key}"\nop = "*"\nreason = "meant"\n'
    (project / "pyproject.toml").write_text(f'[tool.opgen]\n{key} = "mine"\n{entry}')
    assert diff(capsys)[0] == 0


def test_a_folder_of_specs_that_was_elsewhere(project, capsys):
    (project / "specs").rename(project / "ops")
    (project / "pyproject.toml").write_text('[tool.opgen]\nspecs = "ops"\n')
    assert diff(capsys)[0] == 0


def test_other_files_among_the_specs(project, capsys):
    """A TOML file that is not a spec, and a file name that is not ASCII, are ignored."""
    (project / "specs" / "ruff.toml").write_text("line-length = 100\n")
    (project / "specs" / "\u00fc b.txt").write_text("")
    identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    for command in (["add", "."], ["commit", "-q", "-m", "More"]):
        subprocess.run(["git", *identity, *command], cwd=project, check=True)
    assert diff(capsys)[0] == 0
