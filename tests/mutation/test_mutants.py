"""The changes of mutation testing are right; the list of survivors names only existing mutants."""

from __future__ import annotations

import ast
from pathlib import Path

from opgen.testing.suite import CHECKS
from tests.mutation.groups import ROWS, row_of, table
from tests.mutation.operators import mutants
from tests.mutation.run import MODULES, listed, there

SOURCE = '''
"""A module."""
LIMIT: int | None = 3

@cache
def f(a: int, *, b: str = "x") -> list[int]:
    """A function."""
    assert a
    total = 0
    for n in [c for c in range(a) if c > 1]:
        if not n or a <= n:
            continue
        total += n
    match total:
        case 1 | 2:
            return g(a, b=b)
    return any(a) if b else -total
'''


def test_what_is_changed() -> None:
    found = {m.name: m.function for m in mutants(ast.parse(SOURCE))}
    assert {name for name, function in found.items() if function is None} == {
        "module: 3 -> 4",
        "f: 'x' -> 'XXxXX'",
    }
    assert {name.removeprefix("f: ") for name, function in found.items() if function == "f"} == {
        "0 -> 1",
        "for c in range(a) if c > 1 -> for c in range(a)",
        "c > 1 -> c >= 1",
        "c > 1 -> c <= 1",
        "1 -> 2",
        "if not n or a <= n -> if False",
        "if not n or a <= n -> if True",
        "not n or a <= n -> a <= n",
        "not n or a <= n -> not n",
        "not n or a <= n -> not n and a <= n",
        "not n -> n",
        "a <= n -> a < n",
        "a <= n -> a > n",
        "continue -> break",
        "total += n -> nothing",
        "total += n -> total -= n",
        "1 | 2 -> 2",
        "1 | 2 -> 1",
        "1 -> 2 #2",
        "2 -> 3",
        "return g(a, b=b) -> return None",
        "g(a, b=b) -> g(a)",
        "return any(a) if b else -total -> return None",
        "any(a) if b else -total -> any(a)",
        "any(a) if b else -total -> -total",
        "any(a) -> all(a)",
        "-total -> total",
    }


def test_a_mutant_is_planted_and_taken_away() -> None:
    tree = ast.parse(SOURCE)
    before = ast.unparse(tree)
    for mutant in mutants(tree):
        with mutant.planted():
            compile(ast.fix_missing_locations(tree), "module", "exec")
            assert ast.unparse(tree) != before, mutant.name
    assert ast.unparse(tree) == before


def test_the_survivors_that_are_listed_are_there() -> None:
    assert not {*listed()} - {*there(MODULES)}


def test_what_each_group_finds_alone() -> None:
    """A mutant that two groups find does not count as found by only one group."""
    rendered = "generated/tests/test_ops.py::relu::test_jax_values[f32]"
    names = {"torch": "tests/torch/test_moe.py::test_a", "files": "tests/test_expr.py::test_b"}
    found = {"a": [names["torch"], rendered], "b": [rendered], "c": [], "d": [names["files"]]}
    tests = [*names.values(), rendered]
    rows = [row.split(" | ")[:5] for row in table(found, tests, dict.fromkeys(tests, 2.0))]
    assert ["| `tests/torch`", "1", "2", "1", "0"] in rows
    assert ["| rendered: values, gradients, bits", "1", "2", "2", "1"] in rows
    assert ["| files of `tests/`", "1", "2", "1", "1"] in rows
    assert ["| `tests/jax`", "0", "0", "", ""] in rows
    assert rows[-1][1:4] == ["3", "6", "3 of 4"]


def test_every_test_has_a_row() -> None:
    for file in Path(__file__).parents[1].glob("*/test_*.py"):
        assert row_of(f"tests/{file.parent.name}/{file.name}")
    assert {row_of(check) for check in CHECKS} <= {*ROWS}
