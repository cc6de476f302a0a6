"""Convert specs without lint errors to the intermediate representation (IR).

Lint rejects everything that could fail here. A failure in this module is a bug in opgen.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial

from opgen.ir.aligned import by_shape
from opgen.ir.descriptor import describe
from opgen.ir.gradients import pair
from opgen.ir.guarantees import kept_by_all
from opgen.ir.layouts import canonical
from opgen.ir.nodes import (
    REQUIRED,
    ROLES,
    Attr,
    Bundle,
    DTypeVar,
    Gradient,
    Requirement,
    Tensor,
)
from opgen.ir.op import Op
from opgen.ir.parsed import attr_of, decided, in_order, parsed, requirements, shapes_of
from opgen.ir.placements import followed
from opgen.ir.resolve_kernels import resolve_kernels
from opgen.language.expr import (
    Binary,
    Compare,
    Const,
    Expr,
    Index,
    Name,
    Unary,
    names_in,
    parse_expr,
    walk,
)
from opgen.language.expr.syntax import as_expression
from opgen.language.python_functions import SizeFunction, functions_in
from opgen.language.scope import Scope
from opgen.language.shapes import Group
from opgen.spec.bundles import BundleSpec
from opgen.spec.models.ops import About, OpSpec
from opgen.spec.models.rules import GradSpec
from opgen.spec.models.tensors import TensorKeys, TensorSpec


def resolve_op(
    scope: Scope,
    scopes: Mapping[str, Scope],
    *,
    family: str,
    spec: str,
    sources: Mapping[str, tuple[str, ...]],
    read: Callable[[str], str],
    read_kernel: Callable[[str], str],
) -> Op:
    """Return the complete IR of the op of `scope`.

    `scopes` has the ops of all specs, to find the op's backwards. `sources` has the hand-written
    files of the op's family, by platform. `read` returns the text of a file next to the spec,
    `read_kernel` the text of a file in the kernels folder.
    """
    op = scope.spec
    dtypes, derived_dtypes = _dtype_vars(op)
    inputs, outputs, residuals, workspace = (
        tuple(_tensor(scope, tensor) for tensor in table.values())
        for table in (op.inputs, op.outputs, op.residuals, op.workspace)
    )
    dims = {n: as_expression(d.value) for n, d in op.dims.items() if d.fn is None}
    free = {n for n, attr in op.attrs.items() if attr.min is None or attr.min < 0}
    require = requirements(op.require)
    made = (*outputs, *residuals, *workspace)
    require += tuple(dict.fromkeys(_sizes(made, dims, free, require)))
    kernels = tuple(resolve_kernels(scope, dtypes, require, sources, read_kernel))
    return Op(
        **parsed(op, About),
        family=family,
        spec=spec,
        dtypes=dtypes,
        derived_dtypes=derived_dtypes,
        inputs=inputs,
        attrs=(
            *(_computed(name, fn, read) for name, fn in scope.functions.items()),
            *map(attr_of, in_order(op.attrs)),
        ),
        dims=tuple(dims.items()),
        outputs=outputs,
        residuals=residuals,
        workspace=workspace,
        require=require,
        grad=by_shape(
            decided(op.grad).map(partial(_gradient, scope, scopes)),
            (*inputs, *outputs, *residuals),
        ),
        split=decided(op.sharding.split),
        stages=tuple(op.sharding.stages.items()),
        follow=followed(op),
        guarantees=kept_by_all(op),
        vmap=op.vmap,
        autocast=op.autocast,
        kernels=tuple(k for k in kernels if k.sources or k.named),
        awaited=tuple(k for k in kernels if not (k.sources or k.named)),
        fallback=op.fallback,
        descriptor=describe(scope),
        cost=tuple((key, parse_expr(text)) for key, text in op.cost.items()),
        samples=op.samples,
        bundles=tuple(map(_bundle, op.bundles)),
        options=op.options,
    )


def _computed(name: str, fn: str, read: Callable[[str], str]) -> Attr:
    """Return the attr for a size that a Python function computes.

    Only the public wrappers treat this size specially. All other code treats it as an attr.
    """
    file, _, function = fn.partition(":")
    text = read(file)
    found = SizeFunction(file, function, functions_in(text)[function].names_by_place, text)
    return Attr(name, type="int", default=REQUIRED, min=0, computed=found)


def _bundle(bundle: BundleSpec) -> Bundle:
    fields = ((m, bundle.docs[m], m in bundle.defaults) for m in bundle.members)
    members = tuple(bundle.members.items())
    role = ROLES[bundle.role]
    return Bundle(bundle.name, role, bundle.kind, members, tuple(fields), bundle.always)


def _sizes(
    made: Iterable[Tensor],
    dims: Mapping[str, Expr],
    free: Collection[str],
    require: Iterable[Requirement],
) -> Iterator[Requirement]:
    """Yield requirements that reject calls in which a size of a result would be negative.

    A size needs such a requirement if its expression contains a subtraction, or one of the attrs
    `free`, which may be negative. A derived dim that already occurs in a requirement of the op is
    skipped.
    """
    said = {name for each in require for name in names_in(each.condition)}
    for tensor in made:
        if tensor.when is not None or not tensor.forms.plain:
            continue
        for term in tensor.forms.only[0].terms:
            if isinstance(term, Group):
                continue
            known, given = term.name in said, term.name in free
            indexed = {e.value for e in walk(term.size) if isinstance(e, Index)}
            given = given or any(Name(name) in indexed for name in free)
            if given or not known and _subtracts(term.size, dims):
                each = tensor.list if "i" in names_in(term.size) else None
                yield Requirement(Compare((">=",), (term.size, Const(0))), each=each)


def _subtracts(size: Expr, dims: Mapping[str, Expr]) -> bool:
    if isinstance(size, Name):
        size = dims.get(size.id, size)
    return any(isinstance(e, Binary | Unary) and e.op == "-" for e in walk(size))


def _tensor(scope: Scope, tensor: TensorSpec) -> Tensor:
    kept = parsed(tensor, TensorKeys, forms=decided(tensor.forms).map(shapes_of))
    shapes = [shape for forms in kept["forms"].values() for shape in forms]
    kept["layout"] = kept["layout"].map(lambda text: canonical(" ".join(text.split()), shapes))
    return Tensor(**kept, floating=scope.floating(tensor))


def _dtype_vars(op: OpSpec) -> tuple[tuple[DTypeVar, ...], tuple[DTypeVar, ...]]:
    """Return two tuples of dtype variables, both in the order of `[dtypes]`.

    The first tuple has the variables that the op uses, even indirectly. The second has the other
    derived variables that depend only on variables of the first tuple.
    """
    used: set[str] = set()

    def reads(name: str) -> set[str]:
        value = op.dtypes[name].value
        texts = (*value.conditions, *value.values())
        return {n for text in texts for n in names_in(parse_expr(text))}

    def use(name: str) -> None:
        if name in op.dtypes:
            used.add(name)
            for other in reads(name):
                use(other)

    for tensor in op.tensors.values():
        for dtype in tensor.dtype.values():
            use(dtype)
    for name in (*op.attrs, *op.own_dtypes):
        use(name)
    known = set(used)
    for name, var in op.dtypes.items():
        if var.choices is None and reads(name) <= known:
            known.add(name)
    every = {
        name: (
            DTypeVar(name, choices=var.choices)
            if var.choices is not None
            else DTypeVar(name, value=decided(var.value).map(parse_expr))
        )
        for name, var in op.dtypes.items()
        if name in known
    }
    return (
        tuple(var for name, var in every.items() if name in used),
        tuple(var for name, var in every.items() if name not in used),
    )


def _gradient(scope: Scope, scopes: Mapping[str, Scope], grad: GradSpec) -> Gradient:
    return Gradient(
        kind=grad.kind,
        calls=tuple(pair(scope, scopes[call.op], call) for call in grad.calls),
        formulas=tuple((n, parse_expr(text)) for n, text in grad.formulas.items()),
        require=requirements(grad.require),
    )
