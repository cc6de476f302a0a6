"""The models of an op and of a whole file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Annotated, Any, Literal

from opgen.runtime.core.dtypes import DTYPES
from opgen.source.cached import cached_property
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

# The steps of work that are counted for reading an op, in addition to those for its names.
_AN_OP = 50
_REQUIRED = ("doc", "grad", "sharding", "kernels")

# The value of a dtype variable in a spec: a list of dtypes, an expression, or cases.
Variable = Annotated[list[Name], SOME] | Expression | ByCase[Expression]

# Next to its tensors, such a table may have the key `order` with a list of their names.
Tensors = Annotated[dict[Name, TensorSpec | Drop | list[Name]] | Drop, Called("{ name = table }")]

_BY_CASE = reader(Expression | ByCase[Expression])


def read_dtypes(table: Any, path: Path = ()) -> dict[str, DtypeSpec]:
    """Return the dtype variables of a file or an op."""
    return {
        name: (
            DtypeSpec(name, choices=tuple(value))
            if isinstance(value, list)
            else DtypeSpec(name, value=_BY_CASE(value, (*path, name)))
        )
        for name, value in (table.items() if isinstance(table, dict) else ())
    }


def _dims(table: Any, path: Path) -> dict[str, DimSpec]:
    return {
        name: (
            DimSpec(name, fn=value)
            if is_function(value)
            else DimSpec(name, _BY_CASE(value, (*path, name)))
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
    """The key `like`, by which an op inherits from another op or from a template."""

    like: Any = key(OpName, "An op or template from which this op inherits keys.", "elementwise")


@dataclass(frozen=True)
class About:
    """The keys of an op that are the same in the spec and in the IR."""

    name: str
    doc: str = key(
        Prose,
        "A description of the op. Lists of ops show its first line. Required.",
        "Elementwise `-x`.",
        default="",
    )
    replaces: tuple[str, ...] = key(
        list[Line],
        "Functions that the op can replace. The op's page and the catalogue show them.",
        ["torch.neg"],
        default=(),
    )
    reference: str | None = key(
        Function | Drop,
        "The Python function that defines what the op computes, `f(xp, *inputs, **attrs) "
        "-> results`, in a file next to the spec. Tests compare kernels with it. `xp` has "
        "the names of the array API, `erf` and `erfc`.",
        "rms_norm.py:rms_norm",
    )


@dataclass(frozen=True)
class OpSpec(About):
    """An op, or a template, which may have only some of these keys."""

    # The dtype variables of the op's file, and the bundles among its inputs and outputs.
    file_dtypes: Mapping[str, DtypeSpec] = field(default_factory=dict)
    bundles: tuple[BundleSpec, ...] = ()
    # The index of `"reference"` in `kernels`; None if `kernels` does not contain it.
    last: int | None = None
    # The op's options of each target, and the required keys that the op lacks.
    options: Mapping[str, Options] = field(default_factory=dict)
    lacking: tuple[str, ...] = ()
    own_dtypes: Mapping[str, DtypeSpec] = key(
        dict[Name, Variable | Drop] | Drop,
        "Dtype variables of this op. They add to those of the file, or redefine them. "
        "Expressions may use attrs and presence.",
        {"Q": {"mode == 'int8'": "i8", "else": "T"}},
        default={},
        name="dtypes",
        read=read_dtypes,
    )
    inputs: Mapping[str, TensorSpec] = key(
        Tensors,
        "Tensors that callers pass by position, in file order.",
        {"x": {"dtype": "T", "shape": "*s"}},
        default={},
    )
    attrs: Mapping[str, AttrSpec] = key(
        dict[Name, AttrSpec | Drop] | Drop,
        "Arguments that are not tensors. Callers pass them by keyword. JAX compiles a "
        "program for each value.",
        {"eps": {"type": "float", "default": 1e-5, "min": 0.0}},
        default={},
    )
    let: Mapping[str, str] = key(
        dict[Name, Expression | Drop] | Drop,
        "Names for conditions, which other conditions may use.",
        {"varlen": "present(offsets)"},
        default={},
    )
    dims: Mapping[str, DimSpec] = key(
        dict[Name, Function | Expression | ByCase[Expression] | Drop] | Drop,
        "Names for sizes that follow from other sizes. If an expression cannot compute a "
        "size, name a Python function in a file next to the spec. Its parameters are "
        "dims, groups and attrs.",
        {"blocks": "ceildiv(m, 128)"},
        {"m": "sizes.py:m"},
        default={},
        read=_dims,
    )
    outputs: Mapping[str, TensorSpec] = key(
        Tensors,
        "Tensors that the caller gets, in file order.",
        {"y": {"dtype": "T", "shape": "*s"}},
        default={},
    )
    residuals: Mapping[str, TensorSpec] = key(
        Tensors,
        "Tensors that the kernel computes for the backward. Callers do not see them.",
        {"invvar": {"dtype": "Acc", "shape": "*batch"}},
        default={},
    )
    workspace: Mapping[str, TensorSpec] = key(
        Tensors,
        "Scratch memory of the kernel. Callers do not see it.",
        {"part": {"dtype": "Acc", "shape": "blocks n"}},
        default={},
    )
    require: tuple[Requirement[str], ...] = key(
        Requirements | Drop,
        "Conditions that every call must meet. If a call does not, the error shows the " "values.",
        ["k % 8 == 0"],
        default=(),
    )
    grad: Cases[GradSpec] = key(
        Literal["none", "reference"]
        | GradSpec
        | ByCase[Literal["none", "reference"] | GradSpec]
        | Drop,
        "The gradient. `none`: differentiating raises an error. `reference`: the "
        "framework differentiates the reference. Or a table. Required.",
        "none",
        "reference",
        default=Cases(),
        read=gradient,
    )
    sharding: ShardingSpec = key(
        Literal["replicate"] | ShardingSpec | Drop,
        "The dims that may be split over devices: a table, or `replicate` if there are "
        "none. Required.",
        "replicate",
        default=ShardingSpec(),
        read=_sharding,
    )
    guarantees: tuple[str, ...] | None = key(
        list[Promise] | Drop,
        "Guarantees of the CPU kernels. `deterministic`: equal inputs give equal bits, at "
        "any address and on any number of threads. `invariant`: along leading dims that "
        "may be split, a row's bits do not depend on the other rows of the call. `exact`: "
        "each result equals the reference in exact arithmetic, rounded once. By default "
        "`deterministic` and `invariant`.",
        ["deterministic"],
        ["deterministic", "invariant", "exact"],
    )
    vmap: Literal["fold", "loop", "none"] = key(
        Literal["loop", "none"],
        "`loop`: `vmap` calls the op once for each element of a batch. `none`: `vmap` "
        "raises an error. By default the op runs once for the whole batch if its dims "
        "allow it, and otherwise in a loop.",
        "loop",
        default="fold",
    )
    autocast: Literal["lower", "f32"] | None = key(
        Literal["lower", "f32"],
        "PyTorch's autocast casts floating inputs to its active dtype (`lower`) or to "
        "`f32`. By default it does not change them.",
        "lower",
    )
    kernels: tuple[KernelSpec, ...] = key(
        list[Place | KernelSpec] | Drop,
        f"The kernels, in order of preference. Each is a platform ({PLATFORMS}) or a "
        "table. A platform stands for a kernel with the op's name. With `reference` at "
        "the end, the reference runs if no kernel accepts a call. Otherwise such a call "
        "raises an error. Required.",
        ["cpu", "cuda"],
        ["cpu", {"on": "cuda", "require": ["arch >= 80"]}],
        default=(),
        read=kernels,
    )
    descriptor: Mapping[str, FieldSpec] = key(
        dict[Name, FieldSpec | Drop] | Drop,
        "The fields of the C struct that passes sizes and attrs to the kernels. By "
        "default it has all sizes and attrs, in 64 bits.",
        {"n1": {"type": "i32", "value": "prod(batch)"}},
        default={},
    )
    cost: Mapping[str, str] = key(
        CostKeys | Drop,
        "The cost of a call, for benchmarks.",
        {"flops": "4*numel(x)"},
        default={},
        read=_cost,
    )
    samples: tuple[Mapping[str, Any], ...] = key(
        list[dict[Name, Sample]] | Drop,
        "Calls for tests and benchmarks: sizes, attrs, dtypes, presence, and `rtol`. "
        "opgen chooses all other values at random.",
        [{"s": [16]}, {"s": [3, 5], "T": "f32"}],
        default=(),
        read=_samples,
    )

    @cached_property
    def dtypes(self) -> Mapping[str, DtypeSpec]:
        """Return the dtype variables of the file and of the op."""
        return {**self.file_dtypes, **self.own_dtypes}

    def may_be_none(self, name: str) -> bool:
        """Return whether `name` is an attr that may be None."""
        return name in self.attrs and self.attrs[name].optional

    @cached_property
    def tensors(self) -> Mapping[str, TensorSpec]:
        """Return all inputs, outputs, residuals and workspace tensors by name."""
        return {**self.inputs, **self.outputs, **self.residuals, **self.workspace}

    @cached_property
    def calls(self) -> tuple[CallSpec, ...]:
        """Return the calls of backward ops in all cases of the gradient."""
        return tuple(call for case in self.grad.values() for call in case.calls)

    @property
    def fallback(self) -> bool:
        """Return whether the op's list of kernels contains the reference."""
        return self.last is not None

    @cached_property
    def platforms(self) -> tuple[str, ...]:
        """Return the platforms for which the op has a kernel."""
        return tuple(dict.fromkeys(kernel.platform for kernel in self.kernels))

    def kernels_for(self, platform: str) -> tuple[KernelSpec, ...]:
        """Return the kernels for a platform, in order of preference."""
        return tuple([kernel for kernel in self.kernels if kernel.platform == platform])


