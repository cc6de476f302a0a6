"""Advice of `opgen lint` on typical first mistakes: each case has one wrong line in a right spec."""

from __future__ import annotations

from pathlib import Path

import pytest

from opgen.compiler.pipeline import examine
from opgen.source.diagnostics import Diagnostic

SPEC = """spec = 1

[dtypes]
T   = ["f32", "bf16"]
Acc = "accum(T)"

[ops.softcap]
doc            = "Bound `x` smoothly."
inputs.x       = { dtype = "T", shape = "b h k" }
inputs.bias    = { dtype = "T", shape = "h k", optional = true }
attrs.n        = { type = "int", default = 1 }
outputs.y      = { dtype = "T", shape = "b h k" }
grad.backward  = "softcap_bwd"
sharding.split = ["b"]
kernels        = ["cpu"]
require        = ["h == k"]

[ops.softcap_bwd]
doc            = "Gradients of softcap."
inputs.dy      = { dtype = "T", shape = "b h k" }
inputs.x       = { dtype = "T", shape = "b h k" }
inputs.bias    = { dtype = "T", shape = "h k", optional = true }
outputs.dx     = { dtype = "T", shape = "b h k" }
outputs.dbias  = { dtype = "T", shape = "h k", optional = true, reduce = { b = "sum" } }
grad           = "none"
sharding.split = ["b"]
kernels        = ["cpu"]
"""
X = 'inputs.x       = { dtype = "T", shape = "b h k" }'
BIAS = 'inputs.bias    = { dtype = "T", shape = "h k", optional = true }'
N = 'attrs.n        = { type = "int", default = 1 }'
GRAD = 'grad.backward  = "softcap_bwd"\n'
KERNELS = 'kernels        = ["cpu"]\n'
BLANKS = "terms are separated by blanks: `*batch h w`"

# By case: the text to replace, the new text, the rule that must find it, and the rule's advice.
CASES = {
    "a variable that is not declared": (
        X,
        X.replace('"T"', '"U"'),
        "OG202",
        "known: `T`, `Acc`; or declare it in `[dtypes]`",
    ),
    "a variable in lower case": (
        BIAS,
        BIAS.replace('"T"', '"acc"'),
        "OG202",
        "did you mean `Acc`?",
    ),
    "a dtype in upper case": (X, X.replace('"T"', '"F32"'), "OG202", "did you mean `f32`?"),
    "a shape as a list": (
        X,
        X.replace('"b h k"', '["b", "h", "k"]'),
        "OG106",
        'one shape is one string: `shape = "b h k"`',
    ),
    "a shape with commas": (X, X.replace("b h k", "*b, h, k"), "OG106", BLANKS),
    "a shape with parentheses": (BIAS, BIAS.replace("h k", "(h, k)"), "OG106", BLANKS),
    "a shape with brackets": (BIAS, BIAS.replace("h k", "[h, k]"), "OG106", BLANKS),
    "a term with blanks": (
        BIAS,
        BIAS.replace("h k", "h ceildiv(k, 2)"),
        "OG106",
        "a term holds no blanks: `ceildiv(n,64)`",
    ),
    "a split group": ('split = ["b"]', 'split = ["*b"]', "OG012", 'write `"b"`'),
    "a power": (
        GRAD,
        'grad.formulas = { x = "dy*(1 - tanh(x)^2)", bias = "dy" }\n',
        "OG104",
        "write `**`",
    ),
    "an equality": ("h == k", "h = k", "OG104", "write `==`"),
    "a choice": (
        GRAD,
        'grad.formulas = { x = "where(x > 0, dy, 0)", bias = "dy" }\n',
        "OG105",
        "write `a if c else b`",
    ),
    "a function of formulas": (
        GRAD,
        'grad.formulas = { x = "sech(x)*dy", bias = "dy" }\n',
        "OG105",
        "known: `exp`, `log`, `sqrt`, `rsqrt`, `tanh`, `erf`, `abs`, `sign`, `sin`, `cos`,"
        " `min`, `max`, `present`",
    ),
    "a key twice": (KERNELS, KERNELS * 2, "OG002", "remove one of the two"),
    "another version": (
        "spec = 1",
        "spec = 2",
        "OG011",
        "this opgen knows version 1 of the language: write `spec = 1`",
    ),
    "an attr as a number": (
        N,
        "attrs.n        = 1.0",
        "OG011",
        '`attrs.n = { type = "float", default = 1.0 }`',
    ),
    "an attr as text": (
        N,
        'attrs.n        = "sum"',
        "OG011",
        '`attrs.n = { type = "str", default = "sum" }`',
    ),
    "an input as text": (
        X,
        'inputs.x       = "b h k"',
        "OG011",
        '`inputs.x = { dtype = "f32", shape = "*s" }`',
    ),
    "a default of another type": (
        N,
        N.replace("= 1 ", "= 1.5 "),
        "OG311",
        'write an int, or say `type = "float"`',
    ),
    "a list without a length": (
        BIAS,
        BIAS.replace("optional", "list"),
        "OG011",
        'for example: `list = "n"`',
    ),
    "no gradient": (
        GRAD,
        "",
        "OG101",
        'name its `backward` or `formulas`, or say `grad = "none"`',
    ),
    "a misspelt backward": (
        GRAD,
        'grad.backward  = "softcap_bw"\n',
        "OG401",
        "did you mean `softcap_bwd`?",
    ),
    "a formula with a slip": (
        GRAD,
        'grad.formulas = { x = "dyy", bias = "dy" }\n',
        "OG201",
        "did you mean `dy`?",
    ),
}


