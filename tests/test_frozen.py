"""`opgen.source.frozen` makes the same classes as `dataclasses`, except that nothing is enforced."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import pytest

from opgen.source import frozen


def classes(dataclass: Any) -> tuple[type, type, type]:
    @dataclass(frozen=True)
    class Point:
        x: float
        seen: list[int] = dataclasses.field(default_factory=list, compare=False)
        note: Any = dataclasses.field(default=None, hash=False, repr=False)

    @dataclass(frozen=True, slots=True)
    class One:
        x: float

    @dataclass(frozen=True, eq=False)
    class Itself:
        x: float

        def __repr__(self) -> str:
            return f"<{self.x}>"

    return Point, One, Itself


@pytest.mark.parametrize("kind", range(3))
def test_objects_are_equal_hashed_and_shown_alike(kind: int) -> None:
    nan = float("nan")
    found = []
    for each in (frozen.dataclass, dataclasses.dataclass):
        made = classes(each)[kind]
        objects = [made(1.0), made(1.0), made(2.0), made(nan), made(nan)]
        objects += [made(1.0, [3]), made(1.0, [], {})] if kind == 0 else []
        equal = [[a == b for a in objects] for b in objects]
        hashes = [[hash(a) == hash(b) for a in objects] for b in objects]
        found.append((equal, hashes, [repr(each) for each in objects], made.__match_args__))
    assert found[0] == found[1]


@frozen.dataclass(frozen=True, slots=True)
class Pickled:
    x: int


def test_objects_with_slots_are_pickled() -> None:
    assert pickle.loads(pickle.dumps(Pickled(1))) == Pickled(1)
    assert Pickled(1) != dataclasses.make_dataclass("Pickled", ["x"])(1)
