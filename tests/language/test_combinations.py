"""The combinations of an op's options (all but sizes), and the text that describes each."""

from __future__ import annotations

import pytest

from opgen.language.call_variants import LIMIT, THERE, TooMany, Variants, attr_values, where
from opgen.language.expr import parse_expr
from opgen.language.expr.decide import decide, needed
from opgen.language.scope import Scope
from opgen.spec.models.attrs import AttrSpec
from opgen.spec.models.ops import read_dtypes, read_op

CHOICES = {"T": ("f32", "bf16")}


def of(table: dict, *conditions: str, require: tuple[str, ...] = ()):
    return Variants(
        Scope(read_op("f", table, read_dtypes({"T": ["f32", "bf16"]}), {})),
        tuple(map(parse_expr, conditions)),
        CHOICES,
        tuple(map(parse_expr, require)),
    ).every


X = {"dtype": "T", "shape": "*s"}


def test_nothing_to_choose() -> None:
    (only,) = of({"inputs": {"x": X}, "attrs": {"a": {"type": "bool"}}})
    assert only.chosen == {} and only.view == {"x": (0, 0)} and only.present("x")


def test_presence_enums_bools_dtypes_forms() -> None:
    table = {
        "inputs": {"x": {"dtype": "T", "shape": ["", "m"]}, "b": {**X, "optional": True}},
        "attrs": {"mode": {"type": "str", "choices": ["a", "b", "c"]}, "flag": {"type": "bool"}},
    }
    found = of(table, "flag and mode == 'a'", "T == f32")
    assert len(found) == 2 * 2 * 3 * 2 * 2
    assert len({(*c.chosen.values(), *c.view.values()) for c in found}) == len(found)


def test_requirements_leave_out() -> None:
    table = {"inputs": {"x": X, "b": {**X, "optional": True}}, "attrs": {"flag": {"type": "bool"}}}
    found = of(table, "flag", require=("flag or not present(b)", "d > 8"))
    assert [(c.values["flag"], c.present("b")) for c in found] == [
        (True, True),
        (False, False),
        (True, False),
    ]


def test_when_follows_when() -> None:
    inputs = {"x": X, "a": {**X, "when": "present(b)"}, "b": {**X, "when": "T == bf16"}}
    found = of({"inputs": inputs}, "T == bf16", "present(b)")
    assert [(c.present("a"), c.present("b")) for c in found] == [(False,) * 2, (True,) * 2]


def test_ranks() -> None:
    shape = {"rank(x) == 1": "n", "else": "m n"}
    table = {"inputs": {"x": {"dtype": "T", "shape": "*s"}, "y": {"dtype": "T", "shape": shape}}}
    found = of(table, "rank(x) == 1")
    assert [(len(c.values["x"]), c.view["y"]) for c in found] == [
        (0, (1, 0)),
        (1, (0, 0)),
        (2, (1, 0)),
    ]


def test_lists_of_numbers() -> None:
    found = of({"attrs": {"v": {"type": "int[]", "optional": True}}}, "len(v) == 1")
    sizes = [None if c.values["v"] is None else len(c.values["v"]) for c in found]
    assert {0, 1, 2, None} <= {*sizes}


def test_too_many() -> None:
    def optional(count: int) -> dict:
        return {"inputs": {f"x{n}": {**X, "optional": True} for n in range(count)}}

    assert len(of(optional(13))) == LIMIT
    with pytest.raises(TooMany) as many:
        of(optional(14))
    assert many.value.count == 2 * LIMIT


@pytest.mark.parametrize(
    ("attr", "condition", "values"),
    [
        ({"type": "bool"}, "a", [False, True]),
        ({"type": "float", "min": 0.0}, "a > 0.0", [0.0, 1.0]),
        ({"type": "int"}, "a == 3", [2, 3, 4]),
        ({"type": "int", "min": 5}, "a == 3", [5]),
        ({"type": "str"}, "a == 'x'", ["x", ""]),
        ({"type": "dtype"}, "a == f32", ["f32"]),
        ({"type": "int", "optional": True}, "present(a)", [1, None]),
        ({"type": "int[2]"}, "a[0] == 1", [(0, 0), (1, 1), (2, 2)]),
    ],
)
def test_attr_values(attr: dict, condition: str, values: list) -> None:
    assert attr_values(AttrSpec("a", **attr), [parse_expr(condition)]) == values


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("flag", True),
        ("not flag or d > 2", None),
        ("flag or d > 2", True),
        ("not flag and d > 2", False),
        ("present(b)", False),
        ("present(c)", None),
        ("d // 0 == 1", None),
        ("n == 2 if flag else d", True),
    ],
)
def test_decide(text: str, holds: bool | None) -> None:
    assert decide(parse_expr(text), {"flag": True, "b": None, "n": 2}) is holds


def test_needed() -> None:
    values = {"x": THERE, "b": None, "flag": False}
    assert [*needed(parse_expr("n if present(b) else m"), values)] == ["m"]
    assert [*needed(parse_expr("not present(b) or k > 2"), values)] == []
    assert [*needed(parse_expr("present(x) and k > 2"), values)] == ["k"]


def test_where() -> None:
    table = {
        "inputs": {"x": X, "a": {**X, "optional": True}, "b": {**X, "optional": True}},
        "attrs": {"flag": {"type": "bool"}},
    }
    every = of(table, "flag")
    lonely = [c for c in every if not c.present("a") and not c.present("b")]
    assert where(lonely, every) == " where `a` is absent and `b` is absent"
    assert where([c for c in every if c.values["flag"]], every) == " where `flag` is true"
    assert where(every, every) == ""
