"""A call could not show a guarantee of the op.

What it does: looks at `guarantees` of ops and of the kernels of their lists. A name in
`invariant` is a dim or group of the op and a separate dim of some result. It is neither derived
nor of each tensor of a list. `exact` needs a reference. Every guarantee of an op needs a kernel
for the CPU, since the tests call that one. Each kernel for the CPU keeps the guarantees of the op.

Why: a promise that no test can check is worth nothing.

Example:

    inputs.x             = { dtype = "T", shape = "*batch d" }
    outputs.y            = { dtype = "T", shape = "*batch" }
    guarantees.invariant = ["d"]     # no result has it: `y` is a sum over it

How to fix: name the dims that count the rows of a result. Remove guarantees that nothing tests, and
those of the op that some kernel does not keep.
"""

from collections.abc import Iterator

from opgen.ir.resolve_kernels import kernel_name
from opgen.language.shapes import Group, parse_shape
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic, Path, did_you_mean
from opgen.spec.models.rules import GuaranteesSpec

RULE = Rule("OG515", "bad-guarantee", Stage.NAMES)


def check(op: OpContext) -> Iterator[Diagnostic]:
    kept = op.spec.guarantees
    if kept.named and not any(k.platform == "cpu" for k in op.spec.kernels):
        yield RULE.at(
            op.at(("guarantees",)),
            f"no kernel of `{op.name}` for the CPU keeps it",
            "leave `guarantees` out",
        )
    yield from _untold(op, ("guarantees",), kept)
    for kernel in op.spec.kernels:
        if kernel.guarantees is None:
            continue
        path = (*kernel.path, "guarantees")
        yield from _untold(op, path, kernel.guarantees)
        for key, name in kept.named if kernel.platform == "cpu" else ():
            if (key, name) not in kernel.guarantees.named:
                what = key if name is None else f"{key} along `{name}`"
                yield RULE.at(
                    op.at(path),
                    f"`{op.name}` is {what}, and its kernel `{kernel_name(op.spec, kernel)}` is not",
                    f"add `{key}`, or leave it out of the op's `guarantees`",
                )


def _untold(op: OpContext, path: Path, kept: GuaranteesSpec) -> Iterator[Diagnostic]:
    """Guarantees at `path` that no test could check."""
    if kept.exact and op.spec.reference is None:
        yield RULE.at(
            op.at((*path, "exact")),
            f"`{op.name}` has no reference to be exact to",
            "give it one, or leave `exact` out",
        )
    rows = _rows(op)
    for n, name in enumerate(kept.invariant):
        where = op.at((*path, "invariant", n))
        if name in op.spec.dims:
            message = f"`{name}` is derived: a call has no part of it"
            yield RULE.at(where, message, "name what it is computed from")
        elif name not in op.splittable:
            message = f"`{name}` is no dim or group of `{op.name}`"
            yield RULE.at(where, message, did_you_mean(name, op.splittable))
        elif name not in rows:
            message = f"no result of `{op.name}` has a dim `{name}` of its own"
            yield RULE.at(where, message, "name what the rows of a result are counted by")


def _rows(op: OpContext) -> set[str]:
    """The names that are by themselves a term of a result, not of each tensor of a list."""
    results = (t for t in op.spec.tensors.values() if t.table == "output" or t.updates)
    forms = (form for tensor in results for form in tensor.texts)
    terms = (term for form in forms for term in parse_shape(form.text).terms)
    return {
        term.name if isinstance(term, Group) else str(term)
        for term in terms
        if not (isinstance(term, Group) and term.each)
    }
