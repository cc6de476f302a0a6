"""Models of tensors: inputs, outputs, residuals, workspace, and members of bundles."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from opgen.source.diagnostics import Path
from opgen.source.frozen import dataclass
from opgen.spec.cases import Cases, fixed
from opgen.spec.models.reading import cases, keys_of, reader
from opgen.spec.models.strings import (
    Condition,
    Expression,
    Line,
    Name,
    Prose,
    Reduction,
    Shape,
)
from opgen.spec.models.types import ByCase, Forms, Positive, key, keys_only
from opgen.spec.tables import TENSOR_TABLES

E = TypeVar("E")  # an expression: its text, or parsed
F = TypeVar("F")  # a shape: its text, or parsed


class Form(NamedTuple):
    """A shape that a tensor may have; `path` leads to it from the tensor."""

    path: Path
    text: str


def _forms(value: Any, path: Path) -> Cases[tuple[Form, ...]]:
    def forms(value: Any, path: Path) -> tuple[Form, ...]:
        if isinstance(value, list):
            return tuple(Form((*path[2:], n), text) for n, text in enumerate(value))
        return (Form(path[2:], value),)

    return cases(value, path, forms)


def _reduce(value: Any, path: Path) -> tuple[tuple[str, Cases[str]], ...]:
    by_dim = reader(dict[Name, Reduction | ByCase[Reduction]])(value, path)
    return tuple(by_dim.items()) if isinstance(by_dim, dict) else ()


@keys_only
class BundleKeys:
    """The keys of a tensor that is a bundle: a tensor for each member takes its place."""

    bundle: Any = key(
        Name,
        "The bundle that it is: a tensor for each member, `w_data` of the member `data`. What is "
        "written under such a name is laid over the member's keys.",
        "quantized",
        tables=("inputs", "outputs"),
    )
    members: Any = key(
        list[Name],
        "Of a bundle, the members that are there; the others are `None`. By default all.",
        ["scale"],
        tables=("inputs", "outputs"),
    )
    rename: Any = key(
        dict[Name, Name],
        "Of a bundle, what its members' dims are called here.",
        {"n": "k"},
        tables=("inputs", "outputs"),
    )


@dataclass(frozen=True)
class TensorKeys(Generic[E, F]):
    """One tensor, as it is written or resolved."""

    # The tensor's name and table.
    name: str
    table: str
    dtype: Cases[str] = key(
        Name | ByCase[Name],
        "A dtype, a variable of `[dtypes]`, or an attr of type `dtype`.",
        "T",
        "f32",
        default=Cases(),
    )
    forms: Cases[tuple[F, ...]] = key(
        Shape | Forms | ByCase[Shape | list[Shape]],
        "Its dims by name. A use of a bundle may give those of its members other names. An input "
        "may have a list of forms: the first whose rank fits is taken.",
        "*batch 2*d",
        ["hk*g", "b hk*g"],
        default=Cases(),
        name="shape",
        read=_forms,
    )
    doc: str = key(Prose, "What it holds.", "Rows to be summed.", default="")
    optional: bool = key(
        bool,
        "Whether the caller may leave an input out, or a bundle may lack the member; a residual or "
        "a backward's output is made only where it is asked for then. `false` by default.",
        True,
        default=False,
        tables=("inputs", "outputs", "residuals", "bundles"),
    )
    when: E | None = key(
        Condition,
        "The condition under which it is there. By default it always is.",
        "amsgrad",
        tables=TENSOR_TABLES,
    )
    updates: Cases[bool] = key(
        bool | ByCase[bool],
        "Whether it is read and written in place, and so a result too. `false` by default.",
        True,
        default=fixed(False),
        name="update",
        tables=("inputs",),
    )
    init: E | None = key(
        Expression,
        "The value of each element before the kernel runs; by default the memory holds anything.",
        "0",
        tables=("outputs", "workspace"),
    )
    list: str | None = key(
        Name,
        "It is a list of tensors, whose length this name binds, or an attr or a derived dim of "
        "this name gives. By default it is one tensor.",
        "n",
        tables=("inputs", "outputs"),
    )
    layout: Cases[str] = key(
        Line | ByCase[Line],
        "Its order in memory: `contiguous` (the default), dim names from slowest to fastest (of an "
        "input, after `...` the fastest alone, or none: the others have any strides), `dense` (any "
        "order, without gaps), or `like x`: for an output the order of an input, for an input that "
        "of an earlier `dense` one.",
        "... d",
        "h t",
        default=fixed("contiguous"),
        tables=("inputs", "outputs", "residuals"),
    )
    align: int | None = key(
        Positive,
        "The alignment of its data in bytes. By default that of an element.",
        16,
        tables=TENSOR_TABLES,
    )
    values: Cases[E] = key(
        Expression | ByCase[Expression],
        "A condition on each element of an integer input, or `offsets(n)`: from 0 to n along the "
        "last dim, never falling. It is checked with `OPGEN_CHECK_VALUES=1` only. By default "
        "anything goes.",
        "0 <= block_table < nb",
        "offsets(tq)",
        default=Cases(),
        tables=("inputs",),
    )
    differentiable: bool = key(
        bool,
        "`false`: to differentiate with respect to an input is an error; an output is a constant. "
        "`true` by default for floating dtypes.",
        False,
        default=True,
        tables=("inputs", "outputs", "bundles"),
    )
    reduce: tuple[tuple[str, Cases[str]], ...] = key(
        dict[Name, Reduction | ByCase[Reduction]],
        "By name of a dim that may be split, how the shards of what lacks it become one: `sum`, "
        "`max`, `min`; `mean` of equal shards; `mean(count)`: weighted by another result, which "
        "is summed; `same`: each computes the same; `local`: each keeps its own (residuals).",
        {"batch": "sum"},
        {"batch": {"reduction == 'mean'": "mean(count)", "else": "sum"}},
        default=(),
        read=_reduce,
        tables=("inputs", "outputs", "residuals"),
    )
    begin: str | None = key(
        Name,
        "The dim of another input or of an output, of which an `i64` scalar input says at which "
        "index it begins: where that dim is split, each device has its own.",
        "k",
        tables=TENSOR_TABLES,
    )
    device: Literal["cpu"] | None = key(
        Literal["cpu"],
        "`cpu`: the host reads this input, which lives on the CPU whatever device the others are "
        "on. By default it lives on theirs.",
        "cpu",
        tables=TENSOR_TABLES,
    )
    seed: bool = key(
        bool,
        "Whether an `i64` scalar input is a seed: PyTorch draws one where the caller leaves it "
        "out, or from the `torch.Generator` in its place; JAX takes a key of `jax.random` for it. "
        "`false` by default.",
        True,
        default=False,
        tables=TENSOR_TABLES,
    )
    length: str | None = key(
        Name,
        "The integer scalar output that holds the true length of the leading dim, which is an upper bound then.",
        "count",
        tables=("outputs",),
    )

    @property
    def cases(self) -> Iterator[tuple[Path, Cases[Any]]]:
        """Yield all values that may have cases, with the keys that lead to each."""
        for name, held in _by_case():
            yield (name,), getattr(self, held)
        yield from ((("reduce", dim), how) for dim, how in self.reduce)

    @property
    def dense_rows(self) -> bool:
        """Return whether the tensor is row-major in every call, with adjacent rows."""
        return {*self.layout.values()} == {"contiguous"}

    @property
    def always(self) -> bool:
        """Return whether every call has the tensor. An empty list counts as present."""
        return not self.optional and self.when is None

    @property
    def absentable(self) -> bool:
        """Return whether some call lacks the tensor. An empty list counts as absent."""
        return not self.always or self.list is not None


class TensorSpec(TensorKeys[str, Form]):
    """One tensor: an input, an output, a residual, workspace, or a member of a bundle."""

    @property
    def texts(self) -> tuple[Form, ...]:
        """Return the shapes of all cases, as written."""
        return tuple(form for forms in self.forms.values() for form in forms)

    @property
    def one_shape(self) -> str | None:
        """Return the tensor's shape if it is one string."""
        forms = self.forms.alone or ()
        return forms[0].text if forms and forms[0].path == ("shape",) else None

    @property
    def scalar_index(self) -> bool:
        """Return whether the tensor is an `i64` scalar that every call has and none updates."""
        return self.scalar and not self.absentable

    @property
    def scalar(self) -> bool:
        """Return whether it is an `i64` scalar that no call updates or leaves to the caller."""
        plain = (self.dtype.alone, self.one_shape) == ("i64", "")
        return plain and not (self.optional or self.list or self.updated)

    @property
    def path(self) -> tuple[str, str]:
        return self.table, self.name

    @property
    def updated(self) -> bool:
        """Return whether some call writes the tensor in place."""
        return self.updates.by_table or self.updates.only

    @property
    def always_updated(self) -> bool:
        return self.updates.alone is True


@cache
def _by_case() -> tuple[tuple[str, str], ...]:
    """Return the keys of a tensor whose values may have cases, with their fields."""
    empty = TensorSpec("", "")
    keys = ((name, held) for name, (held, _) in keys_of(TensorKeys).items())
    return tuple(key for key in keys if isinstance(getattr(empty, key[1]), Cases))


# The keys of a tensor that only some tables have.
TABLES_OF = {
    name: key.tables
    for model in (BundleKeys, TensorKeys)
    for name, (_, key) in keys_of(model).items()
    if key.tables
}
