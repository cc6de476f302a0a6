"""The common parts of an op's modules for Flax NNX and Equinox."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from opgen.ir.nodes import Attr, Tensor
from opgen.ir.op import Op
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Const
from opgen.targets import docstrings, public_api
from opgen.targets.jax import JAX_NAMES
from opgen.targets.layers import Layer
from opgen.targets.public_api import Parameter
from opgen.targets.python_format import call, define, docstring, import_from

FILLS: dict[object, str] = {0: "zeros", 1: "ones"}
TITLES = {"nnx": "Flax NNX", "equinox": "Equinox"}


@dataclass(frozen=True, slots=True)
class ModuleView:
    """One `jax/nnx/_<op>.py` or `jax/equinox/_<op>.py`.

    `fields` are those of the class. `construct` is empty if the class has no state.
    """

    docstring: str
    imports: str
    name: str
    base: str
    class_doc: str
    fields: tuple[str, ...]
    define: str
    construct: tuple[str, ...]
    called: str
    body: tuple[str, ...]


def module_name(op: Op) -> str | None:
    """Return the name of the op's modules; None: it has none."""
    name = op.options["jax"]["module"]
    return None if name is None else str(name)


class LibraryModule:
    """The common parts of both libraries' modules."""

    library = ""
    base = ""

    def __init__(self, op: Op) -> None:
        words = op.options["jax"][self.library] or {}
        self.op, self.layer = op, Layer(op, {of: word for word, of in words.items()})
        self.items = {p.name: p for p in public_api.parameters(op, "ArrayLike")}
        taken = {t.name for t in self.layer.inputs} | {self.word(t) for t in self.layer.held}
        self.called = f"_{op.name}" if op.name in taken else op.name

    def word(self, each: Tensor | Attr) -> str:
        return self.layer.word(each.name)

    def view(self) -> ModuleView:
        rest = {t.name for t in self.layer.inputs}
        inputs = [item for name, item in self.items.items() if name in rest]
        found = public_api.results(self.op, "jax.Array")
        returned = found[0] if len(found) == 1 else f"tuple[{', '.join(found)}]"
        defined = define("__init__", self.parameters(), "None")
        called = define("__call__", ["self", *inputs, *self.more()], returned)
        construct, body = tuple(self.construct()), tuple(self.body())
        title = f"`{self.op.name}` as a module of {TITLES[self.library]}."
        fields = tuple(self.fields())
        return ModuleView(
            docstring=docstring(
                f"{title}\n\nRendered by opgen from {self.op.spec}: edit the spec, not this file."
            ),
            imports=self.imports("\n".join([defined, called, *fields, *construct, *body])),
            name=str(module_name(self.op)),
            base=self.base,
            class_doc=docstring(self.documentation()),
            fields=fields,
            define=defined,
            construct=construct,
            called=called,
            body=body,
        )

    # -- the constructor -----------------------------------------------------------------

    def parameters(self) -> list[Parameter]:
        """Return the parameters: sizes by position; attrs and options of parameters by keyword."""
        if not self.layer.held and not self.layer.attrs:
            return []
        return [Parameter("self"), *self.sizes(), Parameter("*"), *self.attrs(), *self.factory()]

    def sizes(self) -> list[Parameter]:
        kinds = dict.fromkeys(self.layer.groups, "int | Sequence[int]")
        return [Parameter(self.layer.word(n), kinds.get(n, "int")) for n in self.layer.sizes]

    def attrs(self) -> list[Parameter]:
        items = [self.items[attr.name] for attr in self.layer.attrs]
        return [Parameter(self.layer.word(i.name), i.kind, i.default) for i in items]

    def uses(self) -> list[Parameter]:
        return [Parameter(f"use_{self.word(t)}", "bool", "True") for t in self.layer.optional]

    def factory(self) -> Iterable[Parameter]:
        """Return the constructor's parameters that choose dtype and initializer kind."""
        raise NotImplementedError

    def construct(self) -> Iterable[str]:
        raise NotImplementedError

    def fields(self) -> Iterable[str]:
        return ()

    def made_in(self, tensor: Tensor, otherwise: str) -> str:
        """Return the dtype with which a parameter is created."""
        (dtype,) = tensor.dtype.values()
        return f"jnp.{JAX_NAMES[dtype]}" if dtype in DTYPES else otherwise

    def zeroed(self, tensor: Tensor, word: str) -> Iterable[str]:
        """Yield the statement that zeroes a row of the local `word`, if one starts with zeros."""
        attr = next((a for a in self.op.attrs if a.name == tensor.zero), None)
        if attr is not None:
            place = self.word(attr)
            line = f"{word} = {word}.at[{place}].set(0)"
            yield from [f"if {place} is not None:", f"    {line}"] if attr.optional else [line]

    # -- the call ------------------------------------------------------------------------

    def more(self) -> Sequence[str]:
        """Return the extra arguments of the module's call, next to the inputs of the op."""
        return ()

    def body(self) -> Iterable[str]:
        raise NotImplementedError

    def call(self, head: str) -> str:
        """Return the call of the op, with parameters as locals."""
        given = [
            self.layer.word(t.name) if t in self.layer.held else t.name for t in self.op.inputs
        ]
        given += [f"{a.name}=self.{self.word(a)}" for a in self.op.options_given]
        return call(f"{head}{self.called}", given)

    def free(self, tensor: Tensor) -> bool:
        """Return whether a call may choose the floating dtype of this input."""
        var = self.op.dtype_var(tensor.dtype.only) if tensor.dtype.plain else None
        floating = var is not None and var.free and all(DTYPES[c].floating for c in var.choices)
        return floating and tensor.list is None

    # -- documentation and imports -------------------------------------------------------

    def documentation(self) -> str:
        holds = " and ".join(f"`{self.word(t)}`" for t in self.layer.held)
        lines = [self.op.doc, ""]
        lines.append(f"`{self.op.name}` as a module{f', which holds {holds}' if holds else ''}.")
        about = [docstrings.option(item, ()) for item in self.sizes()]
        about += [docstrings.option(p, (a,)) for p, a in zip(self.attrs(), self.layer.attrs)]
        about += [docstrings.option(p, (), self.about(p.name)) for p in self.factory()]
        return "\n".join([*lines, *(["", "Args:", *about] if about else [])])

    def about(self, name: str) -> str:
        """Return the text about an argument that the library's own modules have, too."""
        kind, _, of = name.partition("_")
        return f"Whether there is a `{of}`" if kind == "use" else SAID.get(name, "")

    def imports(self, code: str) -> str:
        """Return the imports of the code, in isort's order."""
        abstract = [name for name in ("Mapping", "Sequence") if f"{name}[" in code]
        standard = [import_from("collections.abc", abstract)] if abstract else []
        standard += ["from types import MappingProxyType"] if "MappingProxyType" in code else []
        standard += ["from typing import Any"] if "Any]" in code else []
        typed = [name for name in ("ArrayLike", "DTypeLike") if name in code]
        framework = [*self.framework(code), "import jax"]
        framework += ["import jax.numpy as jnp"] if "jnp." in code else []
        framework += [import_from("jax.typing", typed)] if typed else []
        support = self.layer.support
        local = [import_from("..._opgen.core.runtime", support)] if support else []
        local += ["from ..._opgen import jax as _runtime"] if "_runtime." in code else []
        named = "" if self.called == self.op.name else f" as {self.called}"
        local.append(f"from .._{self.op.name} import {self.op.name}{named}")
        framework.sort(key=lambda line: (line.startswith("from"), line))
        return "\n\n".join("\n".join(group) for group in (standard, framework, local) if group)

    def framework(self, code: str) -> Sequence[str]:
        raise NotImplementedError


SAID = {
    "dtype": "Dtype of the computation; by default the promotion of inputs and parameters",
    "param_dtype": "Dtype of the parameters",
    "promote_dtype": "Function that brings inputs and parameters to one dtype",
    "rngs": "Source of the initializers' keys, one for each parameter",
}


def filler(tensor: Tensor) -> str:
    """Return the function that fills a parameter; "" if it starts with another value."""
    if tensor.drawn or not isinstance(tensor.init, Const):
        return ""
    return FILLS.get(tensor.init.value, "")
