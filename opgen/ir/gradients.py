"""Pair an op with its backward ops, and find the forward's value for each backward argument.

Names define the pairs. `d` + output names the cotangent of the output, and `d` + input names the
gradient of the input. Any other argument has the value that the spec's `args` states, or else the
forward's value with the same name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from opgen.ir.nodes import Argument, BackwardCall, Source
from opgen.ir.op import Op
from opgen.ir.parsed import in_order
from opgen.language.expr import Const, Name, names_in, parse_expr
from opgen.language.scope import Scope
from opgen.spec.models.rules import CallSpec


def source_of(forward: Scope, name: str) -> Source | None:
    """Return the role of `name` in the forward; None if the forward has no such name.

    The result is a value of `Argument.source`, such as "input" or "cotangent".
    """
    spec = forward.spec
    if name.startswith("d") and name[1:] in spec.outputs:
        return "cotangent"
    if name in spec.tensors:
        return _SOURCES.get(spec.tensors[name].table)
    if name in spec.attrs or name in forward.functions:
        return "attr"
    if name in forward.bound:
        return forward.bound[name]
    if name in spec.dims:
        return "dim"
    if name in spec.dtypes:
        return "dtype"
    return None


_SOURCES: dict[str, Source] = {"inputs": "input", "outputs": "output", "residuals": "residual"}


def argument(forward: Scope, name: str, args: Mapping[str, str]) -> Argument:
    """Return the backward's argument `name`, with the forward's value that is passed for it."""
    expr = parse_expr(args.get(name, name))
    if isinstance(expr, Name):
        source = source_of(forward, expr.id)
        if source is not None:
            of = expr.id[1:] if source == "cotangent" else expr.id
            return Argument(name, source, of)
    if name in args:
        return Argument(name, "expr", expr=expr)
    return Argument(name, "absent")


def _tensor(forward: Scope, name: str, args: Mapping[str, str]) -> Argument:
    """Return the backward's input `name`, with the forward's value that is passed for it.

    If `args` maps the input to `None`, the input is absent, even if the forward has this name.
    """
    if name in args and parse_expr(args[name]) == Const(None):
        return Argument(name, "absent")
    return argument(forward, name, args)


def gradients_of(
    forward: Scope, backward: Scope, grads: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    """Pair each differentiable input of the forward with the backward's output that is its
    gradient.

    `grads` lists the pairs. If `grads` is empty, output `dx` is the gradient of input `x`.
    """
    if grads:
        return tuple(grads.items())
    inputs = forward.spec.inputs
    return tuple((o[1:], o) for o in backward.spec.outputs if o[:1] == "d" and o[1:] in inputs)


def kept_only(ops: Iterable[Op], op: Op) -> frozenset[str]:
    """Return the inputs of the backward `op` that are residuals of its forward.

    Residuals are values that the forward saves. They depend on the forward's inputs. A framework
    that differentiates the reference of `op` would treat them as independent inputs, so the
    reference must not read them.
    """
    calls = (call for other in ops for call in other.backward_calls)
    return frozenset(
        argument.name
        for call in calls
        if call.op == op.name
        for argument in call.arguments
        if argument.source == "residual"
    )


def linear_in(ops: Iterable[Op], op: Op) -> tuple[tuple[str, ...], ...]:
    """Return groups of inputs of `op`. All results are linear in the inputs of a group together.

    A gradient is linear in its cotangents. Only a gradient that calls `op` with any arguments shows
    that all calls of `op` are linear. A gradient with a condition or a fixed argument does not.
    """
    written = {tensor.name for tensor in op.written}
    grads = (grad for other in ops if other.grad.plain for grad in other.grad.values())
    calls = (call for grad in grads if not grad.require for call in grad.calls)
    groups = (
        tuple(each.name for each in call.arguments if each.source == "cotangent")
        for call in calls
        if call.op == op.name
        and not op.updated
        and written == {name for _, name in call.gradients}
        and not any(map(_is_fixed, (*call.arguments, *call.attrs)))
    )
    return tuple(dict.fromkeys(groups))


def _is_fixed(given: Argument) -> bool:
    """Return whether an argument has the same value in every call of a gradient."""
    return given.source == "absent" or (given.expr is not None and not names_in(given.expr))


def pair(forward: Scope, backward: Scope, call: CallSpec) -> BackwardCall:
    """Return the backward call that `call` describes. Each argument of the result states where in
    the forward its value comes from.
    """
    theirs, args = backward.spec, call.args
    attrs = (attr.name for attr in in_order(theirs.attrs))
    return BackwardCall(
        op=call.op,
        arguments=tuple(_tensor(forward, n, args) for n in theirs.inputs),
        attrs=tuple(argument(forward, n, args) for n in (*backward.functions, *attrs)),
        gradients=gradients_of(forward, backward, call.grads),
    )
