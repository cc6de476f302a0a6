"""Choose names for opgen's own values in rendered Python.

The names in an op's spec are part of its interface and cannot change. So opgen's own names must
differ from them.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable

from opgen.ir.op import Op

_BUILTINS = frozenset(dir(builtins))


def own(op: Op, name: str) -> str:
    """Return the name that opgen's `name` has in the module of `op`.

    If the op already uses `name`, the result has a leading `_`. No name in a spec starts with `_`.
    """
    return f"_{name}" if name in op.names else name


class Names:
    """Chooses the names of opgen's own values in the module of `op`. `used` collects the names that
    the module must import.
    """

    def __init__(self, op: Op) -> None:
        self.op, self.used = op, set[str]()

    def __call__(self, name: str) -> str:
        self.used.add(name)
        return own(self.op, name)

    def written(self, name: str) -> str:
        """Return a string with the name. The name is added to `used` only when code formats the
        string. So a name that the code does not use is not imported.
        """
        text = _Written(own(self.op, name))
        text.write = lambda: self.used.add(name)
        return text

    def builtins(self) -> list[str]:
        """Return the imports of builtins that the code needs although the op uses their names."""
        found = sorted(self.used & self.op.names & _BUILTINS)
        return [f"from builtins import {name} as _{name}" for name in found]

    def prod(self) -> list[str]:
        """Return the import of `math.prod` if the code calls this function."""
        ours = own(self.op, "prod")
        named = "" if ours == "prod" else f" as {ours}"
        return [f"from math import prod{named}"] if "prod" in self.used else []


class _Written(str):
    write: Callable[[], None]

    def __format__(self, spec: str) -> str:
        self.write()
        return str.__str__(self)
