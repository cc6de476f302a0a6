"""Facts about this package, for opgen's runtime. Rendered by opgen."""

from __future__ import annotations

NAMESPACE = "generated"
# The hash of the layouts that this package and its libraries must share.
LAYOUT = "40ea2068bd85"
# The kernels by op and platform, in order of preference. With `else`, the reference may replace
# them.
LISTED: dict[str, dict[str, tuple[str, ...]]] = {}
# The tuned values of kernels, by op, platform, and name in a list.
TUNED: dict[str, dict[str, dict[str, tuple[str, ...]]]] = {
    "weighted_cross_entropy": {"cpu": {"": ("kib",)}}
}
# The guarantees of listed kernels that calls may require.
GUARANTEES: dict[str, dict[str, dict[str, tuple[str, ...]]]] = {}
