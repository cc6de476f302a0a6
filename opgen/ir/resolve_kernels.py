"""Convert the kernels of an op from its linted spec to the IR."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence

from opgen.ir.guarantees import promised_by
from opgen.ir.kinds import Written, kind_of
from opgen.ir.nodes import DTypeVar, Kernel, Requirement
from opgen.ir.parsed import decided, parsed, requirements
from opgen.ir.resolve_tune import tune_of
from opgen.language.call_variants import ways as ways_of
from opgen.language.dtype_variables import possible
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Name, parse_expr, substitute
from opgen.language.expr.decide import decide
from opgen.language.scope import Scope
from opgen.spec.cases import fixed
from opgen.spec.extensions import platforms
from opgen.spec.models.kernels import KernelKeys, KernelSpec
from opgen.spec.models.ops import OpSpec


def free_dtypes(op: OpSpec, dtypes: tuple[DTypeVar, ...]) -> dict[str, tuple[str, ...]]:
    """Return the free dtype variables and required dtype attrs of an op, with their choices."""
    free = {var.name: var.choices for var in dtypes if var.free}
    for name, attr in op.attrs.items():
        if attr.type == "dtype" and name not in free and not attr.optional:
            free[name] = attr.choices or tuple(DTYPES)
    return free


def resolve_kernels(
    scope: Scope,
    dtypes: tuple[DTypeVar, ...],
    require: tuple[Requirement, ...],
    sources: Mapping[str, tuple[str, ...]],
    read_kernel: Callable[[str], str],
) -> Iterator[Kernel]:
    """Yield the kernels, including those that are not written yet."""
    free = free_dtypes(scope.spec, dtypes)
    listed = any(kernel.listed for kernel in scope.spec.kernels)
    for kernel in scope.spec.kernels:
        platform = kernel.platform
        conditions = requirements(kernel.require)
        conditions += tuple(Requirement(parse_expr(text)) for text in kernel.bounds)
        own, dispatch = sources.get(platform, ()), kernel.dispatch
        if dispatch is None:
            carried = {d for tensor in scope.spec.tensors.values() for d in tensor.dtype.values()}
            known = (name for name in free if not scope.spec.may_be_none(name))
            dispatch = (*known, *(name for name in scope.dtypes.asking if name in carried))
        kind = kind_of(kernel)
        if kernel.call or (kind and not kind.dispatched):
            dispatch = ()
        if kernel.call or kind:
            own = ()
        rows = dispatch_rows(
            dispatch,
            free,
            dtypes,
            require + conditions,
            ways_of(scope, [scope.dtypes.expression(name) for name in dispatch]),
        )
        written = Written(scope, kernel, dispatch, rows, read_kernel)
        code = kind.resolve(written) if kind else None
        conditions += tuple(map(Requirement, kind.requires(scope) if kind else ()))
        kept = parsed(kernel, KernelKeys, require=()) | dict(code.kept if code else {})
        kept |= {
            "symbol": decided(kernel.symbol or fixed(scope.spec.name)),
            "name": kernel_name(scope.spec, kernel),
            "listed": listed and platforms()[platform].native,
            "sources": own,
            "dispatch": dispatch,
            "require": conditions,
            "args": kernel.args or _given(scope.spec),
        }
        yield Kernel(
            **kept,
            rows=rows,
            code=code,
            tune=tune_of(scope, kernel, dispatch),
            guarantees=promised_by(scope.spec, kernel),
        )


def _given(op: OpSpec) -> tuple[str, ...]:
    return (*op.inputs, *op.outputs, *op.residuals, *op.workspace, *op.attrs)


def kernel_name(op: OpSpec, kernel: KernelSpec) -> str:
    """Return the name that the spec gives a kernel, or else the name of its first function."""
    if kernel.name:
        return kernel.name
    if kernel.call is not None:
        return kernel.call.partition("(")[0].strip()
    kind = kind_of(kernel)
    if kind is not None:
        return kind.function(kernel.named or "")
    return next(iter(kernel.symbol.values()), op.name)


def dispatch_rows(
    dispatch: tuple[str, ...],
    free: Mapping[str, tuple[str, ...]],
    dtypes: tuple[DTypeVar, ...],
    require: tuple[Requirement, ...],
    ways: Sequence[Mapping[str, object]] = ({},),
) -> tuple[tuple[str, ...], ...]:
    """Return those combinations of dtypes of the variables `dispatch` that meet the requirements.

    `ways` has the combinations of attr values and present tensors that the variables depend on.
    """
    derived = {var.name: var.expr for var in dtypes if not var.free}
    conditions = [substitute(r.condition, derived) for r in require]
    whole = {name: substitute(Name(name), derived) for name in dispatch}
    rows: dict[tuple[str, ...], None] = {}
    for combination, way in itertools.product(itertools.product(*free.values()), ways):
        values = {**dict(zip(free, combination)), **way}
        if all(decide(c, values) is not False for c in conditions):
            each = (dict.fromkeys(possible(whole[name], values)) for name in dispatch)
            rows.update(dict.fromkeys(itertools.product(*each)))
    return tuple(rows)
