"""Pairs an op with its backwards: what each argument of a backward is in the forward.

Names pair: `d` + output is the output's cotangent, `d` + input the gradient for it; any
other argument is `args`' expression for it, else the thing of its name in the forward.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from opgen.ir.nodes import Argument, BackwardCall, Op
from opgen.language.expr import Name, parse_expr
from opgen.language.scope import Scope, cases_of
from opgen.source.diagnostics import Path

# What a gradient by rules holds; a table of other keys is one by cases.
GRAD_KEYS = {"formulas", "backward", "require"}


def grads_of(scope: Scope) -> list[tuple[str | None, Path, object]]:
    """(condition, path, what stands there) for each case of an op's `grad`."""
    grad = scope.table.get("grad")
    if isinstance(grad, Mapping) and not set(grad) <= GRAD_KEYS:
        return [(c, ("grad", c or "else"), value) for c, value in cases_of(grad)]
    return [(None, ("grad",), grad)]


def calls_of(grad: object) -> list[dict]:
    """The backward calls of a `grad` table, each as `{op, args?, grads?}`."""
    if not isinstance(grad, Mapping):
        return []
    calls = grad.get("backward", [])
    calls = calls if isinstance(calls, list) else [calls]
    return [{"op": call} if isinstance(call, str) else dict(call) for call in calls]


def source_of(forward: Scope, name: str) -> str | None:
    """What `name` is in the forward, as `Argument.source` says it; None: nothing."""
    if name.startswith("d") and name[1:] in forward.section("outputs"):
        return "cotangent"
    if name in forward.tensors:
        table = forward.tensors[name][0]
        return {"inputs": "input", "outputs": "output", "residuals": "residual"}.get(
            table
        )
    if name in forward.attrs or name in forward.functions:
        return "attr"
    if name in forward.bound:
        return forward.bound[name]
    if name in forward.derived:
        return "dim"
    if name in forward.dtypes:
        return "dtype"
    return None


def argument(forward: Scope, name: str, args: Mapping[str, object]) -> Argument:
    """The backward's argument `name`, as the forward gives it."""
    expr = parse_expr(str(args.get(name, name)))
    if isinstance(expr, Name):
        source = source_of(forward, expr.id)
        if source is not None:
            of = expr.id[1:] if source == "cotangent" else expr.id
            return Argument(name, source, of)
    if name in args:
        return Argument(name, "expr", expr=expr)
    return Argument(name, "absent")


def gradients_of(forward: Scope, backward: Scope, grads: Mapping[str, str] | None) -> tuple[tuple[str, str], ...]:  # fmt: skip
    """(input of the forward, output of the backward), by `grads` or by `d` names."""
    if grads:
        return tuple(grads.items())
    inputs = forward.section("inputs")
    return tuple(
        (o[1:], o)
        for o in backward.section("outputs")
        if o[:1] == "d" and o[1:] in inputs
    )


def kept_only(ops: Iterable[Op], op: Op) -> frozenset[str]:
    """The inputs of `op` that are residuals of an op whose backward it is.

    They count as functions of the forward's inputs: a reference of `op` that is
    differentiated may not read them.
    """
    calls = (call for other in ops for call in other.backward_calls)
    return frozenset(
        argument.name
        for call in calls
        if call.op == op.name
        for argument in call.arguments
        if argument.source == "residual"
    )


def pair(forward: Scope, backward: Scope, call: Mapping) -> BackwardCall:
    """One backward call, every argument accounted for."""
    args = call.get("args", {})
    return BackwardCall(
        op=call["op"],
        arguments=tuple(argument(forward, n, args) for n in backward.section("inputs")),
        attrs=tuple(argument(forward, n, args) for n in backward.attrs),
        gradients=gradients_of(forward, backward, call.get("grads")),
    )
