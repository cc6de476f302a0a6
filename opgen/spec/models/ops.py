"""The models of an op and of a whole file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import Annotated, Any, Literal

from opgen.runtime.core.dtypes import DTYPES
from opgen.source.diagnostics import Path
from opgen.source.frozen import dataclass
from opgen.source.work import spend
from opgen.spec.bundles import BundleSpec, spread
from opgen.spec.cases import Cases
from opgen.spec.extensions import extensions
from opgen.spec.let import lets_of
from opgen.spec.models.attrs import AttrSpec, DimSpec, DtypeSpec, FieldSpec
from opgen.spec.models.kernels import (
    PLATFORMS,
    REFERENCE,
    CostKeys,
    KernelSpec,
    Place,
    kernels,
    place_of,
)
from opgen.spec.models.reading import Options, Requirement, frozen, read, reader, written_out
from opgen.spec.models.rules import (
    CallSpec,
    GradSpec,
    Promise,
    ShardingSpec,
    gradient,
)
from opgen.spec.models.strings import (
    Called,
    Expression,
    Function,
    Line,
    Name,
    OpName,
    Prose,
    is_function,
)
from opgen.spec.models.tensors import TensorSpec
from opgen.spec.models.types import (
    SOME,
    ByCase,
    Drop,
    Requirements,
    Sample,
    key,
    keys_only,
)
from opgen.spec.tables import MERGED

# The steps that it costs to read an op, without its values.
_AN_OP = 50
_REQUIRED = ("doc", "grad", "sharding", "kernels")

# A dtype variable: a list, an expression, or cases.
Variable = Annotated[list[Name], SOME] | Expression | ByCase[Expression]

# A tensor table also takes `order`, the one entry whose value is a list.
Tensors = Annotated[dict[Name, TensorSpec | Drop | list[Name]] | Drop, Called("{ name = table }")]


def read_dtypes(table: Any, path: Path = ()) -> dict[str, DtypeSpec]:
    """Return the dtype variables of a file or an op."""
    by_case = reader(Expression | ByCase[Expression])
    return {
        name: (
            DtypeSpec(name, choices=tuple(value))
            if isinstance(value, list)
            else DtypeSpec(name, value=by_case(value, (*path, name)))
        )
        for name, value in (table.items() if isinstance(table, dict) else ())
    }


def _dims(table: Any, path: Path) -> dict[str, DimSpec]:
    by_case = reader(Expression | ByCase[Expression])
    return {
        name: (
            DimSpec(name, fn=value)
            if is_function(value)
            else DimSpec(name, by_case(value, (*path, name)))
        )
        for name, value in (table.items() if isinstance(table, dict) else ())
    }


def _sharding(table: Any, path: Path) -> ShardingSpec:
    return read(ShardingSpec, table if isinstance(table, dict) else {}, path)


def _cost(table: Any, path: Path) -> dict[str, str]:
    found: dict[str, str] = reader(dict[Name, Expression])(table, path)
    return found


def _samples(samples: Any, path: Path) -> tuple[Mapping[str, Any], ...]:
    return tuple(samples)


@keys_only
class LikeKeys:
    """The key of an op that takes over others."""

    like: Any = key(OpName, "The op or template whose keys it takes over.", "elementwise")


@dataclass(frozen=True)
class About:
    """The keys of a whole op that keep their meaning when opgen resolves it."""

    name: str
    doc: str = key(
        Prose,
        "What it computes; its first line is used in lists. Required.",
        "Elementwise `-x`.",
        default="",
    )
    replaces: tuple[str, ...] = key(
        list[Line],
        "What it is used instead of: for its page and the catalogue.",
        ["torch.neg"],
        default=(),
    )
    reference: str | None = key(
        Function | Drop,
        "A file next to the spec and a function in it, `f(xp, *inputs, **attrs) -> results`: "
        "oracle, fallback and baseline. `xp` has the names of the array API, `erf` and `erfc`.",
        "rms_norm.py:rms_norm",
    )


@dataclass(frozen=True)
class OpSpec(About):
    """An op, or the part of one that a template holds."""

    # The dtype variables of its file, and the bundles of its tensors.
    file_dtypes: Mapping[str, DtypeSpec] = field(default_factory=dict)
    bundles: tuple[BundleSpec, ...] = ()
    # The index of the reference in `kernels`.
    last: int | None = None
    # The tables of targets, and the missing required keys.
    options: Mapping[str, Options] = field(default_factory=dict)
    lacking: tuple[str, ...] = ()
    own_dtypes: Mapping[str, DtypeSpec] = key(
        dict[Name, Variable | Drop] | Drop,
        "Dtype variables of this op: those of the file, given anew, and others. Derived ones may "
        "look at attrs and presence.",
        {"Q": {"mode == 'int8'": "i8", "else": "T"}},
        default={},
        name="dtypes",
        read=read_dtypes,
    )
    inputs: Mapping[str, TensorSpec] = key(
        Tensors,
        "What is passed by position, in file order.",
        {"x": {"dtype": "T", "shape": "*s"}},
        default={},
    )
    attrs: Mapping[str, AttrSpec] = key(
        dict[Name, AttrSpec | Drop] | Drop,
        "What is passed by keyword; fixed while a JAX program is traced.",
        {"eps": {"type": "float", "default": 1e-5, "min": 0.0}},
        default={},
    )
    let: Mapping[str, str] = key(
        dict[Name, Expression | Drop] | Drop,
        "Names for conditions, to be used in others.",
        {"varlen": "present(offsets)"},
        default={},
    )
    dims: Mapping[str, DimSpec] = key(
        dict[Name, Function | Expression | ByCase[Expression] | Drop] | Drop,
        "Names for sizes that follow from others. A function in a file next to the spec is the way "
        "out: it is called with the known names that its parameters name.",
        {"blocks": "ceildiv(m, 128)"},
        {"m": "sizes.py:m"},
        default={},
        read=_dims,
    )
    outputs: Mapping[str, TensorSpec] = key(
        Tensors,
        "What the caller gets, in file order.",
        {"y": {"dtype": "T", "shape": "*s"}},
        default={},
    )
    residuals: Mapping[str, TensorSpec] = key(
        Tensors,
        "What the kernel keeps for the backward; callers do not see it.",
        {"invvar": {"dtype": "Acc", "shape": "*batch"}},
        default={},
    )
    workspace: Mapping[str, TensorSpec] = key(
        Tensors,
        "Scratch memory of the kernel; in no signature and no rule.",
        {"part": {"dtype": "Acc", "shape": "blocks n"}},
        default={},
    )
    require: tuple[Requirement[str], ...] = key(
        Requirements | Drop,
        "What must hold of a call; errors show the values.",
        ["k % 8 == 0"],
        default=(),
    )
    grad: Cases[GradSpec] = key(
        Literal["none", "reference"]
        | GradSpec
        | ByCase[Literal["none", "reference"] | GradSpec]
        | Drop,
        "How it is differentiated: `none` (it is an error), `reference` (autodiff of that), or a table. Required.",
        "none",
        "reference",
        default=Cases(),
        read=gradient,
    )
    sharding: ShardingSpec = key(
        Literal["replicate"] | ShardingSpec | Drop,
        "What may be split over devices: `replicate` (nothing), or a table. Required.",
        "replicate",
        default=ShardingSpec(),
        read=_sharding,
    )
    guarantees: tuple[str, ...] | None = key(
        list[Promise] | Drop,
        "Guarantees of the CPU kernels. `deterministic`: equal inputs give equal bits, at any "
        "address and on any number of threads. `invariant`: along leading dims that may be split, "
        "a row's bits do not depend on the other rows of the call. `exact`: each result equals the "
        "reference in exact arithmetic, rounded once. By default `deterministic` and `invariant`.",
        ["deterministic"],
        ["deterministic", "invariant", "exact"],
    )
    vmap: Literal["fold", "loop", "none"] = key(
        Literal["loop", "none"],
        "`loop`: a batch is computed one by one; `none`: it is refused. By default it joins a "
        "group that may be split, where one leads everything, and else loops.",
        "loop",
        default="fold",
    )
    autocast: Literal["lower", "f32"] | None = key(
        Literal["lower", "f32"],
        "What PyTorch's autocast casts floating inputs to: `lower` (its active dtype) or `f32`. "
        "By default it leaves them.",
        "lower",
    )
    kernels: tuple[KernelSpec, ...] = key(
        list[Place | KernelSpec] | Drop,
        f"Its kernels, in order of preference: a platform, {PLATFORMS}, that has one of the op's "
        "name, or a table. At the end `reference`: it takes the calls that no kernel takes, which "
        "are an error otherwise. Required.",
        ["cpu", "cuda"],
        ["cpu", {"on": "cuda", "require": ["arch >= 80"]}],
        default=(),
        read=kernels,
    )
    descriptor: Mapping[str, FieldSpec] = key(
        dict[Name, FieldSpec | Drop] | Drop,
        "The fields of the struct that passes sizes and options to its kernels. By default all "
        "that the spec knows, in 64 bits.",
        {"n1": {"type": "i32", "value": "prod(batch)"}},
        default={},
    )
    cost: Mapping[str, str] = key(
        CostKeys | Drop, "What a call costs.", {"flops": "4*numel(x)"}, default={}, read=_cost
    )
    samples: tuple[Mapping[str, Any], ...] = key(
        list[dict[Name, Sample]] | Drop,
        "Calls for tests and benchmarks: sizes, attrs, dtypes, presence, and `rtol`; what is not said is drawn.",
        [{"s": [16]}, {"s": [3, 5], "T": "f32"}],
        default=(),
        read=_samples,
    )

    @cached_property
    def dtypes(self) -> Mapping[str, DtypeSpec]:
        """Return the dtype variables of the file and of the op."""
        return {**self.file_dtypes, **self.own_dtypes}

    def may_be_none(self, name: str) -> bool:
        """Return whether a name is that of an attr which some call lacks."""
        return name in self.attrs and self.attrs[name].optional

    @cached_property
    def tensors(self) -> Mapping[str, TensorSpec]:
        """Return all tensors of the four tables."""
        return {**self.inputs, **self.outputs, **self.residuals, **self.workspace}

    @cached_property
    def calls(self) -> tuple[CallSpec, ...]:
        """Return the calls of all cases of the gradient."""
        return tuple(call for case in self.grad.values() for call in case.calls)

    @property
    def fallback(self) -> bool:
        """Return whether the reference replaces missing kernels."""
        return self.last is not None

    @property
    def platforms(self) -> tuple[str, ...]:
        """Return the platforms with a kernel."""
        return tuple(dict.fromkeys(kernel.platform for kernel in self.kernels))

    def kernels_for(self, platform: str) -> tuple[KernelSpec, ...]:
        """Return the kernels for a platform, in order of preference."""
        return tuple(kernel for kernel in self.kernels if kernel.platform == platform)


def read_op(
    name: str, table: Mapping[str, Any], dtypes: Mapping[str, DtypeSpec], bundles: Mapping[str, Any]
) -> OpSpec:
    """Read the op of a merged table. `dtypes` and `bundles` are those of its file."""
    table, uses = spread(table, bundles)
    names = sum(len(table[key]) for key in MERGED if isinstance(table.get(key), dict))
    spend(_AN_OP + names**2 // 2)  # every pair may depend on each other
    given = table.get("kernels")
    places = list(map(place_of, given)) if isinstance(given, list) else []
    lets = lets_of(table)
    spec: OpSpec = read(
        OpSpec,
        written_out(OpSpec, table, lets) if lets else table,
        (),
        name=name,
        let=lets,
        file_dtypes=dtypes,
        bundles=uses,
        last=places.index(REFERENCE) if REFERENCE in places else None,
        options={n: Options(frozen(table.get(n) or {})) for n in extensions()},
        lacking=tuple(key for key in _REQUIRED if key not in table),
    )
    return _with_variables(spec)


def _with_variables(op: OpSpec) -> OpSpec:
    """Treat a dtype attr and the variable with its name as one, with shared choices.

    An attr becomes a variable if the op derives variables from it.
    """
    attrs, variables = dict(op.attrs), dict(op.own_dtypes)
    texts = [text for each in variables.values() for text in each.value.values()]
    read = {word for text in texts for word in re.findall(r"\w+", text)}
    for name, attr in op.attrs.items():
        if attr.type != "dtype":
            continue
        variable = op.dtypes.get(name)
        if variable is None and name in read:
            variables[name] = DtypeSpec(name, choices=attr.choices or tuple(DTYPES))
        elif variable is not None and attr.choices is None:
            attrs[name] = replace(attr, choices=variable.choices)
    return replace(op, attrs=attrs, own_dtypes=variables)


@keys_only
class DocumentKeys:
    """A spec file: one family of ops."""

    spec: Any = key(Literal[1], "The version of the language. Required.", 1, required=True)
    dtypes: Any = key(
        dict[Name, Variable],
        "Dtype variables: a free one is a list of dtypes, a derived one an expression.",
        {"T": ["f32", "f64"], "Acc": "accum(T)"},
    )
    bundles: Any = key(
        dict[Name, Annotated[dict[Name, TensorSpec], SOME]],
        'Tensors that travel as one argument or result, by name: `inputs.w = { bundle = "quantized" }`.',
        {"quantized": {"data": {"dtype": "i8"}, "scale": {"dtype": "f32"}}},
    )
    templates: Any = key(
        dict[OpName, OpSpec],
        "What ops take over by `like`; nothing is rendered for them.",
        {"elementwise": {"sharding": {"split": ["s"]}}},
    )
    ops: Any = key(
        dict[OpName, OpSpec],
        "The ops of the family. Required.",
        {"negate": {"doc": "Elementwise `-x`."}},
    )
