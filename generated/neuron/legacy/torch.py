"""NKI kernels in PyTorch/XLA, like `nki.FrameworkKernel` of old SDKs. Rendered by opgen."""

from __future__ import annotations

from typing import Any

import torch

from . import TARGET, FrameworkKernel, values_of


class PyTorchFrameworkKernel(FrameworkKernel):
    """A kernel called with torch tensors."""

    api_version = "API_VERSION_UNSPECIFIED"

    def is_framework_tensor(self, t: Any) -> bool:
        return isinstance(t, torch.Tensor)

    def map_framework_tensor(self, t: torch.Tensor) -> tuple[torch.Size, torch.dtype]:
        return t.shape, t.dtype

    def translate_to_neuron_dtype(self, dtype: torch.dtype) -> Any:
        """Return NumPy's dtype, or the name of one that NumPy lacks, such as `bfloat16`."""
        try:
            return torch.empty(0, dtype=dtype).numpy().dtype
        except TypeError:
            return str(dtype).removeprefix("torch.")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return the results of the custom call on tensors of torch-xla (2.9 is the last one).

        It is one tensor, or a tuple. The call does not write outputs that are passed.
        """
        from torch_xla.experimental.stablehlo_custom_call import stablehlo_custom_call

        config, operands, results = self.dump_config(*args, **kwargs)
        values = values_of(config)
        tensors = [x for x in args if self.is_framework_tensor(x)]
        found = stablehlo_custom_call(
            tensors[: len(operands)],
            TARGET,
            [values["shapes"][name] for name in results],
            [getattr(torch, values["dtypes"][name]) for name in results],
            backend_config=config,
        )
        return found if len(results) == 1 else tuple(found)
