"""The calls that an op is tested with: every dtype row, awkward sizes, the spec's samples."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from opgen.dtypes import DTYPES
from opgen.expr import Expr
from opgen.expr.evaluate import evaluate
from opgen.ir import Op, Tensor
from opgen.resolve import dispatch_rows
from opgen.shapes import Group, Shape

# Empty, one element, ragged, odd, and past one vector register or tile.
GROUPS = ((3, 5), (1,), (0,), (), (2, 33), (4, 0, 3), (129,), (2, 3, 17))
DIMS = (5, 1, 0, 17, 33, 3, 129, 64)


@dataclass(frozen=True)
class Case:
    """One call: dtypes of the free variables, sizes of dims and groups, attrs, absences."""

    dtypes: tuple[tuple[str, str], ...]
    sizes: tuple[tuple[str, object], ...]
    attrs: tuple[tuple[str, object], ...] = ()
    absent: tuple[str, ...] = ()
    seed: int = 0
    rtol: float | None = field(default=None, compare=False)

    def __str__(self) -> str:
        sizes = (
            f"{n}{'x'.join(map(str, v)) if isinstance(v, tuple) else v}"
            for n, v in self.sizes
        )
        return "-".join(
            [*(d for _, d in self.dtypes), *sizes, *(f"no_{a}" for a in self.absent)]
        )


def names_of(op: Op) -> dict[str, str]:
    """The dims (`int`) and groups (`ints`) that the inputs' shapes leave free."""
    attrs = {a.name for a in op.attrs}
    derived = {name for name, _ in op.dims}
    found: dict[str, str] = {}
    for tensor in op.inputs:
        for shape in shapes_of(tensor):
            groups = {g.name for g in shape.groups}
            for name in shape.names:
                if name not in attrs and name not in derived:
                    found.setdefault(name, "ints" if name in groups else "int")
    return found


def shapes_of(tensor: Tensor) -> list[Shape]:
    return [shape for forms in tensor.forms.values() for shape in forms]


def cases(op: Op, *, floating: bool = False, limit: int = 24) -> list[Case]:
    """The cases of `op`: each dtype row with sizes in turn, then each size in the first row.

    With `floating`, only those in which every free dtype is a floating one. At most `limit`.
    """
    rows = dtype_rows(op)
    if floating:
        rows = [row for row in rows if all(DTYPES[d].floating for _, d in row)]
    sizes = size_sets(op)
    drawn = [
        *samples(op),
        *(Case(row, sizes[n % len(sizes)], seed=n) for n, row in enumerate(rows)),
    ]
    drawn += (
        [Case(rows[0], size, seed=100 + n) for n, size in enumerate(sizes)]
        if rows
        else []
    )
    allowed = set(rows)
    good = [case for case in drawn if case.dtypes in allowed and holds(op, case)]
    return list(dict.fromkeys(good))[:limit]


def doubles(op: Op) -> list[Case]:
    """Two small cases in f64 throughout, for numeric differentiation."""
    rows = [row for row in dtype_rows(op) if all(dtype == "f64" for _, dtype in row)]
    sizes = [tuple((n, v[k == "ints"]) for n, k in names_of(op).items()) for v in ((3, (2, 3)), (1, (4,)))]  # fmt: skip
    return [
        case
        for row in rows
        for size in sizes
        if holds(op, case := Case(row, size, seed=7))
    ]


def dtype_rows(op: Op) -> list[tuple[tuple[str, str], ...]]:
    """Every combination of the free dtype variables that the op allows."""
    free = {var.name: var.choices for var in op.dtypes if var.free}
    rows = dispatch_rows(tuple(free), free, op.dtypes, op.require)
    return [tuple(zip(free, row)) for row in rows]


def size_sets(op: Op) -> list[tuple[tuple[str, object], ...]]:
    """Awkward sizes for all names at once, each name at another place of its list."""
    names = names_of(op)
    sets = []
    for turn in range(len(GROUPS)):
        sizes = []
        for place, (name, kind) in enumerate(names.items()):
            pool = GROUPS if kind == "ints" else DIMS
            sizes.append((name, pool[(turn + 3 * place) % len(pool)]))
        sets.append(tuple(sizes))
    return sets


