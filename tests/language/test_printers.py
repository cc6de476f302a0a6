"""Each kind of expression, printed in the spec language, in Python, in C++, and for arrays."""

from __future__ import annotations

import pytest

from opgen.language.expr import Call, Const, Name, Unary, names_in, parse_expr, text_of
from opgen.language.expr.cpp import CppPrinter, quoted
from opgen.language.expr.python import elementwise, literal, python, support_functions

# The text, its different forms in the spec language and in Python, and its form in C++.
SIZES = [
    ("a + b * c", None, None, "op.a + op.b * op.c"),
    ("(a + b) * c", None, None, "(op.a + op.b) * op.c"),
    ("a - (b - c)", None, None, "op.a - (op.b - op.c)"),
    ("a - b - c", None, None, "op.a - op.b - op.c"),
    ("a // b % c", None, None, "op.a / op.b % op.c"),
    ("a // (b % c)", None, None, "op.a / (op.b % op.c)"),
    ("a * (b // c)", None, None, "op.a * (op.b / op.c)"),
    ("-a + 1", None, None, "-op.a + 1"),
    ("-(a + b)", None, None, "-(op.a + op.b)"),
    ("-a**2", None, None, "-opgen::power(op.a, opgen::Int(2))"),
    ("(-a)**2", None, "(-a) ** 2", "opgen::power(-op.a, opgen::Int(2))"),
    ("a**-b", "a**(-b)", "a ** (-b)", "opgen::power(op.a, -op.b)"),
    ("a**b**c", None, "a ** b**c", "opgen::power(op.a, opgen::power(op.b, op.c))"),
    ("(a**b)**c", None, "(a**b) ** c", "opgen::power(opgen::power(op.a, op.b), op.c)"),
    ("(a * b)**2", None, "(a * b) ** 2", "opgen::power(op.a * op.b, opgen::Int(2))"),
    ("0**a", None, None, "opgen::power(opgen::Int(0), op.a)"),
    ("2**a", None, None, "opgen::power(opgen::Int(2), op.a)"),
    ("-2 + a", None, None, "-2 + op.a"),
    ("a - -2", None, None, "op.a - -2"),
    ("a**-1", "a**(-1)", None, "opgen::power(static_cast<double>(op.a), -1.0)"),
    ("--a", None, None, "- -op.a"),
    ("-(-2)", "--2", "--2", "-opgen::Int(-2)"),
    ("1 + 2", None, None, "opgen::Int(1) + 2"),
    ("2 * 3 - a", None, None, "opgen::Int(2) * 3 - op.a"),
    ("a / 2", None, None, "opgen::truediv(op.a, opgen::Int(2))"),
    ("a / b", None, None, "opgen::truediv(op.a, op.b)"),
    ("1.5 / a", None, None, "opgen::truediv(1.5, op.a)"),
    ("a * (b / c)", None, None, "op.a * opgen::truediv(op.b, op.c)"),
    ("eps / a", None, None, "opgen::truediv(op.eps, op.a)"),
    ("eps // a", None, None, "opgen::floordiv(op.eps, static_cast<double>(op.a))"),
    ("a % eps", None, None, "opgen::modulo(static_cast<double>(op.a), op.eps)"),
    ("2 // eps", None, None, "opgen::floordiv(2.0, op.eps)"),
    ("a * eps", None, None, "op.a * op.eps"),
    ("a**0.5", None, None, "opgen::power(static_cast<double>(op.a), 0.5)"),
    ("eps**2", None, None, "opgen::power(op.eps, 2.0)"),
    ("a**2", None, None, "opgen::power(op.a, opgen::Int(2))"),
    ("not flag", None, None, "!op.flag"),
    (
        "flag or other if flag or other else other or flag",
        None,
        None,
        "op.flag || op.other ? op.flag || op.other : op.other || op.flag",
    ),
    ("not not flag", None, None, "!!op.flag"),
    ("a + b in (1, c)", None, None, "(op.a + op.b == 1 || op.a + op.b == op.c)"),
    ("not a < b", None, None, "!(op.a < op.b)"),
    ("not (flag and other)", None, None, "!(op.flag && op.other)"),
    ("not -a == b", None, None, "!(-op.a == op.b)"),
    ("flag and other or a < b", None, None, "(op.flag && op.other) || op.a < op.b"),
    ("flag and (other or a < b)", None, None, "op.flag && (op.other || op.a < op.b)"),
    ("flag or other and not flag", None, None, "op.flag || (op.other && !op.flag)"),
    ("a < b", None, None, "op.a < op.b"),
    ("a <= b < c", None, None, "op.a <= op.b && op.b < op.c"),
    ("(a < b) == flag", None, None, "(op.a < op.b) == op.flag"),
    ("a + 1 >= b - c", None, None, "op.a + 1 >= op.b - op.c"),
    ("a == None", None, "a is None", "!op.a.has_value()"),
    ("limit == None", None, "limit is None", "!op.limit.has_value()"),
    ("limit != None", None, "limit is not None", "op.limit.has_value()"),
    ("None != limit", None, None, "op.limit.has_value()"),
    ("limit + 1", None, None, "(*op.limit) + 1"),
    ("present(limit)", None, "limit is not None", "op.limit.has_value()"),
    ("present(x)", None, "x is not None", "op.x.present()"),
    ("present(y) and flag", None, "y is not None and flag", "op.ypresent() && op.flag"),
    ("not present(x)", None, "not x is not None", "!op.x.present()"),
    ("a in (1, 2)", None, None, "(op.a == 1 || op.a == 2)"),
    ("a not in (1, b + 1)", None, None, "(op.a != 1 && op.a != op.b + 1)"),
    ("mode in ('sum',)", None, 'mode in ("sum",)', '(op.mode == "sum")'),
    (
        "present(limit) == flag",
        None,
        "(limit is not None) == flag",
        "op.limit.has_value() == op.flag",
    ),
    ("a in ()", None, None, "false"),
    ("a not in ()", None, None, "true"),
    ("not a in (1, 2)", None, None, "!((op.a == 1 || op.a == 2))"),
    ("mode == 'a\"b'", None, None, 'op.mode == "a\\"b"'),
    ("T == bf16", None, 'T == "bf16"', "op.T == opgen::ElementType::BF16"),
    ("bits(T) * 2", None, None, "opgen::Int(opgen::bits(op.T)) * 2"),
    ("accum(promote(T, W))", None, None, "opgen::accum(opgen::promote(op.T, op.W))"),
    ("a if flag else b", None, None, "op.flag ? op.a : op.b"),
    ("(a if flag else b) + 1", None, None, "(op.flag ? op.a : op.b) + 1"),
    ("a if flag else b if other else c", None, None, "op.flag ? op.a : op.other ? op.b : op.c"),
    ("(a if flag else b) if other else c", None, None, "op.other ? (op.flag ? op.a : op.b) : op.c"),
    ("2 if flag else 3", None, None, "op.flag ? opgen::Int(2) : 3"),
    ("2 if flag else a", None, None, "op.flag ? 2 : op.a"),
    ("a if flag else 3", None, None, "op.flag ? op.a : 3"),
    ("eps if flag else a", None, None, "op.flag ? op.eps : static_cast<double>(op.a)"),
    ("2 if flag else 0.5", None, None, "op.flag ? 2.0 : 0.5"),
    ("eps if flag else 3", None, None, "op.flag ? op.eps : 3.0"),
    ("True if flag else False", None, None, "op.flag ? opgen::Int(true) : false"),
    ("g[0] + g[-1]", None, None, "op.g[0] + op.g[-1]"),
    ("scales[0] * a", None, None, "op.scales[0] * op.a"),
    ("scales[a + 1]", None, None, "op.scales[op.a + 1]"),
    (
        "ceildiv(a, 2) + roundup(b, c)",
        None,
        None,
        "opgen::ceildiv(op.a, 2) + opgen::roundup(op.b, op.c)",
    ),
    ("min(a, 2)", None, None, "opgen::min(op.a, opgen::Int(2))"),
    ("min(a, eps)", None, None, "opgen::min(static_cast<double>(op.a), op.eps)"),
    ("max(2, eps, b)", None, None, "opgen::max(2.0, op.eps, static_cast<double>(op.b))"),
    (
        "prod(g) * len(g) - sum(g)",
        None,
        None,
        "opgen::prod(op.g) * opgen::len(op.g) - opgen::sum(op.g)",
    ),
    ("sum(scales) // 2", None, None, "opgen::floordiv(opgen::sum(op.scales), 2.0)"),
    ("prod(scales) + a", None, None, "opgen::prod(op.scales) + op.a"),
    (
        "numel(x) + rank(x)",
        None,
        "numel(x) + len(x.shape)",
        "opgen::numel(op.x) + opgen::rank(op.x)",
    ),
    ("stride(x, 0)", None, None, "opgen::stride(op.x, 0)"),
    ("-9223372036854775808", None, None, "INT64_MIN"),
    ("9223372036854775807 + a", None, None, "9223372036854775807 + op.a"),
    ("1e30 * eps", "1e+30 * eps", None, "1e+30 * op.eps"),
    ("-0.5 * eps", None, None, "-0.5 * op.eps"),
    ("None", None, None, "std::nullopt"),
    ("True", None, None, "true"),
    ("'text'", None, '"text"', '"text"'),
    ("(a if flag else b)[0]", None, None, "(op.flag ? op.a : op.b)[0]"),
    ("flag and (a if other else b) == 1", None, None, "op.flag && (op.other ? op.a : op.b) == 1"),
    ("flag and (True if other else flag)", None, None, "op.flag && (op.other ? true : op.flag)"),
    (
        "(flag and other)  in (True, False)",
        "(flag and other) in (True, False)",
        "(flag and other) in (True, False)",
        "((op.flag && op.other) == true || (op.flag && op.other) == false)",
    ),
    ("-g[0]", None, None, "-op.g[0]"),
    ("-(a if flag else b)", None, None, "-(op.flag ? op.a : op.b)"),
    ("-(eps if flag else 1)", None, None, "-(op.flag ? op.eps : 1.0)"),
    ("-(-0.5)", "--0.5", "--0.5", "- -0.5"),
    (
        "-(a if mode == '--' else b)",
        None,
        '-(a if mode == "--" else b)',
        '-(op.mode == "--" ? op.a : op.b)',
    ),
    (
        "max(a if flag else b, c)",
        None,
        None,
        "opgen::max(op.flag ? op.a : op.b, op.c)",
    ),
    (
        "True if flag else 0.5",
        None,
        None,
        "op.flag ? 1.0 : 0.5",
    ),
]

