"""The ops for JAX."""

from opgen.language.dtypes import DTYPES
from opgen.spec.extensions import Extension

JAX_NAMES = {name: dtype.numpy for name, dtype in DTYPES.items()} | {"bool": "bool_"}
EXTENSION = Extension(
    abi="opgen.targets.jax.ffi",
    adapters="opgen.targets.jax.cpp.sources",
    title="JAX",
    dtypes=JAX_NAMES,
    lint="opgen.targets.jax.lint",
    framework_files=True,
)
