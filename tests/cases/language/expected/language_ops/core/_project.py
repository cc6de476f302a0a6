"""What opgen's runtime is told of this package. Rendered by opgen."""

from __future__ import annotations

NAMESPACE = "language_ops"
# Stands for the layouts that this package and its libraries must agree on.
LAYOUT = "65b834eecea5"
# By op and platform, the preferred first. `else`: the reference may run in their place.
LISTED: dict[str, dict[str, tuple[str, ...]]] = {"row_sums": {"cpu": ("by_fours", "row_sums")}}
# What is tuned of kernels, by op, platform, and name in a list.
TUNED: dict[str, dict[str, dict[str, tuple[str, ...]]]] = {}
# What calls may ask of the kernels of lists.
GUARANTEES: dict[str, dict[str, dict[str, tuple[str, ...]]]] = {
    "row_sums": {"cpu": {"row_sums": ("deterministic", "invariant")}}
}
