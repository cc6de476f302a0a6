"""Render the gradient of a custom operator as the body of an autograd.Function's `backward`."""

from __future__ import annotations

from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.language.expr import Const, Expr
from opgen.language.expr.python import elementwise
from opgen.source.frozen import dataclass
from opgen.targets.jax.saved import Saved
from opgen.targets.python_format import block, call, define, quoted, tuple_of, unpacked


class Reads(Saved):
    """The values that a backward reads. `attrs` has the names of the attrs among them."""

    def __init__(self, op: Op) -> None:
        super().__init__(op)
        self.attrs: set[str] = set()

    def name(self, name: str) -> str:
        if any(name == attr.name for attr in self.op.attrs):
            self.attrs.add(name)
        return super().name(name)


@dataclass(frozen=True, slots=True)
class Gradient:
    """The code of an operator's backward.

    `body` has the statements. `gradients` has pairs of an input's name and the variable that holds
    its gradient. If the op has no gradient, `refused` is the statement that raises an error.
    `reference` is the Python module whose function the backward differentiates, or "".
    """

    reads: Reads
    body: tuple[str, ...] = ()
    gradients: tuple[tuple[str, str | None], ...] = ()
    refused: str = ""
    reference: str = ""


def gradient(project: Project, op: Op) -> Gradient:
    """Return the code of the gradient of `op`.

    The gradient follows the rules of the spec, or differentiates the op's reference. If the spec
    has neither, the backward raises an error.
    """
    kind = op.grad.only.kind  # lint rejects several cases
    if kind == "rules":
        return _by_rules(project, op)
    if kind == "reference" and op.reference is not None:
        return _by_reference(op)
    text = quoted(f"{op.name}: the spec gives no gradient")
    refused = call("raise NotImplementedError", [text])
    return Gradient(Reads(op), refused=refused)


def _by_rules(project: Project, op: Op) -> Gradient:
    reads = Reads(op)
    body: list[str] = []
    gradients: dict[str, str | None] = {}
    for backward in op.backward_calls:
        called = project.op(backward.op)
        items = [reads.argument(argument) or "None" for argument in backward.arguments]
        named = [(each.name, reads.argument(each)) for each in backward.attrs]
        items += [f"{name}={text}" for name, text in named if text is not None]
        ((name, _),) = backward.gradients
        gradients[name] = reads.local(f"d{name}")
        body.append(call(f"{gradients[name]} = {called.name}", items))
    for name, formula in op.grad.only.formulas:
        gradients[name] = _formula(formula, reads)
    return Gradient(reads, tuple(body), tuple(gradients.items()))


def _formula(formula: Expr, reads: Reads) -> str | None:
    """Return the PyTorch expression for a formula, or None if the formula is 0.

    All tensors in the formula have the same shape. Lint rejects other formulas.
    """
    if isinstance(formula, Const) and formula.value == 0:
        return None
    return elementwise(formula, "torch", reads.name)


def _by_reference(op: Op) -> Gradient:
    reads = Reads(op)
    module, _, name = str(op.reference).partition(":")
    module = module.removesuffix(".py")
    active = [t.name for t in op.inputs if t.differentiable]
    items = ["xp", *(reads.value(t.name) for t in op.inputs)]
    items += [f"{a.name}={reads.name(a.name)}" for a in op.attrs]
    function = reads.local("reference")
    head = define(function, active)
    value = call(f"return {module}_reference.{name}", items)
    (result,) = op.outputs
    pulled = [function, tuple_of(active), reads.cotangent(result.name)]
    names = [reads.local(f"d{name}") for name in active]
    body = (
        block(head, [value]),
        unpacked(names, call("pullback", pulled)),
    )
    return Gradient(reads, body, tuple(zip(active, names)), reference=module)
