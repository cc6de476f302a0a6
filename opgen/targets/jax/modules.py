"""The modules of an op for Flax NNX and for Equinox (`jax.module`): what their templates place.

Each is written as the library writes its own: what the constructor is given, in which dtype it
computes, what it keeps. docs/jax.md says which is which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from opgen.ir.nodes import Attr, Tensor
from opgen.ir.op import Op
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Const
from opgen.targets import docstrings, public_api
from opgen.targets.jax import JAX_NAMES
from opgen.targets.layers import Layer
from opgen.targets.public_api import Parameter
from opgen.targets.python_format import WIDTH, Node, call, define, docstring, import_from

FILLS: dict[object, str] = {0: "zeros", 1: "ones"}
TITLES = {"nnx": "Flax NNX", "equinox": "Equinox"}


@dataclass(frozen=True, slots=True)
class ModuleView:
    """One `jax/nnx/_<op>.py` or `jax/equinox/_<op>.py`.

    `fields` are those of the class, `construct` is empty where it has nothing to hold.
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
    """The name of the op's modules; None: it has none."""
    name = op.options["jax"]["module"]
    return None if name is None else str(name)


class _Module:
    """What the modules of both libraries have in common."""

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
        defined = define("def __init__(", list(map(_fitted, self.parameters())), ") -> None:", 4)
        called = define("def __call__(", ["self", *inputs, *self.more()], f") -> {returned}:", 4)
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
            class_doc=docstring(self.documentation(), 4),
            fields=fields,
            define=defined,
            construct=construct,
            called=called,
            body=body,
        )

    # -- the constructor -----------------------------------------------------------------

    def parameters(self) -> list[Parameter]:
        """Sizes by position; attrs, and what is said of parameters, by keyword."""
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
        """What says of which kind the parameters are."""
        raise NotImplementedError

    def construct(self) -> Iterable[str]:
        raise NotImplementedError

    def fields(self) -> Iterable[str]:
        return ()

    def made_in(self, tensor: Tensor, otherwise: str) -> str:
        """The dtype that a parameter is made in."""
        (dtype,) = tensor.dtype.values()
        return f"jnp.{JAX_NAMES[dtype]}" if dtype in DTYPES else otherwise

    def zeroed(self, tensor: Tensor, word: str) -> Iterable[str]:
        """What gives zeros, in the local `word`, to the row that starts with them."""
        attr = next((a for a in self.op.attrs if a.name == tensor.zero), None)
        if attr is not None:
            place = self.word(attr)
            line = f"{word} = {word}.at[{place}].set(0)"
            yield from [f"if {place} is not None:", f"    {line}"] if attr.optional else [line]

    # -- the call ------------------------------------------------------------------------

    def more(self) -> Sequence[str]:
        """What its call takes beside the inputs of the op."""
        return ()

    def body(self) -> Iterable[str]:
        raise NotImplementedError

    def call(self, head: str, tail: str = ")") -> str:
        """The call of the op, where parameters are locals."""
        given = [
            self.layer.word(t.name) if t in self.layer.held else t.name for t in self.op.inputs
        ]
        given += [f"{a.name}=self.{self.word(a)}" for a in self.op.options_given]
        return call(f"{head}{self.called}(", given, tail, 8)

    def free(self, tensor: Tensor) -> bool:
        """Whether a call is free to choose the floating dtype of this input."""
        var = self.op.dtype_var(tensor.dtype.only) if tensor.dtype.plain else None
        floating = var is not None and var.free and all(DTYPES[c].floating for c in var.choices)
        return floating and tensor.list is None

    # -- what is said and imported -------------------------------------------------------

    def documentation(self) -> str:
        holds = " and ".join(f"`{self.word(t)}`" for t in self.layer.held)
        lines = [self.op.doc, ""]
        lines.append(f"`{self.op.name}` as a module{f', which holds {holds}' if holds else ''}.")
        about = [docstrings.option(item, ()) for item in self.sizes()]
        about += [docstrings.option(p, (a,)) for p, a in zip(self.attrs(), self.layer.attrs)]
        about += [docstrings.option(p, (), self.about(p.name)) for p in self.factory()]
        return "\n".join([*lines, *(["", "Args:", *about] if about else [])])

    def about(self, name: str) -> str:
        """What is said of an argument that the library's own modules have, too."""
        kind, _, of = name.partition("_")
        return f"Whether there is a `{of}`" if kind == "use" else SAID.get(name, "")

    def imports(self, code: str) -> str:
        """The modules that the code names, in isort's order."""
        abstract = [name for name in ("Mapping", "Sequence") if f"{name}[" in code]
        standard = [import_from("collections.abc", abstract)] if abstract else []
        standard += ["from types import MappingProxyType"] if "MappingProxyType" in code else []
        standard += ["from typing import Any"] if "Any]" in code else []
        typed = [name for name in ("ArrayLike", "DTypeLike") if name in code]
        framework = [*self.framework(code), "import jax"]
        framework += ["import jax.numpy as jnp"] if "jnp." in code else []
        framework += [import_from("jax.typing", typed)] if typed else []
        support = self.layer.support
        local = [import_from("...core._runtime", support)] if support else []
        local += ["from .. import _runtime"] if "_runtime." in code else []
        named = "" if self.called == self.op.name else f" as {self.called}"
        local.append(f"from .._{self.op.name} import {self.op.name}{named}")
        framework.sort(key=lambda line: (line.startswith("from"), line))
        return "\n\n".join("\n".join(group) for group in (standard, framework, local) if group)

    def framework(self, code: str) -> Sequence[str]:
        raise NotImplementedError


