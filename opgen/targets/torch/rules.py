"""The gradient of an op, as the objects of `runtime/gradient.py`."""

from __future__ import annotations

from collections.abc import Iterable

from opgen.ir.gradients import kept_only
from opgen.ir.nodes import Argument, Attr, BackwardCall, Gradient, Tensor
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Const, Expr, names_in, presence_in
from opgen.language.shapes import Group, Shape, Term
from opgen.targets.backwards import backward_reference
from opgen.targets.python_format import Display, Node, quoted, tuple_of
from opgen.targets.torch.operators import spelled
from opgen.targets.torch.postfix import Sizes, Words, by_dtype, constant, key_of, postfix


def differentiable(op: Op) -> tuple[Tensor, ...]:
    """The inputs that a gradient may be asked of."""
    return tuple(t for t in op.inputs if t.differentiable and not t.update and t.floating)


def constants(op: Op) -> tuple[str, ...]:
    """The results without gradient, but for those of an integer dtype."""
    outputs = (t.name for t in op.outputs if not t.differentiable)
    return (*outputs, *(t.name for t in op.residuals))


def gradient_op(op: Op) -> str:
    """The name of the op that differentiates the reference of `op`."""
    return f"{op.name}_reference_vjp"


def differentiable_by_reference(project: Project, op: Op) -> tuple[str, ...]:
    """The inputs whose gradient the reference is differentiated for.

    Among them those that it may not read (`unreadable`): to differentiate it is then an error.
    What is computed anew from other inputs is not among them.
    """
    backward = backward_reference(project, op)
    again = backward.recomputed if backward else ()
    return tuple(t.name for t in differentiable(op) if t.name not in again)


def unreadable(project: Project, op: Op) -> tuple[str, ...]:
    """The inputs that the op's own reference may not read when it is differentiated."""
    if op.reference is None:
        return ()
    kept = kept_only(project.ops, op)
    return tuple(t.name for t in op.inputs if t.name in kept and t.floating)


def only_for(op: Op, tensor: Tensor) -> list[str]:
    """The results on request for which alone an input of `op` is given."""
    names = set(presence_in(tensor.when)) if tensor.when is not None else set()
    return [t.name for t in op.on_request if t.name in names]


def gradient(project: Project, op: Op) -> list[Node]:
    """What gives the gradients of the op's inputs, by cases where its spec has them."""
    found: list[Node] = []
    for condition, given in op.grad.cases:
        case = GradientCase(project, op, given)
        nodes = case.nodes()
        if op.grad.plain:
            return nodes
        test = case.value(condition) if condition is not None else "None"
        found.append(Node("_runtime.Case(", (test, *nodes)))
    if all(condition for condition, _ in op.grad.cases):
        names = _quoted(t.name for t in op.inputs if t.floating)
        refused = Node("_runtime.Refuse(", (*names, 'why="no case of its gradient holds"'))
        found.append(Node("_runtime.Case(", ("None", refused)))
    return found


def _quoted(names: Iterable[str]) -> list[str]:
    return [quoted(name) for name in names]


