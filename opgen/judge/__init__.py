"""`opgen judge`: apply opgen's checks to any kernel (the candidate), in a separate process.

The judge draws inputs, lays out memory, computes references and measures time. The candidate
receives a copy of a call's tensors. It cannot change a verdict by changing its own process.
"""

from typing import Literal, get_args

LevelName = Literal[
    "builds",
    "shapes",
    "values",
    "memory",
    "odd sizes",
    "special values",
    "gradients",
    "determinism",
    "threads",
    "speed",
]
# The test levels. A candidate gets credit for the levels before the first one that it fails.
LEVELS: tuple[LevelName, ...] = get_args(LevelName)
