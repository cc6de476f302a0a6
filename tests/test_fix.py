"""`opgen lint --fix` makes only corrections that are certainly right."""

from __future__ import annotations

from pathlib import Path

import pytest

from opgen.cli.main import main
from opgen.compiler.fix import fixed
from opgen.source.source_file import SourceFile

WRONG = """\
#:schema ./opgen.schema.json
[dtypes]
T = ["float32", bf16]

[ops.square]
doc = "Squares `x`."  # shpe
inputs.x = { dtype = "T", shpe = "*s" }
outputs.y = { dtype = half, shape = "*s" }
grad.formulas = { x = "2 * x^1 * dy" }
version = 2
tags = ["a"]
deprecated = "Use `cube`."
neuron = { library = "squares", stack_size = 8192 }
sharding.excuses = [ # gone
    { dims = ["s"], reason = "why" },
]  # all of it
sharding.splt = ["s"]
kernels = ["cpu"]

[ops.cube]
like = "square"
dims.m = { fn = "sizes.py:m" }
sharding = { split = ["s"], excuses = [] }

[ops.fourth]
like = "square"
sharding = { excuses = [], split = ["s"], unit = { s = 8 } }
"""
RIGHT = """\
#:schema ./opgen.schema.json
spec = 1

[dtypes]
T = ["f32", "bf16"]

[ops.square]
doc = "Squares `x`."  # shpe
inputs.x = { dtype = "T", shape = "*s" }
outputs.y = { dtype = "f16", shape = "*s" }
grad.formulas = { x = "2 * x**1 * dy" }
sharding.split = ["s"]
kernels = ["cpu"]

[ops.cube]
like = "square"
dims.m = "sizes.py:m"
sharding = { split = ["s"] }

[ops.fourth]
like = "square"
sharding = { split = ["s"] }
"""


def test_every_kind_of_correction() -> None:
    assert fixed(SourceFile("square.toml", WRONG)).text == RIGHT


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('dtype = "T", shape', 'dtype = "U", shape'),  # a dtype variable, or u8
        ('shape = "*s" }\noutputs', 'form = "*s" }\noutputs'),
        ('kernels = ["cpu"]', 'kernels = ["gpu"]'),
    ],
)
def test_a_guess_is_left_to_the_author(right: str, wrong: str) -> None:
    assert right in RIGHT
    text = RIGHT.replace(right, wrong)
    assert fixed(SourceFile("square.toml", text)).text == text


def test_a_diff_changes_nothing_and_a_fix_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    spec = tmp_path / "square.toml"
    spec.write_text(WRONG)
    assert main(["lint", "square.toml", "--diff"]) == 1
    shown = capsys.readouterr().out
    assert '-T = ["float32", bf16]\n+T = ["f32", "bf16"]\n' in shown and spec.read_text() == WRONG
    main(["lint", "square.toml", "--fix"])
    assert spec.read_text() == RIGHT
    capsys.readouterr()
    assert main(["lint", "square.toml", "--diff"]) == 0 and not capsys.readouterr().out


PYTHON = """\
spec = 1

[ops.f]
doc = "An op."
inputs.x = { dtype = "f32", shape = "n" }
inputs.weight = { dtype = "f32", shape = "n", init = { normal = "1" } }
outputs.y = { dtype = "f32", shape = "n" }
grad = "none"
sharding = "replicate"
kernels = ["cpu"]
torch.module = "F"
torch.out = true
jax = { module = "F", nnx = { a = "n" } }

[[ops.f.torch.patches]]
of = ["a.B"]
args = { x = "x" }

[[ops.f.torch.patches]]
of = ["a.C"]

[ops.g]
like = "f"
"""


def test_what_has_to_be_written_in_python_is_left_to_the_author(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Old keys that need Python code are left to the author.

    `opgen diff` with an old version ignores such keys.
    """
    source = SourceFile("f.toml", PYTHON)
    assert fixed(source).text == PYTHON
    left = fixed(source, by_hand=True).text
    assert left.count("init") == left.count("module") == left.count("patches") == 0
    assert "torch.out = true" in left and "jax" not in left
    assert left.endswith('torch.out = true\n\n[ops.g]\nlike = "f"\n')
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.toml").write_text(PYTHON)
    main(["lint", "f.toml"])
    said = capsys.readouterr().out
    assert said.count("unknown key") == 3 and said.count("`init` is not a key of inputs") == 1
    for name in ("the module", "a class for `register_patch`"):
        assert f"write {name} in `<family>_torch.py` next to the spec" in said
