"""The autograd rule of an op, as the lines that the autograd unit reads (`rule.h`)."""

from __future__ import annotations

from collections.abc import Iterable

from opgen.ir.gradients import kept_only
from opgen.ir.nodes import Argument, BackwardCall, Gradient, Op, Tensor
from opgen.ir.project import Project
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Const, Expr, names_in, presence_in
from opgen.language.shapes import Shape, Term
from opgen.targets.torch.backwards import backward_reference
from opgen.targets.torch.postfix import (
    Sizes,
    Words,
    by_dtype,
    constant,
    key_of,
    postfix,
)


def differentiable(op: Op) -> tuple[Tensor, ...]:
    """The inputs that a gradient may be asked of."""
    return tuple(
        t for t in op.inputs if t.differentiable and not t.update and t.floating
    )


def constants(op: Op) -> tuple[str, ...]:
    """The results without gradient, but for those of an integer dtype."""
    outputs = (t.name for t in op.outputs if not t.differentiable)
    return (*outputs, *(t.name for t in op.residuals))


def gradient_op(op: Op) -> str:
    """The name of the op that differentiates the reference of `op`."""
    return f"{op.name}_reference_vjp"


def differentiable_by_reference(project: Project, op: Op) -> tuple[str, ...]:
    """The inputs that autodiff of the reference gives a gradient.

    In a backward, what its forward computed counts as a function of the other inputs.
    """
    backward = backward_reference(project, op)
    again = backward.recomputed if backward else kept_only(project.ops, op)
    return tuple(t.name for t in differentiable(op) if t.name not in again)


def only_for(op: Op, tensor: Tensor) -> str:
    """The results on request for which alone an input of `op` is given, as `@a,b`."""
    names = set(presence_in(tensor.when)) if tensor.when is not None else set()
    found = [t.name for t in op.on_request if t.name in names]
    return f"@{','.join(found)}" if found else ""


def rule(project: Project, op: Op) -> tuple[str, ...]:
    """The lines of the op's rule."""
    lines = [" ".join(["op", op.name, "->", *(t.name for t in op.written)])]
    if constants(op):
        lines.append(f"constant {' '.join(constants(op))}")
    if op.autocast:
        lines.append(f"autocast {op.autocast}")
    for condition, gradient in op.grad.cases:
        case = RuleLines(project, op, gradient)
        if condition is not None:
            lines.append(
                f"case {' '.join(postfix(by_dtype(op, condition), case.name))}"
            )
        elif not op.grad.plain:
            lines.append("else")
        lines += case.lines()
    if all(condition for condition, _ in op.grad.cases):
        names = " ".join(t.name for t in op.inputs if t.floating)
        lines += ["else", f"refuse {names} : no case of its gradient holds"]
    return tuple(lines)


class RuleLines:
    """Collects the lines of one case of a rule."""

    def __init__(self, project: Project, op: Op, gradient: Gradient) -> None:
        self.project, self.op, self.gradient = project, op, gradient
        self.sizes = Sizes(op)
        self.lets: dict[str, Words] = {}
        self.covered: set[str] = set()

    def lines(self) -> tuple[str, ...]:
        op, grad = self.op, self.gradient
        body: list[str] = []
        if grad.kind == "rules":
            body += [self.call(call) for call in grad.calls]
            body += [self.formula(name, expr) for name, expr in grad.formulas]
        if grad.kind == "reference":
            body += self.reference()
        refused = [t.name for t in op.inputs if t.name not in self.covered and t.floating]  # fmt: skip
        if refused:
            body.append(f"refuse {' '.join(refused)}")
        head = []
        for requirement in grad.require:
            words = postfix(by_dtype(op, requirement.condition), self.name)
            message = requirement.message or "no gradient of this call"
            head.append(f"require {' '.join(words)} : {message}")
        lets = [f"let {name} {' '.join(words)}" for name, words in self.lets.items()]
        return (*head, *lets, *body)

    def name(self, name: str) -> Words:
        """The words of a name in a condition: dtypes go by name, and variables by tensor."""
        if name in DTYPES:
            return [name]
        attrs = {attr.name for attr in self.op.attrs}
        if name not in attrs and self.op.dtype_var(name) is not None:
            return self.dtype(name)
        return self.sizes.name(name)

    def let(self, name: str, words: Words) -> str:
        """An operand for what `words` compute in the forward."""
        if len(words) == 1:
            return words[0]
        self.lets[name] = words
        return f"let:{name}"

    # -- backward calls --------------------------------------------------------------

    def call(self, call: BackwardCall) -> str:
        backward = self.project.op(call.op)
        operands = [
            self.operand(argument, optional=not tensor.always)
            + only_for(backward, tensor)
            for argument, tensor in zip(call.arguments, backward.inputs)
        ]
        for argument, attr in zip(call.attrs, backward.attrs):
            default = None if attr.required or isinstance(attr.default, Expr) else attr.default  # fmt: skip
            operands.append(self.operand(argument, default=default))
        operands += ["wanted"] if backward.on_request else []
        pairs = {result: primal for primal, result in call.gradients}
        targets = [pairs.get(t.name, "_") for t in backward.written]
        self.covered |= set(targets)
        return " ".join(["call", call.op, *operands, "->", *targets])

    def operand(
        self, argument: Argument, *, optional: bool = False, default: object = None
    ) -> str:
        match argument.source:
            case "cotangent":
                return f"cotangent{'?' if optional else ''}:{argument.of}"
            case "input":
                return f"input:{argument.of}"
            case "attr":
                return self.attr(argument.of)
            case "output" | "residual":
                return f"result:{argument.of}"
            case "dim" | "group":
                return self.let(argument.of, self.sizes.name(argument.of))
            case "dtype":
                return self.let(argument.of, self.dtype(argument.of))
            case "expr":
                return self.let(argument.name, postfix(argument.expr, self.sizes.name))
        return constant(default)

    def attr(self, name: str) -> str:
        """An attr as the op uses it: one that was left out may follow from the sizes."""
        (default,) = (a.default for a in self.op.attrs if a.name == name)
        if not isinstance(default, Expr):
            return f"input:{name}"
        given = [f"input:{name}", "present", f"input:{name}"]
        return self.let(name, [*given, *postfix(default, self.name), "where"])

    def dtype(self, name: str) -> Words:
        carrier = next(t for t in self.op.inputs if name in t.dtype.values())
        return [f"input:{carrier.name}", "dtype"]

    # -- the reference ---------------------------------------------------------------

    def reference(self) -> list[str]:
        """The call of the op that differentiates the reference."""
        op = self.op
        backward = backward_reference(self.project, op)
        if backward is not None and backward.lacks:
            self.covered |= {t.name for t in op.inputs}
            names = " ".join(t.name for t in op.inputs if t.floating)
            lacks = ", ".join(backward.lacks)
            return [f"refuse {names} : its reference needs {lacks}, not given here"]
        wanted = differentiable_by_reference(self.project, op)
        again = [t.name for t in differentiable(op) if t.name not in wanted]
        silent = constants(op)
        cotangents = ["None" if t.name in silent else f"cotangent?:{t.name}" for t in op.outputs]  # fmt: skip
        given = [f"input:{each.name}" for each in (*op.inputs, *op.attrs)]
        self.covered |= {*wanted, *again}
        words = ["call", gradient_op(op), *cotangents, *given, "needed", "->", *wanted]
        return [" ".join(words), *([f"zero {' '.join(again)}"] if again else [])]

    # -- formulas --------------------------------------------------------------------

    def formula(self, name: str, expr: Expr) -> str:
        self.covered.add(name)
        if expr in (Const(0), Const(0.0)):
            return f"zero {name}"
        return f"formula {name} {' '.join(Formula(self, name, expr).words())}"


