"""The parameters of reference functions follow their specs."""

from __future__ import annotations

import inspect
import tomllib
from pathlib import Path

from opgen.spec.inheritance import whole_op

from .calls import SPECS, reference


def test_signatures_follow_the_specs() -> None:
    """A reference takes inputs in the spec's order, and attrs by keyword.

    Optional inputs default to None.
    """
    seen = set()
    for path in sorted(SPECS.glob("*.toml")):
        document = tomllib.loads(path.read_text())
        for op_name in document["ops"]:
            op = whole_op(document, op_name)
            if "reference" not in op:
                continue
            file, _, name = op["reference"].partition(":")
            seen.add(file)
            parameters = inspect.signature(reference(Path(file).stem, name)).parameters
            xp, *rest = parameters.values()
            attrs = [p.name for p in rest if p.kind is p.KEYWORD_ONLY]
            inputs = [p for p in rest if p.kind is not p.KEYWORD_ONLY]
            assert xp.name == "xp"
            assert [p.name for p in inputs] == list(op.get("inputs", {}))
            assert attrs == list(op.get("attrs", {}))
            for parameter, table in zip(inputs, op["inputs"].values()):
                absent = table.get("optional", False) or "when" in table
                assert parameter.default is (None if absent else parameter.empty)
    assert len(seen) >= 18
