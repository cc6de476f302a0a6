"""Find the default reference of a backward op: autodiff of its forward's reference."""

from __future__ import annotations

from opgen.ir.nodes import BackwardCall
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.language.analysis import analysis
from opgen.source.frozen import dataclass
from opgen.targets.core.config import completes
from opgen.targets.python_format import call, quoted


@dataclass(frozen=True, slots=True)
class BackwardReference:
    """The data for the default reference of a backward op, which is autodiff of `forward`.

    - `primals`: for each input of the forward, the backward's input that receives its value. None
      if there is no such input.
    - `cotangents`: for each output of the forward, the backward's input that receives its
      cotangent. None if there is no such input.
    - `attrs`: pairs of a forward attr and a backward attr.
    - `gradients`: for each result of the backward, the index of the forward's input.
    - `recomputed`: backward inputs that can be computed from the primals.
    - `lacks`: forward values that the reference needs but the backward does not receive.
    """

    forward: Op
    primals: tuple[str | None, ...]
    cotangents: tuple[str | None, ...]
    attrs: tuple[tuple[str, str], ...]
    gradients: tuple[int, ...]
    recomputed: frozenset[str]
    lacks: tuple[str, ...]

    @property
    def reads(self) -> frozenset[str]:
        """Return the backward's inputs whose values the reference reads."""
        return frozenset(name for name in (*self.primals, *self.cotangents) if name is not None)


def backward_reference(project: Project, op: Op) -> BackwardReference | None:
    """Return the default reference of the backward op `op`. Return None if `op` has its own
    reference, or if no forward of `op` has a reference.
    """
    return _defaults(project).get(op.name)


@analysis
def _defaults(project: Project) -> dict[str, BackwardReference]:
    """Return all default references by the names of the backward ops. The first forward with a
    reference counts.
    """
    found: dict[str, BackwardReference] = {}
    for forward in project.ops:
        for made in forward.backward_calls if forward.reference is not None else ():
            op = project.op(made.op)
            if op.reference is None and op.name not in found:
                found[op.name] = _default(forward, made, op)
    return found


def _default(forward: Op, backward: BackwardCall, op: Op) -> BackwardReference:
    """Return the default reference of `op`, which the gradient of `forward` calls."""
    given = {(a.source, a.of): a.name for a in (*backward.arguments, *backward.attrs)}
    primals = tuple(given.get(("input", t.name)) for t in forward.inputs)
    attrs = tuple((a.name, given.get(("attr", a.name))) for a in forward.attrs)
    primal_of = {result: primal for primal, result in backward.gradients}
    order = [t.name for t in forward.inputs]
    recomputed = {a.name for a in backward.arguments if a.source in ("output", "residual")}
    lacks = [f for (f, b), a in zip(attrs, forward.attrs) if b is None and not a.tuning]
    # A missing primal matters if the reference recomputes a value, or if the primal is a required
    # input without a gradient.
    absent = {n for grad in forward.grad.values() if backward in grad.calls for n in grad.absent}
    for tensor, primal in zip(forward.inputs, primals):
        read = tensor.name not in dict(backward.gradients) and not tensor.optional
        if primal is None and (recomputed or read) and tensor.name not in absent:
            lacks.append(tensor.name)
    return BackwardReference(
        forward=forward,
        primals=primals,
        cotangents=tuple(given.get(("cotangent", t.name)) for t in forward.outputs),
        attrs=tuple((f, b) for f, b in attrs if b is not None),
        gradients=tuple(order.index(primal_of[t.name]) for t in op.outputs),
        recomputed=frozenset(recomputed),
        lacks=tuple(lacks),
    )


def has_reference(project: Project, op: Op) -> bool:
    """Return whether the op has a reference, either its own or the default one."""
    found = backward_reference(project, op)
    return op.reference is not None or (found is not None and not found.lacks)


def reference_statement(project: Project, op: Op) -> str:
    """Return the statement `_reference = _runtime.reference(...)` of an op that has a reference."""
    found = backward_reference(project, op)
    comment = f"# Autodiff of `{found.forward.name}`'s reference.\n" if found else ""
    items = [quoted(op.name), *(["completes=True"] if completes(op) else [])]
    return comment + call("_reference = _runtime.reference", items)
