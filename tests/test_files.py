"""Files next to specs: references, kernel sources, and files named after families."""

from __future__ import annotations

from pathlib import Path

import pytest

from opgen.compiler.pipeline import load
from opgen.source.report import report
from opgen.spec.config import Config

SPEC = """spec = 1

[ops.NAME]
doc         = "An op."
reference   = "f.py:{name}"
inputs.x    = { dtype = "f32", shape = "*s" }
outputs.y   = { dtype = "f32", shape = "*s" }
grad        = "none"
sharding    = "replicate"
kernels     = ["cpu", { on = "neuron", nki = "{name}/a.py:{name}" }]
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kernels" / "f").mkdir(parents=True)
    (tmp_path / "kernels" / "f" / "a.py").write_text("def f(x, y):\n    pass\n")
    (tmp_path / "f.toml").write_text(SPEC.replace("NAME", "f"))
    (tmp_path / "f.py").write_text("def f(xp, x):\n    return x\n")
    return tmp_path


def findings(project: Path) -> str:
    paths = sorted(Path().rglob("*.toml"))
    _, found, sources = load(paths, Config(project))
    return report(found, sources, "text")


def test_all_is_there(project: Path) -> None:
    assert findings(project) == "all good\n"


def test_no_reference(project: Path) -> None:
    (project / "f.py").write_text("def ff(xp, x): ...\n")
    assert "f.toml:5:15: error[OG030 bad-reference]: f.py has no function `f`" in findings(project)
    (project / "f.py").write_bytes(b"\xff")
    assert "bad-reference]: f.py: the file is not UTF-8" in findings(project)
    (project / "f.py").unlink()
    assert "bad-reference]: f.py: cannot be read: No such file" in findings(project)


def test_a_reference_with_inputs_in_another_order(project: Path) -> None:
    spec = (project / "f.toml").read_text()
    z = 'inputs.z    = { dtype = "f32", shape = "*s" }'
    (project / "f.toml").write_text(spec.replace("inputs.x", f"{z}\ninputs.x"))
    (project / "f.py").write_text("def f(xp, z, x):\n    return x\n")
    assert findings(project) == "all good\n"
    (project / "f.py").write_text("def f(xp, x, z):\n    return x\n")
    wanted = "error[OG030 bad-reference]: `f` takes x, z in this order; the inputs are z, x"
    assert wanted in findings(project)
    (project / "f.py").write_text("def f(xp, x, other):\n    return x\n")
    assert findings(project) == "all good\n"


@pytest.mark.parametrize(
    ("signature", "wanted"),
    [
        ("x", "`f` takes (x): the first parameter is `xp`"),
        ("", "`f` takes (): the first parameter is `xp`"),
        ("xp", "`f` takes (xp), and has no place for `x`"),
        ("xp, x, y", "`f` takes (xp, x, y): `y` is neither an input nor an attr"),
        ("xp, x", "`f` lacks the attr `eps`"),
        ("xp, x, *, eps, p", "`f` asks for `p`, which is no attr"),
        ("xp, x, *, eps, p=1", None),
        ("xp, x, eps", None),
        ("xp, *xs, **options", None),
        ("*xs, **options", None),
    ],
)
def test_the_parameters_of_a_reference(project: Path, signature: str, wanted: str | None) -> None:
    with (project / "f.toml").open("a") as spec:
        spec.write('attrs.eps   = { type = "float" }\n')
    (project / "f.py").write_text(f"def f({signature}): ...\n")
    found = findings(project)
    if wanted is None:
        assert found == "all good\n"
    else:
        assert f"f.toml:5:15: error[OG030 bad-reference]: {wanted}" in found
        assert "help: " in found


def test_a_reference_that_needs_a_framework(project: Path) -> None:
    guarded = "def f(xp, x):\n    if hasattr(x, 'aval'):\n        import jax\n    return x\n"
    (project / "f.py").write_text(guarded)
    assert findings(project) == "all good\n"
    (project / "f.py").write_text("import torch\n\n" + guarded)
    assert "f.py:1:1: error[OG030 bad-reference]: it imports torch" in findings(project)
    (project / "f.py").write_text(
        "def f(xp, x):\n    from jax.numpy import exp\n    return exp(x)\n"
    )
    assert "f.py:2:5: error[OG030 bad-reference]: it imports jax.numpy" in findings(project)


def test_a_reference_that_is_not_python(project: Path) -> None:
    (project / "f.py").write_text("x = 1\ndef f(xp, x:\n    pass\n")
    text = findings(project)
    assert "f.py:2:6: error[OG030 bad-reference]: the file is not Python" in text
    assert "2 | def f(xp, x:" in text


def test_no_source(project: Path) -> None:
    (project / "kernels" / "f" / "a.py").unlink()
    said = "f.toml:10:46: error[OG031 missing-source]: kernels/f/a.py: cannot be read"
    assert said in findings(project)


def test_file_names(project: Path) -> None:
    (project / "f.toml").rename("F-1.toml")
    assert "F-1.toml:1:1: error[OG032 bad-file-name]" in findings(project)
    (project / "F-1.toml").rename("math.toml")
    assert (
        "math.toml:1:1: error[OG032 bad-file-name]: math.h is a header of the C library"
        in findings(project)
    )
    (project / "math.toml").rename("f.toml")
    (project / "sub").mkdir()
    (project / "sub" / "f.toml").write_text(SPEC.replace("NAME", "g").replace("f.py", "g.py"))
    (project / "sub" / "g.py").write_text("def g(xp, x):\n    return x\n")
    assert "sub/f.toml:1:1: error[OG032 bad-file-name]: the family `f` is also f.toml" in findings(
        project
    )


def test_two_families_may_share_a_reference_file(project: Path) -> None:
    (project / "kernels" / "g").mkdir()
    (project / "kernels" / "g" / "a.py").write_text("def g(x, y):\n    pass\n")
    (project / "g.toml").write_text(SPEC.replace("NAME", "g"))
    (project / "f.py").write_text("def f(xp, x): ...\ndef g(xp, x): ...\n")
    assert findings(project) == "all good\n"
    loaded, *_ = load([Path("f.toml"), Path("g.toml")], Config(project))
    from opgen.output.render import render

    assert loaded is not None
    paths = [file.path for file in render(loaded, ["core"])]
    assert paths.count("reference/f.py") == 1
