"""Print gradients that JAX computes by autodiff of a reference function."""

from __future__ import annotations

from collections.abc import Mapping

from opgen.ir.gradients import kept_only
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.targets.backwards import BackwardReference, backward_reference
from opgen.targets.core.config import completes
from opgen.targets.jax.rules import as_cotangent
from opgen.targets.jax.saved import Saved
from opgen.targets.python_format import (
    block,
    call,
    define,
    quoted,
    tuple_of,
    unpacked,
)

# The name of the function that fills in attr defaults that depend on sizes, and then calls the
# reference.
COMPLETED = "_completed"


# The forward values that the statements of a backward read, the statements, and the code of each
# input's gradient.
Steps = tuple[Saved, list[str], Mapping[str, str | None]]


def differentiated(project: Project, op: Op) -> tuple[str, tuple[str, ...]] | None:
    """Return (function that forward mode differentiates, inputs that this function must not read).

    Return None if the op has no reference and is not the backward of an op with a reference.
    """
    if op.reference is None and pullback_of(project, op) is None:
        return None
    kept = kept_only(project.ops, op) if op.reference else frozenset()
    return _function(op), tuple(t.name for t in op.inputs if t.name in kept and t.floating)


def _function(op: Op) -> str:
    """Return the name of the function that computes the op and has the signature of a reference."""
    if completes(op):
        return COMPLETED
    return reference_of(op) if op.reference else "_gradient"


def autodiff(project: Project, op: Op, active: list[str]) -> Steps | None:
    """Return a backward for `op`, the code that differentiates the op's reference.

    If `op` is itself a backward op without a reference, the code differentiates `_gradient`, the
    gradient of the forward's reference. Return None if `_gradient` does not exist either.
    """
    saved = Saved(op, reads_results=False)
    if op.reference is not None:
        unread = kept_only(project.ops, op)
        by = [name for name in active if name not in unread]
        inputs = [
            (
                f"_runtime.unread({quoted(op.name)}, {quoted(t.name)}, {saved.type(t.name)})"
                if t.name in active and t.name in unread
                else saved.value(t.name)
            )
            for t in op.inputs
        ]
    else:
        found = pullback_of(project, op)
        if found is None:
            return None
        by = [name for name in active if name in found.reads]
        # The shapes of unknown primals follow from all inputs.
        whole = any(found.primals[position] is None for position in found.gradients)
        read = {t.name for t in op.inputs} if whole else found.reads
        inputs = [saved.value(t.name) if t.name in read else "None" for t in op.inputs]
    return _pulled(saved, "reference" if op.reference else "gradient", inputs, by)


def _pulled(saved: Saved, name: str, inputs: list[str], by: list[str]) -> Steps:
    """Return a backward that differentiates the op's function with respect to the inputs `by`.

    The function's arguments are `inputs`. In the backward it has the local name `name`.
    """
    op, local, function = saved.op, saved.local(name), _function(saved.op)
    saved.own.used.add(module_name(function))
    keywords = [f"{a.name}={a.name}" for a in op.attrs]
    value = call(f"return {function}", ["_runtime.xp", *inputs, *keywords])
    cotangents = [saved.maybe_cotangent(t.name) for t in op.outputs]
    names = [saved.local(f"d{name}") for name in by]
    items = [local, tuple_of(map(saved.value, by)), tuple_of(cotangents)]
    body = [block(define(local, by), [value]), unpacked(names, call("_runtime.pullback", items))]
    return saved, body, {n: as_cotangent(saved, d, n) for n, d in zip(by, names)}


def module_name(function: str) -> str:
    """Return the name that the module must define or import for `function`. For example,
    `_reference.f` needs `_reference`.
    """
    return function.partition(".")[0]


def reference_of(op: Op) -> str:
    """Return the op's reference function as a rendered module names it: `_reference.f`."""
    return f"_reference.{str(op.reference).partition(':')[2]}"


def pullback_of(project: Project, op: Op) -> BackwardReference | None:
    """Return the reference of the backward op `op`: autodiff of its forward's reference. Return None
    if `op` has its own reference, or does not receive all that the forward's reference needs.
    """
    found = backward_reference(project, op)
    return None if found is None or found.lacks else found
