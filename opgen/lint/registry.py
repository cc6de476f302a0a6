"""The modules of all lint rules, from `rules/` and from targets, in the order of the rules' ids."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from opgen.lint import rules
from opgen.spec.extensions import extensions, imported


def _modules() -> Iterator[ModuleType]:
    for found in iter_modules(rules.__path__):
        yield import_module(f"{rules.__name__}.{found.name}")
    for name, extension in extensions().items():
        if extension.lint:
            for found in iter_modules(imported(extension.lint, name).__path__):
                yield imported(f"{extension.lint}.{found.name}", name)


MODULES = tuple(sorted(_modules(), key=lambda module: module.RULE.id))
