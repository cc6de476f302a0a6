"""Conditions that must hold on every supported Python, checked on the running one."""

from __future__ import annotations

import ast
import subprocess
import symtable
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


class AsGenerators(ast.NodeTransformer):
    """Turns comprehensions into generators, which are separate functions on every Python."""

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp) -> ast.AST:
        return self.generic_visit(ast.GeneratorExp(node.elt, node.generators))

    visit_SetComp = visit_ListComp

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        pair = ast.Tuple([node.key, node.value], ast.Load())
        return self.generic_visit(ast.GeneratorExp(pair, node.generators))


def shadowed(source: str) -> list[str]:
    """Return the variables of comprehensions and generators that shadow a name of a function.

    From Python 3.12 on, a comprehension is part of its function. Such a name is then read before it
    is set, which raises UnboundLocalError. The symbol tables of these Pythons have no
    comprehensions.
    """
    tree = AsGenerators().visit(ast.parse(source))
    return [*_shadowed(symtable.symtable(ast.unparse(tree), "source", "exec"))]


def _shadowed(table: symtable.SymbolTable) -> Iterator[str]:
    free = {each.get_name() for each in table.get_symbols() if each.is_free()}
    for inner in table.get_children():
        if inner.get_name().strip("<>") == "genexpr":
            bound = {each.get_name() for each in inner.get_symbols() if each.is_local()}
            yield from (f"{table.get_name()}: {name}" for name in sorted(free & bound))
        yield from _shadowed(inner)


@pytest.mark.parametrize("read", ["[a for a in b]", "{a: 1 for a in b}", "{a for a in b}"])
@pytest.mark.parametrize("returned", ["a", "lambda: a"])
def test_a_comprehension_that_shadows_is_found(read: str, returned: str) -> None:
    source = f"def f(a):\n  def g(b):\n    c = {read}\n    return {returned}\n"
    assert shadowed(source) == ["g: a"]


@pytest.mark.parametrize("folder", ["opgen", "generated", "examples", "bench"])
def test_no_comprehension_shadows_a_name_of_its_closure(folder: str) -> None:
    listed = ["git", "ls-files", f"{folder}/*.py"]
    files = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True).stdout.split()
    assert files or not (ROOT / ".git").exists()
    found = [f"{file}: {place}" for file in files for place in shadowed((ROOT / file).read_text())]
    assert not found
