"""Expressions: parsing, traversal and evaluation, for each kind of expression."""

from __future__ import annotations

import math
import re

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
    calls_in,
    children,
    map_children,
    names_in,
    parse_expr,
    presence_in,
    substitute,
    text_of,
    walk,
)
from opgen.language.expr.decide import decide, needed
from opgen.language.expr.evaluate import NoValue, Unbound, evaluate
from opgen.language.expr.places import span_at, spans_of_call, spans_of_name
from opgen.language.expr.syntax import ELEMENTWISE, FUNCTIONS, as_expression
from opgen.language.expr.types import TypeMismatch, expect, fits, type_of
from opgen.language.linear import linear
from opgen.spec.cases import Cases

A, B, C = map(Name, "abc")


# -- reading --


@pytest.mark.parametrize(
    ("text", "expr"),
    [
        ("1", Const(1)),
        ("1.5", Const(1.5)),
        ("'s'", Const("s")),
        ("True", Const(True)),
        ("None", Const(None)),
        ("-1", Const(-1)),
        ("-1.5", Const(-1.5)),
        ("-True", Unary("-", Const(True))),
        ("-a", Unary("-", A)),
        ("not a", Unary("not", A)),
        ("a + b", Binary("+", A, B)),
        ("a - b", Binary("-", A, B)),
        ("a * b", Binary("*", A, B)),
        ("a / b", Binary("/", A, B)),
        ("a // b", Binary("//", A, B)),
        ("a % b", Binary("%", A, B)),
        ("a**b", Binary("**", A, B)),
        ("a and b and c", Bool("and", (A, B, C))),
        ("a or b", Bool("or", (A, B))),
        ("a if b else c", IfElse(B, A, C)),
        ("a == b", Compare(("==",), (A, B))),
        ("a != b", Compare(("!=",), (A, B))),
        ("a < b <= c", Compare(("<", "<="), (A, B, C))),
        ("a > b >= c", Compare((">", ">="), (A, B, C))),
        ("a in (b, c)", In("in", A, (B, C))),
        ("a in [b]", In("in", A, (B,))),
        ("a not in (b, 1)", In("not in", A, (B, Const(1)))),
        ("a[b]", Index(A, B)),
        ("min(a, b, c)", Call("min", (A, B, C))),
        ("  a", A),
        (f"{2**63 - 1}", Const(2**63 - 1)),
        ("offsets()", Call("offsets", ())),
    ],
)
def test_each_kind_is_read(text: str, expr) -> None:
    assert parse_expr(text) == expr