class Formula:
    """One formula in postfix, its operands aligned by the names of their dims."""

    def __init__(self, rule: RuleLines, primal: str, expr: Expr) -> None:
        self.rule, self.op, self.expr = rule, rule.op, expr
        self.primal = self.op.tensor(primal)
        found = [s[1] for n in names_in(expr) if (s := self.source(n)) is not None]
        self.aligned = all(tensor.forms == self.primal.forms for tensor in found)
        self.axes: list[Term] = [] if self.aligned else self.union(found)

    def words(self) -> Words:
        words = postfix(self.expr, self.name)
        if self.aligned:
            return words
        terms = self.primal.shape.terms
        wanted = [key_of(term) for term in terms]
        left = list(self.axes)
        for position in reversed(range(len(left))):
            if key_of(left[position]) not in wanted:
                words += [*self.start(left[:position]), *self.extent(left[position]), "reduce"]  # fmt: skip
                del left[position]
        return words + self.sorted(left, terms)

    def source(self, name: str) -> tuple[str, Tensor] | None:
        """The operand and the tensor that a name of the formula stands for."""
        outputs = {t.name: t for t in self.op.outputs}
        inputs = {t.name: t for t in self.op.inputs}
        if name.startswith("d") and name[1:] in outputs:
            return f"cotangent:{name[1:]}", outputs[name[1:]]
        if name in inputs:
            return f"input:{name}", inputs[name]
        for tensor in self.op.written:
            if tensor.name == name:
                return f"result:{name}", tensor
        return None

    def name(self, name: str) -> Words:
        found = self.source(name)
        if found is None:
            return [self.rule.let(name, self.rule.sizes.name(name))]
        operand, tensor = found
        return [operand] if self.aligned else [operand, *self.align(tensor.shape)]

    def union(self, tensors: list[Tensor]) -> list[Term]:
        """The dims of all tensors: those of the longest shape, then what it lacks."""
        shapes = [tensor.shape for tensor in (self.primal, *tensors)]
        every = sorted(shapes, key=lambda shape: -len(shape.terms))
        axes: dict[str, Term] = {}
        for shape in every:
            for term in shape.terms:
                axes.setdefault(key_of(term), term)
        return list(axes.values())

    def align(self, shape: Shape) -> Words:
        """What brings a tensor of `shape` to the order of the axes, with dims of size 1."""
        have = {key_of(term) for term in shape.terms}
        present = [axis for axis in self.axes if key_of(axis) in have]
        words = self.sorted(list(shape.terms), present)
        for position, axis in enumerate(self.axes):
            if key_of(axis) not in have:
                words += [*self.start(self.axes[:position]), *self.extent(axis), "insert"]  # fmt: skip
        return words

    def sorted(self, terms: list[Term], wanted: Iterable[Term]) -> Words:
        """Moves that bring `terms` into the order of `wanted`."""
        words: Words = []
        terms = list(terms)
        for position, term in enumerate(wanted):
            at = [key_of(t) for t in terms].index(key_of(term))
            if at != position:
                words += [*self.start(terms[:at]), *self.start(terms[:position]), *self.extent(term), "move"]  # fmt: skip
                terms.insert(position, terms.pop(at))
        return words

    def start(self, before: list[Term]) -> Words:
        """Where a term begins that stands after `before`."""
        words = ["0"]
        for term in before:
            words = self.extent(term) if words == ["0"] else [*words, *self.extent(term), "+"]  # fmt: skip
        return words

    def extent(self, term: Term) -> Words:
        words = self.rule.sizes.extent(term)
        return [self.rule.let(f"rank({key_of(term)})", words)]
