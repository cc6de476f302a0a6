"""Random changes of valid specs lead to findings, but never to a traceback or an endless run.

`OPGEN_FUZZ=100000` sets the number of changed specs, and `OPGEN_FUZZ_SEED` the first seed. A
changed spec without findings is also rendered.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from opgen.compiler.pipeline import check, resolve
from opgen.ir.kinds import kind_of
from opgen.output.render import render
from opgen.source.diagnostics import errors
from opgen.source.report import report
from opgen.source.source_file import MAX_BYTES, SourceFile
from opgen.spec.config import Config
from opgen.spec.parse import parse_spec

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
SPECS = [path.read_text() for path in sorted((ROOT / "specs").glob("*.toml"))]
SPECS += [path.read_text() for path in sorted(Path(__file__).parent.glob("lint/*/good.toml"))]
MUTANTS = int(os.environ.get("OPGEN_FUZZ", "1500"))
SEED = int(os.environ.get("OPGEN_FUZZ_SEED", "0"))
SECONDS = 2.0

VALUES = [
    "0",
    "-1",
    "1e400",
    "nan",
    "-inf",
    "9" * 400,
    "0x" + "f" * 30,
    "true",
    "false",
    "[]",
    "{}",
    "[[]]",
    "[{}]",
    "[1, 'a', {}]",
    "1979-05-27",
    "07:32:00",
    '""',
    "'*'",
    "'{name}'",
    "'none'",
    "'reference'",
    "'T'",
    "'f32'",
    "'i'",
    "'arch'",
    "'else'",
    "'s'",
    "'*s'",
    "'*s *s'",
    "'a if b'",
    "'x'",
    "'dx'",
    "'dy'",
    "'1//0'",
    "'2**2**99'",
    "'prod(s)'",
    "'s[9]'",
    "'-' ",
    "'not'",
    "'((((('",
    "'" + "(" * 300 + "'",
    "'" + "-" * 900 + "1'",
    "'" + "a." * 400 + "a'",
    "'1" + "+1" * 450 + "'",
    "'present(present(x))'",
    "'offsets(offsets(1))'",
    "'x if x else x'",
    "'\"'",
    "'''a\nb'''",
    '"\\u0000"',
    '"\\u202e"',
    '"\\U0001F600"',
    "'ünï'",
    "'*/'",
    "'{{ x }}'",
    "'{% for %}'",
    "'../x'",
    "'/etc/passwd'",
    '"\\"\\"\\""',
    "'rms_norm'",
    "'relu_bwd'",
    "{ else = 'f32' }",
    "{ a = 'b', else = 1 }",
    "{ 'present(x)' = '*s' }",
    "{ op = 'relu' }",
    "['a', 'a']",
    "[false]",
    "'int[]'",
    "'dtype'",
]
KEYS = [
    "x",
    "y",
    "dy",
    "inputs",
    "outputs",
    "like",
    "order",
    "else",
    "dtype",
    "shape",
    "when",
    "optional",
    "list",
    "update",
    "init",
    "layout",
    "values",
    "reduce",
    "length",
    "align",
    "type",
    "default",
    "choices",
    "min",
    "grad",
    "backward",
    "formulas",
    "require",
    "op",
    "args",
    "grads",
    "let",
    "dims",
    "descriptor",
    "kernels",
    "cpu",
    "cuda",
    "symbol",
    "grid",
    "dispatch",
    "sharding",
    "split",
    "unit",
    "samples",
    "torch",
    "jax",
    "'a b'",
    "''",
    '"\\u0000"',
    "class",
    "f32",
    "i",
    "T",
    "__",
    "_",
    "ops",
]


def mutate(dice: random.Random, text: str) -> str:
    for _ in range(dice.choice([1, 1, 1, 2, 3, 6])):
        text = dice.choice(MUTATIONS)(dice, text)
    return text


def cut(dice: random.Random, text: str) -> str:
    start = dice.randrange(len(text) + 1)
    return text[:start] + text[start + dice.choice([1, 1, 2, 5, 40]) :]


def insert(dice: random.Random, text: str) -> str:
    at = dice.randrange(len(text) + 1)
    return text[:at] + dice.choice([*"[]{}=\"'.,#\n\\*-(", *VALUES, *KEYS]) + text[at:]


def swap_words(dice: random.Random, text: str) -> str:
    words = text.split(" ")
    a, b = dice.randrange(len(words)), dice.randrange(len(words))
    words[a], words[b] = words[b], words[a]
    return " ".join(words)


def lines(change: Callable[[random.Random, list[str], int], None]):
    def mutation(dice: random.Random, text: str) -> str:
        rows = text.split("\n")
        change(dice, rows, dice.randrange(len(rows)))
        return "\n".join(rows)

    return mutation


def drop_line(dice: random.Random, rows: list[str], at: int) -> None:
    del rows[at]


def copy_line(dice: random.Random, rows: list[str], at: int) -> None:
    rows.insert(dice.randrange(len(rows)), rows[at])


def foreign_line(dice: random.Random, rows: list[str], at: int) -> None:
    rows.insert(at, dice.choice(dice.choice(SPECS).split("\n")))


def new_value(dice: random.Random, rows: list[str], at: int) -> None:
    parts = rows[at].split(" = ")
    if len(parts) > 1:
        n = dice.randrange(1, len(parts))
        end = parts[n].find(",") if n < len(parts) - 1 else -1
        parts[n] = dice.choice(VALUES) + (parts[n][end:] if end >= 0 else "")
        rows[at] = " = ".join(parts)
        rows[at] += " }" * (rows[at].count("{") - rows[at].count("}"))


def new_key(dice: random.Random, rows: list[str], at: int) -> None:
    head, equals, rest = rows[at].partition("=")
    if equals:
        parts = head.strip().split(".")
        parts[dice.randrange(len(parts))] = dice.choice(KEYS)
        rows[at] = f"{'.'.join(parts)} = {rest.strip()}"


MUTATIONS = [cut, insert, swap_words] + [
    lines(change) for change in (drop_line, copy_line, foreign_line, new_value, new_value, new_key)
]


def run(text: str, again: bool = False) -> bool:
    """Lint `text`, report findings, render if there are none, and return whether it was rendered.

    A run that takes too long is repeated if `again`, because garbage collection may slow one run.
    """
    begin = time.thread_time()
    source = SourceFile.decode("mutant.toml", text.encode("utf-8", "surrogatepass"))
    spec, found = parse_spec(source)
    specs = {} if spec is None else {source.path: spec}
    found += check(specs)
    sources = {source.path: source}
    for form in ("text", "json", "github"):
        report(found, sources, form, color=True)
    clean = spec is not None and not errors(found)
    if clean:
        for op in spec.document.get("ops", {}).values():
            op.pop("reference", None)
        specs = {source.path: replace(spec)}  # which has not read its ops yet
        written = (k for op in specs[source.path].ops.values() for k in op.kernels)
        if any((kind := kind_of(kernel)) and kind.rule for kernel in written):
            return True  # kernel file names are resolved relative to this path
        render(resolve(specs, sources, Config(ROOT)), ["core"])
    if time.thread_time() - begin < SECONDS:
        return clean
    assert not again
    return run(text, again=True)


def test_mutants_give_findings_only() -> None:
    rendered = 0
    for n in range(MUTANTS):
        dice = random.Random(SEED + n)
        text = mutate(dice, dice.choice(SPECS))
        try:
            rendered += run(text)
        except BaseException as error:
            raise AssertionError(f"mutant {SEED + n}:\n{text}") from error
    assert rendered > MUTANTS / 20


OP = """spec = 1
[ops.f]
doc = "An op."
inputs.x = { dtype = "f32", shape = "%s" }
outputs.y = { dtype = "f32", shape = "*s" }
grad = "none"
sharding = "replicate"
"""


@pytest.mark.parametrize(
    "text",
    [
        OP % "*s" + "kernels = ['cpu']\ninputs.z = [{}]\n",
        OP % "'*s'*s" + "kernels = ['neuron']\nsamples = [{ s = [1024] }]\n",
    ],
    ids=["a table in a list", "a size that is text"],
)
def test_what_mutants_found(text: str) -> None:
    assert not run(text)


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 10_000,
        "a = " + "[" * 10_000 + "]" * 10_000,
        "[" + "a." * 10_000 + "a]",
        "a = " + "{ a = " * 10_000 + "1" + " }" * 10_000,
        "spec = 1\n" + "[ops.a]\n" * 100_000,
        "spec = 1\n" + "".join(f"[ops.f{n}]\n" for n in range(20_000)),
        "spec = 1\nops.f.doc = '" + "x" * (MAX_BYTES - 100) + "'",
        "spec = 1\nops.f.require = ['" + "(" * 999 + "']",
        "spec = 1\nops.f.inputs.x = { dtype = 'f32', shape = '" + "a " * 499 + "' }",
        "spec = 1\nops.f.require = [" + "'a == 1', " * 20_000 + "]",
        "#" * (10 * MAX_BYTES),
    ],
    ids=lambda text: f"{text[:20]!r}-{len(text)}",
)
def test_hostile_files_give_findings_soon(text: str, tmp_path: Path) -> None:
    begin = time.process_time()
    (tmp_path / "big.toml").write_text(text)
    source = SourceFile.read(tmp_path / "big.toml")
    spec, found = parse_spec(source)
    found += check({} if spec is None else {source.path: spec})
    assert errors(found)
    report(found, {source.path: source}, "text")
    assert time.process_time() - begin < 10
