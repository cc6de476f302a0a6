"""Names of opgen's own values in rendered Python.

Names of an op are part of its interface and do not change. So opgen's names avoid them.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable

from opgen.ir.op import Op

_BUILTINS = frozenset(dir(builtins))


def own(op: Op, name: str) -> str:
    """Return opgen's name, with a leading `_` if the op uses that name. Names in specs never start
    with `_`.
    """
    return f"_{name}" if name in op.names else name


class Names:
    """opgen's names in a module of `op`. `used` has the requested names, which must be imported."""

    def __init__(self, op: Op) -> None:
        self.op, self.used = op, set[str]()

    def __call__(self, name: str) -> str:
        self.used.add(name)
        return own(self.op, name)

    def written(self, name: str) -> str:
        """Return an object that formats as the name. Formatting it also adds the import, so that
        unused names are not imported.
        """
        text = _Written(own(self.op, name))
        text.write = lambda: self.used.add(name)
        return text

    def builtins(self) -> list[str]:
        """Return the statements that import builtins whose names the op uses."""
        found = sorted(self.used & self.op.names & _BUILTINS)
        return [f"from builtins import {name} as _{name}" for name in found]

    def prod(self) -> list[str]:
        """Return the statement that imports `math.prod`, if the module calls it."""
        ours = own(self.op, "prod")
        named = "" if ours == "prod" else f" as {ours}"
        return [f"from math import prod{named}"] if "prod" in self.used else []


class _Written(str):
    write: Callable[[], None]

    def __format__(self, spec: str) -> str:
        self.write()
        return str.__str__(self)
