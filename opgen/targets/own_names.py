"""What rendered Python calls things of ours beside the names of an op.

Those are its callers' and stay as they are; ours give way.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable

from opgen.ir.op import Op

_BUILTINS = frozenset(dir(builtins))


def own(op: Op, name: str) -> str:
    """A name of ours: where the op has it too, with a `_`, with which no name of a spec begins."""
    return f"_{name}" if name in op.names else name


class Names:
    """Names of ours in a module of `op`. `used` are those that were asked for, to be imported."""

    def __init__(self, op: Op) -> None:
        self.op, self.used = op, set[str]()

    def __call__(self, name: str) -> str:
        self.used.add(name)
        return own(self.op, name)

    def written(self, name: str) -> str:
        """A name that is used only if an f-string writes it."""
        text = _Written(own(self.op, name))
        text.write = lambda: self.used.add(name)
        return text

    def builtins(self) -> list[str]:
        """The statements that import builtins whose names the op has too."""
        found = sorted(self.used & self.op.names & _BUILTINS)
        return [f"from builtins import {name} as _{name}" for name in found]

    def prod(self) -> list[str]:
        """The statement that imports `math.prod`, if it is called."""
        ours = own(self.op, "prod")
        named = "" if ours == "prod" else f" as {ours}"
        return [f"from math import prod{named}"] if "prod" in self.used else []


class _Written(str):
    write: Callable[[], None]

    def __format__(self, spec: str) -> str:
        self.write()
        return str.__str__(self)