# Expressions for arrays x and y; all other names are sizes and options.
ELEMENTS = [
    ("-x**2 * rsqrt(y)", "-x**2 * (1 / np.sqrt(y))"),
    ("rsqrt(x + 1) * 2", "1 / np.sqrt(x + 1) * 2"),
    ("2 * rsqrt(x)", "2 * (1 / np.sqrt(x))"),
    ("x / rsqrt(y)", "x / (1 / np.sqrt(y))"),
    ("min(x, y, 2)", "np.minimum(np.minimum(x, y), 2)"),
    ("max(x, 0)", "np.maximum(x, 0)"),
    ("exp(-x) + log(y)", "np.exp(-x) + np.log(y)"),
    ("abs(x - y)**2", "np.abs(x - y) ** 2"),
    ("x if y > 0 else -x", "np.where(y > 0, x, -x)"),
    ("(x if y > 0 else 1) * 2", "np.where(y > 0, x, 1) * 2"),
    ("x if n > 2 else y", "x if n > 2 else y"),
    ("x + 1 < y - 1 <= 2 + x", "(x + 1 < y - 1) & (y - 1 <= 2 + x)"),
    ("exp(x) + 1 < log(y) + 1", "np.exp(x) + 1 < np.log(y) + 1"),
    ("x not in (1, 2)", "(x != 1) & (x != 2)"),
    ("--x", "--x"),
    ("x - y * 2", "x - y * 2"),
    ("x * y**2 - -x", "x * y**2 - -x"),
    ("x - rsqrt(y)", "x - 1 / np.sqrt(y)"),
    ("x > 1 or y > 1 if n > 2 or m else y < 1", "(x > 1) | (y > 1) if n > 2 or m else y < 1"),
    ("x if y > 1 or n else n", "np.where((y > 1) | n, x, n)"),
    ("(x if n > 2 else y) + 1", "(x if n > 2 else y) + 1"),
    ("x if n > 2 and flag else y if m else 0", "x if n > 2 and flag else y if m else 0"),
    ("not x < y", "~(x < y)"),
    ("x < y <= 1", "(x < y) & (y <= 1)"),
    ("not (x < y <= 1)", "~((x < y) & (y <= 1))"),
    ("x == None", "x is None"),
    ("x in (1, 2)", "(x == 1) | (x == 2)"),
    ("x not in (1,)", "(x != 1)"),
    ("not x in (1, 2)", "~((x == 1) | (x == 2))"),
    ("x < 1 and y > 0 or x == 2", "((x < 1) & (y > 0)) | (x == 2)"),
    ("(x < 1 and y > 0) == y", "((x < 1) & (y > 0)) == y"),
    ("(x < y <= 1) == y", "((x < y) & (y <= 1)) == y"),
    ("(x < y) == y", "(x < y) == y"),
    ("(x if n > 2 else y) if m else 0", "(x if n > 2 else y) if m else 0"),
    ("n or m if flag else x", "n or m if flag else x"),
    ("x**-y", "x ** (-y)"),
    ("x**(not y)", "x ** (~y)"),
    ("x > 0 and not y", "(x > 0) & (~y)"),
    ("(x + y) * (x - y)", "(x + y) * (x - y)"),
    ("x - (y - 1)", "x - (y - 1)"),
    ("x - y - 1", "x - y - 1"),
    ("-(x + y)", "-(x + y)"),
    ("x**y**2", "x ** y**2"),
    ("(x**y)**2", "(x**y) ** 2"),
    ("(-x)**2", "(-x) ** 2"),
    ("(x * y)**2", "(x * y) ** 2"),
    ("ceildiv(n, 2) * x", "ceildiv(n, 2) * x"),
    ("n + 1 + x", "n + 1 + x"),
    ("bits(T) * x", "bits(T) * x"),
    ("x * prod(g)", "x * prod(g)"),
    ("x[0]", "x[0]"),
]

