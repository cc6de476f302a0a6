"""Print the autograd rules of an op as lines of words, which both C++ and Python parse."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from opgen.ir.gradients import kept_only
from opgen.ir.nodes import Argument, Attr, BackwardCall, Gradient, Tensor
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Const, Expr, names_in
from opgen.language.shapes import Group, Shape, Term
from opgen.targets.backwards import backward_reference
from opgen.targets.torch.postfix import Sizes, Words, by_dtype, constant, key_of, postfix
from opgen.targets.torch.schema import schema_name


def differentiable(op: Op) -> tuple[Tensor, ...]:
    """Return the inputs that may have a gradient."""
    return tuple(t for t in op.inputs if t.differentiable and not t.update and t.floating)


def constants(op: Op) -> tuple[str, ...]:
    """Return the outputs without a gradient, and all residuals."""
    outputs = (t.name for t in op.outputs if not t.differentiable)
    return (*outputs, *(t.name for t in op.residuals))


def gradient_op(op: Op) -> str:
    """Return the name of the PyTorch op that computes the gradient of `op`. That op differentiates
    the reference of `op` by autodiff.
    """
    return f"{op.name}_reference_vjp"


def differentiable_by_reference(project: Project, op: Op) -> tuple[str, ...]:
    """Return the inputs for which autodiff of the reference computes a gradient.

    The result includes the inputs of `unreadable`, for which autodiff raises an error. It excludes
    inputs that the reference recomputes from other inputs.
    """
    backward = backward_reference(project, op)
    again = backward.recomputed if backward else ()
    return tuple(t.name for t in differentiable(op) if t.name not in again)


def unreadable(project: Project, op: Op) -> tuple[str, ...]:
    """Return the inputs that the reference must not read while autodiff differentiates it."""
    if op.reference is None:
        return ()
    kept = kept_only(project.ops, op)
    return tuple(t.name for t in op.inputs if t.name in kept and t.floating)


def rule(project: Project, op: Op) -> list[str]:
    """Return the autograd rule of an op, line by line.

    `rule.h` documents the lines. Inputs and attrs have the names that the schema gives them.
    """
    lines = [_line("op", op.name, "->", *(t.name for t in op.written))]
    constant = [t.name for t in op.outputs if not t.differentiable]
    lines += [_line("constant", *constant)] if constant else []
    lines += [_line("residual", *(t.name for t in op.residuals))] if op.residuals else []
    lines += [_line("autocast", op.autocast)] if op.autocast else []
    for condition, given in op.grad.cases:
        case = GradientCase(project, op, given)
        if not op.grad.plain:
            test = [] if condition is None else case.condition(condition)
            lines.append(_line("case", *test) if test else "else")
        lines += case.lines()
    if all(condition for condition, _ in op.grad.cases):
        refused = (t.name for t in op.inputs if t.floating)
        lines += ["else", f"{_line('refuse', *refused)} : no case of its gradient holds"]
    names = {each.name: schema_name(op, each.name) for each in op.arguments}
    if all(name == other for name, other in names.items()):
        return lines
    return [" ".join(_in_schema(word, names) for word in line.split(" ")) for line in lines]


def _line(*words: str) -> str:
    return " ".join(words)


def _in_schema(word: str, names: Mapping[str, str]) -> str:
    """Return `word` of a rule with the spec's name of an argument replaced by the schema's name."""
    kind, colon, name = word.rpartition(":")
    return kind + colon + names.get(name, name)


class GradientCase:
    """Prints the lines of a rule for one case of an op's gradient."""

    def __init__(self, project: Project, op: Op, gradient: Gradient) -> None:
        self.project, self.op, self.gradient = project, op, gradient
        self.sizes = Sizes(op)
        self.lets: dict[str, Words] = {}
        self.covered: set[str] = set()

    def lines(self) -> list[str]:
        """Return the lines of this case, without duplicates.

        Each forward value is computed by a single line, even if several operations read the value.
        """
        op, grad = self.op, self.gradient
        found = []
        for requirement in grad.require:
            message = requirement.message or "no gradient of this call"
            found.append(_line("require", *self.condition(requirement.condition), ":", message))
        if grad.kind == "rules":
            for call in grad.calls:
                line = self.call(call)
                found += [*self.forward(), line]
            for name, expr in grad.formulas:
                line = self.formula(name, expr)
                found += [*self.forward(), line]
        if grad.kind == "reference":
            found += self.reference()
        refused = [t.name for t in op.inputs if t.name not in self.covered and t.floating]
        if refused:
            found.append(_line("refuse", *refused))
        return list(dict.fromkeys(found))

    def forward(self) -> list[str]:
        """Return the lines for the forward values that were added since the last call of this
        method.
        """
        found = [_line("let", name, *words) for name, words in self.lets.items()]
        self.lets.clear()
        return found

    def condition(self, condition: Expr) -> Words:
        """Return the words that compute a condition on the call's arguments."""
        return postfix(by_dtype(self.op, condition), self.name)

    def name(self, name: str) -> Words:
        """Return the words for a name in a condition. A dtype variable is read from a tensor with
        this dtype.
        """
        if name in DTYPES:
            return [name]
        attrs = {attr.name for attr in self.op.attrs}
        if name not in attrs and self.op.dtype_var(name) is not None:
            return self.dtype(name)
        return self.sizes.name(name)

    def let(self, name: str, words: Words) -> Words:
        """Return the operand for the value that `words` compute. If `words` is a single word, it is
        the operand. Otherwise the forward computes the value under `name`.
        """
        if len(words) == 1:
            return words
        self.lets[name] = words
        return [f"let:{name}"]

    # -- backward calls --------------------------------------------------------------

    def call(self, call: BackwardCall) -> str:
        backward = self.project.op(call.op)
        words = [
            self.operand(argument, each, backward)
            for argument, each in zip((*call.arguments, *call.attrs), backward.arguments)
        ]
        words += ["wanted"] if backward.on_request else []
        pairs = {result: primal for primal, result in call.gradients}
        targets = [pairs.get(t.name) for t in backward.written]
        self.covered |= {target for target in targets if target}
        return _line("call", call.op, *words, "->", *(target or "_" for target in targets))

    def operand(self, argument: Argument, of: Tensor | Attr, backward: Op) -> str:
        """Return the word for one argument of a backward op.

        If only some results of the backward need the argument, `@` and their names follow the word.
        """
        if argument.source == "cotangent" and argument.expr is None:
            assert isinstance(of, Tensor)
            word = f"cotangent{'?' if of.optional and not of.list else ''}:{argument.of}"
        else:
            (word,) = self.given(argument, of)
        only = backward.asked_by(of) if isinstance(of, Tensor) else ()
        return f"{word}@{','.join(only)}" if only else word

    def given(self, argument: Argument, of: Tensor | Attr) -> Words:
        """Return the words for a backward op's argument that is not a cotangent."""
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
        """Return the words for the value of an attr. If its default depends on sizes, they compute
        the default when the caller omits the attr.
        """
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

    def reference(self) -> list[str]:
        """Return the lines that compute the gradient by autodiff of the reference. If autodiff is
        not possible, the lines reject the gradient.
        """
        op = self.op
        backward = backward_reference(self.project, op)
        if backward is not None and backward.lacks:
            self.covered |= {t.name for t in op.inputs}
            names = _line(*(t.name for t in op.inputs if t.floating))
            return [
                f"refuse {names} : its reference needs {', '.join(backward.lacks)}, not given here"
            ]
        wanted = differentiable_by_reference(self.project, op)
        again = [t.name for t in differentiable(op) if t.name not in wanted]
        self.covered |= {*wanted, *again}
        silent = constants(op)
        cotangents = (
            "None" if t.name in silent else f"cotangent{'' if t.list else '?'}:{t.name}"
            for t in op.outputs
        )
        given = (f"input:{each.name}" for each in op.arguments)
        call = _line("call", gradient_op(op), *cotangents, *given, "needed", "->", *wanted)
        return [call, *([_line("zero", *again)] if again else [])]

    # -- formulas --------------------------------------------------------------------

    def formula(self, name: str, expr: Expr) -> str:
        self.covered.add(name)
        if expr in (Const(0), Const(0.0)):
            return _line("zero", name)
        return _line("formula", name, *Formula(self, name, expr).words())


