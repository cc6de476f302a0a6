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
CHANGES = {
    "init": ('outputs.y      = { dtype = "T", shape = "m n" }', 'outputs.y = { dtype = "T", shape = "m n", init = "0" }'),
    "align": ('inputs.x       = { dtype = "T"', 'inputs.x = { align = 64, dtype = "T"'),
    "layout": ('inputs.x       = { dtype = "T"', 'inputs.x = { layout = "columns", dtype = "T"'),
    "workspace": ('symbol = "twice"', 'symbol = "twice", workspace = "bytes"'),
    "index": ('symbol = "twice"', 'symbol = "twice", index = "i32"'),
    "require": ('symbol = "twice"', 'symbol = "twice", require = ["n >= 1"]'),
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
    old, new = CHANGES[feature]
    assert old in SPEC
    (project / "specs" / "twice.toml").write_text(SPEC.replace(old, new))
    assert main(["render", "--no-cache", "--out", "without"]) == 0
    add_kernel(project)
    assert main(["render", "--no-cache"]) == 1
    assert "OG033 not-rendered-yet" in capsys.readouterr().out
    assert not (project / "generated").exists()


def test_a_kernel_in_a_library_is_refused(project, capsys):
    kernel = '{ library = "libtwice.so", call = "twice(x, y, m, n)" }'
    (project / "specs" / "twice.toml").write_text(
        SPEC.replace('{ symbol = "twice" }', kernel)
    )
    assert main(["render", "--no-cache"]) == 1
    assert "not-rendered-yet" in capsys.readouterr().out