class GradientCase:
    """Collects what gives the gradients in one case."""

    def __init__(self, project: Project, op: Op, gradient: Gradient) -> None:
        self.project, self.op, self.gradient = project, op, gradient
        self.sizes = Sizes(op)
        self.lets: dict[str, Words] = {}
        self.covered: set[str] = set()

    def nodes(self) -> list[Node]:
        op, grad = self.op, self.gradient
        found = []
        for requirement in grad.require:
            message = requirement.message or "no gradient of this call"
            items = (self.value(requirement.condition), quoted(message))
            found.append(Node("_runtime.Require(", items))
        if grad.kind == "rules":
            found += [self.call(call) for call in grad.calls]
            found += [self.formula(name, expr) for name, expr in grad.formulas]
        if grad.kind == "reference":
            found += self.reference()
        refused = [t.name for t in op.inputs if t.name not in self.covered and t.floating]
        if refused:
            found.append(Node("_runtime.Refuse(", _quoted(refused)))
        return found

    def value(self, condition: Expr) -> str | Node:
        """A condition on the call's arguments."""
        return spelled(postfix(by_dtype(self.op, condition), self.name), self.lets)

    def name(self, name: str) -> Words:
        """The words of a name in a condition: dtypes are given by name, and variables by tensor."""
        if name in DTYPES:
            return [name]
        attrs = {attr.name for attr in self.op.attrs}
        if name not in attrs and self.op.dtype_var(name) is not None:
            return self.dtype(name)
        return self.sizes.name(name)

    def let(self, name: str, words: Words) -> Words:
        """An operand for what `words` compute in the forward."""
        if len(words) == 1:
            return words
        self.lets[name] = words
        return [f"let:{name}"]

    # -- backward calls --------------------------------------------------------------

    def call(self, call: BackwardCall) -> Node:
        backward = self.project.op(call.op)
        cotangents, saved, limited = (list[str]() for _ in range(3))
        given: list[str | Node] = []
        for argument, each in zip((*call.arguments, *call.attrs), backward.arguments):
            name = quoted(each.name)
            only = only_for(backward, each) if isinstance(each, Tensor) else []
            if only:
                limited.append(f"{name}: {tuple_of(_quoted(only))}")
            if argument.source == "cotangent":
                cotangents.append(f"{name}: {quoted(argument.of)}")
                continue
            words = self.operand(argument, each)
            if words in ([f"input:{each.name}"], [f"result:{each.name}"]):
                saved.append(name)
            elif words != ["None"]:
                given.append(spelled(words, self.lets, f"{name}: "))
        pairs = {result: primal for primal, result in call.gradients}
        targets = [pairs.get(t.name) for t in backward.written]
        self.covered |= {target for target in targets if target}
        gives = ["None" if target is None else quoted(target) for target in targets]
        items: list[str | Node] = [quoted(call.op), Display("(", gives, ")")]
        items += [Display("cotangents={", cotangents, "}")] if cotangents else []
        items += [Display("saved=(", saved, ")")] if saved else []
        items += [Display("given={", given, "}")] if given else []
        items += [Display("only_for={", limited, "}")] if limited else []
        return Node("_runtime.Backward(", items)

    def operand(self, argument: Argument, of: Tensor | Attr) -> Words:
        """What a backward is given, but for a cotangent."""
        if argument.expr is not None:
            return self.let(argument.name, postfix(argument.expr, self.sizes.name))
        match argument.source:
            case "input":
                return [f"input:{argument.of}"]
            case "attr":
                return self.attr(argument.of)
            case "output" | "residual":
                return [f"result:{argument.of}"]
            case "dim" | "group":
                return self.let(argument.of, self.sizes.name(argument.of))
            case "dtype":
                return self.let(argument.of, self.dtype(argument.of))
        if isinstance(of, Tensor) or of.required or isinstance(of.default, Expr):
            return ["None"]
        return [constant(of.default)]

    def attr(self, name: str) -> Words:
        """An attr as the op uses it: one that was left out may follow from the sizes."""
        (default,) = (a.default for a in self.op.attrs if a.name == name)
        if not isinstance(default, Expr):
            return [f"input:{name}"]
        given = [f"input:{name}", "present", f"input:{name}"]
        return self.let(name, [*given, *postfix(default, self.name), "where"])

    def dtype(self, name: str) -> Words:
        if name in self.op.asking:
            return postfix(by_dtype(self.op, self.op.asking[name]), self.name)
        carrier = next(t for t in self.op.inputs if name in t.dtype.values())
        return [f"input:{carrier.name}", "dtype"]

    # -- the reference ---------------------------------------------------------------

    def reference(self) -> list[Node]:
        """The call of the op that differentiates the reference."""
        op = self.op
        backward = backward_reference(self.project, op)
        if backward is not None and backward.lacks:
            self.covered |= {t.name for t in op.inputs}
            names = _quoted(t.name for t in op.inputs if t.floating)
            lacks = ", ".join(backward.lacks)
            why = quoted(f"its reference needs {lacks}, not given here")
            return [Node("_runtime.Refuse(", (*names, f"why={why}"))]
        wanted = differentiable_by_reference(self.project, op)
        again = [t.name for t in differentiable(op) if t.name not in wanted]
        silent = constants(op)
        cotangents = [
            f"{quoted(f'd{t.name}')}: {quoted(t.name)}" for t in op.outputs if t.name not in silent
        ]
        saved = _quoted(each.name for each in op.arguments)
        self.covered |= {*wanted, *again}
        items: list[str | Node] = [quoted(gradient_op(op)), Display("(", _quoted(wanted), ")")]
        items += [Display("cotangents={", cotangents, "}")] if cotangents else []
        items += [Display("saved=(", saved, ")")]
        call = Node("_runtime.Backward(", items)
        return [call, *([Node("_runtime.Zero(", _quoted(again))] if again else [])]

    # -- formulas --------------------------------------------------------------------

    def formula(self, name: str, expr: Expr) -> Node:
        self.covered.add(name)
        if expr in (Const(0), Const(0.0)):
            return Node("_runtime.Zero(", [quoted(name)])
        words = Formula(self, name, expr).words()
        return Node("_runtime.Formula(", [quoted(name), spelled(words, self.lets)])


