"""`_runtime.shard(...)`, `_runtime.follow(...)`: how DTensor may place an op."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from opgen.ir.nodes import Tensor
from opgen.ir.op import Op
from opgen.ir.op_summary import followers
from opgen.ir.placements import carriers, untold
from opgen.language.expr import Expr, substitute
from opgen.language.expr.python import python
from opgen.language.shapes import Shape
from opgen.spec.cases import Cases
from opgen.targets.own_names import Names
from opgen.targets.python_format import call, conditional, dict_of, quoted, tuple_of

V = TypeVar("V")


def whole_dims(op: Op) -> set[str]:
    """The dims that stay whole on DTensors, whatever the spec lets be split: those with units."""
    return {name for name, _ in op.units}


def sharding(names: Names) -> list[str]:
    """The statement; none for an op that DTensor cannot be told of."""
    op = names.op
    if op.follow is not None:
        others = [quoted(t.name) for t in followers(op) if t.name != op.follow]
        return [call("_runtime.follow", ["_op", quoted(op.follow), tuple_of(others)])]
    whole = whole_dims(op)
    if untold(op) is not None:
        return []
    conditions = _Conditions(names)
    split = op.split.map(lambda dims: tuple(n for n in dims if n not in whole))
    reducing = [t for t in (*op.inputs, *op.written) if t.reduce]
    reduce = [_reductions(conditions, t) for t in reducing]
    items = [
        "_op",
        f"split={conditions.value(split, _names)}",
        f"inputs={dict_of(map(conditions.shape, op.inputs))}",
        f"results={dict_of(map(conditions.shape, op.written))}",
    ]
    if reduce:
        items.append(f"reduce={dict_of(reduce)}")
    if stages := [f"{quoted(name)}: {_names(ops)}" for name, ops in op.stages]:
        items.append(f"stages={dict_of(stages)}")
    if begins := [f"{quoted(t.name)}: {quoted(t.begin)}" for t in op.inputs if t.begin]:
        items.append(f"begins={dict_of(begins)}")
    if asked := [
        f"{quoted(t.name)}: {_names(op.asked_by(t))}" for t in op.inputs if op.asked_by(t)
    ]:
        items.append(f"asked_by={dict_of(asked)}")
    return [call("_runtime.shard", items)]


class _Conditions:
    """Prints values that depend on a call as functions of its arguments."""

    def __init__(self, names: Names) -> None:
        self.names, self.op = names, names.op

    def shape(self, tensor: Tensor) -> str:
        """An entry of a table of shapes: one, several of which rank chooses one, or a list."""

        def text(forms: tuple[Shape, ...]) -> str:
            several = [quoted(str(shape)) for shape in forms]
            if tensor.list:
                return f"[{several[0]}]"
            return several[0] if len(several) == 1 else tuple_of(several)

        return f"{quoted(tensor.name)}: {self.value(tensor.forms, text)}"

    def value(self, cases: Cases[V], text: Callable[[V], str]) -> str:
        """The value, or a function that gives it."""
        if cases.plain:
            return text(cases.only)
        used: dict[str, None] = {}
        *others, (condition, last) = cases.cases
        if condition is not None:
            others.append((condition, last))
        choices = [(text(v), self.python(c, used)) for c, v in others if c is not None]
        rest = "None" if condition is not None else text(last)
        return f"lambda {', '.join(used)}, **_: {conditional(choices, rest)}"

    def python(self, expr: Expr, used: dict[str, None]) -> str:
        """A condition; `used` collects the arguments that it names."""
        arguments = {each.name for each in self.op.arguments}
        carrying = carriers(self.op)

        def name(text: str) -> str:
            argument = text if text in arguments else carrying[text]
            used[argument] = None
            return argument if argument == text else f"{argument}.dtype"

        return python(substitute(expr, self.op.asking), name, 1, self.names)


def _names(names: Iterable[str]) -> str:
    return tuple_of(map(quoted, names))


def _reductions(conditions: _Conditions, tensor: Tensor) -> str:
    """The entry of a tensor in the table of reductions."""
    pairs = (f"{quoted(name)}: {conditions.value(how, quoted)}" for name, how in tensor.reduce)
    return f"{quoted(tensor.name)}: {dict_of(pairs)}"