CPP = CppPrinter(
    floats=("eps",),
    float_groups=("scales",),
    optional=("limit",),
    made=("y",),
    name=lambda name: f"op.{name}",
)


@pytest.mark.parametrize(
    ("text", "canonical", "in_python", "in_cpp"), SIZES, ids=lambda row: str(row)
)
def test_sizes_options_and_conditions(
    text: str, canonical: str | None, in_python: str | None, in_cpp: str
) -> None:
    expr = parse_expr(text)
    assert text_of(expr) == (canonical or text)
    assert parse_expr(text_of(expr)) == expr
    assert python(expr) == (in_python or text)
    assert CPP(expr) == in_cpp


@pytest.mark.parametrize(
    "text",
    """eps; -eps; a / b; a**-1; eps + a; a + eps; eps if flag else a; a if flag else eps; 1.5;
    scales[0]; min(a, eps); max(a, eps); sum(scales); prod(scales); min(1.5, a)""".split(";"),
)
def test_floats_of_cpp(text: str) -> None:
    assert CPP.is_float(parse_expr(text.strip())) is True


@pytest.mark.parametrize(
    "text",
    """a; -a; not flag; a**1; a**0; a + b; a if flag else b; 1; True; g[0]; min(a, b); max(a, b);
    sum(g); prod(g); len(scales); eps < 1""".split(";"),
)
def test_no_floats_of_cpp(text: str) -> None:
    assert CPP.is_float(parse_expr(text.strip())) is False


