"""If the computed size of a result is negative, an error names it before anything is allocated."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import pytest

from opgen.cli.main import main

SPEC = """\
spec = 1

[templates.shrinking]
inputs.x = { dtype = "f32", shape = "n d" }
grad     = "none"
sharding = "replicate"
kernels  = ["cpu"]

[ops.drops_two]
like      = "shrinking"
doc       = "Drops two rows."
outputs.y = { dtype = "f32", shape = "n-2 d" }

[ops.drops_some]
like       = "shrinking"
doc        = "Drops some rows, but not all."
attrs.some = { type = "int" }
dims.left  = "n - some"
outputs.y  = { dtype = "f32", shape = "left d" }
require    = ["left >= 1"]

[ops.makes_some]
like       = "shrinking"
doc        = "Makes some rows."
attrs.rows = { type = "int" }
outputs.y  = { dtype = "f32", shape = "rows d" }
"""


@pytest.fixture
def core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "shrinking.toml").write_text(SPEC)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.opgen]\npackage = "shrinking_ops"\nout = "shrinking_ops"\n'
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert main(["render", "--target", "core", "--target", "cpp"]) == 0
    yield importlib.import_module("shrinking_ops.core")
    for name in [n for n in sys.modules if n.partition(".")[0] == "shrinking_ops"]:
        del sys.modules[name]


def test_a_negative_size_is_refused(core, tmp_path: Path) -> None:
    x = lambda rows: core.TensorSpec((rows, 4), "f32")  # noqa: E731
    assert core.drops_two.infer(x(2)).y.shape == (0, 4)
    message = "drops_two: requires n - 2 >= 0, got n = 1 (n of x)"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        core.drops_two.infer(x(1))
    call = (tmp_path / "shrinking_ops" / "cpp" / "shrinking_call.h").read_text()
    assert 'opgen::require(n_ - 2 >= 0, op, "n - 2 >= 0", "n", n_);' in call


def test_an_attr_that_is_a_size_is_not_negative(core) -> None:
    x = core.TensorSpec((2, 4), "f32")
    assert core.makes_some.infer(x, rows=0).y.shape == (0, 4)
    with pytest.raises(ValueError, match="^makes_some: requires rows >= 0, got rows = -1$"):
        core.makes_some.infer(x, rows=-1)


def test_what_the_spec_requires_itself_is_not_said_twice(core, tmp_path: Path) -> None:
    x = core.TensorSpec((2, 4), "f32")
    with pytest.raises(ValueError, match="requires left >= 1, got left = 0"):
        core.drops_some.infer(x, some=2)
    module = tmp_path / "shrinking_ops" / "core" / "_drops_some.py"
    assert module.read_text().count('require("drops_some"') == 1
