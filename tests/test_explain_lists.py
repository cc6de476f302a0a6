"""DTensor cannot place an op that returns a list: `opgen explain` reports it, tests skip it."""

from __future__ import annotations

import re
from pathlib import Path

from opgen.compiler.pipeline import load
from opgen.ir.placements import untold
from opgen.output.render import render
from opgen.spec.config import Config

SPECS = Path(__file__).parents[1] / "examples/language/specs"


def test_a_list_of_results_has_no_placement() -> None:
    project, _, _ = load([SPECS / "results.toml"], Config(SPECS.parent))
    assert project is not None
    ops = {op.name: untold(op) for op in project.ops}
    assert ops == {"moments": None, "split_rows": "the op returns a list", "accumulate": None}
    texts = {f.path: f.text for f in render(project, ["tests", "docs"])}
    assert "DTensor | none, the op returns a list" in texts["docs/split_rows.md"]
    assert "DTensor" not in texts["docs/moments.md"]
    found = dict(re.findall(r'"(\w+)": "(.*)"', texts["tests/test_ops.py"]))
    assert "split" in found["split_rows"].split()
    assert "dtensor" not in found["split_rows"].split()
    assert "dtensor" in found["moments"].split()