def lint(folder: Path, text: str) -> list[Diagnostic]:
    (folder / "softcap.toml").write_text(text)
    return examine([folder / "softcap.toml"])[1]


def test_the_spec_itself_is_right(tmp_path: Path) -> None:
    assert lint(tmp_path, SPEC) == []


@pytest.mark.parametrize("case", CASES)
def test_one_mistake_is_one_finding_with_advice(tmp_path: Path, case: str) -> None:
    right, wrong, rule, advice = CASES[case]
    assert right in SPEC
    found = lint(tmp_path, SPEC.replace(right, wrong, 1))
    assert {(d.rule, d.help) for d in found} == {(rule, advice)}
    assert len({d.where.path[:2] for d in found}) == 1


def test_a_backward_without_a_forward(tmp_path: Path) -> None:
    """A backward op that no forward op names is reported, unless a `grad` key is also wrong."""
    bwd = 'grad           = "none"\n'
    text = SPEC.replace(bwd, 'grad           = "reference"\n')
    (found,) = lint(tmp_path, text)
    assert (found.rule, found.help) == ("OG418", 'add `reference = "softcap_bwd.py:softcap_bwd"`')
    assert [d.rule for d in lint(tmp_path, text.replace("softcap_bwd", "soft_bwd", 1))] == ["OG401"]
    (found,) = lint(tmp_path, SPEC.replace(GRAD, 'grad           = "none"\n'))
    assert found.rule == "OG303" and found.help.startswith("name it in the `grad.backward`")


def test_a_key_twice_names_both_lines(tmp_path: Path) -> None:
    (found,) = lint(tmp_path, SPEC.replace(KERNELS, KERNELS + '# again\n"kernels" = []\n', 1))
    assert found.message == '`"kernels"` is defined twice'
    (found,) = lint(tmp_path, SPEC.replace(KERNELS, KERNELS + "# again\n" + KERNELS, 1))
    assert found.message == "`kernels` is defined twice, first in line 15"
    text = (tmp_path / "softcap.toml").read_text()
    assert text[found.where.start : found.where.end] == "kernels"
    assert text.count("\n", 0, found.where.start) == 16
