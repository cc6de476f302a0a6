"""Expressions mean in C++ what they mean in Python: random ones, on random values."""

from __future__ import annotations

import math
import random

from opgen.expr import parse_expr
from opgen.expr.cpp import CppPrinter
from opgen.expr.evaluate import evaluate

COUNT = 400
INTS = ("m", "n", "k")
FLOATS = ("eps", "scale")
GROUPS = ("batch", "norm")
DTYPES = ("f32", "bf16", "f64", "i8", "u16", "c64")


def integer(rng: random.Random, depth: int) -> str:
    """A random expression whose value is an integer."""
    if depth == 0:
        return rng.choice(
            [*INTS, str(rng.randint(-9, 40)), f"len({rng.choice(GROUPS)})"]
        )
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
    """A random expression whose value is a float."""
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
            f"(m + 1)**-0.5",
            f"({a}) if {condition(rng, depth - 1)} else ({b})",
            f"min({a}, {b})",
        ]
    )


def dtype(rng: random.Random) -> str:
    return rng.choice(
        ["T", rng.choice(DTYPES), "accum(T)", "promote(T, W)", "real(promote(W, c64))"]
    )


def condition(rng: random.Random, depth: int) -> str:
    """A random expression whose value is a truth value."""
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
            f"mode not in ('sum', 'mean')",
            f"{dtype(rng)} == {dtype(rng)}",
            "bias == None or bias != 3.5",
        ]
    )


VALUES = dict(m=7, n=-3, k=12, eps=1e-5, scale=-2.5, batch=(3, 4), norm=(2, 5), T="bf16", W="f64", mode="mean", flag=True, bias=3.5, x=(2, 2), y=None)  # fmt: skip

PROGRAM = r"""
#include <cstdio>
#include <optional>
#include <string_view>
#include "opgen/call.h"
using opgen::ElementType, opgen::Int, opgen::Sizes;

static const int64_t batch_[] = {{3, 4}}, norm_[] = {{2, 5}}, x_[] = {{2, 2}};
static const Int m = 7, n = -3, k = 12;
static const double eps = 1e-5, scale = -2.5;
static const Sizes batch(batch_, 2), norm(norm_, 2);
static const ElementType T = ElementType::BF16, W = ElementType::F64;
static const std::string_view mode = "mean";
static const bool flag = true;
static const std::optional<double> bias = 3.5;
static const opgen::Buffer x{{nullptr, x_, x_, 2, T}}, y;

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

int main() {{
{body}
}}
"""


def python(text: str) -> object:
    """The value by `evaluate`; "refused" where Python raises or leaves 64 bits."""
    try:
        value = evaluate(parse_expr(text), VALUES)
    except (ZeroDivisionError, IndexError, OverflowError):
        return "refused"
    if isinstance(value, complex) or (isinstance(value, int) and not -(2**63) <= value < 2**63):  # fmt: skip
        return "refused"
    return value


def test_random_expressions(run_cpp) -> None:
    rng = random.Random(0)
    kinds = (integer, number, condition)
    texts = [kinds[i % 3](rng, 1 + i % 4) for i in range(COUNT)]
    printer = CppPrinter(floats=FLOATS, optional={"bias"})
    body = "\n".join(f"  show([] {{ return {printer(parse_expr(t))}; }});" for t in texts)  # fmt: skip
    lines = run_cpp(PROGRAM.format(body=body), "-Wno-parentheses", "-Wno-unused").splitlines()  # fmt: skip
    assert len(lines) == COUNT
    refused = 0
    for text, got in zip(texts, lines, strict=True):
        expected = python(text)
        if expected == "refused" or got == "refused":
            refused += 1
            assert got == expected, text
        else:
            wanted = float(expected)
            assert math.isclose(float(got), wanted, rel_tol=1e-14, abs_tol=1e-300), text
    assert refused < COUNT / 2  # most of them have a value


def test_overflow_is_refused(run_cpp) -> None:
    texts = ["m * 4611686018427387904", "9223372036854775807 + k", "-9223372036854775807 - m", "k**18"]  # fmt: skip
    printer = CppPrinter()
    body = "\n".join(f"  show([] {{ return {printer(parse_expr(t))}; }});" for t in texts)  # fmt: skip
    lines = run_cpp(PROGRAM.format(body=body), "-Wno-unused").splitlines()
    assert lines == ["refused"] * len(texts)
