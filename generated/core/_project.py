"""What opgen's runtime is told of this package. Rendered by opgen."""

from __future__ import annotations

NAMESPACE = "generated"
# Stands for the layouts that this package and its libraries must agree on.
LAYOUT = "0c28f1fb0fda"
# By op and platform, the preferred first. `else`: the reference may run in their place.
LISTED: dict[str, dict[str, tuple[str, ...]]] = {}
# What is tuned of kernels, by op, platform, and name in a list.
TUNED: dict[str, dict[str, dict[str, tuple[str, ...]]]] = {
    "weighted_cross_entropy": {"cpu": {"": ("kib",)}}
}
# What calls may ask of the kernels of lists.
GUARANTEES: dict[str, dict[str, dict[str, tuple[str, ...]]]] = {}
