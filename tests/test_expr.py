"""The expression language: parsing, printing, and conversion to Python keep the meaning."""

import random

import pytest

from opgen.language.expr import (
    Binary,
    Bool,
    Call,
    Compare,
    Const,
    IfElse,
    In,
    Index,
    Name,
    ParseError,
    Unary,
    names_in,
    parse_expr,
    text_of,
)
from opgen.language.expr.evaluate import evaluate
from opgen.language.expr.python import elementwise, python

NAMES = {"a": 7, "b": -3, "c": 0, "g": (4, 5, 6), "e": ()}
SUPPORT = {
    "ceildiv": lambda a, b: -(-a // b),
    "roundup": lambda a, b: -(-a // b) * b,
    "prod": lambda v: __import__("math").prod(v),
}


def integer(rng: random.Random, depth: int):
    """Return a random integer expression."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice([Name("a"), Name("b"), Name("c"), Const(rng.randint(-9, 9))])
    sub = lambda: integer(rng, depth - 1)  # noqa: E731
    match rng.randrange(8):
        case 0 | 1 | 2:
            return Binary(rng.choice(["+", "-", "*", "//", "%"]), sub(), sub())
        case 3:
            return Unary("-", sub())
        case 4:
            return IfElse(condition(rng, depth - 1), sub(), sub())
        case 5:
            return Call(rng.choice(["min", "max", "ceildiv", "roundup"]), (sub(), sub()))
        case 6:
            return Call(rng.choice(["prod", "len", "sum"]), (rng.choice([Name("g"), Name("e")]),))
    return Index(Name("g"), Const(rng.randrange(3)))


def condition(rng: random.Random, depth: int):
    """Return a random condition."""
    sub = lambda: integer(rng, max(depth - 1, 0))  # noqa: E731
    match rng.randrange(4):
        case 0:
            return Unary("not", condition(rng, max(depth - 1, 0)) if depth else Const(True))
        case 1 if depth:
            both = (condition(rng, depth - 1), condition(rng, depth - 1))
            return Bool(rng.choice(["and", "or"]), both)
        case 2:
            return In("in", sub(), (sub(), sub()))
    return Compare((rng.choice(["==", "<", ">=", "!="]), "<="), (sub(), sub(), sub()))


def outcome(function):
    try:
        return function()
    except ZeroDivisionError:
        return "division by zero"


@pytest.mark.parametrize("seed", range(300))
def test_text_and_python_mean_the_same(seed):
    rng = random.Random(seed)
    expr = integer(rng, 4)
    text = text_of(expr)
    if len(text) > 900:
        pytest.skip("longer than the language allows")
    wanted = outcome(lambda: evaluate(expr, NAMES))
    assert outcome(lambda: evaluate(parse_expr(text), NAMES)) == wanted
    assert text_of(parse_expr(text)) == text
    assert outcome(lambda: eval(python(expr), {**NAMES, **SUPPORT})) == wanted


@pytest.mark.parametrize(
    ("text", "offset", "message"),
    [
        ("b+", 2, "not an expression"),
        ("prd(g)", 0, "did you mean `prod`"),
        ("ceildiv(a)", 0, "takes 2"),
        ("a.b", 0, "not in the expression language"),
        ("  [a]", 2, "not in the expression language"),
        ("a is b", 0, "`is`"),
        ("a in b", 0, "takes a tuple"),
        (str(2**63), 0, "64 bits"),
        ("(" * 100 + "a" + ")" * 100, 0, ""),
        ("-" * 60 + "a", 41, "nests at most"),
        ("a" * 1001, 0, "at most 1000"),
        ("lambda: 0", 0, "not in the expression language"),
        ("f'{a}'", 0, "not in the expression language"),
    ],
)
def test_what_is_not_in_the_language_is_refused(text, offset, message):
    if message == "":
        parse_expr(text)  # redundant parentheses do not matter
        return
    with pytest.raises(ParseError, match=message) as caught:
        parse_expr(text)
    assert caught.value.offset == offset


def test_formulas_print_as_array_code():
    formula = parse_expr("ddx if y > 0 and not done else -x**2 * rsqrt(y)")
    assert elementwise(formula, "jnp") == (
        "jnp.where((y > 0) & (~done), ddx, -x**2 * (1 / jnp.sqrt(y)))"
    )


def test_dtypes_and_presence_print_as_python():
    expr = parse_expr("bits(T) if T == bf16 and present(w) else 0")
    assert python(expr) == 'bits(T) if T == "bf16" and w is not None else 0'


def test_conditions_on_elements_print_as_array_code():
    expr = parse_expr("0 <= x < ceildiv(n, 2) or x in (7, 9) and not present(w)")
    assert elementwise(expr, "np", scalar=lambda e: "x" not in names_in(e)) == (
        "((0 <= x) & (x < ceildiv(n, 2))) | (((x == 7) | (x == 9)) & (not w is not None))"
    )


def test_strides_of_dims_from_the_end():
    values = {"x": (2, 3, 4)}
    for place, stride in ((0, 12), (1, 4), (2, 1), (-1, 1), (-3, 12)):
        assert evaluate(parse_expr(f"stride(x, {place})"), values) == stride