@pytest.mark.parametrize(
    ("text", "offset", "message"),
    [
        ("a" * 1001, 0, "an expression has at most 1000 characters"),
        ("", 0, "not an expression: "),
        ("  a +", 5, "not an expression: "),
        ("1if a else 2", 0, "not an expression: "),
        (" --", 3, "not an expression: "),
        (" (a\n +)\n ", 6, "not an expression: "),
        (" (a\n + é\n + ~é(x\n))", 12, "`~é(x\n)` is not in the expression language"),
        (f" {2**63}", 1, "an integer must fit in 64 bits"),
        (f"-{2**63 + 1}", 0, "an integer must fit in 64 bits"),
        ("1 + 2j", 4, "`2j` is not in the expression language"),
        ("'é' + b'x'", 6, "`b'x'` is not in the expression language"),
        ("a + ~b", 4, "`~b` is not in the expression language"),
        ("a | b", 0, "`a | b` is not in the expression language"),
        ("a[1:2]", 0, "`a[1:2]` is not in the expression language"),
        ("a[1, 2]", 0, "`a[1, 2]` is not in the expression language"),
        ("min(a, b=c)", 0, "`min(a, b=c)` is not in the expression language"),
        (f"[{'a, ' * 30}]", 0, f"`[{('a, ' * 30)[:39]}` is not in the expression language"),
        ("1 + (a is b)", 5, "`is` is not in the language: write `==` or `present()`"),
        ("a is not b", 0, "`is` is not in the language: write `==` or `present()`"),
        ("a in b", 0, "`in` takes a tuple: `mode in ('sum', 'mean')`"),
        ("a in (b,) == c", 0, "`in` takes a tuple: `mode in ('sum', 'mean')`"),
        ("prd(g)", 0, "unknown function `prd`: did you mean `prod`?"),
        ("sqr(a)", 0, "unknown function `sqr`: did you mean `sqrt`?"),
        ("qqqq(a)", 0, "unknown function `qqqq`"),
        ("exp(a, b)", 0, "`exp` takes 1 argument(s), not 2"),
        ("exp()", 0, "`exp` takes 1 argument(s), not 0"),
        ("min(a)", 0, "`min` takes 2 to 8 argument(s), not 1"),
        (f"max({', '.join('a' * 9)})", 0, "`max` takes 2 to 8 argument(s), not 9"),
        ("-" * 41 + "a", 41, "an expression nests at most 40 deep"),
    ],
)
def test_what_is_refused_and_where(text: str, offset: int, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_expr(text)
    said = caught.value.message  # Python's messages for invalid expressions differ by version
    assert str(caught.value) == said and caught.value.offset == offset
    assert said.startswith(message) if message.endswith(": ") else said == message


def test_text_that_python_cannot_read_is_no_expression() -> None:
    for text in ("a\0", "\ud800"):
        with pytest.raises(ParseError, match="^not an expression"):
            parse_expr(text)


def test_the_longest_and_the_deepest_are_read() -> None:
    assert parse_expr("a" * 1000) == Name("a" * 1000)
    expr = parse_expr("-" * 40 + "a")
    assert sum(1 for _ in walk(expr)) == 41
    assert ParseError("bad").offset == 0
    assert parse_expr(f"min({', '.join('a' * 8)})") == Call("min", (A,) * 8)


@pytest.mark.parametrize(
    ("func", "few", "many"),
    [
        *((name, 1, 1) for name in "prod sum len rank numel present bits accum real".split()),
        *((name, 1, 1) for name in ("ascending", "distinct")),
        *((name, 2, 2) for name in "stride ceildiv roundup promote".split()),
        *((name, 2, 8) for name in ("min", "max")),
        ("offsets", 0, 1),
        *((name, 1, 1) for name in "exp log sqrt rsqrt tanh erf abs sign sin cos".split()),
    ],
)
def test_functions_take_so_many_arguments(func: str, few: int, many: int) -> None:
    for count in range(10):
        text = f"{func}({', '.join('a' * count)})"
        if few <= count <= many:
            assert parse_expr(text) == Call(func, (A,) * count)
        else:
            with pytest.raises(ParseError):
                parse_expr(text)


def test_these_are_all_functions() -> None:
    assert len(FUNCTIONS) == 18 and len(ELEMENTWISE) == 10


# -- walking --

KINDS = {
    "-a": ["a"],
    "a + b": ["a", "b"],
    "a < b == c": ["a", "b", "c"],
    "a in (b, c)": ["a", "b", "c"],
    "a or b or c": ["a", "b", "c"],
    "a if b else c": ["b", "a", "c"],
    "a[b]": ["a", "b"],
    "min(a, b, c)": ["a", "b", "c"],
    "a": [],
    "1": [],
}


@pytest.mark.parametrize("text", KINDS)
def test_children_and_what_takes_their_place(text: str) -> None:
    expr = parse_expr(text)
    assert list(children(expr)) == list(map(Name, KINDS[text]))
    inner = [span_at(text, (n,)) for n in range(len(KINDS[text]))]
    assert [text[start:end] for start, end in inner] == KINDS[text]
    names = "".join(KINDS[text])
    upper = parse_expr(re.sub(rf"\b[{names}-]\b", lambda found: found[0].upper(), text))
    assert map_children(expr, lambda e: Name(e.id.upper())) == upper
    assert substitute(expr, {a: Name(a.upper()) for a in KINDS[text]}) == upper


def test_names_calls_and_presence() -> None:
    expr = parse_expr("min(b, a) + a if present(x) and not present(y) or len(g) == 0 else bits(T)")
    assert names_in(expr) == ("x", "y", "g", "b", "a", "T")
    assert [c.func for c in calls_in(expr)] == ["present", "present", "len", "min", "bits"]
    assert presence_in(expr) == ("x", "y")
    assert presence_in(Call("present", (Const(1),))) == ()


def test_derived_names_are_written_out() -> None:
    values = {"a": parse_expr("b + 1"), "b": parse_expr("c*2")}
    assert substitute(parse_expr("a - d"), values) == parse_expr("((c*2) + 1) - d")


def test_cases_as_one_expression() -> None:
    cases = Cases((("a == 1", "x"), ("b == 2", "y"), (None, "z")))
    assert as_expression(cases) == parse_expr("x if a == 1 else (y if b == 2 else z)")
    assert as_expression(Cases((("a == 1", "x"),))) == Name("x")


# -- places --


def test_places_of_parts() -> None:
    text = "  -1 + a[b] * exp(c)"
    assert span_at(text, (0,)) == (2, 4)
    assert span_at(text, (0, 0)) == (2, 4), "a negative number is one constant"
    assert span_at(text, (0, 5)) == (2, 4)
    assert span_at(text, (1, 0, 1)) == (9, 10)
    assert span_at(text, (1, 1, 0)) == (18, 19)
    assert span_at(text, ()) == (2, 20)
    assert span_at("min(a, b)", (5, 0)) == (0, 9), "no further than there are parts"
    text = "not a + b"
    assert span_at(text, (0, 1)) == (8, 9)
    text = " (é\n + min(\n é, b))"
    assert [text[s:e] for s, e in (span_at(text, (1,)), span_at(text, (1, 1)))] == [
        "min(\n é, b)",
        "b",
    ]


def test_places_of_names_and_calls() -> None:
    text = " 'é' == a and exp(a) + sign(exp) < b[0] + exp(b)"
    assert [text[s:e] for s, e in spans_of_name(text, "a")] == ["a", "a"]
    assert [s for s, _ in spans_of_call(text, "exp")] == [14, 42]
    assert [s for s, _ in spans_of_name(text, "exp")] == [28]
    assert spans_of_call("a[0] + min(a, b)", "max") == []
    assert spans_of_call("a(1)(2) + f(1)", "f") == [(10, 11)]


# -- values --

VALUES = {
    "a": 7,
    "n": 3,
    "half": 0.5,
    "g": (4, 5, 6),
    "x": (2, 3, 4),
    "xs": [(2, 3), (4,)],
    "absent": None,
    "T": "bf16",
    "C": "c64",
    "mode": "sum",
    "yes": True,
    "no": False,
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a + n", 10),
        ("a - n", 4),
        ("a * n", 21),
        ("a / n", 7 / 3),
        ("a // n", 2),
        ("-a // n", -3),
        ("a % n", 1),
        ("a**n", 343),
        ("a**-1", 1 / 7),
        ("2**63", 2**63),
        ("2**-63", 2.0**-63),
        ("0**0", 1),
        ("0**2", 0),
        ("-a", -7),
        ("not yes", False),
        ("yes and no", False),
        ("yes and yes", True),
        ("no or yes", True),
        ("no or no", False),
        ("a if yes else n", 7),
        ("a if no else n", 3),
        ("g[0]", 4),
        ("g[2]", 6),
        ("g[-3]", 4),
        ("n < a", True),
        ("a < a", False),
        ("a <= a < n", False),
        ("n < a > n", True),
        ("n <= a", True),
        ("a <= a", True),
        ("a <= n", False),
        ("a > a", False),
        ("a >= a", True),
        ("n >= a", False),
        ("a == a", True),
        ("a != a", False),
        ("a in (1, 7)", True),
        ("a in (1, 2)", False),
        ("a not in (1, 7)", False),
        ("a not in (1, 2)", True),
        ("present(x)", True),
        ("present(absent)", False),
        ("present(unknown)", False),
        ("numel(x)", 24),
        ("numel(xs)", 10),
        ("prod(g)", 120),
        ("sum(g)", 15),
        ("len(g)", 3),
        ("rank(x)", 3),
        ("stride(x, 0)", 12),
        ("stride(x, -1)", 1),
        ("stride(x, -2)", 4),
        ("ceildiv(a, n)", 3),
        ("ceildiv(6, n)", 2),
        ("roundup(a, n)", 9),
        ("roundup(6, n)", 6),
        ("min(a, n)", 3),
        ("max(a, n, 9)", 9),
        ("bits(T)", 16),
        ("accum(T)", "f32"),
        ("promote(T, f32)", "f32"),
        ("real(C)", "f32"),
        ("exp(half)", math.exp(0.5)),
        ("log(half)", math.log(0.5)),
        ("sqrt(half)", math.sqrt(0.5)),
        ("rsqrt(half)", 1 / math.sqrt(0.5)),
        ("tanh(half)", math.tanh(0.5)),
        ("erf(half)", math.erf(0.5)),
        ("sin(half)", math.sin(0.5)),
        ("cos(half)", math.cos(0.5)),
        ("abs(-a)", 7),
        ("sign(-half)", -1),
        ("sign(half)", 1),
        ("sign(0)", 0),
        ("mode == 'sum'", True),
        ("T == bf16", True),
    ],
)
def test_values(text: str, value: object) -> None:
    found = evaluate(parse_expr(text), VALUES)
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("unknown + 1", Unbound, "unknown"),
        ("g[3]", Unbound, "[3]"),
        ("g[-4]", Unbound, "[-4]"),
        ("a / 0", NoValue, "/ 0"),
        ("a // (n - 3)", NoValue, "// 0"),
        ("a % 0", NoValue, "% 0"),
        ("a**64", NoValue, "** 64"),
        ("a**-64", NoValue, "** -64"),
        ("0**-1", NoValue, "** -1"),
        ("g + (a)", TypeError, "+ of tuple and int"),
        ("2 * mode", TypeError, "* of int and str"),
        ("xs * 2", TypeError, "* of list and int"),
        ("offsets(a)", TypeError, "offsets(7,)"),
    ],
)
def test_what_has_no_value(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        evaluate(parse_expr(text), VALUES)
    assert str(caught.value) == message
    with pytest.raises(TypeError):
        evaluate(object(), VALUES)  # type: ignore[arg-type]


def test_conditions_stop_where_they_are_decided() -> None:
    assert evaluate(parse_expr("no and unknown"), VALUES) is False
    assert evaluate(parse_expr("yes or unknown"), VALUES) is True
    assert evaluate(parse_expr("a < n < unknown"), VALUES) is False
    assert evaluate(parse_expr("a if yes else unknown"), VALUES) == 7


# -- what is decided without all values --


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("unknown and no", False),
        ("unknown and yes", None),
        ("yes and yes", True),
        ("unknown or yes", True),
        ("unknown or no", None),
        ("no or no", False),
        ("not (unknown and no)", True),
        ("not unknown", None),
        ("not (unknown or yes)", False),
        ("(unknown and no) if yes else yes", False),
        ("yes if no else (unknown and no)", False),
        ("yes if unknown else yes", None),
        ("present(x) == True", True),
        ("present(unknown) == True", None),
        ("g + 1 == 2", None),
        ("g[7] == 1", None),
        ("1 / 0 == 1", None),
        ("2.0**63**2 == 1", None),
        ("a", True),
        ("a - 7", False),
    ],
)
def test_decided(text: str, holds: bool | None) -> None:
    assert decide(parse_expr(text), VALUES) is holds


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a if yes else n", ["yes", "a"]),
        ("a if no else n", ["no", "n"]),
        ("a if u < 1 else n", ["u", "a", "n"]),
        ("(a if no and u else n) + k", ["no", "n", "k"]),
        ("yes and u and no and v", ["yes", "u", "no"]),
        ("no or u or yes or v", ["no", "u", "yes"]),
        ("yes or u", ["yes"]),
        ("no and u", ["no"]),
        ("present(x) and a", ["a"]),
        ("min(a, u[k])", ["a", "u", "k"]),
        ("1", []),
    ],
)
def test_names_that_are_read(text: str, names: list[str]) -> None:
    assert list(needed(parse_expr(text), VALUES)) == names


