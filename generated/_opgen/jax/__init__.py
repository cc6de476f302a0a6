"""The JAX part of every op: one kernel call that JAX can trace, batch, split and differentiate."""

from ..core.facts import dim, group, other, product, shape
from ..core.runtime import accum, bits, ceildiv, promote, real, roundup
from .arrays import numel
from .attributes import static
from .batching import call
from .call import call_of, size_of
from .check import again, check, sizes
from .differentiation import Differentiable, no_gradient
from .elements import checked
from .formulas import aligned
from .gradients import as_cotangent, conjugate, dtype_name, pullback, type_of, unread
from .kernel import Kernel
from .listed import listed, tuned
from .needs import needed, or_none, or_zeros, values
from .plan import plan
from .programs import saved
from .references import reference, xp
from .report import rows
from .sharding import results_like

__all__ = [
    "Differentiable",
    "Kernel",
    "accum",
    "again",
    "aligned",
    "as_cotangent",
    "bits",
    "ceildiv",
    "conjugate",
    "call",
    "call_of",
    "check",
    "checked",
    "dim",
    "dtype_name",
    "group",
    "listed",
    "needed",
    "no_gradient",
    "numel",
    "or_none",
    "or_zeros",
    "other",
    "plan",
    "product",
    "promote",
    "pullback",
    "real",
    "reference",
    "results_like",
    "roundup",
    "rows",
    "saved",
    "shape",
    "size_of",
    "sizes",
    "static",
    "tuned",
    "type_of",
    "unread",
    "values",
    "xp",
]
