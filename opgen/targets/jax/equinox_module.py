"""The module of an op for Equinox."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from opgen.ir.nodes import Tensor
from opgen.language.expr import Const
from opgen.targets.jax.library_module import LibraryModule, filler
from opgen.targets.public_api import Parameter
from opgen.targets.python_format import call, unpacked


class EquinoxModule(LibraryModule):
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
        """Return the parameters whose initial values are random."""
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
            word = self.word(tensor)
            if tensor.optional:
                yield f"self.{word} = None"
                yield f"if use_{word}:"
            lines = [self.made(tensor, f"self.{word} = ")]
            if tensor.zero is not None:
                lines = [self.made(tensor, f"{word} = "), *self.zeroed(tensor, word)]
                lines.append(f"self.{word} = {word}")
            yield from (("    " if tensor.optional else "") + line for line in lines)

    def made(self, tensor: Tensor, head: str) -> str:
        """Return the statement that creates a parameter."""
        assert tensor.init is not None
        fill, shape = filler(tensor), self.layer.shape(tensor)
        if fill:
            return call(f"{head}jnp.{fill}", [shape, self.made_in(tensor, "dtype")])
        value = self.layer.python(tensor.init)
        kind = self.made_in(tensor, "float if dtype is None else dtype")
        if not tensor.drawn:
            return call(f"{head}jnp.full", [shape, value, kind])
        many = len(self.drawn) > 1
        key = f"keys[{self.drawn.index(tensor)}]" if many else "key"
        scale = "" if tensor.init == Const(1) else f"{value} * "
        return call(f"{head}{scale}jax.random.normal", [key, shape, kind])

    def more(self) -> Sequence[str]:
        """Return the parameter for the key that `eqx.nn.Sequential` gives each layer."""
        return [] if "key" in self.items else ["*", "key: jax.Array | None = None"]

    @property
    def like(self) -> Tensor | None:
        """Return the input whose dtype the results have."""
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
            given = [like.name, *(f"self.{word}" for word in words)]
            yield unpacked(words, call("_runtime.widened", given))
        results, cast = self.op.results, f".astype(jnp.result_type({like.name}))"
        others = {t.dtype.only for t in widened} - {like.dtype.only}
        narrowed = [t for t in results if t.dtype.plain and t.dtype.only in others and t.always]
        if not narrowed or len(results) == 1:
            yield self.call("return ") + (cast if narrowed else "")
            return
        names = [t.name for t in results]
        yield self.call(f"{', '.join(names)} = ")
        items = [f"{t.name}{cast if t in narrowed else ''}" for t in results]
        yield f"return {', '.join(items)}"

    def framework(self, code: str) -> Sequence[str]:
        return ["import equinox as eqx"]


def _kept(kind: str) -> str:
    """Return the type of an attr that a module stores: lists as tuples."""
    base, bracket, rest = kind.partition("Sequence[")
    return f"tuple[{rest.replace(']', ', ...]')}" if bracket else base
