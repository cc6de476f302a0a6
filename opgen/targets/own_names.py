"""Names of opgen's own values in rendered Python, next to the names of an op.

An op's names belong to its callers and stay unchanged. opgen's names are adapted.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable

from opgen.ir.op import Op

_BUILTINS = frozenset(dir(builtins))


def own(op: Op, name: str) -> str:
    """Return opgen's name, with a leading `_` if the op uses it. No name of a spec
    starts with `_`.
    """
    return f"_{name}" if name in op.names else name


class Names:
    """opgen's names in a module of `op`. `used` are the requested ones, which need an import."""

    def __init__(self, op: Op) -> None:
        self.op, self.used = op, set[str]()

    def __call__(self, name: str) -> str:
        self.used.add(name)
        return own(self.op, name)

    def written(self, name: str) -> str:
        """Return a name that counts as used only if an f-string writes it."""
        text = _Written(own(self.op, name))
        text.write = lambda: self.used.add(name)
        return text

    def builtins(self) -> list[str]:
        """Return the statements that import builtins whose names the op uses."""
        found = sorted(self.used & self.op.names & _BUILTINS)
        return [f"from builtins import {name} as _{name}" for name in found]

    def prod(self) -> list[str]:
        """Return the statement that imports `math.prod`, if it is called."""
        ours = own(self.op, "prod")
        named = "" if ours == "prod" else f" as {ours}"
        return [f"from math import prod{named}"] if "prod" in self.used else []


class _Written(str):
    write: Callable[[], None]

    def __format__(self, spec: str) -> str:
        self.write()
        return str.__str__(self)
