"""Every rule, by id: the modules in `rules/`."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from opgen.lint import rules

MODULES: tuple[ModuleType, ...] = tuple(
    sorted(
        (
            import_module(f"{rules.__name__}.{m.name}")
            for m in iter_modules(rules.__path__)
        ),
        key=lambda module: module.RULE.id,
    )
)
