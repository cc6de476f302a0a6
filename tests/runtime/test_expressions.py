"""Random expressions of the spec language have the same values in C++ and in Python."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from opgen.language.dtypes import DTYPES
from opgen.language.expr import parse_expr
from opgen.language.expr.cpp import CppPrinter, element_type
from opgen.language.expr.evaluate import evaluate

COUNT = 400
INTS = ("m", "n", "k")
FLOATS = ("eps", "scale")
GROUPS = ("batch", "norm")
CHOICES = ("f32", "bf16", "f64", "i8", "u16", "c64")


def integer(rng: random.Random, depth: int) -> str:
    """Return a random expression whose value is an integer."""
    if depth == 0:
        return rng.choice([*INTS, str(rng.randint(-9, 40)), f"len({rng.choice(GROUPS)})"])
    a, b = integer(rng, depth - 1), integer(rng, depth - 1)
    return rng.choice(
        [
            *(f"({a}) {op} ({b})" for op in ("+", "-", "*", "//", "%")),
            f"-({a})",
            f"({a})**{rng.randint(0, 2)}",
            f"min({a}, {b})",
            f"max({a}, {b}, {rng.choice(INTS)})",
            f"ceildiv({a}, {b})",
            f"roundup({a}, {b})",
            f"prod({rng.choice(GROUPS)})",
            f"{rng.choice(GROUPS)}[{rng.randint(-2, 1)}]",
            f"bits({dtype(rng)}) // ({a})",
            f"({a}) if {condition(rng, depth - 1)} else ({b})",
        ]
    )


def number(rng: random.Random, depth: int) -> str:
    """Return a random expression whose value is a float."""
    if depth == 0:
        return rng.choice([*FLOATS, f"{rng.uniform(-3, 3):.3f}"])
    a, b = number(rng, depth - 1), integer(rng, depth - 1)
    if rng.random() < 0.5:
        b = number(rng, depth - 1)
    return rng.choice(
        [
            *(f"({a}) {op} ({b})" for op in ("+", "-", "*", "/", "//", "%")),
            f"({b}) / ({a})",
            f"({integer(rng, depth - 1)}) / ({integer(rng, depth - 1)})",
            "(m + 1)**-0.5",
            f"({a}) if {condition(rng, depth - 1)} else ({b})",
            f"min({a}, {b})",
        ]
    )


def dtype(rng: random.Random) -> str:
    return rng.choice(
        ["T", rng.choice(CHOICES), "accum(T)", "promote(T, W)", "real(promote(W, c64))"]
    )


def condition(rng: random.Random, depth: int) -> str:
    """Return a random expression whose value is a bool."""
    if depth == 0:
        return rng.choice(["present(x)", "not present(y)", "mode == 'sum'", "flag"])
    a, b = integer(rng, depth - 1), integer(rng, depth - 1)
    p, q = condition(rng, depth - 1), condition(rng, depth - 1)
    op = rng.choice(["<", "<=", ">", ">=", "==", "!="])
    return rng.choice(
        [
            f"({a}) {op} ({b})",
            f"({a}) <= ({b}) < ({integer(rng, depth - 1)})",
            f"({a}) {op} ({number(rng, depth - 1)})",
            f"({p}) and ({q})",
            f"({p}) or ({q})",
            f"not ({p})",
            f"T in ({dtype(rng)}, {dtype(rng)})",
            "mode not in ('sum', 'mean')",
            f"{dtype(rng)} == {dtype(rng)}",
            "bias == None or bias != 3.5",
        ]
    )


# Values of the names: small numbers, then zero and negative numbers, then the limits of int64.
VALUES = (
    dict(
        m=7,
        n=-3,
        k=12,
        batch=(3, 4),
        norm=(2, 5),
        eps=1e-5,
        scale=-2.5,
        T="bf16",
        W="f64",
        mode="mean",
        flag=True,
        bias=3.5,
    ),
    dict(
        m=0,
        n=-8,
        k=-1,
        batch=(0, 6),
        norm=(1, 1),
        eps=0.5,
        scale=3.0,
        T="f16",
        W="i8",
        mode="sum",
        flag=False,
        bias=None,
    ),
    dict(
        m=2**31,
        n=-(2**62),
        k=2**63 - 1,
        batch=(2**40, 3),
        norm=(2**31, 2**31),
        eps=-0.75,
        scale=1e9,
        T="f64",
        W="f32",
        mode="mean",
        flag=True,
        bias=-1.0,
    ),
)


PROGRAM = r"""
#include <cstdio>
#include <optional>
#include <string_view>
#include "opgen/call.h"
using opgen::ElementType, opgen::Int, opgen::Sizes;

