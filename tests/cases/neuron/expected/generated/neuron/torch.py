"""NKI kernels on the device `neuron` of PyTorch. Rendered by opgen.

The package torch-neuronx provides the device, a PrivateUse1 backend. A `nki.jit` function takes
its tensors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from .nki import KERNELS, NARROW, constants, given_back


def implementation(call: Any) -> Callable[..., Any] | None:
    """Return the function that runs an op on the device, or None if the op has no NKI kernel.

    Autograd, `vmap`, fake tensors and DTensor run above it, as on other devices.
    """
    kernel = KERNELS.get(call.name)
    if kernel is None:
        return None
    from .._opgen.torch.call import bare
    from .._opgen.torch.dtypes import DTYPES
    from .._opgen.core.project import NAMESPACE

    narrow = {DTYPES[wide]: DTYPES[name] for wide, name in NARROW.items()}

    def run(*args: Any) -> Any:
        arguments = call.bind(args)
        launch, device = call.launch(arguments), call.device(arguments)
        if unmet := launch.unmet("neuron"):
            packet = getattr(getattr(torch.ops, NAMESPACE), call.name)
            if "reference" in packet.overloads():
                return packet.reference(*args)
            raise ValueError(f"{call.name}: its NKI kernel requires {' and '.join(unmet)}")
        specs = [spec for spec in launch.results if spec is not None]
        if all(0 in spec.shape for spec in specs):
            made = [torch.empty(s.shape, dtype=DTYPES[s.dtype], device=device) for s in specs]
        else:
            inputs = (_operand(arguments[name], narrow) for name in call.inputs)
            found = kernel.launched()(*inputs, *constants(launch.attrs))
            pairs = zip(given_back(found), specs, strict=True)
            made = [x.reshape(s.shape).to(DTYPES[s.dtype]) for x, s in pairs]
        rest = iter(made)
        return bare([None if spec is None else next(rest) for spec in launch.results])

    return run


def _operand(x: torch.Tensor | None, narrow: dict[torch.dtype, torch.dtype]) -> Any:
    """Return a tensor for a kernel: contiguous, with at least one dim, without 64-bit integers."""
    if x is None:
        return None
    x = x.to(narrow.get(x.dtype, x.dtype)).contiguous()
    return x if x.ndim else x.reshape(1, 1)
