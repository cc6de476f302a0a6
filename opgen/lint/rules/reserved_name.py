"""A name is reserved by the language.

This rule rejects reserved names of tensors, attrs, dims, groups and variables. The reserved
names are `i` (the index in a list), `arch` and `sms` (properties of the device), dtype names, and
`True False None else`.

Why: the name would be ambiguous in an expression.

Example:

    inputs.x = { dtype = "T", shape = "i j" }

How to fix: choose another name.
"""

from collections.abc import Iterator

from opgen.language.dtypes import DTYPES
from opgen.language.expr import names_in
from opgen.language.scope import RESERVED
from opgen.language.shapes import Dim, parse_shape
from opgen.lint.dtype_table import DtypeTable
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import Diagnostic, Where
from opgen.spec.tables import TENSOR_TABLES

RULE = Rule("OG206", "reserved-name", Stage.NAMES, on=("dtypes", "op"))

MEANS = {
    "i": "the index in a list",
    "arch": "the device's architecture",
    "sms": "the device's multiprocessors",
}


def check(subject: OpContext | DtypeTable) -> Findings:
    if isinstance(subject, DtypeTable):
        for name in subject.variables:
            if _reserved(name):
                yield _refuse(name, subject.at((name,), "key"))
        return
    for table in (*TENSOR_TABLES, "attrs", "let", "dims"):
        for name in getattr(subject.spec, table):
            if _reserved(name):
                yield _refuse(name, subject.at((table, name), "key"))
    for name in subject.spec.own_dtypes:
        if _reserved(name):
            yield _refuse(name, subject.at(("dtypes", name), "key"))
    for name in dict.fromkeys(_bound(subject)):
        if _reserved(name):
            yield _refuse(name, subject.first_use(name))


def _bound(op: OpContext) -> Iterator[str]:
    """Yield the names that the shapes of inputs declare, including reserved names."""
    for tensor in op.spec.inputs.values():
        each = tensor.list is not None
        if tensor.list is not None:
            yield tensor.list
        for _, text in tensor.texts:
            shape = parse_shape(text)
            yield from (group.name for group in shape.groups)
            sizes = (term.size for term in shape.terms if isinstance(term, Dim))
            yield from (n for size in sizes for n in names_in(size) if not (n == "i" and each))


def _reserved(name: str) -> bool:
    return name in RESERVED or name in DTYPES


def _refuse(name: str, where: Where) -> Diagnostic:
    meaning = MEANS.get(name, "a dtype")
    return RULE.at(where, f"`{name}` is reserved: it names {meaning}", "rename it")
