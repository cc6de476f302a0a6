"""Placeholders for the checks of a framework that is not installed. They skip each check."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from opgen.source.frozen import dataclass


@dataclass(frozen=True)
class Missing:
    """A replacement for a module of checks. Each attribute is a function that skips the test."""

    framework: str

    def __getattr__(self, check: str) -> Callable[..., None]:
        def skipped(*arguments: object) -> None:
            pytest.skip(f"{self.framework} is not installed")

        return skipped