class Formula:
    """One formula in postfix, its operands aligned by the names of their dims."""

    def __init__(self, rule: GradientCase, primal: str, expr: Expr) -> None:
        self.rule, self.op, self.expr = rule, rule.op, expr
        self.primal = self.op.tensor(primal)
        self.sources = [s for n in names_in(expr) if (s := self.source(n)) is not None]
        found = [tensor for _, tensor in self.sources]
        self.aligned = all(tensor.forms == self.primal.forms for tensor in found)
        self.shape = rule.gradient.shape
        self.axes: list[Term] = [] if self.aligned else self.union(found)

    def words(self) -> Words:
        words = postfix(self.expr, self.name)
        if self.aligned:
            return words
        terms = self.shape(self.primal).terms
        wanted = [key_of(term) for term in terms]
        left = list(self.axes)
        for position in reversed(range(len(left))):
            if key_of(left[position]) not in wanted:
                words += [*self.start(left[:position]), *self.extent(left[position]), "reduce"]
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
            return self.rule.let(name, self.rule.sizes.name(name))
        operand, tensor = found
        return [operand] if self.aligned else [operand, *self.align(self.shape(tensor))]

    def union(self, tensors: list[Tensor]) -> list[Term]:
        """The dims of all tensors: those of the longest shape, then what it lacks."""
        shapes = [self.shape(tensor) for tensor in (self.primal, *tensors)]
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
                words += [*self.start(self.axes[:position]), *self.extent(axis), "insert"]
        return words

    def sorted(self, terms: list[Term], wanted: Iterable[Term]) -> Words:
        """Moves that bring `terms` into the order of `wanted`."""
        words: Words = []
        terms = list(terms)
        for position, term in enumerate(wanted):
            at = [key_of(t) for t in terms].index(key_of(term))
            if at != position:
                words += [
                    *self.start(terms[:at]),
                    *self.start(terms[:position]),
                    *self.extent(term),
                    "move",
                ]
                terms.insert(position, terms.pop(at))
        return words

    def start(self, before: list[Term]) -> Words:
        """Where a term begins that follows `before`."""
        words = ["0"]
        for term in before:
            words = self.extent(term) if words == ["0"] else [*words, *self.extent(term), "+"]
        return words

    def extent(self, term: Term) -> Words:
        if isinstance(term, Group) and term.each:
            return self.own_rank(term)
        words = self.rule.sizes.extent(term)
        return self.rule.let(f"rank({key_of(term)})", words)

    def own_rank(self, group: Group) -> Words:
        """How many dims a group has in a tensor of a list: only the formula sees each of them."""
        shapes = ((operand, self.shape(tensor)) for operand, tensor in self.sources)
        operand, shape = next(pair for pair in shapes if group in pair[1].groups)
        words = [operand, "rank"]
        for term in shape.terms:
            words += [] if term == group else [*self.extent(term), "-"]
        return words
