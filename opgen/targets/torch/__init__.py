"""The ops for PyTorch."""

from opgen.spec.extensions import Extension

EXTENSION = Extension(
    title="PyTorch",
    models="opgen.targets.torch.models",
    lint="opgen.targets.torch.lint",
)
