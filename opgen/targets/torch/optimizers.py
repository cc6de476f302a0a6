"""The strings of the optimizer of an op (`torch.optimizer`) for its template."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.ir.nodes import REQUIRED, Attr, Tensor
from opgen.ir.op import Op
from opgen.ir.optimizers import Option, Words, roles
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Expr, names_in
from opgen.language.expr.python import literal, python, quoted
from opgen.targets import docstrings
from opgen.targets.public_api import Parameter, types_in
from opgen.targets.python_format import call, define, dict_of, docstring, tuple_of
from opgen.targets.torch import TORCH_NAMES
from opgen.targets.torch.public_api import parameters

ABOUT = """\
`{op}` as an optimizer. One call updates all parameters of a group that have a gradient, \
agree in device, dtypes and mesh, and have made the same steps."""
DOC = """\
{doc}

{about}

Args:
    params (iterable): parameters, named ones, or dicts of parameters with options of
        their own."""


@dataclass(frozen=True, slots=True)
class OptimizerView:
    """One class. `dtypes` are tables from the dtypes of parameters to those of state.

    `used` are names of other modules.
    """

    name: str
    docstring: str
    dtypes: tuple[str, ...]
    shared: str
    limits: str
    define: str
    defaults: str
    start: str
    later: tuple[str, ...]
    unpack: tuple[str, ...]
    call: str
    used: frozenset[str]


def optimizer_name(op: Op) -> str | None:
    """Return the name of the op's optimizer; None: it has none."""
    name = op.options["torch"]["optimizer"]
    return None if name is None else str(name)


def optimizer(op: Op) -> OptimizerView | None:
    """Return the optimizer of `op`, whose inputs have `roles`."""
    name = optimizer_name(op)
    return None if name is None else _Optimizer(op, name).view()


