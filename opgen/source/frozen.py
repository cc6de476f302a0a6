"""A faster replacement for `dataclasses.dataclass`.

Python's own decorator compiles six functions for each frozen class, which takes a quarter of the
time of a short command. With this replacement, a frozen class compiles only its `__init__`. All
frozen classes share the code of their other methods. Only the type checker enforces `frozen`.
"""

from __future__ import annotations

import dataclasses
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, eq=True, **options):
        """Return a dataclass. `frozen` objects are hashable; only type checkers forbid changes."""
        if cls is None:
            return lambda cls: dataclass(cls, frozen=frozen, eq=eq, **options)
        if not frozen:
            return dataclasses.dataclass(cls, eq=eq, **options)
        made = dataclasses.dataclass(cls, repr=False, eq=False, **options)
        methods = {"__repr__": _shown([f.name for f in dataclasses.fields(made) if f.repr])}
        if eq:
            kept = [f for f in dataclasses.fields(made) if f.compare]
            methods["__eq__"] = _equal(_values([f.name for f in kept]))
            methods["__hash__"] = _hashed(_values([f.name for f in kept if f.hash is not False]))
        for name, method in methods.items():
            if vars(made).get(name) is None:  # `__eq__` sets `__hash__` to None
                setattr(made, name, method)
        return made


def _values(names: list[str]) -> Any:
    """Return a function that returns an object's attributes `names` as a tuple."""
    if not names:
        return lambda self: ()
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda self: (get(self),)


def _equal(values: Any) -> Any:
    def equal(self: object, other: object) -> Any:
        if other.__class__ is self.__class__:
            return values(self) == values(other)
        return NotImplemented

    return equal


def _hashed(values: Any) -> Any:
    return lambda self: hash(values(self))


def _shown(names: list[str]) -> Any:
    def shown(self: object) -> str:
        fields = [f"{name}={getattr(self, name)!r}" for name in names]
        return f"{self.__class__.__qualname__}({', '.join(fields)})"

    return shown
