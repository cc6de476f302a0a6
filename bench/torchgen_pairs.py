"""Write the ops of `bench/pairs.py` in the format of torchgen, PyTorch's code generator."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

SIGNATURE = (
    "fused_norm_{i}(Tensor x, Tensor? weight, Tensor? bias, float eps=1e-05, "
    "bool zero_centered=False) -> (Tensor y, Tensor mean, Tensor rstd)"
)
FUNCTIONS = f"""\
- func: {SIGNATURE}
  dispatch:
    CPU: fused_norm_{{i}}_cpu
    CUDA: fused_norm_{{i}}_cuda

- func: fused_norm_{{i}}_backward(Tensor dy, Tensor x, Tensor mean, Tensor rstd, Tensor? weight, bool zero_centered, bool[3] output_mask) -> (Tensor, Tensor, Tensor)
  dispatch:
    CPU: fused_norm_{{i}}_backward_cpu
    CUDA: fused_norm_{{i}}_backward_cuda

"""
DERIVATIVE = f"""\
- name: {SIGNATURE}
  output_differentiability: [True, False, False]
  x, weight, bias: "grad.defined() ? fused_norm_{{i}}_backward(grad, x, mean, rstd, weight, zero_centered, grad_input_mask) : std::tuple<Tensor, Tensor, Tensor>()"

"""
OUTPUTS = ("gen", "aoti", "headeronly", "autograd_out")


def write_torchgen_pairs(count: int, folder: Path) -> None:
    """Write torchgen's input to `folder`: copies of torchgen's templates, and `count`
    forward/backward pairs.
    """
    import torchgen

    packaged = Path(torchgen.__file__).parent / "packaged"
    for name in ("ATen", "autograd"):
        shutil.copytree(packaged / name, folder / name)
    functions = "".join(FUNCTIONS.format(i=i) for i in range(count))
    derivatives = "".join(DERIVATIVE.format(i=i) for i in range(count))
    (folder / "ATen/native/native_functions.yaml").write_text(functions)
    (folder / "autograd/derivatives.yaml").write_text(derivatives)
    (folder / "autograd/deprecated.yaml").write_text("[]\n")


def torchgen_commands(folder: Path, out: Path) -> list[list[str]]:
    """Return the two torchgen commands that render the pairs in `folder` to `out`, which must not
    exist.
    """
    for name in OUTPUTS:
        (out / name).mkdir(parents=True)
    functions = folder / "ATen/native/native_functions.yaml"
    generate = ["torchgen.gen", "-s", folder / "ATen", "-d", out / "gen", "--per-operator-headers"]
    generate += ["--aoti-install-dir", out / "aoti", "--headeronly-install-dir", out / "headeronly"]
    autograd = ["torchgen.packaged.autograd.gen_autograd", functions]
    autograd += [folder / "ATen/native/tags.yaml", out / "autograd_out", folder / "autograd"]
    return [[sys.executable, "-m", *map(str, command)] for command in (generate, autograd)]
