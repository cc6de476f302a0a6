"""Templates are compiled once, and a damaged compiled template is compiled again."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from jinja2 import Environment

from opgen.targets import environment


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list of sources that get compiled, in a Python that caches compiled code."""
    sources: list[str] = []
    compile_ = Environment.compile

    def counted(self: Environment, source: str, *rest: object) -> object:
        sources.append(source)
        return compile_(self, source, *rest)  # type: ignore[call-overload]

    monkeypatch.setattr(Environment, "compile", counted)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return sources


def render(folder: Path) -> str:
    return environment.__wrapped__(folder).get_template("a.j2").render(x=1)


def test_templates_are_compiled_once_for_each_source(tmp_path: Path, compiled: list[str]) -> None:
    (tmp_path / "a.j2").write_text("{{ x }}")
    assert [render(tmp_path), render(tmp_path)] == ["1", "1"] and compiled == ["{{ x }}"]
    (tmp_path / "a.j2").write_text("{{ x + 1 }}")
    assert render(tmp_path) == "2" and len(compiled) == 2


@pytest.mark.parametrize(
    "damage", [lambda b: b"", lambda b: b[:-9], lambda b: b[:40], lambda b: b"no" + b]
)
def test_damaged_templates_are_compiled_again(
    tmp_path: Path, compiled: list[str], damage: Callable[[bytes], bytes]
) -> None:
    (tmp_path / "a.j2").write_text("{{ x }}")
    render(tmp_path)
    kept = Path(cache_from_source(str(tmp_path / "a.j2")))
    kept.write_bytes(damage(kept.read_bytes()))
    assert render(tmp_path) == "1" and len(compiled) == 2
    assert render(tmp_path) == "1" and len(compiled) == 2
