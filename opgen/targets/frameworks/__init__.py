"""Modules and optimizers, which PyTorch and JAX share."""

from opgen.spec.extensions import Extension

EXTENSION = Extension(title="Frameworks", lint="opgen.targets.frameworks.lint")