class _Optimizer:
    def __init__(self, op: Op, name: str) -> None:
        self.op, self.name, self.roles = op, name, roles(op)
        self.words = Words(self.roles, "torch")
        self.shared = [t for t in self.roles.state if not t.list]
        self.several = [option for option in self.words.options if len(option.of) > 1]

    def view(self) -> OptimizerView:
        always = [t for t in self.roles.state if t.when is None]
        items = [self.value(t, f"{quoted(self.words[t.name])}: ") for t in always]
        names = [quoted(self.words[t.name]) for t in self.shared]
        options = [quoted(option.name) for option in self.words.options]
        defaults = [f"{text}: {text[1:-1]}" for text in options]
        return OptimizerView(
            name=self.name,
            docstring=docstring(self.documentation()),
            dtypes=tuple(dict.fromkeys(filter(None, map(self.table, self.typed)))),
            shared=f"shared = {tuple_of(names)}" if names else "",
            limits=self.limits(),
            define=define("__init__", self.parameters(), "None"),
            defaults=f"defaults = {dict_of(defaults)}",
            start=f"state = {dict_of(items)}",
            later=tuple(line for t in self.roles.state for line in self.later(t)),
            unpack=tuple(self.unpack()),
            call=call(self.op.name, self.arguments()),
            used=frozenset(self.used()),
        )

    def used(self) -> set[str]:
        """Return `torch`, which creates state, and the names in the options' types."""
        made = bool(self.roles.state) or any(map(self.dtypes, self.typed))
        kinds = (self.parameter(option).kind for option in self.words.options)
        return types_in(kinds) | ({"torch"} if made else set())

    # -- the constructor ---------------------------------------------------------------

    def parameters(self) -> list[str]:
        """Return the parameters. All may be positional, as in PyTorch's own optimizers."""
        return ["self", "params: ParamsT", *map(self.parameter, self.words.options)]

    def parameter(self, option: Option) -> Parameter:
        default = "" if option.default is REQUIRED else literal(option.default)
        first, *others = option.of
        if isinstance(first, Tensor):
            kinds = {DTYPES[d].kind for d in self.roles.dtypes(first).values()}
            kind = "int" if kinds == {"int"} else "float"
            return Parameter(option.name, f"{kind} | Tensor", default)
        items = {item.name: item for item in parameters(self.op)}
        if not others:
            item = items[first.name]
            return Parameter(option.name, item.kind, item.default)
        types = [items[a.name].kind for a in option.of]
        return Parameter(option.name, f"tuple[{', '.join(types)}]", default)

    def documentation(self) -> str:
        about = ABOUT.format(op=self.op.name)
        lines = [DOC.format(doc=self.op.doc, about=about)]
        lines += map(self.about, self.words.options)
        return "\n".join(lines)

    def about(self, option: Option) -> str:
        """Return the docstring's text about an option."""
        first, *_ = option.of
        parameter = self.parameter(option)
        if isinstance(first, Tensor):
            doc = ": ".join(
                filter(None, (first.doc.removesuffix("."), "a number, or a tensor of one element"))
            )
            return docstrings.option(parameter, (), doc)
        return docstrings.option(parameter, option.attrs)

    def limits(self) -> str:
        """Yield the conditions on scalars, which the op itself does not read on the host."""
        found = [(t, t.values.only) for t in self.roles.scalars if t.values and t.values.plain]
        items = []
        for tensor, condition in found:
            if {*names_in(condition)} == {tensor.name}:
                word = self.words[tensor.name]
                text = python(condition, self.words.__getitem__)
                items.append(f"{quoted(word)}: ({quoted(text)}, lambda {word}: {text})")
        return f"limits = {dict_of(items)}" if items else ""

    # -- state -------------------------------------------------------------------------

    @property
    def typed(self) -> tuple[Tensor, ...]:
        """Return the inputs whose dtype follows from that of the parameters."""
        return (*self.roles.state, *self.roles.scalars)

    def table(self, tensor: Tensor) -> str:
        """Return the table of a dtype variable that is not the dtype of the parameters."""
        dtypes = self.roles.dtypes(tensor)
        others = {p: own for p, own in dtypes.items() if p != own}
        if not others or len({*dtypes.values()}) == 1:
            return ""
        items = [f"torch.{TORCH_NAMES[p]}: torch.{TORCH_NAMES[own]}" for p, own in others.items()]
        return f"_{tensor.dtype.only} = {dict_of(items)}"

    def dtypes(self, tensor: Tensor) -> list[str]:
        """Return the dtype of `tensor`, or its table; [] if it is that of the parameters."""
        dtypes = {*self.roles.dtypes(tensor).values()}
        if len(dtypes) == 1:
            return [f"torch.{TORCH_NAMES[dtypes.pop()]}"]
        return [f"_{tensor.dtype.only}"] if self.table(tensor) else []

    def value(self, tensor: Tensor, head: str) -> str:
        """Return `head` and the initial value of a state."""
        assert tensor.init is not None
        value = python(tensor.init, self.option)
        zero = value in ("0", "0.0")
        choose = ".get(p.dtype)" if self.table(tensor) else ""
        items = [] if zero else [value]
        items += [f"dtype={dtypes}{choose}" for dtypes in self.dtypes(tensor)]
        if tensor.list:
            items = ["p", *items]
            fill = "zeros_like" if zero else "full_like"
        else:
            items = ["()", *items, "device=p.device"]
            fill = "zeros" if zero else "full"
        return call(f"{head}torch.{fill}", items)

    def later(self, tensor: Tensor) -> list[str]:
        """Return the lines that add a state that only exists under a condition."""
        if tensor.when is None:
            return []
        head = f"state[{quoted(self.words[tensor.name])}] = "
        return [f"if {self.condition(tensor.when)}:", f"    {self.value(tensor, head)}"]

    # -- the call ----------------------------------------------------------------------

    def option(self, name: str) -> str:
        """Return an attr in the options of a group."""
        word = self.words[name]
        (of,) = (option.of for option in self.words.options if option.name == word)
        if len(of) == 1:
            return f"group[{quoted(word)}]"
        return f"group[{quoted(word)}][{[a.name for a in of].index(name)}]"

    def condition(self, when: Expr) -> str:
        return python(when, self.option)

    def unpack(self) -> list[str]:
        """Return the lines that unpack tuples of attrs."""
        return [
            f"{', '.join(attr.name for attr in option.of)} = group[{quoted(option.name)}]"
            for option in self.several
        ]

    def arguments(self) -> list[str]:
        given = [f"{attr.name}={self.attr(attr)}" for attr in self.op.options_given]
        inputs = [self.input(tensor) for tensor in self.op.inputs]
        while inputs[-1] == "None":
            inputs.pop()
        return [*inputs, *given]

    def attr(self, attr: Attr) -> str:
        unpacked = any(attr in option.of for option in self.several)
        return attr.name if unpacked else self.option(attr.name)

    def input(self, tensor: Tensor) -> str:
        if tensor == self.roles.params:
            return "params"
        if tensor == self.roles.grads:
            return "grads"
        if tensor.optional:
            return "None"
        word = quoted(self.words[tensor.name])
        if tensor in self.roles.scalars:
            items = [f"group[{word}]", "params[0]", *self.dtypes(tensor)]
            return call("_runtime.scalar", items)
        if tensor.when is None:
            return f"state[{word}]"
        return f"state.get({word}) if {self.condition(tensor.when)} else None"
