"""The op cannot replace an op with the schema in `torch.replaces`.

This rule checks that the schema has PyTorch's syntax. Every required input and attr must be an
argument of the schema, by name or by `args`. Every output must be a result of the schema, or an
argument that the schema marks as written, such as `Tensor! out`.

Why: opgen registers this op under the schema. Callers of the other library then call this op.

Example:

    torch.replaces = [{ schema = "other::f(Tensor! out, Tensor input) -> ()" }]

How to fix: map the op's names to the schema's names, here `args = { x = "input", y = "out" }`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.frozen import dataclass

RULE = Rule("OG628", "bad-replaced", Stage.NAMES)


def check(op: OpContext) -> Findings:
    for i, replaced in enumerate(op.spec.options["torch"]["replaces"] or ()):
        path = ("torch", "replaces", i)
        schema = read_schema(replaced["schema"])
        if schema is None:
            where = op.at((*path, "schema"))
            help_ = 'write it as in "other::f(Tensor! out, Tensor x, float eps=1e-5) -> ()"'
            yield RULE.at(where, "this is no schema of an op", help_)
            continue
        args = replaced.get("args", {})
        for name, old in args.items():
            where = op.at((*path, "args", name))
            if name not in {**op.spec.inputs, **op.spec.attrs, **op.spec.outputs}:
                has = ", ".join(
                    f"`{n}`" for n in (*op.spec.inputs, *op.spec.attrs, *op.spec.outputs)
                )
                yield RULE.at(where, f"the op has no `{name}`", f"it has {has}")
            elif old not in schema.names:
                has = ", ".join(f"`{n}`" for n in schema.names)
                yield RULE.at(where, f"the schema has no argument `{old}`", f"it has {has}")
        for message in _missing(op, schema, args):
            yield RULE.at(op.at((*path, "schema")), message, "name its argument in `args`")


def _missing(op: OpContext, schema: SchemaText, args: dict[str, str]) -> Iterator[str]:
    """Yield a message for each input or attr that the schema lacks, and for each missing result."""
    needed = [name for name, tensor in op.spec.inputs.items() if tensor.always and not tensor.seed]
    needed += [n for n, a in op.spec.attrs.items() if a.default is None and not a.optional]
    for name in needed:
        if args.get(name, name) not in schema.names:
            yield f"no argument of the schema is `{name}`"
    for name, tensor in op.spec.inputs.items():
        old = args.get(name, name)
        if tensor.always_updated and old in schema.names and old not in schema.written:
            yield f"the op writes `{name}`, and the schema does not write `{old}`"
    returned = [n for n in op.spec.outputs if args.get(n, n) not in schema.written]
    if len(returned) != schema.results:
        names = ", ".join(f"`{n}`" for n in returned) or "nothing"
        yield f"the op returns {names}, and the schema returns {schema.results}"


_RESULT = r"\w+(?:\([^)]*\))?[\[\]\d?!]*(?:\s+\w+)?"
_SCHEMA = re.compile(rf"\w+::\w+(?:\.\w+)?\((.*)\)\s*->\s*(\(.*\)|{_RESULT})")
_ARGUMENT = re.compile(
    r"([A-Z]\w*|int|float|bool|str|complex)(\([^)]*\))?(!)?([\[\]\d?!]*)\s+(\w+)\s*(=.*)?"
)


@dataclass(frozen=True)
class SchemaText:
    """The parts of a schema: its arguments, those that the op writes, and the number of results."""

    names: tuple[str, ...]
    written: frozenset[str]
    results: int


def read_schema(text: str) -> SchemaText | None:
    """Return the parsed schema, or None if `text` is not a schema."""
    match = _SCHEMA.fullmatch(re.sub(r"'[^']*'|\"[^\"]*\"", "''", text.strip()))
    if match is None:
        return None
    names, written = [], set()
    for part in re.split(r",(?![^(\[]*[)\]])", match[1]) if match[1].strip() else ():
        if part.strip() == "*":
            continue
        argument = _ARGUMENT.fullmatch(part.strip())
        if argument is None:
            return None
        _, alias, mark, _, name, _ = argument.groups()
        names.append(name)
        if mark or "!" in (alias or ""):
            written.add(name)
    given = match[2].strip("()").strip() if match[2].startswith("(") else match[2]
    fresh = [each for each in given.split(",") if each.strip() and "!" not in each]
    return SchemaText(tuple(names), frozenset(written), len(fresh))
