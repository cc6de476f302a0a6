"""`opgen judge`: the checks of opgen on a kernel from anywhere, in a separate process.

The judge draws inputs, lays out memory, computes references and holds the clock. The candidate sees
a copy of a call's tensors. Nothing that it does to its own process changes a verdict.
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
# In the order in which they give credit.
LEVELS: tuple[LevelName, ...] = get_args(LevelName)
