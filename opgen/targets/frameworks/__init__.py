"""What PyTorch and JAX share: modules and optimizers."""

from opgen.spec.extensions import Extension

EXTENSION = Extension(title="Frameworks", lint="opgen.targets.frameworks.lint")
