"""Every rule, in the order in which they run."""

from __future__ import annotations

from types import ModuleType

MODULES: tuple[ModuleType, ...] = ()
