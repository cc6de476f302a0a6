"""Print the statement `FACTS = OpFacts(...)`. `opgen/runtime/core/facts.py` defines the classes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from opgen.ir.batching import foldable, folded_group, leads
from opgen.ir.gradients import linear_in
from opgen.ir.layouts import FREE, written_where
from opgen.ir.nodes import Tensor
from opgen.ir.op import Op
from opgen.ir.placements import untold
from opgen.ir.project import Project
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Binary, Call, Const, Expr, Index, Name, substitute, text_of
from opgen.language.expr.python import SUPPORT, python
from opgen.language.shapes import Group, Shape, Term
from opgen.spec.cases import Cases
from opgen.spec.models.strings import kind_and_weight
from opgen.targets.core.config import demanding, device_names
from opgen.targets.op_summary import followers
from opgen.targets.own_names import Names, own
from opgen.targets.public_api import numbers
from opgen.targets.python_format import call, conditional, dict_of, quoted, tuple_of

V = TypeVar("V")
# The names that this statement may import from the runtime module `facts`.
NAMES = {"Input", "OpFacts", "Reduction", "Result"}
NAMES |= {"dim", "either", "group", "multiple", "other", "product", "shape"}


class Facts:
    """Prints the statement `FACTS = OpFacts(...)`. `used` collects the names to import from the
    runtime. `own` chooses opgen's other names in the module.
    """

    def __init__(self, project: Project, op: Op) -> None:
        self.project, self.op, self.own = project, op, Names(op)
        self.used: set[str] = set()
        self.numbers = numbers(op, updated=True)

    def statement(self) -> str:
        """Return the statement `FACTS = OpFacts(...)`."""
        op = self.op
        items = [quoted(op.name)]
        items.append(f"inputs={tuple_of(map(self.input, op.inputs))}")
        items.append(f"results={tuple_of(map(self.result, op.written))}")
        items += _table("attrs", {a.name: quoted(a.taken) for a in op.attrs})
        items += _tuple("platforms", op.platforms)
        looked_at = demanding(op)
        if any(not op.takes_all(kernel.platform) for kernel in looked_at):
            items.append("demanding=True")
        items += _tuple("device", device_names(op) if looked_at else ())
        if op.splittable:
            items.append(f"split={self.choice(op.split, _names)}")
        items += _tuple("indivisible", _indivisible(op))
        items += _table("stages", {name: _names(ops) for name, ops in op.stages})
        items += _items("linear", map(_names, linear_in(self.project.ops, op)))
        if op.follow is not None:
            items.append(f"follow={quoted(op.follow)}")
            items += _tuple("followers", [t.name for t in followers(op) if t.name != op.follow])
        if untold(op) is not None:
            items.append("told=False")
        items += _tuple("fold", foldable(op))
        if op.vmap == "none":
            items.append("vmap=False")
        return call(f"{own(op, 'FACTS')} = {self.named('OpFacts')}", items)

    def named(self, name: str) -> str:
        """Return the local name for a name of the runtime module `facts`, and record its import."""
        self.used.add(name)
        return own(self.op, name)

    # -- tensors ---------------------------------------------------------------------

    def input(self, tensor: Tensor) -> str:
        """Return the code `Input(...)`, which describes one input."""
        op = self.op
        items = self.tensor(tensor)
        if isinstance(tensor.update, Cases):
            where = Cases(((written_where(tensor.update), True), (None, False)))
            items.append(f"updated={self.choice(where, str)}")
        elif tensor.update:
            items.append("updated=True")
        items += self.reduce(tensor)
        if any(_order(layout) for layout in tensor.layout.values()):
            items.append(f"order={self.choice(tensor.layout.map(_order), _names_or_none)}")
        wide = tensor.dtype.only if tensor.dtype.plain else ""
        items += [f"wide={quoted(wide)}"] if wide in ("i64", "u64") else []
        items += self.number(tensor)
        items += ["seed=True"] if tensor.seed else []
        items += ["host=True"] if tensor.device else []
        items += [f"begin={quoted(tensor.begin)}"] if tensor.begin else []
        items += _tuple("asked_by", op.asked_by(tensor))
        folded = None if op.updated else folded_group(op)
        items += ["folds=True"] if folded is not None and leads(tensor, folded) else []
        return call(self.named("Input"), items)

    def result(self, tensor: Tensor) -> str:
        """Return the code `Result(...)`, which describes one output or residual."""
        items = self.tensor(tensor)
        items += ["residual=True"] if tensor.role == "residual" else []
        items += ["constant=True"] if not tensor.differentiable else []
        items += ["on_request=True"] if tensor.optional else []
        items += self.reduce(tensor)
        return call(self.named("Result"), items)

    def tensor(self, tensor: Tensor) -> list[str]:
        """Return the code of the arguments of both `Input` and `Result`: name, shape, presence."""
        items = [quoted(tensor.name), self.choice(tensor.forms, self.forms)]
        items += [] if tensor.always else ["optional=True"]
        return [*items, *(["list=True"] if tensor.list else [])]

    def forms(self, forms: tuple[Shape, ...]) -> str:
        """Return the code `shape(...)`, or `either(...)` if a tensor may have several shapes."""
        found = [
            call(self.named("shape"), [_term(term, self.named) for term in form.terms])
            for form in forms
        ]
        return found[0] if len(found) == 1 else call(self.named("either"), found)

    def reduce(self, tensor: Tensor) -> list[str]:
        """Return the code of the argument `reduce`: a map from split dims to reductions."""
        return _table(
            "reduce", {name: self.choice(how, self.reduction) for name, how in tensor.reduce}
        )

    def reduction(self, how: str) -> str:
        """Return code: `Reduction("sum")`, or `Reduction("mean", "count")` for `mean(count)`."""
        kind, weight = kind_and_weight(how)
        items = [quoted(kind), *([quoted(weight)] if weight else [])]
        return call(self.named("Reduction"), items)

    def number(self, tensor: Tensor) -> list[str]:
        """Return the code of the argument `number` of an input that accepts a Python number. The
        argument tells the runtime how to find the dtype of the number.
        """
        of = self.numbers.get(tensor.name)
        if of is None:
            return []
        of = of[:1] if of[0] in map(quoted, DTYPES) else of  # without a device
        places = {t.name: str(place) for place, t in enumerate(self.op.inputs)}
        return [f"number={tuple_of(places.get(each, each) for each in of)}"]

    # -- values that depend on a call ------------------------------------------------

    def choice(self, cases: Cases[V], text: Callable[[V], str]) -> str:
        """Return the code of a value that has cases. The last case has no condition.

        With several cases, the code is a function of the call's arguments. With a single case, it
        is the value itself.
        """
        *others, (_, last) = cases.cases
        arguments: dict[str, None] = {}
        choices = [(text(value), self.condition(test, arguments)) for test, value in others]
        if not choices:
            return text(last)
        head = f"lambda {', '.join(arguments)}, **_:"
        if [value for value, _ in choices] + [text(last)] == ["True", "False"]:
            return f"{head} {choices[0][1]}"
        return f"{head} ({conditional(choices, text(last))})"

    def condition(self, expr: Expr, arguments: dict[str, None]) -> str:
        """Return the code of a condition over attrs, presence, dtypes and ranks. The names of the
        arguments that the code reads are added to `arguments`.
        """
        known = {each.name for each in self.op.arguments}

        def name(text: str) -> str:
            tensor = None
            if text not in known and self.op.dtype_var(text) is not None:
                having = [t for t in self.op.inputs if text in t.dtype.values()]
                tensor = next(iter(sorted(having, key=lambda t: not t.always)), None)
            arguments[tensor.name if tensor else text] = None
            if tensor is None:
                return text
            return f"{tensor.name}[0].dtype" if tensor.list else f"{tensor.name}.dtype"

        def function(text: str) -> str:
            return self.named(text) if text in SUPPORT else self.own(text)

        return python(substitute(expr, self.op.asking), name, 1, function)


def shape_text(shape: Shape, module: str) -> str:
    """Return the code `shape(...)` for a shape. `module` is the prefix of each function, such as
    `_runtime.`.
    """
    terms = ", ".join(_term(term, module.__add__) for term in shape.terms)
    return f"{module}shape({terms})"


def _term(term: Term, named: Callable[[str], str]) -> str:
    if isinstance(term, Group):
        kind, items, each = "group", [term.name], term.each
    else:
        kind, items, each = _dim(term.size)
    text = ", ".join([*map(quoted, items), *(["each=True"] if each else [])])
    return f"{named(kind)}({text})"


def _tuple(key: str, names: Iterable[str]) -> list[str]:
    """Return the keyword argument `key` with a tuple of names, or [] if there are no names."""
    return _items(key, map(quoted, names))


def _items(key: str, items: Iterable[str]) -> list[str]:
    """Return the keyword argument `key` with a tuple of items, or [] if there are no items."""
    found = [*items]
    return [f"{key}={tuple_of(found)}"] if found else []


def _table(key: str, pairs: Mapping[str, str]) -> list[str]:
    """Return the source of a keyword argument named `key` with the dict `pairs`, or [] if it is empty."""
    found = [f"{quoted(name)}: {text}" for name, text in pairs.items()]
    return [f"{key}={dict_of(found)}"] if found else []


def _names(names: Iterable[str]) -> str:
    return tuple_of(map(quoted, names))


def _names_or_none(names: tuple[str, ...] | None) -> str:
    return "None" if names is None else _names(names)


def _order(layout: str) -> tuple[str, ...] | None:
    """Return the terms of a layout in memory order. Return None if the layout names no terms, for
    example if it is `dense` or `like x`.
    """
    if layout in FREE or layout.startswith("like "):
        return None
    return tuple(word.removeprefix("*") for word in layout.split() if word != "...")


def _dim(size: Expr) -> tuple[str, list[str], bool]:
    """Return the parts of the generated call that describes a dim of this size.

    They are the function, its arguments, and whether the size differs between tensors of a list.
    """
    first, *factors = _factors(size)
    name, each = _name(first)
    if name is not None:
        texts = [_text(factor) for factor in factors]
        return ("product", [name, *texts], each) if texts else ("dim", [name], each)
    if isinstance(first, Const) and len(factors) == 1:
        name, each = _name(factors[0])
        if name is not None and not each:
            return "multiple", [_text(first), name], False
    name, each = _name(_first(size))
    return "other", [_text(size), *([name] if name else [])], each


def _text(size: Expr) -> str:
    return text_of(size).replace(" ", "")


def _factors(size: Expr) -> list[Expr]:
    if isinstance(size, Binary) and size.op == "*":
        return [*_factors(size.left), size.right]
    return [size]


def _name(size: Expr) -> tuple[str | None, bool]:
    """Return (name, is indexed) for a size that is a name or `s[i]`. For other sizes, the name is
    None. `s[i]` is the size of one tensor of a list.
    """
    match size:
        case Name(id=name):
            return name, False
        case Index(Name(id=name), Name(id="i")):
            return name, True
    return None, False


def _first(size: Expr) -> Expr:
    """Return the leftmost operand of an expression. A factor that is a sum in brackets is not
    searched further. For `ceildiv` and `roundup`, return the first argument.
    """
    match size:
        case Binary(op, Binary(op=inner), _) if op not in "+-" and inner in "+-":
            return size
        case Binary(left=left):
            return _first(left)
        case Call("ceildiv" | "roundup", (value, _)):
            return value
    return size


def _indivisible(op: Op) -> list[str]:
    """Return the dims that the spec allows opgen to split, but that JAX cannot split.

    JAX cannot split a dim in two cases. In the first, a residual keeps a separate part of the dim
    on each shard. In the second, JAX cannot tell whether the dim divides evenly: no input has it as
    a separate term, and no attr gives it. The second case does not apply if an input receives the
    offset of a shard.
    """
    local = {n for t in op.written for n, how in t.reduce if "local" in how.values()}
    alone = {t.begin for t in op.inputs} | {_alone(term) for term in _terms(op.inputs)}
    made = {_alone(term) for term in _terms(op.written)}
    known = made | {attr.name for attr in op.attrs}
    alone |= {_factor(term) for term in _terms(op.inputs)} & known
    every = dict.fromkeys(name for names in op.split.values() for name in names)
    return [name for name in every if name in local or name not in alone]


def _terms(tensors: Iterable[Tensor]) -> Iterable[Term]:
    """Return every term of the tensors' shapes."""
    return (term for tensor in tensors for shape in tensor.shapes for term in shape.terms)


def _alone(term: Term) -> str | None:
    """Return the name of a term that is a group or a single name, else None."""
    return term.name if isinstance(term, Group) else _name(term.size)[0]


def _factor(term: Term) -> str | None:
    """Return the first name of a product such as `h*d`, else None. A product can only be split
    along its first factor, which varies slowest in memory.
    """
    if isinstance(term, Group):
        return None
    first, *others = _factors(term.size)
    return _name(first)[0] if others else None
