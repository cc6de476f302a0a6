"""What must hold on every Python that opgen supports, checked on whichever runs the tests."""

from __future__ import annotations

import subprocess
import symtable
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COMPREHENSIONS = {f"{kind}comp" for kind in ("list", "set", "dict")}


def shadowed(table: symtable.SymbolTable) -> Iterator[str]:
    """Where a comprehension's variable is a name that its function takes from outside.

    From Python 3.12 on a comprehension is part of its function, and the name is then read
    before it is set: UnboundLocalError.
    """
    free = {each.get_name() for each in table.get_symbols() if each.is_free()}
    for inner in table.get_children():
        if inner.get_name().strip("<>") in COMPREHENSIONS:
            bound = {each.get_name() for each in inner.get_symbols() if each.is_local()}
            for name in free & bound:
                yield f"{table.get_name()}, line {inner.get_lineno()}: {name}"
        yield from shadowed(inner)


def test_a_comprehension_that_shadows_is_found() -> None:
    source = "def f(a):\n  def g(b):\n    c = {a: 1 for a in b}\n    return a\n"
    assert [*shadowed(symtable.symtable(source, "a.py", "exec"))] == ["g, line 3: a"]


@pytest.mark.parametrize("folder", ["opgen", "generated", "examples", "bench"])
def test_no_comprehension_shadows_a_name_of_its_closure(folder: str) -> None:
    listed = ["git", "ls-files", f"{folder}/*.py"]
    files = subprocess.run(
        listed, cwd=ROOT, capture_output=True, text=True
    ).stdout.split()
    assert files or not (ROOT / ".git").exists()
    found = [
        f"{file}: {place}"
        for file in files
        for place in shadowed(
            symtable.symtable((ROOT / file).read_text(), file, "exec")
        )
    ]
    assert not found
