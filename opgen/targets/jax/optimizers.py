"""The optimizer of an op (`jax.optimizer`): what its template places."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.ir.nodes import REQUIRED, Attr, Tensor
from opgen.ir.op import Op
from opgen.ir.optimizers import Option, Words, roles
from opgen.language.expr.python import literal, python, quoted
from opgen.targets import docstrings, public_api
from opgen.targets.jax import JAX_NAMES
from opgen.targets.public_api import Parameter
from opgen.targets.python_format import bracketed, call, define, docstring, tuple_of

DOC = """\
{doc}

`{op}` as an optimizer: a pair of `init` and `update`, as optax has them. Its `step(params, \
grads, state)` gives the next parameters instead of what is to be added to them, and the next \
state; what is donated to it is updated in place. One call updates all parameters that agree \
in dtypes.

Args:"""
STATE = "What `{name}` keeps: how many steps were made, and the state of `{op}`."


@dataclass(frozen=True, slots=True)
class OptimizerView:
    """One function, and the named tuple of its state."""

    state: str
    state_doc: str
    fields: tuple[str, ...]
    dtypes: tuple[str, ...]
    define: str
    docstring: str
    unpack: tuple[str, ...]
    init: str
    call: str
    result: str
    returned: str

    @property
    def code(self) -> tuple[str, ...]:
        """What may name something that is to be imported."""
        return (*self.dtypes, self.define, self.init, self.call)


def optimizer_name(op: Op) -> str | None:
    """The name of the op's optimizer; None: it has none."""
    name = op.options["jax"]["optimizer"]
    return None if name is None else str(name)


def optimizer(op: Op) -> OptimizerView | None:
    """The optimizer of `op`, whose inputs `roles` tells apart."""
    name = optimizer_name(op)
    return None if name is None else _Optimizer(op, name).view()


