"""Kernels in Triton, which `opgen build` compiles."""

from opgen.spec.extensions import Extension

EXTENSION = Extension(
    title="Triton",
    lint="opgen.targets.triton.lint",
    kernels={"triton": "opgen.targets.triton.kind"},
)
