"""How an op is differentiated: the functions `_op`, `_forward` and `_backward` as text."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.dtypes import DTYPES
from opgen.expr import text_of
from opgen.expr.python import python
from opgen.ir import Op, Project, Requirement, Tensor
from opgen.targets.jax.autodiff import Autodiff, autodiff
from opgen.targets.jax.layout import (
    display,
    function,
    returned,
    unpacked,
    unpacked_call,
)
from opgen.targets.jax.rules import pullbacks
from opgen.targets.jax.saved import Saved
from opgen.targets.python import call, define, quoted, tuple_of


@dataclass(frozen=True, slots=True)
class Gradient:
    """The gradient of one op.

    `guards`: what refuses to differentiate by which inputs. `calls`: the ops whose faces
    are called. `symbolic`: whether JAX says which gradients are needed.
    """

    functions: tuple[str, ...] = ()
    guards: tuple[tuple[str, tuple[str, ...], str], ...] = ()
    calls: tuple[str, ...] = ()
    symbolic: bool = False


def gradient(project: Project, op: Op) -> Gradient:
    """The functions that differentiate `op`, and what they need."""
    floats = [t for t in op.inputs if may_be_float(op, t)]
    active = [t for t in floats if t.differentiable]
    steps = _steps(project, op, active)
    if steps is None:
        names = tuple(t.name for t in floats)
        return Gradient(guards=(("no_gradient", names, ""),) if names else ())
    saved, body, gradients = steps
    guards = [("no_gradient", (t.name,), t.name) for t in floats if t not in active]
    guards += [("reverse_mode_only", tuple(t.name for t in active), "")]
    return Gradient(
        functions=(
            _op(op),
            _forward(op, saved, gradients),
            _backward(op, saved, body, gradients),
        ),
        guards=tuple(guards),
        calls=tuple(c.op for c in op.grad.calls),
        symbolic=saved.symbolic,
    )


def may_be_float(op: Op, tensor: Tensor) -> bool:
    """Whether some call has `tensor` in a type that a gradient can be taken by."""
    for dtype in tensor.dtype.values():
        var = op.dtype_var(dtype)
        choices = var.choices if var is not None and var.free else (dtype,)
        if any(c not in DTYPES or DTYPES[c].floating for c in choices):
            return True
    return False


def _steps(project: Project, op: Op, active: list[Tensor]):
    """What the backward reads, its statements, the gradient of each input; None: no way."""
    if not active or op.grad.kind == "none":
        return None
    if op.grad.kind == "rules":
        saved = Saved(op, symbolic=_chooses(project, op))
        body, gradients = pullbacks(project, op, saved)
        return saved, body, gradients
    found: Autodiff | None = autodiff(project, op, [t.name for t in active])
    if found is None:
        return None
    return found.saved, found.body, found.gradients


def _chooses(project: Project, op: Op) -> bool:
    """Whether it matters to the backward which gradients are needed, which cotangents there."""
    return len(op.grad.calls) > 1 or any(
        project.op(call.op).outputs_on_request
        or any(a.source == "cotangent" and not t.always for a, t in zip(call.arguments, project.op(call.op).inputs))  # fmt: skip
        for call in op.grad.calls
    )


def _op(op: Op) -> str:
    """The call itself, which JAX never looks into for a gradient."""
    parameters = _parameters(op)
    keywords = [f"{name}={name}" for name in options(op)]
    items = ["_KERNEL", *(t.name for t in op.inputs), *keywords]
    decorator = "jax.custom_vjp"
    if keywords:
        numbers = range(len(op.inputs), len(parameters))
        static = tuple_of(map(str, numbers))
        decorator = f"functools.partial(jax.custom_vjp, nondiff_argnums={static})"
    head = define("def _op(", parameters, "):")
    return function(head, [call("return _runtime.call(", items, ")", 4)], decorator)


def _forward(op: Op, saved: Saved, gradients: dict[str, str | None]) -> str:
    """The call, and what is kept of it.

    It calls `_op` again, so that a gradient of the gradient finds the rule, too. What the
    gradient reads is computed, whether or not the caller asked for it.
    """
    parameters = _parameters(op)
    kept = [n if n in saved.values else f"_runtime.type_of({n})" for n in saved.kept()]
    written = [t.name for t in _results(op)]
    read = [t.name for t in op.written if t.name in saved.values | saved.types]
    body = []
    if saved.symbolic:
        inputs = [t.name for t in op.inputs]
        if saved.asks:
            kept.append(saved.needed())
            active = [f"{name}={name}" for name, text in gradients.items() if text]
            body.append(call(f"{kept[-1]} = _runtime.needed(", active, ")", 4))
        body.append(unpacked_call(inputs, "_runtime.values(", inputs))
    body += [_requirement(op, each) for each in op.grad.require]
    if read:
        also = [quoted(t.name) for t in op.on_request if t.name in read]
        asked = [f"(*wanted, {', '.join(also)})" if also and n == "wanted" else n for n in parameters]  # fmt: skip
        body.append(unpacked_call(written, "_op(", asked))
        given = [f"{n} if {quoted(n)} in wanted else None" if quoted(n) in also else n for n in written]  # fmt: skip
        results = display("(", given, ")", 8)
    else:
        results = call("_op(", parameters, "),", 8)[:-1]  # a comma follows
    body.append(returned([results, display("(", kept, ")", 8) if kept else "()"]))
    return function(define("def _forward(", parameters, "):"), body)


def _requirement(op: Op, requirement: Requirement) -> str:
    """A condition of the spec on calls that are differentiated."""
    text = requirement.message or text_of(requirement.condition)
    items = [quoted(op.name), python(requirement.condition), quoted(text)]
    return call("_runtime.require(", items, ")", 4)


def _backward(
    op: Op, saved: Saved, body: list[str], gradients: dict[str, str | None]
) -> str:
    """The gradient of every input, from what was kept and the cotangents."""
    kept, given = saved.local("saved"), saved.local("cotangents")
    lines = []
    names = saved.kept() + ([saved.needed()] if saved.asks else [])
    if names:
        lines.append(unpacked(names, kept))
    if saved.cotangents:
        names = [saved.local(f"d{t.name}") if t.name in saved.cotangents else "_" for t in _results(op)]  # fmt: skip
        lines.append(unpacked(names, given))
    results = [gradients.get(t.name) or "None" for t in op.inputs]
    head = define("def _backward(", [*options(op), kept, given], "):")
    return function(head, [*lines, *body, returned(results)])


def _results(op: Op) -> tuple[Tensor, ...]:
    """What `_op` gives: outputs, residuals, updated inputs."""
    return (*op.written, *(t for t in op.inputs if t.update))


def options(op: Op) -> list[str]:
    """What is static of a call: its attrs, and which results on request it asks for."""
    return [a.name for a in op.attrs] + (["wanted"] if op.on_request else [])


def _parameters(op: Op) -> list[str]:
    return [*(t.name for t in op.inputs), *options(op)]
