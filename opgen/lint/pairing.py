"""Pair an op, the forward, with its backward op, and say what is passed to which argument."""

from __future__ import annotations

from collections.abc import Mapping

from opgen.ir.gradients import pair
from opgen.ir.nodes import Argument, BackwardCall
from opgen.language.analysis import analysis
from opgen.language.expr import Expr, Name, presence_in
from opgen.language.expr.syntax import map_children
from opgen.lint.op_context import OpContext
from opgen.source.cached import cached_property
from opgen.source.diagnostics import Path, Where
from opgen.source.frozen import dataclass
from opgen.spec.models.rules import CallSpec, GradSpec

TENSORS = ("cotangent", "input", "output", "residual")


@dataclass(frozen=True, eq=False)
class Pair:
    """A forward op, and a call of a backward op that one case of the forward's `grad` declares."""

    forward: OpContext
    backward: OpContext
    call: CallSpec
    grad: GradSpec

    @property
    def path(self) -> Path:
        return self.call.path

    @cached_property
    def made(self) -> BackwardCall:
        """Return the call as the IR represents it, with the source of every argument."""
        return pair(self.forward.scope, self.backward.scope, self.call)

    @cached_property
    def inputs(self) -> dict[str, Argument]:
        """Return the inputs of the backward by name, each with its source in the forward."""
        return {argument.name: argument for argument in self.made.arguments}

    @cached_property
    def attrs(self) -> dict[str, Argument]:
        """Return the attrs of the backward by name, each with its source in the forward."""
        return {argument.name: argument for argument in self.made.attrs}

    @cached_property
    def asked_about(self) -> frozenset[str]:
        """Return the names that the backward's conditions test with `present`."""
        conditions = self.backward.conditions
        return frozenset(name for c in conditions for name in presence_in(c))

    @property
    def gradients(self) -> tuple[tuple[str, str], ...]:
        """Return pairs of a forward input and the backward output that is its gradient."""
        return self.made.gradients

    def place(self, name: str) -> Where:
        """Return the location of `name`, an argument or gradient, in the forward's `grad`."""
        for table, said in (("args", self.call.args), ("grads", self.call.grads)):
            for key, value in said.items():
                if name in (key, value):
                    return self.forward.at((*self.call.place, table, key))
        return self.forward.at(self.path)

    @cached_property
    def variables(self) -> tuple[tuple[str, str], ...]:
        """Return each free dtype variable of the backward, with the dtype from the forward."""
        found = (
            (self.backward.spec.inputs[name].dtype.alone, self.dtype(arg))
            for name, arg in self.inputs.items()
        )
        free = self.backward.free_dtypes
        return tuple((theirs, ours) for theirs, ours in found if theirs in free and ours)

    def dtype(self, arg: Argument) -> str | None:
        """Return the dtype, as written in the spec, of the forward's tensor that is passed as
        `arg`.

        Return None if the argument is not a tensor, or if the dtype depends on cases.
        """
        if arg.source not in TENSORS:
            return None
        return self.forward.spec.tensors[arg.of].dtype.alone


def renamed(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    """Return `expr` with its names replaced by `values`. Names inside `values` are kept."""
    if isinstance(expr, Name):
        return values.get(expr.id, expr)
    return map_children(expr, lambda e: renamed(e, values))


def pairs(op: OpContext) -> tuple[Pair, ...]:
    """Return the op's backward calls, without calls of ops in which a rule has found an error."""
    failed = op.project.failed
    return tuple([pair for pair in _pairs(op) if pair.backward not in failed])


@analysis
def _pairs(op: OpContext) -> tuple[Pair, ...]:
    """Return the op's backward calls, without calls of unknown ops and of ops with errors.

    The result is cached, so it does not reflect errors that rules find later.
    """
    found = []
    for grad in op.spec.grad.values():
        for call in grad.calls:
            backward = op.project.by_name.get(call.op)
            if backward is not None and backward not in op.project.failed:
                found.append(Pair(op, backward, call, grad))
    return tuple(found)
