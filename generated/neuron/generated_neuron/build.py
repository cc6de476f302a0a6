"""Builds `generated_neuron` for Neuron. Rendered by opgen.

It is compiled and loaded; `my_ops` finds it where it is written.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from torch_neuronx.xla_impl import custom_op

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parents[1]


def build(kernels: Path, include: Path) -> None:
    """Compile `libgenerated_neuron_40ea2068bd85.so` into the package's `lib/`, and load it.

    `kernels` is the folder with hand-written kernels, and `include` is the folder with opgen's
    headers.
    """
    out = PACKAGE / "lib" / "generated_neuron"
    out.mkdir(parents=True, exist_ok=True)
    adapter = include.parent / "adapters" / "neuron" / "include"
    folders = (HERE, PACKAGE / "cpp", include, adapter)
    custom_op.load(
        name="generated_neuron_40ea2068bd85",
        compute_srcs=[
            str(kernels / "relu/relu_neuron.cpp"),
            str(kernels / "tensor_negate/tensor_negate_neuron.cpp"),
        ],
        shape_srcs=[str(HERE / "shape.cpp")],
        build_directory=str(out),
        extra_include_paths=[str(folder) for folder in folders],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernels", type=Path, required=True, help="their folder")
    parser.add_argument(
        "--include", type=Path, required=True, help="what `opgen include-dir` prints"
    )
    build(**vars(parser.parse_args()))


if __name__ == "__main__":
    main()