# -- types --

TYPES = {
    "d": "int",
    "eps": "float",
    "flag": "bool",
    "mode": "str",
    "T": "dtype",
    "g": "ints",
    "scales": "floats",
    "x": "tensor",
    "maybe": "tensor?",
    "xs": "list",
    "k": "int?",
}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("None", "none"),
        ("1", "int"),
        ("1.5", "float"),
        ("True", "bool"),
        ("'a'", "str"),
        ("k", "int"),
        ("u", None),
        ("-u", None),
        ("-d", "int"),
        ("not flag", "bool"),
        ("not u", None),
        ("u + 1", None),
        ("1 + u", None),
        ("u + eps", "float"),
        ("u / 2", "float"),
        ("d / d", "float"),
        ("d**-1", "float"),
        ("d**-0.5", "float"),
        ("d**1", "int"),
        ("d**0", "int"),
        ("d - -1", "int"),
        ("d // 1", "int"),
        ("d % 1", "int"),
        ("eps * 2", "float"),
        ("2 * eps", "float"),
        ("u < d", "bool"),
        ("d < u", "bool"),
        ("mode == u", "bool"),
        ("d < eps", "bool"),
        ("mode == 'a' != mode", "bool"),
        ("T != T", "bool"),
        ("g == g", "bool"),
        ("scales == scales", "bool"),
        ("flag == True", "bool"),
        ("None == None", "bool"),
        ("d in (1, eps)", "bool"),
        ("u in (1, 'a')", "bool"),
        ("flag and u", "bool"),
        ("d if flag else d", "int"),
        ("d if flag else eps", "float"),
        ("eps if flag else d", "float"),
        ("u if flag else d", "int"),
        ("d if flag else u", "int"),
        ("u if flag else v", None),
        ("g[0]", "int"),
        ("scales[d]", "float"),
        ("u[0]", None),
        ("g[i]", "int"),
        ("d[i]", "int"),
        ("u[i]", None),
        ("present(maybe)", "bool"),
        ("present(k)", "bool"),
        ("present(u)", "bool"),
        ("min(d, 1)", "int"),
        ("min(d, eps)", "float"),
        ("max(d, u)", None),
        ("max(eps, u)", "float"),
        ("sum(g)", "int"),
        ("sum(scales)", "float"),
        ("sum(u)", None),
        ("prod(g)", "int"),
        ("len(g)", "int"),
        ("len(scales)", "int"),
        ("len(xs)", "int"),
        ("rank(x)", "int"),
        ("numel(x)", "int"),
        ("numel(xs)", "int"),
        ("stride(x, 0)", "int"),
        ("ceildiv(d, 2)", "int"),
        ("roundup(d, 2)", "int"),
        ("bits(T)", "int"),
        ("accum(T)", "dtype"),
        ("promote(T, T)", "dtype"),
        ("real(T)", "dtype"),
        ("offsets(d)", "bool"),
        ("exp(d)", "float"),
        ("abs(d)", "int"),
        ("sign(eps)", "float"),
        ("sign(d)", "int"),
    ],
)
def test_types(text: str, found: str | None) -> None:
    assert type_of(parse_expr(text), {**TYPES, "i": "int"}.get) == found