def test_floats_beside_integers_in_cpp() -> None:
    assert CPP(parse_expr("min(1.5, a)")) == "opgen::min(1.5, static_cast<double>(op.a))"
    assert CPP(parse_expr("1.5 if flag else 2")) == "op.flag ? 1.5 : 2.0"


def scalar(expr) -> bool:
    return not {"x", "y"} & {*names_in(expr)}


@pytest.mark.parametrize(("text", "printed"), ELEMENTS)
def test_over_arrays(text: str, printed: str) -> None:
    assert elementwise(parse_expr(text), "np", scalar=scalar, static=scalar) == printed


def test_by_itself_all_is_an_array() -> None:
    assert elementwise(parse_expr("min(bits(T), n)"), "xp") == "xp.minimum(bits(T), n)"
    assert elementwise(parse_expr("x if n > 2 else 1"), "xp") == "xp.where(n > 2, x, 1)"


def test_names_and_functions_are_called_as_the_caller_wants() -> None:
    expr = parse_expr("(numel(x) if T == f32 else -n) + rank(x) if n in (n, 1) else bits(T)**n")
    called = {"name": "op_{}".format, "function": "rt.{}".format}
    assert python(expr, **called) == (
        '(rt.numel(op_x) if op_T == "f32" else -op_n) + rt.len(op_x.shape)'
        " if op_n in (op_n, 1) else rt.bits(op_T) ** op_n"
    )
    formula = parse_expr("-exp(x) * ceildiv(n, 2) if y in (1, n) else min(x, n) if n > 1 else n")
    assert elementwise(formula, "xp", scalar=scalar, static=scalar, **called) == (
        "xp.where((op_y == 1) | (op_y == op_n), -xp.exp(op_x) * rt.ceildiv(op_n, 2),"
        " xp.minimum(op_x, op_n) if op_n > 1 else op_n)"
    )