SAID = {
    "dtype": "Of what is computed; by default that which inputs and parameters promote to",
    "param_dtype": "Of the parameters",
    "promote_dtype": "Brings inputs and parameters to one dtype",
    "rngs": "Where initializers take their keys from, one for each parameter",
}


class _Nnx(_Module):
    library = "nnx"
    base = "nnx.Module"

    def factory(self) -> Iterable[Parameter]:
        if not self.layer.held:
            return
        if self.promoted:
            yield Parameter("dtype", "DTypeLike | None", "None")
        yield Parameter("param_dtype", "DTypeLike", "jnp.float32")
        yield from self.uses()
        for tensor in self.layer.held:
            kind, default = "Initializer", self.initializer(tensor)
            if not default:
                kind, default = "Initializer | None", "None"
            yield Parameter(f"{self.word(tensor)}_init", kind, default)
        if self.promoted:
            yield Parameter("promote_dtype", "PromoteDtypeFn", "dtypes.promote_dtype")
        yield Parameter("rngs", "nnx.Rngs")
        for tensor in self.layer.held:
            yield Parameter(
                f"{self.word(tensor)}_metadata", "Mapping[str, Any]", "MappingProxyType({})"
            )

    def initializer(self, tensor: Tensor) -> str:
        """The default initializer of a parameter; nothing where it is made of sizes and attrs."""
        given: str | None = (self.op.options["jax"]["nnx_init"] or {}).get(tensor.name)
        if given is not None:
            return given
        if tensor.drawn:
            return self.made_of(tensor) if isinstance(tensor.init, Const) else ""
        return f"nnx.initializers.{_fill(tensor)}" if _fill(tensor) else ""

    def made_of(self, tensor: Tensor) -> str:
        """The initializer that the `init` of a parameter gives."""
        assert tensor.init is not None
        kind = "normal" if tensor.drawn else "constant"
        return f"nnx.initializers.{kind}({self.layer.python(tensor.init)})"

    @property
    def promoted(self) -> list[str]:
        """The inputs and parameters that are brought to one dtype."""
        return [
            self.word(t) if t in self.layer.held else t.name for t in self.op.inputs if self.free(t)
        ]

    def construct(self) -> Iterable[str]:
        yield from self.layer.keep(hashable=True)
        if self.layer.held and self.promoted:
            yield from (f"self.{name} = {name}" for name in ("dtype", "promote_dtype"))
        for tensor in self.layer.held:
            word, indent = self.word(tensor), 8
            if not self.initializer(tensor):
                yield f"if {word}_init is None:"
                yield f"    {word}_init = {self.made_of(tensor)}"
            if tensor.optional:
                yield f"self.{word} = nnx.data(None)"
                yield f"if use_{word}:"
                indent = 12
            shape, dtype = self.layer.shape(tensor), self.made_in(tensor, "param_dtype")
            given = ["rngs.params()", shape, dtype]
            start: str | Node = Node(f"{word}_init(", given)
            lines = []
            if tensor.zero is not None:
                lines = [call(f"{word} = {word}_init(", given, ")", indent)]
                lines += self.zeroed(tensor, word)
                start = word
            lines.append(
                Node(f"self.{word} = nnx.Param(", [start, f"**{word}_metadata"]).text(indent)
            )
            yield from (("    " if tensor.optional else "") + line for line in lines)

    def body(self) -> Iterable[str]:
        for tensor in self.layer.held:
            word = self.word(tensor)
            absent = f"None if self.{word} is None else " if tensor.optional else ""
            yield f"{word} = {absent}self.{word}[...]"
        if self.layer.held and self.promoted:
            names = ", ".join(self.promoted) + ("," if len(self.promoted) == 1 else "")
            head = f"({names})" if len(self.promoted) == 1 else names
            yield call(f"{head} = self.promote_dtype(", [f"({names})", "dtype=self.dtype"], ")", 8)
        yield self.call("return ")

    def about(self, name: str) -> str:
        of, _, kind = name.rpartition("_")
        if kind == "metadata":
            return f"What else the `Param` of `{of}` is given"
        if kind == "init" and of:
            tensor = next(t for t in self.layer.held if self.word(t) == of)
            default = ""
            if not self.initializer(tensor) and tensor.init is not None:
                default = self.layer.python(tensor.init).replace("self.", "")
                default = f"normal({default})" if tensor.drawn else default
            by = f"; by default `{default}`" if default else ""
            return f"What `{of}` starts with{by}"
        return super().about(name)

    def framework(self, code: str) -> Sequence[str]:
        found = ["from flax import nnx"]
        if "dtypes." in code:
            found += ["from flax.nnx.nn import dtypes", "from flax.typing import PromoteDtypeFn"]
        if "Initializer" in code:
            found.append("from jax.nn.initializers import Initializer")
        return found