static int64_t batch_[2], norm_[2];
static const int64_t x_[] = {{2, 2}};
static Int m, n, k;
static double eps, scale;
static const Sizes batch(batch_, 2), norm(norm_, 2);
static ElementType T, W;
static std::string_view mode;
static bool flag;
static std::optional<double> bias;
static const opgen::Buffer x{{nullptr, x_, x_, 2, ElementType::F32}}, y;

static void print(Int value) {{ std::printf("%lld\n", static_cast<long long>(value.value())); }}
static void print(int value) {{ std::printf("%d\n", value); }}
static void print(double value) {{ std::printf("%.17g\n", value); }}
static void print(bool value) {{ std::printf("%d\n", value); }}

template <class F>
static void show(F f) {{
  try {{
    print(f());
  }} catch (const opgen::Refused&) {{
    std::puts("refused");
  }}
}}

static void every() {{
{body}
}}

int main() {{
{main}
}}
"""


class Int64(int):
    """An int whose arithmetic raises OverflowError if the result does not fit 64 bits."""


def _checked(name: str) -> Callable[..., object]:
    plain = getattr(int, name)

    def operate(*operands: int) -> object:
        value = plain(*operands)
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise OverflowError
        return Int64(value) if isinstance(value, int) else value

    return operate


for operator in ("add", "sub", "mul", "floordiv", "mod", "pow"):
    setattr(Int64, f"__{operator}__", _checked(f"__{operator}__"))
    setattr(Int64, f"__r{operator}__", _checked(f"__r{operator}__"))
Int64.__neg__ = _checked("__neg__")  # type: ignore[method-assign,assignment]


def checked(value: object) -> object:
    if isinstance(value, tuple):
        return tuple(map(Int64, value))
    return Int64(value) if type(value) is int else value


def assigned(values: dict[str, object]) -> str:
    """Return C++ code that assigns the values and then evaluates every expression."""
    lines = [
        f"  {name} = {_literal(value)};"
        for name, value in values.items()
        if not isinstance(value, tuple)
    ]
    lines += [f"  {name}_[{i}] = {_literal(v)};" for name in GROUPS for i, v in enumerate(values[name])]  # type: ignore[arg-type]
    return "\n".join([*lines, "  every();"])


def _literal(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return element_type(value) if value in DTYPES else f'"{value}"'
    return "std::nullopt" if value is None else repr(value)


def python(text: str, values: dict[str, object], *, bits64: bool = True) -> object:
    """Return the value by `evaluate`, or "refused" if it raises or does not fit 64 bits."""
    known = {n: checked(v) if bits64 else v for n, v in values.items()}
    known |= {"x": (2, 2), "y": None}
    try:
        value = evaluate(parse_expr(text), known)
    except (ZeroDivisionError, IndexError, OverflowError):
        return "refused"
    return "refused" if isinstance(value, complex) else value


def test_random_expressions(run_cpp) -> None:
    rng = random.Random(0)
    kinds = (integer, number, condition)
    texts = [kinds[i % 3](rng, 1 + i % 4) for i in range(COUNT)]
    printer = CppPrinter(floats=FLOATS, optional={"bias"})
    body = "\n".join(f"  show([] {{ return {printer(parse_expr(t))}; }});" for t in texts)
    main = "\n".join(map(assigned, VALUES))
    lines = run_cpp(
        PROGRAM.format(body=body, main=main),
        "-Wno-parentheses",
        "-Wno-unused",
        "-Wno-tautological-compare",
    ).splitlines()
    cases = [(text, values) for values in VALUES for text in texts]
    refused = 0
    for (text, values), got in zip(cases, lines, strict=True):
        expected = python(text, values)
        if expected == "refused" and "." in text:
            # If one branch of a conditional is a float, C++ computes in floats but Python in ints.
            exact = python(text, values, bits64=False)
            expected = exact if got != "refused" else expected
        if expected == "refused" or got == "refused":
            refused += 1
            assert got == expected, (text, values)
        else:
            wanted = float(expected)
            assert math.isclose(float(got), wanted, rel_tol=1e-14, abs_tol=1e-300), (text, values)
    assert COUNT / 10 < refused < len(cases) / 2  # most cases have a value


def test_overflow_is_refused(run_cpp) -> None:
    texts = [
        "m * 4611686018427387904",
        "9223372036854775807 + k",
        "-9223372036854775807 - m",
        "k**18",
    ]
    printer = CppPrinter()
    body = "\n".join(f"  show([] {{ return {printer(parse_expr(t))}; }});" for t in texts)
    main = assigned(VALUES[0])
    lines = run_cpp(PROGRAM.format(body=body, main=main), "-Wno-unused").splitlines()
    assert lines == ["refused"] * len(texts)
