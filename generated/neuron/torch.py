"""NKI kernels in PyTorch. Rendered by opgen."""

from __future__ import annotations

from typing import Any

import torch

from .framework import FrameworkKernel


class PyTorchFrameworkKernel(FrameworkKernel):
    """A kernel called with torch tensors."""

    api_version = "API_VERSION_UNSPECIFIED"

    def is_framework_tensor(self, t: Any) -> bool:
        return isinstance(t, torch.Tensor)

    def map_framework_tensor(self, t: torch.Tensor) -> tuple[torch.Size, torch.dtype]:
        return t.shape, t.dtype

    def translate_to_neuron_dtype(self, dtype: torch.dtype) -> Any:
        """NumPy's dtype; the name of one that NumPy lacks, `bfloat16` say."""
        try:
            return torch.empty(0, dtype=dtype).numpy().dtype
        except TypeError:
            return str(dtype).removeprefix("torch.")