class _Equinox(_Module):
    library = "equinox"
    base = "eqx.Module"

    def factory(self) -> Iterable[Parameter]:
        yield from self.uses()
        if self.layer.held:
            yield Parameter("dtype", "DTypeLike | None", "None")
        if self.drawn:
            yield Parameter("key", "jax.Array")

    @property
    def drawn(self) -> list[Tensor]:
        """The parameters whose first values are drawn."""
        return [t for t in self.layer.held if t.drawn]

    def about(self, name: str) -> str:
        if name == "key":
            return "Of the first values that are drawn"
        if name == "dtype":
            return "Of the parameters, by default JAX's default float"
        return super().about(name)

    def fields(self) -> Iterable[str]:
        kinds = dict.fromkeys(self.layer.groups, "tuple[int, ...]")
        static = [(self.layer.word(n), kinds.get(n, "int")) for n in self.layer.sizes]
        static += [(p.name, _kept(p.kind)) for p in self.attrs()]
        static += [(p.name, p.kind) for p in self.uses()]
        yield from (f"{name}: {kind} = eqx.field(static=True)" for name, kind in static)
        for tensor in self.layer.held:
            yield f"{self.word(tensor)}: jax.Array{' | None' if tensor.optional else ''}"

    def construct(self) -> Iterable[str]:
        yield from self.layer.keep(hashable=True)
        yield from (f"self.{p.name} = {p.name}" for p in self.uses())
        if len(self.drawn) > 1:
            yield f"keys = jax.random.split(key, {len(self.drawn)})"
        for tensor in self.layer.held:
            word, indent = self.word(tensor), 12 if tensor.optional else 8
            if tensor.optional:
                yield f"self.{word} = None"
                yield f"if use_{word}:"
            lines = [self.made(tensor, f"self.{word} = ", indent)]
            if tensor.zero is not None:
                lines = [self.made(tensor, f"{word} = ", indent), *self.zeroed(tensor, word)]
                lines.append(f"self.{word} = {word}")
            yield from (("    " if tensor.optional else "") + line for line in lines)

    def made(self, tensor: Tensor, head: str, indent: int) -> str:
        """The statement that makes a parameter."""
        assert tensor.init is not None
        fill, shape = _fill(tensor), self.layer.shape(tensor)
        if fill:
            return call(f"{head}jnp.{fill}(", [shape, self.made_in(tensor, "dtype")], ")", indent)
        value = self.layer.python(tensor.init)
        kind = self.made_in(tensor, "float if dtype is None else dtype")
        if not tensor.drawn:
            return call(f"{head}jnp.full(", [shape, value, kind], ")", indent)
        many = len(self.drawn) > 1
        key = f"keys[{self.drawn.index(tensor)}]" if many else "key"
        scale = "" if tensor.init == Const(1) else f"{value} * "
        return call(f"{head}{scale}jax.random.normal(", [key, shape, kind], ")", indent)

    def more(self) -> Sequence[str]:
        """`eqx.nn.Sequential` gives each layer a key."""
        return [] if "key" in self.items else ["*", "key: jax.Array | None = None"]

    @property
    def like(self) -> Tensor | None:
        """The input whose dtype the results have."""
        return next((t for t in self.layer.inputs if t.always and self.free(t)), None)

    def body(self) -> Iterable[str]:
        like, held = self.like, self.layer.held
        widened = [t for t in held if like and self.free(t)]
        for tensor in held:
            if tensor not in widened:
                yield f"{self.word(tensor)} = self.{self.word(tensor)}"
        if like is None:
            yield self.call("return ")
            return
        if widened:
            words = [self.word(t) for t in widened]
            head = f"({words[0]},)" if len(words) == 1 else ", ".join(words)
            given = [like.name, *(f"self.{word}" for word in words)]
            yield call(f"{head} = _runtime.widened(", given, ")", 8)
        results, cast = self.op.results, f".astype(jnp.result_type({like.name}))"
        others = {t.dtype.only for t in widened} - {like.dtype.only}
        narrowed = [t for t in results if t.dtype.plain and t.dtype.only in others and t.always]
        if not narrowed or len(results) == 1:
            yield self.call("return ", f"){cast if narrowed else ''}")
            return
        names = [t.name for t in results]
        yield self.call(f"{', '.join(names)} = ")
        items = [f"{t.name}{cast if t in narrowed else ''}" for t in results]
        yield f"return {', '.join(items)}"

    def framework(self, code: str) -> Sequence[str]:
        return ["import equinox as eqx"]


def _fitted(parameter: Parameter) -> str:
    """A parameter in a line of a constructor; a call that is its default in several, if it is long."""
    head, opening, rest = f"{parameter}".partition("(")
    if not opening or len(parameter) + len(",") + 8 <= WIDTH:
        return parameter
    return f"{head}(\n{' ' * 12}{rest.removesuffix(')')}\n{' ' * 8})"


def _fill(tensor: Tensor) -> str:
    """The function that fills a parameter; nothing where it starts with another value."""
    if tensor.drawn or not isinstance(tensor.init, Const):
        return ""
    return FILLS.get(tensor.init.value, "")


def _kept(kind: str) -> str:
    """The type of an attr that a module keeps: lists as tuples."""
    base, bracket, rest = kind.partition("Sequence[")
    return f"tuple[{rest.replace(']', ', ...]')}" if bracket else base


LIBRARIES: dict[str, Callable[[Op], _Module]] = {"nnx": _Nnx, "equinox": _Equinox}


def module(op: Op, library: str) -> ModuleView:
    """The module of `op`: the inputs that say `init` are its parameters."""
    return LIBRARIES[library](op).view()
