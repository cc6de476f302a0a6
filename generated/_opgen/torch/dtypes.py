"""PyTorch's element types by their names in specs, and the reverse."""

import torch

from ..core import dtypes

DTYPES: dict[str, torch.dtype] = {
    name: getattr(torch, dtype.torch) for name, dtype in dtypes.DTYPES.items()
}
NAMES: dict[object, str] = {dtype: name for name, dtype in DTYPES.items()}
