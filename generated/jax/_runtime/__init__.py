"""What every op is made with: one kernel call that JAX can trace, batch, split, differentiate.

Rendered by opgen.
"""

from ...core._runtime import require
from .attributes import dtype_code, float_list, hashable, int_list
from .batching import call
from .check import check, explain, number, sizes, zeros
from .differentiation import no_gradient, reverse_mode_only
from .dump import dumped
from .elements import checked
from .forms import size_of
from .formulas import aligned
from .gradients import as_cotangent, dtype_name, pullback, type_of, unread
from .kernel import Kernel
from .needs import needed, or_none, or_zeros, values

__all__ = [
    "Kernel",
    "aligned",
    "as_cotangent",
    "call",
    "check",
    "checked",
    "dtype_code",
    "dtype_name",
    "dumped",
    "explain",
    "float_list",
    "hashable",
    "int_list",
    "needed",
    "no_gradient",
    "number",
    "or_none",
    "or_zeros",
    "pullback",
    "require",
    "reverse_mode_only",
    "size_of",
    "sizes",
    "type_of",
    "unread",
    "values",
    "zeros",
]
