"""Write specs of N ops `fused_norm_i` and their backward ops: `python bench/pairs.py N DIR`.

The ops have optional weight and bias, three outputs, and kernels for CPU and CUDA.
`bench/torchgen_pairs.py` writes the same ops as YAML for torchgen.
"""

from __future__ import annotations

import sys
from pathlib import Path

HEAD = """\
spec = 1

[dtypes]
T   = ["f32", "bf16", "f16", "f64"]
Acc = "accum(T)"
"""
PAIR = """\

[ops.fused_norm_{i}]
doc                 = "Normalizes the rows of `x`, optionally scaled and shifted."
reference           = "fused_norm_{i}.py:fused_norm"
inputs.x            = {{ dtype = "T", shape = "*batch n" }}
inputs.weight       = {{ dtype = "T", shape = "n", optional = true }}
inputs.bias         = {{ dtype = "T", shape = "n", optional = true }}
attrs.eps           = {{ type = "float", default = 1e-5, min = 0.0 }}
attrs.zero_centered = {{ type = "bool", default = false }}
outputs.y           = {{ dtype = "T", shape = "*batch n" }}
outputs.mean        = {{ dtype = "Acc", shape = "*batch", differentiable = false }}
outputs.rstd        = {{ dtype = "Acc", shape = "*batch", differentiable = false }}
grad.backward       = "fused_norm_{i}_bwd"
sharding.split      = ["batch"]
kernels             = ["cpu", "cuda"]

[ops.fused_norm_{i}_bwd]
doc                 = "Gradient of `fused_norm_{i}`; each part only where it is asked for."
inputs.dy           = {{ dtype = "T", shape = "*batch n" }}
inputs.x            = {{ dtype = "T", shape = "*batch n" }}
inputs.mean         = {{ dtype = "Acc", shape = "*batch" }}
inputs.rstd         = {{ dtype = "Acc", shape = "*batch" }}
inputs.weight       = {{ dtype = "T", shape = "n", optional = true }}
attrs.zero_centered = {{ type = "bool", default = false }}
outputs.dx          = {{ dtype = "T", shape = "*batch n", optional = true }}
outputs.dweight     = {{ dtype = "Acc", shape = "n", optional = true, reduce = {{ batch = "sum" }} }}
outputs.dbias       = {{ dtype = "Acc", shape = "n", optional = true, reduce = {{ batch = "sum" }} }}
grad                = "reference"
sharding.split      = ["batch"]
kernels             = ["cpu", "cuda"]
"""
REFERENCE = '''\
"""Reference of a fused norm."""


def fused_norm(xp, x, weight, bias, *, eps, zero_centered):
    """`(x - mean) * rstd * weight + bias`; `1 + weight` where `zero_centered`."""
    mean = xp.mean(x, axis=-1, keepdims=True)
    rstd = 1 / xp.sqrt(xp.mean((x - mean) ** 2, axis=-1, keepdims=True) + eps)
    y = (x - mean) * rstd
    if weight is not None:
        y = y * (weight + 1 if zero_centered else weight)
    if bias is not None:
        y = y + bias
    return y, mean[..., 0], rstd[..., 0]
'''
# An op with a kernel, so that the project has something to build.
KERNEL = """\
#include "negate.h"

namespace pairs::cpu {

template <class T>
opgen::Status negate(const NegateView<T>& op) noexcept {
  for (int64_t i = 0; i < op.x.numel(); ++i) op.y.data[i] = -op.x.data[i];
  return opgen::Status::ok;
}

}  // namespace pairs::cpu
"""
NEGATE = """\
spec = 1

[dtypes]
T = ["f32"]

[ops.negate]
doc            = "Elementwise `-x`."
inputs.x       = { dtype = "T", shape = "*s" }
outputs.y      = { dtype = "T", shape = "*s" }
grad.formulas  = { x = "-dy" }
sharding.split = ["s"]
kernels        = ["cpu"]
"""
PROJECT = '[tool.opgen]\npackage = "pairs"\nout = "pairs"\nnamespace = "pairs"\n'


def write_pairs(count: int, folder: Path) -> None:
    """Write a project of `count` forward/backward pairs to `folder`. Its kernel files contain only
    an `#include`.
    """
    specs = folder / "specs"
    specs.mkdir(parents=True, exist_ok=True)
    (folder / "pyproject.toml").write_text(PROJECT)
    for i in range(count):
        name = f"fused_norm_{i}"
        (specs / f"{name}.toml").write_text(HEAD + PAIR.format(i=i))
        (specs / f"{name}.py").write_text(REFERENCE)
        kernels = folder / "kernels" / name
        kernels.mkdir(parents=True, exist_ok=True)
        for suffix in ("cpp", "cu"):
            (kernels / f"{name}.{suffix}").write_text(f'#include "{name}.h"\n')


def write_family(count: int, folder: Path) -> None:
    """Write a project with `count` forward/backward pairs without kernels in one spec, and one op
    with a kernel.
    """
    specs, kernels = folder / "specs", folder / "kernels" / "negate"
    for made in (specs, kernels):
        made.mkdir(parents=True, exist_ok=True)
    own = '"fused_norm_{i}.py:fused_norm"'
    pairs = (PAIR.replace(own, '"norms.py:fused_norm"').format(i=i) for i in range(count))
    (specs / "norms.toml").write_text(HEAD + "".join(pairs))
    (specs / "norms.py").write_text(REFERENCE)
    (specs / "negate.toml").write_text(NEGATE)
    (kernels / "negate.cpp").write_text(KERNEL)
    (folder / "pyproject.toml").write_text(PROJECT)


if __name__ == "__main__":
    write_pairs(int(sys.argv[1]), Path(sys.argv[2]))
