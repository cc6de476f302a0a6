"""From the merged tables of an op, and those of dtypes, to an `OpSpec`.

The tables fit the models, or are what is left of ones that do not: what is of another type
than its key takes is as if it were not written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from opgen.source.diagnostics import Path
from opgen.source.work import spend
from opgen.spec.bundles import spread
from opgen.spec.cases import Cases, fixed
from opgen.spec.extensions import extensions, platforms
from opgen.spec.let import as_written, lets_of, written_out
from opgen.spec.op import (
    AttrSpec,
    CallSpec,
    DimSpec,
    DtypeSpec,
    Excuse,
    FieldSpec,
    Form,
    GradSpec,
    GuaranteesSpec,
    KernelSpec,
    OpSpec,
    Options,
    Requirement,
    ShardingSpec,
    TensorSpec,
)
from opgen.spec.tables import MERGED, TENSOR_TABLES

T = TypeVar("T")
# The steps that it takes to read an op, beside its values.
_AN_OP = 50
_REQUIRED = ("doc", "grad", "sharding", "kernels")
# The library through which objects of CuTe DSL call the driver.
CUTE_RUNTIME = "libcute_dsl_runtime.so"
# The keys that name a kernel which is not compiled from sources, on any platform.
_NAMES = ("object", "library", "tvm_ffi", "triton")
# What a gradient by rules holds; a table of other keys is one by cases.
_GRAD_KEYS = {"formulas", "backward", "require"}


def read_op(
    name: str, table: Mapping[str, Any], dtypes: Mapping[str, DtypeSpec], bundles: Mapping[str, Any]
) -> OpSpec:
    """The op of a merged table. `dtypes` and `bundles` are those of its file."""
    table, uses = spread(table, bundles)
    names = sum(len(_table(table.get(key))) for key in MERGED)
    spend(_AN_OP + names**2 // 2)  # each may look at each
    lets, table = lets_of(table), written_out(table)
    own = read_dtypes(table.get("dtypes"))
    tensors = {role: _named(table, role, _tensor) for role in TENSOR_TABLES}
    grad = _gradient(table.get("grad"))
    kernels, fallback = _kernels(table.get("kernels"))
    return OpSpec(
        name=name,
        dtypes={**dtypes, **own},
        own_dtypes=own,
        bundles=uses,
        doc=table.get("doc", ""),
        version=table.get("version", 1),
        deprecated=table.get("deprecated"),
        tags=tuple(table.get("tags", ())),
        replaces=tuple(table.get("replaces", ())),
        reference=table.get("reference"),
        **tensors,
        tensors={name: t for each in tensors.values() for name, t in each.items()},
        attrs=_named(table, "attrs", _attr),
        let=lets,
        dims={n: _dim(n, value) for n, value in _table(table.get("dims")).items()},
        require=_requirements(("require",), table.get("require")),
        grad=grad,
        calls=tuple(call for case in grad.values() for call in case.calls),
        sharding=_sharding(_table(table.get("sharding"))),
        guarantees=GuaranteesSpec(**_frozen(_table(table.get("guarantees")))),
        vmap=table.get("vmap", "fold"),
        autocast=table.get("autocast"),
        kernels=kernels,
        fallback=fallback,
        empty_lists=tuple(p for p, e in _table(table.get("kernels")).items() if e == []),
        descriptor=_named(table, "descriptor", _field),
        cost=_texts(table.get("cost")),
        samples=tuple(table.get("samples", ())),
        options={n: Options(_frozen(_table(table.get(n)))) for n in extensions()},
        lacking=tuple(key for key in _REQUIRED if key not in table),
    )


def read_dtypes(table: object) -> dict[str, DtypeSpec]:
    """The dtype variables of a file."""
    return {
        name: (
            DtypeSpec(name, choices=tuple(value))
            if isinstance(value, list)
            else DtypeSpec(name, value=_cases(value, str))
        )
        for name, value in _table(table).items()
    }


# -- tensors, attrs, sizes -----------------------------------------------------------------


def _tensor(name: str, role: str, entry: Mapping[str, Any]) -> TensorSpec:
    shape = _shape(entry.get("shape"))
    others: dict[str, Any] = {key: entry[key] for key in _PLAIN if key in entry}
    others |= {key: _cases(entry[key], to) for key, to in _CASED.items() if key in entry}
    if isinstance(draw := entry.get("init"), dict):
        others |= {"init": draw.get("normal"), "drawn": True, "zero": draw.get("zero")}
    return TensorSpec(
        name,
        role,
        shape=shape,
        forms=tuple(form for forms in shape.values() for form in forms),
        reduce={n: _cases(how, str) for n, how in _table(entry.get("reduce")).items()},
        **others,
    )


# The keys of a tensor that have one value, and others that may go by cases.
_PLAIN = (
    "doc",
    "optional",
    "when",
    "init",
    "list",
    "align",
    "pitch",
    "differentiable",
    "begin",
    "device",
    "seed",
    "length",
)
_CASED = {"dtype": str, "update": bool, "layout": str, "values": str}


def _shape(shape: object) -> Cases[tuple[Form, ...]]:
    cases = _cases(shape, lambda forms: forms)
    return Cases(
        tuple((c, _forms(("shape", *cases.key(c)), f)) for c, f in cases.cases), cases.by_table
    )


def _forms(path: Path, forms: Any) -> tuple[Form, ...]:
    if isinstance(forms, list):
        return tuple(Form((*path, n), text) for n, text in enumerate(forms))
    return (Form(path, forms),)


def _attr(name: str, _: str, entry: Mapping[str, Any]) -> AttrSpec:
    return AttrSpec(name, **_frozen(entry))


def _dim(name: str, value: object) -> DimSpec:
    if isinstance(value, dict) and "fn" in value:
        return DimSpec(name, fn=str(value["fn"]))
    return DimSpec(name, _cases(value, str))


def _field(name: str, _: str, entry: Mapping[str, Any]) -> FieldSpec:
    return FieldSpec(name, **entry)


# -- rules ---------------------------------------------------------------------------------


def _requirements(path: Path, items: object) -> tuple[Requirement, ...]:
    found = []
    for n, item in enumerate(items if isinstance(items, list) else ()):
        if isinstance(item, dict):
            for condition, said in item.items():
                place = (*path, n, as_written(condition))
                found.append(Requirement(condition, said, place, "key"))
        else:
            found.append(Requirement(item, None, (*path, n), "value"))
    return tuple(found)


def _gradient(grad: object) -> Cases[GradSpec]:
    if isinstance(grad, dict) and not grad.keys() <= _GRAD_KEYS:
        cases = _cases(grad, lambda value: value)
        return Cases(tuple((c, _grad(("grad", *cases.key(c)), g)) for c, g in cases.cases), True)
    return Cases() if grad is None else fixed(_grad(("grad",), grad))


def _grad(path: Path, grad: Any) -> GradSpec:
    if not isinstance(grad, dict):
        return GradSpec(grad, path)
    formulas = grad.get("formulas", {})
    return GradSpec(
        kind="rules",
        path=path,
        formulas=_texts(formulas),
        calls=tuple(_calls((*path, "backward"), grad.get("backward", []))),
        require=_requirements((*path, "require"), grad.get("require")),
        given=tuple(grad),
        misplaced=not isinstance(formulas, dict)
        or any(isinstance(formula, dict) for formula in formulas.values()),
    )


def _calls(path: Path, backward: object) -> Iterator[CallSpec]:
    calls = backward if isinstance(backward, list) else [backward]
    for n, call in enumerate(calls):
        place = (*path, n) if calls is backward else path
        if isinstance(call, str):
            yield CallSpec(call, place)
        elif isinstance(call, dict):
            args, grads = _texts(call.get("args")), _texts(call.get("grads"))
            yield CallSpec(call.get("op", ""), (*place, "op"), args, grads)


def _sharding(table: Mapping[str, Any]) -> ShardingSpec:
    return ShardingSpec(
        split=_cases(table.get("split", []), tuple),
        unit=_table(table.get("unit")),
        stages={n: tuple(ops) for n, ops in _table(table.get("stages")).items()},
        excuses=tuple(
            Excuse(**{"reason": "", **_frozen(entry)}) for entry in table.get("excuses", ())
        ),
        follow=table.get("follow"),
    )


# -- kernels -------------------------------------------------------------------------------


def _kernels(given: object) -> tuple[tuple[KernelSpec, ...], bool]:
    """The kernels, platform by platform, and whether the reference runs elsewhere."""
    if isinstance(given, list):
        return tuple(KernelSpec(p, ("kernels", n)) for n, p in enumerate(given)), False
    found: list[KernelSpec] = []
    for platform, entry in _table(given).items():
        path = ("kernels", platform)
        if platform == "else":
            continue
        if isinstance(entry, list):
            found += [_kernel(platform, (*path, n), e, listed=True) for n, e in enumerate(entry)]
        else:
            found.append(_kernel(platform, path, entry))
    return tuple(found), "else" in _table(given)


def _kernel(platform: str, path: Path, entry: Any, *, listed: bool = False) -> KernelSpec:
    if not isinstance(entry, dict):
        return KernelSpec(platform, path, listed=listed, symbol=fixed(entry))
    table = _frozen(entry)
    about = platforms()[platform]
    known = {k: v for k, v in table.items() if k in KernelSpec.__match_args__}
    if "tvm_ffi" in table:
        known["library"], _, known["tvm_ffi"] = table["tvm_ffi"].partition(":")
    if "object" in table:
        known["library"] = table.get("library", CUTE_RUNTIME)
    known["symbol"] = _cases(entry.get("symbol"), str)
    known["require"] = _requirements((*path, "require"), entry.get("require"))
    if "guarantees" in table:
        known["guarantees"] = GuaranteesSpec(**_table(table["guarantees"]))
    return KernelSpec(
        platform,
        path,
        listed=listed,
        **known,
        named=next(filter(None, map(table.get, (*_NAMES, about.function))), None),
        options=Options((key, table[key]) for key in about.keys if key in table),
        given=tuple(table),
    )


# -- any table -----------------------------------------------------------------------------


def _cases(value: object, convert: Callable[[Any], T]) -> Cases[T]:
    """What may be a table from conditions to values.

    `else` comes last, wherever it is written: a table has no order, and everything that
    reads cases takes the first that holds.
    """
    if value is None:
        return Cases()
    if not isinstance(value, dict):
        return fixed(convert(value))
    found = [(c, convert(item)) for c, item in value.items() if c != "else"]
    found += [(None, convert(value["else"]))] if "else" in value else []
    return Cases(tuple(found), by_table=True)


def _named(table: Mapping[str, Any], key: str, read: Callable[[str, str, Any], T]) -> dict[str, T]:
    """The entries of a table of tables."""
    entries = _table(table.get(key)).items()
    return {name: read(name, key, e) for name, e in entries if isinstance(e, dict)}


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _texts(value: object) -> dict[str, str]:
    return {n: v for n, v in _table(value).items() if isinstance(v, str)}


def _frozen(value: Any) -> Any:
    """A value with tuples for lists."""
    if isinstance(value, dict):
        return {key: _frozen(item) for key, item in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