class Formula:
    """Prints one gradient formula in postfix notation. It aligns the dims of tensors by name."""

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
        """Return the operand and the tensor that a name in the formula refers to. Return None if
        the name refers to no tensor.
        """
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
        """Return the dims of all tensors. First come the dims of the longest shape, then the
        missing dims of the other shapes.
        """
        shapes = [self.shape(tensor) for tensor in (self.primal, *tensors)]
        every = sorted(shapes, key=lambda shape: -len(shape.terms))
        axes: dict[str, Term] = {}
        for shape in every:
            for term in shape.terms:
                axes.setdefault(key_of(term), term)
        return list(axes.values())

    def align(self, shape: Shape) -> Words:
        """Return the words that align a tensor with the formula's `axes`. They move the tensor's
        dims into the order of `axes`, and insert dims of size 1.
        """
        have = {key_of(term) for term in shape.terms}
        present = [axis for axis in self.axes if key_of(axis) in have]
        words = self.sorted(list(shape.terms), present)
        for position, axis in enumerate(self.axes):
            if key_of(axis) not in have:
                words += [*self.start(self.axes[:position]), *self.extent(axis), "insert"]
        return words

    def sorted(self, terms: list[Term], wanted: Iterable[Term]) -> Words:
        """Return the words that move dims until `terms` have the order of `wanted`."""
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
        """Return the words for the index of the first dim after the terms `before`."""
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
        """Return the words for the rank of a group that may differ between the tensors of a list.

        Only formulas read such a group, because they run once for each tensor of the list.
        """
        shapes = ((operand, self.shape(tensor)) for operand, tensor in self.sources)
        operand, shape = next(pair for pair in shapes if group in pair[1].groups)
        words = [operand, "rank"]
        for term in shape.terms:
            words += [] if term == group else [*self.extent(term), "-"]
        return words
