"""How an op is differentiated: the functions `_op`, `_forward` and `_backward` as text."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.dtypes import DTYPES
from opgen.expr import text_of
from opgen.expr.python import python
from opgen.ir import Op, Project, Requirement, Tensor
from opgen.targets.jax.autodiff import Autodiff, autodiff
from opgen.targets.jax.layout import function, returned, unpacked, unpacked_call
from opgen.targets.jax.rules import pullbacks
from opgen.targets.jax.saved import Saved
from opgen.targets.python import call, define, quoted, tuple_of


@dataclass(frozen=True, slots=True)
class Gradient:
    """The gradient of one op.

    `guards`: what refuses to differentiate by which inputs. `calls`: the ops whose faces
    are called.
    """

    functions: tuple[str, ...] = ()
    guards: tuple[tuple[str, tuple[str, ...], str], ...] = ()
    calls: tuple[str, ...] = ()


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
        functions=(_op(op), _forward(op, saved), _backward(op, saved, body, gradients)),
        guards=tuple(guards),
        calls=tuple(c.op for c in op.grad.calls),
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
        saved = Saved(op)
        body, gradients = pullbacks(project, op, saved)
        return saved, body, gradients
    found: Autodiff | None = autodiff(project, op, [t.name for t in active])
    if found is None:
        return None
    return found.saved, found.body, found.gradients


def _op(op: Op) -> str:
    """The call itself, which JAX never looks into for a gradient."""
    parameters = _parameters(op)
    keywords = [f"{a.name}={a.name}" for a in op.attrs]
    items = ["_KERNEL", *(t.name for t in op.inputs), *keywords]
    decorator = "jax.custom_vjp"
    if op.attrs:
        numbers = range(len(op.inputs), len(parameters))
        static = tuple_of(map(str, numbers))
        decorator = f"functools.partial(jax.custom_vjp, nondiff_argnums={static})"
    head = define("def _op(", parameters, "):")
    return function(head, [call("return _runtime.call(", items, ")", 4)], decorator)


def _forward(op: Op, saved: Saved) -> str:
    """The call, and what is kept of it.

    It calls `_op` again, so that a gradient of the gradient finds the rule, too.
    """
    parameters = _parameters(op)
    kept = [n if n in saved.values else f"_runtime.type_of({n})" for n in saved.kept()]
    written = [t.name for t in _results(op)]
    body = [_requirement(op, each) for each in op.grad.require]
    if saved.values & {t.name for t in op.written}:
        body.append(unpacked_call(written, "_op(", parameters))
        results = tuple_of(written)
    else:
        results = call("_op(", parameters, "),", 8)[:-1]  # a comma follows
    body.append(returned([results, tuple_of(kept) if kept else "()"]))
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
    attrs = [a.name for a in op.attrs]
    kept, given = saved.local("saved"), saved.local("cotangents")
    lines = []
    if saved.kept():
        lines.append(unpacked(saved.kept(), kept))
    if saved.cotangents:
        names = [saved.cotangent(t.name) if t.name in saved.cotangents else "_" for t in _results(op)]  # fmt: skip
        lines.append(unpacked(names, given))
    results = [gradients.get(t.name) or "None" for t in op.inputs]
    head = define("def _backward(", [*attrs, kept, given], "):")
    return function(head, [*lines, *body, returned(results)])


def _results(op: Op) -> tuple[Tensor, ...]:
    """What `_op` gives: outputs, residuals, updated inputs."""
    return (*op.written, *(t for t in op.inputs if t.update))


def _parameters(op: Op) -> list[str]:
    return [each.name for each in (*op.inputs, *op.attrs)]
