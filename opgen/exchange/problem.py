"""Describe an op with fixed dtypes and options, for the formats of benchmark projects.

The description consists of tensors, scalars and workloads (the calls to measure).
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from opgen.bench.work import there
from opgen.exchange import Refused
from opgen.ir.nodes import Tensor
from opgen.ir.op import Op
from opgen.language.dtypes import DTYPES
from opgen.language.expr import names_in
from opgen.language.expr.evaluate import evaluate
from opgen.language.expr.syntax import Compare, Const, Name
from opgen.language.expr.text import text_of
from opgen.language.shapes import Group
from opgen.source.frozen import dataclass
from opgen.testing.cases import cases, dtype_rows, names_of, samples
from opgen.testing.environment import Case, dtype_in, environment, form_in, holds

# The attr types whose values may differ between calls. A problem fixes all other attrs.
SCALARS = ("float", "int", "bool")
# The largest number of workloads for an op without samples.
MOST = 6


@dataclass(frozen=True)
class Value:
    """A tensor with the names of its axes, or a scalar. The `shape` of a scalar is None."""

    name: str
    shape: tuple[str, ...] | None
    dtype: str


@dataclass(frozen=True)
class Workload:
    """A call to measure: the sizes of axes, and the values of scalars."""

    axes: Mapping[str, int]
    scalars: Mapping[str, Any]


@dataclass(frozen=True)
class Problem:
    """An op with fixed dtypes and options.

    `axes` maps each axis to its fixed size, or to None if its size varies. `code` defines a PyTorch
    function `run` of the inputs.
    """

    # The name of the op, the name of the problem, and a sentence that describes the op.
    op: str
    name: str
    doc: str
    # The arguments and results of `run`, and the axes of both.
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    axes: Mapping[str, int | None]
    # Conditions on the axes, and the source code of `run`.
    constraints: tuple[str, ...]
    code: str
    workloads: tuple[Workload, ...]
    # The calls of the workloads, and conditions that only the calls of this problem meet.
    cases: tuple[Case, ...]
    require: tuple[str, ...]


@dataclass(frozen=True)
class Problems:
    """All problems of an op, and a sentence for each part of the op that no problem expresses."""

    problems: tuple[Problem, ...]
    lost: tuple[str, ...]


def problems(op: Op, specs: Path, dtypes: Sequence[str]) -> Problems:
    """Return a problem for each combination of dtypes and options of `op`.

    Combinations with a dtype that is not in `dtypes` are skipped. `specs` is the folder of the
    specs. Raises `Refused` if no combination remains.
    """
    if op.reference is None:
        raise Refused(f"{op.name} has no reference of its own: export the op whose gradient it is")
    if any(tensor.list for tensor in op.tensors):
        raise Refused(f"{op.name} takes or gives lists of tensors")
    file, _, function = op.reference.partition(":")
    source = (specs / file).read_text(encoding="utf-8")
    groups: dict[tuple[Any, ...], list[Case]] = {}
    skipped: set[str] = set()
    for case in _cases(op):
        values = environment(op, case)
        present = [t for t in op.tensors if t in op.results + op.inputs and there(t, values)]
        unknown = {dtype_in(t, values) for t in present} - {*dtypes}
        skipped |= unknown
        if not unknown:
            fixed = {**_constant(op, case, values), **_fixed(op, case)}
            key = case.dtypes, case.absent, tuple(sorted(fixed.items(), key=str))
            groups.setdefault(key, []).append(case)
    if not groups:
        raise Refused(f"no call of {op.name} has only dtypes of the format")
    found = tuple(_problem(op, own, source, function) for own in groups.values())
    return Problems(_named(found), tuple(_lost(op, skipped)))


def _cases(op: Op) -> Iterator[Case]:
    """Yield the samples of the spec with each combination of dtypes. A group becomes one dim."""
    given = samples(op) or [c for c in cases(op) if _is_filled(c)][:MOST]
    groups = {name for name, kind in names_of(op).items() if kind == "ints"}
    seen = set()
    for row in dtype_rows(op):
        for case in given:
            sizes = tuple((n, (math.prod(s),) if n in groups else s) for n, s in case.sizes)
            flat = replace(case, dtypes=row, sizes=sizes, seed=0)
            if flat not in seen and holds(op, flat):
                seen.add(flat)
                yield flat


def _is_filled(case: Case) -> bool:
    return all(size and (not isinstance(size, tuple) or all(size)) for _, size in case.sizes)


def _terms(op: Op, tensor: Tensor, values: Mapping[str, Any], case: Case) -> list[tuple[str, Any]]:
    """Return the axes of a tensor, each with its size. A group becomes one axis."""
    found: list[tuple[str, Any]] = []
    for term in form_in(op, tensor, values, case).terms:
        if isinstance(term, Group):
            found.append((term.name, math.prod(values[term.name])))
        else:
            found.append((_axis(str(term)), evaluate(term.size, values)))
    return found


def _axis(text: str) -> str:
    word = re.sub(r"\W+", "_", text).strip("_")
    return word if word and not word[0].isdigit() else f"size_{word}"


def _constant(op: Op, case: Case, values: Mapping[str, Any]) -> dict[str, int]:
    """Return the axes whose size is fixed in a problem, with their sizes.

    An axis is fixed if it occurs only in results or determines the size of such an axis. An axis is
    also fixed if a requirement fixes its size.
    """
    given = dict(p for t in op.inputs if there(t, values) for p in _terms(op, t, values, case))
    results = [t for t in op.outputs if there(t, values)]
    made = dict(pair for t in results for pair in _terms(op, t, values, case))
    follow = {
        name
        for t in results
        for term in form_in(op, t, values, case).terms
        if not isinstance(term, Group) and _axis(str(term)) not in given
        for name in names_in(term.size)
    }
    alike = {
        _axis(str(term))
        for t in op.inputs
        if there(t, values)
        for term in form_in(op, t, values, case).terms
        if not isinstance(term, Group) and follow & {*names_in(term.size)}
    }
    alike |= _told_sizes(op)
    return {n: size for n, size in {**given, **made}.items() if n not in given or n in alike}


def _told_sizes(op: Op) -> set[str]:
    """Return the dims whose size a requirement fixes, for example `d == 64`."""
    return {
        r.condition.operands[0].id
        for r in op.require
        if isinstance(r.condition, Compare)
        and r.condition.ops == ("==",)
        and isinstance(r.condition.operands[0], Name)
        and isinstance(r.condition.operands[1], Const)
    }


def _fixed(op: Op, case: Case) -> dict[str, Any]:
    """Return the attrs that cannot be arguments of `run`, with their fixed values."""
    values = environment(op, case)
    axes = {n for t in op.tensors if there(t, values) for n in _names(op, t, values, case)}
    every = {a.name: values.get(a.name, a.default) for a in op.options_given}
    return {
        a.name: every[a.name]
        for a in op.options_given
        if a.type not in SCALARS or a.name in axes or every[a.name] is None
    }


def _names(op: Op, tensor: Tensor, values: Mapping[str, Any], case: Case) -> set[str]:
    terms = form_in(op, tensor, values, case).terms
    return {n for term in terms if not isinstance(term, Group) for n in names_in(term.size)}


def _problem(op: Op, own: Sequence[Case], source: str, function: str) -> Problem:
    case = own[0]
    values, fixed = environment(op, case), _fixed(op, case)
    constant = _constant(op, case, values)

    def tensor(each: Tensor, name: str) -> Value:
        axes = tuple(name for name, _ in _terms(op, each, values, case))
        return Value(name, axes, dtype_in(each, values))

    given = [t for t in op.inputs if there(t, values)]
    scalars = [a for a in op.options_given if a.name not in fixed]
    inputs = [tensor(t, t.name) for t in given]
    inputs += [
        Value(a.name, None, {"float": "f32", "int": "i64", "bool": "bool"}[a.type]) for a in scalars
    ]
    outputs = [tensor(t, t.name) for t in op.outputs if there(t, values)]
    outputs += [tensor(t, f"{t.name}_out") for t in op.updated if there(t, values)]
    axes = {n: constant.get(n) for each in (*inputs, *outputs) for n in each.shape or ()}
    constraints = [
        text_of(r.condition)
        for r in op.require
        if r.each is None
        and names_in(r.condition)
        and {*names_in(r.condition)} <= {n for n in axes if n not in _told_sizes(op)}
    ]
    passed = [t.name if t in given else "None" for t in op.inputs]
    dtypes = [f"xp.{DTYPES[v.dtype].torch}" for v in outputs]
    options = [
        f"{a.name}={a.name if a in scalars else repr(fixed[a.name])}" for a in op.options_given
    ]
    code = (
        f"{source.strip()}\n\n\nimport array_api_compat.torch as xp\n\n\n"
        f"def run({', '.join(v.name for v in inputs)}):\n"
        f"    made = {function}(xp, {', '.join([*passed, *options])})\n"
        f"    made = made if isinstance(made, tuple) else (made,)\n"
        f"    made = [each for each in made[:{len(op.results)}] if each is not None]\n"
        f"    made = [xp.astype(each, dtype) for each, dtype in zip(made, [{', '.join(dtypes)}])]\n"
        f"    return tuple(made) if len(made) > 1 else made[0]\n"
    )
    return Problem(
        op.name,
        op.name,
        op.doc,
        tuple(inputs),
        tuple(outputs),
        axes,
        tuple(constraints),
        code,
        tuple(workload(op, each, [a.name for a in scalars], axes) for each in own),
        tuple(own),
        tuple(_require(op, case, values, constant)),
    )


def _require(
    op: Op, case: Case, values: Mapping[str, Any], constant: Mapping[str, int]
) -> Iterator[str]:
    """Yield conditions that limit the op to the dtypes, options, ranks and sizes of a problem."""
    yield from (f"{name} == {dtype}" for name, dtype in case.dtypes)
    for tensor in op.inputs:
        if not there(tensor, values):
            yield f"not present({tensor.name})"
            continue
        if tensor.optional:
            yield f"present({tensor.name})"
        terms = form_in(op, tensor, values, case).terms
        if any(isinstance(term, Group) for term in terms):
            yield f"rank({tensor.name}) == {len(terms)}"
        for term in terms:
            if not isinstance(term, Group) and _axis(str(term)) in constant:
                yield f"{term} == {constant[_axis(str(term))]}"
    for name, value in _fixed(op, case).items():
        if value is None or value is False:
            yield f"not present({name})" if value is None else f"not {name}"
        elif isinstance(value, str) and value not in DTYPES:
            yield f'{name} == "{value}"'
        else:
            yield name if value is True else f"{name} == {value}"


def workload(
    op: Op, case: Case, scalars: Sequence[str], axes: Mapping[str, int | None]
) -> Workload:
    """Return a call as a workload: its sizes and scalars."""
    values = environment(op, case)
    sizes = dict(p for t in op.inputs if there(t, values) for p in _terms(op, t, values, case))
    return Workload(
        {n: size for n, size in sizes.items() if axes[n] is None},
        {name: values[name] for name in scalars},
    )


def _named(found: Sequence[Problem]) -> tuple[Problem, ...]:
    """Name each problem after its op and the properties in which it differs from the others."""
    named: dict[str, Problem] = {}
    for each in found:
        dtypes = dict.fromkeys(v.dtype for v in each.inputs if v.shape is not None)
        sizes = [f"{n}{size}" for n, size in each.axes.items() if size is not None]
        name = "_".join([each.op, *dtypes, *sizes])
        numbered = (f"{name}_{n}" for n in itertools.count(1))
        name = next(n for n in itertools.chain([name], numbered) if n not in named)
        named[name] = replace(each, name=name)
    return tuple(named.values())


def _lost(op: Op, skipped: set[str]) -> Iterator[str]:
    groups = {group.name for t in op.tensors for shape in t.shapes for group in shape.groups}
    yield from (f"`*{name}`, any number of dims, is one axis" for name in sorted(groups))
    yield from (f"calls with tensors of {dtype} are left out" for dtype in sorted(skipped))
    yield from (f"which values `{t.name}` may have" for t in op.inputs if t.values)
    if op.updated:
        names = ", ".join(f"`{t.name}`" for t in op.updated)
        yield f"{names}: written in place here, and a result there"
    if any(grad.kind != "none" for grad in op.grad.values()):
        yield "the gradient"
    if op.splittable:
        yield "the sharding rule"
    if any(t.optional for t in op.inputs):
        yield "that inputs may be absent: each presence is a problem of its own"
    hidden = [text_of(r.condition) for r in op.require if r.each is not None]
    yield from (f"the requirement {text}" for text in hidden)