def read_op(
    name: str, table: Mapping[str, Any], dtypes: Mapping[str, DtypeSpec], bundles: Mapping[str, Any]
) -> OpSpec:
    """Read an op from its table, which includes inherited keys."""
    table, uses = spread(table, bundles)
    names = sum(len(table[key]) for key in MERGED if isinstance(table.get(key), dict))
    spend(_AN_OP + names**2 // 2)  # each name may depend on every other name
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
    """Give a dtype attr and the dtype variable of the same name the same choices.

    If there is no such variable, but the op derives other variables from the attr, add the
    variable.
    """
    if not any(attr.type == "dtype" for attr in op.attrs.values()):
        return op
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
        "Dtype variables. A list of dtypes declares a free variable, and an expression a "
        "derived one.",
        {"T": ["f32", "f64"], "Acc": "accum(T)"},
    )
    bundles: Any = key(
        dict[Name, Annotated[dict[Name, TensorSpec], SOME]],
        "Groups of tensors that form one argument or result: `inputs.w = { bundle = "
        '"quantized" }`.',
        {"quantized": {"data": {"dtype": "i8"}, "scale": {"dtype": "f32"}}},
    )
    templates: Any = key(
        dict[OpName, OpSpec],
        "Tables from which ops inherit with `like`. opgen renders nothing for a template "
        "itself.",
        {"elementwise": {"sharding": {"split": ["s"]}}},
    )
    ops: Any = key(
        dict[OpName, OpSpec],
        "The ops of the family. Required.",
        {"negate": {"doc": "Elementwise `-x`."}},
    )
