"""A dtype is neither a literal, nor a variable, nor a dtype attr.

This rule looks up the dtype of every tensor, and every name in `[dtypes]`.

Why: opgen would treat a misspelt dtype as a variable that no tensor determines.

Example:

    [dtypes]
    T = ["f32", "fp16"]

How to fix: use a dtype of the table at the end of docs/reference.md, or declare the
variable in `[dtypes]`.
"""

from collections.abc import Sequence

from opgen.language.dtype_variables import given_by
from opgen.language.dtypes import DTYPES
from opgen.language.expr import IfElse, names_in, parse_expr, text_of, walk
from opgen.language.expr.places import spans_of_name
from opgen.lint.dtype_table import DtypeTable
from opgen.lint.expression_contexts import Site, span
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import Path, did_you_mean, nearest
from opgen.spec.models.attrs import AttrSpec, DtypeSpec

RULE = Rule("OG202", "unknown-dtype", Stage.NAMES, on=("dtypes", "op"))

# Names of dtypes in other libraries, with the names in opgen.
ELSEWHERE = {
    "float": "f32",
    "fp32": "f32",
    "double": "f64",
    "fp64": "f64",
    "half": "f16",
    "fp16": "f16",
    "int": "i64",
    "long": "i64",
    "byte": "u8",
    "fp8": "f8e4m3",
    "float8": "f8e4m3",
    "boolean": "bool",
    **{dtype.numpy: name for name, dtype in DTYPES.items()},
}


def check(subject: OpContext | DtypeTable) -> Findings:
    if isinstance(subject, DtypeTable):
        yield from _of_table(subject)
        return
    variables = subject.scope.dtype_vars
    for tensor in subject.spec.tensors.values():
        for key, dtype in tensor.dtype.placed():
            if dtype in DTYPES or dtype in variables:
                continue
            where = subject.at((*tensor.path, "dtype", *key))
            yield RULE.at(where, f"unknown dtype `{dtype}`", _help(dtype, variables))
    for name, variable in subject.spec.own_dtypes.items():
        yield from _of_own(subject, name, variable)
    for attr in subject.spec.attrs.values():
        if attr.type == "dtype":
            yield from _of_attr(subject, attr)


def _of_own(op: OpContext, name: str, variable: DtypeSpec) -> Findings:
    """Report unknown dtypes in the definition of a dtype variable of the op."""
    for n, dtype in enumerate(variable.choices or ()):
        if dtype not in DTYPES:
            yield RULE.at(op.at(("dtypes", name, n)), f"unknown dtype `{dtype}`", _help(dtype, []))
    for key, text in variable.value.placed():
        for dtype in given_by(parse_expr(text)):
            if dtype not in DTYPES and dtype not in op.spec.dtypes:
                start, end = spans_of_name(text, dtype)[0]
                help_ = _help(dtype, [*op.spec.dtypes])
                if dtype in op.spec.attrs:
                    help_ = f'an attr is a dtype where its type is one: `{dtype} = {{ type = "dtype" }}`'
                where = op.at(("dtypes", name, *key), "value", start, end)
                yield RULE.at(where, f"unknown dtype `{dtype}`", help_)


def _of_table(table: DtypeTable) -> Findings:
    for name, choices in table.given.items():
        for n, dtype in enumerate(choices):
            if dtype not in DTYPES:
                message = f"unknown dtype `{dtype}`"
                yield RULE.at(table.at((name, n)), message, _help(dtype, []))
    for site in table.sites:
        for name in names_in(site.expr):
            if name not in DTYPES and name not in table.variables:
                start, end = spans_of_name(site.text, name)[0]
                where = span(table, site, start, end)
                if name in table.others:
                    message = f"`{name}` is {table.others[name]}: `[dtypes]` sees dtypes only"
                    help_ = f"decide in the op: `dtypes.{site.path[0]} = ...`, or {_decided(site, name)}"
                else:
                    message, help_ = f"unknown dtype `{name}`", _help(name, [*table.variables])
                yield RULE.at(where, message, help_)


def _decided(site: Site, name: str) -> str:
    """Return a `dtype` to suggest in place of the unknown `name` in the expression `site`."""
    tests = [part.test for part in walk(site.expr) if isinstance(part, IfElse)]
    tests += [site.expr] if site.part == "key" else []
    for test in tests:
        if name in names_in(test):
            return f'`dtype = {{ "{text_of(test)}" = ..., else = ... }}`'
    return f'`dtype = "{name}"`'


def _of_attr(op: OpContext, attr: AttrSpec) -> Findings:
    given: list[tuple[Path, object]] = [(("default",), attr.default)]
    given = [*((("choices", n), c) for n, c in enumerate(attr.choices or ())), *given]
    for path, dtype in given:
        if isinstance(dtype, str) and dtype not in DTYPES:
            where = op.at(("attrs", attr.name, *path))
            yield RULE.at(where, f"unknown dtype `{dtype}`", _help(str(dtype), []))


def _help(name: str, variables: Sequence[str]) -> str:
    ours = ELSEWHERE.get(name.casefold())
    if ours is not None:
        return f"did you mean `{ours}`?"
    if name.casefold() not in DTYPES and name[:1].isupper() and variables:
        # Dtypes are lower-case, so an upper-case name is probably a misspelt variable.
        near = nearest(name, variables)
        listed = ", ".join(f"`{v}`" for v in variables)
        return (
            f"did you mean `{near}`?" if near else f"known: {listed}; or declare it in `[dtypes]`"
        )
    if not variables and nearest(name, DTYPES) is None:
        return "the dtypes are " + ", ".join(DTYPES)
    return did_you_mean(name, [*variables, *DTYPES])
