"""From linted specs to the IR.

Lint has refused everything that could go wrong here: a failure in this module is a bug in
opgen.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TypeVar

from opgen.ir.descriptor import describe
from opgen.ir.gradients import calls_of, grads_of, pair
from opgen.ir.nodes import (
    REQUIRED,
    Attr,
    Cases,
    DTypeVar,
    Excuse,
    Gradient,
    Kernel,
    Op,
    Requirement,
    Tensor,
)
from opgen.language.call_variants import decide
from opgen.language.dtypes import DTYPES
from opgen.language.expr import (
    Binary,
    Compare,
    Const,
    Expr,
    Name,
    Unary,
    names_in,
    parse_expr,
    walk,
)
from opgen.language.expr.evaluate import evaluate
from opgen.language.functions import SizeFunction, functions_of
from opgen.language.scope import Scope, as_expression, cases_of
from opgen.language.shapes import Shape, parse_shape
from opgen.spec.extensions import extensions, named_kernel, platforms
from opgen.spec.inheritance import TENSOR_TABLES

ROLES = dict(zip(TENSOR_TABLES, ("input", "output", "residual", "workspace")))
ROWS_AT_MOST = 64
V = TypeVar("V")


def resolve_op(scope: Scope, scopes: Mapping[str, Scope], *, family: str, spec: str, sources: Mapping[str, tuple[str, ...]], read: Callable[[str], str]) -> Op:  # fmt: skip
    """The op of `scope`, whole.

    `scopes` holds the ops of every spec, for its backwards; `sources` the hand-written
    files of its family, by platform; `read` gives the text of a file beside the spec.
    """
    table = scope.table
    dtypes = _dtype_vars(scope)
    require = _requirements(table.get("require", []))
    tensors = {
        key: tuple(
            _tensor(name, ROLES[key], entry) for _, name, entry in scope.entries(key)
        )
        for key in TENSOR_TABLES
    }
    derived = {n: e for n, e in scope.derived.items() if n not in scope.functions}
    made = (*tensors["outputs"], *tensors["residuals"], *tensors["workspace"])
    free = {name for name, entry in scope.attrs.items() if entry.get("min", -1) < 0}
    require += tuple(dict.fromkeys(_sizes(made, derived, free, require)))
    kernels, awaited, fallback = _kernels(scope, dtypes, require, sources)
    sharding = table["sharding"]
    split = sharding.get("split", []) if isinstance(sharding, dict) else []
    units = sharding.get("unit", {}) if isinstance(sharding, dict) else {}
    stages = sharding.get("stages", {}) if isinstance(sharding, dict) else {}
    excuses = sharding.get("excuses", ()) if isinstance(sharding, dict) else ()
    return Op(
        name=scope.name,
        family=family,
        doc=table["doc"],
        version=table.get("version", 1),
        deprecated=table.get("deprecated"),
        tags=tuple(table.get("tags", ())),
        spec=spec,
        reference=table.get("reference"),
        dtypes=dtypes,
        inputs=tensors["inputs"],
        attrs=(
            *(_computed(name, fn, read) for name, fn in scope.functions.items()),
            *(_attr(name, entry) for name, entry in scope.attrs.items()),
        ),
        dims=tuple((n, as_expression(e)) for n, e in derived.items()),
        outputs=tensors["outputs"],
        residuals=tensors["residuals"],
        workspace=tensors["workspace"],
        require=require,
        grad=_gradients(scope, scopes),
        split=_cases(split, tuple),
        units=tuple(units.items()),
        stages=tuple((dim, tuple(names)) for dim, names in stages.items()),
        follow=sharding.get("follow") if isinstance(sharding, dict) else None,
        excuses=tuple(map(_excuse, excuses)),
        vmap=table.get("vmap", "fold"),
        autocast=table.get("autocast"),
        kernels=kernels,
        awaited=awaited,
        fallback=fallback,
        descriptor=describe(scope),
        cost=tuple(
            (key, parse_expr(str(e))) for key, e in table.get("cost", {}).items()
        ),
        samples=tuple(table.get("samples", ())),
        options={name: dict(table.get(name, {})) for name in extensions()},
    )


def _computed(name: str, fn: str, read: Callable[[str], str]) -> Attr:
    """A size that a Python function computes: an attr, which every layer below the faces takes."""
    file, _, function = fn.partition(":")
    text = read(file)
    found = SizeFunction(file, function, functions_of(text)[function], text)
    return Attr(name, "int", REQUIRED, min=0, computed=found)


def _excuse(entry: Mapping) -> Excuse:
    dims = entry.get("dims")
    return Excuse(
        entry["reason"],
        None if dims is None else tuple(dims),
        entry.get("unlike", False),
        entry.get("uneven", False),
        entry.get("target"),
    )


def _cases(value: object, convert: Callable) -> Cases:
    return Cases(tuple((c, convert(item)) for c, item in _conditional(cases_of(value))))


def _conditional(cases: Iterable[tuple[str | None, V]]) -> Iterator[tuple[Expr | None, V]]:  # fmt: skip
    """Cases with their conditions parsed; one that looks at nothing is decided here."""
    for condition, value in cases:
        expr = _maybe(condition)
        holds = None if expr is None else decide(expr, {})
        if holds:
            yield None, value
            return
        if holds is None:
            yield expr, value


def _maybe(text: object) -> Expr | None:
    return None if text is None else parse_expr(str(text))


def _requirements(items: list) -> tuple[Requirement, ...]:
    found = []
    for item in items:
        pairs = [(item, None)] if isinstance(item, str) else item.items()
        found += [Requirement(parse_expr(text), message) for text, message in pairs]
    return tuple(found)


def _sizes(made: Iterable[Tensor], derived: Mapping, free: Collection[str], require: Iterable[Requirement]) -> Iterator[Requirement]:  # fmt: skip
    """That what is made has no negative size, where a subtraction or an attr might give it one.

    `free` are the attrs without a minimum of 0. What the op requires of a derived dim by
    itself is taken for enough.
    """
    said = {name for each in require for name in names_in(each.condition)}
    for tensor in made:
        if tensor.when is not None or not tensor.forms.plain:
            continue
        for term in tensor.forms.only[0].terms:
            size = getattr(term, "size", None)
            known = isinstance(size, Name) and size.id in said
            given = isinstance(size, Name) and size.id in free
            if given or size is not None and not known and _subtracts(size, derived):
                yield Requirement(Compare((">=",), (size, Const(0))))


def _subtracts(size: Expr, derived: Mapping) -> bool:
    if isinstance(size, Name) and size.id in derived:
        size = as_expression(derived[size.id])
    return any(isinstance(e, Binary | Unary) and e.op == "-" for e in walk(size))


def _words(text: str) -> str:
    """`text` with one blank between its words."""
    return " ".join(text.split())


def _forms(value: object) -> tuple[Shape, ...]:
    return tuple(map(parse_shape, value if isinstance(value, list) else [value]))


def _tensor(name: str, role: str, entry: Mapping) -> Tensor:
    update = entry.get("update", False)
    layout = entry.get("layout", "contiguous")
    values = entry.get("values")
    return Tensor(
        name=name,
        role=role,
        dtype=_cases(entry["dtype"], str),
        forms=_cases(entry["shape"], _forms),
        doc=entry.get("doc", ""),
        optional=entry.get("optional", False),
        when=_maybe(entry.get("when")),
        update=_cases(update, bool) if isinstance(update, dict) else update,
        init=_maybe(entry.get("init")),
        list=entry.get("list"),
        layout=_cases(layout, _words) if isinstance(layout, dict) else _words(layout),
        align=entry.get("align"),
        values=None if values is None else _cases(values, lambda e: parse_expr(str(e))),
        differentiable=entry.get("differentiable", True),
        reduce=tuple((n, _cases(how, str)) for n, how in entry.get("reduce", {}).items()),  # fmt: skip
        length=entry.get("length"),
        begin=entry.get("begin"),
    )


def _attr(name: str, entry: Mapping) -> Attr:
    kind = entry["type"]
    default = entry.get("default", None if entry.get("optional") else REQUIRED)
    if isinstance(default, str) and kind not in ("str", "dtype"):
        default = parse_expr(default)
    if isinstance(default, list):
        default = tuple(default)
    if kind == "float" and isinstance(default, int):
        default = float(default)
    return Attr(
        name=name,
        type=kind,
        default=default,
        choices=tuple(entry.get("choices", ())),
        min=entry.get("min"),
        max=entry.get("max"),
        optional=entry.get("optional", False),
        tuning=entry.get("tuning", False),
        doc=entry.get("doc", ""),
    )


def _dtype_vars(scope: Scope) -> tuple[DTypeVar, ...]:
    """The variables that the op uses, also through others, in the order of `[dtypes]`."""
    used: set[str] = set()

    def use(name: str) -> None:
        if name in used or name not in scope.dtypes:
            return
        used.add(name)
        value = scope.dtypes[name]
        if not isinstance(value, list):
            for condition, item in cases_of(value):
                for text in filter(None, (condition, item)):
                    for other in names_in(parse_expr(str(text))):
                        use(other)

    for _, _, entry in scope.entries():
        for _, dtype in cases_of(entry["dtype"]):
            use(dtype)
    for name in scope.attrs:
        use(name)
    return tuple(
        (
            DTypeVar(name, choices=tuple(value))
            if isinstance(value, list)
            else DTypeVar(name, value=_cases(value, lambda e: parse_expr(str(e))))
        )
        for name, value in scope.dtypes.items()
        if name in used
    )


def free_dtypes(
    scope: Scope, dtypes: tuple[DTypeVar, ...]
) -> dict[str, tuple[str, ...]]:
    """The free variables of an op and the dtype attrs that every call has, with what each may be."""
    free = {var.name: var.choices for var in dtypes if var.free}
    for name, attr in scope.attrs.items():
        if (
            attr.get("type") == "dtype"
            and name not in free
            and not attr.get("optional")
        ):
            free[name] = tuple(attr.get("choices") or DTYPES)
    return free


def _kernels(
    scope: Scope,
    dtypes: tuple[DTypeVar, ...],
    require: tuple[Requirement, ...],
    sources: Mapping[str, tuple[str, ...]],
) -> tuple[tuple[Kernel, ...], tuple[Kernel, ...], bool]:
    """The kernels that exist, those that are awaited, and whether `else` is given."""
    given = scope.table["kernels"]
    given = dict.fromkeys(given, scope.name) if isinstance(given, list) else dict(given)
    fallback = given.pop("else", None) == "reference"
    free = free_dtypes(scope, dtypes)
    kernels, awaited = [], []
    for platform, entry in given.items():
        entry = {"symbol": entry} if isinstance(entry, str) else entry
        conditions = _requirements(entry.get("require", []))
        foreign = "call" in entry
        dispatch = () if foreign else tuple(entry.get("dispatch", free))
        own = () if foreign else entry.get("sources", sources.get(platform, ()))
        kernel = Kernel(
            platform=platform,
            symbol=entry.get("symbol", scope.name),
            sources=tuple(own),
            dispatch=dispatch,
            rows=dispatch_rows(dispatch, free, dtypes, require + conditions),
            grid=tuple(parse_expr(str(e)) for e in entry.get("grid", ())),
            block=tuple(parse_expr(str(e)) for e in entry.get("block", ())),
            index=entry.get("index", "i64"),
            workspace=entry.get("workspace"),
            require=conditions,
            library=entry.get("library"),
            call=entry.get("call"),
            named=named_kernel(platform, entry),
            options={k: entry[k] for k in platforms()[platform].keys if k in entry},
        )
        (kernels if kernel.sources or kernel.named else awaited).append(kernel)
    return tuple(kernels), tuple(awaited), fallback


def dispatch_rows(
    dispatch: tuple[str, ...],
    free: Mapping[str, tuple[str, ...]],
    dtypes: tuple[DTypeVar, ...],
    require: tuple[Requirement, ...],
) -> tuple[tuple[str, ...], ...]:
    """The dtype combinations that the dtype-only requirements leave, over `dispatch`."""
    known = {*free, *(var.name for var in dtypes), *DTYPES}
    conditions = [r.condition for r in require if set(names_in(r.condition)) <= known]
    rows = {}
    for combination in itertools.product(*free.values()):
        values = dict(zip(free, combination))
        for var in dtypes:
            if not var.free and var.value.plain:
                values[var.name] = evaluate(var.value.only, values)
        if all(evaluate(c, values) for c in conditions):
            rows[tuple(values[name] for name in dispatch)] = None
    return tuple(rows)


def _gradients(scope: Scope, scopes: Mapping[str, Scope]) -> Cases[Gradient]:
    cases = _conditional((c, g) for c, _, g in grads_of(scope))
    return Cases(tuple((c, _gradient(scope, scopes, g)) for c, g in cases))


def _gradient(scope: Scope, scopes: Mapping[str, Scope], grad: object) -> Gradient:
    if isinstance(grad, str):
        return Gradient(kind=grad)
    return Gradient(
        kind="rules",
        calls=tuple(pair(scope, scopes[call["op"]], call) for call in calls_of(grad)),
        formulas=tuple(
            (n, parse_expr(str(e))) for n, e in grad.get("formulas", {}).items()
        ),
        require=_requirements(grad.get("require", [])),
    )
