"""Plot the training losses of the model with opgen's ops and the model with native ops."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib

from examples.text.run import Pair, smooth

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402


def plot(pairs: Mapping[str, Pair], file: str) -> None:
    """Write a plot to `file`, with one chart for each framework: the native losses as a wide line,
    ours as a thin line.
    """
    figure, axes = pyplot.subplots(1, len(pairs), figsize=(8, 3), sharey=True, layout="constrained")
    for axis, (name, pair) in zip(axes, pairs.items()):
        axis.plot(smooth(pair.native.losses), color="#c8c8c8", linewidth=5, label="native")
        axis.plot(smooth(pair.ours.losses), color="#1f5fa8", linewidth=1.2, label="rendered")
        axis.set(title=name, xlabel="step")
        axis.legend(frameon=False)
    axes[0].set_ylabel("nats for a byte")
    figure.savefig(file, dpi=80)