class _Optimizer:
    def __init__(self, op: Op, name: str) -> None:
        self.op, self.name, self.roles = op, name, roles(op)
        self.words = Words(self.roles, "jax")
        self.state_name = "".join(map(str.capitalize, name.split("_"))) + "State"
        self.lists = [self.words[t.name] for t in self.roles.state if t.list]

    def view(self) -> OptimizerView:
        updated = [self.words[t.name] for t in self.op.inputs if t in self.roles.state]
        results = [
            "params" if t == self.roles.params else self.words[t.name] for t in self.op.results
        ]
        head = f"{', '.join(results)} = " if len(results) > 1 else "params = "
        items = [f"{word}={word}" for word in updated]
        held = tuple_of(map(quoted, self.lists)) if self.lists else "()"
        returned = [quoted(self.name), "init", "call", held]
        return OptimizerView(
            state=self.state_name,
            state_doc=docstring(STATE.format(name=self.name, op=self.op.name), 4),
            fields=tuple(map(self.field, self.roles.state)),
            dtypes=tuple(dict.fromkeys(filter(None, map(self.table, self.typed)))),
            define=define(f"def {self.name}(", self.parameters(), ") -> _runtime.Optimizer:"),
            docstring=docstring(self.documentation(), 4),
            unpack=tuple(self.unpack()),
            init=bracketed(f"return {self.state_name}(", self.init(), ")", 8),
            call=call(f"{head}{self.op.name}(", self.arguments(), ")", 8),
            result=call("return params, state._replace(", items, ")", 8),
            returned=call("return _runtime.optimizer(", returned, ")", 4),
        )

    # -- the function ------------------------------------------------------------------

    def parameters(self) -> list[Parameter]:
        return [self.parameter(option) for option in self.words.options]

    def parameter(self, option: Option) -> Parameter:
        default = "" if option.default is REQUIRED else literal(option.default)
        first, *others = option.of
        if isinstance(first, Tensor):
            kind = "ArrayLike | Callable[[jax.Array], ArrayLike]"
            return Parameter(option.name, kind, default)
        items = {item.name: item for item in public_api.parameters(self.op, "ArrayLike")}
        if not others:
            item = items[first.name]
            return Parameter(option.name, item.kind, item.default)
        kinds = [items[a.name].kind for a in option.of]
        return Parameter(option.name, f"tuple[{', '.join(kinds)}]", default)

    def documentation(self) -> str:
        lines = [DOC.format(doc=self.op.doc, op=self.op.name)]
        return "\n".join([*lines, *map(self.about, self.words.options)])

    def about(self, option: Option) -> str:
        """What the docstring says of an option."""
        first, *_ = option.of
        parameter = self.parameter(option)
        if isinstance(first, Tensor):
            doc = ": ".join(
                filter(
                    None,
                    (
                        first.doc.removesuffix("."),
                        "a number, an array, or a function of the number of steps made",
                    ),
                )
            )
            return docstrings.option(parameter, (), doc)
        return docstrings.option(parameter, option.attrs)

    # -- state -------------------------------------------------------------------------

    @property
    def typed(self) -> tuple[Tensor, ...]:
        """The inputs whose dtype follows from that of the parameters."""
        return (*self.roles.state, *self.roles.scalars)

    def field(self, tensor: Tensor) -> str:
        kind = "Any" if tensor.list else "jax.Array"
        absent = "" if tensor.when is None else " = None"
        return f"{self.words[tensor.name]}: {kind}{absent}"

    def table(self, tensor: Tensor) -> str:
        """The table of a dtype variable: where it is not the dtype of the parameters."""
        dtypes = self.roles.dtypes(tensor)
        others = {p: own for p, own in dtypes.items() if p != own}
        if not others or len({*dtypes.values()}) == 1:
            return ""
        items = [f"{quoted(p)}: {quoted(own)}" for p, own in others.items()]
        return bracketed(f"_{tensor.dtype.only} = {{", items, "}")

    def dtypes(self, tensor: Tensor) -> list[str]:
        """The argument that says of which dtype `tensor` is."""
        found = {*self.roles.dtypes(tensor).values()}
        if len(found) == 1:
            return [quoted(found.pop())]
        return [f"_{tensor.dtype.only}"] if self.table(tensor) else []

    def init(self) -> list[str]:
        items = ["count=jnp.zeros((), jnp.int32)"]
        return [*items, *(self.start(tensor) for tensor in self.roles.state)]

    def start(self, tensor: Tensor) -> str:
        """What a state starts with, as an argument."""
        assert tensor.init is not None
        value = python(tensor.init, self.option)
        if tensor.list:
            items = ["params", value, *self.dtypes(tensor)]
            text = f"_runtime.filled({', '.join(items)})"
        else:
            dtype = f"jnp.{JAX_NAMES[tensor.dtype.only]}"
            text = f"jnp.full((), {value}, {dtype})"
        if tensor.when is not None:
            text += f" if {python(tensor.when, self.option)} else None"
        return f"{self.words[tensor.name]}={text}"

    # -- the call ----------------------------------------------------------------------

    def option(self, name: str) -> str:
        """An attr, which the function has as an argument."""
        word = self.words[name]
        (of,) = (option.of for option in self.words.options if option.name == word)
        return word if len(of) == 1 else name

    def unpack(self) -> list[str]:
        """The lines that take tuples of attrs apart."""
        several = [option for option in self.words.options if len(option.of) > 1]
        return [f"{', '.join(attr.name for attr in o.of)} = {o.name}" for o in several]

    def arguments(self) -> list[str]:
        inputs = [self.input(tensor) for tensor in self.op.inputs]
        while inputs[-1] == "None":
            inputs.pop()
        attrs: tuple[Attr, ...] = self.op.options_given
        return [*inputs, *(f"{a.name}={self.option(a.name)}" for a in attrs)]

    def input(self, tensor: Tensor) -> str:
        if tensor == self.roles.params:
            return "params"
        if tensor == self.roles.grads:
            return "grads"
        if tensor.optional:
            return "None"
        word = self.words[tensor.name]
        if tensor in self.roles.scalars:
            items = [word, "state.count", "params[0]", *self.dtypes(tensor)]
            return f"_runtime.scheduled({', '.join(items)})"
        return f"state.{word}"
