"""The module of an op for Flax NNX."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from opgen.ir.nodes import Tensor
from opgen.language.expr import Const
from opgen.targets.jax.initializer_text import initializer
from opgen.targets.jax.library_module import LibraryModule, filler
from opgen.targets.public_api import Parameter
from opgen.targets.python_format import call, tuple_of, unpacked


class NnxModule(LibraryModule):
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
        """Return the default initializer of a parameter; "" if its value depends on sizes and
        attrs.
        """
        given: str | None = (self.op.options["jax"]["nnx_init"] or {}).get(tensor.name)
        if given is not None:
            return initializer(given)
        if tensor.drawn:
            return self.made_of(tensor) if isinstance(tensor.init, Const) else ""
        return f"nnx.initializers.{filler(tensor)}" if filler(tensor) else ""

    def made_of(self, tensor: Tensor) -> str:
        """Return the initializer for the `init` of a parameter."""
        assert tensor.init is not None
        kind = "normal" if tensor.drawn else "constant"
        return f"nnx.initializers.{kind}({self.layer.python(tensor.init)})"

    @property
    def promoted(self) -> list[str]:
        """Return the inputs and parameters that are promoted to one dtype."""
        return [
            self.word(t) if t in self.layer.held else t.name for t in self.op.inputs if self.free(t)
        ]

    def construct(self) -> Iterable[str]:
        yield from self.layer.keep(hashable=True)
        if self.layer.held and self.promoted:
            yield from (f"self.{name} = {name}" for name in ("dtype", "promote_dtype"))
        for tensor in self.layer.held:
            word = self.word(tensor)
            if not self.initializer(tensor):
                yield f"if {word}_init is None:"
                yield f"    {word}_init = {self.made_of(tensor)}"
            if tensor.optional:
                yield f"self.{word} = nnx.data(None)"
                yield f"if use_{word}:"
            shape, dtype = self.layer.shape(tensor), self.made_in(tensor, "param_dtype")
            given = ["rngs.params()", shape, dtype]
            start, lines = call(f"{word}_init", given), []
            if tensor.zero is not None:
                lines = [f"{word} = {start}", *self.zeroed(tensor, word)]
                start = word
            lines.append(call(f"self.{word} = nnx.Param", [start, f"**{word}_metadata"]))
            yield from (("    " if tensor.optional else "") + line for line in lines)

    def body(self) -> Iterable[str]:
        for tensor in self.layer.held:
            word = self.word(tensor)
            absent = f"None if self.{word} is None else " if tensor.optional else ""
            yield f"{word} = {absent}self.{word}[...]"
        if self.layer.held and self.promoted:
            given = [tuple_of(self.promoted), "dtype=self.dtype"]
            yield unpacked(self.promoted, call("self.promote_dtype", given))
        yield self.call("return ")

    def about(self, name: str) -> str:
        of, _, kind = name.rpartition("_")
        if kind == "metadata":
            return f"Further arguments of the `Param` of `{of}`"
        if kind == "init" and of:
            tensor = next(t for t in self.layer.held if self.word(t) == of)
            default = ""
            if not self.initializer(tensor) and tensor.init is not None:
                default = self.layer.python(tensor.init).replace("self.", "")
                default = f"normal({default})" if tensor.drawn else default
            by = f"; by default `{default}`" if default else ""
            return f"Initializer of `{of}`{by}"
        return super().about(name)

    def framework(self, code: str) -> Sequence[str]:
        found = ["from flax import nnx"]
        if "dtypes." in code:
            found += ["from flax.nnx.nn import dtypes", "from flax.typing import PromoteDtypeFn"]
        if "Initializer" in code:
            found.append("from jax.nn.initializers import Initializer")
        return found
