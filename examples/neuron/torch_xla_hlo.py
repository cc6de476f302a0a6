"""Print torch-xla's own HLO of `a * b * tensor_add(a, b)`, where `tensor_add` is an NKI kernel.

It needs PyTorch 2.9 and torch_xla 2.9, the last version, but no Neuron device:
    python3.11 -m venv xla
    xla/bin/pip install 'torch==2.9.*' 'torch_xla==2.9.*' numpy
    PJRT_DEVICE=CPU xla/bin/python -m examples.neuron.torch_xla_hlo

docs/neuron.md shows the output.
"""

from __future__ import annotations

import torch
import torch_xla

from generated import core
from generated.neuron.legacy.torch import PyTorchFrameworkKernel


def main() -> None:
    tensor_add = PyTorchFrameworkKernel(core.tensor_add)
    a, b = (torch.ones(256, 1024).to(torch_xla.device()) for _ in range(2))
    print(torch_xla._XLAC._get_xla_tensors_hlo([a * b * tensor_add(a, b)]))


if __name__ == "__main__":
    main()
