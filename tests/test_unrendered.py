"""Refusals of `opgen render` that lint does not report, and sizes computed by Python functions."""

import pytest

from opgen.cli.main import main

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
kernels        = [{ on = "cpu", symbol = "twice" }]
"""
Y = 'outputs.y      = { dtype = "T"'


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "twice.toml").write_text(SPEC)
    (tmp_path / "specs" / "twice.py").write_text("def twice(xp, x):\n    return 2 * x\n")
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


SIZED = SPEC.replace(
    '"m n" }\ngrad.formulas  = { x = "2*dy" }',
    '"m k" }\ndims.k         = "sizes.py:k"\ngrad           = "none"',
)


def render(project, spec, function="def k(n):\n    return n\n"):
    (project / "specs" / "twice.toml").write_text(spec)
    (project / "specs" / "sizes.py").write_text(function)
    return main(["render", "--no-cache"])


def test_a_size_that_a_function_computes_is_rendered(project):
    assert render(project, SIZED) == 0
    assert (project / "generated" / "reference" / "sizes.py").exists()


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("def l(n):\n    return n\n", "sizes.py has no function `k`"),
        ("def k(nn):\n    return nn\n", "`k` asks for `nn`, which is not known"),
        ("def k(n:\n", "the file is not Python"),
    ],
)
def test_a_function_that_cannot_be_called_is_told(project, capsys, function, said):
    assert render(project, SIZED, function) == 1
    assert said in capsys.readouterr().out


def test_a_function_knows_what_is_learnt_before_it(project, capsys):
    spec = SIZED.replace("outputs.y", 'inputs.w       = { dtype = "T", shape = "j+k" }\noutputs.y')
    (project / "specs" / "twice.py").write_text("def twice(xp, x, w, **_):\n    return 2 * x\n")
    assert render(project, spec) == 0
    assert render(project, spec, "def k(j):\n    return j\n") == 1
    assert "`k` asks for `j`, which is not known before it" in capsys.readouterr().out


@pytest.mark.parametrize(
    "good, bad, rule",
    [
        ('{ x = "2*dy" }', '{ x = "2*" }', "OG104"),
        (', shape = "m n" }\noutputs', " }\noutputs", "OG101"),
        (Y, Y + ', layout = "like z"', "OG308"),
    ],
    ids=["a formula", "a shape", "a layout"],
)
def test_what_lint_refuses_is_left_to_it(good, bad, rule, project, capsys):
    add_kernel(project)
    assert good in SPEC
    (project / "specs" / "twice.toml").write_text(SPEC.replace(good, bad))
    assert main(["render"]) == 1
    shown = capsys.readouterr()
    assert rule in shown.out + shown.err
    assert "internal" not in shown.out + shown.err