def samples(op: Op) -> list[Case]:
    """The spec's own samples."""
    names, attrs = names_of(op), {a.name for a in op.attrs}
    rows = dtype_rows(op)
    optional = {t.name for t in op.inputs if t.optional}
    found = []
    for number, sample in enumerate(op.samples):
        if not set(names) <= set(sample) or not rows:
            continue
        first = dict(rows[0])
        dtypes = tuple((name, str(sample.get(name, first[name]))) for name in first)
        sizes = tuple(
            (n, tuple(sample[n]) if k == "ints" else sample[n])
            for n, k in names.items()
        )
        given = tuple((n, v) for n, v in sample.items() if n in attrs)
        absent = tuple(n for n in optional if sample.get(n) is False)
        found.append(
            Case(dtypes, sizes, given, absent, 50 + number, sample.get("rtol"))
        )
    return found


def environment(op: Op, case: Case) -> dict[str, object]:
    """What every name of the op is in this case."""
    values: dict[str, object] = {**dict(case.dtypes), **dict(case.sizes)}
    for attr in op.attrs:
        if not isinstance(attr.default, Expr) and not attr.required:
            values[attr.name] = attr.default
    values |= dict(case.attrs)
    for tensor in op.inputs:
        values[tensor.name] = None if tensor.name in case.absent else ()
    for var in op.dtypes:
        if not var.free:
            values[var.name] = pick(var.value, values)
    for name, value in op.dims:
        values[name] = evaluate(value, values)
    return values


def pick(cases, values, convert=evaluate):
    """The value of a `Cases` in this environment."""
    for condition, value in cases.cases:
        if condition is None or evaluate(condition, values):
            return convert(value, values)
    raise ValueError("no case holds")


def shape_in(tensor: Tensor, values: dict) -> tuple[int, ...]:
    """The shape of `tensor` in this environment."""
    shape, *_ = pick(tensor.forms, values, lambda forms, _: forms)
    sizes: list[int] = []
    for term in shape.terms:
        sizes += (
            values[term.name]
            if isinstance(term, Group)
            else [evaluate(term.size, values)]
        )
    return tuple(sizes)


def dtype_in(tensor: Tensor, values: dict) -> str:
    """The dtype of `tensor` in this environment."""
    name = pick(tensor.dtype, values, lambda name, _: name)
    return str(values.get(name, name))


def holds(op: Op, case: Case) -> bool:
    """Whether the requirements of the spec allow this case."""
    values = environment(op, case)
    for tensor in op.inputs:
        if values[tensor.name] is not None:
            values[tensor.name] = shape_in(tensor, values)
    return all(evaluate(r.condition, values) for r in op.require)


def numpy_dtype(name: str) -> np.dtype:
    """The NumPy dtype of a spec dtype; bf16 and fp8 come from ml_dtypes."""
    import ml_dtypes

    jax_name = DTYPES[name].jax.rstrip("_")
    return np.dtype(getattr(ml_dtypes, jax_name, None) or jax_name)


def draw(op: Op, case: Case) -> list[np.ndarray | None]:
    """Fresh inputs, in file order: normal floats, integers over their whole range."""
    return draw_tensors(op.inputs, op, case)


def draw_tensors(
    tensors: tuple[Tensor, ...], op: Op, case: Case
) -> list[np.ndarray | None]:
    """Random values for `tensors` (inputs, or outputs whose cotangents are wanted)."""
    values = environment(op, case)
    rng = np.random.default_rng([case.seed, len(tensors)])
    arrays: list[np.ndarray | None] = []
    for tensor in tensors:
        if tensor.name in case.absent:
            arrays.append(None)
            continue
        info = DTYPES[dtype_in(tensor, values)]
        shape = shape_in(tensor, values)
        if info.kind == "float":
            array = rng.standard_normal(shape)
        elif info.kind == "bool":
            array = rng.integers(0, 2, shape)
        else:
            limits = np.iinfo(numpy_dtype(info.name))
            array = rng.integers(
                max(limits.min, -1000), min(limits.max, 1000), shape, endpoint=True
            )
        arrays.append(np.asarray(array).astype(numpy_dtype(info.name)))
    return arrays
