"""With OPGEN_SLOW, runs take turns with the slow tests: each is in one of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest


@dataclass(frozen=True)
class Item:
    """A test, as far as its turn goes."""

    path: Path
    name: str
    slow: bool

    originalname = None

    def get_closest_marker(self, name: str) -> object:
        return (name == "slow" and self.slow) or None


@pytest.fixture
def conftest(request: pytest.FixtureRequest) -> ModuleType:
    """The module of hooks that this very run uses."""
    folder = str(Path(__file__).parent)
    modules = request.config.pluginmanager.get_plugins()
    return next(m for m in modules if getattr(m, "__file__", "") == f"{folder}/conftest.py")


# Files of quick tests alone, of both, of slow ones alone.
ITEMS = [
    Item(Path(f"test_{number}.py"), name, slow)
    for number, kinds in enumerate(("q", "qs", "s", "qss", "s", "qs", "q"))
    for name, slow in ((f"{place} {kind}", kind == "s") for place, kind in enumerate(kinds))
]


@pytest.mark.parametrize("turns", [1, 2, 4])
def test_each_slow_test_has_one_turn(
    conftest: ModuleType, monkeypatch: pytest.MonkeyPatch, turns: int
) -> None:
    """Those of a file together; quick ones are in every turn, and the order stays."""
    seen: list[Item] = []
    for turn in range(turns):
        monkeypatch.setenv("OPGEN_SLOW", f"{turn}/{turns}")
        items = [*ITEMS]
        conftest.pytest_collection_modifyitems(items)
        mine = {item.path for item in items if item.slow}
        assert items == [item for item in ITEMS if not item.slow or item.path in mine]
        assert mine
        seen += [item for item in items if item.slow]
    assert sorted(map(repr, seen)) == sorted(repr(item) for item in ITEMS if item.slow)


def test_without_a_turn_all_run(conftest: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPGEN_SLOW", raising=False)
    items = [*ITEMS]
    conftest.pytest_collection_modifyitems(items)
    assert items == ITEMS
