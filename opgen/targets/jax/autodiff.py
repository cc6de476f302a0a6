"""Gradients by autodiff of a reference function."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.ir import BackwardCall, Op, Project
from opgen.targets.jax.layout import unpacked_call
from opgen.targets.jax.rules import as_cotangent
from opgen.targets.jax.saved import Saved
from opgen.targets.python import call, define, tuple_of


@dataclass(frozen=True, slots=True)
class Autodiff:
    """The statements of a backward that differentiates `module`'s function."""

    saved: Saved
    body: list[str]
    gradients: dict[str, str | None]
    module: str


def autodiff(project: Project, op: Op, active: list[str]) -> Autodiff | None:
    """Differentiate the op's own reference, or else its forward's a second time.

    None: there is no reference, or the op does not read what its forward's takes.
    """
    if op.reference is not None:
        return _own(op, active)
    for forward in project.ops:
        for backward in forward.grad.calls:
            if backward.op == op.name and forward.reference is not None:
                return _second(forward, backward, op, active)
    return None


def _own(op: Op, active: list[str]) -> Autodiff:
    saved = Saved(op, reads_results=False)
    inputs = [saved.value(t.name) for t in op.inputs]
    function = saved.local("reference")
    keywords = [f"{a.name}={a.name}" for a in op.attrs]
    body = _function(function, active, _reference(op, [*inputs, *keywords]))
    cotangents = [saved.cotangent(t.name) for t in op.outputs]
    return _pulled(saved, op, body, function, active, cotangents)


def _second(
    forward: Op, backward: BackwardCall, op: Op, active: list[str]
) -> Autodiff | None:
    """`op` is the pullback of `forward`'s reference: differentiate that.

    Outputs and residuals of the forward count as functions of its inputs: they get no
    gradient of their own.
    """
    saved = Saved(op, reads_results=False)
    arguments = {
        (a.source, a.of): a.name for a in (*backward.arguments, *backward.attrs)
    }
    wanted = {result: name for name, result in backward.gradients}
    if not all(t.name in wanted for t in op.outputs):
        return None
    inputs = {t.name: arguments.get(("input", t.name)) for t in forward.inputs}
    # An input that is not read has a gradient that does not depend on it: zeros will do.
    given = {t.name for t in forward.inputs if t.name in wanted.values()}
    if any(name is None and key not in given for key, name in inputs.items()):
        return None
    keywords = []
    for attr in forward.attrs:
        name = arguments.get(("attr", attr.name))
        if name is None and attr.required:
            return None
        keywords += (
            [f"{attr.name}={name}"] if name else [f"{attr.name}={attr.default!r}"]
        )
    names = {key: name or saved.local(key) for key, name in inputs.items()}
    by = [names[wanted[t.name]] for t in op.outputs]
    primals = []
    for t in op.outputs:
        name = inputs[wanted[t.name]]
        cotangent = None if name else saved.cotangent(t.name)
        primals.append(saved.value(name) if name else f"jnp.zeros_like({cotangent})")
    cotangents = []
    for t in forward.outputs:
        name = arguments.get(("cotangent", t.name))
        cotangents.append(saved.value(name) if name else "None")
    for name in filter(None, inputs.values()):
        saved.value(name)
    inner, outer = saved.local("forward"), saved.local("reference")
    items = [names[t.name] for t in forward.inputs]
    body = _function(inner, by, _reference(forward, [*items, *keywords]))
    pulled = call(
        "_runtime.pullback(", [inner, tuple_of(primals), tuple_of(cotangents)], ")", 8
    )
    reads = {
        n for (source, _), n in arguments.items() if source in ("input", "cotangent")
    }
    primal = [name for name in active if name in reads]
    body += _function(outer, primal, pulled)[1:]
    cotangents = [saved.cotangent(t.name) for t in op.outputs]
    found = _pulled(saved, op, body, outer, primal, cotangents)
    return Autodiff(found.saved, found.body, found.gradients, _module(forward))


def _pulled(
    saved: Saved,
    op: Op,
    body: list[str],
    function: str,
    by: list[str],
    cotangents: list[str],
) -> Autodiff:
    names = [saved.local(f"d{name}") for name in by]
    items = [function, tuple_of(map(saved.value, by)), tuple_of(cotangents)]
    body = [*body, unpacked_call(names, "_runtime.pullback(", items)]
    gradients = {n: as_cotangent(saved, d, n) for n, d in zip(by, names)}
    return Autodiff(saved, body, gradients, _module(op) if op.reference else "")


def _function(name: str, parameters: list[str], value: str) -> list[str]:
    """A local function, set off by blank lines as black does."""
    head = define(f"def {name}(", parameters, "):", 4)
    return ["", f"{head}\n        return {value}", ""]


def _reference(op: Op, items: list[str]) -> str:
    _, _, name = str(op.reference).partition(":")
    return call(f"_reference.{name}(", ["jnp", *items], ")", 8)


def _module(op: Op) -> str:
    return str(op.reference).partition(":")[0].removesuffix(".py")
