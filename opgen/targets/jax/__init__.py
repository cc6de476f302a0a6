"""The ops for JAX."""

from opgen.spec.extensions import Extension

EXTENSION = Extension(
    title="JAX",
    models="opgen.targets.jax.models",
    lint="opgen.targets.jax.lint",
)
