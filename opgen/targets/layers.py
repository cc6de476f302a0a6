"""The parts of a layer made from an op (`torch.module`, `jax.module`), for both frameworks."""

from __future__ import annotations

from collections.abc import Mapping

from opgen.ir.nodes import Tensor
from opgen.ir.op import Op
from opgen.language.expr import Expr, names_in
from opgen.language.expr.python import python, support_functions
from opgen.language.shapes import Dim, Group
from opgen.targets.python_format import tuple_of


class Layer:
    """The parts of a layer of `op`.

    `held` are its parameters, the inputs with an `init`, of which `optional` may be left out. Its
    constructor takes `sizes`, the names in their shapes, and `attrs`, all other attrs. A name in
    `groups` is that of a group of dims. `words` maps names of the spec to the layer's names.
    """

    def __init__(self, op: Op, words: Mapping[str, str] | None = None) -> None:
        self.op, self.words = op, words or {}
        self.held = [t for t in op.inputs if t.init is not None]
        self.inputs = [t for t in op.inputs if t.init is None]
        self.optional = [t for t in self.held if t.optional]
        self.groups = {g.name for t in self.held for g in t.shape.groups}
        self.sizes = list(dict.fromkeys(name for t in self.held for name in self._sizes(t)))
        self.attrs = [attr for attr in op.options_given if attr.name not in self.sizes]

    def _sizes(self, tensor: Tensor) -> list[str]:
        """Return the names in the shape of a parameter."""
        derived = dict(self.op.dims)
        return [
            name
            for outer in tensor.shape.names
            for name in (names_in(derived[outer]) if outer in derived else (outer,))
        ]

    def word(self, name: str) -> str:
        """Return the layer's name for a size, an attr or a parameter."""
        return self.words.get(name, name)

    def shape(self, tensor: Tensor) -> str:
        """Return the shape of a parameter in Python, with the sizes from `self`."""
        match tensor.shape.terms:
            case (Group(name=name),):
                return f"self.{self.word(name)}"
        return tuple_of(
            f"*self.{self.word(t.name)}" if isinstance(t, Group) else self.python(t.size)
            for t in tensor.shape.terms
        )

    def python(self, expr: Expr) -> str:
        """Return an expression in Python, with the sizes and attrs from `self`."""
        derived = dict(self.op.dims)

        def name(text: str) -> str:
            if text in derived:
                return f"({python(derived[text], name)})"
            return f"self.{self.word(text)}"

        return python(expr, name)

    @property
    def support(self) -> tuple[str, ...]:
        """Return the functions of the core's runtime that its sizes and values call."""
        sizes = [t.size for p in self.held for t in p.shape.terms if isinstance(t, Dim)]
        values = [t.init for t in self.held if t.init is not None]
        return tuple(sorted({f for expr in (*sizes, *values) for f in support_functions(expr)}))

    def keep(self, *, hashable: bool = False) -> list[str]:
        """Return the constructor's statements that store its sizes and attrs, `hashable` on
        request.
        """
        lines = []
        for name in self.sizes:
            word = self.word(name)
            if name in self.groups:
                lines += [f"if isinstance({word}, int):", f"    {word} = ({word},)"]
            lines.append(f"self.{word} = {f'tuple({word})' if name in self.groups else word}")
        for attr in self.attrs:
            word = value = self.word(attr.name)
            if hashable and "[" in attr.type:
                absent = attr.optional or isinstance(attr.default, Expr)
                value = f"tuple({word})" + f" if {word} is not None else None" * absent
            lines.append(f"self.{word} = {value}")
        return lines
