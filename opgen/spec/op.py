"""An op as its spec says it: merged with what it takes over, typed, defaults filled in.

Expressions, conditions and shapes are the texts that were written: `opgen.language` parses
them. What the spec leaves out is None, empty, or the default that the models document, so
that an op that is yet to be linted, or only part of one, is of these types as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from opgen.source.diagnostics import Path
from opgen.spec.attr_types import AttrType, type_of_attr
from opgen.spec.bundles import BundleSpec
from opgen.spec.cases import Cases, fixed


class Form(NamedTuple):
    """A shape that a tensor may have; `path` leads to it from the tensor."""

    path: Path
    text: str


class Requirement(NamedTuple):
    """A condition, which is a `part` of what is at `path`, and what to say when it fails."""

    condition: str
    message: str | None
    path: Path
    part: Literal["key", "value"]


class TensorSpec(NamedTuple):
    """A tensor of the table `role`.

    A case of `shape` has several forms if it is a list; `forms` are those of all cases. Where its
    first values are `drawn`, `init` is their standard deviation, and `zero` the attr that numbers
    the row of zeros.
    """

    name: str
    role: str
    dtype: Cases[str] = Cases()
    shape: Cases[tuple[Form, ...]] = Cases()
    forms: tuple[Form, ...] = ()
    doc: str = ""
    optional: bool = False
    when: str | None = None
    update: Cases[bool] = fixed(False)
    init: str | None = None
    drawn: bool = False
    zero: str | None = None
    list: str | None = None
    layout: Cases[str] = fixed("contiguous")
    pitch: str | None = None
    align: int | None = None
    values: Cases[str] = Cases()
    differentiable: bool = True
    reduce: Mapping[str, Cases[str]] = {}
    begin: str | None = None
    device: Literal["cpu"] | None = None
    seed: bool = False
    length: str | None = None

    @property
    def path(self) -> tuple[str, str]:
        return self.role, self.name

    @property
    def one_shape(self) -> str | None:
        """Its shape where that is one string."""
        forms = self.shape.alone or ()
        return forms[0].text if forms and forms[0].path == ("shape",) else None

    @property
    def always(self) -> bool:
        """Whether every call has it. An empty list counts as there."""
        return not self.optional and self.when is None

    @property
    def absentable(self) -> bool:
        """Whether some call lacks it. An empty list is an absent one."""
        return not self.always or self.list is not None

    @property
    def scalar_index(self) -> bool:
        """Whether it is an `i64` scalar that every call has and none updates."""
        plain = (self.dtype.alone, self.one_shape) == ("i64", "")
        return plain and not self.absentable and not self.updated

    @property
    def updated(self) -> bool:
        """Whether some call writes it in place."""
        return self.update.by_table or self.update.only

    @property
    def always_updated(self) -> bool:
        return self.update.alone is True


class AttrSpec(NamedTuple):
    """An option of a call. Its default is a literal, or an expression over sizes."""

    name: str
    type: str = ""
    default: Any = None
    choices: tuple[Any, ...] | None = None
    min: int | float | None = None
    max: int | float | None = None
    optional: bool = False
    tuning: bool = False
    doc: str = ""

    @property
    def kind(self) -> AttrType:
        """What is known of its type."""
        return type_of_attr(self.type)

    @property
    def element(self) -> str:
        """The type of its elements: `int` of `int[2]`."""
        return self.type.partition("[")[0]

    @property
    def several(self) -> bool:
        """Whether it is a list."""
        return "[" in self.type

    @property
    def length(self) -> int | None:
        """How many elements it always has: 2 for `int[2]`; None where that is open."""
        inside = self.type.partition("[")[2].removesuffix("]")
        return int(inside) if inside else None

    @property
    def late_default(self) -> str | None:
        """Its default where that is an expression, which sees sizes."""
        literal = not isinstance(self.default, str) or self.type in ("str", "dtype")
        return None if literal else self.default

    @property
    def required(self) -> bool:
        return self.default is None and not self.optional

    @property
    def may_be_none(self) -> bool:
        return self.optional and self.default is None


class DimSpec(NamedTuple):
    """A size that follows from others: an expression, or a Python function `fn`."""

    name: str
    value: Cases[str] = Cases()
    fn: str | None = None


class DtypeSpec(NamedTuple):
    """A dtype variable: the dtypes of a free one, or the expression of a derived one."""

    name: str
    choices: tuple[str, ...] | None = None
    value: Cases[str] = Cases()

    @property
    def free(self) -> bool:
        return self.choices is not None


class CallSpec(NamedTuple):
    """A call of a backward; `path` leads to its name, below `place` are its other keys."""

    op: str
    path: Path
    args: Mapping[str, str] = {}
    grads: Mapping[str, str] = {}

    @property
    def place(self) -> Path:
        return self.path[:-1]


class GradSpec(NamedTuple):
    """One case of how an op is differentiated. `given` are the keys that rules have.

    `misplaced`: what is under `formulas` are none.
    """

    kind: Literal["none", "reference", "rules"]
    path: Path
    formulas: Mapping[str, str] = {}
    calls: tuple[CallSpec, ...] = ()
    require: tuple[Requirement, ...] = ()
    given: tuple[str, ...] = ()
    misplaced: bool = False


class Excuse(NamedTuple):
    """Placements for which more may be moved than the framework moves for the reference.

    Those that split one of `dims` (None: any), and one of `also`; with `unlike`, only where
    arrays disagree about a dim; with `uneven`, only where shards of such a dim have unlike
    sizes; in one `target` (None: in all).
    """

    reason: str
    dims: tuple[str, ...] | None = None
    also: tuple[str, ...] | None = None
    unlike: bool = False
    uneven: bool = False
    target: str | None = None


class ShardingSpec(NamedTuple):
    """What may be split over devices."""

    split: Cases[tuple[str, ...]] = fixed(())
    unit: Mapping[str, int] = {}
    stages: Mapping[str, tuple[str, ...]] = {}
    excuses: tuple[Excuse, ...] = ()
    follow: str | None = None

    @property
    def named(self) -> tuple[str, ...]:
        """Every name that is split in some case."""
        return tuple(dict.fromkeys(n for names in self.split.values() for n in names))


class GuaranteesSpec(NamedTuple):
    """What kernels promise beside their numbers: `invariant` along these dims and groups."""

    deterministic: bool = False
    invariant: tuple[str, ...] = ()
    exact: bool = False

    @property
    def named(self) -> tuple[tuple[str, str | None], ...]:
        """Each promise by its key; `invariant` once for each name."""
        along = [("invariant", name) for name in self.invariant]
        first = [("deterministic", None)] if self.deterministic else []
        return (*first, *along, *([("exact", None)] if self.exact else []))

    def both(self, other: GuaranteesSpec) -> GuaranteesSpec:
        """What this and `other` promise."""
        return GuaranteesSpec(
            self.deterministic and other.deterministic,
            tuple(name for name in self.invariant if name in other.invariant),
            self.exact and other.exact,
        )


class Options(dict[str, Any]):
    """What a spec says in the table of a target, by key; None for what it does not."""

    def __missing__(self, key: str) -> None:
        return None


@dataclass(frozen=True, slots=True)
class KernelSpec:
    """A kernel; `given` are the keys that are written, `options` what its platform adds.

    `named` names one that is not compiled from sources; `listed`: it is one of a list, in order
    of preference.
    """

    platform: str
    path: Path
    name: str | None = None
    listed: bool = False
    symbol: Cases[str] = Cases()
    sources: tuple[str, ...] | None = None
    dispatch: tuple[str, ...] | None = None
    index: Literal["i32", "i64"] = "i64"
    grid: tuple[str | int, ...] = ()
    block: tuple[str | int, ...] = ()
    workspace: str | None = None
    require: tuple[Requirement, ...] = ()
    library: str | None = None
    call: str | None = None
    tvm_ffi: str | None = None
    args: tuple[str, ...] = ()
    object: str | None = None
    triton: str | None = None
    pallas: str | None = None
    blocks: Mapping[str, int | str] = field(default_factory=dict)
    constexpr: Mapping[str, bool | int | float | str] = field(default_factory=dict)
    values: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    aligned: tuple[str, ...] = ()
    warps: int = 4
    stages: int = 3
    tune: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    guarantees: GuaranteesSpec | None = None
    named: str | None = None
    options: Options = field(default_factory=Options)
    given: tuple[str, ...] = ()

    @property
    def bounds(self) -> tuple[str, ...]:
        """Conditions: that some of the `values` of each constant are at least what a call asks for."""
        pairs = ((self.constexpr.get(name), values) for name, values in self.values.items())
        return tuple(f"({text}) <= {max(each)}" for text, each in pairs if isinstance(text, str))


class FieldSpec(NamedTuple):
    """A field of the descriptor."""

    name: str
    type: str | None = None
    value: str | None = None


class OpSpec(NamedTuple):
    """One op. Tables are by name, in file order.

    `tensors` are those of all four tables, `calls` those of all cases of its gradient.
    `fallback`: the reference runs where there is no kernel. `empty_lists` are the
    platforms whose list of kernels is empty. `lacking` are the required keys
    that no one wrote. `let` are the named conditions: written out wherever else they are used.
    `dtypes` are the variables of its file and its own; `bundles` say which tensors travel as one.
    """

    name: str
    dtypes: Mapping[str, DtypeSpec]
    own_dtypes: Mapping[str, DtypeSpec]
    bundles: tuple[BundleSpec, ...]
    doc: str
    version: int
    deprecated: str | None
    tags: tuple[str, ...]
    replaces: tuple[str, ...]
    reference: str | None
    inputs: Mapping[str, TensorSpec]
    attrs: Mapping[str, AttrSpec]
    let: Mapping[str, str]
    dims: Mapping[str, DimSpec]
    outputs: Mapping[str, TensorSpec]
    residuals: Mapping[str, TensorSpec]
    workspace: Mapping[str, TensorSpec]
    tensors: Mapping[str, TensorSpec]
    require: tuple[Requirement, ...]
    grad: Cases[GradSpec]
    calls: tuple[CallSpec, ...]
    sharding: ShardingSpec
    guarantees: GuaranteesSpec
    vmap: Literal["fold", "loop", "none"]
    autocast: Literal["lower", "f32"] | None
    kernels: tuple[KernelSpec, ...]
    fallback: bool
    empty_lists: tuple[str, ...]
    descriptor: Mapping[str, FieldSpec]
    cost: Mapping[str, str]
    samples: tuple[Mapping[str, Any], ...]
    options: Mapping[str, Options]
    lacking: tuple[str, ...]

    @property
    def platforms(self) -> tuple[str, ...]:
        """Those that it has kernels for."""
        return tuple(dict.fromkeys(kernel.platform for kernel in self.kernels))

    def kernels_for(self, platform: str) -> tuple[KernelSpec, ...]:
        """Its kernels for a platform, in order of preference."""
        return tuple(kernel for kernel in self.kernels if kernel.platform == platform)