GROUP = "`prod(...)` and `len(...)` make a group a number"
SIZE = "`numel(...)` is its size"
THERE = "`present(...)` asks whether something is there"


@pytest.mark.parametrize(
    ("text", "message", "path", "help"),
    [
        ("-flag", "`-` takes a number, not a bool", (0,), ""),
        ("1 + -g", "`-` takes a number, not a list of ints", (1, 0), GROUP),
        ("not d", "`not` takes a bool, not an int", (0,), "write the comparison out: `n != 0`"),
        ("not eps", "`not` takes a bool, not a float", (0,), ""),
        ("not x", "`not` takes a bool, not a tensor", (0,), ""),
        ("d + x", "`+` takes a number, not a tensor", (1,), SIZE),
        ("x + d", "`+` takes a number, not a tensor", (0,), SIZE),
        ("eps // 2", "`//` takes an int, not a float", (0,), ""),
        ("2 % eps", "`%` takes an int, not a float", (1,), ""),
        ("d / 0", "`/` by zero", (1,), ""),
        ("d / 0.0", "`/` by zero", (1,), ""),
        ("d // 0", "`//` by zero", (1,), ""),
        ("d % 0", "`%` by zero", (1,), ""),
        ("1 + g < d", "`+` takes a number, not a list of ints", (0, 1), GROUP),
        ("d < 1 + g", "`+` takes a number, not a list of ints", (1, 1), GROUP),
        ("d < mode", "`<` cannot compare an int with a str", (1,), ""),
        ("mode < d", "`<` compares numbers, not a str", (0,), ""),
        ("d == d < mode", "`<` cannot compare an int with a str", (2,), ""),
        ("u < mode == d", "`==` cannot compare a str with an int", (2,), ""),
        ("mode == mode < mode", "`<` compares numbers, not a str", (1,), ""),
        (
            "T == 'f32'",
            "`==` cannot compare a dtype with a str",
            (1,),
            "a dtype is written bare: `T == bf16`",
        ),
        ("k == None", "`==` cannot compare an int with `None`", (1,), THERE),
        ("None != eps", "`!=` cannot compare `None` with a float", (1,), THERE),
        ("x == x", "a tensor cannot be compared", (1,), ""),
        ("xs != xs", "a list of tensors cannot be compared", (1,), ""),
        ("d in (1, 2, 'a')", "`==` cannot compare an int with a str", (3,), ""),
        ("(1 + g) in (1, 2)", "`+` takes a number, not a list of ints", (0, 1), GROUP),
        ("flag or d", "`or` takes a bool, not an int", (1,), "write the comparison out: `n != 0`"),
        (
            "d and flag",
            "`and` takes a bool, not an int",
            (0,),
            "write the comparison out: `n != 0`",
        ),
        (
            "1 if d else 2",
            "`if` takes a bool, not an int",
            (0,),
            "write the comparison out: `n != 0`",
        ),
        ("-mode if flag else 2", "`-` takes a number, not a str", (1, 0), ""),
        ("1 if flag else -mode", "`-` takes a number, not a str", (2, 0), ""),
        ("mode if flag else d", "the branches of `if` differ: a str and an int", (2,), ""),
        ("mode[i]", "`[i]` takes an int or a list of ints, not a str", (0,), ""),
        ("x[i]", "`[i]` takes an int or a list of ints, not a tensor", (0,), SIZE),
        ("x[0]", "`[...]` takes a list of ints or a list of floats, not a tensor", (0,), ""),
        ("g[eps]", "an index takes an int, not a float", (1,), ""),
        ("g[x]", "an index takes an int, not a tensor", (1,), SIZE),
        ("min(d, flag)", "`min` takes a number, not a bool", (1,), ""),
        ("exp(g)", "`exp` takes a number, not a list of ints", (0,), GROUP),
        ("sum(d)", "`sum` takes a list of ints or a list of floats, not an int", (0,), ""),
        (
            "len(d)",
            "`len` takes a list of ints, a list of floats or a list of tensors, not an int",
            (0,),
            "",
        ),
        ("stride(x, eps)", "`stride` takes an int, not a float", (1,), ""),
        ("bits(d)", "`bits` takes a dtype, not an int", (0,), ""),
        ("present(d + 1)", "`present` takes a name", (0,), ""),
        ("present(mode)", "`present` takes a tensor or an optional attr, not a str", (0,), ""),
        (
            "present(xs)",
            "`xs` is always present",
            (0,),
            "make it `optional`, give it a `when`, or leave `present(xs)` out",
        ),
    ],
)
def test_mismatches(text: str, message: str, path: tuple[int, ...], help: str) -> None:
    for whole, place in ((text, path), (f"not ({text})", (0, *path))):
        with pytest.raises(TypeMismatch) as caught:
            type_of(parse_expr(whole), {**TYPES, "i": "int"}.get)
        error = caught.value
        assert (str(error), error.message, error.path, error.help) == (
            message,
            message,
            place,
            help,
        )


