"""What is not rendered yet is refused where a kernel would rely on it, and only there."""

import pytest

from opgen.cli import main

SPEC = """\
spec = 1

[dtypes]
T = ["f32", "f64"]

[ops.twice]
doc            = "Elementwise `2*x`."
reference      = "twice.py:twice"
inputs.x       = { dtype = "T", shape = "m n" }
outputs.y      = { dtype = "T", shape = "m n" }
grad.formulas  = { x = "2*dy" }
sharding.split = ["m"]
kernels.cpu    = { symbol = "twice" }
"""
X, Y = 'inputs.x       = { dtype = "T"', 'outputs.y      = { dtype = "T"'
CHANGES = {
    "a layout by cases": [(X, X + ', layout = { "T == f32" = "columns", else = "contiguous" }')],
    "an update by cases": [(X, X + ', update = { "T == f32" = true, else = false }'), ('grad.formulas  = { x = "2*dy" }', 'grad = "none"')],
    "a symbol by cases": [('symbol = "twice"', 'symbol = { "T == f32" = "twice", else = "again" }')],
    "a layout like a free one": [(X, X + ', layout = "strided"'), (Y, Y + ', layout = "like x"')],
}  # fmt: skip


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "twice.toml").write_text(SPEC)
    (tmp_path / "specs" / "twice.py").write_text(
        "def twice(xp, x):\n    return 2 * x\n"
    )
    (tmp_path / "pyproject.toml").write_text("[tool.opgen]\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def add_kernel(project):
    folder = project / "kernels" / "twice"
    folder.mkdir(parents=True)
    (folder / "twice.cpp").write_text("")


def test_the_spec_itself_renders(project):
    add_kernel(project)
    assert main(["render", "--no-cache"]) == 0


@pytest.mark.parametrize("feature", CHANGES)
def test_refused_with_a_kernel_and_rendered_without(project, capsys, feature):
    text = SPEC
    for old, new in CHANGES[feature]:
        assert old in text
        text = text.replace(old, new)
    (project / "specs" / "twice.toml").write_text(text)
    assert main(["render", "--no-cache", "--out", "without"]) == 0
    add_kernel(project)
    assert main(["render", "--no-cache"]) == 1
    assert "OG033 not-rendered-yet" in capsys.readouterr().out
    assert not (project / "generated").exists()


def test_a_size_that_a_function_computes_is_refused_without_a_kernel_too(
    project, capsys
):
    spec = SPEC.replace("outputs.y      = { dtype = \"T\", shape = \"m n\" }", "outputs.y = { dtype = \"T\", shape = \"m k\" }\ndims.k = { fn = \"sizes.py:k\" }")  # fmt: skip
    (project / "specs" / "twice.toml").write_text(spec.replace('grad.formulas  = { x = "2*dy" }', 'grad = "none"'))  # fmt: skip
    (project / "specs" / "sizes.py").write_text("def k(n):\n    return n\n")
    assert main(["render", "--no-cache"]) == 1
    assert "a size that a function computes is part of the language" in capsys.readouterr().out  # fmt: skip
