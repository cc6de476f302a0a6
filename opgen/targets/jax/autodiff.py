"""Print gradients that JAX computes by autodiff of a reference function."""

from __future__ import annotations

from collections.abc import Mapping

from opgen.ir.gradients import kept_only
from opgen.ir.nodes import Attr, BackwardCall, Gradient
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.language.expr.python import literal
from opgen.source.frozen import dataclass
from opgen.targets.core.config import completes
from opgen.targets.jax.rules import as_cotangent, conjugate
from opgen.targets.jax.saved import Saved
from opgen.targets.python_format import (
    block,
    call,
    define,
    docstring,
    quoted,
    tuple_of,
    unpacked,
)

# The name of the function that fills in attr defaults that depend on sizes, and then calls the
# reference.
COMPLETED = "_completed"


@dataclass(frozen=True, slots=True)
class Autodiff:
    """The statements of a backward that differentiates a function. `saved` has the forward values
    that the statements read.
    """

    saved: Saved
    body: list[str]
    gradients: Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class Pullback:
    """The rendered function `_gradient(xp, *inputs, **attrs)` of a backward op.

    It computes the op by autodiff of the forward's reference. `text` is its code, and `used` lists
    the names that the code needs from its module. The code reads the inputs `reads`. Autodiff of
    `_gradient` gives the gradients of the inputs `active`.
    """

    text: str
    module: str
    reads: tuple[str, ...]
    active: tuple[str, ...]
    used: frozenset[str]


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


def autodiff(project: Project, op: Op, active: list[str]) -> Autodiff | None:
    """Return a backward for `op`, the code that differentiates the op's reference.

    If `op` is itself a backward op without a reference, the code differentiates `_gradient`, the
    gradient of the forward's reference. Return None if `_gradient` does not exist either.
    """
    if op.reference is not None:
        return _own(op, active, kept_only(project.ops, op))
    found = pullback_of(project, op)
    return None if found is None else _second(op, found, active)


def _own(op: Op, active: list[str], kept: frozenset[str]) -> Autodiff:
    """Return the backward that differentiates the op's own reference. The reference must not read
    the inputs `kept`.
    """
    saved = Saved(op, reads_results=False)
    floats = kept & set(active)
    active = [name for name in active if name not in kept]
    inputs = [
        (
            f"_runtime.unread({quoted(op.name)}, {quoted(t.name)}, {saved.type(t.name)})"
            if t.name in floats
            else saved.value(t.name)
        )
        for t in op.inputs
    ]
    keywords = [f"{a.name}={a.name}" for a in op.attrs]
    value = call(f"return {_function(op)}", ["_runtime.xp", *inputs, *keywords])
    return _pulled(saved, op, "reference", value, active)


def _second(op: Op, found: Pullback, active: list[str]) -> Autodiff:
    saved = Saved(op, reads_results=False)
    inputs = [saved.value(t.name) if t.name in found.reads else "None" for t in op.inputs]
    keywords = [f"{a.name}={a.name}" for a in op.attrs]
    value = call(f"return {_function(op)}", ["_runtime.xp", *inputs, *keywords])
    by = [name for name in active if name in found.active]
    return _pulled(saved, op, "gradient", value, by)


def _pulled(saved: Saved, op: Op, name: str, value: str, by: list[str]) -> Autodiff:
    """Return a backward that differentiates the local function `name` with respect to the inputs
    `by`. `value` is the function's body.
    """
    function = saved.local(name)
    saved.own.used.add(module_name(_function(op)))
    body = [
        *saved.statements,
        block(define(function, by), [value]),
    ]
    cotangents = [saved.maybe_cotangent(t.name) for t in op.outputs]
    names = [saved.local(f"d{name}") for name in by]
    items = [function, tuple_of(map(saved.value, by)), tuple_of(cotangents)]
    body.append(unpacked(names, call("_runtime.pullback", items)))
    gradients = {n: as_cotangent(saved, d, n) for n, d in zip(by, names)}
    return Autodiff(saved, body, gradients)


def module_name(function: str) -> str:
    """Return the name that the module must define or import for `function`. For example,
    `_reference.f` needs `_reference`.
    """
    return function.partition(".")[0]


def reference_of(op: Op) -> str:
    """Return the op's reference function as a rendered module names it: `_reference.f`."""
    return f"_reference.{str(op.reference).partition(':')[2]}"


def pullback_of(project: Project, op: Op) -> Pullback | None:
    """Return the rendered function `_gradient` for the backward op `op`. It differentiates the
    reference of the first op that has a reference and whose gradient calls `op`.
    """
    for forward in project.ops:
        for gradient in forward.grad.values():
            for backward in gradient.calls:
                if backward.op == op.name and forward.reference is not None:
                    return _Writer(forward, gradient, backward, op).pullback()
    return None


