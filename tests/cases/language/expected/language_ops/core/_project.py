"""Facts about this package, for opgen's runtime. Rendered by opgen."""

from __future__ import annotations

NAMESPACE = "language_ops"
# The hash of the layouts that this package and its libraries must share.
LAYOUT = "8163b15c189d"
# The kernels by op and platform, in order of preference. With `else`, the reference may replace
# them.
LISTED: dict[str, dict[str, tuple[str, ...]]] = {"row_sums": {"cpu": ("by_fours", "row_sums")}}
# The tuned values of kernels, by op, platform, and name in a list.
TUNED: dict[str, dict[str, dict[str, tuple[str, ...]]]] = {}
# The guarantees of listed kernels that calls may require.
GUARANTEES: dict[str, dict[str, dict[str, tuple[str, ...]]]] = {
    "row_sums": {"cpu": {"row_sums": ("deterministic", "invariant")}}
}