def test_types_of_elements() -> None:
    types = {"y": "float", "n": "int", "x": "tensor"}.get
    assert type_of(parse_expr("sum(y)"), types, elementwise=True) == "float"
    assert type_of(parse_expr("numel(y) + rank(n)"), types, elementwise=True) == "int"
    for text in ("sum(y)", "numel(y)"):
        with pytest.raises(TypeMismatch):
            type_of(parse_expr(text), types)
    with pytest.raises(TypeMismatch, match="`ceildiv` takes an int, not a float"):
        type_of(parse_expr("ceildiv(y, n)"), types, elementwise=True)
    with pytest.raises(TypeError):
        type_of(object(), types)  # type: ignore[arg-type]


def test_what_fits() -> None:
    for wanted in ("float", "number"):
        assert fits("int", wanted) and fits("float", wanted) and not fits("bool", wanted)
    assert fits(None, "int") and fits("tensor", "any") and fits("str", "str")
    assert not fits("float", "int") and not fits("int", "str")


def test_what_is_expected() -> None:
    expect(parse_expr("d"), TYPES.get, "number")
    expect(parse_expr("u"), TYPES.get, "int")
    expect(parse_expr("sum(eps)"), TYPES.get, "float", elementwise=True)
    with pytest.raises(TypeMismatch, match="`sum` takes a list"):
        expect(parse_expr("sum(eps)"), TYPES.get, "float")
    with pytest.raises(TypeMismatch) as caught:
        expect(parse_expr("g"), TYPES.get, "number")
    assert (caught.value.message, caught.value.path) == (
        "expected a number, got a list of ints",
        (),
    )
    assert caught.value.help == ""


# -- solved for one name --


@pytest.mark.parametrize(
    ("text", "factor", "offset"),
    [
        ("a", "1", "0"),
        ("b + 1", "0", "b + 1"),
        ("2*a + b", "2", "b"),
        ("b - 3*a", "-3", "b"),
        ("a - 3", "1", "-3"),
        ("a - b", "1", "-1 * b"),
        ("-(a - 2)", "-1", "2"),
        ("-a - -b", "-1", "-1 * -b"),
        ("2*a + 3*a + 1 + 4", "5", "5"),
        ("(a + 1) * b", "b", "b"),
        ("b * (a + c)", "b", "c * b"),
        ("2 * (3*a + 4)", "6", "8"),
        ("0 * a", "0", "0"),
    ],
)
def test_linear(text: str, factor: str, offset: str) -> None:
    found = linear(parse_expr(text), "a")
    assert found is not None and tuple(map(text_of, found)) == (factor, offset)


@pytest.mark.parametrize(
    "text", ["a * a", "a // 2", "-(a % 2)", "a + a // 2", "(a // 2) * b", "b**a"]
)
def test_not_linear(text: str) -> None:
    assert linear(parse_expr(text), "a") is None
