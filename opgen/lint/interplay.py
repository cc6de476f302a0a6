"""Group the options of an op, so that lint rules need not try all combinations of all options.

An op with many options has too many combinations to try. But no rule depends on all options at
once. A rule asks, for example, whether one size is known, whether one case applies, or whether one
argument fits. A group contains all options that affect the answer to such a question. So a rule
only needs the combinations within each group, because options outside the group do not change the
answer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from opgen.ir.shape_inference import bound_names
from opgen.language.dtype_variables import DtypeVariables
from opgen.language.expr import Expr, Name, names_in, parse_expr
from opgen.language.scope import Scope
from opgen.language.shapes import parse_shape
from opgen.lint.expression_contexts import Site, case_tables
from opgen.lint.sizes import Sizes, Skeleton
from opgen.spec.models.ops import OpSpec
from opgen.spec.models.strings import kind_and_weight
from opgen.spec.models.tensors import TensorSpec
from opgen.spec.tables import TENSOR_TABLES


class Op(Protocol):
    """The properties of an op that this module uses; `OpContext` implements them."""

    @property
    def spec(self) -> OpSpec: ...

    @property
    def scope(self) -> Scope: ...

    @property
    def sites(self) -> Sequence[Site]: ...

    @property
    def sizes(self) -> Sizes: ...

    @property
    def dtypes(self) -> DtypeVariables: ...

    @property
    def cotangents(self) -> Mapping[str, str]: ...


def interplay(
    op: Op, options: Collection[str], more: Iterable[Collection[str]] = ()
) -> list[frozenset[str]]:
    """Return `options` in groups, so that each question of a rule depends on one group only.

    The options that affect the names in one entry of `more` are in the same group.
    """
    reader = _Reader(op, options)
    groups = _Groups()
    for names in reader.questions():
        groups.join(names)
    for asked in more:
        groups.join({n for name in asked for n in reader.read(name)})
    found: dict[str, set[str]] = {}
    for name in options:
        found.setdefault(groups.find(name), set()).add(name)
    return list(map(frozenset, found.values()))


class _Groups:
    """Disjoint sets of names: `join` merges sets, and `find` identifies the set of a name."""

    def __init__(self) -> None:
        self.parents: dict[str, str] = {}

    def find(self, name: str) -> str:
        while name in self.parents:
            name = self.parents[name]
        return name

    def join(self, names: Iterable[str]) -> None:
        first: str | None = None
        for name in names:
            root = self.find(name)
            if first is None:
                first = root
            elif root != first:
                self.parents[root] = first


class _Reader:
    """Finds the options, optional sizes and dtypes on which each question about an op depends."""

    def __init__(self, op: Op, options: Collection[str]) -> None:
        self.op, self.spec, self.options = op, op.spec, options
        self.sure = _always_known(op)
        self.known: dict[str, frozenset[str]] = {}

    def questions(self) -> Iterator[set[str]]:
        """Yield, for each question that a rule may ask, the options that affect the answer."""
        spec = self.spec
        for site in self.op.sites:
            yield self.expr(site.expr) | self.owner(site.path)
        for name in self.op.dtypes.asking:
            yield self.expr(Name(name))
        for _, tensor_name, cases in case_tables(spec):
            conditions = [self.expr(parse_expr(condition)) for condition in cases.conditions]
            yield set().union(*conditions, self.read(tensor_name or ""))
        for tensor in spec.tensors.values():
            yield self.tensor(tensor) | self.lacking(tensor)
            for kind in (
                k for reduction in dict(tensor.reduce).values() for k in reduction.values()
            ):
                yield self.tensor(tensor) | set(self.read(kind_and_weight(kind)[1]))
        if not any(t.when is None for t in spec.outputs.values()):
            updated = (t for t in spec.inputs.values() if t.updated)
            yield set().union(*map(self.tensor, (*spec.outputs.values(), *updated)))
        yield from self.splits()
        yield from self.gradients()

    def splits(self) -> Iterator[set[str]]:
        """Yield, for each tensor, the options that affect its presence or the choice of split dims.

        Yield nothing if all calls split the same dims.
        """
        split = self.spec.sharding.split
        asked = set().union(*(self.expr(parse_expr(c)) for c in split.conditions))
        names = (n for case in split.values() for n in case)
        asked |= {n for n in names if n not in self.sure}
        for tensor in self.spec.tensors.values() if asked else ():
            yield self.tensor(tensor) | asked

    def gradients(self) -> Iterator[set[str]]:
        """Yield, for each case of `grad`, the options that decide whether a call can use the case.

        Also yield, for each formula of the case, these options together with those that affect the
        formula.
        """
        asked = set().union(*(self.expr(parse_expr(c)) for c in self.spec.grad.conditions))
        for grad in self.spec.grad.values():
            required = (parse_expr(r.condition) for r in grad.require)
            here = asked.union(*map(self.expr, required))
            for residual in self.spec.residuals.values() if grad.calls else ():
                here |= self.tensor(residual) if residual.optional else set()
            yield here
            for primal, formula in grad.formulas.items():
                yield here | self.expr(parse_expr(formula)) | set(self.read(primal))

    def owner(self, path: tuple[str | int, ...]) -> set[str]:
        """Return the options that affect the tensor or attr that has the expression at `path`.

        If this tensor or attr is absent, a call does not evaluate the expression.
        """
        named = path[0] in TENSOR_TABLES or path[0] == "attrs"
        return set(self.read(str(path[1]))) if named else set()

    def expr(self, expr: Expr) -> set[str]:
        return {n for name in names_in(self.op.dtypes.over_free(expr)) for n in self.read(name)}

    def tensor(self, tensor: TensorSpec) -> set[str]:
        return set(self.read(tensor.name))

    def read(self, name: str) -> frozenset[str]:
        """Return the options that affect the value of `name`, or decide whether it has a value."""
        if name not in self.known:
            self.known[name] = frozenset()  # ends the recursion if a name depends on itself
            self.known[name] = frozenset(self._read(name))
        return self.known[name]

    def _read(self, name: str) -> Iterator[str]:
        if name in self.options:
            yield name
        if name in self.op.cotangents:
            yield from self.read(self.op.cotangents[name])
        tensor = self.spec.tensors.get(name)
        if tensor is not None:
            conditions = [*tensor.forms.conditions, *([tensor.when] if tensor.when else [])]
            for condition in conditions:
                yield from self.expr(parse_expr(condition))
        elif name in self.spec.dims:
            cases = self.spec.dims[name].value.cases
            for text in (t for case in cases for t in case if t is not None):
                yield from self.expr(parse_expr(text))
        elif name in self.op.scope.bound and name not in self.sure:
            yield name

    def lacking(self, tensor: TensorSpec) -> set[str]:
        """Return the tensor's sizes and dtypes that are unknown in some calls without the tensor."""
        shapes = [parse_shape(form.text) for form in tensor.texts]
        found = {n for shape in shapes for name in shape.names for n in self.read(name)}
        free = {v for dtype in tensor.dtype.values() for v in self.op.dtypes.free(dtype)}
        return found | {f"dtype {v}" for v in free if f"dtype {v}" not in self.sure}


def _always_known(op: Op) -> frozenset[str]:
    """Return the names of the sizes and dtype variables that every call determines.

    In the result, a dtype variable `T` is written `dtype T`.
    """
    there = [t for t in op.spec.inputs.values() if t.always]
    fixed = {t.name for t in there if len(list(t.texts)) == 1}
    inputs = tuple(t for t in op.sizes.inputs if t.name in fixed)
    attrs = tuple(a for a in op.sizes.attrs if not op.spec.attrs[a.name].may_be_none)
    skeleton = Skeleton(inputs, attrs, tuple(op.sizes.dims({}).items()), op.scope.decided)
    known = bound_names(skeleton, {t.name: (0, 0) for t in inputs})
    carried = {v for t in there if t.dtype.alone for v in op.dtypes.free(t.dtype.only)}
    given = {a.name for a in attrs} | carried
    return frozenset({*known, *op.scope.functions, *(f"dtype {name}" for name in given)})
