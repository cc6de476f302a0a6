"""Types of expressions, and the position of a type error in the text."""

from __future__ import annotations

import pytest

from opgen.language.expr import names_in, parse_expr, walk
from opgen.language.expr.places import span_at, spans_of_call, spans_of_name
from opgen.language.expr.syntax import children
from opgen.language.expr.types import TypeMismatch, fits, type_of

NAMES = {
    "d": "int",
    "n": "int",
    "s": "ints",
    "eps": "float",
    "scales": "floats",
    "T": "dtype",
    "bf16": "dtype",
    "mode": "str",
    "flag": "bool",
    "x": "tensor",
    "b": "tensor?",
    "xs": "list?",
    "k": "int?",
    "i": "int",
}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2*d + n", "int"),
        ("d // 2 % 3", "int"),
        ("d / 2", "float"),
        ("d**2", "int"),
        ("d**-0.5", "float"),
        ("-eps", "float"),
        ("min(d, eps)", "float"),
        ("0 <= d < n", "bool"),
        ("mode in ('sum', 'mean') and not flag", "bool"),
        ("T == bf16", "bool"),
        ("s == s", "bool"),
        ("d if flag else eps", "float"),
        ("s[0] + len(s) + prod(s) + sum(s)", "int"),
        ("scales[1]", "float"),
        ("n[i]", "int"),
        ("numel(x) + rank(x) + stride(x, -1) + numel(xs)", "int"),
        ("ceildiv(d, 64) * roundup(n, 8) * bits(T)", "int"),
        ("promote(T, accum(T))", "dtype"),
        ("present(b) or present(k) or present(xs)", "bool"),
        ("k + 1", "int"),
        ("unknown + 1", None),
        ("unknown > 1", "bool"),
        ("None", "none"),
    ],
)
def test_type(text: str, found: str | None) -> None:
    assert type_of(parse_expr(text), NAMES.get) == found


@pytest.mark.parametrize(
    ("text", "message", "marked"),
    [
        ("1 + s", "`+` takes a number, not a list of ints", "s"),
        ("d % eps", "`%` takes an int, not a float", "eps"),
        ("d // 0", "`//` by zero", "0"),
        ("flag and d", "`and` takes a bool, not an int", "d"),
        ("not (mode)", "`not` takes a bool, not a str", "mode"),
        ("T == 'bf16'", "`==` cannot compare a dtype with a str", "'bf16'"),
        ("mode < 'a'", "`<` compares numbers, not a str", "mode"),
        ("d in (1, 'a')", "`==` cannot compare an int with a str", "'a'"),
        ("k == None", "`==` cannot compare an int with `None`", "None"),
        ("d if n else 1", "`if` takes a bool, not an int", "n"),
        ("d if flag else mode", "the branches of `if` differ: an int and a str", "mode"),
        ("d[0]", "`[...]` takes a list of ints or a list of floats, not an int", "d"),
        ("s[eps]", "an index takes an int, not a float", "eps"),
        ("prod(d)", "`prod` takes a list of ints, not an int", "d"),
        ("rank(d + 1)", "`rank` takes a tensor, not an int", "d + 1"),
        ("present(x)", "`x` is always present", "x"),
        ("present(d)", "`present` takes a tensor or an optional attr, not an int", "d"),
        ("x == x", "a tensor cannot be compared", "x"),
    ],
)
def test_mismatch(text: str, message: str, marked: str) -> None:
    with pytest.raises(TypeMismatch) as mismatch:
        type_of(parse_expr(text), NAMES.get)
    assert mismatch.value.message == message
    start, end = span_at(text, mismatch.value.path)
    assert text[start:end] == marked


def test_elements() -> None:
    types = {"x": "float", "labels": "int", "mask": "bool", "c": "int"}.get
    formula = parse_expr("exp(-x) * labels if mask else 0")
    assert type_of(formula, types, elementwise=True) == "float"
    condition = parse_expr("0 <= labels < c and sum(labels) == c")
    assert type_of(condition, types, elementwise=True) == "bool"
    with pytest.raises(TypeMismatch):
        type_of(parse_expr("sum(labels)"), types)


def test_fits() -> None:
    assert fits("int", "float") and fits(None, "bool") and fits("str", "any")
    assert not fits("float", "int") and not fits("bool", "int")


@pytest.mark.parametrize(
    "text",
    [
        "  a + b*a ",
        "'é' == mode and mode in ('ü', other)",
        "-a if not b else (c)[0]",
        "ceildiv(a, b) <= min(a, b) < f",
    ],
)
def test_places(text: str) -> None:
    expr = parse_expr(text)
    for name in names_in(expr):
        assert all(text[a:b] == name for a, b in spans_of_name(text, name))

    def check(node, path):
        start, end = span_at(text, path)
        if not isinstance(node, tuple):
            assert parse_expr(text[start:end]) == node
        for n, child in enumerate(children(node)):
            check(child, (*path, n))

    check(expr, ())
    assert sum(1 for _ in walk(expr)) > 3


def test_place_of_a_function() -> None:
    text = "  exp(x) + exp"
    ((start, end),) = spans_of_call(text, "exp")
    assert text[start:end] == "exp" and start == 2
