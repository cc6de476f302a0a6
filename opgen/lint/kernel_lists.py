"""The list of kernels that an op has for a platform, and the calls that each kernel accepts."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from opgen.ir.guarantees import promised_by
from opgen.ir.kinds import kind_of
from opgen.language.call_variants import ways
from opgen.language.expr import Expr, parse_expr
from opgen.language.expr.decide import decide
from opgen.lint.dispatch import COMBINATIONS_AT_MOST, free_of
from opgen.lint.op_context import OpContext
from opgen.spec.models.kernels import KernelSpec
from opgen.spec.models.rules import GuaranteesSpec


class Listed(NamedTuple):
    """A kernel in a list, with its requirements and guarantees.

    In the requirements, derived dtype variables are replaced by their definitions.
    """

    kernel: KernelSpec
    conditions: tuple[Expr, ...]
    guarantees: GuaranteesSpec

    def refuses(self, values: Mapping[str, Any]) -> bool:
        """Return whether the kernel rejects all calls with the dtypes and options in `values`."""
        return any(decide(c, values) is False for c in self.conditions)

    def takes_all_of(self, other: Listed, values: Mapping[str, Any]) -> bool:
        """Return whether this kernel accepts all those calls with `values` that `other` accepts."""
        narrow = self.kernel.index == "i32" and other.kernel.index != "i32"
        narrow = narrow or _compiled(self.kernel) and not _compiled(other.kernel)
        met = (c in other.conditions or decide(c, values) is True for c in self.conditions)
        return not narrow and all(met)

    def goes_before(self, other: Listed, values: Mapping[str, Any]) -> bool:
        """Return whether `other` never runs for calls with `values` if this kernel is listed first.

        This is the case if this kernel accepts all calls that `other` accepts, and has all
        guarantees that `other` has.
        """
        kept = {*other.guarantees.named} <= {*self.guarantees.named}
        return kept and self.takes_all_of(other, values)


def _compiled(kernel: KernelSpec) -> bool:
    """Return whether the kernel is compiled in advance, and so has code for some devices only."""
    kind = kind_of(kernel)
    return kind is not None and kind.code is not None and kind.code.compiled


def lists(op: OpContext) -> Iterator[tuple[Listed, ...]]:
    """Yield the list of kernels of each platform that has a list, the preferred kernel first."""
    for platform in op.spec.platforms:
        kernels = op.spec.kernels_for(platform)
        if any(kernel.listed for kernel in kernels):
            yield tuple(
                Listed(kernel, _conditions(op, kernel), promised_by(op.spec, kernel))
                for kernel in kernels
            )


def _conditions(op: OpContext, kernel: KernelSpec) -> tuple[Expr, ...]:
    texts = (*(each.condition for each in kernel.require), *kernel.bounds)
    return tuple(op.over_free(parse_expr(text)) for text in texts)


def calls(op: OpContext, listed: tuple[Listed, ...]) -> list[dict[str, Any]]:
    """Return the combinations of dtypes and options that the op accepts.

    The combinations differ only in options that affect the requirements of a kernel. The result is
    empty if there are too many combinations to check.
    """
    free = free_of(op)
    conditions = [c for each in listed for c in each.conditions]
    others = ways(op.scope, conditions)
    if math.prod(map(len, (*free.values(), others))) > COMBINATIONS_AT_MOST:
        return []
    pairs = itertools.product(itertools.product(*free.values()), others)
    every = [{**other, **dict(zip(free, dtypes))} for dtypes, other in pairs]
    return [v for v in every if all(decide(c, v) is not False for c in op.require)]
