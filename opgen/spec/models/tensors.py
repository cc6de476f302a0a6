"""Models of tensors: inputs, outputs, residuals, workspace, and members of bundles."""

from __future__ import annotations

from functools import cache
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from opgen.source.cached import cached_property
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
    """The text of a shape that a tensor may have. `path` leads to it from the tensor."""

    path: Path
    text: str


def _forms(value: Any, path: Path) -> Cases[tuple[Form, ...]]:
    def forms(value: Any, path: Path) -> tuple[Form, ...]:
        if isinstance(value, list):
            return tuple(Form((*path[2:], n), text) for n, text in enumerate(value))
        return (Form(path[2:], value),)

    return cases(value, path, forms)


_REDUCTIONS = reader(dict[Name, Reduction | ByCase[Reduction]])


def _reduce(value: Any, path: Path) -> tuple[tuple[str, Cases[str]], ...]:
    by_dim = _REDUCTIONS(value, path)
    return tuple(by_dim.items()) if isinstance(by_dim, dict) else ()


@keys_only
class BundleKeys:
    """The keys of an input or output that is a bundle: opgen replaces it by one tensor per member."""

    bundle: Any = key(
        Name,
        "The bundle. It becomes one tensor for each member, such as `w_data` for the "
        "member `data`. Keys under this name override the member's keys.",
        "quantized",
        tables=("inputs", "outputs"),
    )
    members: Any = key(
        list[Name],
        "The members of the bundle that this use has. The others are `None`. By default " "all.",
        ["scale"],
        tables=("inputs", "outputs"),
    )
    rename: Any = key(
        dict[Name, Name],
        "New names for dims of the bundle's members.",
        {"n": "k"},
        tables=("inputs", "outputs"),
    )


@dataclass(frozen=True)
class TensorKeys(Generic[E, F]):
    """The keys of a tensor, which are the same in the spec (`TensorSpec`) and in the IR."""

    # The name of the tensor, and of its table, such as `inputs`.
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
        "The dims, by name. An input may have a list of shapes, called forms. opgen takes "
        "the first form whose rank fits. A use of a bundle renames dims with `rename`.",
        "*batch 2*d",
        ["hk*g", "b hk*g"],
        default=Cases(),
        name="shape",
        read=_forms,
    )
    doc: str = key(Prose, "A description of the tensor.", "Rows to be summed.", default="")
    optional: bool = key(
        bool,
        "If `true`, callers may omit this input, or a bundle may lack this member. A "
        "residual, or an output of a backward, is then computed only on request. `false` "
        "by default.",
        True,
        default=False,
        tables=("inputs", "outputs", "residuals", "bundles"),
    )
    when: E | None = key(
        Condition,
        "A condition: the tensor is present if and only if it holds. By default the "
        "tensor is always present.",
        "amsgrad",
        tables=TENSOR_TABLES,
    )
    updates: Cases[bool] = key(
        bool | ByCase[bool],
        "If `true`, the op reads and writes this input in place. The input is then also a "
        "result. `false` by default.",
        True,
        default=fixed(False),
        name="update",
        tables=("inputs",),
    )
    init: E | None = key(
        Expression,
        "The value of each element before the kernel runs. By default the memory is "
        "uninitialized.",
        "0",
        tables=("outputs", "workspace"),
    )
    list: str | None = key(
        Name,
        "The length of a list of tensors. The name may be new, or an attr or a derived "
        "dim. By default there is one tensor.",
        "n",
        tables=("inputs", "outputs"),
    )
    layout: Cases[str] = key(
        Line | ByCase[Line],
        "The order in memory. `contiguous` (the default) is row-major. Dim names go from "
        "slowest to fastest. `... d`, for an input, fixes only the fastest dims, and "
        "`...` none; the others have any strides. `dense` is any order without gaps. "
        "`like x` is the order of the input `x`. For an input, `x` must be an earlier "
        "`dense` input.",
        "... d",
        "h t",
        default=fixed("contiguous"),
        tables=("inputs", "outputs", "residuals"),
    )
    align: int | None = key(
        Positive,
        "The alignment of the data in bytes. By default that of an element.",
        16,
        tables=TENSOR_TABLES,
    )
    values: Cases[E] = key(
        Expression | ByCase[Expression],
        "A condition on each element of an input of integers or real "
        "numbers. Along the last dim, `offsets(n)`: integers "
        "from 0 to n that never decrease; `ascending(x)`: elements that never decrease; "
        "`distinct(x)`: elements that all differ. opgen checks calls only with "
        "`OPGEN_CHECK_VALUES=1`. By default all values are allowed.",
        "0 <= block_table < nb",
        "offsets(tq)",
        default=Cases(),
        tables=("inputs",),
    )
    differentiable: bool = key(
        bool,
        "If `false`, asking for the gradient of an input raises an error, and an output "
        "counts as a constant. `true` by default for floating dtypes.",
        False,
        default=True,
        tables=("inputs", "outputs", "bundles"),
    )
    reduce: tuple[tuple[str, Cases[str]], ...] = key(
        dict[Name, Reduction | ByCase[Reduction]],
        "How to combine the shards' results, for each split dim that the tensor lacks. "
        "`sum`, `max` and `min` combine by this operation. `mean` needs equal shards. "
        "`mean(count)` is a mean weighted by another result. `sum_exp(top)` is a sum in which a "
        "shard has the weight `exp(its top - the largest top)`. `same`: every shard computes "
        "the same value. `local`: each shard keeps a separate value (residuals only).",
        {"batch": "sum"},
        {"batch": {"reduction == 'mean'": "mean(count)", "else": "sum"}},
        {"v": "sum_exp(top)"},
        default=(),
        read=_reduce,
        tables=("inputs", "outputs", "residuals"),
    )
    begin: str | None = key(
        Name,
        "For an `i64` scalar input: the dim whose start index it holds. If the dim is "
        "split, each device gets the start of its shard.",
        "k",
        tables=TENSOR_TABLES,
    )
    device: Literal["cpu"] | None = key(
        Literal["cpu"],
        "`cpu`: the input stays in host memory, because the host reads it. By default it "
        "is on the device of the other inputs.",
        "cpu",
        tables=TENSOR_TABLES,
    )
    seed: bool = key(
        bool,
        "If `true`, this `i64` scalar input is a seed. If the caller does not pass it, "
        "PyTorch draws one, also from a `torch.Generator` in its place. JAX takes a key "
        "of `jax.random`. `false` by default.",
        True,
        default=False,
        tables=TENSOR_TABLES,
    )
    length: str | None = key(
        Name,
        "The integer scalar output that holds the true length of the leading dim. The dim "
        "itself is then an upper bound.",
        "count",
        tables=("outputs",),
    )

    @cached_property
    def cases(self) -> dict[Path, Cases[Any]]:
        """Return each table of cases of the tensor, by its path in the tensor's table."""
        found: dict[Path, Cases[Any]] = {
            (name,): cases for name, held in _by_case() if (cases := getattr(self, held)).by_table
        }
        return found | {("reduce", dim): how for dim, how in self.reduce if how.by_table}

    @property
    def dense_rows(self) -> bool:
        """Return whether the layout of the tensor is `contiguous` in every call."""
        return {*self.layout.values()} == {"contiguous"}

    @property
    def always(self) -> bool:
        """Return whether every call has the tensor. An empty list counts as present."""
        return not self.optional and self.when is None

    @property
    def absentable(self) -> bool:
        """Return whether some calls lack the tensor. Unlike in `always`, [] counts as absent."""
        return not self.always or self.list is not None


