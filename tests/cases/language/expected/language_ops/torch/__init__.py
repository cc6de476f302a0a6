"""The ops for PyTorch. Rendered by opgen.

The kernels check their arguments; the functions only explain errors. The ops themselves are
`torch.ops.language_ops.<op>`.
"""

from ._accumulate import accumulate
from ._average_ import average_
from ._bin_sums import bin_sums
from ._column_sums import column_sums
from ._column_totals import column_totals
from ._head_norms import head_norms
from ._heads_first import heads_first
from ._last_token import last_token
from ._linear import linear
from ._linear_bwd import linear_bwd
from ._masked import masked
from ._moments import moments
from ._momentum_ import momentum_
from ._moved import moved
from ._polynomial import polynomial
from ._row_sums import row_sums
from .._opgen.torch import Patch, patch, register_patch
from ._scale_all import scale_all
from ._scaled import scaled
from ._segment_sums import segment_sums
from ._split_rows import split_rows
from ._square import square
from ._squash import squash
from ._storable import storable
from ._swap_bytes import swap_bytes
from ._transposed_quantize import transposed_quantize
from ._unit_rows import unit_rows
from ._unit_rows_dw import unit_rows_dw
from ._unit_rows_dx import unit_rows_dx
from ._window_sums import window_sums
from ._optimizers_torch import SGD
from ._rows_torch import UnitRows
from . import _seeds_torch as _seeds_torch

__all__ = [
    "Patch",
    "SGD",
    "UnitRows",
    "accumulate",
    "average_",
    "bin_sums",
    "column_sums",
    "column_totals",
    "head_norms",
    "heads_first",
    "last_token",
    "linear",
    "linear_bwd",
    "masked",
    "moments",
    "momentum_",
    "moved",
    "patch",
    "polynomial",
    "register_patch",
    "row_sums",
    "scale_all",
    "scaled",
    "segment_sums",
    "split_rows",
    "square",
    "squash",
    "storable",
    "swap_bytes",
    "transposed_quantize",
    "unit_rows",
    "unit_rows_dw",
    "unit_rows_dx",
    "window_sums",
]
