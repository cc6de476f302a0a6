"""Builds `generated_neuron` for the CPU. Rendered by opgen.

It is compiled and loaded; `my_ops` finds it where it is written.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from torch.utils import cpp_extension

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parents[2]


def build(kernels: Path, include: Path) -> None:
    """Compile `libgenerated_neuron_cpu_40ea2068bd85.so` into the package's `lib/`, and load it.

    `kernels` is the folder with hand-written kernels, and `include` is the folder with opgen's
    headers.
    """
    out = PACKAGE / "lib" / "generated_neuron_cpu"
    out.mkdir(parents=True, exist_ok=True)
    adapter = include.parent / "adapters" / "neuron" / "include"
    folders = (HERE, HERE.parent, PACKAGE / "cpp", include, adapter)
    cpp_extension.load(
        name="libgenerated_neuron_cpu_40ea2068bd85",
        sources=[str(HERE / "ops.cpp")],
        extra_cflags=["-O2", "-Werror=frame-larger-than=6144"],
        extra_include_paths=[str(folder) for folder in (*folders, kernels)],
        build_directory=str(out),
        is_python_module=False,
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
