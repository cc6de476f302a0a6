"""The strings of the `nn.Module` of an op (`torch.module`) for its template."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.ir.nodes import Attr, Tensor
from opgen.ir.op import Op
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Const
from opgen.targets import docstrings
from opgen.targets.layers import Layer
from opgen.targets.public_api import Parameter, types_in
from opgen.targets.python_format import call, define, docstring
from opgen.targets.torch import TORCH_NAMES
from opgen.targets.torch.public_api import parameters, returns

# The functions that fill a parameter. Any other value goes to `constant_`.
FILLS: dict[object, str] = {0: "zeros_", 1: "ones_"}
FACTORY = {"device": "torch.device | str | None", "dtype": "torch.dtype | None"}


@dataclass(frozen=True, slots=True)
class ModuleView:
    """One class. `construct`, `reset` and `extra_repr` are empty if it has no state.

    `support` are functions of the core's runtime, `used` names of other modules.
    """

    name: str
    docstring: str
    define: str
    construct: tuple[str, ...]
    reset: tuple[str, ...]
    forward: str
    call: str
    extra_repr: str
    support: tuple[str, ...]
    used: frozenset[str]


def module_name(op: Op) -> str | None:
    """Return the name of the op's module; None: it has none."""
    name = op.options["torch"]["module"]
    return None if name is None else str(name)


def module(op: Op) -> ModuleView | None:
    """Return the module of `op`. Inputs with `init` become its parameters."""
    name = module_name(op)
    return None if name is None else _Module(op, name).view()


class _Module:
    def __init__(self, op: Op, name: str) -> None:
        words = op.options["torch"]["names"] or {}
        self.op, self.name = op, name
        self.layer = Layer(op, {of: word for word, of in words.items()})

    def word(self, each: Tensor | Attr) -> str:
        return self.layer.word(each.name)

    def view(self) -> ModuleView:
        rest = [t.name for t in self.layer.inputs]
        inputs = [item for item in parameters(self.op) if item.name in rest]
        held = self.layer.held
        given = [f"self.{self.word(t)}" if t in held else t.name for t in self.op.inputs]
        given += [f"{attr.name}=self.{self.word(attr)}" for attr in self.op.options_given]
        return ModuleView(
            name=self.name,
            docstring=docstring(self.documentation()),
            define=define("__init__", self.parameters(), "None"),
            construct=self.construct(),
            reset=tuple(line for t in held for line in self.reset(t)),
            forward=define("forward", ["self", *inputs], returns(self.op)),
            call=call(f"return {self.op.name}", given),
            extra_repr=self.extra_repr(),
            support=self.layer.support,
            used=frozenset(types_in(p.kind for p in (*self.parameters(), *inputs))),
        )

    # -- the constructor ---------------------------------------------------------------

    def parameters(self) -> list[Parameter]:
        """Return sizes by position; attrs, optional parameters, device and dtype by keyword."""
        if not self.layer.held and not self.layer.attrs:
            return []
        kinds = dict.fromkeys(self.layer.groups, "int | Sequence[int]")
        word = self.layer.word
        sizes = (Parameter(word(name), kinds.get(name, "int")) for name in self.layer.sizes)
        options = {item.name: item for item in parameters(self.op)}
        items = [Parameter("self"), *sizes, Parameter("*")]
        asked = [options[attr.name] for attr in self.layer.attrs]
        items += [Parameter(word(item.name), item.kind, item.default) for item in asked]
        items += [Parameter(self.word(t), "bool", "True") for t in self.layer.optional]
        factory = FACTORY if self.layer.held else {}
        return [*items, *(Parameter(name, kind, "None") for name, kind in factory.items())]

    def construct(self) -> tuple[str, ...]:
        made = (line for tensor in self.layer.held for line in self.make(tensor))
        return (*self.layer.keep(), *made)

    def make(self, tensor: Tensor) -> list[str]:
        (dtype,) = tensor.dtype.values()
        made_in = f"torch.{TORCH_NAMES[dtype]}" if dtype in DTYPES else "dtype"
        items = [self.layer.shape(tensor), "device=device", f"dtype={made_in}"]
        word = self.word(tensor)
        made = call(f"self.{word} = nn.Parameter", [call("torch.empty", items)])
        if not tensor.optional:
            return [made]
        return [f"self.{word} = None", f"if {word}:", f"    {made}"]

    # -- methods -------------------------------------------------------------------------

    def reset(self, tensor: Tensor) -> list[str]:
        parameter, value = f"self.{self.word(tensor)}", tensor.init
        assert value is not None
        fill = FILLS.get(value.value) if isinstance(value, Const) else None
        arguments = [parameter] if fill else [parameter, self.layer.python(value)]
        function = fill or "constant_"
        if tensor.drawn:
            function = "normal_"
            std = [] if value == Const(1) else [f"std={self.layer.python(value)}"]
            arguments = [parameter, *std]
        lines = [call(f"nn.init.{function}", arguments), *self.zero(tensor)]
        if not tensor.optional:
            return lines
        return [f"if {parameter} is not None:", *(f"    {line}" for line in lines)]

    def zero(self, tensor: Tensor) -> list[str]:
        """Return the statement that zeroes a row, if one starts with zeros."""
        if tensor.zero is None:
            return []
        attr = next(a for a in self.op.attrs if a.name == tensor.zero)
        place = f"self.{self.word(attr)}"
        lines = ["with torch.no_grad():", f"    self.{self.word(tensor)}[{place}] = 0"]
        if not attr.optional:
            return lines
        return [f"if {place} is not None:", *(f"    {line}" for line in lines)]

    def extra_repr(self) -> str:
        """Return an f-string of the constructor's arguments, in parts that the
        formatter can break.
        """
        shown = [f"{{self.{self.layer.word(name)}}}" for name in self.layer.sizes]
        words = [self.word(attr) for attr in self.layer.attrs]
        shown += [f"{word}={{self.{word}}}" for word in words]
        words = [self.word(t) for t in self.layer.optional]
        shown += [f"{word}={{self.{word} is not None}}" for word in words]
        if not shown:
            return ""
        texts = [f'f"{text}, "' for text in shown[:-1]] + [f'f"{shown[-1]}"']
        return f"return ({' '.join(texts)})"

    def documentation(self) -> str:
        lines = [self.op.doc, ""]
        holds = " and ".join(f"`{self.word(t)}`" for t in self.layer.held)
        lines.append(f"`{self.op.name}` as a module{f', which holds {holds}' if holds else ''}.")
        written = {item.name: item for item in self.parameters()}
        sizes = map(self.layer.word, self.layer.sizes)
        about = [docstrings.option(written[word], ()) for word in sizes]
        about += [docstrings.option(written[self.word(a)], (a,)) for a in self.layer.attrs]
        words = [self.word(t) for t in self.layer.optional]
        about += [docstrings.option(written[w], (), f"Whether there is a `{w}`") for w in words]
        if about:
            lines += ["", "Args:", *about]
        return "\n".join(lines)
