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
sharding.splt = ["s"]
kernels = ["cpu"]
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
