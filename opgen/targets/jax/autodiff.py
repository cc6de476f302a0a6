"""Print gradients that JAX computes by autodiff of a reference function."""

from __future__ import annotations

from collections.abc import Mapping

from opgen.ir.gradients import kept_only
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.targets.backwards import backward_reference, has_reference
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

# The name of the op's reference.
REFERENCE = "_reference"


# The forward values that the statements of a backward read, the statements, and the code of each
# input's gradient.
Steps = tuple[Saved, list[str], Mapping[str, str | None]]


def unread_by_reference(project: Project, op: Op) -> tuple[str, ...] | None:
    """Return the inputs that the op's reference must not read in forward mode. Return None if the
    op has no reference.
    """
    if not has_reference(project, op):
        return None
    kept = kept_only(project.ops, op) if op.reference else frozenset()
    return tuple(t.name for t in op.inputs if t.name in kept and t.floating)


def autodiff(project: Project, op: Op, active: list[str]) -> Steps | None:
    """Return a backward for `op`, the code that differentiates the op's reference.

    If `op` is itself a backward op without a reference, its reference is the gradient of the
    forward's reference. Return None if that does not exist either.
    """
    if not has_reference(project, op):
        return None
    saved, found = Saved(op, reads_results=False), backward_reference(project, op)
    if found is None:
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
        by = [name for name in active if name in found.reads]
        # The shapes of unknown primals follow from all inputs.
        whole = any(found.primals[position] is None for position in found.gradients)
        read = {t.name for t in op.inputs} if whole else found.reads
        inputs = [saved.value(t.name) if t.name in read else "None" for t in op.inputs]
    return _pulled(saved, inputs, by)


def _pulled(saved: Saved, inputs: list[str], by: list[str]) -> Steps:
    """Return a backward that differentiates the op's reference with respect to the inputs `by`. The
    reference's arguments are `inputs`.
    """
    op, local = saved.op, saved.local("reference")
    saved.own.used.add(REFERENCE)
    keywords = [f"{a.name}={a.name}" for a in op.attrs]
    value = call(f"return {REFERENCE}", ["_runtime.xp", *inputs, *keywords])
    cotangents = [saved.maybe_cotangent(t.name) for t in op.outputs]
    names = [saved.local(f"d{name}") for name in by]
    items = [local, tuple_of(map(saved.value, by)), tuple_of(cotangents)]
    body = [block(define(local, by), [value]), unpacked(names, call("_runtime.pullback", items))]
    return saved, body, {n: as_cotangent(saved, d, n) for n, d in zip(by, names)}
