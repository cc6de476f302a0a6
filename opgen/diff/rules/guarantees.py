"""A guarantee was withdrawn.

This rule compares the guarantees of an op, and requires that none is removed.

Why: a program that compares bits or regroups the rows of batches may rely on the guarantee.

How to fix: keep the guarantee, or accept the break.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diff.rule import Path, Rule
from opgen.ir.op import Op

RULE = Rule("OG935", "guarantees", "NUMERIC")


def check(old: Op, new: Op) -> Iterator[tuple[Path, str]]:
    was, now = old.guarantees, new.guarantees
    for name in was.invariant:
        if name not in now.invariant:
            yield ("guarantees",), f"results did not depend on each other along `{name}`, and may"
    for key in ("deterministic", "exact"):
        if getattr(was, key) and not getattr(now, key):
            yield ("guarantees",), f"`{key}` was guaranteed, and is not"
