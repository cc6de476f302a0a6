"""Gradient expressions as programs in postfix notation."""

from __future__ import annotations

import pytest

from opgen.ir.op import Op
from opgen.language.expr import parse_expr
from opgen.targets.torch.postfix import Sizes, Unprintable, by_dtype, constant, postfix
from tests.test_resolve import resolved


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a + 2.5", "a 2.5 +"),
        ("-(a * b)", "a b * neg"),
        ("not flag", "flag not"),
        ("a and b and c", "a b and c and"),
        ("a < b <= c", "a b < b c <= and"),
        ("a == None", "a present not"),
        ("a != None", "a present"),
        ("a in (1, b)", "a 1 == a b == or"),
        ("a not in (1, b)", "a 1 == a b == or not"),
        ("a if flag else b", "flag a b where"),
        ("g[1]", "g 1 item"),
        ("ceildiv(a, b)", "a neg b // neg"),
        ("roundup(a, b)", "a neg b // neg b *"),
        ("numel(x)", "x sizes prod"),
        ("stride(x, 1)", "x strides 1 item"),
        ("min(a, b, c)", "a b min c min"),
        ("exp(a)", "a exp"),
        ("mode == 'sum'", "mode 'sum' =="),
    ],
)
def test_words(text: str, words: str) -> None:
    assert postfix(parse_expr(text), lambda name: [name]) == words.split()


def test_constants() -> None:
    assert [constant(v) for v in (1, 0.5, True, None, "a", (1, 2), ())] == [
        *("1", "0.5", "True", "None", "'a'", "[1,2]", "[]"),
    ]


@pytest.mark.parametrize("text", ["bits(T)", "promote(T, W) == f32", "offsets(a)"])
def test_what_no_program_computes(text: str) -> None:
    with pytest.raises(Unprintable):
        postfix(parse_expr(text), lambda name: [name])


def op(tables: str) -> Op:
    return resolved(tables + '\noutputs.y = { dtype = "T", shape = "n" }')


def test_functions_of_dtypes_are_written_out() -> None:
    made = op('attrs.out = { type = "dtype" }\ninputs.x = { dtype = "T", shape = "n" }')
    narrow = "16 if T == bf16 else 64"
    assert by_dtype(made, parse_expr("bits(T) + n")) == parse_expr(
        f"(32 if T == f32 else {narrow}) + n"
    )
    assert by_dtype(made, parse_expr("accum(T)")) == parse_expr(
        "f32 if T == f32 else f32 if T == bf16 else f64"
    )
    assert by_dtype(made, parse_expr("bits(f16)")) == parse_expr("16")
    assert by_dtype(made, parse_expr("accum(bf16)")) == parse_expr("f32")
    found = by_dtype(made, parse_expr("bits(out) == 8"))
    assert {1, 4, 8, 16, 32, 64, 128} >= {c.value for c in _constants(found)} >= {8, 16, 32, 64}


def _constants(expr):
    from opgen.language.expr import Const, walk

    return [e for e in walk(expr) if isinstance(e, Const)]


@pytest.mark.parametrize(
    ("tables", "name", "words"),
    [
        ('inputs.x = { dtype = "T", shape = "n k" }', "k", "input:x sizes 1 item"),
        ('inputs.x = { dtype = "T", shape = "*g k n" }', "k", "input:x sizes -2 item"),
        ('inputs.x = { dtype = "T", shape = "2*k+1 n" }', "k", "input:x sizes 0 item 1 - 2 //"),
        (
            'inputs.x = { dtype = "T", shape = "n *g k" }',
            "g",
            "input:x sizes 1 input:x rank 1 - slice",
        ),
        ('inputs.xs = { dtype = "T", shape = "n", list = "k" }', "k", "input:xs len"),
        ('attrs.k = { type = "int" }\ninputs.x = { dtype = "T", shape = "n k" }', "k", "input:k"),
        (
            'dims.k = "2*n"\ninputs.x = { dtype = "T", shape = "n" }',
            "k",
            "2 input:x sizes 0 item *",
        ),
        (
            'inputs.b = { dtype = "T", shape = "k", optional = true }\n'
            'inputs.x = { dtype = "T", shape = "n k" }',
            "k",
            "input:b present input:b sizes 0 item input:x sizes 1 item where",
        ),
        (
            'attrs.f = { type = "bool" }\n'
            'inputs.b = { dtype = "T", shape = { f = "k n", else = "n k" } }\n'
            'inputs.x = { dtype = "T", shape = "n" }',
            "k",
            "input:f input:b sizes 0 item input:b sizes 1 item where",
        ),
    ],
)
def test_sizes_of_a_call(tables: str, name: str, words: str) -> None:
    assert Sizes(op(tables)).name(name) == words.split()


def test_sizes_that_no_program_finds() -> None:
    made = op('inputs.xs = { dtype = "T", shape = "s[i] n", list = "k" }')
    for name in ("s", "unknown"):
        with pytest.raises(Unprintable):
            Sizes(made).name(name)


def test_ranks() -> None:
    sizes = Sizes(op('inputs.x = { dtype = "T", shape = "n *g" }'))
    assert sizes.rank("g") == "input:x rank 1 -".split()
    assert Sizes(op('inputs.x = { dtype = "T", shape = "*g" }')).rank("g") == ["input:x", "rank"]
    optional = op('inputs.x = { dtype = "T", shape = "*g", optional = true }')
    assert Sizes(optional).rank("g") == [*Sizes(optional).bound("g"), "len"]
    attr = op('attrs.g = { type = "int[]" }\ninputs.x = { dtype = "T", shape = "n" }')
    assert Sizes(attr).rank("g") == ["input:g", "len"]