@pytest.mark.parametrize(
    ("outer", "text", "printed"),
    [
        (5, "a if flag else b", "(a if flag else b)"),
        (6, "a + b", "(a + b)"),
        (5, "a + b", "a + b"),
        (8, "-a", "(-a)"),
        (8, "-2", "(-2)"),
        (7, "-2", "-2"),
        (8, "2", "2"),
        (9, "a**2", "(a**2)"),
        (4, "not flag", "(not flag)"),
        (3, "not flag", "not flag"),
        (4, "a < b", "a < b"),
        (5, "a < b", "(a < b)"),
        (5, "a in (1, 2)", "(a in (1, 2))"),
        (3, "flag or other", "(flag or other)"),
        (9, "g[0]", "g[0]"),
    ],
)
def test_parentheses_within_something_tighter(outer: int, text: str, printed: str) -> None:
    assert text_of(parse_expr(text), outer) == printed
    assert python(parse_expr(text), outer=outer) == printed


def test_constants_of_python() -> None:
    values = (
        1 - 2j,
        complex(0.0, -0.0),
        complex(1e30, 2),
        "a'b",
        'a"b',
        "a'\"b",
        (1,),
        ("a",),
        (),
        1e30,
    )
    assert [literal(each) for each in values] == [
        "(1.0 - 2.0j)",
        "(0.0 - 0.0j)",
        "(1e30 + 2.0j)",
        '"a\'b"',
        "'a\"b'",
        "'a\\'\"b'",
        "(1,)",
        '("a",)',
        "()",
        "1e30",
    ]


def test_texts_with_quotes_and_escapes_are_read_back() -> None:
    for value in ("it's", 'a"b', "a'\"b", "a\\b", "a\nb"):
        assert parse_expr(text_of(Const(value))) == Const(value)


def test_strings_of_cpp() -> None:
    assert quoted('a\\b"c\nd\te??\1') == '"a\\\\b\\"c\\nd\\te\\?\\?\\001"'


def test_functions_of_the_support_module() -> None:
    expr = parse_expr("prod(g) + len(g) + ceildiv(numel(x), 2) + min(a, sum(g)) + stride(x, 0)")
    assert support_functions(expr) == {"prod", "ceildiv", "numel", "stride"}
    expr = parse_expr("roundup(bits(accum(promote(T, real(W)))), 8)")
    assert support_functions(expr) == {"roundup", "bits", "accum", "promote", "real"}
    assert support_functions(parse_expr("len(g)")) == set()
    assert support_functions(Call("item", (Name("x"),))) == {"item"}
    assert elementwise(expr, "xp", function="rt.{}".format) == (
        "rt.roundup(rt.bits(rt.accum(rt.promote(T, rt.real(W)))), 8)"
    )
    assert (
        elementwise(parse_expr("stride(x, 0)"), "xp", function="rt.{}".format) == "rt.stride(x, 0)"
    )


def test_what_is_no_expression_is_a_bug() -> None:
    for printer in (text_of, python, CPP):
        with pytest.raises(TypeError):
            printer(object())  # type: ignore[arg-type]
    assert text_of(Unary("-", Name("a"))) == "-a"
