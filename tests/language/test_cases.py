"""The order of cases does not matter: `else` means all other cases, wherever it is written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from opgen.compiler.pipeline import check, resolve
from opgen.output.render import builtin_targets, render
from opgen.source.diagnostics import errors
from opgen.source.source_file import SourceFile
from opgen.spec.config import Config
from opgen.spec.parse import parse_spec
from opgen.spec.spec import Spec

ROOT = Path(__file__).parents[2]
OPTIONS = """spec = 1
[dtypes]
T   = ["f32", "bf16"]
Out = { "T == bf16" = "f32", else = "T" }

[ops.f]
doc            = "One of everything that may have cases."
reference      = "f.py:f"
attrs.flip     = { type = "bool", default = false }
inputs.x       = { dtype = "T", shape = { "flip" = "n *s", else = "*s n" } }
inputs.at      = { dtype = "i32", shape = "n", values = { "flip" = "at >= 0", else = "at < n" } }
dims.m         = { "flip" = "2*n", else = "n" }
outputs.y      = { dtype = { "flip" = "Out", else = "f32" }, shape = { "flip" = "m *s", else = "*s m" } }
outputs.total  = { dtype = "f32", shape = "", reduce.s = "sum" }
sharding.split = { "flip" = ["s"], else = ["s"] }
kernels        = ["cpu"]

[ops.f.grad]
"flip" = "none"
else   = "reference"
"""
FILES = [
    path
    for folder in ("specs", "examples/language/specs", "tests/cases/gradient_by_cases/specs")
    for path in sorted((ROOT / folder).glob("*.toml"))
    if "else" in path.read_text()
]


def else_first(value: Any) -> Any:
    """Return `value` with every `else` before the other keys of its table."""
    if isinstance(value, list):
        return [else_first(item) for item in value]
    if not isinstance(value, dict):
        return value
    keys = sorted(value, key=lambda key: key != "else")
    return {key: else_first(value[key]) for key in keys}


def rendered(spec: Spec) -> dict[str, str]:
    specs = {spec.source.path: spec}
    assert not errors(check(specs))
    project = resolve(specs, {spec.source.path: spec.source}, Config(ROOT))
    return {file.path: file.text for file in render(project, builtin_targets())}


@pytest.mark.parametrize("path", [None, *FILES], ids=lambda p: p.stem if p else "all")
def test_else_may_come_first(path: Path | None, tmp_path: Path) -> None:
    if path is None:
        path = tmp_path / "f.toml"
        path.write_text(OPTIONS)
        (tmp_path / "f.py").write_text("def f(xp, x, at, *, flip):\n    ...\n")
    spec, found = parse_spec(SourceFile.read(path))
    assert spec is not None and not errors(found)
    turned = replace(spec, document=else_first(spec.document))
    assert rendered(turned) == rendered(spec)