class TensorSpec(TensorKeys[str, Form]):
    """One tensor: an input, an output, a residual, workspace, or a member of a bundle."""

    @cached_property
    def texts(self) -> tuple[Form, ...]:
        """Return all shapes of the tensor, as written in the spec: for each case and each rank."""
        return tuple([form for forms in self.forms.values() for form in forms])

    @property
    def one_shape(self) -> str | None:
        """Return the text of `shape` if the spec writes one string; otherwise None."""
        forms = self.forms.alone or ()
        return forms[0].text if forms and forms[0].path == ("shape",) else None

    @property
    def scalar_index(self) -> bool:
        """Return whether the tensor is an `i64` scalar that is always present and never updated."""
        return self.scalar and not self.absentable

    @property
    def scalar(self) -> bool:
        """Return whether the tensor is one `i64` scalar, and neither updated nor `optional`."""
        plain = (self.dtype.alone, self.one_shape) == ("i64", "")
        return plain and not (self.optional or self.list or self.updated)

    @cached_property
    def path(self) -> tuple[str, str]:
        return self.table, self.name

    @property
    def updated(self) -> bool:
        """Return whether some calls write the tensor in place."""
        return self.updates.by_table or self.updates.only

    @property
    def always_updated(self) -> bool:
        return self.updates.alone is True


@cache
def _by_case() -> tuple[tuple[str, str], ...]:
    """Return the keys of a tensor whose values may have cases, each with its field name."""
    keys = ((name, held) for name, (held, _) in keys_of(TensorKeys).items())
    return tuple(key for key in keys if isinstance(getattr(PLAIN, key[1]), Cases))


# A tensor without keys.
PLAIN = TensorSpec("", "")
# The keys that are expressions over sizes and attrs.
EXPRESSIONS = tuple(held for held, key in keys_of(TensorKeys).values() if key.type is Expression)
# The keys that describe the memory of a result, next to `layout`. They are members of `TensorSpec`
# in C++, in this order. Those that are expressions are also members of `TensorSpec` in Python, and
# fields of the default descriptor.
MEMORY = ("align",)
MEASURES = tuple(name for name in MEMORY if name in EXPRESSIONS)
# The texts about keys in the tables about an op, with `{}` for the value.
NOTES = {
    "device": "on the {}, because the host reads it",
    "seed": "a seed: PyTorch draws it by default, and JAX takes a key instead",
    "differentiable": "not differentiable",
}

# The keys that only some tables of tensors may use, each with the names of these tables.
TABLES_OF = {
    name: key.tables
    for model in (BundleKeys, TensorKeys)
    for name, (_, key) in keys_of(model).items()
    if key.tables
}
