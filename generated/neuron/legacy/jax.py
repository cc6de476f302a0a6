"""NKI kernels in JAX, like `nki.FrameworkKernel` of old SDKs. Rendered by opgen."""

from __future__ import annotations

from typing import Any

import jax

from . import FrameworkKernel


class JaxFrameworkKernel(FrameworkKernel):
    """A kernel called with JAX arrays."""

    api_version = "API_VERSION_STATUS_RETURNING"

    def is_framework_tensor(self, t: Any) -> bool:
        return isinstance(t, (jax.Array, jax.ShapeDtypeStruct))

    def map_framework_tensor(self, t: Any) -> tuple[tuple[int, ...], Any]:
        return t.shape, t.dtype

    def translate_to_neuron_dtype(self, dtype: Any) -> Any:
        """Return NumPy's dtype, which may be one of JAX's own types."""
        return jax.numpy.dtype(dtype)