class _Writer:
    """Prints `_gradient` for the backward op `op` and one forward that calls this op.

    `_gradient` does not read the forward's outputs and residuals. They depend on the forward's
    inputs, so autodiff of the reference includes their gradients.
    """

    def __init__(self, forward: Op, gradient: Gradient, backward: BackwardCall, op: Op) -> None:
        self.forward, self.op, self.absent = forward, op, gradient.absent
        self.arguments = {(a.source, a.of): a.name for a in (*backward.arguments, *backward.attrs)}
        self.wanted = {result: name for name, result in backward.gradients}
        self.sizes = Saved(op, reads_results=False)
        self.zeros: list[str] = []

    def pullback(self) -> Pullback | None:
        op, forward = self.op, self.forward
        if not all(t.name in self.wanted for t in op.outputs):
            return None
        names = [tensor.name for tensor in forward.inputs]
        inputs = {n: text for n in names if (text := self.input(n)) is not None}
        attrs = [text for attr in forward.attrs if (text := self.attr(attr)) is not None]
        if len(inputs) + len(attrs) < len(forward.arguments):
            return None
        by = [self.wanted[t.name] for t in op.outputs]
        given = [name if name in by else inputs[name] for name in inputs]
        value = call(f"return {reference_of(forward)}", ["xp", *given, *attrs])
        inner = self.local("forward")
        cotangents = [self.arguments.get(("cotangent", t.name), "None") for t in forward.outputs]
        of = conjugate(op, tuple_of(cotangents))
        pulled = [inner, tuple_of(inputs[name] for name in by), of]
        parameters = ["xp", *(t.name for t in op.inputs)]
        parameters += ["*", *(a.name for a in op.attrs)] if op.attrs else []
        results = " and ".join(f"`{t.name}`" for t in op.outputs)
        doc = f"{results}, by autodiff of the reference of `{forward.name}`."
        text = block(
            define("_gradient", parameters),
            [
                docstring(doc),
                *self.sizes.statements,
                *self.zeros,
                block(define(inner, by), [value]),
                f"return {conjugate(op, call('_runtime.pullback', pulled))}",
            ],
        )
        active = {n for (s, _), n in self.arguments.items() if s in ("input", "cotangent")}
        reads = active | self.sizes.types
        if self.zeros:
            reads = {t.name for t in op.inputs}
        module = str(forward.reference).partition(".py:")[0]
        used = frozenset({*self.sizes.own.used, "_reference"})
        return Pullback(text, module, tuple(reads), tuple(active), used)

    def local(self, name: str) -> str:
        """Return a local variable name that the op does not use, based on `name`."""
        taken = {each.name for each in self.op.arguments}
        while name in taken:
            name += "_"
        return name

    def input(self, name: str) -> str | None:
        """Return the code in `_gradient` for an input of the forward, or None if its value is
        unknown.

        If the backward op does not receive the input, and the input cannot affect the gradient, the
        code is zeros or None.
        """
        if ("input", name) in self.arguments:
            return self.arguments["input", name]
        if name in self.absent:
            return "None"
        if {"output", "residual"} & {source for source, _ in self.arguments}:
            return None
        for result, of in self.wanted.items():
            if of == name:
                inputs = [t.name for t in self.op.inputs]
                keywords = [f"{a.name}={a.name}" for a in self.op.attrs]
                items = ["_KERNEL", quoted(result), *inputs, *keywords]
                variable = self.local(name)
                self.zeros.append(call(f"{variable} = _runtime.zeros", items))
                return variable
        return None if self.forward.tensor(name).always else "None"

    def attr(self, attr: Attr) -> str | None:
        """Return the keyword argument for an attr of the forward, or None if its value is unknown.

        The value comes from an attr of the backward op or from a size. The attr's default may
        differ from the value that the caller of the forward passed. So the default is used only for
        a tuning attr, which does not change results.
        """
        if ("attr", attr.name) in self.arguments:
            return f"{attr.name}={self.arguments['attr', attr.name]}"
        for tensor in self.forward.inputs:
            mine = self.arguments.get(("input", tensor.name))
            if mine is None:
                continue
            pair = (tensor, self.op.tensor(mine))
            if not all(t.forms.plain and len(t.forms.only) == 1 for t in pair):
                continue
            for theirs, ours in zip(*(t.shape.terms for t in pair)):
                if theirs.name == attr.name and ours.name:
                    return f"{attr.name}={self.sizes.size(ours.name)}"
        return f"{attr.name}={literal(attr.default)}" if attr.tuning else None
